"""Hold what pages say in words of how transformers computes against transformers itself.

Run by `make verify`, in an environment with torch and transformers.
"""

import torch
from transformers import BertConfig, BertForMaskedLM, BertModel

CONFIG = BertConfig(
    vocab_size=11,
    hidden_size=12,
    intermediate_size=8,
    num_hidden_layers=1,
    num_attention_heads=3,
    attention_probs_dropout_prob=0.0,
    hidden_dropout_prob=0.0,
)


def a_head_is_rows_of_query_and_columns_of_output(model: BertModel) -> bool:
    """Attention worked out head by head, from the slices that parts/attention-heads.md names, is the layer's own."""
    attention = model.encoder.layer[0].attention
    width = CONFIG.hidden_size // CONFIG.num_attention_heads
    tokens = torch.randn(5, CONFIG.hidden_size)
    mixed = attention.output.dense.bias
    for number in range(CONFIG.num_attention_heads):
        head = slice(number * width, (number + 1) * width)
        layers = (attention.self.query, attention.self.key, attention.self.value)
        query, key, value = (tokens @ each.weight[head].T + each.bias[head] for each in layers)
        weights = torch.softmax(query @ key.T / width**0.5, dim=-1)
        mixed = mixed + weights @ value @ attention.output.dense.weight[:, head].T
    whole = attention.output.dense(attention.self(tokens[None])[0][0])
    return bool(torch.allclose(whole, mixed, atol=1e-6))


def the_row_of_padding_starts_at_zero_and_only_a_decoder_trains_it(model: BertModel) -> bool:
    """As parts/embeddings.md says; all other rows start elsewhere and are trained."""
    rows = [CONFIG.pad_token_id]
    return (rows, rows) == zeros(model) and (rows, []) == zeros(BertForMaskedLM(CONFIG))


def zeros(model: BertModel | BertForMaskedLM) -> tuple[list[int], list[int]]:
    """Which rows of the word embeddings are zero, and which have no gradient where each token has been looked up."""
    weight = model.get_input_embeddings().weight
    started = weight.detach().clone()
    model(torch.arange(CONFIG.vocab_size)[None])[0].exp().sum().backward()
    return tuple((~each.any(dim=1)).nonzero().flatten().tolist() for each in (started, weight.grad))


STATEMENTS = (
    a_head_is_rows_of_query_and_columns_of_output,
    the_row_of_padding_starts_at_zero_and_only_a_decoder_trains_it,
)


def main() -> None:
    """Each of them with random weights; the first that is false ends it."""
    torch.manual_seed(1)
    for each in STATEMENTS:
        assert each(BertModel(CONFIG)), each.__name__
        print(each.__name__.replace("_", " "))


if __name__ == "__main__":
    main()
