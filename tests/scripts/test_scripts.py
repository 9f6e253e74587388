"""Every script begins by saying what it does, and its types are right."""

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from copy import deepcopy
from pathlib import Path

import pytest

from macros.publish import PublishError
from macros.publish.bundles import check_bundling
from macros.rendering.files.exported import table
from tests.scripts import table_type

ROOT = Path(__file__).parents[2]
HERE = Path("tests", "scripts")
ASSETS = Path("docs", "assets")
SCRIPTS = sorted(path.relative_to(ROOT / ASSETS).as_posix() for path in (ROOT / ASSETS).rglob("*.js"))
"""The paths of all scripts, relative to their folder."""

HEAD = re.compile(r"// [A-Z]")
"""The beginning of a script: a comment that says what it does."""

ERROR = re.compile(r"^(\S+)\(\d+,\d+\): error (TS\d+):", re.MULTILINE)
"""An error in the checker's output: the file and the code."""


@pytest.fixture(scope="session")
def checker() -> Path:
    """TypeScript's checker, which `make lint` installs. Without it, tests are skipped, or fail in CI."""
    path = ROOT / HERE / "node_modules" / ".bin" / "tsc"
    if not path.exists():
        skip_or_fail = pytest.fail if os.environ.get("CI") else pytest.skip
        skip_or_fail("`make lint` installs the checker, with Node.js and npm")
    return path


def errors(checker: Path, project: Path) -> dict[str, list[str]]:
    """The codes of the errors that the checker reports for the project, by file."""
    command = [str(checker), "--project", str(project), "--pretty", "false"]
    result = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    codes = defaultdict(list)
    for name, code in ERROR.findall(result.stdout):
        codes[Path(os.path.relpath(project / name, project.parents[1])).as_posix()].append(code)
    assert bool(codes) == bool(result.returncode), result.stdout + result.stderr
    return dict(codes)


def copy_scripts(target: Path) -> Path:
    """Copy the scripts and the checker's settings and types below `target`, and return the folder of the project."""
    shutil.copytree(ROOT / ASSETS, target / ASSETS)
    for path in (ROOT / HERE / "tsconfig.json", *(ROOT / HERE).glob("*.d.ts"), *(ROOT / HERE / "data").glob("*.d.ts")):
        target_file = target / path.relative_to(ROOT)
        target_file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target_file)
    table_type.write(target)
    return target / HERE


PLANTED_FAULTS = [
    ('"".planted', "TS2339"),
    ("(/** @type {Table} */ ({})).models[0].planted", "TS2339"),
    ("(/** @type {Table} */ ({})).explanations.limits.planted", "TS2339"),
    ('import("ASSETS/explaining/explain.js").then(({ explain }) => explain(110))', "TS2345"),
    ('import("ASSETS/counting/engine.js").then(({ planted }) => planted)', "TS2339"),
    ("{ const planted = (any) => any; planted(1) }", "TS7006"),
]
"""Faulty lines, each with the code of TypeScript's error.

2339: the property does not exist; 2345: the argument has the wrong type; 7006: the parameter has no type.
"""


def test_type_errors_are_found_in_every_script(checker: Path, tmp_path: Path) -> None:
    project = copy_scripts(tmp_path)
    for name in SCRIPTS:
        with (tmp_path / ASSETS / name).open("a") as script:
            assets = os.path.relpath(ASSETS, (ASSETS / name).parent)
            script.writelines(f";{line.replace('ASSETS', f'./{assets}')}\n" for line, _ in PLANTED_FAULTS)
    expected = {f"docs/assets/{name}": [code for _, code in PLANTED_FAULTS] for name in SCRIPTS}
    assert "docs/assets/pages/i-got.js" in expected
    assert expected == errors(checker, project)


def test_the_type_fits_only_a_correct_table(checker: Path, tmp_path: Path) -> None:
    # 2353: unknown property; 2741: missing property; 2322: wrong type.
    expected = {
        "with_field": ["TS2353"],
        "without_field": ["TS2741"],
        "with_other_type": ["TS2322"],
        "with_unknown_name": ["TS2353"],
        "with_third_number": ["TS2322"],
        "with_open_choice": ["TS2322"],
    }
    tables = {name: deepcopy(table()) for name in ("exported", *expected)}
    tables["with_field"]["models"][0]["planted"] = 1
    del tables["without_field"]["models"][0]["title"]
    tables["with_other_type"]["rows"][0]["shape"] = ["V", "H"]
    tables["with_unknown_name"]["explanations"]["limits"]["planted"] = 1
    tables["with_third_number"]["changes"]["storages"][0]["scales"] = [[64, 4, 1]]
    tables["with_open_choice"]["choices"]["tied"] = None
    project = copy_scripts(tmp_path)
    for name, content in tables.items():
        (project / f"{name}.ts").write_text(f"export const {name}: Table = {json.dumps(content)}\n")
    settings = json.loads((project / "tsconfig.json").read_text())
    (project / "tsconfig.json").write_text(json.dumps({**settings, "include": ["*.ts", settings["include"][-1]]}))
    assert {f"tests/scripts/{name}.ts": codes for name, codes in expected.items()} == errors(checker, project)


def test_every_script_begins_with_its_purpose() -> None:
    assert [] == [name for name in SCRIPTS if not HEAD.match((ROOT / ASSETS / name).read_text())]


def test_every_script_can_be_bundled() -> None:
    """A build would notice, but only after a minute; the checker and Node.js accept more forms than bundles do."""
    code = {f"assets/{name}": (ROOT / ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS}
    check_bundling(code)
    for line, fault in (
        ('export { words } from "../words.js"', "cannot be bundled"),
        ('import { accountOfQuestion } from "./account.js"', "in a circle"),
    ):
        with pytest.raises(PublishError, match=fault):
            check_bundling({**code, "assets/reading/questions/question-accounts.js": line})
