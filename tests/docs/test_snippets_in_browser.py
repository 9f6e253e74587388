"""The snippets of the calculator, which its page writes: `make verify` runs them."""

import ast
import re

from playwright.sync_api import Page

from macros.counting import ARCHITECTURES, Question
from tests.counting.test_changes import recorded
from tests.oracles.calculator_snippets import published, snippets
from tests.scripts.calculating import Configuration, of_case


def patterns(code: str) -> re.Pattern[str]:
    """Of which modules a snippet lets PEFT put adapters: it takes those whose whole name the pattern matches."""
    written = re.search(r"target_modules=(\(\n(?:        r\"[^\n]*\n)+    \))", code)
    assert written, code
    return re.compile(ast.literal_eval(written[1]))


def test_snippets_put_adapters_on_what_peft_put_them_on(page: Page) -> None:
    """In every class, of all the modules that the real model has; `make verify` runs the snippets."""
    cases = [each for each in recorded()["cases"] if "parameters" in each]
    for case, code in zip(cases, snippets(page, map(of_case, cases)), strict=True):
        names = [name.removeprefix("base_model.model.") for name, *_ in case["parameters"]]
        modules = {re.sub(r"\.(base_layer|original_module)$", "", name.rpartition(".")[0]) for name in names}
        adapted = {name.partition(".lora_A")[0] for name in names if ".lora_A" in name}
        plain = {each for each in modules if "lora_" not in each}
        assert adapted == set(filter(patterns(code).fullmatch, plain)), (case["class"], case["modules"])


def test_snippets_give_texts_as_texts(page: Page) -> None:
    """Whatever a configuration is given is a literal, in every architecture; `make verify` runs the snippets."""
    models = list(map(published, ARCHITECTURES))
    for model, code in zip(models, snippets(page, [Configuration(Question(each)) for each in models]), strict=True):
        call = next(each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.Call) and each.keywords)
        assert model.sizes["V"] == {each.arg: ast.literal_eval(each.value) for each in call.keywords}["vocab_size"]
