"""The hooks that publish a build, and those that keep MkDocs from processing unchanged pages again."""

import gc
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import Environment, FileSystemBytecodeCache
from material.plugins.search.plugin import SearchIndex
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.utils import CountHandler

from macros import hooks
from macros.build_cache import CachedTexts
from macros.hooks import on_config, on_files, on_post_build, on_shutdown, on_startup
from tests.docs.building import ROOT

PAGE = '<head><meta charset="utf-8"></head>'
FILES = {"index.html": PAGE, "assets/styles/1.css": "", "assets/stylesheets/main.css": ""}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The configuration of the site, with a temporary folder to build into. Changes by hooks are undone afterwards."""
    monkeypatch.setattr(hooks, "is_serving", False)
    monkeypatch.setattr(hooks, "destination", None)
    monkeypatch.setattr("macros.publish.moved.load_moves", dict)  # the pages of the real site are not there
    monkeypatch.setattr("macros.site.has_hook", False)
    threshold = gc.get_threshold()
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    monkeypatch.setattr(config.plugins, "_current_plugin", "hooks", raising=False)
    yield config
    gc.set_threshold(*threshold)


def build(config: Any, contents: dict[str, str]) -> None:
    """Build a site of these files as MkDocs does: empty the folder, fill it, and call the hooks."""
    site = Path(on_config(config).site_dir)
    shutil.rmtree(site, ignore_errors=True)
    files = Files([])
    on_files(files, config).copy_static_files()
    assert "data/totals.json" in [file.src_uri for file in files]
    for name, text in contents.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    on_post_build(config)


def test_unneeded_files_of_the_theme_are_left_out(config: Any) -> None:
    """The unneeded files are source maps and those for searching in other languages."""
    files = Files([])
    files.add_files_from_theme(config.theme.get_env(), config)
    assert any(file.src_uri.endswith("/lunr.de.min.js") for file in files)
    assert any(file.src_uri.endswith(".js.map") for file in files)
    assert not [file for file in on_files(files, config) if "/lunr/" in file.src_uri or file.src_uri.endswith(".map")]
    assert any(file.src_uri.startswith("assets/javascripts/") for file in files)


def test_a_build_is_published_with_downloads_and_policies(config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/totals.json", lambda: "{}")])
    on_startup("build")
    site = Path(config.site_dir)
    build(config, FILES)
    page = (site / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "'unsafe-inline'" not in page
    assert "{}" == (site / "data" / "totals.json").read_text()
    assert [site] == [*site.parent.iterdir()]


def test_a_page_that_cannot_be_published_stops_mkdocs_and_leaves_nothing_behind(
    config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macros.publish.makers", lambda: [("data/totals.json", lambda: "{}")])
    site = Path(config.site_dir)
    with pytest.raises(PluginError, match=r"index\.html has 0 <meta charset>"):
        build(config, {**FILES, "index.html": "<p>"})
    assert not site.exists()
    on_shutdown()
    assert [] == [*site.parent.iterdir()]


def test_after_a_warning_nothing_is_published(config: Any) -> None:
    """A strict build then fails, so the previous site must remain."""
    counter = CountHandler()
    counter.setLevel(logging.WARNING)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(counter)
    site = Path(config.site_dir)
    site.mkdir()
    try:
        logger.warning("a link leads nowhere")
        build(config, FILES)
    finally:
        logger.removeHandler(counter)
    assert [] == [*site.iterdir()]


@pytest.mark.parametrize(
    ("faults", "message"), [(["a"], "^1 call on a page failed"), (["a", "b"], "^2 calls on pages failed")]
)
def test_failed_calls_end_the_build_with_their_number(
    faults: list[str], message: str, config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "page_faults", faults)
    with pytest.raises(PluginError, match=message):
        hooks.on_env(None, config)


@pytest.mark.parametrize("command", ["build", "serve"])
def test_a_build_of_changed_pages_only_is_refused(command: str) -> None:
    with pytest.raises(PluginError, match=f"--dirty builds only the pages .*run `mkdocs {command}` without it"):
        on_startup(command, dirty=True)


def test_while_serving_downloads_are_not_generated(config: Any) -> None:
    """Downloads are empty files until a browser requests them. Pages may run MkDocs' inline script for reloading."""
    on_startup("serve")
    build(config, FILES)
    assert "'unsafe-inline'" in (Path(config.site_dir) / "index.html").read_text()
    assert "" == (Path(config.site_dir) / "data" / "totals.json").read_text()


def test_the_search_reads_a_page_again_only_when_it_has_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An unchanged page has the entries of the previous build, even if that build ran in another process."""

    class Index:
        """An index that records which pages it reads."""

        def __init__(self) -> None:
            self.entries: list[dict[str, str]] = []
            self.read_contents: list[str] = []

        def add_entry_from_context(self, page: Any) -> None:
            self.read_contents.append(page.content)
            self.entries.append({"location": page.url, "text": page.content})

    def read_pages(*contents: str) -> list[str]:
        """Build these pages, and return the contents of those that are read because no entries are cached for them."""
        index = Index()
        hooks._prepare_search_index(index)
        for content in contents:
            index.add_entry_from_context(SimpleNamespace(url="a.html", title="A", meta={}, content=content))
        assert [{"location": "a.html", "text": content} for content in contents] == index.entries
        assert hooks.search_entries
        hooks.search_entries.save()
        return index.read_contents

    def restart() -> None:
        """Make the next build read the cached entries from the file."""
        monkeypatch.setattr(hooks, "search_entries", CachedTexts("entries.json", tmp_path))

    restart()
    assert ["one", "two"] == read_pages("one", "two")
    assert ["three"] == read_pages("one", "three")
    restart()
    assert ["two"] == read_pages("one", "two")


def test_a_build_keeps_its_texts(config: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The next build, even in another process, reads the macros' texts and the search entries that this one used."""
    monkeypatch.setattr("macros.publish.publish_in_place", lambda *_: None)
    texts = {name: CachedTexts(name, tmp_path / "kept") for name in ("macros.json", "entries.json")}
    monkeypatch.setattr("macros.site.MACRO_TEXTS", texts["macros.json"])
    monkeypatch.setattr(hooks, "search_entries", texts["entries.json"])
    for name, cached_texts in texts.items():
        cached_texts.text([name], lambda name=name: f"of {name}")  # type: ignore[misc]
    on_post_build(config)
    for name in texts:
        texts_of_next_build = CachedTexts(name, tmp_path / "kept")
        texts_of_next_build.load()
        assert [f"of {name}"] == list(texts_of_next_build.texts.values())


def test_the_search_leaves_out_forms_labels_and_buttons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    index = SearchIndex(separator=" ")
    monkeypatch.setattr(hooks, "search_entries", CachedTexts("entries.json", tmp_path))
    hooks._prepare_search_index(index)
    content = (
        "<h1 id='a'>A</h1><p>Before.</p><form class='x'><p>Inside<select><option>One</option></select></p></form>"
        "<p>Between <label>Beside</label><button>Press</button><input>.</p><p>After.</p>"
    )
    page = SimpleNamespace(url="a.html", title="A", meta={}, content=content, toc=[])
    index.add_entry_from_context(page)
    assert content == page.content
    text = " ".join(entry["text"] for entry in index.entries)
    assert all(word in text for word in ("Before", "Between", "After"))
    assert not [word for word in ("Inside", "One", "Beside", "Press") if word in text]


def test_a_page_is_compiled_again_only_when_it_has_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Several builds, each with its own environment, compile an unchanged page only once."""
    monkeypatch.setattr("macros.build_cache.template_cache", lambda: FileSystemBytecodeCache(str(tmp_path)))
    compiled_texts: list[str] = []

    def render(page: str, text: str) -> str:
        """Render a page from its text, which is recorded if it is compiled."""
        env = Environment(autoescape=True)
        compile_text = env.compile

        def compile_and_record(source: str, *args: Any, **kwargs: Any) -> Any:
            compiled_texts.append(source)
            return compile_text(source, *args, **kwargs)

        plugin = SimpleNamespace(env=env, page=SimpleNamespace(file=SimpleNamespace(src_uri=page)))
        monkeypatch.setattr(env, "compile", compile_and_record)
        hooks._keep_compiled_pages(plugin)
        return env.from_string(text).render(a=1)

    for page, text in (("one.md", "{{ a }}"), ("two.md", "{{ a + 1 }}"), ("one.md", "{{ a }}"), ("one.md", "{{ a }}!")):
        assert Environment(autoescape=True).from_string(text).render(a=1) == render(page, text)
    assert ["{{ a }}", "{{ a + 1 }}", "{{ a }}!"] == compiled_texts
