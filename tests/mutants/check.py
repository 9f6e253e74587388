"""Mutation testing: breaks macros/counting in a thousand small ways, and counts how many the tests notice.

Run by `make mutants`, which installs cosmic-ray into an environment of its
own. Prints every mutant that survives, then how many were killed, and exits
with 1 where that is too few. survivors.md says why the rest are left.

Modules may be named, to break only those: `check.py question frameworks/names`.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
SETTINGS = "tests/mutants/mutants.toml"
SESSION = "session.sqlite"

GOAL = 0.95
"""The least share of mutants that must be killed."""

WORKERS = os.cpu_count() or 1

UNSET = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in UNSET},
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}


def planned(folder: Path) -> None:
    """Make a copy of what the tests need, and in it the session: every mutant that is to be tested."""
    for name in ("macros", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    run(folder, "cosmic-ray", "init", SETTINGS, SESSION)
    run(folder, "cr-filter-operators", SESSION, SETTINGS)
    # The code as it is must pass, else every mutant would seem killed. This
    # compiles the tests, too; of what is mutated no bytecode may be left, for
    # a mutant comes within the second, and Python would not notice. cosmic-ray
    # itself leaves none.
    run(folder, *shlex.split(tomllib.loads((ROOT / SETTINGS).read_text())["cosmic-ray"]["test-command"]))
    for compiled in list((folder / "macros" / "counting").rglob("__pycache__")):
        shutil.rmtree(compiled)


def run(folder: Path, *command: str) -> None:
    """Run a command in a copy; what it prints is not shown."""
    subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def shared(session: Path, share: int, modules: list[str]) -> None:
    """Leave in a session only every so manyth mutant of some modules, or of all where none is named."""
    paths = [f"macros/counting/{name}.py" for name in modules]
    with sqlite3.connect(session) as database:
        jobs = list(database.execute("SELECT job_id, module_path FROM mutation_specs ORDER BY job_id"))
        wanted = [job for job, path in jobs if not paths or path in paths][share::WORKERS]
        others = [(job,) for job, _ in jobs if job not in wanted]
        for table in ("mutation_specs", "work_results", "work_items"):
            database.executemany(f"DELETE FROM {table} WHERE job_id = ?", others)  # noqa: S608  a name from the line above


def results(session: Path) -> list[tuple[str, str]]:
    """Outcome and description of every mutant that was tested."""
    query = (
        "SELECT test_outcome, worker_outcome, module_path, start_pos_row, operator_name, operator_args, diff "
        "FROM work_results JOIN mutation_specs USING (job_id) ORDER BY module_path, start_pos_row, operator_name"
    )
    found = []
    with sqlite3.connect(session) as database:
        for test, worker, path, line, operator, arguments, diff in database.execute(query):
            if worker == "SKIPPED":
                continue
            changed = [
                each for each in (diff or "").splitlines() if each[:1] in "+-" and each[:3] not in ("+++", "---")
            ]
            given = json.loads(arguments) if arguments else ""
            where = f"{path}:{line} {operator.removeprefix('core/')} {given or ''}".rstrip()
            found.append((test if worker == "NORMAL" else worker, "\n    ".join([where, *changed])))
    return found


def tested(modules: list[str]) -> list[tuple[str, str]]:
    """Test the mutants, shared out among as many copies as there are processors."""
    with TemporaryDirectory() as name:
        whole = Path(name) / "whole"
        planned(whole)
        folders = [shutil.copytree(whole, Path(name) / str(share)) for share in range(WORKERS)]
        for share, folder in enumerate(folders):
            shared(folder / SESSION, share, modules)
        command = ("cosmic-ray", "exec", SETTINGS, SESSION)
        running = [subprocess.Popen(command, cwd=folder, env=ENVIRONMENT) for folder in folders]
        statuses = [process.wait() for process in running]
        if any(statuses):
            sys.exit("cosmic-ray failed; see above")
        return [each for folder in folders for each in results(folder / SESSION)]


def main() -> int:
    """Test, print, and say whether the goal is met."""
    start = time.monotonic()
    found = tested(sys.argv[1:])
    survivors = sorted(what for outcome, what in found if outcome in ("SURVIVED", "survived"))
    print("\n".join(survivors))
    killed = len(found) - len(survivors)
    met = killed >= GOAL * len(found) > 0
    print(
        f"killed {killed} of {len(found)} mutants, {killed / max(len(found), 1):.1%} "
        f"(at least {GOAL:.0%}), in {time.monotonic() - start:.0f} seconds: {'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
