"""What is said of a model that somebody has changed, counted anew."""

import re

from macros.counting import Changed, Choices, Model, Question, count
from macros.counting.search.known_numbers import search_rules

LAST = re.compile(
    r"the size of (?:the last (?:(\d+) )?layers?)?(?:, | and )?"
    r"(the pooler)?(?:,? and )?(?:a head with (\d+) labels?)? in"
)
HEAD = re.compile(r" (?:and|with) a classifier of 2 labels| \(\w+\)|, which PEFT counts .*$| without a task type$")
FROZEN = re.compile(r"what is left to train in .* with its (embeddings)?(?: and )?(?:first (?:(\d+) )?layers?)? frozen")


def class_in(words: str) -> str:
    """The class that words name, or that has what they say; empty for the bare model."""
    named = re.search(r"\((\w+)\)", words)
    return named[1] if named else "BertForSequenceClassification" if "a classifier of 2 labels" in words else ""


def changed_in(words: str, model: Model) -> Changed | None:
    """The model as words say that it is changed, by the blocks of the data; None where none of them is meant."""
    plain = HEAD.sub("", words)
    for each in search_rules()["changed"]:
        said = re.escape(each.get("words", "")).replace(r"token", "tokens?").replace(r"\#", r"(\d+)")
        given = f" and given {said}" if said else ""
        pattern = f", loaded {each['stored']}{given}(?:[,:]|$)" if "stored" in each else f"[^,] with {said}$"
        if made := re.search(pattern, plain):
            change = each["change"].replace("#", "".join(made.groups())).replace("H", str(model.sizes["H"]))
            name = class_in(words)
            if name != "BertForSequenceClassification":
                change = change.replace(":classifier", "")
            task = ":task=none" if "task type" in words else ""
            return Changed.of(Question(model, name), f"{change}{task}".split(" "))
    return None


def recounted(words: str, model: Model) -> int:
    """The number that the engine, or arithmetic, gives for what is said of a change; a head of base is 64 wide."""
    assert model.title in words
    own = count(model, model_class=class_in(words))
    if frozen := FROZEN.match(words):
        changes = ["embeddings"] * bool(frozen[1]) + [f"frozen:{frozen[2] or 1}"] * ("first" in frozen[0])
        return Changed.of(Question(model, class_in(words)), changes).trainable
    if ours := changed_in(words, model):
        if dtype := re.search(r"float\d+", words):
            scales = ours.scales_bytes if "scales" in words else 0
            buffers = 2 * 8 * model.sizes["P"] if "buffers" in words else 0
            return ours.weights_bytes(dtype[0]) + scales + buffers
        number = ours.trainable if words.startswith("what is ") else ours.number
        return ours.elements if words.startswith("the number of elements") else number
    if crossed := re.search(r"with cross-attention added to every layer, as in a decoder(, and no)?", words):
        both = Question(model, class_in(words), choices=Choices(cross_attention=True)).number
        return both - (count(model, "bert/pooler") if crossed[1] else 0)
    if pruned := re.search(r"with (\d+) of its (\d+) attention heads pruned", words):
        assert int(pruned[2]) == model.sizes["L"] * model.sizes["H"] // 64
        return own - int(pruned[1]) * (4 * model.sizes["H"] * 64 + 3 * 64)
    if "training checkpoint" in words:
        return 3 * own + words.endswith("and the training step")
    last = LAST.search(words)
    assert last, words
    depth = int(last[1] or 1) if "last" in words.partition(" in BERT")[0] else 0
    pooler = count(model, "bert/pooler") if last[2] else 0
    return depth * count(model, "bert/encoder/layer_0") + pooler + int(last[3] or 0) * (model.sizes["H"] + 1)
