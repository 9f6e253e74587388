"""What the Makefile says when it cannot go on."""

import subprocess
from pathlib import Path

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
