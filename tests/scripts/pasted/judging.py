"""Judge the reader's accounts of random print-outs, whose ground truth is known.

There are five verdicts on an account:

- right: class and total are right, and the fault is named by its tensors or its
  effect; or there is no fault, and none is alleged. Cut or wrapped lines are no fault.
- vague: class and total are right, but the fault is not named; or no model is given.
- unsure: the account is wrong or incomplete, but admits that it may be.
- unread: there is no account, or only one that cannot identify the model.
- false: something untrue is stated as a fact, or the reader throws an error.

    python -m tests.scripts.pasted.judging 1 500 [layout]    # rates and the most frequent errors
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from macros.counting import ARCHITECTURES, Architecture, BadChoice, Choices, Model, Question, tensors
from tests.scripts.layouts import cases
from tests.scripts.running import ScriptError, copy_modules, running

VERDICTS = ("right", "vague", "unsure", "unread", "false")
"""The verdicts, in the order in which their numbers are printed."""

OPEN_WORDS = re.compile(r"gives no sizes|does not say how many|looks like part of|at least|cannot tell|may be", re.I)
"""Words in accounts that leave something open."""

FAULTLESS_WORDS = re.compile(r"add up to it|total is right|every row (?:of the model )?is right", re.IGNORECASE)
"""Words that declare a text free of faults."""

HARMLESS_WORDS = re.compile(
    r"is tied to|buffer|not a parameter|not parameters|optimiser|Non-trainable|are trained|are frozen|same tensors"
    r"|does not show|There is no pooler|Hub|rounded|counted again|counts the embeddings"
)
"""Words of findings that allege no fault."""


class Judgement(NamedTuple):
    """A verdict on an account, with a short description of the problem."""

    verdict: str
    problem: str = ""


SORTED_LAYOUTS = ("safetensors header", "safetensors index", "flax", "list_variables")
"""Layouts that sort names, so that the order of the tensors in the class is lost."""


def equal_classes(case: Mapping[str, Any]) -> set[str]:
    """The names of the classes that the text of a case cannot distinguish, because their tensors are the same."""
    case_question = question_of(
        case, ARCHITECTURES[case["architecture"]], case["modelClass"], case["choices"].get("pooler")
    )
    expected = names_and_shapes(case_question, case)
    equal_names = set()
    for architecture in ARCHITECTURES.values():
        for model_class, pooler in product(architecture.classes, (None, False)):
            other_question = question_of(case, architecture, model_class.name, pooler)
            with suppress(BadChoice):  # the class requires a different number of labels, or has a fixed pooler
                # Most classes differ in the number of parameters, which is quicker to compute than the list of tensors.
                if other_question.number == case_question.number and names_and_shapes(other_question, case) == expected:
                    equal_names.add(model_class.name)
    return equal_names


def question_of(case: Mapping[str, Any], architecture: Architecture, model_class: str, pooler: bool | None) -> Question:
    """A question about a class of `architecture` with the sizes of a case."""
    width, heads = case["sizes"]["H"], case["sizes"]["A"]
    # A case has only the sizes of its architecture, so the further sizes of other architectures are chosen to fit them.
    sizes = {
        "E": width,
        "O": width,
        "W": width,
        "G": 1,
        "I": 1,
        "R": 32,
        "S": 2,
        "K": 0,
        "J": 0,
        "Z": 0,
        "X": 1024,
        "N": heads,
        "Q": width // heads,
        **case["sizes"],
    }
    return Question(Model("", architecture, sizes), model_class, choices=Choices(pooler=pooler))


def names_and_shapes(question: Question, case: Mapping[str, Any]) -> list[tuple[str, tuple[int, ...]]]:
    """The names and shapes of the tensors that are not tied, sorted if the layout of the case hides their order."""
    names = [(tensor.transformers, tensor.shape) for tensor in tensors(question) if tensor.tied_to is None]
    return sorted(names) if case["layout"] in SORTED_LAYOUTS else names


def accepted_totals(case: Mapping[str, Any]) -> set[int]:
    """The totals that count as right.

    For a model without a pooler, the total with one is accepted too, because the account compares the text with it.
    """
    result = {case["total"]}
    if case["choices"].get("pooler") is False:
        architecture = ARCHITECTURES[case["architecture"]]
        result.add(Question(Model("", architecture, case["sizes"]), case["modelClass"]).number)
    return result


def is_fault_named(case: Mapping[str, Any], account: Mapping[str, Any]) -> bool:
    """Return whether the findings name the fault by its effect or its tensors."""
    number, names = case["fault"]["number"], case["fault"]["tensors"]
    if any(finding["amount"] == -number for finding in account["findings"]):
        return True
    findings_on_rows = [finding for finding in account["findings"] if is_about_any(names, finding)]
    return bool(findings_on_rows) and (
        len(findings_on_rows) == len(names) or sum(finding["amount"] or 0 for finding in findings_on_rows) == -number
    )


def is_about_any(names: list[str], finding: Mapping[str, Any]) -> bool:
    """Return whether a finding names any of the tensors, or the module of one."""
    words = re.split(r"[^\w.]+", finding["words"])
    return any(name in words or name.rpartition(".")[0] in words for name in names)


def allegations(case: Mapping[str, Any], account: Mapping[str, Any]) -> list[str]:
    """The words of findings with amounts that neither the fault, a missing pooler nor `HARMLESS_WORDS` explains."""
    number = case["fault"]["number"]
    amounts = {0, -number, None}
    return [
        finding["words"]
        for finding in account["findings"]
        if finding["amount"] not in amounts
        and not HARMLESS_WORDS.search(finding["words"])
        and not is_about_missing_pooler(case, finding)
        and not is_about_any(case["fault"]["tensors"], finding)
    ]


def is_about_missing_pooler(case: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Return whether a finding is about the pooler of a case that has none."""
    return case["choices"].get("pooler") is False and "pooler" in finding["words"].lower()


def verdict_on(case: Mapping[str, Any], account: Mapping[str, Any] | None) -> Judgement:
    """The verdict on the account of a case."""
    if account is None:
        return Judgement("unread")
    model = account["model"]
    words = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    is_open = account["confidence"] != "certain" or bool(OPEN_WORDS.search(words))
    if model is None:
        if account["kind"] == "other":  # "We cannot tell which model they belong to"
            return Judgement("unread")
        return Judgement("unsure" if is_open else "vague", f"no model, kind {account['kind']}")
    kind = case["fault"]["kind"]
    equal_names = equal_classes(case)
    errors = []
    if model["modelClass"] not in equal_names and not any(name in words for name in equal_names):
        errors.append(f"class {model['modelClass']} for {case['modelClass']}")
    if model["total"] not in accepted_totals(case):
        errors.append("total")
    unexplained_words = allegations(case, account)
    if not errors and unexplained_words:
        errors.append(f"alleges: {re.sub(r'[0-9][0-9,]*', 'n', unexplained_words[0])[:90]}")
    if errors:
        return Judgement("unsure" if is_open else "false", ", ".join(errors))
    if kind in ("none", "cut", "wrapped") or is_fault_named(case, account):
        return Judgement("right")
    if is_open:
        return Judgement("unsure", "fault not named")
    declares_faultless = case["fault"]["number"] and FAULTLESS_WORDS.search(account["headline"])
    return Judgement("false" if declares_faultless and case["stated"] is None else "vague", "fault not named")


Result = tuple[dict[str, Any], Any, Judgement]
"""A case with its account and the verdict on it."""


def results_of(scripts: Any, drawn_cases: list[dict[str, Any]]) -> Iterator[Result]:
    """Each case with its account and the verdict on it."""
    for start in range(0, len(drawn_cases), 25):
        batch = drawn_cases[start : start + 25]
        answers = scripts.call("accounts", [case["text"] for case in batch])
        for case, answer in zip(batch, answers, strict=True):
            yield case, answer, verdict_on(case, answer)


def verdict_counts(results: Iterable[Result], keys: Callable[[dict[str, Any]], list[str]]) -> dict[str, Counter[str]]:
    """The number of each verdict by key, where `keys` gives the keys of a case.

    Keys with a larger share of false verdicts come first.
    """
    verdicts_by_key: dict[str, Counter[str]] = {}
    for case, _, judgement in results:
        for key in keys(case):
            verdicts_by_key.setdefault(key, Counter())[judgement.verdict] += 1
    return dict(sorted(verdicts_by_key.items(), key=lambda item: -item[1]["false"] / item[1].total()))


TABLES: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "layout": lambda case: ["all", case["layout"]],
    "fault": lambda case: [case["fault"]["kind"]],
    "mangling": lambda case: case["mangling"].split(" + ") if case["mangling"] else ["none"],
    "architecture": lambda case: [case["architecture"], "odd sizes" if case["model"] == "odd" else "published"],
}
"""The tables of verdicts, each with a function that returns the rows that a case counts in."""


def results_with_restarts(folder: Path, drawn_cases: list[dict[str, Any]]) -> Iterator[Result]:
    """Like `results_of`, but if the reader throws or Node.js ends, restart Node.js for the remaining cases."""
    remaining_cases = list(drawn_cases)
    while remaining_cases:
        with suppress(ScriptError), running(folder) as scripts:
            while remaining_cases:
                yield from results_of(scripts, remaining_cases[:1])
                remaining_cases.pop(0)
        if remaining_cases:
            yield remaining_cases.pop(0), None, Judgement("false", "the reader throws, or ends Node.js")


def main(seed: int, count: int, layout: str = "") -> None:
    """Print the verdicts per layout, fault, mangling and architecture, and the most frequent errors."""
    with TemporaryDirectory() as folder:
        copy_modules(Path(folder))
        results = list(results_with_restarts(Path(folder), cases(seed, count, layout)))
    for title, keys in TABLES.items():
        print(f"\n{title}")
        for name, counter in verdict_counts(results, keys).items():
            row = "".join(f"{verdict} {counter[verdict]:<5}" for verdict in VERDICTS)
            print(f"  {name:<20}{row}{counter['false'] / counter.total():.0%} false")
    print("\nmost frequent")
    kinds = Counter(
        (judgement.verdict, case["layout"], case["fault"]["kind"], judgement.problem)
        for case, _, judgement in results
        if judgement.verdict in ("false", "vague", "unread")
    )
    for kind, times in kinds.most_common(60):
        print(times, *kind, sep=" | ")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
