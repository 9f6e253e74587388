"""Numbers of changed models, counted again from the wording of the answers about them.

Parsing the wording reveals a number that does not fit it.
"""

import re

from macros.counting import ChangedModel, Choices, Model, Question, count
from macros.counting.search.known_numbers import search_data

# The wording for the last parts of a model, for a head and for frozen parts.
LAST_PARTS = re.compile(
    r"the size of (?:the last (?:(\d+) )?layers?)?(?:, | and )?"
    r"(the pooler)?(?:,? and )?(?:a head with (\d+) labels?)? in"
)
CLASSIFIER = re.compile(r" (?:and|with) a classifier of (\d+) labels?( for each token)?")
HEAD = re.compile(rf"{CLASSIFIER.pattern}| \(\w+\)|, which PEFT counts .*$| without a task type$")
FREEZING = re.compile(
    r"what is left to train in .* with its (embeddings)?(?: and )?(?:first (?:(\d+) )?layers?)? frozen"
)


def class_in(words: str, model: Model) -> str:
    """The class that `words` name or describe; empty for the bare model."""
    if name := re.search(r"\((Bert\w+|\w+For\w+|\w+Model)\)", words):
        return name[1]
    if not (classifier := CLASSIFIER.search(words)):
        return ""
    prefix = model.architecture.classes[0].name.removesuffix("Model")
    return f"{prefix}For{'Token' if classifier[2] else 'Sequence'}Classification"


def changed_model_in(words: str, model: Model) -> ChangedModel | None:
    """The changed model that `words` describe, according to `search.toml`; None if they match none of its blocks."""
    words_without_head = HEAD.sub("", words)
    for block in search_data()["changed"]:
        block_words = re.escape(block.get("words", "")).replace("token", "tokens?").replace(r"\#", r"(\d+)")
        addition = f" and given {block_words}" if block_words else ""
        pattern = (
            f", loaded {block['stored']}{addition}(?:[,:]|$)" if "stored" in block else f"[^,] with {block_words}$"
        )
        if match := re.search(pattern, words_without_head):
            change = block["change"].replace("#", "".join(match.groups())).replace("H", str(model.sizes["H"]))
            name = class_in(words, model)
            if "Classification" not in name:
                change = change.replace(":classifier", "")
            task = ":task=none" if "task type" in words else ""
            classifier = CLASSIFIER.search(words)
            resized_model = model.resized(C=int(classifier[1])) if classifier else model
            return ChangedModel.build(Question(resized_model, name), f"{change}{task}".split(" "))
    return None


def recount(words: str, model: Model) -> int:
    """The number that the engine or plain arithmetic gives for these words."""
    assert model.title in words
    plain_number = count(model, model_class=class_in(words, model))
    if freezing := FREEZING.match(words):
        changes = ["embeddings"] if freezing[1] else []
        if "first" in freezing[0]:
            changes.append(f"frozen:{freezing[2] or 1}")
        return ChangedModel.build(Question(model, class_in(words, model)), changes).trainable
    if changed_model := changed_model_in(words, model):
        if dtype := re.search(r"float\d+", words):
            scales = changed_model.scales_bytes if "scales" in words else 0
            buffers = 2 * 8 * model.sizes["P"] if "buffers" in words else 0
            return changed_model.weights_bytes(dtype[0]) + scales + buffers
        number = changed_model.trainable if words.startswith("what is ") else changed_model.number
        return changed_model.elements if words.startswith("the number of elements") else number
    if addition := re.search(r"with cross-attention added to every layer, as in a decoder(, and no)?", words):
        with_cross_attention = Question(model, class_in(words, model), choices=Choices(cross_attention=True)).number
        return with_cross_attention - (count(model, "bert/pooler") if addition[1] else 0)
    if pruning := re.search(r"with (\d+) of its (\d+) attention heads pruned", words):
        # In every model that the search prunes, a head has 64 features.
        assert int(pruning[2]) == model.sizes["L"] * model.sizes["H"] // 64
        return plain_number - int(pruning[1]) * (4 * model.sizes["H"] * 64 + 3 * 64)
    if "training checkpoint" in words:
        return 3 * plain_number + (1 if words.endswith("and the training step") else 0)
    last_parts = LAST_PARTS.search(words)
    assert last_parts, words
    depth = int(last_parts[1] or 1) if "last" in words.partition(" in BERT")[0] else 0
    pooler = count(model, "bert/pooler") if last_parts[2] else 0
    return depth * count(model, "bert/encoder/layer_0") + pooler + int(last_parts[3] or 0) * (model.sizes["H"] + 1)
