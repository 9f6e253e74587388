r"""Writes sums line by line: the working of a count, as you would write it on paper.

>>> from .models import model_named
>>> question = Question(model_named("bert-base-uncased"), part="bert/encoder/layer_0", tag="self-attention")
>>> print(*sum_lines(question), sep="\n")
768 × 768 = 589,824
589,824 + 768 = 590,592
4 × 590,592 = 2,362,368

Rule 1: the tensors of a question are the leaves of a tree. Above them come
modules, the blocks of the architecture, a layer, and the whole. Each inner
node is one line.
Rule 2: a matrix is a line as well, the product of its dimensions. Unless nothing
else is counted, a vector has no line, because its size is simply its length.
Rule 3: siblings that are alike are counted once and multiplied. Two nodes are
alike if they are built from the same letters; the same size is not enough.
Rule 4: a node with a single child that is not multiplied is replaced by that
child, so no line repeats a result.
Rule 5: children come before their parent. A line therefore uses nothing but
sizes, counts and the results of earlier lines, and the last line is the whole.
Rule 6: to shorten a sum, the lines of whole levels of the tree are left out, the
deepest first, and the lines that used their results contain their products instead.
So every line still starts from sizes, counts and the results of earlier lines. Only
the last line is never left out.

How the tree is built. Tensors are first grouped by the letters that count their
layers: no letter for the embeddings, the pooler and the heads; L in the encoder;
L − 1 for a LayerNorm that ModernBERT's first layer lacks; G and I for ALBERT,
whose layers share weights; h for pruned heads, which are subtracted one by one.
Each group that has letters becomes one node, a layer, and the whole multiplies
it, as in `12 × 7,087,872`. No layer is listed twice, so the length of a sum does
not depend on the depth of the model. Within a group the blocks are in the order
of the architecture, not of the tensors; this brings together the encoder's
LayerNorms, which are separated in the model. Within a block, tensors with the
same parent make a module. A tensor that lies beside modules, such as the word
embeddings beside the embeddings' LayerNorm, stays by itself. Last, the layers
are put where the model has them, between embeddings and pooler.

When a line is a product. The number of elements of a matrix with H rows and F
columns is `H × F`; a number in its shape comes first, as in `3 × 768 × 768` for
a fused projection. Of n siblings that are alike, one is kept, with n as an
additional factor. The kept sibling and its children have the paths of all n;
`is_alike` marks them as representatives. A line whose children all merge into one is
a product, such as `4 × 590,592`; in any other line the product is one of several
addends.

How numbers are linked. A `Factor` is a size with its letter, a result with the
index of its line, or a count with neither; if the line of a result is left out, it
has the working. This lets exercises write a sum as a formula.

What is left out. A deviation is not worked out: its sum is that of the correct
total, followed by one line from there to the number with the deviation. If that is
the only line, it shows the correct total without its working. A bridge explains the
difference. A line cannot show the factors of an item, such as 1/L, so `lines_of` is
meant only for items without factors.

Limits. Rule 3 compares siblings only and factors nothing out: two H × H
matrices in different blocks are worked out twice, and no line is H × (H + 1).
On the other hand, it merges anything with the same letters, even across blocks:
the sum of the pooler and the transform of the masked-LM head is `2 × 590,592`,
listed under the pooler. Factors of one also stay, as in the `1 × 1 × 7,087,872`
of ALBERT, because the formula has a letter for each of these factors. Rule 6 is
coarse: limited to five lines, `BertForPreTraining` has only one, which is long,
because the next level would make six.

docs/assets/counting/sum-lines.js follows the same rules in the browser, and
tests/scripts/test_changes.py compares the lines of both. For every model, class
and part, tests/counting/test_sum_lines.py checks that each line is correct and
that the last one gives the number of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from .architecture import lies_under
from .polynomials import number_of, sum_text
from .question import NOT_COUNTED, Item, Question

TENSOR, MODULE, BLOCK, LAYER, WHOLE = "tensor", "module", "block", "layer", "whole"
"""The kinds of lines, named after the thing that a line counts."""


class Factor(NamedTuple):
    """A number in a sum: a size, with its letter; a result, with its line or working; or a count, with neither.

    Attributes:
        number: the number; negative if it is subtracted.
        letter: the letter of a size.
        line: the index of the line of which the number is the result.
        working: the sum of which the number is the result, if this sum has no line of its own.
    """

    number: int
    letter: str = ""
    line: int | None = None
    working: str = ""

    @property
    def text(self) -> str:
        """The number without its sign, or its working in brackets."""
        return f"({self.working})" if self.working else f"{abs(self.number):,}"


class Addend(NamedTuple):
    """A product that a line adds, with the paths of the tensors or modules that it counts.

    If `is_alike`, the paths name several tensors or modules that are alike, and
    the product counts all of them.
    """

    factors: tuple[Factor, ...]
    paths: tuple[str, ...]
    is_alike: bool = False

    @property
    def value(self) -> int:
        """The product; negative if it is subtracted."""
        return prod(factor.number for factor in self.factors)

    @property
    def sign(self) -> str:
        """A minus sign if the product is subtracted; otherwise empty."""
        return "−" if self.value < 0 else ""

    def __str__(self) -> str:
        # The sign is left out, because a line prints it between its addends.
        return " × ".join(factor.text for factor in self.factors)


class Line(NamedTuple):
    """One line of a sum: the kind and the paths of the thing that it counts, and its addends.

    If `is_alike`, the paths name several tensors or modules that are alike, and
    the line counts one of them; otherwise it counts everything under its paths.
    `block` is the block that it counts, or the block of the tensor that it counts;
    it is empty for any other line.
    """

    kind: str
    paths: tuple[str, ...]
    addends: tuple[Addend, ...]
    block: str = ""
    is_alike: bool = False

    @property
    def result(self) -> int:
        """The sum of the addends."""
        return sum(addend.value for addend in self.addends)

    @property
    def has_arithmetic(self) -> bool:
        """Whether there is anything to work out; false for a line that only states the length of a vector."""
        return len(self.addends) > 1 or len(self.addends[0].factors) > 1

    def __str__(self) -> str:
        text = sum_text(f"{addend.sign}{addend}" for addend in self.addends)
        return f"{text} = {self.result:,}".replace("-", "−") if self.has_arithmetic else text


class _Node(NamedTuple):
    """A node of the tree: a tensor with its factors, or the sum of its children.

    `number` is the result of the node itself. The product of `multipliers` is the number
    of equal nodes that it represents.
    """

    kind: str
    paths: tuple[str, ...]
    number: int
    children: tuple[_Node, ...] = ()
    factors: tuple[Factor, ...] = ()
    multipliers: tuple[Factor, ...] = ()
    block: str = ""
    is_alike: bool = False

    @property
    def form(self) -> tuple[object, ...]:
        """The factors of the node and of all nodes below it; equal for nodes that are alike."""
        # Factors include their letters, so even if F = H, the two dense layers of a block have different forms.
        return self.factors, tuple((child.multipliers, child.form) for child in self.children)

    def line(self, indices: Mapping[int, int]) -> Line:
        """The line of this node.

        Args:
            indices: the index of the line of every node that has one, by the node's `id`.
        """
        return Line(self.kind, self.paths, tuple(_addends(self, indices)), self.block, self.is_alike)


def sum_lines(question: Question, line_limit: int | None = None) -> tuple[Line, ...]:
    """The lines of a question's sum; the last one is the whole.

    Args:
        question: the question. If it has deviations, the last line leads from
            the correct number to the number with deviations.
        line_limit: the maximum number of lines, or None for no limit. If the full
            sum has more, its lines become fewer and longer (rule 6).

    Returns:
        The lines; none if nothing is counted, as for a tied decoder.

    Raises:
        CountingError: as for the number of the question.
    """
    correct_question = question._replace(deviations=())
    root = _root(correct_question)
    if root is None:
        return ()
    if not question.deviations:
        return _lines(root, line_limit)
    lines = () if line_limit == 1 else _lines(root, line_limit and line_limit - 1)
    start = Factor(correct_question.number, line=len(lines) - 1 if lines else None)
    difference = Factor(question.number - correct_question.number)
    return (*lines, Line(WHOLE, root.paths, (Addend((start,), root.paths), Addend((difference,), ()))))


def lines_of(
    items: Iterable[Item], blocks: Iterable[str], sizes: Mapping[str, int], line_limit: int | None = None
) -> tuple[Line, ...]:
    """The lines of a sum of any items, arranged like those of a question.

    Args:
        items: the items to add up, without factors; items with the factors
            `NOT_COUNTED` are left out.
        blocks: the blocks of the items, in the order of the sum.
        sizes: the number for every letter.
        line_limit: as for `sum_lines`.
    """
    root = _tree(tuple(blocks), _counted_items(items), tuple(sizes.items()))
    return _lines(root, line_limit) if root else ()


def plain_line(*addends: int | tuple[int, ...]) -> Line:
    r"""A line of plain numbers, for a sum that belongs to no question.

    A negative number is subtracted; a tuple means the product of its numbers.

    >>> print(plain_line(109_482_240, -590_592), plain_line(4_722_432, (2, 1_536)), sep="\n")
    109,482,240 − 590,592 = 108,891,648
    4,722,432 + 2 × 1,536 = 4,725,504
    """
    products = (addend if isinstance(addend, tuple) else (addend,) for addend in addends)
    return Line(WHOLE, (), tuple(Addend(tuple(map(Factor, numbers)), ()) for numbers in products))


# --- From the tree to lines ---------------------------------------------------------


def _lines(root: _Node, line_limit: int | None) -> tuple[Line, ...]:
    """The lines of a tree, from which whole levels are left out if there are more than `line_limit` (rule 6)."""
    depth = _depth(root)
    nodes = [*_nodes(root, depth)]
    while line_limit is not None and len(nodes) > line_limit and depth:
        depth -= 1
        nodes = [*_nodes(root, depth)]
    indices = {id(node): index for index, node in enumerate(nodes)}
    return tuple(node.line(indices) for node in nodes)


def _nodes(node: _Node, depth: int) -> Iterator[_Node]:
    """The nodes that have a line, down to a depth, each after its children (rules 2 and 5)."""
    if depth:
        for child in node.children:
            if child.children or len(child.factors) > 1:
                yield from _nodes(child, depth - 1)
    yield node


def _depth(node: _Node) -> int:
    """The number of levels below a node."""
    return 1 + max(map(_depth, node.children)) if node.children else 0


def _addends(node: _Node, indices: Mapping[int, int]) -> Iterator[Addend]:
    """Yield what the line of a node adds up: its children, or the product of its factors if it is a tensor."""
    if not node.children:
        yield Addend(node.factors, node.paths, node.is_alike)
    for child in node.children:
        if id(child) in indices:
            result = Factor(child.number, line=indices[id(child)])
        elif child.multipliers and len(child.children) > 1:
            result = Factor(child.number, working=_working(child))
        else:
            # The child has no line, and its sum needs no brackets.
            for addend in _addends(child, indices):
                yield addend._replace(factors=(*child.multipliers, *addend.factors))
            continue
        yield Addend((*child.multipliers, result), child.paths, child.is_alike)


def _working(node: _Node) -> str:
    """The sum of a node's children, each worked out down to sizes and counts, without the sign of its result."""
    addends = _addends(node, {})
    return sum_text(f"{'−' if (addend.value < 0) != (node.number < 0) else ''}{addend}" for addend in addends)


# --- From items to the tree ---------------------------------------------------------


def _root(question: Question) -> _Node | None:
    """The tree of a question without deviations; None if it counts nothing."""
    return _tree(tuple(question.architecture.blocks), _counted_items(question.items), tuple(question.sizes.items()))


def _counted_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items without those that have the factors `NOT_COUNTED`."""
    return tuple(item for item in items if item.factors != NOT_COUNTED)


@lru_cache(maxsize=10_000)  # the site shows many wrong totals, whose sums start from a few correct ones
def _tree(blocks: tuple[str, ...], items: tuple[Item, ...], size_pairs: tuple[tuple[str, int], ...]) -> _Node | None:
    """The tree of some items, None if there are none; the sizes are pairs so that the cache can use them as a key."""
    sizes = dict(size_pairs)
    paths = [item.path for item in items]
    letters_of_groups = dict.fromkeys(map(_layer_letters, items))
    nodes: list[_Node] = []
    for letters in letters_of_groups:
        group = [item for item in items if _layer_letters(item) == letters]
        group_blocks = [block for block in blocks if any(item.block == block for item in group)]
        children = [_block(block, [item for item in group if item.block == block], sizes) for block in group_blocks]
        if letters:
            multipliers = tuple(Factor(number_of(letter, sizes), letter) for letter in letters)
            children = [_sum(LAYER, children)._replace(multipliers=multipliers)]
        nodes += children
    if len(letters_of_groups) > 1:  # put the layers where the model has them
        nodes.sort(key=lambda node: min(paths.index(path) for path in paths if lies_under(path, node.paths)))
    return _sum(WHOLE, nodes) if nodes else None


def _layer_letters(item: Item) -> tuple[str, ...]:
    """The letters that count an item's layers; empty for an item outside the encoder."""
    (term,) = item.polynomial.terms
    return term.layers


def _block(name: str, items: list[Item], sizes: Mapping[str, int]) -> _Node:
    """The node of a block: its modules, and the tensors that lie beside modules."""
    parents = dict.fromkeys(item.path.rpartition("/")[0] for item in items)
    children: list[_Node] = []
    for parent in parents:
        tensors = [_tensor(item, sizes) for item in items if item.path.rpartition("/")[0] == parent]
        if any(other.startswith(f"{parent}/") for other in parents):
            children += tensors
        else:
            children.append(_module(parent, tensors))
    return _sum(BLOCK, children)._replace(block=name)


def _module(path: str, tensors: list[_Node]) -> _Node:
    """The node of the module at a path, which adds up its tensors."""
    node = _sum(MODULE, tensors)
    # A module with one tensor is that tensor, and keeps its path.
    return node if node.kind == TENSOR else node._replace(paths=(path,))


def _tensor(item: Item, sizes: Mapping[str, int]) -> _Node:
    """The node of one tensor; for a tensor that every layer has, the node for a single layer."""
    (term,) = item.polynomial.terms
    factors = [Factor(number_of(letter, sizes), letter) for letter in term.letters]
    if term.coefficient == -1 and factors:
        # The tensor is subtracted, as when heads are pruned. The sign goes to a size, so that no line has a factor −1.
        factors[0] = factors[0]._replace(number=-factors[0].number)
    elif term.coefficient != 1 or not factors:
        factors.insert(0, Factor(term.coefficient))
    number = prod(factor.number for factor in factors)
    return _Node(TENSOR, (item.path,), number, factors=tuple(factors), block=item.block)


def _sum(kind: str, nodes: list[_Node]) -> _Node:
    """The node that adds up some nodes, merging those that are alike (rule 3), or a single node itself (rule 4)."""
    groups: dict[tuple[object, ...], list[_Node]] = {}
    for node in nodes:
        groups.setdefault((node.form, node.multipliers), []).append(node)
    children = tuple(map(_merge, groups.values()))
    if len(children) == 1 and not children[0].multipliers:
        return children[0]
    paths = tuple(path for node in nodes for path in node.paths)
    number = sum(node.number * prod(factor.number for factor in node.multipliers) for node in nodes)
    return _Node(kind, paths, number, children)


def _merge(nodes: list[_Node]) -> _Node:
    """One node in place of several that are alike, multiplied by their number."""
    if len(nodes) == 1:
        return nodes[0]
    node = _representative(nodes)
    return node._replace(multipliers=(Factor(len(nodes)), *node.multipliers))


def _representative(nodes: Sequence[_Node]) -> _Node:
    """A node that represents several that are alike, with the paths of all of them at every level."""
    paths = tuple(path for node in nodes for path in node.paths)
    children = tuple(map(_representative, zip(*(node.children for node in nodes), strict=True)))
    return nodes[0]._replace(paths=paths, children=children, is_alike=True)
