"""The adapter to MkDocs."""

import gc
import shutil
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import DictLoader, Environment
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import Files

from macros import hooks
from macros.counting import CountingError
from macros.hooks import Start, on_config, on_env, on_files, on_post_build, on_serve, on_startup, with_downloads
from tests.docs.building import ROOT

PAGE = '<head><meta charset="utf-8"></head>'
BUILT = {"index.html": PAGE, "assets/site.css": "", "assets/stylesheets/main.css": ""}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The site's own configuration, with another folder to build into; what the hooks set is as before after."""
    monkeypatch.setattr(hooks, "serving", False)
    monkeypatch.setattr(hooks, "REST", 0)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    before = gc.get_threshold()
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    monkeypatch.setattr(config.plugins, "_current_plugin", "hooks", raising=False)
    # As the plugin does when it is configured.
    monkeypatch.setattr(config.plugins["macros"], "_env", Environment(autoescape=True), raising=False)
    yield config
    gc.enable()
    gc.set_threshold(*before)


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


def test_while_serving_no_page_waits_for_downloads(config: Any) -> None:
    """A page may run the script that reloads it, and no download is written."""
    on_startup("serve")
    build(config, BUILT)
    assert "'unsafe-inline'" in (Path(config.site_dir) / "index.html").read_text()
    assert not (Path(config.site_dir) / "data").exists()


def test_while_serving_memory_is_tidied_up_after_the_build(config: Any) -> None:
    """No build waits for it; one that is published does as Python does."""
    on_startup("build")
    assert gc.isenabled()
    assert sys.pycache_prefix is None
    on_startup("serve")
    assert not gc.isenabled()
    collected = threading.Event()

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            collected.set()

    gc.callbacks.append(note)
    build(config, BUILT)
    assert collected.wait(10)
    gc.callbacks.remove(note)


def test_while_serving_bytecode_is_in_no_watched_folder(config: Any) -> None:
    """It is written there, and nothing that changes there starts a build."""
    on_startup("serve")
    cache = Path(str(sys.pycache_prefix))
    watched = [config.docs_dir, config.config_file_path, *config.watch]
    assert [] == [each for each in watched if cache.is_relative_to(each)]
    assert cache.parent == ROOT


def test_while_serving_edits_are_noticed_soon(config: Any) -> None:
    """What MkDocs watches when it calls the hook is watched by what looks more often; and once, by nothing else."""
    server = LiveReloadServer(lambda: None, "127.0.0.1", 0, config.site_dir)
    for path in (config.docs_dir, config.config_file_path, *config.theme.dirs):
        server.watch(path)
    before = server.observer
    watched = {each.watch for each in before.emitters}
    assert server is on_serve(server)
    assert not before.emitters
    assert {(each, hooks.LOOK) for each in watched} == {(each.watch, each.timeout) for each in server.observer.emitters}
    server.server_close()


VERSIONS: list[dict[str, Any]] = [
    {},
    {"content": "<h2 id=b>B</h2><p>more</p>"},
    {"content": "<p>text</p>", "title": "C"},
    {"content": "<p>text</p>", "title": "D"},
    {"content": "<p>text</p>", "title": "D", "meta": {"search": {"exclude": True}}},
]
"""A page before and after four edits, by what is different."""


def entries(config: Any, version: dict[str, Any]) -> list[dict[str, str]]:
    """What a build of its own has of a page in the index of the search."""
    search = config.plugins["material/search"]
    search.on_config(config)
    on_config(config)
    page = {"url": "a.html", "content": "<h2 id=b>B</h2><p>text</p>", "title": "A", "meta": {}, "toc": []}
    search.search_index.add_entry_from_context(SimpleNamespace(**{**page, **version}))
    found: list[dict[str, str]] = search.search_index.entries
    return found


def test_while_serving_the_search_reads_what_has_changed(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index has the same entries as without; a text is read once, and again where text, title or meta changed."""
    read: list[str] = []

    def feed(parser: HTMLParser, text: str) -> None:
        read.append(text)
        HTMLParser.feed(parser, text)

    monkeypatch.setattr("material.plugins.search.plugin.Parser.feed", feed)
    monkeypatch.setattr(hooks, "searched", {})
    config.plugins["material/search"].on_startup(command="serve", dirty=False)
    on_startup("build")
    expected = [entries(config, each) for each in VERSIONS]
    assert ["<p>text</p>", "<p>more</p>", "<p>text</p>", "<p>text</p>"] == [each[-1]["text"] for each in expected[:-1]]
    assert ["C", "D"] == [each[-1]["title"] for each in expected[2:-1]]
    assert [] == expected[-1]
    assert 4 == len(read)
    on_startup("serve")
    for version, found in zip(VERSIONS, expected, strict=True):
        assert found == entries(config, version) == entries(config, version)
    assert 8 == len(read)


def test_while_serving_templates_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever environment, until one changes; a build that is published compiles its own."""
    templates, compiled = {"a": "1"}, []
    compiling = Environment._compile

    def compile_template(*args: Any) -> Any:
        compiled.append(args)
        return compiling(*args)

    monkeypatch.setattr(Environment, "_compile", compile_template)
    monkeypatch.setattr(hooks, "serving", False)

    def shown() -> str:
        return str(on_env(Environment(loader=DictLoader(templates), autoescape=True)).get_template("a").render())

    assert ["1", "1"] == [shown(), shown()]
    assert 2 == len(compiled)
    monkeypatch.setattr(hooks, "serving", True)
    assert ["1", "1"] == [shown(), shown()]
    assert 3 == len(compiled)
    templates["a"] = "2"
    assert ["2", "2"] == [shown(), shown()]
    assert 4 == len(compiled)


def test_while_serving_a_page_is_compiled_once(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whatever environment, until it changes; and it calls the macros of the build that it is in."""
    compiled = []
    compiling = Environment._compile

    def compile_template(*args: Any) -> Any:
        compiled.append(args)
        return compiling(*args)

    monkeypatch.setattr(Environment, "_compile", compile_template)
    monkeypatch.setattr(hooks, "page_code", {})

    def shown(text: str, number: int) -> str:
        config.plugins["macros"]._env = env = Environment(autoescape=True)
        on_config(config)
        return env.from_string(text).render(number=number)

    assert ["n = 1", "n = 2"] == [shown("n = {{ number }}", 1), shown("n = {{ number }}", 2)]
    assert 2 == len(compiled)
    config.plugins["material/search"].on_startup(command="serve", dirty=False)
    config.plugins["material/search"].on_config(config)
    on_startup("serve")
    compiled.clear()
    assert ["n = 1", "n = 2"] == [shown("n = {{ number }}", 1), shown("n = {{ number }}", 2)]
    assert 1 == len(compiled)
    assert "m = 2" == shown("m = {{ number }}", 2)
    assert 2 == len(compiled)


def asked_for(address: str, status: str = "404 Not Found") -> tuple[str, dict[str, str], bytes]:
    """Status, headers and text of what a server below `/bert/` answers whose pages come with this status."""

    def pages(_: object, start: Start) -> list[bytes]:
        start(status, [("Content-Type", "text/html")])
        return [b"a page"]

    said: list[Any] = []
    body = with_downloads(pages, "/bert/")({"PATH_INFO": address}, lambda *more: said.extend(more))
    return said[0], dict(said[1]), b"".join(body)


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text, some bytes, and a download of a model that cannot be counted."""

    def fail() -> str:
        raise CountingError("hidden_size 769 is not a multiple of num_attention_heads 12")

    files = [("data/a.csv", lambda: "é\n"), ("data/b.zip", lambda: b"PK"), ("data/c.json", fail)]
    monkeypatch.setattr("macros.publish.makers", lambda: files)


@pytest.mark.usefixtures("downloads")
def test_a_download_is_made_when_it_is_asked_for() -> None:
    """With the type that its name says; whatever else is asked for comes from the built site."""
    assert ("200 OK", {"Content-Type": "text/csv"}, "é\n".encode()) == asked_for("/bert/data/a.csv")
    assert ("200 OK", {"Content-Type": "application/zip"}, b"PK") == asked_for("/bert/data/b.zip")
    page = {"Content-Type": "text/html"}
    assert ("404 Not Found", page, b"a page") == asked_for("/bert/data/d.csv")
    assert ("404 Not Found", page, b"a page") == asked_for("/data/a.csv")
    assert ("200 OK", page, b"a page") == asked_for("/bert/data/a.csv", "200 OK")


@pytest.mark.usefixtures("downloads")
def test_a_download_that_cannot_be_made_says_why() -> None:
    """Its address, and what is wrong."""
    status, headers, body = asked_for("/bert/data/c.json")
    assert "500 Internal Server Error" == status
    assert "text/plain; charset=utf-8" == headers["Content-Type"]
    assert b"data/c.json: hidden_size 769 is not a multiple of num_attention_heads 12" == body
