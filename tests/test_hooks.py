"""What the build does beside the pages."""

from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import Files
from mkdocs.utils import clean_directory

from macros import hooks
from macros.hooks import on_files, on_post_build, on_post_template, on_pre_build, on_startup, with_policy
from macros.rendering.files import downloads
from tests.docs.building import ROOT

PAGE = '<head><meta charset="utf-8"><script>go()</script><script src="a.js"></script></head>'


def test_the_policy_names_the_scripts_of_the_page() -> None:
    """A script within the page is allowed by the hash of its code, and by nothing else."""
    html = with_policy(PAGE)
    # Source: printf 'go()' | openssl dgst -sha256 -binary | base64
    assert "script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw=';" in html
    assert "unsafe" not in html
    assert html.index("Content-Security-Policy") < html.index("<script")


def test_another_script_has_another_hash() -> None:
    """A script the build did not see is not allowed by the hash of one it saw."""
    assert with_policy(PAGE) != with_policy(PAGE.replace("go()", "go ()"))


@pytest.mark.parametrize("html", ["<head></head>", PAGE + PAGE])
def test_a_page_without_a_place_for_the_policy_is_refused(html: str) -> None:
    """A theme that writes its head differently is noticed, and not published without a policy."""
    with pytest.raises(ValueError, match="the policy goes after the only one"):
        with_policy(html)


def test_only_pages_get_a_policy() -> None:
    """A sitemap is no page."""
    assert on_post_template("<urlset/>", template_name="sitemap.xml") == "<urlset/>"
    assert "Content-Security-Policy" in on_post_template(PAGE, template_name="404.html")


def test_serving_allows_the_script_that_reloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """`mkdocs serve` adds a script after this hook; a published page never allows that."""
    monkeypatch.setattr(hooks, "serving", False)
    on_startup("serve")
    assert "'unsafe-inline'" in with_policy(PAGE)
    on_startup("build")
    assert "'unsafe-inline'" not in with_policy(PAGE)


def test_a_rebuild_while_serving_writes_no_download_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The downloads of the last build outlive the emptying of the site, in which they are not made again."""
    monkeypatch.setattr(hooks, "serving", True)
    monkeypatch.setattr(hooks, "written", None)
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path))
    monkeypatch.setattr(config.plugins, "_current_plugin", "hooks", raising=False)
    made = iter([[("data/a/b.csv", "1")]])
    monkeypatch.setattr(downloads, "files", lambda: next(made))  # asked twice, it raises
    for _ in range(2):
        on_pre_build(config)
        clean_directory(str(tmp_path))
        (tmp_path / "assets").mkdir()
        (tmp_path / "assets" / "site.css").touch()
        on_files(files := Files([]), config).copy_static_files()
        on_post_build(config)
        assert "1" == (tmp_path / "data" / "a" / "b.csv").read_text()
        assert ["data/a/b.csv"] == [file.src_uri for file in files]
