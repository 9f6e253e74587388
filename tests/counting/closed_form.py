"""A second route to every total: the count written out by hand, away from the table."""

from collections.abc import Mapping

HAS_POOLER = {
    "BertModel",
    "BertForPreTraining",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForMultipleChoice",
}
PREDICTS_TOKENS = {"BertForPreTraining", "BertForMaskedLM", "BertLMHeadModel"}


def closed_form(
    sizes: Mapping[str, int],
    model_class: str,
    *,
    tied: bool,
    pooler: bool | None = None,
    cross_attention: bool = False,
) -> int:
    """Parameters of one class, from the sizes by letter; `pooler` None is what transformers does."""
    v, p, s, h, f, layers, c = (sizes[letter] for letter in "VPSHFLC")
    total = (v + p + s + 2) * h
    total += layers * (4 * (h * h + h) + (h * f + f) + (f * h + h) + 4 * h)
    if cross_attention:
        total += layers * (4 * (h * h + h) + 2 * h)
    if model_class in HAS_POOLER and pooler is not False:
        total += h * h + h
    if model_class in PREDICTS_TOKENS:
        total += h * h + h + 2 * h + v + (0 if tied else v * h + v)
    outputs = {
        "BertForPreTraining": 2,
        "BertForNextSentencePrediction": 2,
        "BertForMultipleChoice": 1,
        "BertForSequenceClassification": c,
        "BertForTokenClassification": c,
        "BertForQuestionAnswering": c,
    }.get(model_class, 0)
    return total + outputs * (h + 1)
