"""Random sums as readers write them: the count of a model in one of several styles, with at most two faults.

The numbers are computed from the sizes by the formulas below rather than by the engine, so that the sums are an
independent test of the scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

MODELS = {
    "BERT base, uncased": (30522, 512, 2, 768, 3072, 12, "BERT-base-uncased"),
    "BERT base, cased": (28996, 512, 2, 768, 3072, 12, "bert-base-cased"),
    "BERT large, uncased": (30522, 512, 2, 1024, 4096, 24, "BERT-large"),
    "BERT base, Chinese": (21128, 512, 2, 768, 3072, 12, "bert-base-chinese"),
    "BERT base, multilingual cased": (119547, 512, 2, 768, 3072, 12, "multilingual BERT"),
    "BERT-Small": (30522, 512, 2, 512, 2048, 4, "BERT-Small"),
    "BERT-Medium": (30522, 512, 2, 512, 2048, 8, "BERT-Medium"),
    "MiniLM, 6 layers": (30522, 512, 2, 384, 1536, 6, "MiniLM-L6-H384"),
    "": (25000, 400, 2, 640, 2560, 9, "my BERT"),
}
"""The sizes V, P, S, H, F and L of models, and a common name for each, by title."""


@dataclass(frozen=True)
class Summand:
    """A summand: its names in English, Chinese and German, its products, and words that mention it in an answer."""

    english: str
    chinese: tuple[str, ...]
    german: tuple[str, ...]
    products: tuple[tuple[int | str, ...], ...]
    mention: str
    is_in_layer: bool = False

    def value(self, sizes: dict[str, int]) -> int:
        """The number of parameters; per layer if the summand is in the layers."""
        return sum(product(factors, sizes) for factors in self.products)


def product(factors: tuple[int | str, ...], sizes: dict[str, int]) -> int:
    """The product of numbers and of sizes given by their letters."""
    number = 1
    for factor in factors:
        number *= sizes[factor] if isinstance(factor, str) else factor
    return number


SUMMANDS = [
    Summand(
        "word embeddings",
        ("词嵌入", "词向量", "Token嵌入", "词元嵌入", "词表嵌入"),
        ("Worteinbettungen", "Wort-Embeddings", "Wortvektoren", "Token-Einbettungen", "Einbettungsmatrix der Wörter"),
        (("V", "H"),),
        "word embeddings",
    ),
    Summand(
        "position embeddings",
        ("位置嵌入", "位置编码", "位置向量", "位置嵌入矩阵"),
        ("Positionseinbettungen", "Positions-Embeddings", "Positionskodierung", "Positionsvektoren"),
        (("P", "H"),),
        "position embeddings",
    ),
    Summand(
        "segment embeddings",
        ("段嵌入", "句子嵌入", "分段嵌入", "片段嵌入", "类型嵌入"),
        ("Segmenteinbettungen", "Segment-Embeddings", "Satzeinbettungen", "Token-Typ-Einbettungen"),
        ((2, "H"),),
        "segment embeddings",
    ),
    Summand(
        "embedding LayerNorm",
        ("嵌入层 LayerNorm", "嵌入层归一化", "嵌入后的层归一化"),
        ("LayerNorm der Einbettungen", "Normalisierung der Einbettungen", "Einbettungs-LayerNorm"),
        ((2, "H"),),
        "embeddings' LayerNorm",
    ),
    Summand(
        "Q, K, V",
        ("Q、K、V", "查询、键和值", "QKV 矩阵"),
        ("Q, K, V", "Abfrage, Schlüssel und Wert", "Anfrage-, Schlüssel- und Wertematrix"),
        ((3, "H", "H"), (3, "H")),
        "query, key and value",
        True,
    ),
    Summand(
        "output projection",
        ("输出投影", "输出矩阵", "输出变换", "注意力输出层"),
        ("Ausgabeprojektion", "Ausgangsprojektion", "Output-Projektion", "Ausgabematrix der Aufmerksamkeit"),
        (("H", "H"), ("H",)),
        "output projection",
        True,
    ),
    Summand(
        "attention LayerNorm",
        ("注意力 LayerNorm", "注意力后的层归一化", "第一个层归一化"),
        ("LayerNorm nach der Aufmerksamkeit", "erste Normalisierung", "Schichtnormalisierung nach der Aufmerksamkeit"),
        ((2, "H"),),
        "LayerNorm after attention",
        True,
    ),
    Summand(
        "FFN up",
        ("前馈第一层", "升维层", "前馈网络的第一个线性层", "第一层全连接"),
        (
            "erste Schicht des Vorwärtsnetzes",
            "erste vollverbundene Schicht",
            "Zwischenschicht",
            "erste FFN-Matrix mit Bias",
        ),
        (("H", "F"), ("F",)),
        "first dense layer",
        True,
    ),
    Summand(
        "FFN down",
        ("前馈第二层", "降维层", "前馈网络的第二个线性层", "第二层全连接"),
        ("zweite Schicht des Vorwärtsnetzes", "zweite vollverbundene Schicht", "zweite FFN-Matrix mit Bias"),
        (("F", "H"), ("H",)),
        "second dense layer",
        True,
    ),
    Summand(
        "FFN LayerNorm",
        ("前馈 LayerNorm", "前馈后的层归一化", "第二个层归一化"),
        ("LayerNorm nach dem Vorwärtsnetz", "zweite Normalisierung", "zweite LayerNorm"),
        ((2, "H"),),
        "LayerNorm after the feed-forward network",
        True,
    ),
    Summand("pooler", ("池化层", "池化", "Pooler层"), ("Pooler", "Pooling-Schicht"), (("H", "H"), ("H",)), "pooler"),
]
"""The summands of a correct sum, in the order of the model."""


@dataclass
class SumText:
    """The text of a sum, with the facts that the scripts should find in it.

    Attributes:
        text: the sum.
        style: the style in which it is written, one of `STYLES`.
        fault: the kind of fault, one of `FAULTS`.
        title: the title of the counted model; "" for one that is not published.
        right_total: the total without the fault.
        total: the total that the text states.
        effects: the effect of each fault on the total, in ascending order; empty if none has any.
        mention: words that the answer must contain; "" if any will do.
    """

    text: str
    style: str
    fault: str
    title: str
    right_total: int
    total: int
    effects: list[int] = field(default_factory=list)
    mention: str = ""


@dataclass
class SumContents:
    """The summands of a sum, with the error in each number that is mistyped."""

    summands: list[Summand]
    sizes: dict[str, int]
    slips: dict[str, int]

    def number(self, summand: Summand) -> int:
        """The number that is written for a summand."""
        return summand.value(self.sizes) + self.slips.get(summand.english, 0)

    def layer_total(self) -> int:
        """The sum of the written numbers in one layer."""
        return sum(self.number(summand) for summand in self.summands if summand.is_in_layer)

    def total(self) -> int:
        """The sum of all written numbers, counting every layer."""
        outside_layers = sum(self.number(summand) for summand in self.summands if not summand.is_in_layer)
        return outside_layers + self.sizes["L"] * self.layer_total()

    def lines(self, line: Callable[[Summand], str]) -> tuple[list[str], list[str], list[str]]:
        """A line for each summand: those of the embeddings, those of one layer and those of the pooler."""
        pooler = [summand for summand in self.summands if summand.english == "pooler"]
        in_layer = [summand for summand in self.summands if summand.is_in_layer]
        embeddings = [summand for summand in self.summands if summand not in pooler and summand not in in_layer]
        return list(map(line, embeddings)), list(map(line, in_layer)), list(map(line, pooler))


def with_separator(number: int, separator: str) -> str:
    """A number with `separator` as its thousands separator."""
    return f"{number:,}".replace(",", separator)


def products_in_numbers(summand: Summand, sizes: dict[str, int], times: str) -> str:
    """The products of a summand, in numbers."""
    return " + ".join(
        times.join(str(sizes[factor] if isinstance(factor, str) else factor) for factor in factors)
        for factors in summand.products
    )


def products_in_letters(summands: list[Summand], times: str) -> str:
    """The products of several summands, in letters."""
    return " + ".join(times.join(map(str, factors)) for summand in summands for factors in summand.products)


def in_lines(contents: SumContents, name: str, random: Random) -> str:
    """A line for each summand, with a subtotal for one layer."""
    separator, times = random.choice([",", "", "."]), random.choice([" * ", " × ", " x ", "*", "·"])
    bullet = random.choice(["", "- ", "* ", "• "])
    sizes, layers = contents.sizes, contents.sizes["L"]

    def line(summand: Summand) -> str:
        """The line for a summand."""
        number = with_separator(contents.number(summand), separator)
        return f"{bullet}{summand.english}: {products_in_numbers(summand, sizes, times)} = {number}"

    embedding_lines, layer_lines, pooler_lines = contents.lines(line)
    layer_total = with_separator(contents.layer_total(), separator)
    encoder_total = with_separator(layers * contents.layer_total(), separator)
    all_layers = f"{layers} layers: {layers}{times}{layer_total} = {encoder_total}"
    total = f"{random.choice(['Total', 'Together', 'Sum'])}: {with_separator(contents.total(), separator)}"
    return "\n".join(
        [
            name,
            *embedding_lines,
            "One layer:",
            *layer_lines,
            f"one layer = {layer_total}",
            all_layers,
            *pooler_lines,
            total,
        ]
    )


def in_chinese(contents: SumContents, name: str, random: Random) -> str:
    """A line for each summand in Chinese, without a subtotal for one layer."""
    times = random.choice(["*", "×", " × "])
    sizes, layers = contents.sizes, contents.sizes["L"]

    def line(summand: Summand) -> str:
        """The line for a summand."""
        label = f"{'每层' if summand.is_in_layer else ''}{random.choice(summand.chinese)}"
        return f"{label}：{products_in_numbers(summand, sizes, times)} = {contents.number(summand)}"

    embedding_lines, layer_lines, pooler_lines = contents.lines(line)
    encoder = f"{layers} 层一共 {layers * contents.layer_total()}"
    total = f"总计：{contents.total()}"
    return "\n".join([f"{name} 参数量", *embedding_lines, *layer_lines, encoder, *pooler_lines, total])


def in_german(contents: SumContents, name: str, random: Random) -> str:
    """A line for each summand in German, with a subtotal for one layer."""
    times = random.choice(["·", " · ", " × "])
    sizes, layers = contents.sizes, contents.sizes["L"]

    def line(summand: Summand) -> str:
        """The line for a summand."""
        number = with_separator(contents.number(summand), ".")
        return f"{random.choice(summand.german)}: {products_in_numbers(summand, sizes, times)} = {number}"

    embedding_lines, layer_lines, pooler_lines = contents.lines(line)
    one_layer = f"Summe je Schicht: {with_separator(contents.layer_total(), '.')}"
    encoder = f"{layers} Schichten: {with_separator(layers * contents.layer_total(), '.')}"
    total = f"{random.choice(['Summe', 'Gesamt', 'Zusammen'])}: {with_separator(contents.total(), '.')}"
    return "\n".join(
        [f"{name} Parameter", *embedding_lines, "Eine Schicht:", *layer_lines, one_layer, encoder, *pooler_lines, total]
    )


def on_one_line(contents: SumContents, name: str, random: Random) -> str:
    """All summands on one line. Those in the layers are multiplied by the number of layers."""
    separator = random.choice([",", ""])
    sizes, layers = contents.sizes, contents.sizes["L"]
    pieces = []
    for summand in contents.summands:
        formula = products_in_numbers(summand, sizes, " * ")
        number = contents.number(summand) * (layers if summand.is_in_layer else 1)
        term = f"{layers} * ({formula})" if summand.is_in_layer else formula
        pieces.append(f"{summand.english} {term} = {with_separator(number, separator)}")
    return f"{name}: {'; '.join(pieces)}; total {with_separator(contents.total(), separator)}"


def as_formula(contents: SumContents, name: str, random: Random) -> str:
    """A single formula in letters, after the sizes."""
    times = random.choice(["*", "·", " * "])
    sizes = contents.sizes
    outside_layers = products_in_letters([summand for summand in contents.summands if not summand.is_in_layer], times)
    layer_formula = products_in_letters([summand for summand in contents.summands if summand.is_in_layer], times)
    assignments = ", ".join(f"{letter} = {sizes[letter]}" for letter in "VPHFL")
    return f"{name}: {assignments}\nN = {outside_layers} + L{times}({layer_formula}) = {contents.total()}"


def as_labelled_numbers(contents: SumContents, name: str, random: Random) -> str:
    """Numbers with labels, but without products."""
    separator = random.choice([",", ".", " "])
    layers = contents.sizes["L"]
    labels = [f"{summand.english}{' in each layer' if summand.is_in_layer else ''}" for summand in contents.summands]
    numbers = [with_separator(contents.number(summand), separator) for summand in contents.summands]
    lines = [f"{label}: {number}" for label, number in zip(labels, numbers, strict=True)]
    return "\n".join([name, *lines, f"Total with {layers} layers: {with_separator(contents.total(), separator)}"])


def in_code(contents: SumContents, name: str, random: Random) -> str:
    """Lines of code that assign each summand to a variable, and add up the variables."""
    sizes, layers = contents.sizes, contents.sizes["L"]
    names = {summand.english: re.sub(r"\W+", "_", summand.english.lower()) for summand in contents.summands}
    times = random.choice(["*", " * "])
    lines = [
        f"{names[summand.english]} = {products_in_numbers(summand, sizes, times)}" for summand in contents.summands
    ]
    layer_formula = " + ".join(names[summand.english] for summand in contents.summands if summand.is_in_layer)
    outside_layers = " + ".join(names[summand.english] for summand in contents.summands if not summand.is_in_layer)
    lines += [f"layer = {layer_formula}", f"total = {outside_layers} + {layers} * layer = {contents.total()}"]
    return "\n".join([f"# {name}", *lines])


def in_latex(contents: SumContents, name: str, random: Random) -> str:
    """Equations in LaTeX."""
    layers, sizes = contents.sizes["L"], contents.sizes
    times = random.choice([r" \times ", r" \cdot "])

    def in_braces(number: int) -> str:
        """A number with commas in braces, which keep LaTeX from adding spaces after them."""
        return f"{number:,}".replace(",", "{,}")

    def line(summand: Summand) -> str:
        """The line for a summand."""
        number = in_braces(contents.number(summand))
        return rf"\text{{{summand.english}}} &= {products_in_numbers(summand, sizes, times)} = {number}\\"

    embedding_lines, layer_lines, pooler_lines = contents.lines(line)
    one_layer = rf"\text{{one layer}} &= {in_braces(contents.layer_total())}\\"
    equation = rf"{layers} \cdot {in_braces(contents.layer_total())} = {in_braces(layers * contents.layer_total())}"
    encoder = rf"\text{{{layers} layers}} &= {equation}\\"
    total = rf"\text{{total}} &= {in_braces(contents.total())}"
    return "\n".join(
        [
            name,
            r"\begin{align*}",
            *embedding_lines,
            *layer_lines,
            one_layer,
            encoder,
            *pooler_lines,
            total,
            r"\end{align*}",
        ]
    )


STYLES: dict[str, Callable[[SumContents, str, Random], str]] = {
    "lines": in_lines,
    "Chinese": in_chinese,
    "German": in_german,
    "one line": on_one_line,
    "formula": as_formula,
    "parts": as_labelled_numbers,
    "code": in_code,
    "LaTeX": in_latex,
}
"""The functions that write a sum, by style."""


def plant_fault(summands: list[Summand], fault: str, random: Random) -> tuple[list[Summand], str]:
    """The summands with a fault, and words that an answer should contain; unchanged, with "", for "none"."""
    index = random.randrange(len(summands))
    summand = summands[index]
    if fault == "dropped":
        return [*summands[:index], *summands[index + 1 :]], summand.mention
    if fault == "bias dropped":
        index = random.choice([index for index, summand in enumerate(summands) if len(summand.products) > 1])
        summand = summands[index]
        summand_without_bias = Summand(
            summand.english,
            summand.chinese,
            summand.german,
            summand.products[:1],
            summand.mention,
            summand.is_in_layer,
        )
        return [*summands[:index], summand_without_bias, *summands[index + 1 :]], "bias"
    if fault == "two matrices":
        index = next(index for index, summand in enumerate(summands) if summand.english == "Q, K, V")
        summand = summands[index]
        products = ((2, "H", "H"), (2, "H"))
        two_matrices = Summand(summand.english, summand.chinese, summand.german, products, summand.mention, True)
        return [*summands[:index], two_matrices, *summands[index + 1 :]], ""
    return summands, ""


FAULTS = ("none", "dropped", "bias dropped", "two matrices", "slip", "dropped and slip")
"""The kinds of faults, and "none"; "dropped and slip" are two faults."""


def random_slip(number: int, random: Random) -> int:
    """The change in a number when a random digit other than the first one is mistyped."""
    digits = list(str(number))
    index = random.randrange(1, len(digits))
    digits[index] = random.choice([digit for digit in "0123456789" if digit != digits[index]])
    return int("".join(digits)) - number


def draw_sum(random: Random) -> SumText:
    """A random sum, with at most two faults."""
    title = random.choice([*MODELS])
    *numbers, name = MODELS[title]
    sizes = dict(zip("VPSHFL", numbers, strict=True))
    style, fault = random.choice([*STYLES]), random.choice(FAULTS)
    while style in ("formula", "code") and "slip" in fault:  # in these styles, summands have no numbers
        fault = random.choice(FAULTS)
    right_total = SumContents(SUMMANDS, sizes, {}).total()
    summands, mention = SUMMANDS, ""
    effects = []
    if fault != "slip":
        summands, mention = plant_fault(SUMMANDS, fault.partition(" and ")[0], random)
        effects = [SumContents(summands, sizes, {}).total() - right_total]
    contents = SumContents(summands, sizes, {})
    if "slip" in fault:
        summand = random.choice(summands)
        slip = random_slip(summand.value(sizes), random)
        contents.slips[summand.english] = slip
        effects.append(slip * (sizes["L"] if summand.is_in_layer else 1))
    text = STYLES[style](contents, name, random)
    return SumText(text, style, fault, title, right_total, contents.total(), sorted(filter(None, effects)), mention)
