"""The adapter to MkDocs."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files

from macros import hooks
from macros.hooks import on_files, on_post_build, on_startup
from tests.docs.building import ROOT

PAGE = '<head><meta charset="utf-8"></head>'
BUILT = {"index.html": PAGE, "assets/site.css": "", "assets/stylesheets/main.css": ""}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The site's own configuration, with another folder to build into; what the hooks remember is forgotten after."""
    monkeypatch.setattr(hooks, "serving", False)
    monkeypatch.setattr(hooks, "making", None)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    monkeypatch.setattr(config.plugins, "_current_plugin", "hooks", raising=False)
    yield config
    if hooks.making:
        hooks.making.process.kill()
        hooks.making.process.wait()
        hooks.making.folder.cleanup()


def build(config: Any, pages: dict[str, str]) -> None:
    """Does what MkDocs does: empties the site, fills it and calls the hooks."""
    site = Path(config.site_dir)
    shutil.rmtree(site, ignore_errors=True)
    on_files(files := Files([]), config).copy_static_files()
    assert "data/totals.json" in [file.src_uri for file in files]
    for name, text in pages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    on_post_build(config)


def test_a_build_is_published(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """MkDocs knows the addresses of all downloads, and finds the site published."""
    monkeypatch.setattr("macros.publish.files", lambda: [("data/totals.json", "{}")])
    on_startup("build")
    build(config, BUILT)
    page = (Path(config.site_dir) / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "'unsafe-inline'" not in page
    assert "{}" == (Path(config.site_dir) / "data" / "totals.json").read_text()


def test_a_page_that_cannot_be_published_stops_mkdocs(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is one that MkDocs reports in a line, and names the page."""
    monkeypatch.setattr("macros.publish.files", list)
    with pytest.raises(PluginError, match=r"index\.html: it has 0 times"):
        build(config, {**BUILT, "index.html": "<p>"})


def test_while_serving_downloads_are_made_once(config: Any) -> None:
    """A rebuild copies the downloads of the build before it, and makes them anew after a change to our code."""
    on_startup("serve")
    for _ in range(2):
        build(config, BUILT)
        assert "'unsafe-inline'" in (Path(config.site_dir) / "index.html").read_text()
        assert '"BertModel": 109482240' in (Path(config.site_dir) / "data" / "totals.json").read_text()
    assert hooks.making
    first = hooks.making.process
    build(config, BUILT)
    assert first is hooks.making.process
    hooks.making = hooks.making._replace(code=hooks)
    build(config, BUILT)
    assert first is not hooks.making.process


def test_downloads_that_cannot_be_made_stop_the_rebuild(config: Any) -> None:
    """A failure of the process that makes them is not passed over."""
    on_startup("serve")
    config.config_file_path = str(Path(config.site_dir).with_name("mkdocs.yml"))  # nothing of ours is beside it
    with pytest.raises(PluginError, match="the downloads could not be made"):
        build(config, BUILT)


def test_downloads_are_copied_where_they_cannot_be_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As onto another disk; what stood there before is replaced, and not written into."""
    source, target, other = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    source.write_text("new")
    target.write_text("old")
    other.hardlink_to(target)

    def refused(*_: str) -> None:
        raise OSError

    monkeypatch.setattr(hooks, "link", refused)
    hooks._linked(str(source), str(target))
    assert ("new", "old") == (target.read_text(), other.read_text())
