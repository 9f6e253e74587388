"""Measures the figures of the built site: all lengths and positions must be proportional to the values.

A drawing to scale carries its values in attributes. `data-full` is the value that fills the width. `data-from` and
`data-to` are the values at the ends of a bar. `data-value` is the number of parameters that an area represents, and
`data-unit` is the side of the square for one parameter. A panel, which magnifies part of a drawing, has its factor in
`data-times` and the value at its left edge in `data-origin`. The number in the title of a bar must equal its value.
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from bs4 import Tag

from macros.counting.memory import UNITS
from tests.docs import areas

MIN_WIDTH = 0.5
"""A percentage of the drawing's width. A thinner bar is less than two pixels wide on a phone, and must be marked."""

TOLERANCE = 0.0002
"""The allowed error of a position, as a percentage. Positions have four decimals."""

PIXEL_TOLERANCE = 0.01
"""The allowed error of a position, in pixels. Adjacent boxes may overlap by this much, as positions are rounded."""

AREA_TOLERANCE = 0.0001
"""The allowed relative error of an area."""

HALF_A_DIGIT = 4.5
"""The distance in pixels from the baseline to the middle of a digit, as in `macros/rendering/figures/example.py`."""

TO_SCALE = {"bars": "[data-full]", "drawing": "[data-unit]", "map": ":has([data-value])"}
"""The kinds of drawings, each with a selector that matches a drawing to scale."""

CLAIM = re.compile(r"\bto (one |the same )?scale\b", re.IGNORECASE)
"""A claim that a figure is to scale."""

STEPS = ("added", "taken")
"""The styles of the steps from one total to another."""

MEANINGS = {
    "embeddings": {"embeddings"},
    "self-attention": {"self-attention", "self-attention, all layers"},
    "feed-forward": {"feed-forward", "feed-forward, all layers"},
    "encoder-norms": {"encoder LayerNorms"},
    "pooler": {"pooler"},
    "cell": {"everything else", "frozen"},
    "added": {"added"},
    "taken": {"taken away"},
    "total": {"totals", "weights, gradients and Adam"},
}
"""The labels that each style may have in the legends of the site."""

COLOUR_CLASSES = [f"bc-{style}" for style in MEANINGS]
"""The classes of boxes with these styles."""

STYLE_BY_TITLE = {
    r"feed-forward|intermediate|dense layer": "feed-forward",
    r"self-attention|query|key|value|output projection|head \d+:": "self-attention",
    r"_embeddings|embeddings:": "embeddings",
    r"pooler:": "pooler",
    r"encoder LayerNorms": "encoder-norms",
    r"^MLM": "mlm-head",
    r"^next sentence": "nsp-head",
}
"""Patterns for titles, each with the style that a bar or box with a matching title must have."""

PATH_WORDS = ("query", "key", "value", "intermediate", "LayerNorm")
"""Words that occur both in the titles and in the paths of parts."""


def faults_of(figure: Tag) -> list[str]:
    """A description of each fault of a figure: anything that contradicts its values or its words."""
    drawing = figure.svg
    assert drawing
    kind = _style(drawing)
    is_to_scale = kind in TO_SCALE and drawing in figure.select(f"svg{TO_SCALE[kind]}")
    problems = [*_false_claims(figure, is_to_scale), *_shape_faults(figure), *_arrow_faults(drawing)]
    if is_to_scale:
        for rule in RULES[kind]:
            problems += rule(drawing)
    return problems


def bars_of(drawing: Tag) -> list[Tag]:
    """The bars at the scale of the drawing, that is, all except those in panels."""
    return [bar for bar in drawing.select("[data-from]") if not bar.find_parent(attrs={"data-times": True})]


def ends(bar: Tag) -> tuple[int, int]:
    """The values at which a bar starts and ends."""
    return int(str(bar["data-from"])), int(str(bar["data-to"]))


def value(bar: Tag) -> int:
    """The signed value of a bar."""
    return ends(bar)[1] - ends(bar)[0]


def number_in(text: str) -> int:
    """The last whole number in a text, with its sign.

    >>> number_in("head 0: 768 × 64 = 49,152"), number_in("the pooler: −590,592")
    (49152, -590592)
    """
    numbers = re.findall(r"[+−]?\d[\d,]*", text)
    return int(str(numbers[-1]).replace(",", "").replace("−", "-"))


def _style(tag: Tag) -> str:
    """The style of an element: the class for its kind or colour, without prefix and modifiers."""
    return next(name for name in tag["class"] if name != "bc-area").removeprefix("bc-").removesuffix("-soft")


def _title(tag: Tag) -> str:
    """The title of an element, which screen readers announce, or "" if it has none."""
    return tag.title.get_text() if tag.title else ""


def _per_cent(tag: Tag, key: str) -> float:
    """The number in an attribute that is a percentage. A missing attribute is 0, as in SVG."""
    return float(str(tag.get(key, "0")).removesuffix("%"))


def _scale(bar: Tag) -> tuple[float, float]:
    """The value at the left edge, and the value of the full width, of the panel or drawing that contains a bar."""
    panel = bar.find_parent(attrs={"data-times": True})
    scaled_parent = bar.find_parent(attrs={"data-full": True})
    assert scaled_parent
    full_value = int(str(scaled_parent["data-full"]))
    if panel is None:
        return 0, full_value
    return float(str(panel["data-origin"])), full_value / int(str(panel["data-times"]))


def _false_claims(figure: Tag, is_to_scale: bool) -> Iterator[str]:
    """Check that no words claim that a figure is to scale if its drawing is not."""
    words = " ".join(text.get_text() for text in figure.select("figcaption, svg > title, svg > desc"))
    if CLAIM.search(words) and not is_to_scale:
        yield f"says that it is to scale, but carries no values: {words[:60]}"


SHAPE_IN_WORDS = re.compile(r"\b([A-Z])\b[^.;:×]*?([\d,]*\d) (?:×|by) ([\d,]*\d)")
"""A letter and the shape that the words after it give to its matrix, as in "A is 768 × 8" and "A, 768 by 8"."""


def _shape_faults(figure: Tag) -> Iterator[str]:
    """Check that the words about a matrix with a letter give it the shape in which it is drawn, as (in, out)."""
    for box in figure.select("svg[data-unit] [data-value]"):
        drawing = box.find_parent("svg")
        assert drawing
        sizes = [float(str(box[side])) / float(str(drawing["data-unit"])) for side in ("height", "width")]
        for text in figure.select("figcaption, svg > desc"):
            for letter, *words in SHAPE_IN_WORDS.findall(text.get_text()):
                sizes_in_words = list(map(number_in, words))
                if _title(box).startswith(f"{letter}: ") and sizes_in_words != list(map(round, sizes)):
                    yield f"{letter} is drawn as {sizes}, but the words say {sizes_in_words}"


def _legend_faults(drawing: Tag) -> Iterator[str]:
    """Check that a legend has exactly the styles of the drawing, with the labels that `MEANINGS` allows."""
    figure = drawing.parent
    assert figure
    keys = [(_style_of_key(key), key.parent.get_text()) for key in figure.select(".bc-legend .bc-key") if key.parent]
    for style, words in keys:
        if words not in MEANINGS.get(style, {words}):
            yield f"the key of {style} says {words}"
    styles = {_style(mark) for mark in figure.select("svg [data-from], svg [data-value]")}
    styles_in_legend = {style for style, _ in keys}
    if keys and styles_in_legend != styles:
        yield f"the legend has {sorted(styles_in_legend)}, the drawing has {sorted(styles)}"


def _style_of_key(key: Tag) -> str:
    """The style of a key in a legend, from its class."""
    return next(name for name in key["class"] if name != "bc-key").removeprefix("bc-")


def _colour_faults(drawing: Tag) -> Iterator[str]:
    """Check that steps have the styles of their signs, and that bars and boxes for parts have those of the parts."""
    for mark in drawing.select("[data-from], [data-value]"):
        style, title = _style(mark), _title(mark)
        expected = {style_of_part for pattern, style_of_part in STYLE_BY_TITLE.items() if re.search(pattern, title)}
        if style not in (*STEPS, "total", *expected) and expected:
            yield f"{title} has the colour of {style}"
        if style in STEPS and (value(mark) > 0) != (style == "added"):
            yield f"{title} is drawn as {style}"


def _bar_faults(drawing: Tag) -> Iterator[str]:
    """Check that the position and length of every bar match its values, and that its title gives its number."""
    for bar in drawing.select("[data-from]"):
        origin, full_value = _scale(bar)
        left, width = 100 * (min(ends(bar)) - origin) / full_value, 100 * abs(value(bar)) / full_value
        if abs(left - _per_cent(bar, "x")) > TOLERANCE or abs(width - _per_cent(bar, "width")) > TOLERANCE:
            yield f"{_title(bar)}: starts at {bar['x']}, {bar['width']} wide, not at {left:.4f}%, {width:.4f}% wide"
        if left < -TOLERANCE or left + width > 100 + TOLERANCE:
            yield f"{_title(bar)}: extends beyond the drawing"
        if number_in(_title(bar)) != value(bar):
            yield f"{_title(bar)}: is drawn as {value(bar)}"


def _neighbour_faults(drawing: Tag) -> Iterator[str]:
    """Check that the pieces of a row follow one another from zero, and that steps lead from total to total.

    The pieces of a row with a scale of its own must fill its width.
    """
    bars = bars_of(drawing)
    if any(_style(bar) in STEPS for bar in bars):
        for first, second in pairwise(bars):
            expected = (0, ends(first)[1]) if _style(second) == "total" else (ends(first)[1], ends(second)[1])
            if ends(second) != expected:
                yield f"{_title(second)}: is drawn at {ends(second)}, not at {expected}"
        return
    for row in drawing.find_all("g", recursive=False):
        position = 0
        full_value = row.get("data-full")
        for bar in row.select("[data-from]"):
            if ends(bar)[0] != position:
                yield f"{_title(bar)}: starts at {ends(bar)[0]}, not at the end of the previous piece, {position}"
            position = ends(bar)[1]
        if full_value is not None and position != int(str(full_value)):
            yield f"{_title(row)}: the pieces end at {position}, not at the full width"


NUMBER_ABOVE = re.compile(rf"([+−]?\d[\d,.]*)(%| (?:{'|'.join(UNITS)})\b)?")
"""A number above bars, with its unit."""


def _note_faults(drawing: Tag) -> Iterator[str]:
    """Check that each number above bars is the bars' total in its unit, and each percentage the first bar's share.

    A number of trainable parameters leaves out the last bar, which represents everything else.
    """
    values: dict[tuple[int, int], list[int]] = {}
    notes: list[str] = []
    for mark in drawing.select("text.bc-figures, [data-from]"):
        if mark.name == "text":
            notes.append(mark.get_text())
        else:
            key = len(notes) - 1, id(mark.find_parent(attrs={"data-times": True}))
            values.setdefault(key, []).append(value(mark))
    for (index, _), bar_values in values.items():
        total = sum(bar_values[:-1] if notes[index].endswith(" trained") else bar_values)
        note = re.sub(r"  \(.*\)", "", notes[index])  # a step in a bridge names its part in parentheses
        for number, unit in NUMBER_ABOVE.findall(note):
            expected = f"{total:,}"
            if unit:
                expected = (
                    f"{100 * bar_values[0] / total:.1f}" if unit == "%" else f"{total / UNITS[unit.strip()]:,.1f}"
                )
            if number.lstrip("+").replace("−", "-") != expected:
                yield f"{note} is printed above bars of {total}"


def _mark_faults(drawing: Tag) -> Iterator[str]:
    """Check that a bar too thin to see has a mark at its middle, or is drawn again in a panel."""
    magnified_ends = {ends(bar) for bar in drawing.select("[data-times] [data-from]")}
    for bar in drawing.select("[data-from]"):
        panel = bar.find_parent(attrs={"data-times": True})
        width = 100 * abs(value(bar)) / _scale(bar)[1]
        if width >= MIN_WIDTH or (panel is None and ends(bar) in magnified_ends):
            continue
        middle = _per_cent(bar, "x") + width / 2
        row = panel or bar.parent
        assert row
        if not any(abs(_per_cent(mark, "x") - middle) < TOLERANCE for mark in row.select(".bc-caret")):
            yield f"{_title(bar)}: is only {width:.4f}% wide, but not marked"


def _panel_faults(drawing: Tag) -> Iterator[str]:
    """Check that a panel magnifies its frame by the factor that it states.

    The frame must not cross a text, and every bar in the panel must also be drawn outside the panel.
    """
    panels, frames = drawing.select("[data-times]"), drawing.select(".bc-window")
    if len(panels) != len(frames):
        yield f"{len(panels)} panels for {len(frames)} frames"
    for panel, frame in zip(panels, frames, strict=False):
        times = number_in(panel.select("text")[0].get_text())
        width = _per_cent(frame, "width")
        if abs(width - 100 / times) > TOLERANCE:
            yield f"says magnified {times} times, but the frame is magnified {100 / width:.1f} times"
        top, height = (float(str(frame[key])) for key in ("y", "height"))
        texts = [text for text in drawing.select("text") if top < float(str(text["y"])) < top + height]
        yield from (f"{text.get_text()}: is crossed by a frame" for text in texts)
        bars_by_ends = {ends(bar): bar for bar in bars_of(drawing)}
        for bar in panel.select("[data-from]"):
            if ends(bar) not in bars_by_ends:
                yield f"{_title(bar)}: is only in the panel"
            elif abs(times * _per_cent(bars_by_ends[ends(bar)], "width") - _per_cent(bar, "width")) > times * TOLERANCE:
                yield f"{_title(bar)}: is not magnified {times} times"
        origin, full_value = _scale(panel.select("[data-from]")[0])
        full_value_of_drawing = int(str(drawing["data-full"]))
        if abs(_per_cent(frame, "x") - 100 * origin / full_value_of_drawing) > TOLERANCE:
            yield f"the frame starts at {frame['x']}, but the panel at the value {origin}"
        for text in panel.select("text[x$='%'].bc-small"):
            from_left = 100 * (number_in(text.get_text()) - origin) / full_value
            if abs(from_left - _per_cent(text, "x")) > TOLERANCE:
                yield f"{text.get_text()} is printed at {text['x']}, not at {from_left:.4f}%"


def _edge_faults(drawing: Tag) -> Iterator[str]:
    """Check that no text at the left or right edge of the drawing is anchored so that it extends outwards."""
    outward_anchors = {"0": "end", "0%": "end", "100%": "start"}
    for text in drawing.select("text[x]"):
        if text.get("text-anchor", "start") == outward_anchors.get(str(text["x"])):
            yield f"{text.get_text()}: extends beyond the drawing"


def _letter_faults(drawing: Tag) -> Iterator[str]:
    """Check that boxes whose titles begin with a letter are labelled with the same letters, in the same order."""
    titles = [_title(box) for box in drawing.select("[data-value]")]
    letters = [title[0] for title in titles if re.match(r"[A-Z]: ", title)]
    labels = [text.get_text() for text in drawing.select("text") if re.fullmatch("[A-Z]", text.get_text())]
    if letters and labels != letters:
        yield f"the boxes {letters} are labelled {labels}"


def _area_faults(drawing: Tag) -> Iterator[str]:
    """Check that boxes match their values in area and title and do not overlap, and that coloured boxes have values."""
    unit = float(str(drawing["data-unit"]))
    edges = []
    for box in drawing.select("[data-value]"):
        x, y, width, height = (float(str(box[key])) for key in ("x", "y", "width", "height"))
        edges.append((x, y, x + width, y + height))
        count = int(str(box["data-value"]))
        if abs(width * height / unit**2 / count - 1) > AREA_TOLERANCE:
            yield f"{_title(box)}: has an area of {width * height / unit**2:.0f}"
        if number_in(_title(box)) != count:
            yield f"{_title(box)}: is drawn as {count}"
    for first, second in combinations(edges, 2):
        across, down = (min(first[axis + 2], second[axis + 2]) - max(first[axis], second[axis]) for axis in (0, 1))
        if min(across, down) > PIXEL_TOLERANCE:
            yield f"{first} overlaps {second}"
    for box in drawing.select("svg.bc-area:not([data-value])") + drawing.find_all("rect", class_=COLOUR_CLASSES):
        yield f"{_title(box)}: carries no value"


def _part_faults(drawing: Tag) -> Iterator[str]:
    """Check that a box represents the part in its title, and that a number next to a box is also in its title."""
    boxes = drawing.select("[data-part]:has(> title)")
    for box in boxes:
        words = [word for word in PATH_WORDS if word in _title(box)]
        if words and not all(f"/{word}" in str(box["data-part"]) for word in words):
            yield f"{_title(box)}: represents {box['data-part']}"
    middles = {float(str(box["y"])) + float(str(box["height"])) / 2: box for box in boxes}
    for text in drawing.select("text"):
        middle = float(str(text["y"])) - HALF_A_DIGIT
        neighbour = next((box for y, box in middles.items() if abs(y - middle) < PIXEL_TOLERANCE), None)
        if (
            neighbour
            and text.get_text().isdigit()
            and text.get_text() not in _title(neighbour).partition(":")[0].split()
        ):
            yield f"{text.get_text()} is printed next to {_title(neighbour)}"


Point = tuple[float, float]
"""A point of a drawing, in pixels from the left and from the top."""

Edges = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a shape."""


def _points(path: Tag) -> list[Point]:
    """The points through which a path leads, with straight lines between them."""
    x = y = 0.0
    points = []
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", str(path["d"]).removesuffix("z")):
        numbers = [float(number) for number in text.split()]
        start_x, start_y = (x, y) if command.islower() else (0, 0)
        match command.lower():
            case "m" | "l":
                x, y = start_x + numbers[0], start_y + numbers[1]
            case "h":
                x = start_x + numbers[0]
            case "v":
                y = start_y + numbers[0]
            case _:
                raise AssertionError(command)
        points.append((x, y))
    return points


def _shapes(drawing: Tag) -> list[Edges]:
    """The edges of the rectangles, areas and circles of a drawing that have a position in pixels."""
    shapes = []
    for box in drawing.select(":is(rect, svg)[x][width]"):
        if not any("%" in str(box[key]) for key in ("x", "y", "width", "height")):
            x, y, width, height = (float(str(box[key])) for key in ("x", "y", "width", "height"))
            shapes.append((x, y, x + width, y + height))
    for circle in drawing("circle"):
        x, y, radius = (float(str(circle[key])) for key in ("cx", "cy", "r"))
        shapes.append((x - radius, y - radius, x + radius, y + radius))
    return shapes


def _distance(point: Point, edges: Edges) -> float:
    """The distance from a point to the nearest edge of a shape, along an axis; negative within the shape."""
    (x, y), (left, top, right, bottom) = point, edges
    return max(left - x, x - right, top - y, y - bottom)


def _is_between(point: Point, ends: tuple[Point, Point]) -> bool:
    """Return whether a point is on a horizontal or vertical line between two others."""
    return all(
        min(coordinates) - PIXEL_TOLERANCE <= coordinate <= max(coordinates) + PIXEL_TOLERANCE
        for coordinate, coordinates in zip(point, zip(*ends, strict=True), strict=True)
    )


ARROWHEAD = 4
"""The distance in pixels from the end of an arrow's line to the tip of its head."""

GAP = 4
"""The largest distance in pixels between an arrow and the shape that it leaves or leads to."""


def _arrow_faults(drawing: Tag) -> Iterator[str]:
    """Check that an arrow leads from a shape or a line to the edge of a shape, and that its head continues its line.

    An arrow from the left of all shapes leads into the drawing, and an arrow to a point below all shapes leads out.
    """
    shapes = _shapes(drawing)
    for head in drawing.select("path.bc-head"):
        line = head.find_previous_sibling("path")
        assert line
        points = _points(line)
        tip, corner, *_ = _points(head)
        # A head is longer than half its width.
        points_down = tip[1] - corner[1] > tip[0] - corner[0]
        before_tip = (tip[0], tip[1] - ARROWHEAD) if points_down else (tip[0] - ARROWHEAD, tip[1])
        if max(abs(end - expected) for end, expected in zip(points[-1], before_tip, strict=True)) > PIXEL_TOLERANCE:
            yield f"the head at {tip} does not continue the line that ends at {points[-1]}"
        distances = [_distance(tip, shape) for shape in shapes]
        is_outgoing = all(tip[1] > bottom for _, _, _, bottom in shapes)
        if not is_outgoing and not any(-PIXEL_TOLERANCE <= distance <= GAP for distance in distances):
            yield f"the arrow to {tip} leads to no shape"
        other_lines = [path for path in drawing.select("path.bc-line") if path is not line]
        leaves_line = any(_is_between(points[0], ends) for path in other_lines for ends in pairwise(_points(path)))
        is_incoming = all(points[0][0] < left for left, *_ in shapes)
        leaves_shape = any(abs(_distance(points[0], shape)) <= GAP for shape in shapes)
        if not (is_incoming or leaves_line or leaves_shape):
            yield f"the arrow from {points[0]} starts at no shape and no line"


RULES: dict[str, list[Callable[[Tag], Iterator[str]]]] = {
    "bars": [
        _legend_faults,
        _colour_faults,
        _bar_faults,
        _neighbour_faults,
        _note_faults,
        _mark_faults,
        _panel_faults,
        _edge_faults,
    ],
    "drawing": [_legend_faults, _colour_faults, _area_faults, _part_faults, _letter_faults],
    "map": [lambda drawing: iter(areas.faults(drawing))],
}
"""For each kind of drawing, the checks that yield its faults."""
