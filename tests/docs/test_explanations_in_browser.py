"""The scripts that count and explain in the browser say what the engine says."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from macros.counting.bridges import bridge
from macros.counting.explanations import Explanation, Part, explain, known, parts
from macros.counting.mistakes import Counted, load_mistakes
from macros.counting.printed import read_printed
from macros.counting.search import spaces
from playwright.sync_api import Browser, Page, Route

from macros.counting import MODEL_CLASSES, BadNumber, count, load_models, model_named

CHANCE = 20181011
"""Seeds the samples: each run compares the same numbers."""

LARGEST_IN_SCRIPTS = 2**53 - 1
"""Beyond it a bound is cut: no model is so large."""

PAGE = "disagreements/i-got.html"


def with_scripts(page: Page, address: str) -> None:
    """Open the page and wait for its scripts, which come once the page is there."""
    page.goto(f"{address}/{PAGE}")
    page.get_by_role("button", name="Explain").wait_for()  # the last of them puts it there


@pytest.fixture(scope="module")
def scripts(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which the scripts are loaded."""
    opened = browser.new_context()
    page = opened.new_page()
    with_scripts(page, address)
    yield page
    opened.close()


def totals(chance: random.Random) -> Iterator[str]:
    """Totals, right and with up to three mistakes."""
    for space in chance.sample(spaces(), 30):
        found = list(space.sets())
        yield str(found[0][0])
        yield f"{chance.choice(found[1:40])[0]:,}"
        for number, _ in chance.sample(found, 2):
            yield str(number)


def parts_and_tensors(chance: random.Random) -> Iterator[str]:
    """Sizes of parts, right and with a mistake; numbers of tensors; heads with other labels."""
    models = list(load_models().values())
    for model_class, part in chance.sample(parts(), 30):
        model = chance.choice(models)
        yield str(count(model, part.path, part.tag, model_class=model_class))
    for name in ("output-projection-per-head", "attention-one-layer", "norm-by-position"):
        mistake = load_mistakes()[name]
        wrong = Counted(chance.choice(models), "BertModel", (name,))
        yield str(wrong.of("bert/encoder", mistake.tag if mistake.tag == "self-attention" else ""))
    yield from ("0", "1", "2", "39", "199", "201", "391", "7078656", "49152", "196608")
    for labels in (3, 18, 150):
        yield str(count(chance.choice(models).resized(C=labels), model_class="BertForTokenClassification"))


def rounded(chance: random.Random) -> Iterator[str]:
    """Numbers with units, of parameters and of memory."""
    listed = [space.total for space in chance.sample(spaces(), 15)]
    listed += [chance.choice(list(space.sets(1)))[0] for space in chance.sample(spaces(), 15)]
    units = {"M": 10**6, " million": 10**6, "B": 10**9, "亿": 10**8, "万": 10**4, "k": 10**3}
    units |= {"MB": 10**6, " MiB": 2**20, "GiB": 2**30, "GB": 10**9}
    for number in listed:
        for unit, size in chance.sample(list(units.items()), 2):
            text = f"{number * chance.choice((1, 2, 4)) / size:.{chance.choice((0, 1, 2, 3))}f}"
            if float(text):  # nothing, with a unit, is any small number
                yield f"{text}{unit}"
        yield f"{4 * number} bytes"


def others(chance: random.Random) -> Iterator[str]:
    """Numbers near totals, and numbers that nothing gives."""
    for space in chance.sample(spaces(), 12):
        width = load_models()[space.models[0]].sizes["H"]
        yield str(space.total + chance.choice((-7, 3, 101 * width, -5 * width, width * width + width)))
    for _ in range(12):
        yield str(chance.randrange(10 ** chance.randrange(1, 13)))
    yield from ("9" * 100, "1000000000001", "999999999999", "0 M", "0 bytes", "0.0001M")


def drawn() -> list[str]:
    """Numbers of every kind, as readers type them."""
    chance = random.Random(CHANCE)  # noqa: S311 - drawing samples is no cryptography
    found = [*totals(chance), *parts_and_tensors(chance), *rounded(chance), *others(chance)]
    return list(dict.fromkeys([*found, *(str(each.number) for each in known())]))


def told(each: Explanation) -> dict[str, Any]:
    """An explanation as JSON has it."""

    def as_lists(listed: tuple[Part, ...]) -> list[list[Any]]:
        return [list(part) for part in listed]

    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in each._asdict().items()}
    return {**plain, "parts": as_lists(each.parts), "rest_parts": as_lists(each.rest_parts)}


EXPLAIN = """questions => {
  const part = ({ path, tag = "", share = false }) => [path, tag, share]
  const told = (each) => ({ ...each, parts: each.parts.map(part), rest_parts: each.rest_parts.map(part) })
  return questions.map(([text, model]) => bertCounted.explain(text, model).map(told))
}"""


def differing(page: Page, questions: list[tuple[str, str]]) -> list[str]:
    """The questions that script and engine answer differently, in what they find or in its order."""
    from_script = page.evaluate(EXPLAIN, [list(each) for each in questions])
    return [
        f"{text} {model}".strip()
        for (text, model), found in zip(questions, from_script, strict=True)
        if found != [told(each) for each in explained(text, model)]
    ]


@cache
def explained(text: str, model: str) -> list[Explanation]:
    """What the engine says, asked once."""
    return explain(text, model)


def test_script_and_engine_explain_alike(scripts: Page) -> None:
    """All explanations of some hundreds of numbers, in the same order."""
    questions = [(text, "") for text in drawn()]
    assert len(questions) > 250
    assert [] == differing(scripts, questions)
    kinds = {found[0].kind for text, model in questions if (found := explained(text, model))}
    assert {"total", "part", "tensors", "labels", "memory", "near"} == kinds


def test_script_and_engine_explain_alike_for_one_model(scripts: Page) -> None:
    """The same with a model chosen, which is often not the one that the number is of."""
    chance = random.Random(CHANCE)  # noqa: S311
    names = list(load_models())
    assert [] == differing(scripts, [(text, chance.choice(names)) for text in chance.sample(drawn(), 60)])


def fulfil(body: str, route: Route) -> None:
    """Answer a request for a script with another text."""
    route.fulfill(body=body, content_type="text/javascript")


def test_another_table_gives_other_explanations(browser: Browser, address: str, site: Path) -> None:
    """The comparison is no formality: a mistake, a model or a price that is another is told."""
    changes = {
        '"adds":"P, P"': '"adds":"P, P, P"',
        '"V":21128': '"V":21129',
        '"part":1': '"part":4',
        '"shape":"F H"': '"shape":"F F"',
    }
    right = (site / "data" / "table.js").read_text(encoding="utf-8")
    questions = [("109483264", ""), ("102267648", ""), ("590592", ""), ("109482240", "")]
    for change, question in zip(changes.items(), questions, strict=True):
        opened = browser.new_context()
        page = opened.new_page()

        assert change[0] in right
        wrong = right.replace(*change)
        page.route("**/table.js", partial(fulfil, wrong))
        with_scripts(page, address)
        assert differing(page, [question]), change
        opened.close()


# Forms that readers type, and what is none of them.
TYPED = [
    *("109,482,240", "109.482.240", "109 482 240", "109_482_240", "109'482'240", "１０９，４８２，２４０", "~110M"),
    *(
        "about 0.34 B",
        "1.1亿",
        "10948万",
        "110 million parameters",
        "417.6 MiB",
        "1,25 GB",
        "1.340.567",
        "0,5M",
        "1.234M",
    ),
    *("", " ", "many", "-1", "1e9", "1.5", "1.5.6M", "12 apples", "1constructor", "5toString", "1 2", "12M3"),
    *("<script>alert(1)</script>", "9" * 120, "9" * 121, "😀" * 60 + "9" * 60, "110M\n", "\ufeff7", "\x1c7", "٣", "²"),
]

READ = """texts => texts.map((text) => {
  const asked = bertCounted.read(text)
  return asked && [...bertCounted.bounds(asked), asked.ofMemory, asked.exact]
})"""


def as_read(text: str) -> list[Any] | None:
    """What the engine reads: bounds, whether it is memory, whether it is exact."""
    try:
        asked = read_printed(text)
    except BadNumber:
        return None
    return [min(bound, LARGEST_IN_SCRIPTS) for bound in asked.bounds()] + [asked.of_memory, asked.exact]


def test_numbers_are_read_alike(scripts: Page) -> None:
    """Every form, what is no number, and texts made of the same characters at random."""
    chance = random.Random(CHANCE)  # noqa: S311
    characters = "0123456789" * 2 + "., _'MKBmibkg亿万~-百"
    made = ["".join(chance.choices(characters, k=chance.randrange(1, 9))) for _ in range(2000)]
    from_script = scripts.evaluate(READ, TYPED + made)
    expected = [as_read(text) for text in TYPED + made]
    assert 300 < sum(each is not None for each in expected) < 1900
    assert [] == [
        (text, *both) for text, *both in zip(TYPED + made, from_script, expected, strict=True) if both[0] != both[1]
    ]


COUNT = (
    """questions => questions.map(([modelClass, sizes, asked]) => bertCounted.engine.count(modelClass, sizes, asked))"""
)


def test_any_model_is_counted_alike(scripts: Page) -> None:
    """Every class and part, with a mistake and without, for sizes that no released model has."""
    chance = random.Random(CHANCE)  # noqa: S311
    questions, expected = [], []
    for _ in range(25):
        heads = chance.randrange(1, 40)
        sizes = {letter: chance.randrange(1, 5000) for letter in "VPSF"}
        sizes |= {"A": heads, "H": heads * chance.randrange(1, 60), "L": chance.randrange(1, 60)}
        model = model_named("bert-base-uncased").resized(**sizes, C=chance.randrange(1, 300))
        for name in MODEL_CLASSES:
            questions.append([name, dict(model.sizes), {}])
            expected.append(count(model, model_class=name))
        for name, part in chance.sample(parts(), 20):
            questions.append([name, dict(model.sizes), {"path": part.path, "tag": part.tag}])
            expected.append(count(model, part.path, part.tag, model_class=name))
        for mistake in load_mistakes().values():
            if "/" not in mistake.factor:
                asked = {"mistakes": [mistake.name]}
                questions.append([mistake.model_class, dict(model.sizes), asked])
                expected.append(Counted(model, mistake.model_class, (mistake.name,)).number)
    assert expected == scripts.evaluate(COUNT, questions)


BRIDGE = """questions => questions.map(([modelClass, model, mistakes]) =>
  bertCounted.bridge(modelClass, bertCounted.engine.models.get(model).sizes, mistakes)
    .map((step) => [step.mistake, step.value, step.formula]))"""


def test_bridges_are_alike(scripts: Page) -> None:
    """Steps, values and formulas of sets of up to three mistakes, and of each alone."""
    chance = random.Random(CHANCE)  # noqa: S311
    wrong = [
        (space, places) for space in chance.sample(spaces(), 25) for _, places in chance.sample([*space.sets()], 12)
    ]
    questions = [(space.classes[-1], space.models[0], list(space.found(0, places).mistakes)) for space, places in wrong]
    questions += [(each.model_class, "bert-large-uncased", [each.name]) for each in load_mistakes().values()]
    questions += [(each.classes[0], each.models[0], list(each.mistakes)) for each in known()]
    from_script = scripts.evaluate(BRIDGE, [list(each) for each in questions])
    for (model_class, model, made), steps in zip(questions, from_script, strict=True):
        right = Counted(model_named(model), model_class)
        expected = bridge(right._replace(mistakes=tuple(made)), right)
        assert [[step.mistake, step.value, step.formula] for step in expected] == steps


MEASURE = """texts => texts.map((text) => {
  const start = performance.now()
  bertCounted.explain(text)
  return performance.now() - start
})"""


def test_answers_are_quick(browser: Browser, address: str) -> None:
    """The median, all models searched; a busy machine gets four times the promised 50 milliseconds."""
    opened = browser.new_context()
    page = opened.new_page()
    with_scripts(page, address)
    times = page.evaluate(MEASURE, drawn()[:100])
    assert statistics.median(times) < 200, times
    opened.close()
