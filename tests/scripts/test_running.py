"""No error is hidden when modules run without a browser."""

from pathlib import Path

import pytest

from tests.scripts.running import ROOT, ScriptError, Scripts, node, running


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_without_node_tests_are_skipped_except_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ci: str, outcome: type[Exception]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="install it"):
        node()


def test_an_error_in_a_script_is_raised_in_python(scripts: Scripts) -> None:
    with pytest.raises(ScriptError, match=r"counts: TypeError(?s:.*)counting/engine\.js:\d+"):
        scripts.call("counts", [{"modelClass": "GPT2Model", "sizes": {}, "choices": {}}])
    with pytest.raises(ScriptError, match="forgotten: TypeError"):
        scripts.call("forgotten")
    assert [1, 1] == scripts.call("readNumbers", ["1"])[0]["bounds"]


def test_a_process_that_stops_is_an_error(tmp_path: Path) -> None:
    """In a folder without modules, the process stops."""
    with running(tmp_path) as scripts, pytest.raises(ScriptError, match="stopped"):
        scripts.call("counts", [])


def test_every_function_is_called_by_a_test() -> None:
    folder = Path(__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    functions = (folder / "functions.mjs").read_text(encoding="utf-8")
    names = [line.split()[2] for line in functions.splitlines() if line.startswith("export const ")]
    assert len(names) > 20
    assert [] == [name for name in names if f'"{name}"' not in code]


def test_no_file_of_the_tests_is_published() -> None:
    """The folder `docs` is published whole."""
    assert [] == [*(ROOT / "docs").rglob("package.json"), *(ROOT / "docs").rglob("*.mjs")]
