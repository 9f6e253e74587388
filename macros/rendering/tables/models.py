"""Tables about whole models: checkpoints, classes, heads, memory."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from macros.counting import BERT, CountingError, Model, Polynomial, Question, count, model_named, models_in
from macros.counting.architecture import ALWAYS, NEVER, OPTIONAL
from macros.counting.disagreements.claims import VERDICTS as CLAIM_VERDICTS
from macros.counting.disagreements.claims import load_claims
from macros.counting.errors import shown, suggestion
from macros.counting.memory import BYTES, TRAINING_COPIES

from ..elements import formulas, numbers
from ..elements.asking import BASE, SHORT, ask, of_both
from ..elements.tables import NUMERIC, PROSE, Column, table
from .compared import compared

SHAPING = "VHLA"
"""The letters that differ between published checkpoints; F is four times H in all of them, and P and S are the same."""


def checkpoints(name: str, caption: str, groups: Sequence[str]) -> str:
    """The published models of some groups, the smallest first."""
    columns = [
        Column("configuration"),
        Column("BertModel", NUMERIC),
        Column("embeddings", NUMERIC),
        Column("BertForPreTraining", NUMERIC),
        *(Column(letter, NUMERIC) for letter in SHAPING),
    ]
    rows = [_checkpoint(model) for model in sorted(models_in(groups), key=count)]
    return table(name, caption, columns, rows)


def _checkpoint(model: Model) -> list[str]:
    title = f'<span class="bc-title">{numbers.model_title(model)}</span><br><code>{model.name}</code>'
    whole_model = Question(model)
    return [
        title,
        numbers.counted(whole_model, brief=True),
        numbers.share(whole_model.at("bert/embeddings"), whole_model),
        numbers.counted(Question(model, "BertForPreTraining"), brief=True),
        *(numbers.size(letter, model.name) for letter in SHAPING),
    ]


HEAD_BLOCKS = ("mlm-head", "nsp-head", "task-head")

POOLER_WORDS = {ALWAYS: "yes", OPTIONAL: "yes, or left out", NEVER: "no"}


def classes(name: str) -> str:
    """The model classes of transformers: pooler, labels, totals of base and large."""
    columns = [
        Column("class"),
        Column("base", NUMERIC),
        Column("large", NUMERIC),
        Column("pooler"),
        Column("head"),
    ]
    rows = []
    for each in BERT.classes:
        asked = ask(model_class=each.name)
        head = Polynomial.total(item.letters for item in asked.items if item.block in HEAD_BLOCKS and not item.factors)
        named = f'{numbers.class_name(each.name)}<br><span class="bc-purpose">{escape(each.purpose)}</span>'
        totals = list(map(numbers.counted, of_both(asked)))
        rows.append([named, *totals, POOLER_WORDS[each.pooler], formulas.inline(head) if head.terms else "none"])
    return table(name, "Model classes of transformers, with two labels where labels enter", columns, rows)


def heads(name: str, model: str = BASE) -> str:
    """What one head holds, and what all heads hold, for every A that divides H."""
    width = model_named(model).sizes["H"]
    part, tag = "bert/encoder/layer_0/attention/self", "query kernel"
    headings = ("A", "width of a head", "query weights of one head", "of all heads", "BertModel")
    columns = [Column(heading, NUMERIC) for heading in headings]
    rows = []
    for number in (each for each in range(1, width + 1) if width % each == 0):
        resized = model_named(model).resized(A=number)
        matrix = count(resized, part, tag)
        figures = [
            ("heads", "A", number),
            ("head-width", "H / A", width // number),
            ("head-share", "H · H / A", matrix // number),
            ("all-heads", "A · H · H / A", matrix),
            ("heads-total", "BertModel", count(resized)),
        ]
        rows.append(
            [
                numbers.data(
                    value,
                    numbers.whole(value),
                    f"{how}, with A = {number}",
                    kind=kind,
                    model=model,
                    heads=number,
                )
                for kind, how, value in figures
            ]
        )
    return table(name, f"Every number of heads that {model} could have, and what it changes", columns, rows)


def verification(name: str) -> str:
    """Every recorded implementation: versions, how much was compared, how many differences."""
    columns = [
        Column("implementation"),
        Column("classes", NUMERIC),
        Column("models", NUMERIC),
        Column("tensors or layers", NUMERIC),
        Column("differences", NUMERIC),
        Column("recorded"),
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
            numbers.data(
                number, numbers.whole(number), f"{what}, {each.implementation}", kind=what, of=each.implementation
            )
            for what, number in figures.items()
        ]
        versions = ", ".join(f"{package} {version}" for package, version in each.versions.items())
        rows.append([each.implementation, *cells, each.recorded, versions])
    return table(name, "What was compared with the engine, each in full", columns, rows)


def verified(what: str) -> str:
    """All tensors or layers that were compared, or all differences; or all claims, or those with one verdict.

    Raises:
        CountingError: neither of these is asked for.
    """
    found = compared()
    claims = [each for listed in load_claims().values() for each in listed]
    sums = {
        "tensors": sum(each.compared for each in found if each.holds == "tensors"),
        "layers": sum(each.compared for each in found if each.holds == "layers"),
        "differences": sum(len(each.differences) for each in found),
        "claims": sum(map(len, load_claims().values())),
        **{verdict: sum(each.verdict == verdict for each in claims) for verdict in CLAIM_VERDICTS},
    }
    if what not in sums:
        raise CountingError(f"no sum {shown(what)}; {suggestion(what, sums)}")
    return numbers.data(sums[what], numbers.whole(sums[what]), f"{what}, all of them", kind=f"all-{what}")


def memory(name: str, asked: Question) -> str:
    """The weights in bytes, by data type and in both units, for base and large."""
    columns = [Column("data type"), Column("bytes each", NUMERIC)]
    columns += [Column(f"{short}, {unit}", NUMERIC) for short in SHORT.values() for unit in ("MB", "MiB")]
    rows = []
    for dtype, each in BYTES.items():
        cells = [f"<code>{dtype}</code>", numbers.data(each, str(each), dtype, kind="dtype", dtype=dtype)]
        for sized in of_both(asked):
            cells += [numbers.bytes_text(sized, dtype, unit) for unit in ("MB", "MiB")]
        rows.append(cells)
    return table(name, f"Weights of {asked.chosen.name}, base and large", columns, rows)


def training(name: str, asked: Question) -> str:
    """What training with Adam keeps for every parameter, in float32, adding up."""
    columns = [Column("kept for every parameter")]
    columns += [Column(f"{short}, {unit}", NUMERIC) for short in SHORT.values() for unit in ("MB", "MiB")]

    def cells(copies: int) -> list[str]:
        return [
            numbers.bytes_text(sized, "float32", unit, copies) for sized in of_both(asked) for unit in ("MB", "MiB")
        ]

    rows = [[escape(what), *cells(copies)] for what, copies in TRAINING_COPIES.items()]
    foot = ["together", *cells(sum(TRAINING_COPIES.values()))]
    return table(name, f"Training {asked.chosen.name} in float32 with Adam, activations apart", columns, rows, foot)
