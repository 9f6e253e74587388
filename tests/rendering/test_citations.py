"""A citation names version, commit, day and address in each format, as far as the build knows them."""

import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

from macros.counting import CountingError
from macros.rendering.citations import KINDS, ROOT, Work, citation, site_as_work
from macros.rendering.components.pages import UNKNOWN_SITE

COMMIT = "0123456789abcdef0123456789abcdef01234567"

# 1792000000 is 2026-10-14, by `date -u -d @1792000000`.
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1792000000", "SOURCE_COMMIT": COMMIT, "SITE_URL": "https://example.org/bert/"}
"""The environment of a build with a known commit, day and address."""

BIBTEX = """@misc{bert-counted,
  author  = { {The authors of "BERT, counted"} },
  title   = { {BERT, counted} },
  year    = {2026},
  version = {0.1},
  note    = {Commit 0123456789ab of 2026-10-14},
  url     = {https://example.org/bert/},
}"""

RIS = """TY  - COMP
AU  - The authors of "BERT, counted"
TI  - BERT, counted
PY  - 2026
DA  - 2026/10/14
ET  - 0.1
N1  - Commit 0123456789ab of 2026-10-14
UR  - https://example.org/bert/
ER  - """

TEXT = (
    'The authors of "BERT, counted" (2026). BERT, counted, version 0.1, commit 0123456789ab of 2026-10-14. '
    "https://example.org/bert/"
)


@pytest.mark.parametrize(("kind", "expected"), [("bibtex", BIBTEX), ("ris", RIS), ("text", TEXT)])
def test_a_citation_names_version_commit_day_and_address(kind: str, expected: str) -> None:
    assert expected == KINDS[kind](site_as_work(ENVIRONMENT))


@pytest.mark.parametrize("kind", KINDS)
def test_a_citation_needs_no_date_commit_or_address(kind: str) -> None:
    """Without a commit and a date, a citation has the commit "unknown" and the year of the version."""
    text = KINDS[kind](site_as_work({"SOURCE_DATE_EPOCH": "0"}))
    assert "unknown" in text
    assert "2026" in text
    assert UNKNOWN_SITE in text
    assert not [word for word in ("None", "1970", "DA  -") if word in text]


def commit_and_day(work: Work) -> tuple[str, date | None]:
    """The commit and the day of a work."""
    return work.commit, work.commit_date


def test_git_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that is given a date does not call git; without a date and git, the commit and day are unknown."""
    assert ("unknown", date(2026, 10, 14)) == commit_and_day(site_as_work({"SOURCE_DATE_EPOCH": "1792000000"}))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ("unknown", None) == commit_and_day(site_as_work({}))


@pytest.mark.usefixtures("needs_git")
def test_a_build_without_a_date_calls_git(tmp_path: Path) -> None:
    """Without a date, a build uses the hash and day of the last commit; outside a repository both are unknown."""
    shutil.copy(ROOT / "CITATION.cff", tmp_path)
    assert ("unknown", None) == commit_and_day(site_as_work({}, tmp_path))
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    environment = {"GIT_COMMITTER_DATE": "1792000000 +0000", "PATH": "/usr/bin:/bin"}
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "a"], check=True, env=environment)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    assert (head[:12], date(2026, 10, 14)) == commit_and_day(site_as_work({}, tmp_path))


def test_author_title_and_version_are_those_of_the_citation_file(tmp_path: Path) -> None:
    """If a field is missing there, the error names it."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text(text.replace('version: "0.1"', 'version: "0.2"'))
    assert "version 0.2" in KINDS["text"](site_as_work(ENVIRONMENT, tmp_path))
    (tmp_path / "CITATION.cff").write_text(text.replace("\nversion:", "\nedition:"))
    with pytest.raises(CountingError, match=r"CITATION\.cff lacks version; its fields are cff-version"):
        site_as_work(ENVIRONMENT, tmp_path)
    with pytest.raises(CountingError, match="bibtex"):
        citation("bibtx")
