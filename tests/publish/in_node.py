"""Runs a function of the site's scripts in Node.js, so that a test can compare it with its counterpart in Python."""

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from tests.docs.building import ROOT

MAP_FUNCTION = """
const { [process.argv[2]]: run } = await import(process.argv[1])
let input = ""
for await (const chunk of process.stdin) input += chunk
console.log(JSON.stringify(JSON.parse(input).map((text) => run(text))))
"""
"""A script that calls a module's function on each text in the JSON list on standard input."""


def results_in_node(name: str, texts: list[str]) -> list[Any]:
    """The results of a function of `drawing/html.js` for each text.

    Without Node.js, the test is skipped, or fails in CI.
    """
    if not shutil.which("node") and not os.environ.get("CI"):
        pytest.skip("Node.js is not installed; install it to run this test")
    module = (ROOT / "docs" / "assets" / "drawing" / "html.js").as_uri()
    command = ["node", "--input-type=module", "--eval", MAP_FUNCTION, module, name]
    process = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    results: list[Any] = json.loads(process.stdout)
    return results
