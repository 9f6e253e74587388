"""Numbers that follow fields: whether a training step fits on a GPU, and operations by length of text."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from macros.counting import ChangedModel, Question, model_named
from macros.counting.messages import message
from macros.counting.training import TrainingStep


def outputs(page: Page, form: str) -> list[int]:
    """The numbers of a form."""
    return [int(text.replace(",", "")) for text in page.locator(f"{form} output").all_inner_texts()]


def test_operations_follow_the_length(desktop: Page) -> None:
    """At 2H + F tokens attention's products equal all dense layers of the encoder.

    The keys move the slider by 128 tokens, and the bars are to one scale.
    """
    desktop.goto("run/operations.html")
    slider = desktop.get_by_label("Tokens in the text")
    slider.fill("4608")
    tokens, products, projections, inner, pooler = outputs(desktop, "#length-form")
    assert (4608, 12 * 4 * 4608**2 * 768, 2 * 768**2) == (tokens, products, pooler)
    assert products == projections + inner
    widths = "all => all.map(each => parseFloat(getComputedStyle(each, '::after').width))"
    _, full_bar, part, rest, _ = desktop.locator("#length-form li").evaluate_all(widths)
    assert abs(full_bar - part - rest) < 0.1 < part
    slider.press("ArrowLeft")
    assert 4480 == outputs(desktop, "#length-form")[0]
    assert outputs(desktop, "#length-form")[1] < sum(outputs(desktop, "#length-form")[2:4])


def test_a_step_fits_as_the_engine_says(desktop: Page) -> None:
    """The form gives the engine's largest batch, peak and bytes per text, and says what makes room for a batch."""
    desktop.goto("run/memory-of-training.html")
    desktop.locator("#fits-model").select_option("bert-large-uncased")
    desktop.locator("#fits-card").select_option("24")
    desktop.locator("#fits-tokens").fill("384")
    desktop.locator("#fits-trained").select_option("lora")
    question = Question(model_named("bert-large-uncased"), "BertForSequenceClassification")
    step = TrainingStep(ChangedModel.build(question, ["lora:8:query,value"]), 5, 384, dtype="bf16", padded=True)
    form = desktop.locator("#batch-form")
    expect(form.locator("[data-output=batch]")).to_have_text(f"{step.largest_batch(24 * 2**30 * 90 // 100):,}")
    expect(form.locator("[data-output=limit]")).to_have_text(f"{step.largest_batch(24 * 2**30):,}")
    expect(form.locator("[data-part=copies] output")).to_have_text(f"{step.copies_bytes / 1e6:.1f} MB")
    desktop.locator("#fits-texts").fill("5")
    expect(form.locator("[data-output=peak]")).to_have_text(f"{step.peak_bytes / 1e9:.1f} GB")
    # What is less than a GB is in MB.
    expect(form.locator("[data-part=states] output")).to_have_text(f"{step.states_bytes / 1e6:.1f} MB")
    expect(form.locator("[data-output=text]")).to_have_text(f"{step.example_bytes / 1e6:.1f} MB")
    checkpointed = replace(step, checkpointing=True)
    helps = form.locator("[data-help=checkpointing]")
    expect(helps).to_contain_text(f"GB, from {step.peak_bytes / 1e9:.1f} to {checkpointed.peak_bytes / 1e9:.1f}")
    expect(form.locator("[data-help=lora]")).to_be_hidden()
    desktop.locator("#fits-checkpointing").check()
    desktop.locator("#fits-reserve").fill("0")
    expect(form.locator("[data-output=batch]")).to_have_text(f"{checkpointed.largest_batch(24 * 2**30):,}")
    expect(helps).to_be_hidden()


def test_a_step_has_the_states_of_its_optimiser(desktop: Page) -> None:
    """The batch and the states are those of the chosen optimiser; one that is not counted is refused at its field."""
    desktop.goto("run/memory-of-training.html?optimiser=adamw-8bit")
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    usual = TrainingStep(ChangedModel.build(question, []), 1, 128, dtype="bf16", padded=True)
    form = desktop.locator("#batch-form")
    for name in ("adamw-8bit", "adafactor"):
        desktop.locator("#fits-optimiser").select_option(name)
        step = replace(usual, optimiser=name)
        expect(form.locator("[data-output=batch]")).to_have_text(f"{step.largest_batch(16 * 2**30 * 90 // 100):,}")
        expect(form.locator("[data-part=states] output")).to_have_text(f"{step.states_bytes / 1e6:.1f} MB")
    desktop.locator("#fits-dtype").select_option("pure-bf16")
    says = "With weights in bfloat16, the states of adafactor are not counted; choose adamw or sgd."
    expect(form.locator("[data-refusal=optimiser]")).to_have_text(says)
    desktop.locator("#fits-optimiser").select_option("sgd")
    expect(form.locator("[data-part=states]")).to_be_hidden()


def test_the_bar_is_to_scale_and_has_the_edge_of_the_memory(desktop: Page) -> None:
    """Parts are as wide as their bytes; a batch too large reaches beyond the edge."""
    desktop.goto("run/memory-of-training.html")
    widths = "all => all.map(each => each.getBoundingClientRect().width)"
    bar, edge = desktop.locator("[data-bar]"), desktop.locator(".bc-fits-edge")
    desktop.locator("#fits-texts").fill("620")
    weights, states, copies, activations, gradients, temporary = bar.evaluate_all(widths)
    assert abs(states / weights - 2) < 0.02
    assert activations > 30 * weights
    assert weights / 3 < copies < weights / 2
    assert gradients == 0
    assert activations / 30 < temporary < activations / 25
    (full,) = desktop.locator(".bc-fits-bar").evaluate_all(widths)
    left = edge.evaluate("each => each.getBoundingClientRect().x - each.parentElement.getBoundingClientRect().x")
    step_bytes = 437_935_112 / (weights / full)
    assert abs(left / full - 16 * 2**30 / step_bytes) < 0.01
    expect(desktop.locator("[data-fits=over]")).to_be_visible()
    expect(desktop.locator("[data-fits=free]")).to_be_hidden()
    expect(desktop.locator("[data-verdict=over]")).to_have_text("A batch of 620 does not fit")
    expect(desktop.locator("#batch-form [data-step]")).to_contain_text(
        "A batch of 620 needs 33.9 GB; the GPU has 17.2 GB (16 GiB)."
    )
    # Choosing a GPU writes its memory, and a memory that no GPU has leaves the choice of a GPU.
    desktop.locator("#fits-card").select_option("80")
    expect(desktop.locator("#fits-memory")).to_have_value("80")
    expect(desktop.locator("[data-fits=free]")).to_be_visible()
    desktop.locator("#fits-memory").fill("23")
    expect(desktop.locator("#fits-card")).to_have_value("")
    desktop.locator("#fits-memory").fill("0,5")
    desktop.locator("#fits-texts").fill("")
    expect(desktop.locator("[data-verdict=none]")).to_have_text("Not even one text fits")
    for without_answer in ("[data-answer]", "[data-limit]"):
        expect(desktop.locator(without_answer)).to_be_hidden()


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("tokens", "100", f"{message('training-mask', tokens=100, step=16, length=112)}."),
        ("tokens", "528", "The model takes at most 512 tokens, not 528."),
        ("tokens", "few", "Enter a whole number of tokens, such as 128."),
        ("memory", "much", "Enter the memory in GiB, below 1,000,000, such as 16."),
        ("memory", "1000000", "Enter the memory in GiB, below 1,000,000, such as 16."),
        ("reserve", "100", "Enter a percentage from 0 to 99, such as 10."),
        ("texts", "1.5", "Enter a whole number of texts, or leave the field empty."),
    ],
)
def test_a_fault_stands_at_its_field(desktop: Page, field: str, text: str, says: str) -> None:
    """A field that is wrong is marked and says why, and nothing of the last answer stays until it is right."""
    desktop.goto("run/memory-of-training.html")
    marked = desktop.locator(f"#fits-{field}")
    first = marked.input_value()
    marked.fill(text)
    expect(marked).to_have_attribute("aria-invalid", "true")
    expect(marked.locator("xpath=..").get_by_text(says)).to_be_visible()
    answer = desktop.locator("#batch-form [role=region]")
    assert not answer.inner_text().strip()
    expect(answer.locator(".bc-fits-bar")).to_be_hidden()
    marked.fill(first)
    expect(marked).not_to_have_attribute("aria-invalid", "true")
    expect(desktop.get_by_text(says)).to_be_hidden()
    expect(answer.locator("[data-answer]")).to_be_visible()


def test_a_batch_may_fit_into_the_reserve_only(desktop: Page) -> None:
    """A batch between the two limits fits only into the reserve, and the form says how much of it is needed."""
    desktop.goto("run/memory-of-training.html?texts=285")
    step = TrainingStep(
        ChangedModel.build(Question(model_named("bert-base-uncased"), "BertForSequenceClassification"), []),
        285,
        128,
        dtype="bf16",
        padded=True,
    )
    megabytes_needed = (step.peak_bytes - 16 * 2**30 * 0.9) / 1e6
    says = f"A batch of 285 fits only into the reserve, of which it takes {megabytes_needed:,.1f} MB"
    expect(desktop.locator("[data-verdict=reserve]")).to_have_text(says)
    desktop.locator("#fits-texts").fill("200")
    expect(desktop.locator("[data-verdict=free]")).to_have_text("A batch of 200 fits")


def test_the_address_has_the_settings_of_a_step(desktop: Page) -> None:
    """The address names the settings that a reader has changed, and fills in the form; unknown options are ignored."""
    desktop.goto("run/memory-of-training.html")
    desktop.locator("#fits-card").select_option("24")
    desktop.locator("#fits-trained").select_option("lora")
    desktop.locator("#fits-padded").uncheck()
    desktop.locator("#fits-reserve").fill("5")
    expect(desktop).to_have_url("run/memory-of-training.html?memory=24&trained=lora&reserve=5&padded=no")
    batch = desktop.locator("#batch-form [data-output=batch]").inner_text()
    desktop.goto(f"{desktop.url}&dtype=of-tomorrow")
    expect(desktop.locator("#batch-form [data-output=batch]")).to_have_text(batch)
    expect(desktop.locator("#fits-card")).to_have_value("24")
    expect(desktop.locator("#fits-dtype")).to_have_value("bf16")
