"""Keras summaries in three styles.

keras-bert and bert4keras have one row per Keras layer. The TensorFlow classes of transformers have one row for the
whole bare model.

Sources: keras 2.2, tf_keras 2.15 and keras 3.5, `print_summary`; keras-bert 0.89.0; bert4keras 0.11.5;
transformers 4.57.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from macros.counting import Choices, Tensor
from macros.counting.architecture import lies_under
from macros.counting.architectures.bert import BERT
from macros.counting.frameworks.keras_layers import bert4keras, keras_bert

from .lines import CELL, COUNT, COUNT_FAULTS, Draft, PastedLine, Subject, line_of_tensors


def cut_columns(lines: Sequence[PastedLine], ends: Sequence[int]) -> str:
    """Keras 2.2's table, in which cells are cut off at the end of their column and each input has a line of its own."""
    rows: list[str] = []
    last_index = max(index for index, line in enumerate(lines) if CELL in line.text)
    for index, line in enumerate(lines):
        cells = line.full_text.split(CELL)
        if len(cells) == 1:
            rows.append(line.full_text)
            continue
        names = cells[3].split("\n") if len(ends) == 4 else [""]
        rows.append(cut_row([*cells[:3], names[0]], ends))
        rows += [cut_row(["", "", "", name], ends) for name in names[1:]]
        rows.append(("=" if index == last_index or is_heading(line) else "_") * ends[-1])
    return "\n".join(rows)


def is_heading(line: PastedLine) -> bool:
    """Return whether a line is the heading of the table."""
    return line.text.startswith("Layer (type)")


def cut_row(cells: Sequence[str], ends: Sequence[int]) -> str:
    """One row with its cells cut off at the ends of the columns; each cell but the last ends with a space."""
    text = ""
    for cell, end in zip(cells, ends, strict=False):
        text = f"{text[:-1]} {cell}" if text else cell
        text = f"{text[:end]:<{end}}"
    return text


def wrapped_columns(lines: Sequence[PastedLine], ends: Sequence[int]) -> str:
    """tf_keras 2.15's table, in which a long cell continues on the next line, even in the middle of a number."""
    rows: list[str] = []
    last_index = max(index for index, line in enumerate(lines) if CELL in line.text)
    for index, line in enumerate(lines):
        cells = line.full_text.split(CELL)
        if len(cells) == 1:
            rows.append(line.full_text)
            continue
        rows += wrapped_row(cells, ends)
        if not is_heading(line):
            rows.append(" " * ends[-1])
        if index == last_index or is_heading(line):
            rows.append("=" * ends[-1])
    return "\n".join(rows)


BREAKS = ("),", "},", "],", "',")
"""The ends of tuples, dictionaries, lists and quoted names with a comma, after which Keras breaks a cell."""


def pieces(cell: str, width: int) -> list[str]:
    """The pieces of a wrapped cell. Each ends after the first of `BREAKS`, but after `width` characters at most."""
    result = []
    while cell:
        piece = cell[:width]
        stops = [piece.index(stop) + len(stop) for stop in BREAKS if stop in piece]
        piece = piece[: min(stops)] if stops else piece
        result.append(piece)
        cell = cell[len(piece) :]
    return result


def wrapped_row(cells: Sequence[str], ends: Sequence[int]) -> list[str]:
    """The lines of one row whose cells are wrapped."""
    if len(ends) == 4 and cells[0] != "Layer (type)":
        names = [f"'{name}'" for name in cells[3].split("\n") if name]
        cells = [*cells[:3], f"[{', '.join(names)}]"]
    cells = cells[: len(ends)]
    starts = [0, *ends[:-1]]
    widths = [end - start - 3 for start, end in zip(starts, ends, strict=True)]
    widths[-1] += 3
    split_cells = [pieces(cell, width) for cell, width in zip(cells, widths, strict=True)]
    rows = []
    for index in range(max(map(len, split_cells))):
        text = ""
        for parts, start, end in zip(split_cells, starts, ends, strict=True):
            piece = parts[index] if index < len(parts) else ""
            text = f"{text:<{start}}" + (" " if not start else "") + piece
            text = f"{text:<{end}}"
        rows.append(text)
    return rows


def boxes(lines: Sequence[PastedLine], ends: Sequence[int]) -> str:
    """Keras 3's table, which has wrapped cells and is drawn with box-drawing characters."""
    widths = [end - start - 1 for start, end in zip([0, *ends[:-1]], ends, strict=True)]

    def rule(characters: str) -> str:
        """A line across the table.

        `characters` are those at the left, between columns, at the right, and along the columns.
        """
        left, middle, right, dash = [*characters]
        return left + middle.join(dash * width for width in widths) + right

    rows: list[str] = []
    last_index = max(index for index, line in enumerate(lines) if CELL in line.text)
    for index, line in enumerate(lines):
        cells = line.full_text.split(CELL)[: len(ends)]
        if len(cells) == 1:
            rows.append(line.full_text)
            continue
        bar = "┃" if is_heading(line) else "│"
        if is_heading(line):
            rows.append(rule("┏┳┓━"))
        rows += [f"{bar}{bar.join(parts)}{bar}" for parts in _box_lines(cells, widths)]
        if is_heading(line):
            rows.append(rule("┡╇┩━"))
        else:
            rows.append(rule("└┴┘─" if index == last_index else "├┼┤─"))
    return "\n".join(rows)


def _box_lines(cells: Sequence[str], widths: Sequence[int]) -> Iterator[list[str]]:
    """The lines of one row, each as a list of cells; counts are right-aligned."""
    split_cells = [_chunks(cell, width - 2) for cell, width in zip(cells, widths, strict=True)]
    for index in range(max(map(len, split_cells))):
        row = []
        for column, (parts, width) in enumerate(zip(split_cells, widths, strict=True)):
            text = parts[index] if index < len(parts) else ""
            row.append(f" {text:{'>' if column == 2 else '<'}{width - 2}} ")
        yield row


def _chunks(cell: str, width: int) -> list[str]:
    """The pieces of a cell, each at most `width` characters long."""
    line = cell.replace("\n", ", ")
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def size_in_memory(number: int) -> str:
    """The size in memory that Keras prints for a number of parameters, at four bytes each."""
    for unit, limit in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if number * 4 >= limit:
            return f"{number * 4 / limit:.2f} {unit}"
    return f"{number * 4:.2f} Byte"


def summary(
    name: str, rows: Sequence[PastedLine], total: int, frozen_number: int, chance: random.Random, shows_inputs: bool
) -> Draft:
    """A summary in a random style of Keras, with the totals below it."""
    style = chance.choice(["cut", "wrapped", "wrapped", "boxes"])
    length = 98 if shows_inputs else 65
    ends = {
        ("cut", True): [32, 53, 65, 98],
        ("cut", False): [29, 55, 65],
        ("wrapped", True): [29, 58, 68, 98],
        ("wrapped", False): [29, 55, 65],
        ("boxes", True): [29, 52, 66, 98],
        ("boxes", False): [34, 60, 76],
    }[style, shows_inputs]
    rule_line = PastedLine("_" * length)
    heading = PastedLine(CELL.join(["Layer (type)", "Output Shape", "Param #", "Connected to"]))
    numbers = {"Total params": total, "Trainable params": total - frozen_number, "Non-trainable params": frozen_number}
    title_line = PastedLine(f'Model: "{name}"')
    if style == "cut":
        footer = [PastedLine(f"{label}: {number:,}") for label, number in numbers.items()]
        lines = [title_line, rule_line, heading, *rows, *footer, rule_line]
        return Draft(lines, total, text=lambda items: cut_columns(items, ends), faults=COUNT_FAULTS)
    if style == "wrapped":
        footer = [PastedLine(f"{label}: {number} ({size_in_memory(number)})") for label, number in numbers.items()]
        lines = [title_line, rule_line, heading, *rows, *footer, rule_line]
        return Draft(lines, total, text=lambda items: wrapped_columns(items, ends), faults=COUNT_FAULTS)
    footer = [PastedLine(f" {label}: {number:,} ({size_in_memory(number)})") for label, number in numbers.items()]
    comma_rows = [line._replace(amount=f"{int(line.amount):,}") if line.amount else line for line in rows]
    lines = [title_line, heading, *comma_rows, PastedLine(""), *footer]
    return Draft(lines, total, text=lambda items: boxes(items, ends), faults=COUNT_FAULTS)


def by_layer(subject: Subject, chance: random.Random) -> Draft:
    """The summary of a model in keras-bert or bert4keras, in which each row is a Keras layer."""
    is_keras_bert = chance.random() < 0.6
    sequence = chance.choice([None, subject.model.sizes["P"], 128])
    has_heads = chance.random() < 0.6
    has_dropout = chance.random() < 0.7
    if is_keras_bert:
        rows = keras_bert(subject.model, sequence, has_dropout=has_dropout, has_heads=has_heads)
    else:
        rows = bert4keras(subject.model, has_dropout=has_dropout)
    if is_keras_bert and has_heads:
        shown_subject = subject._replace(model_class=BERT.class_named("BertForPreTraining"), choices=Choices())
    else:
        shown_subject = subject._replace(model_class=BERT.classes[0], choices=Choices(pooler=False))
    tensors_by_path = {tensor.path: tensor for tensor in shown_subject.tensors}
    first_layer = 1 if is_keras_bert else 0
    lines = []
    for row in rows:
        inputs = "\n".join(row.inputs)
        text = CELL.join([f"{row.name} ({row.kind})", row.output, COUNT, inputs])
        line = line_of_tensors([tensors_by_path[path] for path in row.weights], text, str(row.parameters))
        layer = None if row.layer is None else row.layer - first_layer
        lines.append(line._replace(layer=layer))
    draft = summary(f"model{chance.choice(['', '_1', '_2'])}", lines, shown_subject.total, 0, chance, shows_inputs=True)
    return draft._replace(shown_subject=shown_subject)


TF_HEADS = {
    "sequence_classifier": ("classifier", "Dense"),
    "multiple_choice": ("classifier", "Dense"),
    "token_classifier": ("classifier", "Dense"),
    "cls/squad": ("qa_outputs", "Dense"),
    "cls/seq_relationship": ("nsp___cls", "TFBertNSPHead"),
    "cls/predictions": ("mlm___cls", "TFBertMLMHead"),
}
"""The name and type of a head's row in summaries of transformers' TensorFlow classes, by the head's path."""


def one_row(subject: Subject, chance: random.Random) -> Draft:
    """The summary of a TensorFlow class of transformers, in which the whole bare model is one row."""
    tensors = subject.tensors
    name = subject.model_class.name
    architecture = subject.model.architecture
    body = [tensor for tensor in tensors if tensor.path.startswith("bert/")]
    class_prefix = architecture.classes[0].name.removesuffix("Model")
    lines = [module_row(architecture.modules.get("bert", "bert"), f"TF{class_prefix}MainLayer", body)]
    if chance.random() < 0.6 and not subject.is_bare:
        lines.append(module_row(f"dropout_{chance.randrange(30, 80)}", "Dropout", []))
    for prefix in subject.model_class.heads:
        head_tensors = [tensor for tensor in tensors if lies_under(tensor.path, (prefix,))]
        layer_name, kind = TF_HEADS[prefix]
        line = module_row(layer_name, kind, head_tensors)
        if prefix == "cls/predictions":
            # This row counts all embeddings again, because the decoder shares the weights of the word embeddings.
            embedding_parameters = sum(tensor.size for tensor in body if tensor.path.startswith("bert/embeddings"))
            lines.append(line._replace(amount=str(line.number + embedding_parameters)))
        else:
            lines.append(line)
    total = subject.total
    frozen_number = sum(tensor.size for tensor in body) if chance.random() < 0.2 else 0
    title = f"tf_{''.join(f'_{letter.lower()}' if letter.isupper() else letter for letter in name).strip('_')}"
    draft = summary(title, lines, total, frozen_number, chance, shows_inputs=False)
    return draft._replace(faults=("digit",))


def module_row(name: str, kind: str, tensors: Sequence[Tensor]) -> PastedLine:
    """The row of a module in the summary of a TensorFlow class."""
    line = line_of_tensors(tensors, CELL.join([f"{name} ({kind})", "multiple", COUNT, ""]))
    return line._replace(amount=str(line.number), layer=None)
