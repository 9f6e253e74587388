"""The steps from BERT to a relative, as people describe the differences: fewer layers, another vocabulary, no pooler.

Many steps are a product: the difference in a number of things, times the size of one of
them. The layers come first: their number, at BERT's width; then their width; then their
form; then further parts of the encoder. After them come the tables, first their rows and
then their columns, and then the parts outside tables and layers, such as the pooler. The
steps have to add up to the difference of the totals; otherwise an error is raised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

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
RELATIVE_POSITIONS = "relative-positions"
POOLER = "pooler"
CONTACT_HEAD = "contact-head"
OUTPUT_PROJECTION = "output-projection"
OTHER_STEPS = (EMBEDDING_NORM, TABLE_WIDTH, PROJECTION, RELATIVE_POSITIONS, POOLER, CONTACT_HEAD, OUTPUT_PROJECTION)
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
"""The paths that the dense layer from the word embeddings to the width of the layers may have."""

STEP_NAMES = (*LAYER_STEPS, *TABLES, *OTHER_STEPS)
"""The names of the steps, in their order on pages."""


@dataclass(frozen=True, kw_only=True)
class Difference(Step):
    """One step from a model to its relative. Its name is one of `STEP_NAMES`.

    A prime in its formula marks a size of the relative.

    Attributes:
        old_size, new_size: the number or the width that differs, before and after the step; 0 if there is none.
    """

    old_size: int
    new_size: int


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
    uncounted_paths = (row.path for row in (*start.rows, *end.rows) if not lies_under(row.path, counted_paths))
    return next((f"none counts {path}; " for path in uncounted_paths), "")


class _BareModel:
    """The sizes and parts of one model without a head, from which the steps are computed.

    Attributes:
        sizes: its sizes by letter.
        depth, depth_text: the number of its layers, and the text for it in formulas.
        layer: the size of one layer as a formula; the attributes for other parts are formulas, too.
        missing_in_first_layer: the parameters of a layer that the first one lacks.
        row_counts: the number of rows of each table, by the name of its step; 0 if the model lacks the table.
        width_letters: the letter of each table's width, by the name of its step.
        embedding_width: the width of the word embeddings.
        norm_width, norm_vectors: the letter of the width of the embeddings' LayerNorm, and the number of its vectors.
        distances: the number of distances in the table of relative positions.
    """

    def __init__(self, question: Question) -> None:
        self.sizes = question.sizes
        self.depth = question.architecture.depth(question.sizes)
        # If layers share weights, L does not count those with weights of their own, so formulas have the number itself.
        self.depth_text = "L′" if question.architecture.layers == ("L",) else str(self.depth)
        paths = {row.path for row in question.rows}
        layer_rows = [row for row in question.rows if row.is_per_layer]
        self.layer = Polynomial.total(Polynomial.of_shape(row.shape) for row in layer_rows).simplified()
        missing_sizes = (Polynomial.of_shape(row.shape) for row in layer_rows if row.skips_first_layer)
        self.missing_in_first_layer = Polynomial.total(missing_sizes).simplified()
        self.final_norm = _part(question, "bert/encoder/LayerNorm", paths)
        self.convolution = _part(question, "bert/encoder/convolution", paths)
        self.row_counts = {
            step_name: question.sizes[letter] if f"bert/embeddings/{table}" in paths else 0
            for step_name, (letter, table) in TABLES.items()
        }
        shapes = {row.path: row.shape for row in question.rows}
        self.width_letters = {
            step_name: shapes.get(f"bert/embeddings/{table}", "H").split()[-1]
            for step_name, (_, table) in TABLES.items()
        }
        self.norm_width = shapes.get("bert/embeddings/LayerNorm/gamma", "")
        self.embedding_width = question.sizes[self.width_letters[TOKENS]]
        # Gamma and beta, gamma alone, or neither. They count like rows of the tables, which are equally wide.
        self.norm_vectors = len([path for path in paths if path.startswith("bert/embeddings/LayerNorm")])
        projection = next((path for path in PROJECTIONS if any(row_path.startswith(path) for row_path in paths)), "")
        self.projection = _part(question, projection, paths) if projection else Polynomial()
        self.relative_positions = _part(question, "bert/relative_positions", paths)
        # A table may have two rows for each distance, one for either direction, as in the shape "2R H".
        position_rows = (row for row in question.rows if row.path.startswith("bert/relative_positions"))
        distance_letters = (row.shape.split()[0][-1] for row in position_rows)
        self.distances = question.sizes[next(distance_letters)] if self.relative_positions.terms else 0
        self.pooler = _part(question, "bert/pooler", paths)
        self.contact_head = _part(question, "bert/contact_head", paths)
        self.output_projection = _part(question, "bert/projection", paths)

    def number(self, polynomial: Polynomial) -> int:
        """The value of a polynomial with the sizes of this model."""
        return polynomial.value(self.sizes)


def _part(question: Question, path: str, paths: set[str]) -> Polynomial:
    """The size of a part as a symbolic formula; the empty sum if the model lacks it."""
    has_part = any(row_path.startswith(path) for row_path in paths)
    return question.about(path).polynomial.simplified() if has_part else Polynomial()


def _equation(part: Polynomial, sizes: Mapping[str, int]) -> str:
    """The size of a part as an equation: `768 × 768 + 768 = 590,592`."""
    return f"{_working(part, sizes)} = {part.value(sizes):,}"


def _differences(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """All steps in their order, including those that change nothing."""
    yield from _layer_steps(bert, relative)
    yield from _table_steps(bert, relative)
    yield from _other_steps(bert, relative)


def _step_adding_part(name: str, new_size: int, part: Polynomial, sizes: Mapping[str, int]) -> Difference:
    """The step that adds a part of the relative that BERT lacks; `new_size` is as in `Difference`."""
    return Difference(
        name=name,
        old_size=0,
        new_size=new_size,
        value=part.value(sizes),
        formula=with_primes(part.formula()),
        working=_working(part, sizes),
    )


def _working(part: Polynomial, sizes: Mapping[str, int]) -> str:
    """The size of a part with numbers in place of letters: `768 × 768 + 768`."""
    return part.working(sizes).replace("·", " × ")


def _layer_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about the layers: those about all of them, and then those about further parts of the encoder."""
    yield from _steps_of_all_layers(bert, relative)
    missing_part = relative.missing_in_first_layer
    yield Difference(
        name=FIRST_LAYER,
        old_size=0,
        new_size=1,
        value=-relative.number(missing_part),
        formula=f"−{with_primes(missing_part.formula())}",
        working=f"−{_working(missing_part, relative.sizes)}",
    )
    yield _step_adding_part(FINAL_NORM, 1, relative.final_norm, relative.sizes)
    yield _step_adding_part(CONVOLUTION, 1, relative.convolution, relative.sizes)


def _steps_of_all_layers(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about all layers: their number, then their width, then their form."""
    bert_layer = bert.number(bert.layer)
    resized_layer = relative.number(bert.layer)  # of BERT's form, with the relative's sizes
    relative_layer = relative.number(relative.layer)
    depth = relative.depth_text
    yield Difference(
        name=LAYERS,
        old_size=bert.depth,
        new_size=relative.depth,
        value=(relative.depth - bert.depth) * bert_layer,
        formula=f"({depth} − L)·({bert.layer.formula()})",
        working=f"({relative.depth} − {bert.depth}) × {bert_layer:,}",
        sums=(_equation(bert.layer, bert.sizes),),
    )
    old_formula, new_formula = bert.layer.formula(), with_primes(bert.layer.formula())
    # If the hidden sizes are equal, the layers may still differ in their inner width.
    width_letter = "F" if bert.sizes["H"] == relative.sizes["H"] else "H"
    difference = f"{resized_layer:,} − {bert_layer:,}"
    yield Difference(
        name=LAYER_WIDTH,
        old_size=bert.sizes[width_letter],
        new_size=relative.sizes[width_letter],
        value=relative.depth * (resized_layer - bert_layer),
        formula=f"{depth}·({new_formula}) − {depth}·({old_formula})",
        working=difference if relative.depth == 1 else f"{relative.depth} × ({difference})",
        sums=(_equation(bert.layer, relative.sizes), _equation(bert.layer, bert.sizes)),
    )
    yield Difference(
        name=LAYER_FORM,
        old_size=bert.depth,
        new_size=relative.depth,
        value=relative.depth * (relative_layer - resized_layer),
        formula=f"{depth}·({with_primes(relative.layer.formula())}) − {depth}·({new_formula})",
        working=f"{relative.depth} × ({relative_layer:,} − {resized_layer:,})",
        sums=(_equation(relative.layer, relative.sizes), _equation(bert.layer, relative.sizes)),
    )


def _table_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about the embeddings: the rows of each table, the LayerNorm, and then the width of all of them."""
    for name, (letter, _) in TABLES.items():
        old_rows, new_rows = bert.row_counts[name], relative.row_counts[name]
        yield Difference(
            name=name,
            old_size=old_rows,
            new_size=new_rows,
            value=(new_rows - old_rows) * bert.embedding_width,
            formula=_rows_formula(letter, old_rows, new_rows),
            working=f"{_rows_working(old_rows, new_rows)} × {bert.embedding_width:,}",
        )
    yield Difference(
        name=EMBEDDING_NORM,
        old_size=bert.norm_vectors,
        new_size=relative.norm_vectors,
        value=(relative.norm_vectors - bert.norm_vectors) * bert.embedding_width,
        formula=f"({relative.norm_vectors} − {bert.norm_vectors})·H",
        working=f"({relative.norm_vectors} − {bert.norm_vectors}) × {bert.embedding_width:,}",
    )
    yield _table_width_step(bert, relative)


def _other_steps(bert: _BareModel, relative: _BareModel) -> Iterator[Difference]:
    """The steps about the parts outside the tables and the layers. BERT has only one of these parts, the pooler."""
    yield Difference(
        name=PROJECTION,
        old_size=relative.embedding_width,
        new_size=relative.sizes["H"],
        value=relative.number(relative.projection),
        # BERT has no E, so the relative's E needs no prime.
        formula=with_primes(relative.projection.formula()).replace("E′", "E"),
        working=_working(relative.projection, relative.sizes),
    )
    sizes = relative.sizes
    yield _step_adding_part(RELATIVE_POSITIONS, relative.distances, relative.relative_positions, sizes)
    yield _pooler_step(bert, relative)
    yield _step_adding_part(CONTACT_HEAD, relative.depth * sizes["A"], relative.contact_head, sizes)
    yield _step_adding_part(OUTPUT_PROJECTION, sizes.get("J", 0), relative.output_projection, sizes)


def _pooler_step(bert: _BareModel, relative: _BareModel) -> Difference:
    """The step from BERT's pooler to the relative's, which may have none."""
    old_number, old_formula = bert.number(bert.pooler), bert.pooler.formula()
    new_number, new_formula = relative.number(relative.pooler), with_primes(relative.pooler.formula())
    return Difference(
        name=POOLER,
        old_size=bert.sizes["H"],
        new_size=relative.sizes["H"] if new_number else 0,
        value=new_number - old_number,
        formula=f"({new_formula}) − ({old_formula})" if new_number else f"−({old_formula})",
        working=f"{new_number:,} − {old_number:,}" if new_number else _without_pooler(bert.sizes),
        sums=(_equation(relative.pooler, relative.sizes), _equation(bert.pooler, bert.sizes)) if new_number else (),
    )


class _VectorGroup(NamedTuple):
    """Tables, and perhaps the LayerNorm after them, whose vectors have the same width.

    Attributes:
        symbols: the number of vectors in each, as a symbol.
        numbers: the number of vectors in each.
        letter: the letter of the width.
        width: the width.
    """

    symbols: list[str]
    numbers: list[int]
    letter: str
    width: int


def _table_width_step(bert: _BareModel, relative: _BareModel) -> Difference:
    """The step to the widths of the tables and of the LayerNorm after them. In MobileBERT, these widths differ."""
    groups = []
    for letter in ("E", "H"):
        names = [
            name for name, width in relative.width_letters.items() if width == letter and relative.row_counts[name]
        ]
        symbols = [f"{TABLES[name][0]}′" for name in names]
        numbers = [relative.row_counts[name] for name in names]
        if relative.norm_width == letter:
            symbols, numbers = [*symbols, str(relative.norm_vectors)], [*numbers, relative.norm_vectors]
        if numbers:
            groups.append(_VectorGroup(symbols, numbers, "E" if letter == "E" else "H′", relative.sizes[letter]))
    # Groups that are as wide as before are left out, unless no other group would remain.
    groups = [group for group in groups if group.width != bert.embedding_width] or groups[:1]
    return Difference(
        name=TABLE_WIDTH,
        old_size=bert.embedding_width,
        new_size=relative.embedding_width,
        value=sum(sum(group.numbers) * (group.width - bert.embedding_width) for group in groups),
        formula=" + ".join(f"{_in_parentheses(group.symbols)}·({group.letter} − H)" for group in groups),
        working=" + ".join(
            f"{_in_parentheses([f'{number:,}' for number in group.numbers])} "
            f"× ({group.width:,} − {bert.embedding_width:,})"
            for group in groups
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
