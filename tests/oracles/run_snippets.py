"""Run every snippet on the site, and compare its output with the output that the site shows.

Run by `make verify`, in an environment with torch, transformers and PEFT, and in one with adapters:

    python -m tests.oracles.run_snippets .cache/oracles/snippets.json
    python -m tests.oracles.run_snippets .cache/oracles/snippets.json transformers4

Every "Check it yourself" snippet on a page runs in a separate process, and its text is
recorded so that `make test` notices snippets that have not been run. The hundreds of
snippets from the calculator, which `calculator_snippets` has written to the file, run in
this process.
"""

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

RECORDING_FILE = Path(__file__).parents[1] / "rendering" / "recorded_snippets.json"
"""The file with the snippets of pages that have been run, which `test_snippets.py` reads."""


def difference(name: str, snippet: str) -> str | None:
    """A message if the output of a page's snippet differs from the output on the page, or None."""
    code, expected = re.findall(r"```\w+\n(.*?)```", snippet, re.DOTALL)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if result.returncode:
        return f"{name}: failed with {result.stderr.splitlines()[-1]}"
    if result.stdout != expected:
        return f"{name}: printed {result.stdout.split()}, the page says {expected.split()}"
    return None


def difference_in_process(code: str) -> str | None:
    """A message if the output of one of the calculator's snippets differs from the comments on its lines, or None."""
    expected = re.findall(r"^print.*# ([0-9]+)$", code, re.MULTILINE)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        try:
            exec(code, {})  # noqa: S102 - our own code
        except Exception as error:  # of any kind, because readers would see it
            return f"{code}\nfailed with {type(error).__name__}: {error}"
    return None if output.getvalue().split() == expected else f"{code}\nprinted {output.getvalue().split()}"


def main(path: str, environment: str = "current") -> int:
    """Run all snippets for one environment, and return 1 if any output differs."""
    snippets = json.loads(Path(path).read_text(encoding="utf-8"))
    pages = snippets["pages"] if environment == "current" else {}
    codes = snippets[environment]
    differences = [*map(difference, pages, pages.values()), *map(difference_in_process, codes)]
    messages = list(filter(None, differences))
    if pages and not messages:
        RECORDING_FILE.write_text(json.dumps(pages, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print("\n".join(messages) or f"{len(pages)} snippets of pages and {len(codes)} of the calculator are right")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
