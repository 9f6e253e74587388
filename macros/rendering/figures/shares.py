"""Bar charts of the sizes of models, the shares of their parts, common mistakes, and memory.

Every number comes from the engine; `components/svg.py` draws the bars.
"""

from __future__ import annotations

from textwrap import wrap

from macros.counting import Question, model_named
from macros.counting.deviations import MISTAKE, MOST_COMMON, load_deviations
from macros.counting.memory import BYTES, UNITS
from macros.counting.question import effect

from ..components import svg, words
from ..components.asking import BASE, LARGE, MAIN_RELATIVES, SHORT_NAMES, ask
from ..components.numbers import percentage, whole
from ..components.training_steps import BATCH_SIZE, LENGTHS, step_of
from ..components.waterfalls import CHARACTERS_PER_LINE, NEXT_LINE_HEIGHT

SHARES_ONLY = "Each bar is a whole model, whatever its size; only the shares are to scale."
"""The caption of bars that are as wide as the figure."""


def bar_chart(name: str, title: str, bars: list[svg.Bar], caption: str) -> str:
    """A figure of bars; its description lists their labels and notes."""
    description = "; ".join(f"{bar.label}: {bar.note}" for bar in bars)
    return svg.figure(name, title, description, svg.bars(bars), caption)


def checkpoints(name: str) -> str:
    """The share of the embeddings in models from small to large; every bar is as wide as the figure."""
    models = (
        "bert_uncased_L-2_H-128_A-2",
        "bert_uncased_L-4_H-256_A-4",
        "bert_uncased_L-4_H-512_A-8",
        "bert_uncased_L-8_H-512_A-8",
        "bert-base-chinese",
        BASE,
        "bert-base-multilingual-cased",
        LARGE,
    )
    bars = []
    for model in models:
        embeddings = ask("bert/embeddings", model=model)
        whole_model = ask(model=model)
        other_parameters = whole_model.number - embeddings.number
        segments = [
            svg.Segment("embeddings", embeddings.number, f"embeddings: {whole(embeddings.number)}"),
            svg.Segment("cell", other_parameters, f"the rest: {whole(other_parameters)}"),
        ]
        note = f"{percentage(embeddings.number, whole_model.number)} of {whole(whole_model.number)}"
        bars.append(svg.Bar(model_named(model).title, note, segments, whole_model.number))
    legend = svg.legend({"embeddings": "embeddings", "cell": "everything else"})
    caption = f"{SHARES_ONLY}{legend}"
    return bar_chart(name, "The embeddings' share of a model", bars, caption)


def relatives(name: str) -> str:
    """The blocks of BERT base and its main relatives, all to the same scale."""
    bars = []
    for model in (BASE, *MAIN_RELATIVES):
        question = ask(model=model)
        segments = [_segment(block, question) for block in words.block_names(question)]
        bars.append(svg.Bar(model_named(model).title, whole(question.number), segments))
    legend = svg.legend({block: words.LEGENDS[block] for block in words.block_names(ask())})
    return bar_chart(
        name, "BERT base and its relatives, block by block", bars, f"All bars are to the same scale.{legend}"
    )


VARIED_RELATIVES = ("camembert-base", "rembert", "longformer-base-4096", "eurobert-210m", "mobilebert-uncased")
"""Further relatives with various differences from BERT base, one or two from each section of their page."""


def further_relatives(name: str) -> str:
    """The blocks of BERT base and `VARIED_RELATIVES` as shares; every bar is as wide as the figure."""
    bars = []
    for model in (BASE, *VARIED_RELATIVES):
        question = ask(model=model)
        segments = [_segment(block, question) for block in words.block_names(question)]
        if other_parameters := question.number - sum(segment.value for segment in segments):
            segments.append(svg.Segment("cell", other_parameters, f"everything else: {whole(other_parameters)}"))
        bars.append(svg.Bar(model_named(model).title, whole(question.number), segments, question.number))
    blocks = {block: words.LEGENDS[block] for block in words.block_names(ask())}
    legend = svg.legend({**blocks, "cell": "everything else"})
    caption = f"{SHARES_ONLY}{legend}"
    return bar_chart(name, "BERT base and some further relatives, block by block", bars, caption)


def mistakes(name: str) -> str:
    """The total of BERT base, and the wrong totals of common mistakes that are large enough to be visible."""
    whole_model = ask()
    totals = {"BERT base, counted correctly": whole_model.number}
    for mistake in load_deviations().values():
        change = effect(whole_model.model, mistake.name)
        if (
            mistake.kind == MISTAKE
            and mistake.rarity == MOST_COMMON
            and abs(change) * MAX_RATIO_TO_CHANGE > whole_model.number
        ):
            totals[mistake.title] = whole_model.number + change
    scale = svg.Scale(0, max(totals.values()))
    top = 0
    body: list[str] = []
    for label, total in totals.items():
        lines = wrap(label, CHARACTERS_PER_LINE - len(whole(total)))
        bar_top = top + svg.LABEL_HEIGHT + NEXT_LINE_HEIGHT * (len(lines) - 1)
        style = "cell" if body else "total"
        bar_html = svg.bar_between(bar_top, scale, (0, total), style, f"{whole(total)} parameters")
        body.append(f"<g>{svg.labels(top, lines, whole(total))}{bar_html}</g>")
        top = bar_top + svg.BAR_HEIGHT + svg.BAR_GAP
    return svg.figure(
        name,
        "What common mistakes do to the total of BERT base",
        "; ".join(f"{label}: {whole(total)}" for label, total in totals.items()),
        svg.bar_drawing("".join(body), top - svg.BAR_GAP, max(totals.values())),
        "The first bar is right; the others show what common mistakes give, to the same scale.",
    )


MAX_RATIO_TO_CHANGE = 50
"""A mistake is drawn if it changes the total by more than one part in this number."""


def _segment(block: str, question: Question) -> svg.Segment:
    """The part of a bar for one block of the model."""
    number = question.about(tag=block).number
    return svg.Segment(block, number, f"{words.LEGENDS[block]}: {whole(number)}")


def memory(name: str) -> str:
    """The bytes of BERT base and BERT large by data type; types of the same width share their bars."""
    bars = []
    for width in dict.fromkeys(BYTES.values()):
        dtypes = " or ".join(dtype for dtype, dtype_width in BYTES.items() if dtype_width == width)
        for model, short_name in SHORT_NAMES.items():
            size = ask(model=model).number * width
            note = f"{size / UNITS['MB']:,.1f} MB ≈ {size / UNITS['MiB']:,.1f} MiB"
            segment = svg.Segment("total", size, f"{whole(size)} bytes")
            bars.append(svg.Bar(f"{dtypes}: BERT {short_name}", note, [segment]))
    caption = (
        "All bars are to the same scale, and in each bar, every parameter is stored in the same type. Tools that pack "
        "weights in int8 leave some parameters in a wider type, so a model packed by them takes more."
    )
    return bar_chart(name, "The weights of BERT base and BERT large by data type", bars, caption)


STEP_PARTS = {
    "weights": "weights",
    "states": "states of AdamW",
    "activations": "activations",
    "gradients": "gradients",
    "temporary": "temporary results",
}
"""The parts of the memory of a training step, by the style of their colour."""


def training(name: str) -> str:
    """The peak memory of a training step of BERT base and its parts, by batch size and length."""
    bars = []
    for tokens in (LENGTHS[0], LENGTHS[-1]):
        for texts in (1, BATCH_SIZE):
            step = step_of(texts=texts, tokens=tokens)
            parts = {"weights": step.weights_bytes, "states": step.states_bytes}
            parts |= step.parts_at_peak
            segments = [
                svg.Segment(style, number, f"{STEP_PARTS[style]}: {whole(number)} bytes")
                for style, number in parts.items()
            ]
            label = f"{texts} {'texts' if texts > 1 else 'text'} of {tokens} tokens"
            bars.append(svg.Bar(label, f"{step.peak_bytes / UNITS['GB']:,.1f} GB", segments))
    legend = svg.legend(STEP_PARTS)
    caption = f"Training steps of BERT base in mixed precision, all bars to the same scale.{legend}"
    return bar_chart(name, "The peak memory of a training step of BERT base", bars, caption)
