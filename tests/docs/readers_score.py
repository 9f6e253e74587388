"""Print how many numbers of readers the page answers rightly: `python -m tests.docs.readers_score`.

A site is built for it unless one is given that is served, as by `mkdocs serve`: `--address http://127.0.0.1:8000`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from tests.docs.browser import executable, flags
from tests.docs.conftest import page_of_new_site
from tests.docs.first_answers import Answered, answers_to, is_right, is_wrong_as_fact, says_nothing
from tests.docs.scripts import with_scripts
from tests.docs.teachers_numbers import KNOWN, READERS, Known

SHOWN = 160
"""So many characters of a wrong answer are printed."""


def score(answered: Sequence[tuple[Known, Answered]]) -> Iterator[str]:
    """A line for each kind and one for all: right first, false but stated as fact, and without a reason."""
    yield f"{'':20} {'all':>4} {'right':>6} {'false':>6} {'none':>5}"
    for kind in [*dict.fromkeys(known.kind for known, _ in answered), "all"]:
        of_kind = [each for each in answered if kind in (each[0].kind, "all")]
        right = sum(is_right(*each) for each in of_kind)
        false = sum(is_wrong_as_fact(*each) for each in of_kind)
        none = sum(not is_right(*each) and says_nothing(each[1]) for each in of_kind)
        yield f"{kind:20} {len(of_kind):4} {right:6} {false:6} {none:5}"


def failures(answered: Sequence[tuple[Known, Answered]]) -> Iterator[str]:
    """A line for each wrong answer: what was typed, how sure the answer is, its beginning, and what it should say."""
    for known, answer in answered:
        if not is_right(known, answer):
            fact = "false" if is_wrong_as_fact(known, answer) else answer["kind"]
            begins = " ".join(answer["all" if known.anywhere else "says"].split())[:SHOWN]
            yield f"{known.kind} | {known.typed} | {fact} | {begins} | should say: {known.because}"


@contextmanager
def page_of(address: str) -> Iterator[tuple[Page, str]]:
    """A page, and where the site is: the one that is served at an address, or a new one if there is none."""
    if not address:
        with page_of_new_site() as built:
            yield built
        return
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=executable(), args=flags()).new_page(), address


def main(arguments: Sequence[str] = ()) -> int:
    """Ask the page, and print the score and what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs.readers_score", description=__doc__)
    parser.add_argument("--address", default="", help="where a built site is served; one is built if not given")
    parser.add_argument("--teachers", action="store_true", help="ask the teachers' numbers instead of the readers'")
    chosen = parser.parse_args(arguments)
    with page_of(chosen.address) as (page, address):
        with_scripts(page, address.rstrip("/"))
        answered = answers_to(page, KNOWN if chosen.teachers else READERS)
    print(*score(answered), "", *failures(answered), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
