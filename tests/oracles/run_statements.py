"""Check against transformers what pages say in words about how it computes.

Run by `make verify`, in an environment with torch and transformers:

    python -m tests.oracles.run_statements
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
    """Whether attention worked out head by head, as parts/attention-heads.md slices it, equals the layer's own."""
    attention = model.encoder.layer[0].attention
    width = CONFIG.hidden_size // CONFIG.num_attention_heads
    tokens = torch.randn(5, CONFIG.hidden_size)
    mixed = attention.output.dense.bias
    for number in range(CONFIG.num_attention_heads):
        head = slice(number * width, (number + 1) * width)
        layers = (attention.self.query, attention.self.key, attention.self.value)
        query, key, value = (tokens @ layer.weight[head].T + layer.bias[head] for layer in layers)
        weights = torch.softmax(query @ key.T / width**0.5, dim=-1)
        mixed = mixed + weights @ value @ attention.output.dense.weight[:, head].T
    whole = attention.output.dense(attention.self(tokens[None])[0][0])
    return bool(torch.allclose(whole, mixed, atol=1e-6))


def the_row_of_padding_starts_at_zero_and_only_a_decoder_trains_it(model: BertModel) -> bool:
    """Whether the padding token's row behaves as parts/embeddings.md says; all other rows start elsewhere and train."""
    rows = [CONFIG.pad_token_id]
    return (rows, rows) == zeros(model) and (rows, []) == zeros(BertForMaskedLM(CONFIG))


def zeros(model: BertModel | BertForMaskedLM) -> tuple[list[int], list[int]]:
    """The rows of the word embeddings that are zero, and those without a gradient after every token was looked up."""
    weight = model.get_input_embeddings().weight
    initial = weight.detach().clone()
    model(torch.arange(CONFIG.vocab_size)[None])[0].exp().sum().backward()
    return tuple((~rows.any(dim=1)).nonzero().flatten().tolist() for rows in (initial, weight.grad))


STATEMENTS = (
    a_head_is_rows_of_query_and_columns_of_output,
    the_row_of_padding_starts_at_zero_and_only_a_decoder_trains_it,
)


def main() -> None:
    """Check every statement with random weights, and stop at the first that is false."""
    torch.manual_seed(1)
    for statement in STATEMENTS:
        assert statement(BertModel(CONFIG)), statement.__name__
        print(statement.__name__.replace("_", " "))


if __name__ == "__main__":
    main()
