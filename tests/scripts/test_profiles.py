"""A profiler's numbers are explained in one answer, as output of that profiler.

The print-outs are those of the page about tools. The expected numbers are the engine's, rounded as each tool
rounds them.
"""

import pytest

from macros.counting.published.printouts import load_printouts, text_of

from .running import Scripts

PROFILERS = ("thop", "ptflops", "calflops", "deepspeed")
"""The print-outs of `data/printouts/index.toml` that are profiles."""

MASKED_LM = "BERT base, uncased, as BertForMaskedLM"
"""The model that the page about tools profiles."""

PROFILES = {
    "13957791744.0 109119546.0": (
        f"thop prints for {MASKED_LM}, given one text of 128 tokens: "
        "13,957,791,744 MACs in dense layers and LayerNorm; "
        "109,119,546 parameters, without the embedding tables, but with the decoder"
    ),
    "109119546": f"thop prints for {MASKED_LM}: 109,119,546 parameters, without the embedding tables",
    "(10882056192.0, 85646592.0)": (
        "thop prints for BERT base, uncased, as BertModel, given one text of 128 tokens: "
        "10,882,056,192 MACs in dense layers and LayerNorm; 85,646,592 parameters, without the embedding tables."
    ),
    "10.88G 85.65M": "thop prints for BERT base, uncased, as BertModel, given one text of 128 tokens",
    "13.958G 109.120M": f"thop prints for {MASKED_LM}, given one text of 128 tokens",
    "13.96 GMac 109.51 M": f"ptflops prints for {MASKED_LM}, given one text of 128 tokens",
    "28.51 G 14.25 GMACs 109.51 M": f"DeepSpeed prints for {MASKED_LM}, given one text of 128 tokens",
    "fwd MACs:                     13.95 GMACs": f"calflops prints for {MASKED_LM}, given one text of 128 tokens",
    "fwd FLOPs per GPU:            22.36 GFLOPs": "DeepSpeed prints for BERT base, uncased, as BertModel",
    "params: 109.48 M\nfwd MACs: 11.17 GMACs\nfwd latency: 12.3 ms": (
        "DeepSpeed prints for BERT base, uncased, as BertModel, given one text of 128 tokens: 109,482,240 parameters"
    ),
    "fwd flops per GPU:            87.02 G": "DeepSpeed prints for BERT base, uncased, as BertModel",
}
"""Lines that profilers print, each with words that its answer must contain."""


def test_profiles_are_explained_by_the_tool_that_prints_them(scripts: Scripts) -> None:
    """The number of parameters decides between classes whose operations round to the same number."""
    accounts = scripts.call("accounts", [*PROFILES])
    headlines = [account["headline"] for account in accounts]
    assert [] == [
        headline for words, headline in zip(PROFILES.values(), headlines, strict=True) if words not in headline
    ]


@pytest.mark.parametrize("name", PROFILERS)
def test_every_line_that_the_page_explains_is_answered(scripts: Scripts, name: str) -> None:
    print_out = load_printouts()[name]
    noted_lines = [
        line for line in text_of(name).splitlines() if any(line.startswith(note.line) for note in print_out.notes)
    ]
    assert noted_lines
    for account in scripts.call("accounts", [text_of(name), *noted_lines]):
        assert f"This is what {print_out.title} prints for {MASKED_LM}" in account["headline"]
        assert {"right", "rounded", "wrong"} >= {line["verdict"] for line in account["lines"]}


def test_the_answer_notes_that_other_releases_count_differently(scripts: Scripts) -> None:
    """Earlier releases of DeepSpeed left out PyTorch's built-in attention; the engine's 96,687,095,808 include it."""
    (account,) = scripts.call(
        "accounts", ["params per GPU: 109.48 M\nfwd MACs per GPU: 43.5 GMACs\nfwd flops per GPU: 87.02 G"]
    )
    assert "calflops" not in str(account)
    assert any("it would print 96,687,095,808" in finding["words"] for finding in account["findings"])


def test_numbers_that_no_profiler_prints_are_no_profile(scripts: Scripts) -> None:
    for account in scripts.call("accounts", ["13957791744 109119546", "1.23 GMac 4.56 M"]):
        assert account is None or "This is what" not in account["headline"]
