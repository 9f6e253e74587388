"""Runs Lighthouse on every page of the built site, with the profile of a phone.

    make build
    python -m tests.audit [PAGE ...]

Prints a line for each page, and exits with 1 if a score is below its goal. Timings
vary, so each page is visited three times, and its scores are the medians; the failed
audits named are those of the first visit. Node.js with npm is needed, which installs
Lighthouse.
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
from tests.docs.conftest import QuietServer, serving

SITE = ROOT / "site"
# Lighthouse depends on the second package, in a release that not every registry has; so it is pinned here too.
LIGHTHOUSE = ("npx", "--yes", "--package=lighthouse@12.8.2", "--package=third-party-web@0.27.0", "lighthouse")
GOAL = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
RUNS = 3

QUESTIONS = ["disagreements/i-got.html?n=75641856"]
"""Addresses that contain a question, which the page answers as soon as it is opened."""

TEXTS = (".html", ".css", ".js", ".svg", ".json", ".xml")


@cache
def compressed(path: Path) -> bytes:
    """The contents of a file as GitHub Pages sends them: text is compressed with gzip, and nothing else is."""
    content = path.read_bytes()
    return gzip.compress(content) if path.suffix in TEXTS else content


class AsPublished(QuietServer):
    """A server that sends files as GitHub Pages does (https://github.com/orgs/community/discussions/21655)."""

    def do_GET(self) -> None:  # noqa: N802  http.server calls it so
        """Send a file, or 404."""
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
    """The report of Lighthouse on one visit."""
    options = [f"--only-categories={','.join(GOAL)}", "--output=json", f"--output-path={file}", "--quiet"]
    chrome = f"--chrome-flags={' '.join(['--headless=new', *flags()])}"
    environment = {**os.environ, "CHROME_PATH": executable() or ""}
    subprocess.run([*LIGHTHOUSE, url, *options, chrome], check=True, env=environment)
    return json.loads(file.read_text(encoding="utf-8"))


def scores(url: str) -> tuple[dict[str, int], list[str]]:
    """The scores of a page, and the names of the audits that it failed."""
    with TemporaryDirectory() as folder:
        runs = [run(url, Path(folder) / "report.json") for _ in range(RUNS)]
    medians = {name: median(round(100 * report["categories"][name]["score"]) for report in runs) for name in GOAL}
    audits = runs[0]["audits"].items()
    failed = [name for name, audit in audits if audit["score"] == 0 and audit["scoreDisplayMode"] == "binary"]
    return medians, failed


def main(arguments: list[str]) -> int:
    """Audit the pages that are named, or all of them, and return 1 if a score is below its goal."""
    # Pages for frames ask search engines to leave them out, which lowers a score; what they show is on other pages too.
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    pages = arguments or [name for name in names if name != "404.html" and not name.startswith("embed/")] + QUESTIONS
    low = 0
    with serving(SITE, AsPublished) as address:
        for page in pages:
            medians, failed = scores(f"{address}/{page}")
            low += sum(medians[name] < goal for name, goal in GOAL.items())
            print(page, *(f"{name} {score}" for name, score in medians.items()), *failed, sep="  ", flush=True)
    if low or not pages:
        print(f"{low} scores of {len(pages)} pages are below the goal of {GOAL}", file=sys.stderr)
    return int(bool(low) or not pages)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
