"""A second route to every total: the count written out by hand, away from the table."""

from collections.abc import Mapping

HAS_POOLER = {
    "BertModel",
    "BertForPreTraining",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForMultipleChoice",
    "RobertaModel",
    "RobertaForMultipleChoice",
    "XLMRobertaModel",
    "XLMRobertaForMultipleChoice",
    "AlbertModel",
    "AlbertForPreTraining",
    "AlbertForSequenceClassification",
    "AlbertForMultipleChoice",
}
PREDICTS_TOKENS = {
    "BertForPreTraining",
    "BertForMaskedLM",
    "BertLMHeadModel",
    "RobertaForMaskedLM",
    "RobertaForCausalLM",
    "XLMRobertaForMaskedLM",
    "XLMRobertaForCausalLM",
    "DistilBertForMaskedLM",
    "AlbertForPreTraining",
    "AlbertForMaskedLM",
    "ElectraForMaskedLM",
    "ElectraForCausalLM",
}
TASKS = ("SequenceClassification", "TokenClassification", "QuestionAnswering")


def closed_form(
    sizes: Mapping[str, int],
    model_class: str,
    *,
    tied: bool,
    pooler: bool | None = None,
    cross_attention: bool = False,
) -> int:
    """Parameters of one class, from the sizes by letter; `pooler` None is what transformers does."""
    for beginning, count in RELATIVES.items():
        if model_class.startswith(beginning):
            return count(sizes, model_class, tied, pooler, cross_attention)
    v, p, s, h, c = (sizes[letter] for letter in "VPSHC")
    total = (v + p + s + 2) * h + _layers(sizes, cross_attention)
    if model_class in HAS_POOLER and pooler is not False:
        total += h * h + h
    if model_class in PREDICTS_TOKENS:
        total += h * h + h + 2 * h + v + (0 if tied else v * h + v)
    if model_class in ("BertForPreTraining", "BertForNextSentencePrediction"):
        total += 2 * (h + 1)
    return total + _labels(model_class, c) * (h + 1)


def _layers(sizes: Mapping[str, int], cross_attention: bool) -> int:
    """The encoder of `L` layers."""
    h, f = sizes["H"], sizes["F"]
    attention = 4 * (h * h + h) + 2 * h
    return sizes["L"] * (attention * (2 if cross_attention else 1) + (h * f + f) + (f * h + h) + 2 * h)


def _labels(model_class: str, labels: int) -> int:
    """Outputs of the head that a reader trains."""
    return 1 if model_class.endswith("MultipleChoice") else labels if model_class.endswith(TASKS) else 0


def _roberta(sizes: Mapping[str, int], name: str, tied: bool, pooler: bool | None, cross_attention: bool) -> int:
    """One more dense layer before the labels of a text, and no next-sentence prediction."""
    v, p, s, h, c = (sizes[letter] for letter in "VPSHC")
    total = (v + p + s + 2) * h + _layers(sizes, cross_attention)
    if name in HAS_POOLER and pooler is not False:
        total += h * h + h
    if name in PREDICTS_TOKENS:
        total += h * h + h + 2 * h + v + (0 if tied else v * h + v)
    if name.endswith("SequenceClassification"):
        total += h * h + h
    return total + _labels(name, c) * (h + 1)


def _distilbert(sizes: Mapping[str, int], name: str, tied: bool, _pooler: bool | None, _cross: bool) -> int:
    """No segments, no pooler, and one bias for the decoder, which is its own; a dense layer before two heads."""
    v, p, h, c = (sizes[letter] for letter in "VPHC")
    total = (v + p + 2) * h + _layers(sizes, cross_attention=False)
    if name in PREDICTS_TOKENS:
        total += h * h + h + 2 * h + v + (0 if tied else v * h)
    if name.endswith(("SequenceClassification", "MultipleChoice")):
        total += h * h + h
    return total + _labels(name, c) * (h + 1)


def _albert(sizes: Mapping[str, int], name: str, tied: bool, pooler: bool | None, _cross: bool) -> int:
    """Narrow embeddings, widened by a dense layer, and weights for each inner layer of each group alone."""
    v, p, s, e, h, f, groups, inner, c = (sizes[letter] for letter in "VPSEHFGIC")
    total = (v + p + s + 2) * e + (e * h + h)
    total += groups * inner * (4 * (h * h + h) + 2 * h * f + f + h + 4 * h)
    if name in HAS_POOLER and pooler is not False:
        total += h * h + h
    if name in PREDICTS_TOKENS:
        total += h * e + e + 2 * e + v + (0 if tied else v * e + v)
    if name == "AlbertForPreTraining":
        total += c * (h + 1)
    return total + _labels(name, c) * (h + 1)


def _electra(sizes: Mapping[str, int], name: str, tied: bool, _pooler: bool | None, cross_attention: bool) -> int:
    """Embeddings of a width of their own, widened only where that differs; a discriminator; dense layers in heads."""
    v, p, s, e, h, c = (sizes[letter] for letter in "VPSEHC")
    total = (v + p + s + 2) * e + (0 if e == h else e * h + h) + _layers(sizes, cross_attention)
    if name in PREDICTS_TOKENS:
        total += h * e + e + 2 * e + v + (0 if tied else v * e)
    if name == "ElectraForPreTraining":
        total += h * h + h + (h + 1)
    if name.endswith(("SequenceClassification", "MultipleChoice")):
        total += h * h + h
    return total + _labels(name, c) * (h + 1)


RELATIVES = {
    "Roberta": _roberta,
    "XLMRoberta": _roberta,
    "DistilBert": _distilbert,
    "Albert": _albert,
    "Electra": _electra,
}
"""How the classes of BERT's relatives are counted, by the beginning of their names."""
