r"""Sums worked out: how the number of a question comes about, line by line, as one would write it down.

A tensor is a line if it has two dimensions, and so is every sum of them: the
matrix and bias of a dense layer, the dense layers of a block, the blocks of a
layer, the whole. What is alike is counted once and multiplied:

>>> from .models import model_named
>>> asked = Question(model_named("bert-base-uncased"), part="bert/encoder/layer_0", tag="self-attention")
>>> print(*sum_lines(asked), sep="\n")
768 × 768 = 589,824
589,824 + 768 = 590,592
4 × 590,592 = 2,362,368

The lines come from the items of the question, as its number and its formula
do; a test evaluates each again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from .architecture import lies_under
from .polynomials import added, sized
from .question import NONE, Item, Question

TENSOR, MODULE, BLOCK, LAYER, WHOLE = "tensor", "module", "block", "layer", "whole"
"""What a line counts."""


class Factor(NamedTuple):
    """A number in a sum: a size, with its letter; a result, with the place of its line; or a count, with neither."""

    number: int
    letter: str = ""
    line: int | None = None


class Addend(NamedTuple):
    """What is added: a product, and the paths of what it counts; with `each`, of things that are alike."""

    factors: tuple[Factor, ...]
    paths: tuple[str, ...]
    each: bool = False

    @property
    def value(self) -> int:
        """The product; negative where it is taken away."""
        return prod(each.number for each in self.factors)

    def __str__(self) -> str:
        return " × ".join(f"{abs(each.number):,}" for each in self.factors)


class Line(NamedTuple):
    """One line of a sum: what it counts, by kind and by the paths of it, and what is added.

    With `each` its paths are those of things that are alike, and it counts
    any one of them; without, it counts all.
    """

    kind: str
    paths: tuple[str, ...]
    addends: tuple[Addend, ...]
    block: str = ""
    each: bool = False

    @property
    def result(self) -> int:
        """What the line comes to."""
        return sum(each.value for each in self.addends)

    @property
    def has_arithmetic(self) -> bool:
        """Whether there is anything to work out; the number of a lone vector is its length."""
        return len(self.addends) > 1 or len(self.addends[0].factors) > 1

    def __str__(self) -> str:
        sum_ = added(f"{'−' * (each.value < 0)}{each}" for each in self.addends)
        return f"{sum_} = {self.result:,}".replace("-", "−") if self.has_arithmetic else sum_


class _Node(NamedTuple):
    """Something that is counted: one tensor by its factors, or the sum of its children; and how many there are."""

    kind: str
    paths: tuple[str, ...]
    number: int
    children: tuple[_Node, ...] = ()
    factors: tuple[Factor, ...] = ()
    times: tuple[Factor, ...] = ()
    block: str = ""
    each: bool = False

    @property
    def form(self) -> tuple[object, ...]:
        """What two nodes have in common that are alike: letters, not merely numbers."""
        return self.factors, tuple((each.times, each.form) for each in self.children)

    def line(self, places: Mapping[int, int]) -> Line:
        """The line of it, where those of other nodes have these places."""
        added = tuple(_addend(each, places) for each in self.children)
        return Line(
            self.kind, self.paths, added or (Addend(self.factors, self.paths, self.each),), self.block, self.each
        )


def sum_lines(asked: Question, most: int | None = None) -> tuple[Line, ...]:
    """The lines of a sum, each of which uses only sizes, counts and results of lines before it; the last is the whole.

    Args:
        asked: what is counted. With deviations the last line goes from the
            right number to the other one.
        most: how many lines at most: with fewer, the sum starts from larger
            parts. The last line is always there.

    Returns:
        Nothing for what counts nothing, such as a tied decoder.

    Raises:
        CountingError: as for a question.
    """
    right = asked._replace(deviations=())
    root = _root(right)
    if root is None:
        return ()
    depth = _depth(root)
    nodes = [*_nodes(root, depth)]
    while most is not None and len(nodes) + bool(asked.deviations) > most and depth:
        depth -= 1
        nodes = [*_nodes(root, depth)]
    if asked.deviations and most == 1:
        nodes = []
    places = {id(node): place for place, node in enumerate(nodes)}
    lines = [node.line(places) for node in nodes]
    if asked.deviations:
        result, change = Factor(right.number, line=places.get(id(root))), Factor(asked.number - right.number)
        lines.append(Line(WHOLE, root.paths, (Addend((result,), root.paths), Addend((change,), ()))))
    return tuple(lines)


def _nodes(node: _Node, depth: int) -> Iterator[_Node]:
    """What has a line of its own, down to a depth; a vector has none but as the whole."""
    if depth:
        for each in node.children:
            if each.children or len(each.factors) > 1:
                yield from _nodes(each, depth - 1)
    yield node


def _depth(node: _Node) -> int:
    return 1 + max(map(_depth, node.children)) if node.children else 0


def _addend(node: _Node, places: Mapping[int, int]) -> Addend:
    """A node as it stands in the line of another one: how often, times what is known of it by then."""
    known = node.factors if len(node.factors) == 1 else (Factor(node.number, line=places.get(id(node))),)
    return Addend((*node.times, *known), node.paths, node.each)


def _root(asked: Question) -> _Node | None:
    """All that is counted."""
    return _tree(tuple(asked.architecture.blocks), _counted(asked.items), tuple(asked.sizes.items()))


def in_numbers(*addends: int | tuple[int, ...]) -> Line:
    r"""A line of numbers that no question has: each is added, or taken away below zero; of several, their product.

    >>> print(in_numbers(109_482_240, -590_592), in_numbers(4_722_432, (2, 1_536)), sep="\n")
    109,482,240 − 590,592 = 108,891,648
    4,722,432 + 2 × 1,536 = 4,725,504
    """
    factors = (each if isinstance(each, tuple) else (each,) for each in addends)
    return Line(WHOLE, (), tuple(Addend(tuple(map(Factor, each)), ()) for each in factors))


def in_one(lines: Sequence[Line]) -> str:
    r"""All lines of a sum in one, down to the sizes: in the place of each result of a line stands what leads to it.

    >>> from .models import model_named
    >>> asked = Question(model_named("bert-base-uncased"), part="bert/encoder/layer_0", tag="self-attention")
    >>> in_one(sum_lines(asked))
    '4 × (768 × 768 + 768) = 2,362,368'
    """
    return f"{_written_out(lines[-1], lines)} = {lines[-1].result:,}"


def _written_out(line: Line, lines: Sequence[Line]) -> str:
    """What a line adds up, all of it from sizes and counts."""
    products = [" × ".join(_in_product(factor, addend, lines) for factor in addend.factors) for addend in line.addends]
    return added(f"{'−' * (addend.value < 0)}{each}" for addend, each in zip(line.addends, products, strict=True))


def _in_product(factor: Factor, addend: Addend, lines: Sequence[Line]) -> str:
    """A factor of a product: a number, or in the place of a result what leads to it."""
    if factor.line is None:
        return f"{abs(factor.number):,}"
    line = lines[factor.line]
    text = _written_out(line, lines)
    return f"({text})" if len(line.addends) > 1 < len(addend.factors) else text


def lines_of(items: Iterable[Item], blocks: Iterable[str], sizes: Mapping[str, int]) -> tuple[Line, ...]:
    """The lines of a sum of any items, as for a question.

    Args:
        items: what is added up; the factors of an item leave it out, or are none.
        blocks: in which order they stand.
        sizes: by letter.
    """
    root = _tree(tuple(blocks), _counted(items), tuple(sizes.items()))
    nodes = [*_nodes(root, _depth(root))] if root else []
    places = {id(node): place for place, node in enumerate(nodes)}
    return tuple(node.line(places) for node in nodes)


def _counted(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(item for item in items if item.factors != NONE)


@lru_cache(maxsize=10_000)  # a site shows many wrong totals of a few right ones
def _tree(blocks: tuple[str, ...], items: tuple[Item, ...], pairs: tuple[tuple[str, int], ...]) -> _Node | None:
    """All of the items, the blocks outside of the layers beside a layer."""
    sizes = dict(pairs)
    order = [item.path for item in items]
    scopes = dict.fromkeys(map(_layers, items))
    nodes: list[_Node] = []
    for layers in scopes:
        within = [item for item in items if _layers(item) == layers]
        present = [block for block in blocks if any(item.block == block for item in within)]
        found = [_block(block, [item for item in within if item.block == block], sizes) for block in present]
        if layers:
            times = tuple(Factor(sized(letter, sizes), letter) for letter in layers)
            found = [_sum(LAYER, found)._replace(times=times)]
        nodes += found
    if len(scopes) > 1:  # the layers stand where they come in the model
        nodes.sort(key=lambda node: min(order.index(path) for path in order if lies_under(path, node.paths)))
    return _sum(WHOLE, nodes) if nodes else None


def _layers(item: Item) -> tuple[str, ...]:
    """The letters that count the layers it stands in."""
    (term,) = item.letters.terms
    return term.layers


def _block(name: str, items: list[Item], sizes: Mapping[str, int]) -> _Node:
    """The items of a block, by their modules; a tensor that lies beside modules stands alone."""
    parents = dict.fromkeys(item.path.rpartition("/")[0] for item in items)
    found: list[_Node] = []
    for parent in parents:
        tensors = [_tensor(item, sizes) for item in items if item.path.rpartition("/")[0] == parent]
        if any(other.startswith(f"{parent}/") for other in parents):
            found += tensors
        else:
            found.append(_module(parent, tensors))
    return _sum(BLOCK, found)._replace(block=name)


def _module(path: str, tensors: list[_Node]) -> _Node:
    together = _sum(MODULE, tensors)
    return together if together.kind == TENSOR else together._replace(paths=(path,))


def _tensor(item: Item, sizes: Mapping[str, int]) -> _Node:
    """One tensor, in one layer if it stands in each."""
    (term,) = item.letters.terms
    factors = [Factor(sized(letter, sizes), letter) for letter in term.letters]
    if term.coefficient == -1 and factors:  # what is taken away
        factors[0] = factors[0]._replace(number=-factors[0].number)
    elif term.coefficient != 1 or not factors:
        factors.insert(0, Factor(term.coefficient))
    return _Node(TENSOR, (item.path,), prod(each.number for each in factors), factors=tuple(factors), block=item.block)


def _sum(kind: str, nodes: list[_Node]) -> _Node:
    """Nodes together; what is alike among them is counted once and multiplied, and one alone is itself."""
    alike: dict[tuple[object, ...], list[_Node]] = {}
    for node in nodes:
        alike.setdefault((node.form, node.times), []).append(node)
    children = tuple(_several(each) for each in alike.values())
    if len(children) == 1 and not children[0].times:
        return children[0]
    paths = tuple(path for node in nodes for path in node.paths)
    number = sum(node.number * prod(each.number for each in node.times) for node in nodes)
    return _Node(kind, paths, number, children)


def _several(nodes: list[_Node]) -> _Node:
    """Nodes of one form as one of them, which is any of them, and how many."""
    if len(nodes) == 1:
        return nodes[0]
    any_ = _any(nodes)
    return any_._replace(times=(Factor(len(nodes)), *any_.times))


def _any(nodes: Sequence[_Node]) -> _Node:
    """Any of some nodes of one form: it has the paths of all, and so have its children."""
    paths = tuple(path for node in nodes for path in node.paths)
    children = tuple(map(_any, zip(*(node.children for node in nodes), strict=True)))
    return nodes[0]._replace(paths=paths, children=children, each=True)
