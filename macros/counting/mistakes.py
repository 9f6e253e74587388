"""What people and tools do otherwise when they count, as data.

Rule 1: one block of `data/mistakes.toml` is one mistake or convention. It
says which rows of the table it touches, by path and tag, and by what their
size is multiplied; or what is counted besides, or with another size, or
instead of the whole.
Rule 2: mistakes compose. A row that several touch is multiplied by all of
their factors, so the order in which they are made does not matter.
Rule 3: what a mistake does to a total follows, exactly, for any model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from .errors import BadChoice, BadConfig, UnknownMistake, shown, suggestion
from .models import Model, blocks_of, model_named
from .polynomials import Polynomial
from .tensors import Row, lies_under, rows_of

MISTAKES_FILE = Path(__file__).parent / "data" / "mistakes.toml"

KINDS = ("convention", "mistake")
"""A convention is another question with a right answer; a mistake is a wrong answer to the same one."""


class Mistake(NamedTuple):
    """One way to reach another number.

    Attributes:
        name: an identifier, as in an address.
        kind: one of `KINDS`.
        usual: 1 for what many do, 3 for what few do.
        title: what was done.
        why: why the number is another, in one sentence.
        notice: how to notice that it was done, in one sentence.
        part, tag: the rows it touches, as for `totals.count`; of several
            parts, with commas between them, a row lies under one.
        factor: what their size is multiplied by: an integer, a letter, or a
            quotient of two.
        unties: whether tied rows among them are counted as if they were not.
        adds: symbolic shapes, parted by commas, that are counted besides; a
            minus in front takes one away.
        resized: a letter and what stands in its place: `"S = 16"`, another
            letter, or a published model whose size is taken.
        instead: symbolic shapes that are counted instead of everything.
        same_as: the mistakes that amount to the same where F is four times H;
            a bridge goes over them.
        classes: the classes in which it is made; empty for all in which it
            touches a row.
    """

    name: str
    kind: str
    usual: int
    title: str
    why: str
    notice: str
    part: str = ""
    tag: str = ""
    factor: str = "1"
    unties: bool = False
    adds: str = ""
    resized: str = ""
    instead: str = ""
    same_as: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    @property
    def model_class(self) -> str:
        """The class in which pages show it: the first in which it can be made."""
        likely = self.classes or ("BertModel", "BertForPreTraining", "BertForSequenceClassification")
        return next(each for each in likely if self.made_in(each))

    def made_in(self, model_class: str) -> bool:
        """Whether it can be made in this class: a row must be there to be counted otherwise."""
        if self.classes and model_class not in self.classes:
            return False
        return bool(self.adds or self.resized or self.instead) or any(map(self.touches, rows_of(model_class)))

    def touches(self, row: Row) -> bool:
        """Whether it counts this row otherwise."""
        if self.factor == "1" and not self.unties:
            return False
        return (not self.part or lies_under(row.path, self.parts)) and row.tags.issuperset(self.tag.split())

    @property
    def parts(self) -> tuple[str, ...]:
        """The path prefixes that it touches."""
        return tuple(self.part.split(", "))

    def sizes(self, model: Model) -> Model:
        """The model with the size that is taken instead of its own."""
        if not self.resized:
            return model
        letter, _, other = self.resized.partition(" = ")
        if other.isdigit():
            return model.resized(**{letter: int(other)})
        sizes = model.sizes if other in model.sizes else model_named(other).sizes
        return model.resized(**{letter: sizes[other if other in model.sizes else letter]})

    def shapes(self) -> list[tuple[int, str]]:
        """What is added or counted instead, as sign and shape."""
        listed = [each.strip() for each in (self.adds or self.instead).split(",") if each]
        return [(-1 if each[0] == "-" else 1, each.removeprefix("-")) for each in listed]

    def added(self, sizes: Mapping[str, int]) -> int:
        """The number of what is added or counted instead."""
        return sum(sign * Polynomial.of_shape(shape).value(sizes) for sign, shape in self.shapes())

    def quotient(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """The factor as two whole numbers, one above and one below the line."""
        return quotient(self.factor, sizes)


@lru_cache(maxsize=4)
def load_mistakes(path: Path = MISTAKES_FILE) -> Mapping[str, Mistake]:
    """Every mistake by name, in the order of the file, which is the order of reading.

    Raises:
        BadConfig: the file is not TOML, or a block has an unknown key, lacks
            one, or is neither convention nor mistake; the message names both.
    """
    return {name: _mistake(f"{path.name}, {name}", name, block) for name, block in blocks_of(path).items()}


def _mistake(where: str, name: str, block: dict[str, object]) -> Mistake:
    known = Mistake._fields[1:]
    for key, value in block.items():
        if key not in known:
            raise BadConfig(f"{where}: unknown key {key} = {shown(value)}; {suggestion(key, known)}")
    for key in known[:5]:
        if not block.get(key):
            raise BadConfig(f"{where}: {key} is missing; every mistake needs one")
    if block["kind"] not in KINDS:
        raise BadConfig(f"{where}: kind is {shown(block['kind'])}; write {' or '.join(KINDS)}")
    lists = {key: tuple(value) for key, value in block.items() if isinstance(value, list)}
    return Mistake(name=name, **{**block, **lists})  # type: ignore[arg-type]


def mistake_named(name: str) -> Mistake:
    """The mistake of that name.

    Raises:
        UnknownMistake: there is none.
    """
    mistakes = load_mistakes()
    if name not in mistakes:
        raise UnknownMistake(f"no mistake {shown(name)}; {suggestion(str(name), mistakes)}")
    return mistakes[name]


class Counted(NamedTuple):
    """A way to count: a model in a class, and what is done otherwise.

    >>> from .models import model_named
    >>> Counted(model_named("bert-base-uncased"), mistakes=("pooler-left-out",)).number
    108891648
    """

    model: Model
    model_class: str = "BertModel"
    mistakes: tuple[str, ...] = ()

    @property
    def made(self) -> list[Mistake]:
        """What is done otherwise.

        Raises:
            UnknownMistake: no mistake of a name.
            BadChoice: one cannot be made in this class, or two ask for
                another size of the same letter, or one counts something else
                altogether and stands beside others.
        """
        made = [mistake_named(each) for each in self.mistakes]
        for each in made:
            if not each.made_in(self.model_class):
                raise BadChoice(
                    f"{each.name} cannot be made in {self.model_class}, which lacks what it changes; "
                    f"choose a class such as {each.model_class}"
                )
        letters = [each.resized[0] for each in made if each.resized]
        if len(set(letters)) < len(letters) or (len(made) > 1 and any(each.instead for each in made)):
            raise BadChoice(f"{', '.join(self.mistakes)} exclude each other; choose one of them")
        return made

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes it is counted with."""
        model = self.model
        for each in self.made:
            model = each.sizes(model)
        return model.sizes

    @property
    def number(self) -> int:
        """What one gets.

        Raises:
            UnknownMistake, BadChoice: as for `made`; BadChoice also where a
                share of a count is not whole.
        """
        return self.of()

    def of(self, part: str = "", tag: str = "", pooler: bool | None = None) -> int:
        """The same for a part; arguments and errors as for `totals.count`.

        What is added belongs to the whole, and to no part.
        """
        from .totals import select, size_of  # imported here: totals counts through this module

        sizes, made = self.sizes, self.made
        if any(each.instead for each in made):
            return made[0].added(sizes)
        rows = select(self.model, part, tag, model_class=self.model_class, pooler=pooler)
        total = 0
        for row in rows:
            tied = self.model.tied and not any(each.unties and each.touches(row) for each in made)
            size = size_of(row, part, tied).value(sizes)
            total += _multiplied(size, [each for each in made if each.touches(row)], sizes, row)
        return total if part or tag else total + sum(each.added(sizes) for each in made)


def _multiplied(size: int, made: Sequence[Mistake], sizes: Mapping[str, int], row: Row) -> int:
    """The size of a row times the factors of these mistakes, which must come out whole."""
    below = 1
    for each in made:
        above, under = each.quotient(sizes)
        size, below = size * above, below * under
    if size % below:
        factors = " times ".join(each.factor for each in made)
        raise BadChoice(f"{row.path} times {factors} is not whole; choose another model or mistake")
    return size // below


def quotient(factor: str, sizes: Mapping[str, int]) -> tuple[int, int]:
    """A factor such as `"A"`, `"−1"` or `"1/L"` as two whole numbers, one above and one below the line."""
    above, _, below = factor.partition("/")
    # With no layers there is nothing to share out among them.
    return _read(above, sizes), _read(below or "1", sizes) or 1


def _read(text: str, sizes: Mapping[str, int]) -> int:
    return sizes[text] if text in sizes else int(text.replace("−", "-"))


def effect(model: Model, name: str) -> int:
    """What a mistake adds to the total of the class it is shown in; negative where it falls short.

    Raises:
        UnknownMistake: no mistake of that name.

    >>> effect(model_named("bert-base-uncased"), "pooler-left-out")
    -590592
    """
    model_class = mistake_named(name).model_class
    return Counted(model, model_class, (name,)).number - Counted(model, model_class).number
