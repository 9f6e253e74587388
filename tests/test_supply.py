"""What is installed and run is pinned, and names no address to fetch it from."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PINNED_ACTION = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v[\d.]+$")


def unlocked(requirements: str) -> list[str]:
    """Lines of a lock file that are not a pin with hashes."""
    entries = requirements.replace("\\\n", " ").splitlines()
    return [each for each in entries if not re.fullmatch(r"[\w.-]+==[\w.]+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*", each)]


def unpinned(workflow: str) -> list[str]:
    """Actions that a workflow uses by a name that can come to mean something else."""
    lines = [line.strip().removeprefix("- ") for line in workflow.splitlines() if "uses:" in line]
    return [line for line in lines if not PINNED_ACTION.fullmatch(line)]


def test_the_lock_has_a_hash_for_everything() -> None:
    """Every line of requirements.txt is a version and its hashes; no index address is named."""
    assert [] == unlocked((ROOT / "requirements.txt").read_text())


def test_everything_asked_for_is_locked() -> None:
    """requirements.txt was made from requirements.in as it stands."""
    asked = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.in").read_text(), re.MULTILINE)
    locked = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert asked
    assert set() == set(asked) - set(locked)


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_are_pinned_and_may_little(path: Path) -> None:
    """Actions by commit; permissions start from reading, and only deploying writes, to Pages."""
    text = path.read_text()
    assert [] == unpinned(text)
    assert "\npermissions:\n  contents: read\n" in text
    assert {"pages: write", "id-token: write"} >= set(re.findall(r"[\w-]+: write", text))


@pytest.mark.parametrize("folder", ["audit", "scripts"])
def test_a_lock_of_npm_names_no_host(folder: str) -> None:
    """Integrity hashes, and no address; what was asked for is locked, at one version."""
    asked = json.loads((ROOT / "tests" / folder / "package.json").read_text())["devDependencies"]
    text = (ROOT / "tests" / folder / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert [] == [name for name, each in packages.items() if name and "integrity" not in each]
    assert asked == {name: packages[f"node_modules/{name}"]["version"] for name in asked}


@pytest.mark.parametrize("line", ["mkdocs==1.6.1", "mkdocs>=1.6", "--index-url https://example.org/simple", "-e ."])
def test_an_unlocked_line_is_found(line: str) -> None:
    """A pin without hash, a range, an index and an editable install are noticed."""
    assert unlocked(line)


@pytest.mark.parametrize("action", ["actions/checkout@v6", "actions/checkout@main", "actions/checkout@de0fac2"])
def test_an_unpinned_action_is_found(action: str) -> None:
    """Tags, branches and short hashes are noticed."""
    assert unpinned(f"      - uses: {action}")
