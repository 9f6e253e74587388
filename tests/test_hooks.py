"""The adapter to MkDocs."""

import gc
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.utils import CountHandler

from macros import hooks
from macros.hooks import on_config, on_files, on_post_build, on_shutdown, on_startup
from tests.docs.building import ROOT

PAGE = '<head><meta charset="utf-8"></head>'
BUILT = {"index.html": PAGE, "assets/styles/1.css": "", "assets/stylesheets/main.css": ""}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The site's own configuration, with another folder to build into; what the hooks set is as before after."""
    monkeypatch.setattr(hooks, "serving", False)
    monkeypatch.setattr(hooks, "destination", None)
    monkeypatch.setattr("macros.publish.moved.load", dict)  # the pages of the true site are not there
    monkeypatch.setattr("macros.site.hooked", False)
    before = gc.get_threshold()
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    monkeypatch.setattr(config.plugins, "_current_plugin", "hooks", raising=False)
    yield config
    gc.set_threshold(*before)


def build(config: Any, pages: dict[str, str]) -> None:
    """Does what MkDocs does: empties the site, fills it and calls the hooks."""
    site = Path(on_config(config).site_dir)
    shutil.rmtree(site, ignore_errors=True)
    on_files(files := Files([]), config).copy_static_files()
    assert "data/totals.json" in [file.src_uri for file in files]
    for name, text in pages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    on_post_build(config)


def test_what_nobody_needs_of_the_theme_is_left_out(config: Any) -> None:
    """The theme's files are there without them."""
    files = Files([])
    files.add_files_from_theme(config.theme.get_env(), config)
    assert any(each.src_uri.endswith("/lunr.de.min.js") for each in files)
    assert any(each.src_uri.endswith(".js.map") for each in files)
    assert not [each for each in on_files(files, config) if "/lunr/" in each.src_uri or each.src_uri.endswith(".map")]
    assert any(each.src_uri.startswith("assets/javascripts/") for each in files)


def test_a_build_is_published(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """MkDocs knows the addresses of all downloads, and finds the site published."""
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/totals.json", lambda: "{}")])
    on_startup("build")
    site = Path(config.site_dir)
    build(config, BUILT)
    page = (site / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "'unsafe-inline'" not in page
    assert "{}" == (site / "data" / "totals.json").read_text()
    assert [site] == [*site.parent.iterdir()]


def test_a_page_that_cannot_be_published_stops_mkdocs(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is one that MkDocs reports in a line, and names the page."""
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/totals.json", lambda: "{}")])
    site = Path(config.site_dir)
    with pytest.raises(PluginError, match=r"index\.html has 0 times"):
        build(config, {**BUILT, "index.html": "<p>"})
    assert not site.exists()
    on_shutdown()
    assert [] == [*site.parent.iterdir()]


def test_after_a_warning_nothing_is_published(config: Any) -> None:
    """A strict build fails at it only afterwards, and the earlier site stays."""
    counter = CountHandler()
    counter.setLevel(logging.WARNING)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(counter)
    site = Path(config.site_dir)
    site.mkdir()
    try:
        logger.warning("a link leads nowhere")
        build(config, BUILT)
    finally:
        logger.removeHandler(counter)
    assert [] == [*site.iterdir()]


@pytest.mark.parametrize("command", ["build", "serve"])
def test_pages_are_not_built_one_by_one(command: str) -> None:
    """`--dirty` is refused before anything is done, with what to run instead."""
    with pytest.raises(PluginError, match=f"--dirty builds only the pages .*run `mkdocs {command}` without it"):
        on_startup(command, dirty=True)


def test_while_serving_no_page_waits_for_downloads(config: Any) -> None:
    """A page may run the script that reloads it, and downloads are empty: the server makes them."""
    on_startup("serve")
    build(config, BUILT)
    assert "'unsafe-inline'" in (Path(config.site_dir) / "index.html").read_text()
    assert "" == (Path(config.site_dir) / "data" / "totals.json").read_text()
