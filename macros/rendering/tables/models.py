"""Tables about whole models: checkpoints, what was compared, memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from macros.counting import ARCHITECTURES, BERT, Model, Question, count, models_in
from macros.counting.disagreements.claims import VERDICTS as CLAIM_VERDICTS
from macros.counting.disagreements.claims import load_claims
from macros.counting.errors import entry_of
from macros.counting.frameworks.recordings import Comparison
from macros.counting.memory import BYTES
from macros.counting.models import COURSE, load_groups

from ..elements import numbers
from ..elements.asking import SHORT, of_both, title_of
from ..elements.permalinks import permalink
from ..elements.tables import PROSE, WORD, Column, code, date, numeric, table
from .compared import compared

SHAPING = "VLH"
"""The letters that differ between published checkpoints and change the count; P and S do not, and F follows from H."""


def checkpoints(name: str) -> str:
    """The published checkpoints but for the miniatures, those released first before all others."""
    groups = [each for each in load_groups() if each not in (COURSE, MINIATURE)]
    models = [model for group in groups for model in models_in([group])]
    return _listed(name, "The checkpoints of google-research/bert, without the miniatures", models)


MINIATURE = "miniature"
"""The group of the small models, which differ in depth and width only."""


def miniatures(name: str) -> str:
    """The miniatures by depth and width; each cell has the address of its model."""
    models = {(each.sizes["L"], each.sizes["H"]): each for each in models_in([MINIATURE])}
    depths, widths = (sorted({place[axis] for place in models}) for axis in (0, 1))
    columns = [Column("layers"), *numeric(*(f"H = {width}" for width in widths))]
    rows = [[f"L = {depth}", *(_miniature(models.get((depth, width))) for width in widths)] for depth in depths]
    return table(name, "The miniatures as BertModel, by layers (down) and hidden size (across)", columns, rows)


def _miniature(model: Model | None) -> str:
    """A cell of the grid: the number, and the name of a model that has one."""
    if model is None:
        return ""
    number = numbers.counted(Question(model), brief=True)
    title = "" if MINIATURE in model.title else f'<br><span class="bc-purpose">{escape(model.title)}</span>'
    return f'<span id="{model.name}">{number}{title}</span>'


def course(name: str) -> str:
    """The configurations of texts, the smallest first."""
    return _listed(name, "Configurations of texts that count BERT", sorted(models_in([COURSE]), key=count))


def _listed(name: str, caption: str, listed: Sequence[Model]) -> str:
    columns = [Column("configuration"), *numeric("BertModel", "embeddings", "BertForPreTraining", *SHAPING)]
    return table(name, caption, columns, list(map(_checkpoint, listed)), row_ids=[model.name for model in listed])


def _checkpoint(model: Model) -> list[str]:
    title = f'<span class="bc-title">{escape(title_of(model))}</span><br>{code(model.name)}'
    whole_model = Question(model)
    return [
        title,
        numbers.counted(whole_model, brief=True),
        numbers.share(whole_model.at("bert/embeddings"), whole_model),
        numbers.counted(Question(model, "BertForPreTraining"), brief=True),
        *(numbers.size(letter, model.name) for letter in SHAPING),
    ]


def verification(name: str) -> str:
    """Every recorded implementation: versions, how much was compared, how many differences."""
    columns = [
        Column("implementation"),
        *numeric("classes", "models", "tensors or layers", "differences"),
        Column("recorded", WORD),
        Column("versions", PROSE),
    ]
    rows = []
    for each in compared():
        figures = {
            "classes": each.classes,
            "models": each.models,
            "compared": each.compared,
            "differences": len(each.differences),
        }
        cells = [
            numbers.in_full(number, _recorded(what, each), kind=what, of=each.implementation)
            for what, number in figures.items()
        ]
        versions = ", ".join(f"{package} {version}" for package, version in each.versions.items())
        rows.append([escape(each.title), *cells, date(each.recorded), versions])
    return table(name, "What was compared with our counts, tensor by tensor", columns, rows)


RECORDED = {
    "classes": "classes of models",
    "models": "models",
    "differences": "differences from our counts",
}
"""What the table of recordings counts besides tensors or layers, as its explanations say it."""

IN_RECORDING = "in the recording of"
"""Where its numbers come from."""


def _recorded(what: str, comparison: Comparison) -> str:
    return f"{RECORDED.get(what, comparison.holds)} {IN_RECORDING} {comparison.title}"


def verified(what: str) -> str:
    """All tensors or layers that were compared, or all differences; or all claims, or those with one verdict.

    Its explanation adds them up, by implementation or by kind of source.

    `implementations`, `bert-tensors`, `bert-layers` and `bert-differences` are
    those of BERT alone, without its relatives.

    Raises:
        CountingError: none of these is asked for.
    """
    found = compared()
    of_bert = [each for each in found if not _is_of_relative(each.implementation)]
    claims = [each for listed in load_claims().values() for each in listed]
    sums: dict[str, Mapping[str, int]] = {
        **{each: _compared_in(each, found) for each in HELD},
        "differences": _differences(found),
        "implementations": {each.title: 1 for each in of_bert},
        **{f"bert-{each}": _compared_in(each, of_bert) for each in HELD},
        "bert-differences": _differences(of_bert),
        "claims": Counter(each.source.kind for each in claims),
        **{
            verdict: Counter(each.source.kind for each in claims if each.verdict == verdict)
            for verdict in CLAIM_VERDICTS
        },
    }
    pieces = entry_of(sums, "sum", what)
    number = sum(pieces.values())
    line = " + ".join(map(numbers.whole, pieces.values()))
    how = f"{', '.join(pieces)}\n{line} = {numbers.whole(number)}"
    return numbers.in_full(number, how, kind=f"all-{what}")


HELD = ("tensors", "layers")
"""What recordings hold."""


def _is_of_relative(implementation: str) -> bool:
    """Whether a recording is of another architecture than BERT, by its name."""
    return any(implementation.endswith(f"-{name}") for name in ARCHITECTURES if name != BERT.model_type)


def _compared_in(held: str, found: Sequence[Comparison]) -> dict[str, int]:
    return {each.title: each.compared for each in found if each.holds == held}


def _differences(found: Sequence[Comparison]) -> dict[str, int]:
    return {each.title: len(each.differences) for each in found}


TAKEN = [f"{short}, {unit}" for short in SHORT.values() for unit in ("MB", "MiB")]
"""Headings over what `_taken` returns."""


def _taken(asked: Question, dtype: str, copies: int = 1) -> list[str]:
    """The memory that parameters take, for base and large in both units."""
    return [numbers.bytes_text(sized, dtype, unit, copies) for sized in of_both(asked) for unit in ("MB", "MiB")]


def memory(name: str, asked: Question) -> str:
    """The weights in bytes, by data type and in both units, for base and large."""
    columns = [Column("data type"), *numeric("bytes each", *TAKEN)]
    rows = [
        [code(dtype), numbers.in_full(each, _bits(dtype, each), kind="dtype", dtype=dtype), *_taken(asked, dtype)]
        for dtype, each in BYTES.items()
    ]
    return table(name, f"Weights of {asked.chosen.name}, base and large", columns, rows)


def _bits(dtype: str, width: int) -> str:
    """How many bytes a number takes, from the bits that are in the name of its data type."""
    return f"{dtype}: {8 * width} bits\n{8 * width} ÷ 8 = {width}"


def memory_worked(name: str, asked: Question) -> str:
    """How the bytes of base come about, from the parameters to both units."""
    head = f"<p>For {SHORT[asked.model.name]}, line by line:&nbsp;{permalink(name, 'sum')}</p>"
    return f'<div id="{name}">{head}{numbers.bytes_worked(asked, "float32", ("MB", "MiB"))}</div>'
