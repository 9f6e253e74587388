"""The steps from BERT to a relative, as people describe the differences: fewer layers, another vocabulary, no pooler.

Most steps are a product: the difference in a number of things, times the size of one of
them. The layers come first: their number, at BERT's width; then their width; then their
form. After them come the tables, first their rows and then their columns; the projection
from the tables to the layers; relative positions; and the pooler. The steps have to add
up to the difference of the totals; it is an error if they do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..architecture import lies_under
from ..polynomials import Polynomial
from ..question import Question
from ..steps import Step, chain

LAYERS = "layers"
LAYER_WIDTH = "layer-width"
LAYER_FORM = "layer-form"
FIRST_LAYER = "first-layer"
FINAL_NORM = "final-norm"
CONVOLUTION = "convolution"
LAYER_STEPS = (LAYERS, LAYER_WIDTH, LAYER_FORM, FIRST_LAYER, FINAL_NORM, CONVOLUTION)
"""The names of the steps about the layers."""

TOKENS, POSITIONS, SEGMENTS, TASKS = "tokens", "positions", "segments", "task types"
COORDINATES = {axis: f"coordinates-{axis}" for axis in "xyhw"}
"""The names of the steps about the tables, one for each table."""

EMBEDDING_NORM = "embedding-norm"
TABLE_WIDTH = "table-width"
PROJECTION = "projection"
RELATIVE = "relative-positions"
POOLER = "pooler"
CONTACT_HEAD = "contact-head"
OUTPUT = "output-projection"
OTHER_STEPS = (EMBEDDING_NORM, TABLE_WIDTH, PROJECTION, RELATIVE, POOLER, CONTACT_HEAD, OUTPUT)
"""The names of all other steps."""

TABLES = {
    TOKENS: ("V", "word_embeddings"),
    POSITIONS: ("P", "position_embeddings"),
    SEGMENTS: ("S", "token_type_embeddings"),
    TASKS: ("K", "task_type_embeddings"),
    **{name: ("X", f"{axis}_position_embeddings") for axis, name in COORDINATES.items()},
}
"""The tables of the embeddings by the name of their step: the letter that counts the rows, and the name of the table.

A table that only a relative has needs an entry here as well.
"""

PROJECTIONS = ("bert/embeddings_project", "bert/embeddings/project")
"""The paths of a dense layer that leads from the word embeddings to the width of the layers."""

STEP_NAMES = (*LAYER_STEPS, *TABLES, *OTHER_STEPS)
"""The names of the steps, in their order on pages."""


@dataclass(frozen=True, kw_only=True)
class Difference(Step):
    """One step from a model to its relative. Its name is one of `STEP_NAMES`.

    A prime in its formula marks a size of the relative.

    Attributes:
        here, there: the number or the width of the things that differ, before and after the step; 0 if there are none.
        sums: the equations that give the sizes of a layer or a pooler in the working.
    """

    here: int
    there: int
    sums: tuple[str, ...] = ()


def differences(start: Question, end: Question) -> tuple[Difference, ...]:
    r"""The steps from the number of `start`, a BERT without a head, to that of `end`, a relative without a head.

    Raises:
        CountingError: the steps do not add up to the difference, for example because one of the two has a head.

    >>> from ..models import model_named
    >>> base, distilled = (Question(model_named(name)) for name in ("bert-base-uncased", "distilbert-base-uncased"))
    >>> print(*(step.equation for step in differences(base, distilled)), sep="\n")
    (6 − 12) × 7,087,872 = −42,527,232
    −2 × 768 = −1,536
    −(768 × 768 + 768) = −590,592
    """
    advice = "compare two bare models, whose tables are all named under TABLES in published/relatives.py"
    return chain(
        start.number,
        _differences(_BareModel(start), _BareModel(end)),
        end.number,
        _clause_about_uncounted(start, end) + advice,
    )


def _clause_about_uncounted(start: Question, end: Question) -> str:
    """A clause for an error that names the first row, of either model, that no step counts; empty if there is none."""
    tables = (f"bert/embeddings/{name}" for _, name in TABLES.values())
    other_parts = ("bert/embeddings/LayerNorm", *PROJECTIONS, "bert/relative_positions", "bert/pooler")
    counted_paths = (*tables, *other_parts, "bert/contact_head", "bert/projection", "bert/encoder")
    uncounted = (row.path for row in (*start.rows, *end.rows) if not lies_under(row.path, counted_paths))
    return next((f"none counts {path}; " for path in uncounted), "")


class _BareModel:
    """The sizes and parts of one model without a head, from which the steps are computed."""

    def __init__(self, question: Question) -> None:
        self.sizes = question.sizes
        self.depth = question.architecture.depth(question.sizes)
        # If layers share weights, L does not count those with weights of their own, so formulas have the number itself.
        self.depth_text = "L′" if question.architecture.layers == ("L",) else str(self.depth)
        paths = {row.path for row in question.rows}
        layer_rows = [row for row in question.rows if row.is_per_layer]
        self.layer = Polynomial.total(Polynomial.of_shape(row.shape) for row in layer_rows).simplified()
        missing_sizes = (Polynomial.of_shape(row.shape) for row in layer_rows if row.but_first)
        self.missing_in_first_layer = Polynomial.total(missing_sizes).simplified()
        self.final_norm = _part(question, "bert/encoder/LayerNorm", paths)
        self.convolution = _part(question, "bert/encoder/convolution", paths)
        self.rows = {
            kind: question.sizes[letter] if f"bert/embeddings/{name}" in paths else 0
            for kind, (letter, name) in TABLES.items()
        }
        shapes = {row.path: row.shape for row in question.rows}
        self.width_of = {
            kind: shapes.get(f"bert/embeddings/{name}", "H").split()[-1] for kind, (_, name) in TABLES.items()
        }
        self.norm_width = shapes.get("bert/embeddings/LayerNorm/gamma", "")
        self.width = question.sizes[self.width_of[TOKENS]]
        # Gamma and beta, gamma alone, or neither. They count like rows of the tables, which are equally wide.
        self.norm_vectors = len([path for path in paths if path.startswith("bert/embeddings/LayerNorm")])
        projection = next((path for path in PROJECTIONS if any(other.startswith(path) for other in paths)), "")
        self.projection = _part(question, projection, paths) if projection else Polynomial()
        self.relative_positions = _part(question, "bert/relative_positions", paths)
        # A table may have two rows for each distance, one for either direction, as in the shape "2R H".
        position_rows = (row for row in question.rows if row.path.startswith("bert/relative_positions"))
        letters = (row.shape.split()[0][-1] for row in position_rows)
        self.distances = question.sizes[next(letters)] if self.relative_positions.terms else 0
        self.pooler = _part(question, "bert/pooler", paths)
        self.contact_head = _part(question, "bert/contact_head", paths)
        self.output = _part(question, "bert/projection", paths)

    def number(self, polynomial: Polynomial) -> int:
        """The value of a polynomial with the sizes of this model."""
        return polynomial.value(self.sizes)


def _part(question: Question, path: str, paths: set[str]) -> Polynomial:
    """The size of a part as a symbolic formula; the empty sum if the model lacks it."""
    return question.at(path).polynomial.simplified() if any(other.startswith(path) for other in paths) else Polynomial()


def _equation(part: Polynomial, sizes: Mapping[str, int]) -> str:
    """The size of a part as an equation: `768 × 768 + 768 = 590,592`."""
    return f"{part.working(sizes).replace('·', ' × ')} = {part.value(sizes):,}"


def _differences(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """All steps in their order, including those that change nothing."""
    yield from _layer_steps(bert, relative)
    yield from _table_steps(bert, relative)
    yield from _other_steps(bert, relative)


def _layer_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about the layers: their number, then their width, then their form."""
    bert_layer = bert.number(bert.layer)
    resized_layer = relative.number(bert.layer)  # of BERT's form, with the relative's sizes
    relative_layer = relative.number(relative.layer)
    depth = relative.depth_text
    yield Difference(
        name=LAYERS,
        here=bert.depth,
        there=relative.depth,
        value=(relative.depth - bert.depth) * bert_layer,
        formula=f"({depth} − L)·({bert.layer.formula()})",
        working=f"({relative.depth} − {bert.depth}) × {bert_layer:,}",
        sums=(_equation(bert.layer, bert.sizes),),
    )
    old_formula, new_formula = bert.layer.formula(), with_primes(bert.layer.formula())
    # If the hidden sizes are equal, the layers may still differ in their inner width.
    width_letter = "F" if bert.sizes["H"] == relative.sizes["H"] else "H"
    change = f"{resized_layer:,} − {bert_layer:,}"
    yield Difference(
        name=LAYER_WIDTH,
        here=bert.sizes[width_letter],
        there=relative.sizes[width_letter],
        value=relative.depth * (resized_layer - bert_layer),
        formula=f"{depth}·({new_formula}) − {depth}·({old_formula})",
        working=change if relative.depth == 1 else f"{relative.depth} × ({change})",
        sums=(_equation(bert.layer, relative.sizes), _equation(bert.layer, bert.sizes)),
    )
    yield Difference(
        name=LAYER_FORM,
        here=bert.depth,
        there=relative.depth,
        value=relative.depth * (relative_layer - resized_layer),
        formula=f"{depth}·({with_primes(relative.layer.formula())}) − {depth}·({new_formula})",
        working=f"{relative.depth} × ({relative_layer:,} − {resized_layer:,})",
        sums=(_equation(relative.layer, relative.sizes), _equation(bert.layer, relative.sizes)),
    )
    for kind, sign, part in (
        (FIRST_LAYER, "−", relative.missing_in_first_layer),
        (FINAL_NORM, "", relative.final_norm),
        (CONVOLUTION, "", relative.convolution),
    ):
        value = relative.number(part)
        yield Difference(
            name=kind,
            here=0,
            there=1,
            value=-value if sign else value,
            formula=f"{sign}{with_primes(part.formula())}",
            working=sign + part.working(relative.sizes).replace("·", " × "),
        )


def _table_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about the embeddings: the rows of each table, the LayerNorm, and then the width of all of them."""
    for kind, (letter, _) in TABLES.items():
        old_rows, new_rows = bert.rows[kind], relative.rows[kind]
        yield Difference(
            name=kind,
            here=old_rows,
            there=new_rows,
            value=(new_rows - old_rows) * bert.width,
            formula=_rows_formula(letter, old_rows, new_rows),
            working=f"{_rows_working(old_rows, new_rows)} × {bert.width:,}",
        )
    yield Difference(
        name=EMBEDDING_NORM,
        here=bert.norm_vectors,
        there=relative.norm_vectors,
        value=(relative.norm_vectors - bert.norm_vectors) * bert.width,
        formula=f"({relative.norm_vectors} − {bert.norm_vectors})·H",
        working=f"({relative.norm_vectors} − {bert.norm_vectors}) × {bert.width:,}",
    )
    yield _table_width(bert, relative)


def _other_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about everything outside the tables and the layers, of which only BERT's pooler is in both models."""
    yield Difference(
        name=PROJECTION,
        here=relative.width,
        there=relative.sizes["H"],
        value=relative.number(relative.projection),
        # BERT has no E that a prime would tell apart.
        formula=with_primes(relative.projection.formula()).replace("E′", "E"),
        working=relative.projection.working(relative.sizes).replace("·", " × "),
    )
    yield Difference(
        name=RELATIVE,
        here=0,
        there=relative.distances,
        value=relative.number(relative.relative_positions),
        formula=with_primes(relative.relative_positions.formula()),
        working=relative.relative_positions.working(relative.sizes).replace("·", " × "),
    )
    yield _pooler_step(bert, relative)
    yield Difference(
        name=CONTACT_HEAD,
        here=0,
        there=relative.depth * relative.sizes["A"],
        value=relative.number(relative.contact_head),
        formula=with_primes(relative.contact_head.formula()),
        working=relative.contact_head.working(relative.sizes).replace("·", " × "),
    )
    yield Difference(
        name=OUTPUT,
        here=0,
        there=relative.sizes.get("J", 0),
        value=relative.number(relative.output),
        formula=with_primes(relative.output.formula()),
        working=relative.output.working(relative.sizes).replace("·", " × "),
    )


def _pooler_step(bert: _BareModel, relative: _BareModel) -> Difference:
    """The step from BERT's pooler to the relative's, which may have none."""
    old_number, old_formula = bert.number(bert.pooler), bert.pooler.formula()
    new_number, new_formula = relative.number(relative.pooler), with_primes(relative.pooler.formula())
    return Difference(
        name=POOLER,
        here=bert.sizes["H"],
        there=relative.sizes["H"] if new_number else 0,
        value=new_number - old_number,
        formula=f"({new_formula}) − ({old_formula})" if new_number else f"−({old_formula})",
        working=f"{new_number:,} − {old_number:,}" if new_number else _without_pooler(bert.sizes),
        sums=(_equation(relative.pooler, relative.sizes), _equation(bert.pooler, bert.sizes)) if new_number else (),
    )


def _table_width(bert: _BareModel, relative: _BareModel) -> Difference:
    """The step to the widths of the tables and of the LayerNorm after them. In MobileBERT, these widths differ."""
    groups = []
    for letter in ("E", "H"):
        kinds = [kind for kind, width in relative.width_of.items() if width == letter and relative.rows[kind]]
        texts = [f"{TABLES[kind][0]}′" for kind in kinds]
        numbers = [relative.rows[kind] for kind in kinds]
        if relative.norm_width == letter:
            texts, numbers = [*texts, str(relative.norm_vectors)], [*numbers, relative.norm_vectors]
        if numbers:
            groups.append((texts, numbers, "E" if letter == "E" else "H′", relative.sizes[letter]))
    # Groups that are as wide as before are left out, unless all of them are.
    groups = [group for group in groups if group[-1] != bert.width] or groups[:1]
    return Difference(
        name=TABLE_WIDTH,
        here=bert.width,
        there=relative.width,
        value=sum(sum(numbers) * (width - bert.width) for _, numbers, _, width in groups),
        formula=" + ".join(f"{_in_parentheses(texts)}·({letter} − H)" for texts, _, letter, _ in groups),
        working=" + ".join(
            f"{_in_parentheses([f'{number:,}' for number in numbers])} × ({width:,} − {bert.width:,})"
            for _, numbers, _, width in groups
        ),
    )


def _in_parentheses(pieces: list[str]) -> str:
    """The sum of some pieces, in parentheses unless there is only one."""
    return f"({' + '.join(pieces)})" if len(pieces) > 1 else pieces[0]


def _rows_formula(letter: str, old_size: int, new_size: int) -> str:
    """The formula for the change in the rows of a table, at BERT's width."""
    if old_size and new_size:
        return f"({letter}′ − {letter})·H"
    return f"{letter}′·H" if new_size else f"−{letter}·H"


def _rows_working(old_size: int, new_size: int) -> str:
    """The change in the rows of a table: a difference, or a single number if only one model has the table."""
    if old_size and new_size:
        return f"({new_size:,} − {old_size:,})"
    return f"{new_size:,}" if new_size else f"−{old_size:,}"


def _without_pooler(sizes: Mapping[str, int]) -> str:
    """The working for leaving out the pooler."""
    return f"−({sizes['H']:,} × {sizes['H']:,} + {sizes['H']:,})"


def with_primes(formula: str) -> str:
    """The formula with a prime after every letter, which marks the sizes of the relative.

    >>> with_primes("H² + 2·H·F")
    'H′² + 2·H′·F′'
    """
    return "".join(f"{character}′" if character.isalpha() else character for character in formula)
