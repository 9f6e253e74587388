"""The numbers in two forms follow the fields: operations for a text length, and whether a training step fits."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from macros.counting import ChangedModel, Question, model_named
from macros.counting.messages import message
from macros.counting.training import TrainingStep

USABLE_MEMORY = 16 * 2**30 * 90 // 100
"""The usable bytes with the initial settings of the form on training: 16 GiB minus a reserve of a tenth."""


def outputs(page: Page, form: str) -> list[int]:
    """The numbers in the outputs of a form."""
    return [int(text.replace(",", "")) for text in page.locator(f"{form} output").all_inner_texts()]


def test_operations_follow_the_length(desktop: Page) -> None:
    """At 2H + F = 4,608 tokens, attention's products take as many operations as all dense layers of the encoder."""
    desktop.goto("run/operations.html")
    slider = desktop.get_by_label("Tokens in the text")
    slider.fill("4608")
    tokens, products, projections, feed_forward, pooler = outputs(desktop, "#length-form")
    assert (4608, 12 * 4 * 4608**2 * 768, 2 * 768**2) == (tokens, products, pooler)
    assert products == projections + feed_forward
    measure_widths = "bars => bars.map(bar => parseFloat(getComputedStyle(bar, '::after').width))"
    _, products_bar, projections_bar, feed_forward_bar, _ = desktop.locator("#length-form li").evaluate_all(
        measure_widths
    )
    assert abs(products_bar - projections_bar - feed_forward_bar) < 0.1 < projections_bar
    slider.press("ArrowLeft")
    # An arrow key moves the slider by 128 tokens.
    assert 4480 == outputs(desktop, "#length-form")[0]
    assert outputs(desktop, "#length-form")[1] < sum(outputs(desktop, "#length-form")[2:4])


def test_the_form_gives_the_batch_and_memory_that_the_engine_computes(desktop: Page) -> None:
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
    expect(form.locator("[data-part=copies] output")).to_have_text(f"{step.matrix_copies_bytes / 1e6:.1f} MB")
    desktop.locator("#fits-texts").fill("5")
    expect(form.locator("[data-output=peak]")).to_have_text(f"{step.peak_bytes / 1e9:.1f} GB")
    # Amounts below 1 GB are in MB.
    expect(form.locator("[data-part=states] output")).to_have_text(f"{step.states_bytes / 1e6:.1f} MB")
    expect(form.locator("[data-output=text]")).to_have_text(f"{step.example_bytes / 1e6:.1f} MB")
    step_with_checkpointing = replace(step, checkpointing=True)
    checkpointing_hint = form.locator("[data-help=checkpointing]")
    expect(checkpointing_hint).to_contain_text(
        f"GB, from {step.peak_bytes / 1e9:.1f} to {step_with_checkpointing.peak_bytes / 1e9:.1f}"
    )
    expect(form.locator("[data-help=lora]")).to_be_hidden()
    desktop.locator("#fits-checkpointing").check()
    desktop.locator("#fits-reserve").fill("0")
    expect(form.locator("[data-output=batch]")).to_have_text(f"{step_with_checkpointing.largest_batch(24 * 2**30):,}")
    expect(checkpointing_hint).to_be_hidden()


def test_batch_and_states_are_those_of_the_chosen_optimiser(desktop: Page) -> None:
    desktop.goto("run/memory-of-training.html?optimiser=adamw-8bit")
    question = Question(model_named("bert-base-uncased"), "BertForSequenceClassification")
    default_step = TrainingStep(ChangedModel.build(question, []), 1, 128, dtype="bf16", padded=True)
    form = desktop.locator("#batch-form")
    for name in ("adamw-8bit", "adafactor"):
        desktop.locator("#fits-optimiser").select_option(name)
        step = replace(default_step, optimiser=name)
        expect(form.locator("[data-output=batch]")).to_have_text(f"{step.largest_batch(USABLE_MEMORY):,}")
        expect(form.locator("[data-part=states] output")).to_have_text(f"{step.states_bytes / 1e6:.1f} MB")
    desktop.locator("#fits-dtype").select_option("pure-bf16")
    refusal = "With weights in bfloat16, the states of Adafactor are not counted; choose AdamW or SGD."
    expect(form.locator("[data-refusal=optimiser]")).to_have_text(refusal)
    desktop.locator("#fits-optimiser").select_option("sgd")
    expect(form.locator("[data-part=states]")).to_be_hidden()


def test_the_bar_is_to_scale_and_shows_how_much_fits(desktop: Page) -> None:
    desktop.goto("run/memory-of-training.html")
    measure_widths = "parts => parts.map(part => part.getBoundingClientRect().width)"
    bar, limit = desktop.locator("[data-bar]"), desktop.locator(".bc-fits-edge")
    desktop.locator("#fits-texts").fill("620")
    weights, states, copies, activations, gradients, temporary = bar.evaluate_all(measure_widths)
    # Adam keeps two states, each as large as the weights.
    assert abs(states / weights - 2) < 0.02
    assert activations > 30 * weights
    assert weights / 3 < copies < weights / 2
    assert gradients == 0
    assert activations / 30 < temporary < activations / 25
    (bar_width,) = desktop.locator(".bc-fits-bar").evaluate_all(measure_widths)
    left = limit.evaluate("limit => limit.getBoundingClientRect().x - limit.parentElement.getBoundingClientRect().x")
    step_bytes = 437_935_112 / (weights / bar_width)  # the weights of BERT base as a classifier: 109,483,778 × 4 bytes
    assert abs(left / bar_width - 16 * 2**30 / step_bytes) < 0.01
    expect(desktop.locator("[data-fits=over]")).to_be_visible()
    expect(desktop.locator("[data-fits=free]")).to_be_hidden()
    expect(desktop.locator("[data-verdict=over]")).to_have_text("A batch of 620 does not fit")
    expect(desktop.locator("#batch-form [data-step]")).to_contain_text(
        "A batch of 620 needs 33.9 GB; the GPU has 17.2 GB (16 GiB)."
    )
    # Choosing a GPU fills in its memory. If no GPU in the list has the entered memory, none is chosen.
    desktop.locator("#fits-card").select_option("80")
    expect(desktop.locator("#fits-memory")).to_have_value("80")
    expect(desktop.locator("[data-fits=free]")).to_be_visible()
    desktop.locator("#fits-memory").fill("23")
    expect(desktop.locator("#fits-card")).to_have_value("")
    desktop.locator("#fits-memory").fill("0,5")
    desktop.locator("#fits-texts").fill("")
    expect(desktop.locator("[data-verdict=none]")).to_have_text("Not even one text fits")
    for selector in ("[data-answer]", "[data-limit]"):
        expect(desktop.locator(selector)).to_be_hidden()


@pytest.mark.parametrize(
    ("field", "text", "complaint"),
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
def test_a_fault_is_explained_at_its_field(desktop: Page, field: str, text: str, complaint: str) -> None:
    desktop.goto("run/memory-of-training.html")
    faulty_field = desktop.locator(f"#fits-{field}")
    initial_text = faulty_field.input_value()
    faulty_field.fill(text)
    expect(faulty_field).to_have_attribute("aria-invalid", "true")
    expect(faulty_field.locator("xpath=..").get_by_text(complaint)).to_be_visible()
    answer = desktop.locator("#batch-form [role=region]")
    assert not answer.inner_text().strip()
    expect(answer.locator(".bc-fits-bar")).to_be_hidden()
    faulty_field.fill(initial_text)
    expect(faulty_field).not_to_have_attribute("aria-invalid", "true")
    expect(desktop.get_by_text(complaint)).to_be_hidden()
    expect(answer.locator("[data-answer]")).to_be_visible()


def test_a_batch_may_fit_into_the_reserve_only(desktop: Page) -> None:
    desktop.goto("run/memory-of-training.html?texts=285")
    step = TrainingStep(
        ChangedModel.build(Question(model_named("bert-base-uncased"), "BertForSequenceClassification"), []),
        285,
        128,
        dtype="bf16",
        padded=True,
    )
    megabytes_needed = (step.peak_bytes - 16 * 2**30 * 0.9) / 1e6
    verdict = f"A batch of 285 fits only by using {megabytes_needed:,.1f} MB of the reserve"
    expect(desktop.locator("[data-verdict=reserve]")).to_have_text(verdict)
    desktop.locator("#fits-texts").fill("200")
    expect(desktop.locator("[data-verdict=free]")).to_have_text("A batch of 200 fits")


def test_the_address_has_the_settings_of_a_step(desktop: Page) -> None:
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
