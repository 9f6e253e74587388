"""Numbers that texts, papers, courses and tools print about BERT, each checked by counting.

Rule 1: a block of `data/claims.toml` is a source, and each of its claims is one
printed number: the digits as printed, and their meaning according to the source.
Rule 2: the correct number is never stored; the engine counts it.
Rule 3: if the printed number differs from the correct one, the claim explains how
the source got it. The explanation must lead exactly to the printed number, or to
a number that rounds to it.
Rule 4: claims are in the order in which the source prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from ..architectures import ARCHITECTURES
from ..blocks import DATA, blocks_of, check_choice, check_date, check_keys, look_up, with_immutable_values
from ..changes.changed_model import ChangedModel
from ..deviations import deviation_named, load_deviations
from ..errors import BadChoice, BadClaim, BadConfig, CountingError, UnknownPart, entry_of, quote
from ..frameworks.keras_layers import SummaryRow, bert4keras, keras_bert
from ..frameworks.listing import tensors
from ..memory import UNITS, bytes_of
from ..models import Model, model_named
from ..polynomials import Polynomial
from ..question import LAYER_NUMBER, Question
from ..steps import Step, chain
from .conditions import check_words
from .printed_numbers import read_printed

CLAIMS_FILE = Path(DATA, "claims.toml")

SOURCE_KINDS = ("text", "paper", "course", "tool", "release")
"""The kinds of sources; a release is the page or file that accompanies published models."""

VERDICTS = ("agrees", "differs", "no-effect")
"""The verdicts on a claim; `no-effect` is for an option that does not affect the size of any tensor."""

SLIPS = ("swapped", "digit")
"""The typos that printed digits may have: two successive digits are swapped, or one digit is wrong."""

CLAIM_UNITS = ("parameters", "trained", "tensors", "rows")
"""The things that claims count: parameters, perhaps in bytes; trainable parameters; tensors; rows of a summary."""

LETTERS = {symbol.letter for architecture in ARCHITECTURES.values() for symbol in architecture.symbols}
"""The letters of all architectures."""

_FACTOR = f"(?:[{''.join(sorted(LETTERS))}]|[0-9]+)"
_TERM = f"-?{_FACTOR}(?: {_FACTOR})*(?:/{_FACTOR})?"
SYMBOLIC_SIZE = re.compile(f"{_TERM}(?:, {_TERM})*")
"""A symbolic size, such as `H`, `H/A`, `4 H` or `L, -1`."""

WORKING = re.compile(r"[0-9,]+(?: ?[*×+] ?[0-9,]+)+|\((?:[0-9]+,? ?)+\)")
"""A calculation that the source prints without its result: a sum of products, or a shape."""


class Source(NamedTuple):
    """A text, paper, course, tool or release that prints numbers.

    Attributes:
        name: its identifier, which is also used in addresses.
        title: its own title, or a description.
        kind: one of `SOURCE_KINDS`.
        accessed: the date when it was last read, as YYYY-MM-DD.
        model: the model that its claims count, unless they name another.
        model_class: the class that its claims count, unless they name another.
        url: its address; empty if none is known.
    """

    name: str
    title: str
    kind: str
    accessed: str
    model: str
    model_class: str = "BertModel"
    url: str = ""


class Claim(NamedTuple):
    """One printed number.

    At most one of `size`, `tensor`, `summary_row`, `option` and `changes` specifies the number.
    If none of them is given, `unit`, `part` and `tag` specify it.

    Attributes:
        source: the source that prints it.
        position: its position among the claims of its source, counted from 1.
        where: the section, line or row in the source.
        printed: the digits as printed; or a calculation such as `768 * 64 + 64`, if the source gives no result.
        counts: the meaning of the number, according to the source.
        verdict: one of `VERDICTS`; the engine checks it.
        model, model_class: the model and the class that are counted.
        unit: one of `CLAIM_UNITS`.
        part, tag: the part of the model, as in a `Question`.
        size: a symbolic size, such as `H` or `H/A`.
        tensor: the name in transformers of the tensor whose shape is printed.
        summary_row: the name of the row of a Keras summary whose parameters are printed.
        option: the name of the configuration option whose value is printed.
        changes: the changes to the model, as on the command line, separated by spaces.
        times: `L` if the number is that of one layer and the same in each of the L layers; empty otherwise.
        conventions: deviations that also apply to the correct number, because the source states or shows that it counts
            in this way.
        deviations: deviations that lead from the correct number to the printed one.
        adds: further sizes that the source adds or subtracts. Each pair has a text with symbolic sizes, separated by
            `", "`, and the words for them.
        slip: one of `SLIPS`, if there is a typo in the digits.
        dtype: the data type, if the claim is about memory.
        bytes_each: the bytes per number that the source used, if they differ from those of the data type; 0 otherwise.
        unit_meant: the unit by which the source divided, if it printed the name of another unit.
        note: an additional sentence for the reader.
        holds: words for quantities in its texts, each with the condition that must hold of the model; see `conditions`.
    """

    source: Source
    position: int
    where: str
    printed: str
    counts: str
    verdict: str
    model: Model
    model_class: str
    unit: str = "parameters"
    part: str = ""
    tag: str = ""
    size: str = ""
    tensor: str = ""
    summary_row: str = ""
    option: str = ""
    changes: str = ""
    times: str = ""
    conventions: tuple[str, ...] = ()
    deviations: tuple[str, ...] = ()
    adds: tuple[tuple[str, str], ...] = ()
    slip: str = ""
    dtype: str = "float32"
    bytes_each: int = 0
    unit_meant: str = ""
    note: str = ""
    holds: tuple[tuple[str, str], ...] = ()

    @property
    def correct_question(self) -> Question:
        """The question whose answer is the correct number, if the claim counts parameters."""
        return Question(self.model, self.model_class, self.part, self.tag, deviations=self.conventions)

    @property
    def question(self) -> Question:
        """The question that the source answered, apart from additions and typos."""
        return self.correct_question._replace(deviations=tuple(dict.fromkeys(self.conventions + self.deviations)))

    @property
    def is_of_whole_model(self) -> bool:
        """Whether it counts the parameters of a whole model."""
        is_narrower = self.part or self.tag or self.summary_row or self.changes or self.is_of_memory
        return self._is_of_parameters and not is_narrower

    @property
    def is_of_memory(self) -> bool:
        """Whether it is about memory, so that its numbers are bytes."""
        return (
            self._is_of_parameters and not WORKING.fullmatch(self.printed) and read_printed(self.printed).is_of_memory
        )

    @property
    def _is_of_parameters(self) -> bool:
        """Whether it is about parameters, or about their memory."""
        return self.unit == "parameters" and not (self.size or self.tensor or self.option)

    @property
    def correct_number(self) -> int:
        """The correct number, in bytes if the claim is about memory; 0 for an option, which affects no size."""
        return self.number(self.correct_question) * self._bytes_per_number()

    @property
    def explained_number(self) -> int:
        """The number that the explanation leads to, apart from typos."""
        question = self.question
        return (self.number(question) + self._addition(question)) * self._bytes_per_number(self.bytes_each)

    @property
    def printed_bounds(self) -> tuple[int, int]:
        """The smallest and the largest number that the digits may represent.

        Raises:
            BadNumber: the printed text cannot be read as a number, as may be the case for an option.
        """
        return self._bounds(self.printed)

    @property
    def is_correct(self) -> bool:
        """Whether the printed number or shape is correct."""
        if self.tensor and self.printed != str(self.shape()):
            return False
        low, high = self.printed_bounds
        return low <= self.correct_number <= high

    @property
    def is_explained(self) -> bool:
        """Whether the explanation leads to the printed number."""
        unit = UNITS.get(self.unit_meant)
        for text in self._intended_texts():
            low, high = self._bounds(text, unit)
            if low <= self.explained_number <= high:
                return True
        return False

    def steps(self) -> tuple[Step, ...]:
        """The steps from the correct number to the printed one.

        A step has the name of a deviation, the words for an added size, or the key
        of the claim that explains it, `bytes_each` or `slip`. The steps add up to
        the difference; if the printed number is rounded, they end at the number
        before rounding.
        """
        low, high = self.printed_bounds
        typo = low - self.explained_number if low == high and self.slip else 0
        return chain(self.correct_number, self._steps(typo), self.explained_number + typo)

    def _steps(self, typo: int) -> Iterator[Step]:
        """The steps from the correct number to the printed one, including those that add nothing.

        Args:
            typo: the difference that a typo makes, or 0.
        """
        question = self.correct_question
        bytes_per_number = self._bytes_per_number()
        for name in self.deviations:
            next_question = question._replace(deviations=(*question.deviations, name))
            difference = self.number(next_question) - self.number(question)
            yield Step(name=name, value=difference * bytes_per_number)
            question = next_question
        for letters, words in self.adds:
            yield Step(name=words, value=_value(letters, self._sizes(question)) * bytes_per_number)
        number = self.number(question) + self._addition(question)
        yield Step(name="bytes_each", value=number * (self._bytes_per_number(self.bytes_each) - bytes_per_number))
        yield Step(name="slip", value=typo)

    def _bounds(self, text: str, unit: int | None = None) -> tuple[int, int]:
        """The smallest and the largest number that `text` may represent; `unit` as for `PrintedNumber.bounds`."""
        if WORKING.fullmatch(text):
            number = _result(text)
            return number, number
        return read_printed(text).bounds(unit)

    def _addition(self, question: Question) -> int:
        """The sum of all sizes that the source adds or subtracts."""
        return sum(_value(letters, self._sizes(question)) for letters, _ in self.adds)

    def _sizes(self, question: Question) -> Mapping[str, int]:
        """The sizes of the model by letter, including those that a change sets."""
        return self.changed_model(question).sizes if self.changes else question.sizes

    def changed_model(self, question: Question) -> ChangedModel:
        """The model after the claim's changes."""
        return ChangedModel.build(question, self.changes.split())

    def _bytes_per_number(self, bytes_each: int = 0) -> int:
        """The bytes per number: `bytes_each`, or those of the data type if it is 0; 1 for a claim not about memory."""
        return (bytes_each or bytes_of(1, self.dtype)) if self.is_of_memory else 1

    def _intended_texts(self) -> Iterator[str]:
        """The texts that the source may have meant to print: one for every possible typo, or the printed text."""
        indices = [index for index, character in enumerate(self.printed) if character.isdigit()]
        if self.slip == "swapped":
            for index, next_index in pairwise(indices):
                swapped_digits = {index: self.printed[next_index], next_index: self.printed[index]}
                yield _with_characters(self.printed, swapped_digits)
        elif self.slip == "digit":
            for index in indices:
                yield from (_with_characters(self.printed, {index: digit}) for digit in "0123456789")
        else:
            yield self.printed

    def number(self, question: Question) -> int:
        """The number that the claim counts, given a question about its model; not yet bytes if it is about memory."""
        if self.option:
            return 0
        if self.size:
            return _value(self.size, question.sizes)
        if self.tensor:
            return prod(self.shape())
        if self.summary_row:
            return self.row_of_summary.parameters
        if self.changes:
            changed_model = self.changed_model(question)
            return changed_model.trainable if self.unit == "trained" else changed_model.number
        if self.unit == "tensors":
            return self.correct_question.tensor_count
        return self._number_of_rows() if self.unit == "rows" else question.number

    def _number_of_rows(self) -> int:
        """The number of rows in keras-bert's summary: of one layer, of all layers, or of everything."""
        layers = [row.layer for row in keras_bert(self.model, None)]
        if LAYER_NUMBER.search(self.part):
            return layers.count(1)
        return len(layers) - layers.count(None) if self.part else len(layers)

    @property
    def row_of_summary(self) -> SummaryRow:
        """The row of a Keras summary whose parameters are printed.

        Raises:
            UnknownPart: neither keras-bert's summary nor bert4keras's has a row of that name.
        """
        return entry_of(_summaries(self.model.name), "row of a Keras summary", self.summary_row, UnknownPart)

    def shape(self) -> tuple[int, ...]:
        """The shape of the claim's tensor in transformers.

        Raises:
            UnknownPart: the class has no tensor of that name.
        """
        shapes = {tensor.transformers: tensor.shape for tensor in tensors(Question(self.model, self.model_class))}
        return entry_of(shapes, f"tensor of {self.model_class}", self.tensor, UnknownPart)


@lru_cache
def _summaries(model: str) -> Mapping[str, SummaryRow]:
    """The rows of a model's summaries in keras-bert and bert4keras, by name."""
    published_model = model_named(model)
    return {row.name: row for row in keras_bert(published_model, None) + bert4keras(published_model)}


def _with_characters(text: str, characters: Mapping[int, str]) -> str:
    """The text with other characters at some indices."""
    return "".join(characters.get(index, character) for index, character in enumerate(text))


def _result(text: str) -> int:
    """The result of a printed calculation; the dimensions of a shape are multiplied."""
    if text.startswith("("):
        return prod(map(int, re.findall("[0-9]+", text)))
    terms = text.replace(",", "").replace("×", "*").split("+")
    return sum(prod(map(int, term.split("*"))) for term in terms)


def _value(text: str, sizes: Mapping[str, int]) -> int:
    """The value of a symbolic size: a sum of products, each perhaps divided by a factor; 0 for an empty text.

    Raises:
        BadChoice: a quotient is not whole.
    """
    if not text:
        return 0
    total = 0
    for term in text.split(", "):
        dividend, _, divisor = term.removeprefix("-").partition("/")
        size, remainder = divmod(Polynomial.of_shape(dividend).value(sizes), Polynomial.of_shape(divisor).value(sizes))
        if remainder:
            raise BadChoice(f"{term} is not a whole number; choose another model or size")
        total += -size if term.startswith("-") else size
    return total


SOURCE_REQUIRED = ("title", "kind", "accessed", "model", "claims")
CLAIM_REQUIRED = ("where", "printed", "counts", "verdict")
"""The keys that every source, and every claim, must have."""

CLAIM_OPTIONAL = tuple(key for key in Claim._fields if key not in {"source", "position", *CLAIM_REQUIRED})
"""The keys that a claim may have in addition; its source and position follow from its place in the file."""


@lru_cache(maxsize=4)
def load_claims(path: Path = CLAIMS_FILE) -> Mapping[str, tuple[Claim, ...]]:
    """The claims of every source by the source's name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block is not valid. The message
            names the file and, for a block, the source.
    """
    return {name: _claims(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _claims(location: str, name: str, block: Any) -> tuple[Claim, ...]:
    """The claims of a source from its block in the data file; `location` begins the message about a fault."""
    check_keys(location, block, SOURCE_REQUIRED, Source._fields, claims=list)
    fields = {key: value for key, value in block.items() if key != "claims"}
    source = Source(name=name, **fields)
    check_choice(location, "kind", source.kind, SOURCE_KINDS)
    check_date(location, source.accessed)
    claims = enumerate(block["claims"], 1)
    return tuple(_claim(f"{location}, claim {position}", source, position, claim) for position, claim in claims)


def _claim(location: str, source: Source, position: int, block: Any) -> Claim:
    """A claim from its block; `position` counts the claims of its source from 1.

    Raises:
        BadConfig: as for `load_claims`.
    """
    check_keys(
        location,
        block,
        CLAIM_REQUIRED,
        CLAIM_OPTIONAL,
        conventions=list,
        deviations=list,
        adds=dict,
        bytes_each=int,
        holds=dict,
    )
    claim = Claim(
        **{
            "model_class": source.model_class,
            **with_immutable_values(block),
            "source": source,
            "position": position,
            "model": look_up(location, model_named, block.get("model", source.model)),
        }
    )
    _check_values(location, claim)
    return claim


def _check_values(location: str, claim: Claim) -> None:
    """Refuse values that name something unknown, or that do not fit together.

    Raises:
        BadConfig: as for `load_claims`.
    """
    look_up(location, claim.model.architecture.class_named, claim.model_class)
    for deviation in claim.conventions + claim.deviations:
        look_up(location, deviation_named, deviation)
    check_choice(location, "verdict", claim.verdict, VERDICTS)
    check_choice(location, "unit", claim.unit, CLAIM_UNITS)
    for key, letters in (("size", claim.size), *(("adds", letters) for letters, _ in claim.adds)):
        if letters and not SYMBOLIC_SIZE.fullmatch(letters):
            raise BadConfig(f"{location}: {key} is {quote(letters)}; write shapes in letters, such as H H, -H")
    subjects = [key for key in ("size", "tensor", "summary_row", "option", "changes") if getattr(claim, key)]
    if len(subjects) > 1:
        raise BadConfig(
            f"{location}: it has {' and '.join(subjects)}; a claim counts one thing, so keep only one of them"
        )
    if claim.unit == "trained" and not claim.changes:
        raise BadConfig(f"{location}: unit is trained, but nothing is changed; name the change")
    for key, value, choices in (
        ("slip", claim.slip, SLIPS),
        ("unit_meant", claim.unit_meant, tuple(UNITS)),
        ("times", claim.times, tuple(claim.model.sizes)),
    ):
        if value:
            check_choice(location, key, value, choices)


def check(claim: Claim) -> None:
    """Check that a claim's verdict is correct and that its explanation leads to the printed number.

    Raises:
        BadClaim: for example, the verdict is wrong, or the explanation is
            missing or leads to another number.
    """
    location = f"{claim.source.name}, claim {claim.position}, {quote(claim.printed)}"
    try:
        if claim.option or claim.verdict == "no-effect":
            _check_option(claim)
        else:
            _check_number(claim)
        texts = (claim.counts, claim.note, *(words for _, words in claim.adds))
        check_words("note", texts, claim.holds, claim.model.name)
    except CountingError as error:
        raise BadClaim(f"{location}: {error}") from None


def _check_number(claim: Claim) -> None:
    """Check a claim about a number.

    Raises:
        BadClaim: the verdict is wrong, or the explanation is missing, superfluous or wrong.
    """
    if claim.is_correct is not (claim.verdict == "agrees"):
        raise BadClaim(
            f"the verdict is {claim.verdict}, but the count is {claim.correct_number}; write the other verdict"
        )
    has_explanation = bool(claim.deviations or claim.adds or claim.slip or claim.bytes_each or claim.unit_meant)
    if claim.is_correct is has_explanation:
        fault = "explains a difference that does not exist" if has_explanation else "does not explain the difference"
        raise BadClaim(f"it {claim.verdict}, but {fault}; see deviations, adds, slip, bytes_each and unit_meant")
    if has_explanation and not claim.is_explained:
        raise BadClaim(
            f"its explanation gives {claim.explained_number}, which is not what is printed; name what else was done"
        )


def _check_option(claim: Claim) -> None:
    """Check a claim about an option.

    Raises:
        BadClaim: it lacks the name of the option or the verdict `no-effect`, or the option sets a size of the class.
    """
    if not claim.option or claim.verdict != "no-effect":
        raise BadClaim("an option needs its name as option and the verdict no-effect; write both")
    architecture = claim.model.architecture
    letter = {symbol.key: symbol.letter for symbol in architecture.symbols}.get(claim.option, "")
    if claim.model_class in architecture.classes_with(letter):
        raise BadClaim(f"{claim.option} affects tensors of {claim.model_class}; write its letter {letter} as the size")


class KnownTotal(NamedTuple):
    """A total in print that deviations explain without additions, and the claims that print it, perhaps rounded."""

    question: Question
    claims: tuple[Claim, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources that print it."""
        return tuple(dict.fromkeys(claim.source.name for claim in self.claims))


@lru_cache(maxsize=1)
def known_totals() -> tuple[KnownTotal, ...]:
    """Every total in print that deviations explain without additions, in the order of the claims.

    The deviations of each total are in the order of their data file.
    """
    claims_by_total: dict[tuple[str, str, tuple[str, ...]], list[Claim]] = {}
    all_claims = [claim for claims in load_claims().values() for claim in claims]
    for claim in all_claims:
        deviations = tuple(name for name in load_deviations() if name in claim.question.deviations)
        is_total = claim.is_of_whole_model or (claim.is_of_memory and not (claim.part or claim.tag))
        if deviations and is_total and not claim.adds:
            claims_by_total.setdefault((claim.model.name, claim.model_class, deviations), []).append(claim)
    return tuple(
        KnownTotal(Question(claims[0].model, model_class, deviations=deviations), tuple(claims))
        for (_, model_class, deviations), claims in claims_by_total.items()
    )
