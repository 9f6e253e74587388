"""The calculator's snippets have the right arguments. `make verify` runs them with the real libraries."""

import ast
import re

from playwright.sync_api import Page

from macros.counting import ARCHITECTURES, Question
from tests.counting.test_changes import load_recording
from tests.oracles.calculator_snippets import published_model, snippets
from tests.scripts.calculating import Configuration, configuration_of_case


def pattern_of_modules(code: str) -> re.Pattern[str]:
    """The pattern for the modules that PEFT adapts in a snippet. PEFT requires a match of the whole name."""
    expression = re.search(r"target_modules=(\(\n(?:        r\"[^\n]*\n)+    \))", code)
    assert expression, code
    return re.compile(ast.literal_eval(expression[1]))


def test_snippets_adapt_the_modules_that_peft_adapted(page: Page) -> None:
    cases = [case for case in load_recording()["cases"] if "parameters" in case]
    for case, code in zip(cases, snippets(page, map(configuration_of_case, cases)), strict=True):
        names = [name.removeprefix("base_model.model.") for name, *_ in case["parameters"]]
        modules = {re.sub(r"\.(base_layer|original_module)$", "", name.rpartition(".")[0]) for name in names}
        adapted_modules = {name.partition(".lora_A")[0] for name in names if ".lora_A" in name}
        modules_of_model = {module for module in modules if "lora_" not in module}
        assert adapted_modules == set(filter(pattern_of_modules(code).fullmatch, modules_of_model)), (
            case["class"],
            case["modules"],
        )


# Source: PEFT 0.21.2, utils/peft_types.py, `TaskType`.
TASKS = {
    "ForSequenceClassification": "SEQ_CLS",
    "ForTokenClassification": "TOKEN_CLS",
    "ForQuestionAnswering": "QUESTION_ANS",
}
"""PEFT's names for the tasks of classes, by the ending of the class's name."""


def test_snippets_give_a_task_if_peft_copied_the_head(page: Page) -> None:
    """PEFT copies the head of a model, and trains the copy, only if it is given the model's task."""
    cases = [case for case in load_recording()["cases"] if "parameters" in case]
    has_copied_head = [any(".modules_to_save." in name for name, *_ in case["parameters"]) for case in cases]
    assert {True, False} == {*has_copied_head}
    for case, is_copied, code in zip(
        cases, has_copied_head, snippets(page, map(configuration_of_case, cases)), strict=True
    ):
        tasks = [task for ending, task in TASKS.items() if case["class"].endswith(ending)]
        assert tasks or not is_copied, case["class"]
        assert tasks == re.findall(r'task_type="(\w+)"', code), case["class"]


def test_the_arguments_of_snippets_are_literals(page: Page) -> None:
    models = list(map(published_model, ARCHITECTURES))
    for model, code in zip(models, snippets(page, [Configuration(Question(model)) for model in models]), strict=True):
        call = next(node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call) and node.keywords)
        assert (
            model.sizes["V"]
            == {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}["vocab_size"]
        )
