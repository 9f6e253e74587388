"""Makes the lock files of the environments beside the site's own: a version and hashes for everything.

Called by `make lock`, which has pip-tools:

    python -m tests.locking <path of pip-compile>

torch is the reason for more than pip-compile: the wheel for Linux that the
usual index has asks for three gigabytes of CUDA libraries, which only building
on the meta device never uses. A build without them is not on that index, and no
address of another is written down here. So a lock takes either: the hash of the
CPU build stands beside the others, for whoever has told pip of an index that
has it (PIP_EXTRA_INDEX_URL), and the libraries are locked in a file of their
own, which `make` installs only where torch cannot be imported without.

The first line of a lock says which versions of Python its packages admit, for
`tests/test_supply.py`, which cannot ask packages that are not installed.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
CUDA = TESTS / "requirements-cuda.txt"
ADMITTED = "# Requires-Python:"
CUDA_PACKAGE = re.compile(r"(cuda-|nvidia-|triton==)")

# torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl
CPU_BUILD = "    --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"

OPTIONS = (
    *("--quiet", "--allow-unsafe", "--generate-hashes", "--strip-extras", "--no-header", "--no-annotate", "--upgrade"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-emit-trusted-host"),
)


def asked() -> list[Path]:
    """What is asked for, by hand; one that stands alone installs without what it asks for itself."""
    return sorted(path for path in TESTS.glob("*/requirements*.in") if not path.stem.endswith("-alone"))


def parted(lock: str) -> tuple[str, str]:
    """A lock without the CUDA libraries and with the CPU build's hash, and the lock of those libraries."""
    entries = re.split(r"\n(?=[a-z])", re.sub(r"^(#.*)?\n", "", lock.strip(), flags=re.MULTILINE))
    cuda = [each for each in entries if CUDA_PACKAGE.match(each)]
    rest = [each for each in entries if each not in cuda]
    if cuda:
        rest = [f"{each} \\\n{CPU_BUILD}" if each.startswith("torch==") else each for each in rest]
    return "\n".join(rest) + "\n", "\n".join(cuda) + "\n" if cuda else ""


def admitted(report: str) -> str:
    """The versions of Python that everything in a report of pip's admits, as a list of conditions."""
    needed = ",".join(each["metadata"].get("requires_python", "") for each in json.loads(report)["install"])
    return ",".join(sorted({*needed.replace(" ", "").split(",")} - {""}))


def write(lock: Path, text: str) -> None:
    """Write a lock below the line that says which versions of Python it admits."""
    lock.write_text(text)
    pip = [str(Path(sys.argv[1]).with_name("pip")), "install", "--quiet", "--dry-run", "--ignore-installed"]
    asked_for = [*pip, "--no-deps", "--report", "-", "--requirement", str(lock)]
    report = subprocess.run(asked_for, check=True, stdout=subprocess.PIPE, text=True).stdout
    lock.write_text(f"{ADMITTED} {admitted(report)}".rstrip() + f"\n{text}")


def main() -> None:
    """Write every lock anew."""
    # The CPU build has a version of its own, which the usual index lacks.
    environment = {name: value for name, value in os.environ.items() if name != "PIP_FIND_LINKS"}
    for path in asked():
        lock = path.with_suffix(".txt")
        whole = [sys.argv[1], *OPTIONS, "--output-file", str(lock), str(path)]
        subprocess.run(whole, check=True, env=environment)
        rest, cuda = parted(lock.read_text())
        write(lock, rest)
        if cuda:
            write(CUDA, cuda)


if __name__ == "__main__":
    main()
