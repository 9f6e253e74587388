"""Run every snippet of the site and compare what it prints with what is said beside it.

Run by `make verify`, in an environment with torch, transformers and PEFT, and in one with adapters:

    python -m tests.oracles.run_snippets .cache/oracles/snippets.json
    python -m tests.oracles.run_snippets .cache/oracles/snippets.json transformers4

Each "check it yourself" of a page runs in a process of its own, and is recorded
as it was run, so that `make test` notices one that nobody has run. Those of the
calculator, which `calculator_snippets` has written down, are hundreds, and run
in this one.
"""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

RECORDED = Path(__file__).parents[1] / "rendering" / "recorded_snippets.json"
"""Read by test_snippets.py beside it."""


def difference(name: str, shown: str) -> str | None:
    """How the output of a page's snippet differs from what the page says, or None."""
    code, promised = re.findall(r"```\w+\n(.*?)```", shown, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"{name}: failed with {done.stderr.splitlines()[-1]}"
    return (
        None if done.stdout == promised else f"{name}: printed {done.stdout.split()}, the page says {promised.split()}"
    )


def difference_here(code: str) -> str | None:
    """How the output of one of the calculator's snippets differs from the comments on its lines, or None."""
    promised = re.findall(r"^print.*# ([0-9]+)$", code, re.MULTILINE)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(code, {})  # noqa: S102 - it is ours, and to be run
        except Exception as error:  # of any kind: readers would meet it
            return f"{code}\nfailed with {type(error).__name__}: {error}"
    return None if printed.getvalue().split() == promised else f"{code}\nprinted {printed.getvalue().split()}"


def main(path: str, runs: str = "current") -> int:
    """Run all that an environment can; the exit status is 1 where any differs."""
    written = json.loads(Path(path).read_text(encoding="utf-8"))
    pages, codes = written["pages"] if runs == "current" else {}, written[runs]
    found = [*filter(None, (*map(difference, pages, pages.values()), *map(difference_here, codes)))]
    if pages and not found:
        RECORDED.write_text(json.dumps(pages, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print("\n".join(found) or f"{len(pages)} snippets of pages and {len(codes)} of the calculator are right")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
