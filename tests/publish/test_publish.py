"""Publishing a built site, by function and by command."""

import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_module

import pytest

from macros.publish import PublishError, files, preview, publish
from macros.publish.__main__ import main
from macros.rendering.elements.svg import Bar, Segment, bars, figure
from tests.docs.test_build import contents

PAGE = '<head><meta charset="utf-8"><link href="assets/bert-counted.css"></head><p class="used">a</p>'

BUILT = {
    "index.html": PAGE,
    "parts/heads.html": PAGE,
    "assets/site.css": ".used{a:2}",
    "assets/stylesheets/main.css": ".used{a:1}.unused{a:1}",
    "assets/stylesheets/main.css.map": "{}",
    "assets/javascripts/bundle.js": "run()\n//# sourceMappingURL=bundle.js.map\n",
    "assets/javascripts/workers/search.js": "answer()",
    "assets/javascripts/lunr/min/lunr.de.min.js": "german()",
    "assets/ours.js": "ours()",
    "search/search_index.json": '{"config": {"lang": ["en"], "fields": {}}, "docs": []}',
}
"""A built site in small."""


@pytest.fixture(autouse=True)
def one_download(monkeypatch: pytest.MonkeyPatch) -> None:
    """One file to download, which is made quickly."""

    def files() -> Iterator[tuple[str, str]]:
        yield "data/a/b.csv", "1\n"

    monkeypatch.setattr("macros.publish.files", files)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a built site."""
    return written(tmp_path / "site", BUILT)


def written(folder: Path, files: dict[str, str]) -> Path:
    """A folder with some files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(autouse=True)
def nothing_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of the true site are not there."""
    monkeypatch.setattr("macros.publish.moved.load", dict)


def test_everything_is_done(site: Path) -> None:
    """Downloads, policies and the style sheet are there; what they replace has gone."""
    publish(site)
    found = contents(site)
    expected = {
        "index.html",
        "parts/heads.html",
        "assets/bert-counted.css",
        "assets/javascripts/bundle.js",
        "assets/javascripts/workers/search.js",
        "assets/ours.js",
        "search/search_index.js",
        "search/search_index.json",
        "search/worker.js",
        "data/a/b.csv",
    }
    assert expected == set(found)
    assert b"1\n" == found["data/a/b.csv"]
    assert b"Content-Security-Policy" in found["index.html"]
    assert b"Content-Security-Policy" in found["parts/heads.html"]
    assert b".used{a:1}.used{a:2}" == found["assets/bert-counted.css"]
    assert b"run()\n" == found["assets/javascripts/bundle.js"]
    assert b"ours()" == found["assets/ours.js"]
    assert b"var __index = " + found["search/search_index.json"] + b"\n" == found["search/search_index.js"]
    assert b"answer()" in found["search/worker.js"]


def test_styles_of_what_downloaded_scripts_make_are_kept(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exported table is a script; what merely stands in a file to download makes no element."""
    files = {"data/table.js": 'made = "unused"', "data/a.csv": '"other"', "data/z.json": '"other"'}
    monkeypatch.setattr("macros.publish.files", files.items)
    (site / "assets/stylesheets/main.css").write_text(".used{a:1}.unused{a:1}.other{a:1}")
    publish(site)
    assert ".used{a:1}.unused{a:1}.used{a:2}" == (site / "assets/bert-counted.css").read_text()


def test_twice_is_the_same_as_once(site: Path) -> None:
    """A site that is ready keeps every byte, and no file is written again."""
    publish(site)
    first = contents(site)
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    publish(site)
    assert first == contents(site)
    assert times == {path: path.stat().st_mtime_ns for path in site.rglob("*")}


SIGNED = '<article><h1>A</h1><p id="a">b <a class="bc-permalink" href="#a">#</a></p></article>'
"""Something that can be embedded."""


def test_what_can_be_embedded_is_a_page_of_its_own(site: Path) -> None:
    """With a policy, and the same when the site is published again; a preview has it as well."""
    written(site, {"parts/heads.html": PAGE + SIGNED})
    preview(site)
    assert "'unsafe-inline'" in (site / "embed/parts/heads/a.html").read_text()
    publish(site)
    first = contents(site)
    assert b"Content-Security-Policy" in first["embed/parts/heads/a.html"]
    assert b"unsafe-inline" not in first["embed/parts/heads/a.html"]
    publish(site)
    assert first == contents(site)


def test_a_figure_is_a_file_and_can_be_embedded(site: Path) -> None:
    """What its page says of the file is not for the page that is cut out; publishing again changes nothing."""
    drawn = figure("figure-a", "A", "B.", bars([Bar("a", "1", [Segment("cell", 1, "a: 1")])]), "To scale.")
    written(site, {"parts/heads.html": f"<title>A</title>{PAGE}<article><h1>A</h1>{drawn}</article>"})
    with pytest.raises(PublishError, match="sets no --md-default-fg-color, --md-default-fg-color--light for figures"):
        publish(site)
    colours = "--md-default-fg-color:#111;--md-default-fg-color--light:#666"
    written(site, {"assets/site.css": f'[data-md-color-scheme="default"]{{{colours}}}'})
    publish(site)
    first = contents(site)
    assert b'data-file="../figures/parts/heads/a" data-kinds="svg"' in first["parts/heads.html"]
    assert {"figures/parts/heads/a-light.svg", "figures/parts/heads/a-dark.svg"} <= set(first)
    assert b"data-file" not in first["embed/parts/heads/figure-a.html"]
    publish(site)
    assert first == contents(site)


def test_an_interrupted_run_is_completed(site: Path) -> None:
    """Publishing goes on where it stopped: between any two files that it removes."""
    publish(site)
    expected = contents(site)
    written(site, {name: text for name, text in BUILT.items() if "stylesheets" in name})
    publish(site)
    assert expected == contents(site)


def test_the_classic_look_is_taken_where_a_theme_has_several(site: Path) -> None:
    """Zensical keeps the style sheets of two looks in folders."""
    (site / "assets/stylesheets/main.css").unlink()
    written(site / "assets/stylesheets", {"classic/main.css": ".used{a:3}", "modern/main.css": ".used{a:4}"})
    publish(site)
    assert ".used{a:3}.used{a:2}" == (site / "assets/bert-counted.css").read_text()
    assert not list((site / "assets/stylesheets").rglob("*.css"))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"parts/heads.html": "<head></head>"}, "parts/heads.html: it has 0 times"),
        ({"parts/heads.html": PAGE + PAGE}, "parts/heads.html: it has 2 times"),
        ({"assets/stylesheets/main.css": None}, "assets/stylesheets holds no style sheet of the theme"),
        ({"assets/site.css": None}, "has neither assets/site.css nor assets/bert-counted.css"),
        ({"index.html": None, "parts/heads.html": None}, "holds no page"),
    ],
)
def test_a_site_that_cannot_be_published_is_left_as_it_was(
    site: Path, changed: dict[str, str | None], says: str
) -> None:
    """The error names the page or the folder, and nothing is half made."""
    for name, text in changed.items():
        (site / name).unlink()
        if text is not None:
            written(site, {name: text})
    before = contents(site)
    with pytest.raises(PublishError, match=says):
        publish(site)
    assert before == contents(site)


def test_a_page_in_another_encoding_is_named(site: Path) -> None:
    """A page that cannot be read is an error, not a page without a policy."""
    (site / "parts/heads.html").write_bytes(b"\xff")
    with pytest.raises(PublishError, match=r"heads\.html is not written in UTF-8"):
        publish(site)


def test_a_preview_is_not_made_small(site: Path) -> None:
    """It allows the script that reloads the page, and keeps styles that the next edit may need."""
    preview(site)
    assert "'unsafe-inline'" in (site / "index.html").read_text()
    assert ".used{a:1}.unused{a:1}.used{a:2}" == (site / "assets/bert-counted.css").read_text()
    assert not (site / "data").exists()


def test_files_to_download_are_those_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with what makes it."""
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/a.csv", lambda: "1\n"), ("data/b.zip", lambda: b"PK")])
    assert [("data/a.csv", "1\n"), ("data/b.zip", b"PK")] == list(files())


def test_the_command_publishes(site: Path) -> None:
    """It does what the function does, and its status says so."""
    assert 0 == main([str(site)])
    assert "Content-Security-Policy" in (site / "index.html").read_text()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (None, "there is no folder"),
        ({"a.txt": ""}, "holds no page; build the site into it first"),
        ({**BUILT, "index.html": "<p>"}, "index.html: it has 0 times"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str] | None, says: str
) -> None:
    """A folder that is missing, one without pages and a page without a place: status 2 and one line."""
    site = tmp_path / "site" if files is None else written(tmp_path / "site", files)
    assert 2 == main([str(site)])
    said = capsys.readouterr().err
    assert said.startswith("PublishError: ")
    assert says in said
    assert 1 == said.count("\n")


def test_the_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m macros.publish` returns the status to whoever called it."""
    monkeypatch.setattr(sys, "argv", ["publish", str(tmp_path)])
    monkeypatch.delitem(sys.modules, main.__module__)
    with pytest.raises(SystemExit) as done:
        run_module("macros.publish", run_name="__main__")
    assert 2 == done.value.code
    assert f"PublishError: {tmp_path} holds no page; build the site into it first\n" == capsys.readouterr().err
