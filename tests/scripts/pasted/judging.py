"""How well the reader of print-outs does with texts whose truth is known, in layouts drawn at random.

An answer is one of five:

- right: class and total are right, and the fault is named exactly, by its tensors
  or its effect; or there is no fault, and none is alleged.
- vague: class and total are right, but the fault is not named.
- unsure: the answer says of itself that it may be wrong.
- unread: there is no answer.
- false: something is stated as a fact that is not so.

    python -m tests.scripts.pasted.judging 1 500 [layout]    # rates and what went wrong most often
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from macros.counting import ARCHITECTURES, Architecture, BadChoice, Choices, Model, Question, tensors

VERDICTS = ("right", "vague", "unsure", "unread", "false")

OPEN_WORDS = re.compile(r"gives no sizes|does not say how many|looks like part of|at least|cannot tell|may be", re.I)
"""Words by which an answer says that something is open."""

NATURAL = re.compile(
    r"is tied to|buffer|not a parameter|not parameters|optimiser|Non-trainable|are trained|are frozen|same tensors"
    r"|does not show|There is no pooler|Hub|rounded|counted again|counts the embeddings"
)
"""Words of findings that are no allegations: what layouts show by their nature."""


class Judged(NamedTuple):
    """A verdict on an answer, and in a few words what is wrong with it."""

    verdict: str
    why: str = ""


SORTED = ("safetensors header", "safetensors index", "flax", "list_variables")
"""Layouts that sort names, so that the order in which a class has its tensors is lost."""


def equal_classes(case: Mapping[str, Any]) -> set[str]:
    """The classes that have the same tensors as that of a case; its text cannot tell them apart."""
    own = listed(ARCHITECTURES[case["architecture"]], case["modelClass"], case)
    equal = set()
    for architecture in ARCHITECTURES.values():
        for model_class in architecture.classes:
            for pooler in (None, False):
                try:
                    other = listed(architecture, model_class.name, {**case, "choices": {"pooler": pooler}})
                except BadChoice:  # a class for another number of labels, or that has a pooler
                    continue
                if other == own:
                    equal.add(model_class.name)
    return equal


def listed(architecture: Architecture, model_class: str, case: Mapping[str, Any]) -> list[tuple[str, tuple[int, ...]]]:
    """The names and shapes that a class has with the sizes of a case, as far as its layout shows their order."""
    sizes = {"E": case["sizes"]["H"], "G": 1, "I": 1, "R": 32, "S": 2, **case["sizes"]}
    choices = Choices(pooler=case["choices"].get("pooler"))
    asked = Question(Model("", architecture, sizes), model_class, choices=choices)
    names = [(one.transformers, one.shape) for one in tensors(asked) if one.tied_to is None]
    return sorted(names) if case["layout"] in SORTED else names


def totals(case: Mapping[str, Any]) -> set[int]:
    """The totals that are right: without a pooler, also the one that the answer compares with, which has it."""
    result = {case["total"]}
    if case["choices"].get("pooler") is False:
        architecture = ARCHITECTURES[case["architecture"]]
        result.add(Question(Model("", architecture, case["sizes"]), case["modelClass"]).number)
    return result


def says_fault(case: Mapping[str, Any], account: Mapping[str, Any]) -> bool:
    """Whether some finding names a fault by its effect or its tensors."""
    number, names = case["fault"]["number"], case["fault"]["tensors"]
    if any(finding["amount"] == -number for finding in account["findings"]):
        return True
    own = [finding for finding in account["findings"] if names_one(names, finding)]
    return bool(own) and (len(own) == len(names) or sum(finding["amount"] or 0 for finding in own) == -number)


def names_one(names: list[str], finding: Mapping[str, Any]) -> bool:
    """Whether a finding names one of some tensors, or its module."""
    words = re.split(r"[^\w.]+", finding["words"])
    return any(name in words or name.rpartition(".")[0] in words for name in names)


def allegations(case: Mapping[str, Any], account: Mapping[str, Any]) -> list[str]:
    """What findings allege besides the fault: amounts that are no effect of it and not in the nature of the layout."""
    number = case["fault"]["number"]
    allowed = {0, -number, None}
    return [
        finding["words"]
        for finding in account["findings"]
        if finding["amount"] not in allowed
        and not NATURAL.search(finding["words"])
        and not pooler_is_said(case, finding)
        and not names_one(case["fault"]["tensors"], finding)
    ]


def pooler_is_said(case: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Whether a finding says that there is no pooler, in a text that shows none."""
    return case["choices"].get("pooler") is False and "pooler" in finding["words"].lower()


def judged(case: Mapping[str, Any], account: Mapping[str, Any] | None) -> Judged:
    """The verdict on the answer to a case."""
    if account is None:
        return Judged("unread")
    model = account["model"]
    words = " ".join([account["headline"], *(finding["words"] for finding in account["findings"])])
    is_open = account["confidence"] != "certain" or bool(OPEN_WORDS.search(words))
    if model is None:
        if account["kind"] == "other":
            return Judged("false", "taken for another model")
        return Judged("unsure" if is_open else "vague", f"no model, kind {account['kind']}")
    kind = case["fault"]["kind"]
    equal = equal_classes(case)
    wrong = []
    if model["modelClass"] not in equal and not any(name in words for name in equal):
        wrong.append(f"class {model['modelClass']} for {case['modelClass']}")
    if model["total"] not in totals(case):
        wrong.append("total")
    alleged = allegations(case, account)
    if not wrong and alleged:
        wrong.append(f"alleges: {re.sub(r'[0-9][0-9,]*', 'n', alleged[0])[:90]}")
    if wrong:
        return Judged("unsure" if is_open else "false", ", ".join(wrong))
    if kind in ("none", "cut", "wrapped") or says_fault(case, account):
        return Judged("right")
    if is_open:
        return Judged("unsure", "fault not named")
    silent = case["fault"]["number"] and re.search(r"add up to it|total is right", account["headline"])
    return Judged("false" if silent and case["stated"] is None else "vague", "fault not named")


def measured(scripts: Any, some: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Any, Judged]]:
    """Every case with its answer and the verdict."""
    for start in range(0, len(some), 25):
        part = some[start : start + 25]
        answers = scripts.call("accounts", [one["text"] for one in part])
        for one, answer in zip(part, answers, strict=True):
            yield one, answer, judged(one, answer)


def rates(results: Iterable[tuple[dict[str, Any], Any, Judged]]) -> dict[str, Counter[str]]:
    """How often each verdict comes, by layout."""
    by_layout: dict[str, Counter[str]] = {}
    for one, _, judgement in results:
        by_layout.setdefault(one["layout"], Counter())[judgement.verdict] += 1
    return by_layout


def main(seed: int, count: int, layout: str = "") -> None:
    """Print rates per layout, and what went wrong most often."""
    # Imported here because this starts Node.js, which nothing else in this package needs.
    from tests.scripts.layouts import cases
    from tests.scripts.running import copy_modules, running

    with TemporaryDirectory() as folder:
        copy_modules(Path(folder))
        with running(Path(folder)) as scripts:
            results = list(measured(scripts, cases(seed, count, layout)))
    for name, counter in sorted(rates(results).items()):
        print(f"{name:<20}" + "".join(f"{verdict} {counter[verdict]:<5}" for verdict in VERDICTS))
    total = Counter(judgement.verdict for _, _, judgement in results)
    print(f"{'all':<20}" + "".join(f"{verdict} {total[verdict]:<5}" for verdict in VERDICTS))
    kinds = Counter(
        (judgement.verdict, one["layout"], one["fault"]["kind"], judgement.why)
        for one, _, judgement in results
        if judgement.verdict in ("false", "vague", "unread")
    )
    for kind, times in kinds.most_common(60):
        print(times, *kind, sep=" | ")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
