"""The file MkDocs loads, and `mkdocs serve` seeing fresh code."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.docs.building import ROOT, copy


def test_everything_of_ours_is_loaded_anew() -> None:
    """Loading the file twice gives two `define_env`, each from modules read from disk."""
    code = """
import importlib.util, sys

def load():
    spec = importlib.util.spec_from_file_location("main", "macros/main.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.define_env, sys.modules["macros.counting"]

first, second = load(), load()
print(first[0] is second[0], first[1] is second[1])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "False False\n" == done.stdout


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


def wait_for(url: str, text: str, seconds: float = 30) -> str:
    """The page at `url` once it holds `text`."""
    deadline = time.monotonic() + seconds
    page = ""
    while time.monotonic() < deadline:
        try:
            with urlopen(url, timeout=seconds) as answer:
                page = answer.read().decode()
        except (URLError, OSError):
            page = ""
        if text in page:
            return page
        time.sleep(0.2)
    pytest.fail(f"{url} did not show {text!r} within {seconds} seconds")


def test_serving_follows_the_data(tmp_path: Path) -> None:
    """A changed size reaches the served page, through engine, macro and build, without a restart."""
    root = copy(tmp_path / "repository")
    port = free_port()
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "CI": "false"}
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            url = f"http://127.0.0.1:{port}/parts/heads.html"
            page = wait_for(url, ">590,592</data>")
            assert "script-src 'self' 'unsafe-inline'" in page  # the script that reloads the page may run
            models = root / "macros" / "counting" / "data" / "models.toml"
            models.write_text(re.sub(r"hidden_size = 768", "hidden_size = 780", models.read_text()))
            wait_for(url, ">609,180</data>")  # 780 x 780 + 780
        finally:
            server.terminate()
