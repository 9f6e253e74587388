"""Changed code is reloaded, and `mkdocs serve` shows changes and errors without a restart."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from tests.docs.building import small_copy

LOAD_AFTER_CHANGES = """
import importlib.util, sys
from pathlib import Path

def load():
    spec = importlib.util.spec_from_file_location("main", "macros/main.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.define_env, sys.modules["macros.counting"]

before = load()
for path in sys.argv[1:]:
    Path(path).write_text(Path(path).read_text() + "\\n")
    after = load()
    print(path, *("kept" if old is new else "reloaded" for old, new in zip(before, after)))
    before = after
"""
"""A script that changes files one by one, and prints after each whether the macros and the engine were reloaded."""


def test_only_changes_to_code_and_data_reload_the_code_and_only_the_engines_reload_the_engine(tmp_path: Path) -> None:
    root = small_copy(tmp_path / "repository", "index.md")
    files = ["mkdocs.yml", "macros/rendering/tables/parts.py", "macros/counting/data/models.toml", "docs/index.md"]
    command = [sys.executable, "-c", LOAD_AFTER_CHANGES, *files]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    expected = ["kept kept", "reloaded kept", "reloaded reloaded", "kept kept"]
    assert [f"{name} {state}" for name, state in zip(files, expected, strict=True)] == result.stdout.splitlines()


def wait_for(url: str, text: str, seconds: float = 60) -> str:
    """Wait until the response at an address contains `text`, ignoring HTML escaping, and return the response."""
    deadline = time.monotonic() + seconds
    page = ""
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=seconds) as response:
                page = response.read().decode()
        except HTTPError as error:
            page = error.read().decode()
        except (URLError, OSError):
            page = ""
        if text in unescape(page):
            return page
        time.sleep(0.2)
    pytest.fail(f"{url} did not show {text!r} within {seconds} seconds")


@contextmanager
def serve(root: Path) -> Iterator[str]:
    """Run `mkdocs serve` in a repository, and yield the address of the site."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "CI": "false"}
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=root, env=environment, stdout=silent, stderr=silent) as server:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def replace_in_file(path: Path, old: str, new: str) -> None:
    """Replace `old` with `new` in a file, which must contain `old`."""
    text_before = path.read_text()
    assert old in text_before
    path.write_text(text_before.replace(old, new))


@pytest.fixture(scope="module")
def served_copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A small copy of the repository while it is served, and the address of its site."""
    folder = tmp_path_factory.mktemp("served")
    root = small_copy(folder / "repository", "index.md", "parts/heads.md", "totals/checkpoints.md")
    with serve(root) as site:
        # An error in the first build stops the server, so that build must succeed before a test causes an error.
        wait_for(f"{site}/parts/heads.html", ">590,592</data>")
        yield root, site


def test_serving_follows_every_change(served_copy: tuple[Path, str]) -> None:
    root, site = served_copy
    page, schema = f"{site}/parts/heads.html", f"{site}/data/ledger.schema.json"
    ledger = f"{site}/data/bert-base-uncased/BertModel.csv"
    # The content security policy must allow the script that reloads the page.
    assert "script-src 'self' 'unsafe-inline'" in wait_for(page, ">590,592</data>")
    ledger_before = wait_for(ledger, ",589824,")

    replace_in_file(root / "docs" / "parts" / "heads.md", "## Sources", "A new sentence.\n\n## Sources")
    assert ">590,592</data>" in wait_for(page, "A new sentence.")
    assert ledger_before == wait_for(ledger, ",589824,")

    # No claim is about this model; a claim would fail the build if the sizes of its model changed.
    text = (root / "macros/counting/data/models.toml").read_text()
    block = text[text.index("[bert_uncased_L-2_H-256_A-4]") :].partition("\n\n")[0]
    replace_in_file(
        root / "macros/counting/data/models.toml", block, block.replace("= 256", "= 280").replace("= 1024", "= 1120")
    )
    wait_for(f"{site}/totals/checkpoints.html", "H = 280")
    totals = json.loads(wait_for(f"{site}/data/totals.json", '"hidden_size": 280'))
    assert 280 == totals["bert_uncased_L-2_H-256_A-4"]["config"]["hidden_size"]

    replace_in_file(
        root / "macros/rendering/files/schemas.py",
        "Every tensor of a model in one class",
        "Each tensor of a model in one class",
    )
    wait_for(schema, "Each tensor of a model in one class")
    wait_for(ledger, ",589824,")


# Each entry has a file, a text to add to it, and a part of the message, in which {} is the number of the text's line.
# The entries are in the order in which a build finds errors: if two are present, the build reports the upper one.
ERRORS = (
    ("macros/rendering/files/downloads.py", "\ndef (\n", "SyntaxError: invalid syntax"),
    (
        "macros/rendering/files/downloads.py",
        "\nfrom macros.counting import no\n",
        "macros/rendering/files/downloads.py, line {}: from macros.counting import no\nImportError: cannot",
    ),
    ("macros/counting/data/models.toml", "\ntypo = = 1\n", "models.toml: cannot be read as TOML"),
    ("docs/parts/heads.md", "\n{{ numbr() }}\n", "parts/heads.md, line {}: {{{{ numbr() }}}}\nUndefinedError: "),
    (
        "docs/assets/styles/21-tables.css",
        "\n.a {\n",
        "docs/assets/styles/21-tables.css, line {}: a block, string or comment that begins here is not closed",
    ),
    (
        "docs/assets/pages/every.js",
        '\nimport "./no.js"\n',
        "docs/assets/pages/every.js, line {}: there is no script",
    ),
    (
        "macros/publish/moved.toml",
        '\n"a.html" = "b.html"\n',
        "moved.toml, line {}: a.html has moved to b.html, and",
    ),
)


def test_serving_shows_every_error_until_it_is_corrected(served_copy: tuple[Path, str]) -> None:
    """Each error is made at the moment when the one before it is corrected, which halves the number of builds."""
    root, site = served_copy
    page, ledger = f"{site}/parts/heads.html", f"{site}/data/bert-base-uncased/BertModel.csv"
    texts = {root / file: (root / file).read_text() for file, _, _ in ERRORS}
    for file, typo, message in ERRORS:
        for path, text in texts.items():
            set_text(path, text + typo if path == root / file else text)
        html = wait_for(page, message.format(texts[root / file].count("\n") + 2))
        assert "<h1>The site does not build</h1>" in html
        assert '<meta http-equiv="refresh" content="2">' in html
    for path, text in texts.items():
        set_text(path, text)
    wait_for(page, ">590,592</data>")
    wait_for(ledger, ",589824,")


def set_text(path: Path, text: str) -> None:
    """Write the text to a file, unless the file already has it: every write starts a build."""
    if path.read_text() != text:
        path.write_text(text)
