"""Runs Lighthouse on the pages of the built site, with the profile of a phone.

    make build
    python -m tests.audit [PAGE ...]

Prints a line for each page, and exits with 1 if a score is below its goal or if there is no
page. Because timings vary, each page is visited three times, and the medians of its scores
count. The failed audits that are printed are those of the first visit. The script needs
Node.js with npm, which installs Lighthouse.
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
from tests.docs.conftest import QuietHandler, serving

SITE = ROOT / "site"

LIGHTHOUSE = ("npx", "--yes", "--package=lighthouse@12.8.2", "--package=third-party-web@0.27.0", "lighthouse")
"""The command that runs Lighthouse.

It also pins a dependency of Lighthouse, because not every registry has all releases of that package.
"""

GOALS = {"performance": 98, "accessibility": 100, "best-practices": 100, "seo": 100}
"""The lowest acceptable score in each category, out of 100."""

VISITS = 3
"""The number of visits to each page."""

QUESTION_ADDRESSES = ["disagreements/i-got.html?n=75641856"]
"""Addresses that contain a question, which the page answers as soon as it is opened."""

COMPRESSED_SUFFIXES = (".html", ".css", ".js", ".svg", ".json", ".xml")
"""The suffixes of text files, which are compressed."""


@cache
def content_as_sent(path: Path) -> bytes:
    """The content of a file as GitHub Pages sends it: only text is compressed, with gzip."""
    content = path.read_bytes()
    return gzip.compress(content) if path.suffix in COMPRESSED_SUFFIXES else content


class CompressingHandler(QuietHandler):
    """A request handler that compresses files as GitHub Pages does.

    Source: https://github.com/orgs/community/discussions/21655.
    """

    def do_GET(self) -> None:  # noqa: N802  the name is that of http.server
        """Send a file, or 404."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = content_as_sent(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        if path.suffix in COMPRESSED_SUFFIXES:
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        self.wfile.write(content)


def report_of_visit(url: str, file: Path) -> Any:
    """Lighthouse's report on one visit, which is also written to a file."""
    options = [f"--only-categories={','.join(GOALS)}", "--output=json", f"--output-path={file}", "--quiet"]
    chrome = f"--chrome-flags={' '.join(['--headless=new', *flags()])}"
    environment = {**os.environ, "CHROME_PATH": executable() or ""}
    subprocess.run([*LIGHTHOUSE, url, *options, chrome], check=True, env=environment)
    return json.loads(file.read_text(encoding="utf-8"))


def scores_and_failures(url: str) -> tuple[dict[str, int], list[str]]:
    """The median scores of a page by category, and the pass-or-fail audits that it failed on the first visit."""
    with TemporaryDirectory() as folder:
        reports = [report_of_visit(url, Path(folder) / "report.json") for _ in range(VISITS)]
    medians = {name: median(round(100 * report["categories"][name]["score"]) for report in reports) for name in GOALS}
    audits = reports[0]["audits"].items()
    failed_audits = [name for name, audit in audits if audit["score"] == 0 and audit["scoreDisplayMode"] == "binary"]
    return medians, failed_audits


def main(arguments: list[str]) -> int:
    """Audit the pages named in `arguments` or, if it is empty, the pages of the site and `QUESTION_ADDRESSES`.

    Returns 1 if a score is below its goal or there is no page, and 0 otherwise.
    """
    # Pages for frames are left out: they ask search engines not to list them, which lowers a score.
    names = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    pages = (
        arguments
        or [name for name in names if name != "404.html" and not name.startswith("embed/")] + QUESTION_ADDRESSES
    )
    missed_goals = 0
    with serving(SITE, CompressingHandler) as address:
        for page in pages:
            medians, failed_audits = scores_and_failures(f"{address}/{page}")
            missed_goals += sum(medians[name] < goal for name, goal in GOALS.items())
            print(page, *(f"{name} {score}" for name, score in medians.items()), *failed_audits, sep="  ", flush=True)
    if missed_goals == 0 and pages:
        return 0
    print(f"{missed_goals} scores of {len(pages)} pages are below the goals, {GOALS}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
