"""Check statements on pages about how transformers computes, by running it.

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
    """Return whether attention by heads, sliced as in parts/attention-heads.md, equals that of the whole matrices."""
    attention = model.encoder.layer[0].attention
    width = CONFIG.hidden_size // CONFIG.num_attention_heads
    tokens = torch.randn(5, CONFIG.hidden_size)
    output = attention.output.dense.bias
    for number in range(CONFIG.num_attention_heads):
        head = slice(number * width, (number + 1) * width)
        layers = (attention.self.query, attention.self.key, attention.self.value)
        query, key, value = (tokens @ layer.weight[head].T + layer.bias[head] for layer in layers)
        weights = torch.softmax(query @ key.T / width**0.5, dim=-1)
        output = output + weights @ value @ attention.output.dense.weight[:, head].T
    expected = attention.output.dense(attention.self(tokens[None])[0][0])
    return bool(torch.allclose(expected, output, atol=1e-6))


def the_padding_row_starts_at_zero_and_only_a_decoder_trains_it(model: BertModel) -> bool:
    """Return whether only the padding token's row starts at zero, and only a tied decoder trains it.

    `BertForMaskedLM` has such a decoder. Source: parts/embeddings.md.
    """
    rows = [CONFIG.pad_token_id]
    return (rows, rows) == zero_rows(model) and (rows, []) == zero_rows(BertForMaskedLM(CONFIG))


def zero_rows(model: BertModel | BertForMaskedLM) -> tuple[list[int], list[int]]:
    """The rows of the word table that start at zero, and those whose gradient is zero after all rows are looked up."""
    weight = model.get_input_embeddings().weight
    initial = weight.detach().clone()
    model(torch.arange(CONFIG.vocab_size)[None])[0].exp().sum().backward()
    return tuple((~rows.any(dim=1)).nonzero().flatten().tolist() for rows in (initial, weight.grad))


STATEMENTS = (
    a_head_is_rows_of_query_and_columns_of_output,
    the_padding_row_starts_at_zero_and_only_a_decoder_trains_it,
)


def main() -> None:
    """Check every statement with random weights. Stop at the first one that is false."""
    torch.manual_seed(1)
    for statement in STATEMENTS:
        assert statement(BertModel(CONFIG)), statement.__name__
        print(statement.__name__.replace("_", " "))


if __name__ == "__main__":
    main()
