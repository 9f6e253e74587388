"""Lighthouse on every page of the built site, phone profile: `make build`, then `python -m tests.audit [PAGE ...]`.

Prints a line for each page and exits with 1 where one is below the goal.
Performance is measured in time, so it is the median of three runs; the other
scores do not vary, and one of those runs is looked at. Needs Node.js with npm,
which gets Lighthouse.
"""

import gzip
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from macros.publish.paper.browser import executable, flags
from tests.docs.building import ROOT
from tests.docs.conftest import Quiet, serving

SITE = ROOT / "site"
# The second is a part of the first, which asks for a release of it that not every registry has.
LIGHTHOUSE = ("npx", "--yes", "--package=lighthouse@12.8.2", "--package=third-party-web@0.27.0", "lighthouse")
GOAL = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
RUNS = 3

ASKED = ["disagreements/i-got.html?n=75641856"]
"""Addresses that ask something, which their pages answer at once."""

TEXTS = (".html", ".css", ".js", ".svg", ".json", ".xml")


@cache
def compressed(path: Path) -> bytes:
    """A file as GitHub Pages sends it: text by gzip and by nothing better, and fonts, which are compressed already."""
    content = path.read_bytes()
    return gzip.compress(content) if path.suffix in TEXTS else content


class AsPublished(Quiet):
    """Sends files as GitHub Pages does (https://github.com/orgs/community/discussions/21655)."""

    def do_GET(self) -> None:  # noqa: N802  http.server calls it so
        """Send a file; browsers keep scripts for ten minutes, so that a worker gets the one that the page fetched."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        if path.suffix in TEXTS:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        self.wfile.write(content)


def run(url: str, file: Path) -> Any:
    """What Lighthouse reports of one visit."""
    options = [f"--only-categories={','.join(GOAL)}", "--output=json", f"--output-path={file}", "--quiet"]
    chrome = f"--chrome-flags={' '.join(['--headless=new', *flags()])}"
    environment = {**os.environ, "CHROME_PATH": executable() or ""}
    subprocess.run([*LIGHTHOUSE, url, *options, chrome], check=True, env=environment)
    return json.loads(file.read_text(encoding="utf-8"))


def scores(url: str) -> tuple[dict[str, int], list[str]]:
    """The scores of a page, and what it failed."""
    with TemporaryDirectory() as folder:
        runs = [run(url, Path(folder) / "report.json") for _ in range(RUNS)]
    found = {each: median(round(100 * report["categories"][each]["score"]) for report in runs) for each in GOAL}
    audits = runs[0]["audits"].items()
    return found, [name for name, each in audits if each["score"] == 0 and each["scoreDisplayMode"] == "binary"]


def main(asked: list[str]) -> int:
    """Audit pages, or all of them; returns 1 where a score is below its goal."""
    # Pages for frames ask not to be found, which lowers a score; what they show is seen on the pages they are cut from.
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    pages = asked or [each for each in names if each != "404.html" and not each.startswith("embed/")] + ASKED
    low = 0
    with serving(SITE, AsPublished) as address:
        for page in pages:
            found, failed = scores(f"{address}/{page}")
            low += sum(found[name] < goal for name, goal in GOAL.items())
            print(page, *(f"{name} {score}" for name, score in found.items()), *failed, sep="  ", flush=True)
    if low or not pages:
        print(f"{low} scores of {len(pages)} pages are below the goal of {GOAL}", file=sys.stderr)
    return int(bool(low) or not pages)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
