"""Publishing completes a built site, or says in one line why it cannot and changes nothing."""

from pathlib import Path

import pytest

from macros.publish import PublishError, _publish, piece, preview, publish
from macros.publish.__main__ import main
from macros.rendering.components.svg import Bar, Segment, bars, figure
from tests.docs.building import contents

PAGE = '<head><meta charset="utf-8"><link href="assets/bert-counted.css"></head><p class="used">a</p>'

FILES = {
    "index.html": PAGE,
    "parts/heads.html": PAGE,
    "assets/styles/1.css": ".a{a:2}",
    "assets/stylesheets/main.css": ".a{a:1}",
    "assets/javascripts/bundle.js": "run()\n",
    "assets/javascripts/workers/search.js": "answer()",
    "assets/ours.js": "ours()",
    "search/search_index.json": '{"config": {"lang": ["en"], "fields": {}}, "docs": []}',
}
"""The files of a small built site."""


@pytest.fixture(autouse=True)
def one_download(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all downloads with a single one, which is created quickly."""
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/a/b.csv", lambda: "1\n")])


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the small built site."""
    return write(tmp_path / "site", FILES)


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder, and return the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture(autouse=True)
def no_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the table of moves, whose pages the small site lacks, with an empty one."""
    monkeypatch.setattr("macros.publish.moved.load_moves", dict)


def test_publishing_replaces_files_of_the_build(site: Path) -> None:
    publish(site)
    files = contents(site)
    assert [] == [path for path in site.rglob("*") if path.is_dir() and not any(path.iterdir())]
    style_sheets = {"assets/styles/1.css", "assets/stylesheets/main.css"}
    assert {*FILES, "assets/bert-counted.css", "data/a/b.csv"} - style_sheets == set(files)
    assert b"1\n" == files["data/a/b.csv"]
    assert b"Content-Security-Policy" in files["index.html"]
    assert b"Content-Security-Policy" in files["parts/heads.html"]
    assert b".a{a:1}.a{a:2}" == files["assets/bert-counted.css"]


def test_a_published_site_is_not_published_again(site: Path) -> None:
    """Publishing has replaced the separate style sheets."""
    publish(site)
    contents_before = contents(site)
    with pytest.raises(PublishError, match="lacks the style sheets in assets/stylesheets; build the site again"):
        publish(site)
    assert contents_before == contents(site)


EMBEDDABLE_ARTICLE = '<article><h1>A</h1><p id="a">b <a class="bc-permalink" href="#a">#</a></p></article>'
"""An article with an element that can be embedded."""


def test_every_piece_has_its_own_page(site: Path) -> None:
    """A preview builds the page of a piece on request, allows every inline script in it, and has no downloads."""
    write(site, {"parts/heads.html": PAGE + EMBEDDABLE_ARTICLE})
    preview(site)
    assert not (site / "embed").exists()
    assert "'unsafe-inline'" in (piece(site, "embed/parts/heads/a.html") or "")
    assert ".a{a:1}.a{a:2}" == (site / "assets/bert-counted.css").read_text()
    assert not (site / "data").exists()
    write(site, FILES | {"parts/heads.html": PAGE + EMBEDDABLE_ARTICLE})
    assert 0 == main([str(site)])
    embedded_page = (site / "embed/parts/heads/a.html").read_text()
    assert "Content-Security-Policy" in embedded_page
    assert "unsafe-inline" not in embedded_page


def test_a_page_at_an_old_address_has_a_policy(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("macros.publish.moved.load_moves", lambda: {"old/heads.html": "parts/heads.html"})
    publish(site)
    page = (site / "old/heads.html").read_text()
    assert "script-src 'self' 'sha256-" in page
    assert "<meta" not in (site / "old/heads.md").read_text()


@pytest.mark.parametrize(("has_prints", "kinds"), [(False, "svg"), (True, "svg png")])
def test_a_figure_is_a_file_and_can_be_embedded(site: Path, has_prints: bool, kinds: str) -> None:
    html = figure("figure-a", "A", "B.", bars([Bar("a", "1", [Segment("cell", 1, "a: 1")])]), "To scale.")
    write(site, {"parts/heads.html": f"<title>A</title>{PAGE}<article><h1>A</h1>{html}</article>"})
    with pytest.raises(PublishError, match="sets no --md-default-fg-color, --md-default-fg-color--light for figures"):
        publish(site)
    colours = "--md-default-fg-color:#111;--md-default-fg-color--light:#666"
    write(site, {"assets/styles/1.css": f'[data-md-color-scheme="default"]{{{colours}}}'})
    _publish(site, has_prints=has_prints)
    files = contents(site)
    assert f'data-file="../figures/parts/heads/a" data-kinds="{kinds}"'.encode() in files["parts/heads.html"]
    assert {"figures/parts/heads/a-light.svg", "figures/parts/heads/a-dark.svg"} <= set(files)
    assert b"data-file" not in files["embed/parts/heads/figure-a.html"]


@pytest.mark.parametrize(
    ("changed_files", "message"),
    [
        ({"parts/heads.html": "<head></head>"}, "parts/heads.html has 0 <meta charset>"),
        ({"parts/heads.html": PAGE + PAGE}, "parts/heads.html has 2 <meta charset>"),
        ({"assets/stylesheets/main.css": None}, "lacks the style sheets in assets/stylesheets"),
        ({"assets/styles/1.css": None}, "lacks the style sheets in assets/styles"),
        ({"index.html": None, "parts/heads.html": None}, "holds no page"),
    ],
)
def test_a_site_that_cannot_be_published_is_not_changed(
    site: Path, changed_files: dict[str, str | None], message: str
) -> None:
    for name, text in changed_files.items():
        (site / name).unlink()
        if text is not None:
            write(site, {name: text})
    contents_before = contents(site)
    with pytest.raises(PublishError, match=message):
        publish(site)
    assert contents_before == contents(site)


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (None, "holds no page; build the site into it first"),
        ({"a.txt": ""}, "holds no page; build the site into it first"),
        ({**FILES, "index.html": "<p>"}, "index.html has 0 <meta charset>"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str] | None, fault: str
) -> None:
    site = tmp_path / "site" if files is None else write(tmp_path / "site", files)
    assert 2 == main([str(site)])
    message = capsys.readouterr().err
    assert message.startswith("PublishError: ")
    assert fault in message
    assert 1 == message.count("\n")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("// Ours\nexport default 1\n", r"docs/assets/ours\.js, line 2: this statement cannot be bundled"),
        # Of the scripts that an arrow joins, the one on the right imports the one on the left.
        (
            'import "./third.js"\n',
            r"in a circle, .*\bours\.js <- docs/assets/other\.js\b|other\.js <- .*third\.js <- .*ours",
        ),
    ],
)
def test_a_script_that_cannot_be_bundled_is_named_while_serving(site: Path, code: str, message: str) -> None:
    """Authors learn of the fault before the site is published, even if no page names the script."""
    scripts = {"assets/other.js": 'import "./ours.js"\n', "assets/third.js": 'import "./other.js"\n'}
    write(site, {"assets/ours.js": code, **scripts})
    with pytest.raises(PublishError, match=message):
        preview(site)
