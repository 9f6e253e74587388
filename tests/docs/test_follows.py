"""Numbers that follow a field: the largest batch that fits, and operations by length of text."""

from playwright.sync_api import Page, expect


def outputs(page: Page, form: str) -> list[int]:
    """The numbers of a form."""
    return [int(text.replace(",", "")) for text in page.locator(f"{form} output").all_inner_texts()]


def test_operations_follow_the_length(desk: Page) -> None:
    """At 2H + F tokens attention's products equal all dense layers of the encoder.

    The keys move the slider by 128 tokens, and the bars are to one scale.
    """
    desk.goto("run/operations.html")
    slider = desk.get_by_label("Length of the text, if BERT base had that many positions")
    slider.fill("4608")
    tokens, products, projections, inner, pooler = outputs(desk, "#length-form")
    assert (4608, 12 * 4 * 4608**2 * 768, 2 * 768**2) == (tokens, products, pooler)
    assert products == projections + inner
    widths = "all => all.map(each => parseFloat(getComputedStyle(each, '::after').width))"
    _, whole, part, rest, _ = desk.locator("#length-form li").evaluate_all(widths)
    assert abs(whole - part - rest) < 0.1 < part
    slider.press("ArrowLeft")
    assert 4480 == outputs(desk, "#length-form")[0]
    assert outputs(desk, "#length-form")[1] < sum(outputs(desk, "#length-form")[2:4])


def test_the_largest_batch_follows_the_memory(desk: Page) -> None:
    """More memory holds more texts, too little holds none, and anything but an amount gets no answer."""
    desk.goto("run/memory-of-training.html")
    field = desk.get_by_label("Your memory in GiB")
    before = outputs(desk, "#batch-form")
    field.fill("32")
    assert all(more > 2 * less > 0 for more, less in zip(outputs(desk, "#batch-form"), before, strict=True))
    field.fill("0,5")
    assert {0} == set(outputs(desk, "#batch-form"))
    field.fill("much")
    expect(desk.locator("#batch-form output")).to_have_text(["…"] * len(before))
