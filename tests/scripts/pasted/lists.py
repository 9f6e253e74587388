"""Layouts with one line per tensor: loops over parameters, tables, files, and lists by TensorFlow, Flax and llama.cpp.

Sources: torch 2.13; google-research/bert, run_pretraining.py; transformers 4.57, modeling_flax_bert.py;
llama.cpp, gguf-py 0.19, tensor_mapping.py; safetensors 0.8.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from math import prod
from pprint import pformat
from typing import Any

from macros.counting import Choices, Tensor
from macros.counting.architectures.bert import BERT
from macros.counting.frameworks.listing import google_variables
from macros.counting.frameworks.names import body_prefix

from .lines import (
    ALL_FAULTS,
    COUNT,
    COUNT_FAULTS,
    SHAPE,
    SHAPE_FAULTS,
    Draft,
    PastedLine,
    Subject,
    is_listed,
    line_of_tensor,
    number_format,
    random_number_format,
    torch_shape,
    tuple_shape,
)
from .modules import layer_of


def parameters(subject: Subject) -> list[Tensor]:
    """The tensors that `named_parameters()` lists."""
    return [tensor for tensor in subject.tensors if is_listed(tensor)]


def random_shape_format(chance: random.Random) -> Callable[[Sequence[int]], str]:
    """A function that formats shapes in a random notation."""
    return chance.choice([torch_shape, torch_shape, tuple_shape, list_shape, product_shape])


def list_shape(shape: Sequence[int]) -> str:
    """A shape as Python prints a list."""
    return str(list(shape))


def product_shape(shape: Sequence[int]) -> str:
    """A shape as a product."""
    return " x ".join(map(str, shape))


def total_lines(
    subject: Subject, chance: random.Random, templates: Sequence[str]
) -> tuple[list[PastedLine], int | None]:
    """The lines for the total below a list, and the total; half of the time no lines and None."""
    if chance.random() < 0.5:
        return [], None
    text = chance.choice(templates).format(random_number_format(chance)(subject.total))
    return [PastedLine(""), PastedLine(text)][chance.randrange(2) :], subject.total


TOTALS = (
    "Total: {}",
    "total {}",
    "{}",
    "Total parameters: {}",
    "总参数量： {}",
    "Total Trainable Params: {}",
    "sum = {}",
)
"""Templates for the total below a list."""


def named_size(subject: Subject, chance: random.Random) -> Draft:
    """`print(name, parameter.shape)`, with `torch.Size`."""
    template = chance.choice(
        [f"{{}} {SHAPE}", f"{{}} {SHAPE}", f"{{}}: {SHAPE}", f"{{}}\t{SHAPE}", f"Layer: {{}} | Size: {SHAPE}"]
    )
    lines = [
        line_of_tensor(tensor, template.format(tensor.transformers), shape=torch_shape(tensor.shape))
        for tensor in parameters(subject)
    ]
    total, stated_total = total_lines(subject, chance, TOTALS)
    return Draft([*lines, *total], stated_total, faults=SHAPE_FAULTS)


def named_arrow(subject: Subject, chance: random.Random) -> Draft:
    """The name, shape and count of each tensor, with arrows or other marks between them."""
    format_number, format_shape = random_number_format(chance), random_shape_format(chance)
    template = chance.choice(
        [
            f"{{}} -> {SHAPE} -> {COUNT}",
            f"{{}} {SHAPE} {COUNT}",
            f"{{}}: {SHAPE} = {COUNT}",
            f"{{}} {SHAPE} 参数个数为： {COUNT}",
            f"{{}} | {SHAPE} | {COUNT}",
            f"{COUNT} {{}} {SHAPE}",
        ]
    )
    lines = [
        line_of_tensor(
            tensor, template.format(tensor.transformers), format_number(tensor.size), format_shape(tensor.shape)
        )
        for tensor in parameters(subject)
    ]
    total, stated_total = total_lines(subject, chance, TOTALS)
    return Draft([*lines, *total], stated_total, faults=ALL_FAULTS)


def named_flags(subject: Subject, chance: random.Random) -> Draft:
    """The name, shape and `requires_grad` flag of each tensor."""
    is_body_trained = chance.random() < 0.5
    flag = {False: "False", True: "True"}
    template = chance.choice([f"{{}} {SHAPE} {{}}", f"{{}} {{}} {SHAPE}", f"{{}} {SHAPE} requires_grad={{}}"])
    lines = []
    for tensor in parameters(subject):
        requires_grad = is_body_trained or not tensor.path.startswith("bert/")
        lines.append(
            line_of_tensor(
                tensor, template.format(tensor.transformers, flag[requires_grad]), shape=torch_shape(tensor.shape)
            )
        )
    return Draft(lines, faults=SHAPE_FAULTS)


def named_counts(subject: Subject, chance: random.Random) -> Draft:
    """The name and count of each tensor, without its shape."""
    format_number = random_number_format(chance)
    width = chance.choice([0, 50, 60])
    template = chance.choice(["{} {}", "{}: {}", "{:<{width}} {}", "{:<{width}} {}", "{}\t{}", "{} = {}"])
    tensor_list = parameters(subject)
    lines = []
    for tensor in tensor_list:
        count = format_number(tensor.size)
        count = f"{count:>14}" if width else count
        text = (
            template.format(tensor.transformers, COUNT, width=width)
            if "width" in template
            else template.format(tensor.transformers, COUNT)
        )
        lines.append(line_of_tensor(tensor, text, count))
    total, stated_total = total_lines(subject, chance, TOTALS)
    return Draft([*lines, *total], stated_total, faults=COUNT_FAULTS)


def pretty_table(subject: Subject, chance: random.Random) -> Draft:
    """The table that a widely copied function prints with PrettyTable."""
    tensor_list = parameters(subject)
    format_number = number_format(chance.choice(["", "", ","]))
    width = max(len(tensor.transformers) for tensor in tensor_list) + 2
    rule = f"+{'-' * width}+{'-' * 12}+"
    lines = [PastedLine(rule), PastedLine(f"|{'Modules':^{width}}|{'Parameters':^12}|"), PastedLine(rule)]
    for tensor in tensor_list:
        text = f"|{tensor.transformers:^{width}}|{COUNT}|"
        lines.append(line_of_tensor(tensor, text, f"{format_number(tensor.size):^12}"))
    lines += [PastedLine(rule), PastedLine(f"Total Trainable Params: {subject.total}")]
    if chance.random() < 0.4:
        lines.append(PastedLine(str(subject.total)))
    return Draft(lines, subject.total, faults=COUNT_FAULTS)


def names_only(subject: Subject, chance: random.Random) -> Draft:
    """A Python list of the names of the tensors."""
    quote = chance.choice("'\"")
    separator = chance.choice([", ", ",\n ", ",\n"])
    lines = [line_of_tensor(tensor, f"{quote}{tensor.transformers}{quote}") for tensor in parameters(subject)]
    start, end = chance.choice([("[", "]"), ("odict_keys([", "])"), ("names = [", "]")])

    def text(items: Sequence[PastedLine]) -> str:
        """The lines joined into a list, on one line or several."""
        return start + separator.join(line.full_text for line in items) + end

    return Draft(lines, text=text, faults=("dropped", "doubled", "layer missing", "first layers"))


def state_dict(subject: Subject, chance: random.Random) -> Draft:
    """`state_dict()` up to transformers 4.30, which repeats tied tensors and usually has a buffer of position ids."""
    template = chance.choice([f"{{}} {SHAPE}", f"{{}}\t{SHAPE}", f"{{}}: {SHAPE}", f"{{:<60}} {SHAPE}"])
    lines = [
        line_of_tensor(tensor, template.format(tensor.transformers), shape=torch_shape(tensor.shape))
        for tensor in subject.tensors
    ]
    if subject.model.architecture.model_type not in ("modernbert", "mpnet"):
        prefix = body_prefix(subject.model.architecture, subject.model_class.name)
        shape = torch_shape((1, subject.model.sizes["P"]))
        buffer = PastedLine(template.format(f"{prefix}embeddings.position_ids"), shape=shape)
        index = next(
            (index for index, tensor in enumerate(subject.tensors) if tensor.path.startswith("bert/embeddings/")), 0
        )
        lines.insert(index, buffer)
    if chance.random() < 0.4:
        headings = ["Model's state_dict:", "Parameters:", "state_dict:"]
        lines.insert(0, PastedLine(chance.choice(headings)))
    return Draft(lines, faults=SHAPE_FAULTS)


def tutorial(subject: Subject, chance: random.Random) -> Draft:
    """The table of a well-known tutorial: the embeddings, the first layer, and the other tensors outside the layers."""
    tensor_list = parameters(subject)
    template = chance.choice(["{:<55} {:>12}", "{:<55} {:>12}", "{:<60} {:>15}"])
    embeddings = [
        tensor for tensor in tensor_list if layer_of(tensor) is None and tensor.path.startswith("bert/embeddings")
    ]
    first_layer = [tensor for tensor in tensor_list if layer_of(tensor) == 0]
    last_tensors = [tensor for tensor in tensor_list if layer_of(tensor) is None and tensor not in embeddings]

    def rows(group: Sequence[Tensor]) -> list[PastedLine]:
        """A line for each tensor of `group`, with right-aligned shapes."""
        width = 12 if ":>12" in template else 15
        return [
            line_of_tensor(
                tensor, template.format(tensor.transformers, SHAPE), shape=f"{tuple_shape(tensor.shape):>{width}}"
            )
            for tensor in group
        ]

    introduction = PastedLine(
        f"The {subject.model.architecture.name} model has {len(tensor_list)} different named parameters."
    )
    lines = [introduction, PastedLine(""), PastedLine("==== Embedding Layer ===="), PastedLine(""), *rows(embeddings)]
    lines += [PastedLine(""), PastedLine("==== First Transformer ===="), PastedLine(""), *rows(first_layer)]
    if last_tensors:
        lines += [PastedLine(""), PastedLine("==== Output Layer ===="), PastedLine(""), *rows(last_tensors)]
    return Draft(
        lines, is_complete=len({layer_of(tensor) for tensor in tensor_list} - {None}) < 2, faults=("dropped", "doubled")
    )


# --- Tables ---


def part_name(tensor: Tensor) -> str:
    """The name for the part of the model that a tensor is in."""
    layer = layer_of(tensor)
    if layer is not None:
        return f"Layer {layer}"
    if tensor.path.startswith("bert/embeddings"):
        return "Embedding"
    return "Pooler" if "/pooler" in tensor.path else "Head"


def markdown(subject: Subject, chance: random.Random) -> Draft:
    """A Markdown table, sometimes with a column for the part of the model, which only the first row of a part names."""
    format_number, format_shape = random_number_format(chance), random_shape_format(chance)
    has_parts, has_shapes, has_backticks = chance.random() < 0.5, chance.random() < 0.7, chance.random() < 0.2
    headings = [*(["part"] if has_parts else []), "key", *(["shape"] if has_shapes else []), "count"]
    lines = [PastedLine(f"| {' | '.join(headings)} |"), PastedLine("|" + "---|" * len(headings))]
    previous_part = ""
    for tensor in parameters(subject):
        part = part_name(tensor)
        name = f"`{tensor.transformers}`" if has_backticks else tensor.transformers
        part_cell = [part if part != previous_part else ""] if has_parts else []
        cells = [*part_cell, name, *([SHAPE] if has_shapes else []), COUNT]
        lines.append(
            line_of_tensor(
                tensor,
                f"| {' | '.join(cells)} |",
                format_number(tensor.size),
                format_shape(tensor.shape) if has_shapes else "",
            )
        )
        previous_part = part
    stated_total = None
    if chance.random() < 0.6:
        stated_total = subject.total
        blank_cells = " |" * (len(headings) - 2)
        lines.append(PastedLine(f"| **Total** |{blank_cells} **{format_number(stated_total)}** |"))
    return Draft(lines, stated_total, faults=ALL_FAULTS if has_shapes else COUNT_FAULTS)


def spreadsheet(subject: Subject, chance: random.Random) -> Draft:
    """Cells separated by tabs, commas or semicolons, as copied or exported from a spreadsheet."""
    separator = chance.choice(["\t", "\t", ",", ";"])
    format_number = number_format(chance.choice(["", "", ","]) if separator != "," else "")
    format_shape = chance.choice([list_shape, tuple_shape, product_shape])
    headings = chance.choice([("parameter", "shape", "count"), ("name", "size", "numel"), ("Name", "Shape", "Param #")])
    lines = [PastedLine(separator.join(headings))]
    for tensor in parameters(subject):
        shape = format_shape(tensor.shape)
        quoted_shape = f'"{SHAPE}"' if separator == "," and "," in shape else SHAPE
        lines.append(
            line_of_tensor(
                tensor, separator.join([tensor.transformers, quoted_shape, COUNT]), format_number(tensor.size), shape
            )
        )
    stated_total = None
    if chance.random() < 0.6:
        stated_total = subject.total
        lines.append(
            PastedLine(separator.join([chance.choice(["Sum", "Total", "SUM"]), "", format_number(stated_total)]))
        )
    return Draft(lines, stated_total, faults=ALL_FAULTS)


def data_frame(subject: Subject, chance: random.Random) -> Draft:
    """A printed pandas DataFrame, with an index before each row and right-aligned columns."""
    tensor_list = parameters(subject)
    width = max(len(tensor.transformers) for tensor in tensor_list)
    shape_width = max(len(tuple_shape(tensor.shape)) for tensor in tensor_list)
    lines = [PastedLine(f"{'':>4} {'name':>{width}} {'shape':>{shape_width}} {'params':>10}")]
    for index, tensor in enumerate(tensor_list):
        text = f"{index:<4} {tensor.transformers:>{width}} {SHAPE} {COUNT}"
        lines.append(line_of_tensor(tensor, text, f"{tensor.size:>10}", f"{tuple_shape(tensor.shape):>{shape_width}}"))
    if chance.random() < 0.5:
        lines += [PastedLine(""), PastedLine(f"[{len(tensor_list)} rows x 3 columns]")]
    return Draft(lines, faults=("dropped", "doubled", "layer missing", "digit", "dimension"))


def latex(subject: Subject, chance: random.Random) -> Draft:
    """A LaTeX table, with or without escaped underscores."""
    format_number = number_format(chance.choice(["{,}", ",", r"\,", ""]))
    has_escapes = chance.random() < 0.8
    name_template = chance.choice([r"\texttt{{{}}}", r"\verb|{}|", "{}"])
    lines = [
        PastedLine(r"\begin{tabular}{lrr}"),
        PastedLine(r"\toprule"),
        PastedLine(r"Tensor & Shape & Parameters \\"),
        PastedLine(r"\midrule"),
    ]
    for tensor in parameters(subject):
        is_plain = "verb" in name_template or not has_escapes
        name = tensor.transformers if is_plain else tensor.transformers.replace("_", r"\_")
        text = rf"{name_template.format(name)} & ${SHAPE}$ & {COUNT} \\"
        lines.append(line_of_tensor(tensor, text, format_number(tensor.size), r" \times ".join(map(str, tensor.shape))))
    lines += [PastedLine(r"\midrule"), PastedLine(rf"Total & & {format_number(subject.total)} \\")]
    lines += [PastedLine(r"\bottomrule"), PastedLine(r"\end{tabular}")]
    return Draft(lines, subject.total, faults=ALL_FAULTS)


def html(subject: Subject, chance: random.Random) -> Draft:
    """An HTML table."""
    format_number = random_number_format(chance)
    lines = [PastedLine("<table>"), PastedLine("<tr><th>name</th><th>shape</th><th>parameters</th></tr>")]
    for tensor in parameters(subject):
        text = f"<tr><td>{tensor.transformers}</td><td>{SHAPE}</td><td>{COUNT}</td></tr>"
        lines.append(line_of_tensor(tensor, text, format_number(tensor.size), tuple_shape(tensor.shape)))
    return Draft([*lines, PastedLine("</table>")], faults=ALL_FAULTS)


# --- Files ---


def safetensors_header(subject: Subject, chance: random.Random) -> Draft:
    """The header of a safetensors file: names in alphabetical order, with shapes and offsets."""
    offset, lines = 0, []
    for tensor in sorted(parameters(subject), key=lambda tensor: tensor.transformers):
        end = offset + 4 * prod(tensor.shape)
        text = f'"{tensor.transformers}":{{"dtype":"F32","shape":{SHAPE},"data_offsets":[{offset},{end}]}}'
        lines.append(line_of_tensor(tensor, text, shape=json.dumps(tensor.shape, separators=(",", ":"))))
        offset = end
    has_line_breaks = chance.random() < 0.3

    def text_of(items: Sequence[PastedLine]) -> str:
        """The JSON of the header."""
        separator = ",\n" if has_line_breaks else ","
        head = '{"__metadata__":{"format":"pt"},'
        return head + separator.join(line.full_text for line in items) + "}"

    return Draft(lines, text=text_of, faults=("dropped", "layer missing", "dimension"))


def safetensors_index(subject: Subject, chance: random.Random) -> Draft:
    """The index of a model in several safetensors files, sometimes with the total in its metadata."""
    shards = chance.choice([2, 4])
    tensor_list = sorted(parameters(subject), key=lambda tensor: tensor.transformers)

    def file_name(index: int) -> str:
        """The file that holds the tensor at an index."""
        return f"model-{index * shards // len(tensor_list) + 1:05}-of-{shards:05}.safetensors"

    lines = [
        line_of_tensor(tensor, f'    "{tensor.transformers}": "{file_name(index)}"')
        for index, tensor in enumerate(tensor_list)
    ]
    total = subject.total
    has_total = chance.random() < 0.6
    metadata = {**({"total_parameters": total} if has_total else {}), "total_size": 4 * total}

    def text_of(items: Sequence[PastedLine]) -> str:
        """The JSON of the index."""
        rows = ",\n".join(line.full_text for line in items)
        return f'{{\n  "metadata": {json.dumps(metadata)},\n  "weight_map": {{\n{rows}\n  }}\n}}'

    return Draft(lines, total if has_total else None, text=text_of, faults=("dropped", "layer missing"))


# --- TensorFlow, Flax, llama.cpp ---


def google_names_and_tensors(subject: Subject) -> list[tuple[str, Tensor]]:
    """The variables of google-research/bert's pre-training model, each as a name and a tensor."""
    return [(str(tensor.google_bert), tensor) for tensor in google_variables(subject.model)]


def tensors_by_path(subject: Subject) -> dict[str, Tensor]:
    """The subject's tensors by path, by which Google's variables are matched to the names in transformers."""
    return {tensor.path: tensor for tensor in subject.tensors}


def tf1_log(subject: Subject, chance: random.Random) -> Draft:
    """The log lines in which google-research/bert lists its trainable variables."""
    subject_tensors = tensors_by_path(subject)
    has_origins = chance.random() < 0.7
    prefix = chance.choice(
        ["INFO:tensorflow:", "INFO:tensorflow:", "I1126 10:15:32.123456 140000000000000 run.py:312] ", ""]
    )
    lines = [PastedLine(f"{prefix}**** Trainable Variables ****")]
    for name, tensor in google_names_and_tensors(subject):
        origin = ", *INIT_FROM_CKPT*" if has_origins and tensor.path.startswith("bert/") else ""
        text = f"{prefix}  name = {name}:0, shape = {SHAPE}{origin}"
        lines.append(line_of_tensor(subject_tensors[tensor.path], text, shape=tuple_shape(tensor.google_shape)))
    return Draft(lines, faults=SHAPE_FAULTS)


def list_variables(subject: Subject, chance: random.Random) -> Draft:
    """`tf.train.list_variables` of a checkpoint, in alphabetical order, sometimes with the optimiser's moments."""
    subject_tensors = tensors_by_path(subject)
    template = chance.choice(
        ["('{}', " + SHAPE + ")", "('{}', " + SHAPE + "),", "{} " + SHAPE, "tensor_name:  {} " + SHAPE]
    )
    has_moments = chance.random() < 0.15
    lines = []
    for name, tensor in sorted(google_names_and_tensors(subject)):
        shape = str(list(tensor.google_shape))
        lines.append(line_of_tensor(subject_tensors[tensor.path], template.format(name), shape=shape))
        if has_moments:
            lines += [
                PastedLine(template.format(f"{name}/{moment}").replace(SHAPE, shape)) for moment in ("adam_m", "adam_v")
            ]
    if has_moments:
        lines.append(PastedLine(template.format("global_step").replace(SHAPE, "[]")))
    return Draft(lines, faults=SHAPE_FAULTS)


def flax_path(tensor: Tensor) -> str:
    """The path of a tensor in Flax, with slashes."""
    *modules, leaf = tensor.transformers.split(".")
    if leaf == "weight":
        engine_leaf = tensor.path.rsplit("/", 1)[1]
        leaf = {"kernel": "kernel", "output_weights": "kernel", "gamma": "scale"}.get(engine_leaf, "embedding")
    return "/".join([*modules, leaf])


def flax(subject: Subject, chance: random.Random) -> Draft:
    """The shapes of a Flax model's parameters, as nested dictionaries."""
    lines = []
    for tensor in parameters(subject):
        is_matrix = tensor.path.endswith(("/kernel", "/output_weights"))
        shape = tuple(reversed(tensor.shape)) if is_matrix else tensor.shape
        lines.append(line_of_tensor(tensor, f"{flax_path(tensor)} {SHAPE}", shape=tuple_shape(shape)))
    style = chance.choice(["pprint", "pprint", "one line", "json", "frozen"])

    def text_of(items: Sequence[PastedLine]) -> str:
        """The nested dictionaries with the paths and shapes of the lines, in the chosen style."""
        tree: dict[str, Any] = {}
        for line in items:
            path, _, shape = line.full_text.partition(" ")
            node = tree
            *steps, leaf = path.split("/")
            for step in steps:
                node = node.setdefault(step, {})
            node[leaf] = tuple(int(part) for part in shape.strip("()").split(",") if part.strip())
        if style == "json":
            return json.dumps(tree, indent=2)
        if style == "one line":
            return str(tree)
        text = pformat(tree, width=100)
        return f"FrozenDict({text})" if style == "frozen" else text

    return Draft(lines, text=text_of, faults=("dropped", "layer missing", "dimension"))


GGUF_NAMES = {
    "bert/embeddings/word_embeddings": "token_embd.weight",
    "bert/embeddings/position_embeddings": "position_embd.weight",
    "bert/embeddings/token_type_embeddings": "token_types.weight",
    "bert/embeddings/LayerNorm": "token_embd_norm",
    "attention/self/query": "attn_q",
    "attention/self/key": "attn_k",
    "attention/self/value": "attn_v",
    "attention/output/dense": "attn_output",
    "attention/output/LayerNorm": "attn_output_norm",
    "intermediate/dense": "ffn_up",
    "output/dense": "ffn_down",
    "output/LayerNorm": "layer_output_norm",
}
"""The names of tensors and modules in GGUF files, by path or, in layers, by the path within the layer."""


def gguf_name(tensor: Tensor) -> str:
    """The name of a BERT tensor in a GGUF file."""
    if tensor.path in GGUF_NAMES:
        return GGUF_NAMES[tensor.path]
    module, _, leaf = tensor.path.rpartition("/")
    end = "weight" if leaf in ("kernel", "gamma") else "bias"
    if module in GGUF_NAMES:
        return f"{GGUF_NAMES[module]}.{end}"
    name_in_layer = module.split("/", 3)[3]
    return f"blk.{layer_of(tensor)}.{GGUF_NAMES[name_in_layer]}.{end}"


def gguf(subject: Subject, chance: random.Random) -> Draft:
    """The tensors of a GGUF file, which has no pooler and lists dimensions in reverse order."""
    bare_subject = subject._replace(model_class=BERT.classes[0], choices=Choices(pooler=False))
    tensor_list = bare_subject.tensors
    lines = []
    if chance.random() < 0.6:
        sizes = subject.model.sizes
        lines += [
            PastedLine("* File is LITTLE endian, script is running on a LITTLE endian host."),
            PastedLine("* Dumping 8 key/value pair(s)"),
            PastedLine("      1: UINT32     |        1 | GGUF.version = 3"),
            PastedLine(f"      2: UINT64     |        1 | GGUF.tensor_count = {len(tensor_list)}"),
            PastedLine("      3: UINT64     |        1 | GGUF.kv_count = 5"),
            PastedLine("      4: STRING     |        1 | general.architecture = 'bert'"),
            PastedLine(f"      5: UINT32     |        1 | bert.block_count = {sizes['L']}"),
            PastedLine(f"      6: UINT32     |        1 | bert.context_length = {sizes['P']}"),
            PastedLine(f"      7: UINT32     |        1 | bert.embedding_length = {sizes['H']}"),
            PastedLine(f"      8: UINT32     |        1 | bert.feed_forward_length = {sizes['F']}"),
        ]
    lines.append(PastedLine(f"* Dumping {len(tensor_list)} tensor(s)"))
    for index, tensor in enumerate(tensor_list, 1):
        dimensions = [*reversed(tensor.shape), 1, 1, 1][:4]
        kind = "F16" if len(tensor.shape) == 2 else "F32"
        text = f"{index:>7}: {COUNT} | {SHAPE} | {kind:<7} | {gguf_name(tensor)}"
        lines.append(
            line_of_tensor(tensor, text, f"{tensor.size:>10}", ", ".join(f"{dimension:>5}" for dimension in dimensions))
        )
    return Draft(
        lines, faults=("dropped", "doubled", "layer missing", "digit", "dimension"), shown_subject=bare_subject
    )
