"""Layouts that show modules: `print(model)`, torchinfo, torchsummary, DeepSpeed, Lightning and fvcore.

Sources: torch 2.13 and 1.13, `Module.__repr__`; torchinfo 1.8.0; torchsummary 1.5.1; deepspeed 0.19 and 0.7;
pytorch-lightning 2.6; fvcore 0.1.5.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil, prod
from typing import NamedTuple

from macros.counting import Tensor

from .lines import COUNT, SHAPE, Draft, PastedLine, Subject, line_of_tensors, tuple_shape
from .modules import DROPOUT, GELU, LIST, TANH, PrintedModule, layer_of, module_tree

TREE_FAULTS = ("dropped", "doubled", "layer missing", "first layers")
"""The kinds of faults that can be noticed in a tree that shows every layer."""


def weight_shape(module: PrintedModule) -> tuple[int, ...]:
    """The shape of a module's weight."""
    return module.own_tensors[0].shape


def has_bias(module: PrintedModule) -> bool:
    """Return whether a module has a bias in addition to its weight."""
    return len(module.own_tensors) > 1


class ModuleFormat:
    """The format of modules without children, for one model and one version of torch."""

    def __init__(self, subject: Subject, chance: random.Random, is_recent: bool) -> None:
        self.architecture = subject.model.architecture
        self.shows_bias = is_recent
        name = self.architecture.model_type
        self.eps = {"modernbert": "1e-05", "deberta-v2": "1e-07"}.get(name) or chance.choice(
            ["1e-12", "1e-12", "1e-05"]
        )
        self.padding = 1 if name in ("roberta", "xlm-roberta", "mpnet", "longformer") else self.architecture.padding_id
        self.dropout = chance.choice(["p=0.1, inplace=False"] * 4 + ["p=0.0, inplace=False", "p=0.1"])

    def options(self, name: str, module: PrintedModule) -> tuple[str, str]:
        """The text in a module's parentheses, with `SHAPE` in place of the shape, and the shape."""
        if module.kind == "Linear":
            outputs, inputs = weight_shape(module)
            return f"{SHAPE}, bias={has_bias(module)}", f"in_features={inputs}, out_features={outputs}"
        if module.kind == "Embedding":
            is_padded = name in ("word_embeddings", "tok_embeddings") or (
                name == "position_embeddings" and self.padding == 1
            )
            return f"{SHAPE}, padding_idx={self.padding}" if is_padded else SHAPE, ", ".join(
                map(str, weight_shape(module))
            )
        if module.kind == "LayerNorm":
            bias = f", bias={has_bias(module)}" if self.shows_bias or not has_bias(module) else ""
            return f"{SHAPE}, eps={self.eps}, elementwise_affine=True{bias}", tuple_shape(weight_shape(module))
        return self.dropout if module.kind == "Dropout" else module.options, ""


def runs_of(
    children: Mapping[str, PrintedModule], module_format: ModuleFormat
) -> Iterator[tuple[str, list[PrintedModule]]]:
    """The runs of equal neighbours in a list of modules, each with torch 2's label, such as `(1-11): 11 x `."""
    items = list(children.items())
    for _, group in groupby(items, lambda item: _text(item[1], module_format)):
        names, modules = zip(*group, strict=True)
        label = f"({names[0]}): " if len(names) == 1 else f"({names[0]}-{names[-1]}): {len(names)} x "
        yield label, list(modules)


def _text(module: PrintedModule, module_format: ModuleFormat) -> str:
    """The text of a module as `print` shows it. Neighbours with the same text are equal."""
    return "\n".join(line.full_text for line in print_lines("", "", [module], module_format, 0, is_short=True))


def print_lines(
    label: str, name: str, modules: Sequence[PrintedModule], module_format: ModuleFormat, depth: int, is_short: bool
) -> list[PastedLine]:
    """The lines of a run of equal modules, as `print` shows them.

    If `is_short`, equal neighbours in a list are printed once, as in torch 2.
    """
    first_module, indent = modules[0], "  " * depth
    layer = first_module.layer if len(modules) == 1 else None
    times = len(modules)
    if not first_module.children:
        options, shape = module_format.options(name, first_module)
        run_tensors = [tensor for module in modules for tensor in module.own_tensors]
        line = line_of_tensors(run_tensors, f"{indent}{label}{first_module.kind}({options})")
        return [line._replace(shape=shape, kind=first_module.kind, layer=layer, times=times)]
    lines = [PastedLine(f"{indent}{label}{first_module.kind}(", layer=layer, times=times)]
    if first_module.kind == LIST and is_short:
        for run_label, group in runs_of(first_module.children, module_format):
            lines += print_lines(run_label, "", group, module_format, depth + 1, is_short)
    else:
        for child_name in first_module.children:
            group = [module.children[child_name] for module in modules]
            lines += print_lines(f"({child_name}): ", child_name, group, module_format, depth + 1, is_short)
    lines.append(PastedLine(f"{indent})", layer=layer, times=times))
    return [line._replace(layer=layer) if layer is not None else line for line in lines]


def print_model(subject: Subject, chance: random.Random) -> Draft:
    """`print(model)` in torch 2, which shows equal layers once."""
    tree = module_tree(subject.question, is_earlier=chance.random() < 0.4)
    module_format = ModuleFormat(subject, chance, is_recent=chance.random() < 0.5)
    return Draft(
        print_lines("", "", [tree], module_format, 0, is_short=True), faults=("dropped", "doubled", "dimension")
    )


def print_torch1(subject: Subject, chance: random.Random) -> Draft:
    """`print(model)` in torch 1, which shows every layer."""
    tree = module_tree(subject.question, is_earlier=chance.random() < 0.5)
    module_format = ModuleFormat(subject, chance, is_recent=False)
    return Draft(
        print_lines("", "", [tree], module_format, 0, is_short=False), faults=(*TREE_FAULTS, "dimension", "elided")
    )


# --- torchinfo ---


class ModuleRow:
    """A row of a table: a module, its depth in the tree, and its index among the modules of that depth."""

    def __init__(self, name: str, module: PrintedModule, depth: int, index: int) -> None:
        self.name = name
        self.module = module
        self.depth = depth
        self.index_in_depth = index

    @property
    def is_leaf(self) -> bool:
        """Whether the module has no children."""
        return not self.module.children


def rows_of(tree: PrintedModule, has_input: bool) -> list[ModuleRow]:
    """A row for every module of a tree, from top to bottom."""
    counts_by_depth: dict[int, int] = {}
    rows: list[ModuleRow] = []

    def add(name: str, module: PrintedModule, depth: int) -> None:
        """Add a row for a module and for every module below it."""
        counts_by_depth[depth] = counts_by_depth.get(depth, 0) + 1
        rows.append(ModuleRow(name, module, depth, counts_by_depth[depth]))
        for child_name in child_names(module, has_input):
            add(child_name, module.children[child_name], depth + 1)

    add("", tree, 0)
    return rows


LOOKUP_ORDER = ("word_embeddings", "token_type_embeddings", "position_embeddings")
"""The embedding tables in the order in which a model looks them up: segments before positions."""


def child_names(module: PrintedModule, has_input: bool) -> list[str]:
    """The names of a module's children.

    With `has_input`, embedding tables are in the order in which they run, as in torchinfo's summary with an input.
    """
    names = list(module.children)
    if not has_input or not {*LOOKUP_ORDER} <= {*names}:
        return names
    return [*LOOKUP_ORDER, *(name for name in names if name not in LOOKUP_ORDER)]


def remaining_numbers(rows: Sequence[ModuleRow]) -> list[int]:
    """The number of parameters in each row's module that no row of a module inside it counts.

    The number is negative if these rows count a tied tensor twice.
    """
    numbers = [row.module.number for row in rows]
    for position in reversed(range(len(rows))):  # from the bottom, so that the numbers below are final
        for index in range(position + 1, len(rows)):
            if rows[index].depth <= rows[position].depth:
                break
            numbers[position] -= max(0, numbers[index])
    return numbers


class TorchinfoSettings(NamedTuple):
    """The settings of a torchinfo summary.

    Attributes:
        depth: the greatest depth of modules that are shown.
        columns: the headings of the columns after the first.
        frozen_tensors: the names of frozen tensors.
        has_input: whether torchinfo was given an input.
        shows_names: whether the names of modules are shown.
        shows_depth: whether the depth of modules and their index at that depth are shown.
        is_ascii: whether branches are drawn in ASCII.
        tokens: the number of tokens in the input.
    """

    depth: int
    columns: list[str]
    frozen_tensors: frozenset[str]
    has_input: bool
    shows_names: bool
    shows_depth: bool
    is_ascii: bool
    tokens: int


def torchinfo(subject: Subject, chance: random.Random) -> Draft:
    """Torchinfo's summary with random settings."""
    has_input = chance.random() < 0.4 and subject.model.architecture.model_type in ("bert", "electra")
    depth = chance.choice([1, 2, 3, 3, 3, 4, 5])
    frozen_tensors = frozen_names(subject, chance) if chance.random() < 0.3 else frozenset[str]()
    columns = ["Param #"]
    if has_input:
        columns.insert(0, "Output Shape")
        if chance.random() < 0.3:
            columns.insert(0, "Input Shape")
    if chance.random() < 0.2:
        columns.append("Param %")
    if frozen_tensors or chance.random() < 0.2:
        columns.append("Trainable")
    shows_names = chance.random() < 0.5
    shows_depth = not shows_names or chance.random() < 0.5
    is_ascii = chance.random() < 0.1
    settings = TorchinfoSettings(
        depth,
        columns,
        frozen_tensors,
        has_input,
        shows_names,
        shows_depth,
        is_ascii,
        tokens=chance.choice([1, 16, 128]),
    )
    return torchinfo_of(module_tree(subject.question), subject, settings)


def torchinfo_memory(rule: str, total: int, outputs: int) -> list[PastedLine]:
    """The lines about operations and memory at the end of a summary with an input."""
    megabytes = total * 4 / 1e6
    return [
        PastedLine(f"Total mult-adds (Units.MEGABYTES): {total / 1e6:.2f}"),
        PastedLine(rule),
        PastedLine("Input size (MB): 0.00"),
        PastedLine(f"Forward/backward pass size (MB): {outputs / 1e3:.2f}"),
        PastedLine(f"Params size (MB): {megabytes:.2f}"),
        PastedLine(f"Estimated Total Size (MB): {megabytes + outputs / 1e3:.2f}"),
    ]


def torchinfo_of(tree: PrintedModule, subject: Subject, settings: TorchinfoSettings) -> Draft:
    """Torchinfo's summary with the given settings."""
    rows = rows_of(tree, settings.has_input)
    titles = [title(row, settings.shows_names, settings.shows_depth) for row in rows]
    # Rows that are too deep to be shown still widen the table.
    title_width = max(len(text) + 5 * row.depth + 1 for row, text in zip(rows, titles, strict=True))
    width = 40 if title_width < 40 else ceil(title_width / 5) * 5
    rule = "=" * (width + 25 * len(settings.columns))
    var_name = " (var_name)" if settings.shows_names else ""
    depth_index = ":depth-idx" if settings.shows_depth else ""
    heading = f"Layer (type{var_name}{depth_index})"
    numbers_left = remaining_numbers(rows)
    total = sum(max(0, number) for number in numbers_left)  # counts a tied decoder twice, as torchinfo does
    trainable = total - sum(frozen_count(row.module, settings.frozen_tensors) for row in rows if row.is_leaf)
    lines = [PastedLine(rule), PastedLine(cells(heading, settings.columns, width)), PastedLine(rule)]
    lines += [
        torchinfo_line(row, text, number, total, width, subject, settings)
        for row, text, number in zip(rows, titles, numbers_left, strict=True)
        if row.depth <= settings.depth
    ]
    lines += [PastedLine(rule), PastedLine(f"Total params: {total:,}"), PastedLine(f"Trainable params: {trainable:,}")]
    lines += [PastedLine(f"Non-trainable params: {total - trainable:,}")]
    if settings.has_input:
        lines += torchinfo_memory(rule, total, settings.tokens * subject.model.sizes["H"])
    return Draft([*lines, PastedLine(rule)], total, faults=(*TREE_FAULTS, "digit"))


def torchinfo_line(
    row: ModuleRow,
    text: str,
    remaining_number: int,
    total: int,
    width: int,
    subject: Subject,
    settings: TorchinfoSettings,
) -> PastedLine:
    """A row of torchinfo's table.

    Args:
        row: the row's module.
        text: the title of the row.
        remaining_number: the number of parameters in the module that no row of a module inside it counts.
        total: the number of parameters of the model.
        width: the width of the first column.
        subject: the subject that is printed.
        settings: the settings of the summary.
    """
    module = row.module
    counts_all_below = row.depth == settings.depth or row.is_leaf
    counted_number = module.number if counts_all_below else remaining_number
    number = max(0, counted_number)
    count = f"({number:,})" if number and is_all_frozen(module, settings.frozen_tensors) else f"{number:,}"
    values = {
        "Param #": COUNT if number else "--",
        "Param %": f"{counted_number / total:>7.2%}" if counted_number else "     --",
        "Trainable": trainable_word(module, settings.frozen_tensors),
        "Output Shape": output_shape(row, subject, settings.tokens),
        "Input Shape": output_shape(row, subject, settings.tokens) if row.depth else "--",
    }
    start = "" if not row.depth else branch(row.depth, settings.is_ascii)
    row_text = cells(f"{start}{text}", [values[column] for column in settings.columns], width, len(count))
    group = list(module.all_tensors()) if counts_all_below else list(module.own_tensors)
    line = line_of_tensors(group if number else (), row_text, count if number else "")
    return line._replace(layer=module.layer)


def cells(title: str, values: Iterable[str], width: int, count_length: int = 1) -> str:
    """A row of torchinfo's table; `count_length` is the length of the text that will replace `COUNT`."""
    row = "".join(f"{value:<{26 - count_length if value == COUNT else 25}} " for value in values)
    return f"{title:<{width}} {row}".rstrip()


def branch(depth: int, is_ascii: bool) -> str:
    """The branch that torchinfo draws before a title at `depth`."""
    bar, first_branch, deeper_branch = ("|    ", "+ ", "+ ") if is_ascii else ("│    ", "├─", "└─")
    return first_branch if depth == 1 else bar * (depth - 1) + deeper_branch


def title(row: ModuleRow, shows_names: bool, shows_depth: bool) -> str:
    """The title of a row in torchinfo's table."""
    name = row.name or row.module.kind
    text = f"{row.module.kind} ({name})" if shows_names else row.module.kind
    return f"{text}: {row.depth}-{row.index_in_depth}" if shows_depth and row.depth else text


def output_shape(row: ModuleRow, subject: Subject, tokens: int) -> str:
    """The shape of a module's output, as torchinfo prints it."""
    kind, sizes = row.module.kind, subject.model.sizes
    if kind == LIST or not row.depth:
        return "--" if kind == LIST else f"[1, {sizes['H']}]"
    output_width = sizes["H"]
    if row.module.own_tensors:
        output_width = weight_shape(row.module)[0 if kind == "Linear" else -1]
    return (
        f"[1, {output_width}]"
        if row.name in ("pooler", "activation", "classifier")
        else f"[1, {tokens}, {output_width}]"
    )


def frozen_names(subject: Subject, chance: random.Random) -> frozenset[str]:
    """The names of tensors to freeze: those of the whole bare model, or of the embeddings and the first layers."""
    heads = subject.model_class.heads
    if chance.random() < 0.5 and heads:
        return frozenset(tensor.transformers for tensor in subject.tensors if tensor.path.startswith("bert/"))
    layers = chance.randrange(subject.model.architecture.depth(subject.model.sizes) + 1)

    def is_frozen(tensor: Tensor) -> bool:
        """Return whether a tensor is in the embeddings or in one of the first `layers` layers."""
        layer = layer_of(tensor)
        return tensor.path.startswith("bert/embeddings/") or (layer is not None and layer < layers)

    return frozenset(tensor.transformers for tensor in subject.tensors if is_frozen(tensor))


def frozen_count(module: PrintedModule, frozen_tensors: frozenset[str]) -> int:
    """The number of frozen parameters in a module's own tensors."""
    return sum(
        prod(tensor.shape) for tensor in module.own_tensors if (tensor.tied_to or tensor.transformers) in frozen_tensors
    )


def is_all_frozen(module: PrintedModule, frozen_tensors: frozenset[str]) -> bool:
    """Return whether a module has parameters, and all of them are frozen."""
    tensors = list(module.all_tensors())
    return bool(tensors) and all((tensor.tied_to or tensor.transformers) in frozen_tensors for tensor in tensors)


def trainable_word(module: PrintedModule, frozen_tensors: frozenset[str]) -> str:
    """The entry for a module in torchinfo's column "Trainable"."""
    flags = {(tensor.tied_to or tensor.transformers) not in frozen_tensors for tensor in module.all_tensors()}
    if len(flags) == 2:
        return "Partial"
    return str(True in flags) if flags else "--"


# --- DeepSpeed ---


def deepspeed_amount(number: float, unit: str, thousand: str = "K") -> str:
    """A number as DeepSpeed's profiler rounds it."""
    for limit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, thousand)):
        if number >= limit:
            return f"{round(number / limit, 2):g} {letter}{unit}"
    return f"{number:g}{f' {unit}' if unit else ''}"


def deepspeed(subject: Subject, chance: random.Random) -> Draft:
    """DeepSpeed's profile: the tree of modules with the figures of each, or of each but the lists."""
    tree = module_tree(subject.question, is_earlier=chance.random() < 0.3)
    module_format = ModuleFormat(subject, chance, is_recent=chance.random() < 0.5)
    is_old = chance.random() < 0.3
    total = tree.number

    def lines_of(label: str, name: str, module: PrintedModule, depth: int) -> list[PastedLine]:
        """The lines of a module and of the modules below it."""
        indent = "  " * depth
        if not module.children:
            options, shape = module_format.options(name, module)
            figures_and_options = ", ".join(
                filter(None, [deepspeed_figures(module, total, chance, is_old).rstrip(", "), options])
            )
            line = line_of_tensors(module.own_tensors, f"{indent}{label}{module.kind}({figures_and_options})")
            return [line._replace(shape=shape, kind=module.kind, layer=module.layer)]
        lines = [PastedLine(f"{indent}{label}{module.kind}(", layer=module.layer)]
        if module.kind != LIST or is_old:
            lines.append(
                PastedLine(f"{indent}  {deepspeed_figures(module, total, chance, is_old)}", layer=module.layer)
            )
        for child_name, child in module.children.items():
            lines += lines_of(f"({child_name}): ", child_name, child, depth + 1)
        return [*lines, PastedLine(f"{indent})", layer=module.layer)]

    body = lines_of("", "", tree, 0)
    unit = "k" if is_old else "K"
    header = deepspeed_header(tree, deepspeed_amount(total, "", unit)) if chance.random() < 0.7 else []
    return Draft([*map(PastedLine, header), *body], faults=("dropped", "doubled", "layer missing"))


def deepspeed_figures(module: PrintedModule, total: int, chance: random.Random, is_old: bool) -> str:
    """The figures of a module. Only its parameters are real; the operations and times are invented."""
    number = module.number
    share, latency = number / total, chance.randrange(1, 999)
    macs = number * 12 if module.kind != "Embedding" else 0
    if is_old:
        return (
            f"{deepspeed_amount(number, '', 'k')}, {share:.2%} Params, "
            f"{deepspeed_amount(macs, 'MACs')}, {share:.2%} MACs, "
            f"{latency / 10} us, {latency % 100 / 10:.2f}% latency, {deepspeed_amount(macs * 9, 'FLOPS')}, "
        )
    per_cent = f"{round(100 * share, 2):g}"
    return (
        f"{deepspeed_amount(number, '')} = {per_cent}% Params, "
        f"{deepspeed_amount(macs, 'MACs')} = {per_cent}% MACs, "
        f"{latency} us = {latency % 97}% latency, {deepspeed_amount(macs * 9, 'FLOPS')}"
    )


def deepspeed_header(tree: PrintedModule, total: str) -> list[str]:
    """The lines above DeepSpeed's tree."""
    macs = deepspeed_amount(tree.number * 12, "MACs")
    return [
        "",
        "-------------------------- DeepSpeed Flops Profiler --------------------------",
        "Profile Summary at step 1:",
        "Notations:",
        "data parallel size (dp_size), model parallel size(mp_size),",
        "number of parameters (params), number of multiply-accumulate operations(MACs),",
        "",
        f"{'params per GPU:':<72}{total}",
        f"{'params of model = params per GPU * mp_size:':<72}{total}",
        f"{'fwd MACs per GPU:':<72}{macs}",
        f"{'fwd latency:':<72}4.43 ms",
        "",
        "----------------------------- Aggregated Profile per GPU -----------------------------",
        "Top 1 modules in terms of params, MACs or fwd latency at different model depths:",
        "depth 0:",
        f"    params      - {{'{tree.kind}': '{total}'}}",
        f"    MACs        - {{'{tree.kind}': '{macs}'}}",
        "",
        "------------------------------ Detailed Profile per GPU ------------------------------",
        "Each module profile is listed after its name in the following order:",
        "params, percentage of total params, MACs, percentage of total MACs, fwd latency, fwd FLOPS",
        "",
    ]


# --- Lightning ---


def lightning_count(number: int) -> str:
    """A number as Lightning rounds it."""
    power = (len(str(number)) - 1) // 3
    figures = number / 1000**power
    is_whole = not power or figures >= 100
    text = f"{int(figures):,d}" if is_whole else f"{figures:,.1f}"
    return f"{text} {' KMBT'[power]}"


def lightning(subject: Subject, chance: random.Random) -> Draft:
    """The summary that Lightning prints before training, with rounded counts."""
    depth = chance.choice([1, 1, 2, 2, 3])
    tree = module_tree(subject.question)
    name = chance.choice(["model", "model", "bert", "encoder", "net"])
    top_modules = {name: tree} if chance.random() < 0.6 else dict(tree.children)
    extra_modules = {"loss_fn": PrintedModule("CrossEntropyLoss")} if chance.random() < 0.4 else {}
    rows = [
        row
        for row in rows_of(PrintedModule("LightningModule", {**top_modules, **extra_modules}), has_input=False)
        if 0 < row.depth <= depth
    ]
    has_modes = chance.random() < 0.5
    table = [["", "Name", "Type", "Params", *(["Mode"] if has_modes else [])]]
    paths: list[str] = []
    for row in rows:
        paths = [*paths[: row.depth - 1], row.name]
        mode = [chance.choice(["train", "eval"])] if has_modes else []
        table.append([str(len(table) - 1), ".".join(paths), row.module.kind, lightning_count(row.module.number), *mode])
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    texts = [" | ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)) for line in table]
    rule = "-" * len(texts[0])
    lines = [PastedLine(texts[0]), PastedLine(rule)]
    lines += [line_of_tensors(row.module.all_tensors(), text) for row, text in zip(rows, texts[1:], strict=True)]
    total = lightning_count(tree.number)
    lines += [
        PastedLine(rule),
        PastedLine(f"{total:<10}Trainable params"),
        PastedLine(f"{'0  ':<10}Non-trainable params"),
    ]
    lines += [
        PastedLine(f"{total:<10}Total params"),
        PastedLine(f"{tree.number * 4 / 1e6:<10,.3f}Total estimated model params size (MB)"),
    ]
    return Draft(lines, faults=())


# --- fvcore, children, torchsummary ---


def fvcore_count(number: int) -> str:
    """A number as fvcore rounds it: in G above 100 million, in M above 100,000, and in K above 100."""
    for threshold, limit, letter in ((1e8, 1e9, "G"), (1e5, 1e6, "M"), (1e2, 1e3, "K")):
        if number > threshold:
            return f"{number / limit:.1f}{letter}"
    return str(number)


def fvcore(subject: Subject, chance: random.Random) -> Draft:
    """The table of fvcore's `parameter_count_table`: modules and the shapes of tensors, down to a random depth."""
    max_depth = chance.choice([2, 3, 3, 4])
    tree = module_tree(subject.question)
    lines = [("model", fvcore_count(tree.number), PastedLine(""))]

    def add(module: PrintedModule, path: str, depth: int) -> None:
        """Add lines for the tensors and modules in a module, down to `max_depth`."""
        if depth > max_depth:
            return
        for tensor in module.own_tensors:
            if tensor.tied_to is None:
                line = line_of_tensors([tensor], "")._replace(shape=tuple_shape(tensor.shape))
                lines.append((f"{' ' * depth}{tensor.transformers}", SHAPE, line))
        for name, child in module.children.items():
            if not child.number:
                continue
            child_path = f"{path}{name}"
            lines.append(
                (f"{' ' * depth}{child_path}", f" {fvcore_count(child.number)}", PastedLine("", layer=child.layer))
            )
            add(child, f"{child_path}.", depth + 1)

    add(tree, "", 1)
    width = max(len(name) for name, _, _ in lines)
    value_width = max(18, 2 + max(len(value.replace(SHAPE, line.shape)) for _, value, line in lines))
    heading = f"| {'name':<{width}} | {'#elements or shape':<{value_width}} |"
    rule = f"|:{'-' * (width + 1)}|:{'-' * (value_width + 1)}|"
    body = []
    for name, value, line in lines:
        # The shape that will replace its mark is longer than the mark.
        padded_length = value_width - len(value.replace(SHAPE, line.shape)) + len(value)
        body.append(line._replace(text=f"| {name:<{width}} | {value:<{padded_length}} |"))
    return Draft([PastedLine(heading), PastedLine(rule), *body], faults=())


def children(subject: Subject, chance: random.Random) -> Draft:
    """The total of each top-level module, as a loop over `named_children()` prints it.

    Some print-outs list the modules of the bare model in its place.
    """
    tree = module_tree(subject.question)
    template = chance.choice(["{}: {}", "{:<20} {:>15}", "{} -> {}", "{} has {} parameters", "{}\t{}"])
    format_number = (lambda value: f"{value:,}") if chance.random() < 0.6 else str
    lines = []
    printed_modules = dict(tree.children)
    if chance.random() < 0.5 and not subject.is_bare:
        # The body is the module whose type ends with "Model" or, in DPR's classes, the only module.
        body = next(
            (name for name, child in printed_modules.items() if child.kind.endswith("Model")),
            next(iter(printed_modules)),
        )
        printed_modules = {
            f"{body}.{name}": child for name, child in printed_modules.pop(body).children.items()
        } | printed_modules
    for name, child in printed_modules.items():
        if child.number or chance.random() < 0.5:
            text = template.format(name, COUNT)
            line = line_of_tensors(child.all_tensors(), text, format_number(child.number))
            lines.append(line._replace(layer=None))
    stated_total = tree.number if chance.random() < 0.6 else None
    total = [PastedLine(template.format("total", format_number(tree.number)))] if stated_total else []
    return Draft([*lines, *total], stated_total, faults=("digit",))


def torchsummary_rows(tree: PrintedModule, width: int, inner_width: int) -> list[tuple[str, PrintedModule, int]]:
    """The rows of torchsummary's table: the type that it prints, the module, and the width of its output."""
    rows: list[tuple[str, PrintedModule, int]] = []

    def add(kind: str, module: PrintedModule, output_width: int = width) -> None:
        """Add the row of a module."""
        rows.append((kind, module, output_width))

    embeddings = tree.children["embeddings"]
    for name in ("word_embeddings", "position_embeddings", "token_type_embeddings", "LayerNorm"):
        add(embeddings.children[name].kind, embeddings.children[name])
    add("Dropout", DROPOUT)
    add("Embeddings", PrintedModule("Embeddings"))
    for layer in tree.children["encoder"].children["layer"].children.values():
        attention, intermediate, output = (layer.children[name] for name in ("attention", "intermediate", "output"))
        for name in ("query", "key", "value"):
            add("Linear", attention.children["self"].children[name])
        add("Dropout", DROPOUT)
        add("SelfAttention", PrintedModule("SelfAttention"))
        add("Linear", attention.children["output"].children["dense"])
        add("LayerNorm", attention.children["output"].children["LayerNorm"])
        add("Linear", intermediate.children["dense"], inner_width)
        add("GELU", GELU, inner_width)
        add("Linear", output.children["dense"])
        add("LayerNorm", output.children["LayerNorm"])
        add("Layer", PrintedModule("Layer"))
    if "pooler" in tree.children:
        add("Linear", tree.children["pooler"].children["dense"])
        add("Tanh", TANH)
    return rows


def torchsummary(subject: Subject, chance: random.Random) -> Draft:
    """The table of torchsummary for a custom BERT, because torchsummary fails on that of transformers."""
    tree = module_tree(subject.question)
    tokens = chance.choice([16, 32, 128])
    rows = torchsummary_rows(tree, subject.model.sizes["H"], subject.model.sizes["F"])
    rule = "-" * 64
    lines = [
        PastedLine(rule),
        PastedLine(f"{'Layer (type)':>20}  {'Output Shape':>25} {'Param #':>15}"),
        PastedLine("=" * 64),
    ]
    for index, (kind, module, output_width) in enumerate(rows, 1):
        shape = f"[-1, {tokens}, {output_width}]"
        text = f"{f'{kind}-{index}':>20}  {shape:>25} {COUNT}"
        lines.append(line_of_tensors(module.own_tensors, text, f"{module.number:>15,}"))
    total = tree.number
    lines += [PastedLine("=" * 64), PastedLine(f"Total params: {total:,}"), PastedLine(f"Trainable params: {total:,}")]
    lines += [PastedLine("Non-trainable params: 0"), PastedLine(rule), PastedLine("Input size (MB): 0.00")]
    lines += [PastedLine(f"Params size (MB): {total * 4 / 2**20:.2f}"), PastedLine(rule)]
    return Draft(lines, total, faults=("dropped", "doubled", "digit", "layer missing"))
