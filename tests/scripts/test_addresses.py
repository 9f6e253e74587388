"""The calculator's address holds all fields and is read exactly."""

import random
import re
import string
from urllib.parse import quote

from tests.docs.building import ROOT
from tests.scripts.running import Scripts

CLASSES = {
    "bert-base-uncased": ["BertModel", "BertForMaskedLM", "BertForSequenceClassification"],
    "roberta-large": ["RobertaModel", "RobertaForTokenClassification"],
    "albert-xxlarge-v2": ["AlbertModel", "AlbertForPreTraining"],
    "distilbert-base-cased": ["DistilBertModel", "DistilBertForMaskedLM"],
    "electra-small-generator": ["ElectraModel", "ElectraForMaskedLM"],
}
"""Classes of five models, each of a different architecture."""

METHODS: list[dict[str, str]] = [
    {},
    {"rank": "8", "modules": "query,value"},
    {"method": "dora", "rank": "8"},
    {"method": "dora"},
    {"method": "ia3", "modules": "key,output", "feedforward": "output"},
    {"method": "ia3"},
    {"method": "bitfit"},
    {"method": "prefix", "rank": "20", "width": "none, really"},
    {"method": "p-tuning", "rank": "x"},
]
"""Methods with their fields, valid or not."""


def random_fields(chance: random.Random) -> dict[str, str]:
    """Random contents of the fields, valid or not."""
    model = chance.choice([*CLASSES])

    def random_names(*names: str) -> str:
        """Some of the names, separated by commas as in a field."""
        return ",".join(name for name in names if chance.random() < 0.4)

    return {
        "model": model,
        "class": chance.choice(CLASSES[model]),
        **{letter: str(chance.choice([1, 7, 512, 10**18])) for letter in "VPFL" if chance.random() < 0.4},
        "pooler": chance.choice(["", "yes"]),
        "tied": chance.choice(["", "yes"]),
        "biases": chance.choice(["", "no"]),
        "vocabulary": chance.choice(["", "31000", "no number & more"]),
        "more": random_names("V", "P", "F", "heads"),
        "frozen": random_names("embeddings", "all-but-head"),
        "layers": chance.choice(["", "3", "x"]),
        "pruned": chance.choice(["", "12", "all"]),
        "from": chance.choice(["", "roberta-base"]),
        **chance.choice(METHODS),
    }


def test_every_state_comes_back_from_its_address(scripts: Scripts) -> None:
    chance = random.Random(12)  # noqa: S311  the same states every time
    drawn_fields = [random_fields(chance) for _ in range(300)]
    # Only models that can be counted are allowed in `beside`.
    countable_values = {"L": "3", "layers": "1", "method": "lora"}
    countable_values |= dict.fromkeys(("vocabulary", "pruned", "rank", "width", "modules", "feedforward", "from"), "")
    countable_fields = [
        {key: text for key, text in {**fields, **countable_values}.items() if key not in "VPF"}
        for fields in drawn_fields
    ]
    states = [
        {"fields": fields, "beside": [] if index % 3 else chance.sample(countable_fields, 2)}
        for index, fields in enumerate(drawn_fields)
    ]
    for address, complaints, is_same, before, after in scripts.call("addressesOfStates", states):
        assert is_same, f"{address}\n{before}\n{after}"
        assert [] == complaints, address
        assert re.fullmatch(r"(\?[\w=&,:;.%+-]+)?", address)


FIRST_QUERY = "?model=bert-base-uncased"
"""The beginning of addresses that the calculator writes for its first model."""

LONG_VALUE = "x" * 61
"""A value one character longer than complaints quote in full."""

ADDRESSES = {
    "": ("", ""),
    "?model=nobody": ("", "model=nobody"),
    "?from=albert-base-v2": (f"{FIRST_QUERY}&from=albert-base-v2", ""),
    f"?class={LONG_VALUE}": ("", f"class={LONG_VALUE[:57]}..."),
    "?biases=1": ("", "biases=1"),
    "?tied=no&cross=yes&pooler=no": (f"{FIRST_QUERY}&pooler=no&tied=no&cross=yes", ""),
    "?more=V,none": (f"{FIRST_QUERY}&more=V", "more=none"),
    "?frozen=embeddings,2,all-but-head": (f"{FIRST_QUERY}&frozen=embeddings,all-but-head,2", ""),
    "?prefix=20": (f"{FIRST_QUERY}&prefix=20", ""),
    "?bitfit=": (f"{FIRST_QUERY}&bitfit=", ""),
    "?prefix=20:64&pruned=1,2": (f"{FIRST_QUERY}&pruned=1,2&prefix=20:64", ""),
    "?ia3=": (f"{FIRST_QUERY}&ia3=key,value,attention-output,output:attention-output,output", ""),
    "?ia3=output,key:nothing": (f"{FIRST_QUERY}&ia3=key,output:", "ia3=nothing"),
    "?lora=8:query,nothing": (f"{FIRST_QUERY}&lora=8:query", "lora=nothing"),
    # Parameters that other sites append are ignored, however many there are.
    "?utm_source=mail&L=6&fbclid=IwAR0&__proto__=1&toString=x&=": (f"{FIRST_QUERY}&L=6", ""),
    "?" + "&".join(f"unknown{index}=1" for index in range(500)): ("", ""),
    # If a parameter has several values, the first one counts, as on other pages.
    "?pooler=perhaps&L=6&L=7" + "&pooler=x" * 500: (f"{FIRST_QUERY}&L=6", "pooler=perhaps"),
    "?E=128": ("", "E=128"),
    "?L=30,522&V=%207%20&P=1,2&A=1,234x": (f"{FIRST_QUERY}&V=7&P=1,2&L=30522&A=1,234x", ""),
    "?vocabulary=1,000,000&biases=no": (f"{FIRST_QUERY}&vocabulary=1000000&biases=no", ""),
    f"?V={LONG_VALUE}": (f"{FIRST_QUERY}&V={LONG_VALUE[:57]}...", ""),
    "?beside=bert-large-uncased;L=x": ("", "beside=bert-large-uncased;L=x"),
    "?beside=a&beside=b&beside=c": (
        f"{FIRST_QUERY}&beside=bert-base-uncased&beside=bert-base-uncased",
        "model=a; model=b",
    ),
}
"""Addresses, each with the address that the calculator writes after reading it, and the complaints."""


def test_addresses_are_read_exactly(scripts: Scripts) -> None:
    results = dict(zip(ADDRESSES, map(tuple, scripts.call("readAddresses", [*ADDRESSES])), strict=True))
    assert results == ADDRESSES


NAMES_IN_ADDRESS = re.compile(r"const NAMES_IN_ADDRESS = \{([^}]*)\}")
"""The names of fields in an address, as a script declares them."""


def test_links_to_the_calculator_use_its_names() -> None:
    """A page that links to the calculator has its own list of these names, so that it need not fetch the calculator."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/assets").rglob("*.js"))]
    calculator = (ROOT / "docs/assets/calculator/state.js").read_text(encoding="utf-8")
    (names,) = NAMES_IN_ADDRESS.findall(calculator)
    other_lists = [NAMES_IN_ADDRESS.findall(script) for script in scripts if script != calculator]
    other_names = [name for lists in other_lists for text in lists for name in re.findall(r"\w+: \"\w+\"", text)]
    assert other_names
    assert {*other_names} <= {*re.findall(r"\w+: \"\w+\"", names)}


def test_escaped_addresses_are_decoded(scripts: Scripts) -> None:
    """Every character may be escaped; an address with a malformed escape stays as it is."""
    texts = [*string.printable, "encoder/layer_0:12,768", "“cat”"]
    assert texts == scripts.call("decodedAddresses", [quote(text, safe="") for text in texts])
    assert ["100%", "%E0%A4%A"] == scripts.call("decodedAddresses", ["100%", "%E0%A4%A"])
