"""The command `python -m macros.teaching`, called as teachers would call it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from macros.counting.process import FAILURE
from macros.teaching.__main__ import main
from macros.teaching.banks import FORMATS, bank_content
from macros.teaching.sets import load_sets
from tests.counting.test_process import faults, run
from tests.teaching.reading import read_moodle

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "macros.teaching"]


def test_the_command_runs_as_a_process(tmp_path: Path) -> None:
    out = tmp_path / "layer.xml"
    # -S: without the packages of the environment.
    command = [sys.executable, "-S", *COMMAND[1:], "--set", "layer", "--seeds", "7,1-2", "-o", str(out)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "", "") == (process.returncode, process.stdout, process.stderr)
    assert ["layer-7", "layer-1", "layer-2"] == [
        question.identifier for question in read_moodle(out.read_text("utf-8"))
    ]
    refused_process = subprocess.run([*COMMAND, "--set", "layr"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (2, "") == (refused_process.returncode, refused_process.stdout)
    assert 'UnknownExercise: no set of exercises "layr"; did you mean "layer"?\n' == refused_process.stderr


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_goes_to_standard_output(format_name: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for output in ([], ["-o", "-"]):
        assert 0 == main(["--set", "layer", "--seeds", "1-3", "--format", format_name, *output])
        assert bank_content("layer", [1, 2, 3], format_name) == capfdbinary.readouterr().out


def test_help_names_every_option_format_and_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["--help"])
    output = " ".join(capsys.readouterr().out.split())
    assert {"--set", "--seeds", "--format", "--output", "--help", *FORMATS} <= set(re.findall(r"[\w-]+", output))
    sets = load_sets().sets.values()
    assert [] == [exercise_set for exercise_set in sets if f"{exercise_set.name} ({exercise_set.title})" not in output]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: --set; see --help"),
        (["--set", "layer", "--sets"], "unrecognized arguments: --sets; see --help"),
        (
            ["--set", "layer", "--format", "qti"],
            'no format "qti"; known: moodle, canvas, brightspace, blackboard, gift, csv',
        ),
        (["--set", "layer", "--seeds", "a"], '"a" is not a list of seeds; write 7, 1-20 or 1-5,9'),
        (["--set", "layer", "--seeds=-1"], '"-1" is not a list of seeds; write'),
        (["--set", "layer", "--seeds", "9-1"], "runs backwards; write 1-9"),
        (["--set", "layer", "--seeds", "1-1001"], "choose up to 1,000 at once"),
        (["--set", "layer", "--seeds", "1000000"], "choose a whole number from 0 to 999999"),
        (["--set", "layer", "--seeds", "1", "-o", "/nowhere/bank.xml"], "name a file in a folder that exists"),
        (["--set", "x" * 5000], "no set of exercises"),
    ],
)
def test_a_bad_call_prints_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(arguments)
    out, err = capsys.readouterr()
    assert "" == out
    assert 1 == len(err.splitlines())
    assert message in err
    assert re.match(r"\w+: [^'\s]", err), "the message is not printed as it was written"
    assert len(err) < 400


def test_a_closed_output_is_handled() -> None:
    """The command handles a closed standard output as the engine's command line does; see test_process.py."""
    process = run('"$@" >&-', "--set", "layer", command=COMMAND)
    assert (FAILURE, "", []) == (process.returncode, process.stdout, faults(process))
    process = run('"$@" | :; exit "${PIPESTATUS[0]}"', "--set", "class", "--format", "csv", command=COMMAND)
    assert (0, "", "") == (process.returncode, process.stdout, process.stderr)
