"""Numbers that texts, papers, courses and tools print about BERT, each checked by counting.

Rule 1: a block of `data/claims.toml` is a source, and each line of it one
printed number: the digits as they stand there, and what they are said to count.
Rule 2: the right number is never stored; the engine counts it.
Rule 3: a claim that differs says how its number comes about, and what that
gives must be the printed number exactly, or lie where a rounded one may.
Rule 4: the order of claims is the order of the source's own lines.
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
from ..blocks import DATA, blocks_of, check_choice, check_date, check_keys, frozen, named
from ..changes.changed import Changed
from ..deviations import deviation_named, load_deviations
from ..errors import BadChoice, BadClaim, BadConfig, CountingError, UnknownPart, entry_of, shown
from ..frameworks.keras_layers import SummaryRow, bert4keras, keras_bert
from ..frameworks.listing import tensors
from ..memory import UNITS, bytes_of
from ..models import Model, model_named
from ..polynomials import Polynomial
from ..question import LAYER_NUMBER, Question
from ..steps import Step, walk
from .conditions import check_words
from .printed import read_printed

CLAIMS_FILE = Path(DATA, "claims.toml")

KINDS = ("text", "paper", "course", "tool", "release")
"""What a source is; a release is the page or file that comes with published models."""

VERDICTS = ("agrees", "differs", "no-effect")
"""`no-effect` is the verdict on an option that sizes no tensor."""

SLIPS = ("swapped", "digit")
"""The printed digits are others: two neighbours are swapped, or one is changed."""

UNITS_COUNTED = ("parameters", "trained", "tensors", "rows")
"""What is counted; parameters are also the unit of memory, rows are those of a Keras summary, and what a change
leaves to be trained are those of a changed model."""

LETTERS = {symbol.letter for each in ARCHITECTURES.values() for symbol in each.symbols}

_FACTOR = f"(?:[{''.join(sorted(LETTERS))}]|[0-9]+)"
_TERM = f"-?{_FACTOR}(?: {_FACTOR})*(?:/{_FACTOR})?"
SIZE = re.compile(f"{_TERM}(?:, {_TERM})*")
"""A size in letters: `H`, `H/A`, `4 H`, `L, -1`."""

WORKING = re.compile(r"[0-9,]+(?: ?[*×+] ?[0-9,]+)+|\((?:[0-9]+,? ?)+\)")
"""A sum of products, or a shape: numbers of which the source gives no result."""


class Source(NamedTuple):
    """Where numbers are printed.

    Attributes:
        name: an identifier, as in an address.
        title: as the source calls itself, or what it is.
        kind: one of `KINDS`.
        accessed: when it was last read, as YYYY-MM-DD.
        model: the model that it counts where a claim names no other.
        model_class: the class that it counts where a claim names no other.
        url: its address; empty where none is known.
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

    What it is a number of is said by one of `size`, `tensor`, `summary_row`,
    `option` and `change`, or else by `unit`, `part` and `tag`.

    Attributes:
        source: where it is printed.
        position: which claim of its source it is, from 1.
        where: the section, line or row in the source.
        printed: the digits as printed; a working, `768 * 64 + 64`, where it has no result.
        counts: what they are said to count.
        verdict: one of `VERDICTS`; the engine checks it.
        model, model_class: what is counted.
        unit: one of `UNITS_COUNTED`.
        part, tag: what is counted of the model, as for a question.
        size: a size in letters, such as `H` or `H/A`, where that is printed.
        tensor: the tensor, by its name in transformers, whose shape is printed.
        summary_row: the row of a Keras summary, by name, whose parameters are printed.
        option: the option of a configuration, by name, whose value is printed.
        change: what is done to the model first, as on the command line; several changes are separated by spaces.
        times: the letter that says how often what is counted is repeated, if it is.
        under: conventions that the source says or shows it keeps.
        reached: deviations that give the printed number.
        adds: what is counted besides, or instead, as symbolic shapes separated by
            commas, each with the words that say what that is.
        slip: one of `SLIPS`, if digits of the number that is reached are printed differently.
        dtype: for memory, the data type.
        each: for memory, the bytes that the source takes for each number instead.
        divided: for memory, the unit that was divided by and is called otherwise.
        note: one sentence that says more.
        holds: words of its texts that claim a quantity, each with the
            condition under which they are true of its model; see conditions.py.
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
    change: str = ""
    times: str = ""
    under: tuple[str, ...] = ()
    reached: tuple[str, ...] = ()
    adds: tuple[tuple[str, str], ...] = ()
    slip: str = ""
    dtype: str = "float32"
    each: int = 0
    divided: str = ""
    note: str = ""
    holds: tuple[tuple[str, str], ...] = ()

    @property
    def right_question(self) -> Question:
        """The question whose answer is the right number, if it is one of parameters."""
        return Question(self.model, self.model_class, self.part, self.tag, deviations=self.under)

    @property
    def question(self) -> Question:
        """The question whose answer is printed, before what the claim adds and what slipped."""
        return self.right_question._replace(deviations=tuple(dict.fromkeys(self.under + self.reached)))

    @property
    def whole(self) -> bool:
        """Whether it is the number of parameters of a whole model."""
        return self._of_parameters and not (self.part or self.tag or self.summary_row or self.change or self.of_memory)

    @property
    def of_memory(self) -> bool:
        """Whether it is an amount of memory, whose numbers are bytes."""
        return self._of_parameters and not WORKING.fullmatch(self.printed) and read_printed(self.printed).of_memory

    @property
    def _of_parameters(self) -> bool:
        return self.unit == "parameters" and not (self.size or self.tensor or self.option)

    @property
    def right(self) -> int:
        """What the engine counts, in bytes for memory; 0 for an option, which sizes nothing."""
        return self.number(self.right_question) * self._bytes()

    @property
    def explained(self) -> int:
        """What the source's own way gives, before digits slipped."""
        asked = self.question
        return (self.number(asked) + self._besides(asked)) * self._bytes(self.each)

    @property
    def printed_bounds(self) -> tuple[int, int]:
        """The least and the greatest number that the digits may mean.

        Raises:
            BadNumber: the digits are not a whole number, as those of an option may be.
        """
        return self._bounds(self.printed)

    @property
    def agrees(self) -> bool:
        """Whether the right number is what is printed."""
        if self.tensor and self.printed != str(self.shape()):
            return False
        low, high = self.printed_bounds
        return low <= self.right <= high

    @property
    def is_explained(self) -> bool:
        """Whether the source's own way gives what is printed."""
        return any(
            low <= self.explained <= high
            for low, high in (self._bounds(text, UNITS.get(self.divided)) for text in self._before_slip())
        )

    def steps(self) -> tuple[Step, ...]:
        """How one comes from the right number to the printed one, step by step.

        Each step is named by its deviation, by the words of what is added, or
        by the key of the claim that says it: `each` or `slip`. The steps add up
        to the difference; for a rounded number, up to what was rounded.
        """
        low, high = self.printed_bounds
        slipped = low - self.explained if low == high and self.slip else 0
        return walk(self.right, self._steps(slipped), self.explained + slipped)

    def _steps(self, slipped: int) -> Iterator[Step]:
        here, times = self.right_question, self._bytes()
        for name in self.reached:
            there = here._replace(deviations=(*here.deviations, name))
            yield Step(name=name, value=(self.number(there) - self.number(here)) * times)
            here = there
        for letters, what in self.adds:
            yield Step(name=what, value=_value(letters, self._sizes(here)) * times)
        taken = self.number(here) + self._besides(here)
        yield Step(name="each", value=taken * (self._bytes(self.each) - times))
        yield Step(name="slip", value=slipped)

    def _bounds(self, text: str, unit: int | None = None) -> tuple[int, int]:
        if WORKING.fullmatch(text):
            number = _worked(text)
            return number, number
        return read_printed(text).bounds(unit)

    def _besides(self, asked: Question) -> int:
        """What is added, whatever it is."""
        return sum(_value(letters, self._sizes(asked)) for letters, _ in self.adds)

    def _sizes(self, asked: Question) -> Mapping[str, int]:
        """The sizes of the model, those that a change gives it among them."""
        return self.changed(asked).sizes if self.change else asked.sizes

    def changed(self, asked: Question) -> Changed:
        """The model that is counted after its changes."""
        return Changed.of(asked, self.change.split())

    def _bytes(self, each: int = 0) -> int:
        """By what a number is multiplied: its bytes where memory is meant."""
        return (each or bytes_of(1, self.dtype)) if self.of_memory else 1

    def _before_slip(self) -> Iterator[str]:
        """The texts that may have been meant."""
        places = [place for place, character in enumerate(self.printed) if character.isdigit()]
        if self.slip == "swapped":
            for first, second in pairwise(places):
                yield _replaced(self.printed, {first: self.printed[second], second: self.printed[first]})
        elif self.slip == "digit":
            for place in places:
                yield from (_replaced(self.printed, {place: digit}) for digit in "0123456789")
        else:
            yield self.printed

    def number(self, asked: Question) -> int:
        """What is claimed, counted in some way; bytes are not multiplied in."""
        if self.option:
            return 0
        if self.size:
            return _value(self.size, asked.sizes)
        if self.tensor:
            return prod(self.shape())
        if self.summary_row:
            return self.row_of_summary.parameters
        if self.change:
            changed = self.changed(asked)
            return changed.trainable if self.unit == "trained" else changed.number
        if self.unit == "tensors":
            return self._tensors()
        return self._rows() if self.unit == "rows" else asked.number

    def _tensors(self) -> int:
        repeats = 1 if LAYER_NUMBER.search(self.part) else self.model.sizes["L"]
        return sum(repeats if each.repeated else 1 for each in self.right_question.rows if not each.tied_to)

    def _rows(self) -> int:
        """Rows of keras-bert's summary: of one layer, of all of them, or all there are."""
        layers = [each.layer for each in keras_bert(self.model, None)]
        if LAYER_NUMBER.search(self.part):
            return layers.count(1)
        return len(layers) - layers.count(None) if self.part else len(layers)

    @property
    def row_of_summary(self) -> SummaryRow:
        """The row of a Keras summary whose parameters are printed."""
        return entry_of(_summaries(self.model.name), "row of a Keras summary", self.summary_row, UnknownPart)

    def shape(self) -> tuple[int, ...]:
        """The shape of the claim's tensor as transformers prints it."""
        known = {each.transformers: each.shape for each in tensors(Question(self.model, self.model_class))}
        return entry_of(known, f"tensor of {self.model_class}", self.tensor, UnknownPart)


@lru_cache
def _summaries(model: str) -> Mapping[str, SummaryRow]:
    """The rows of both Keras summaries of a published model, by name."""
    chosen = model_named(model)
    return {each.name: each for each in keras_bert(chosen, None) + bert4keras(chosen)}


def _replaced(text: str, characters: Mapping[int, str]) -> str:
    return "".join(characters.get(place, character) for place, character in enumerate(text))


def _worked(text: str) -> int:
    """What a working gives; the dimensions of a shape are multiplied."""
    if text.startswith("("):
        return prod(map(int, re.findall("[0-9]+", text)))
    terms = text.replace(",", "").replace("×", "*").split("+")
    return sum(prod(map(int, term.split("*"))) for term in terms)


def _value(text: str, sizes: Mapping[str, int]) -> int:
    """What a size in letters is: its terms added up, each a product that may be divided."""
    total = 0
    for term in text.split(", ") if text else ():
        above, _, below = term.removeprefix("-").partition("/")
        size, rest = divmod(Polynomial.of_shape(above).value(sizes), Polynomial.of_shape(below).value(sizes))
        if rest:
            raise BadChoice(f"{term} is not whole; choose another model or size")
        total += -size if term.startswith("-") else size
    return total


SOURCE_REQUIRED = ("title", "kind", "accessed", "model", "claims")
CLAIM_REQUIRED = ("where", "printed", "counts", "verdict")
"""The keys that every source, and every claim, must have."""

CLAIM_OPTIONAL = tuple(each for each in Claim._fields if each not in {"source", "position", *CLAIM_REQUIRED})


@lru_cache(maxsize=4)
def load_claims(path: Path = CLAIMS_FILE) -> Mapping[str, tuple[Claim, ...]]:
    """The claims of every source by the source's name, in the order of the file.

    Raises:
        BadConfig: the file is not TOML, or a block has an unknown key or
            value, or lacks one; the message names file, source, claim and key.
    """
    return {name: _claims(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _claims(where: str, name: str, block: Any) -> tuple[Claim, ...]:
    check_keys(where, block, SOURCE_REQUIRED, Source._fields, claims=list)
    said = {key: value for key, value in block.items() if key != "claims"}
    source = Source(name=name, **said)
    check_choice(where, "kind", source.kind, KINDS)
    check_date(where, source.accessed)
    listed = enumerate(block["claims"], 1)
    return tuple(_claim(f"{where}, claim {position}", source, position, each) for position, each in listed)


def _claim(where: str, source: Source, position: int, block: Any) -> Claim:
    check_keys(where, block, CLAIM_REQUIRED, CLAIM_OPTIONAL, under=list, reached=list, adds=dict, each=int, holds=dict)
    claim = Claim(
        **{
            "model_class": source.model_class,
            **frozen(block),
            "source": source,
            "position": position,
            "model": named(where, model_named, block.get("model", source.model)),
        }
    )
    named(where, claim.model.architecture.class_named, claim.model_class)
    for deviation in claim.under + claim.reached:
        named(where, deviation_named, deviation)
    check_choice(where, "verdict", claim.verdict, VERDICTS)
    check_choice(where, "unit", claim.unit, UNITS_COUNTED)
    for key, letters in (("size", claim.size), *(("adds", letters) for letters, _ in claim.adds)):
        if letters and not SIZE.fullmatch(letters):
            raise BadConfig(f"{where}: {key} is {shown(letters)}; write shapes in letters, such as H H, -H")
    said = [key for key in ("size", "tensor", "summary_row", "option", "change") if getattr(claim, key)]
    if len(said) > 1:
        raise BadConfig(f"{where}: has {' and '.join(said)}; one number counts one thing, so keep one of them")
    if claim.unit == "trained" and not claim.change:
        raise BadConfig(f"{where}: unit is trained, and nothing is changed; name the change")
    for key, value, known in (
        ("slip", claim.slip, SLIPS),
        ("divided", claim.divided, tuple(UNITS)),
        ("times", claim.times, tuple(claim.model.sizes)),
    ):
        if value:
            check_choice(where, key, value, known)
    return claim


def check(claim: Claim) -> None:
    """Whether a claim's verdict is right and its way leads to the printed number.

    Raises:
        BadClaim: the verdict is wrong; a claim that agrees explains a
            difference, or one that differs does not; the explanation gives
            another number; something it names is not there; or a quantity in
            words is not true.
    """
    where = f"{claim.source.name}, claim {claim.position}, {shown(claim.printed)}"
    try:
        if claim.option or claim.verdict == "no-effect":
            _check_option(claim)
        else:
            _check_number(claim)
        texts = (claim.counts, claim.note, *(what for _, what in claim.adds))
        check_words("note", texts, claim.holds, claim.model.name)
    except CountingError as error:
        raise BadClaim(f"{where}: {error}") from None


def check_all() -> None:
    """Whether all claims hold.

    Raises:
        BadConfig, BadClaim: as for `load_claims` and `check`.
    """
    for claims in load_claims().values():
        for claim in claims:
            check(claim)


def _check_number(claim: Claim) -> None:
    if claim.agrees is not (claim.verdict == "agrees"):
        raise BadClaim(f"the verdict is {claim.verdict}, and {claim.right} is counted; write the other verdict")
    explained = bool(claim.reached or claim.adds or claim.slip or claim.each or claim.divided)
    if claim.agrees is explained:
        says = "explains a difference that there is not" if explained else "says nothing of how it is reached"
        raise BadClaim(f"it {claim.verdict} and {says}; see reached, adds, slip, each and divided")
    if explained and not claim.is_explained:
        raise BadClaim(f"its way gives {claim.explained}, which is not what is printed; name what else was done")


def _check_option(claim: Claim) -> None:
    if not claim.option or claim.verdict != "no-effect":
        raise BadClaim("an option needs its name as option and the verdict no-effect; write both")
    architecture = claim.model.architecture
    letter = {symbol.key: symbol.letter for symbol in architecture.symbols}.get(claim.option, "")
    if claim.model_class in architecture.classes_with(letter):
        raise BadClaim(f"{claim.option} sizes tensors of {claim.model_class}; write its letter {letter} as the size")


class KnownTotal(NamedTuple):
    """A total that somebody prints and that deviations lead to, with the claims that print it, perhaps rounded."""

    question: Question
    claims: tuple[Claim, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the sources that print it."""
        return tuple(dict.fromkeys(each.source.name for each in self.claims))


@lru_cache(maxsize=1)
def known_totals() -> tuple[KnownTotal, ...]:
    """Every such total, in the order of the file; deviations in the order of theirs."""
    found: dict[tuple[str, str, tuple[str, ...]], list[Claim]] = {}
    for claim in (claim for claims in load_claims().values() for claim in claims):
        made = tuple(name for name in load_deviations() if name in claim.question.deviations)
        of_all = claim.whole or (claim.of_memory and not (claim.part or claim.tag))
        if made and of_all and not claim.adds:
            found.setdefault((claim.model.name, claim.model_class, made), []).append(claim)
    return tuple(
        KnownTotal(Question(claims[0].model, model_class, deviations=made), tuple(claims))
        for (_, model_class, made), claims in found.items()
    )
