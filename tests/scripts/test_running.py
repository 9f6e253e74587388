"""What runs the modules of docs/assets without a browser does not pass over what goes wrong."""

from pathlib import Path

import pytest

from tests.scripts.running import ROOT, ScriptError, Scripts, node, running


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_without_node_tests_are_skipped_but_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ci: str, outcome: type[Exception]
) -> None:
    """Whoever has no Node.js is told why; CI leaves nothing out."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="install it"):
        node()


def test_an_error_in_a_script_is_an_error_here(scripts: Scripts) -> None:
    """With the place in the module; after it the next call is answered."""
    with pytest.raises(ScriptError, match=r"counts: TypeError(?s:.*)counting/engine\.js:\d+"):
        scripts.call("counts", [{"modelClass": "GPT2Model", "sizes": {}, "choices": {}}])
    with pytest.raises(ScriptError, match="forgotten: TypeError"):
        scripts.call("forgotten")
    assert [1, 1] == scripts.call("numbersRead", ["1"])[0]["bounds"]


def test_a_process_that_stops_is_an_error(tmp_path: Path) -> None:
    """As it does in a folder without modules."""
    with running(tmp_path) as scripts, pytest.raises(ScriptError, match="stopped"):
        scripts.call("counts", [])


def test_every_function_is_called_by_a_test() -> None:
    """One that no test calls holds nothing."""
    folder = Path(__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    functions = (folder / "functions.mjs").read_text(encoding="utf-8")
    names = [line.split()[2] for line in functions.splitlines() if line.startswith("export const ")]
    assert len(names) > 20
    assert [] == [name for name in names if f'"{name}"' not in code]


def test_nothing_of_it_is_published() -> None:
    """The site's own folder is no package: browsers need none, and a build publishes all that lies there."""
    assert [] == [*(ROOT / "docs").rglob("package.json"), *(ROOT / "docs").rglob("*.mjs")]
