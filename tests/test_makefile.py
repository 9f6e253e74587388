"""What the Makefile says when it cannot go on."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_an_unreachable_clone_is_explained(tmp_path: Path) -> None:
    """`make verify` fails where google-research/bert cannot be cloned, and says what would do."""
    nowhere = tmp_path / "nowhere"
    target = [f"VERIFY={tmp_path}", f"{tmp_path}/google-bert/.ready", f"GOOGLE_BERT={nowhere}"]
    # -o: the environment is not to be made for this.
    done = subprocess.run(
        ["make", "-o", ".venv/.ready", *target], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert f"cannot be cloned from {nowhere}. Try make verify GOOGLE_BERT=<path of a clone>" in done.stderr


def scripts_checked_with(folder: Path, tools: tuple[str, ...], **environment: str) -> subprocess.CompletedProcess[str]:
    """What `make scripts` does where nothing but a shell and these tools is installed."""
    for name in ("sh", *tools):
        (folder / name).symlink_to(shutil.which("sh") or "")
    make = shutil.which("make") or ""
    chosen = {"PATH": str(folder), **environment}
    return subprocess.run([make, "scripts"], cwd=ROOT, env=chosen, capture_output=True, text=True, check=False)


WITHOUT_NODE = "make lint did not check the types of the scripts: that needs Node.js with npm\n"


@pytest.mark.parametrize("tools", [(), ("node",), ("npm",)])
def test_without_node_the_scripts_are_left_out(tmp_path: Path, tools: tuple[str, ...]) -> None:
    """`make lint` succeeds where Node.js or npm is missing, and says in one line what it left out."""
    done = scripts_checked_with(tmp_path, tools)
    assert (0, "", WITHOUT_NODE) == (done.returncode, done.stdout, done.stderr)


def test_ci_does_not_leave_the_scripts_out(tmp_path: Path) -> None:
    """There a machine without Node.js fails, with the same line."""
    done = scripts_checked_with(tmp_path, (), CI="true")
    assert 2 == done.returncode
    assert done.stderr.startswith(WITHOUT_NODE)
