"""Tests that everything installed is pinned, names no address to fetch it from, and runs on the promised Python."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"[\w.-]+==[\w.]+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")
PINNED_ACTION = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v[\d.]+$")


def unlocked(requirements: str) -> list[str]:
    """The entries of a lock that are not a version with hashes."""
    entries = requirements.replace("\\\n", " ").splitlines()
    return [entry for entry in entries if not PIN.fullmatch(entry)]


def unpinned(workflow: str) -> list[str]:
    """The actions that a workflow uses by a name that may come to mean other code."""
    lines = [line.strip().removeprefix("- ") for line in workflow.splitlines() if "uses:" in line]
    # A workflow of this repository comes from the same commit.
    return [line for line in lines if not (PINNED_ACTION.fullmatch(line) or line.startswith("uses: ./.github/"))]


SITE, TESTS = ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"
"""The locks of what builds the site, and of what tests, checks and prints it."""

REQUIREMENTS = sorted([ROOT / "requirements.in", *(ROOT / "tests").rglob("requirements*.in")])
LOCKS = sorted([SITE, *(ROOT / "tests").rglob("requirements*.txt")])


def pins(path: Path) -> dict[str, str]:
    """The version of every package in a lock."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.MULTILINE))


def name_of(path: Path) -> str:
    """The path of a file from the top folder."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", LOCKS, ids=name_of)
def test_a_lock_has_a_hash_for_everything(path: Path) -> None:
    """Every entry of a lock is a version with hashes, and no index is named."""
    assert [] == unlocked(path.read_text())


@pytest.mark.parametrize("path", REQUIREMENTS, ids=name_of)
def test_everything_asked_for_is_locked(path: Path) -> None:
    """Every version that a file of requirements names is in its lock."""
    # To pip, an underscore is a hyphen, which is what a lock has.
    direct, all_pins = (
        {(name.replace("_", "-"), version) for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)}
        for text in (path.read_text(), path.with_suffix(".txt").read_text())
    )
    assert direct
    assert set() == direct - all_pins


OLDEST = ".".join(re.findall(r"version_info < \((\d+), (\d+)\)", (ROOT / "Makefile").read_text())[0])
"""The oldest version of Python with which `make` makes an environment."""


@pytest.mark.parametrize(
    ("path", "promise"),
    [
        ("README.md", r"Python ([\d.]+\d) or newer"),
        ("Makefile", r"Python ([\d.]+\d) or newer"),
        ("pyproject.toml", r'^python_version = "(.+)"'),
        ("pyproject.toml", r'^requires-python = ">=(.+)"'),
        ("pyproject.toml", r'^target-version = "py3(\d+)"'),
        (".github/workflows/test.yml", r'python: \["([\d.]+)"'),
    ],
)
def test_every_file_promises_the_same_python(path: str, promise: str) -> None:
    """Every file that names the oldest Python names the one that the Makefile requires."""
    versions = re.findall(promise, (ROOT / path).read_text(), re.MULTILINE)
    assert {OLDEST} == {version if "." in version else f"3.{version}" for version in versions}


def test_the_lock_installs_on_the_promised_python() -> None:
    """Every package in the locks runs on the first release of the promised Python, which a distribution may have."""
    names = pins(SITE).keys() | pins(TESTS).keys()
    needs = [need for name in names for need in metadata.metadata(name).get_all("Requires-Python", [])]
    assert needs
    assert SpecifierSet(",".join(needs)).contains(f"{OLDEST}.0")


def test_a_package_in_both_locks_has_one_version() -> None:
    """Both are installed into one environment."""
    site, tests = pins(SITE), pins(TESTS)
    shared = site.keys() & tests.keys()
    assert "beautifulsoup4" in shared
    assert {name: site[name] for name in shared} == {name: tests[name] for name in shared}


def test_the_site_alone_asks_for_nothing_that_only_tests_need() -> None:
    """The site's lock has no package that only tests need, above all not Playwright, the largest by far."""
    assert set() == pins(SITE).keys() & {"playwright", "pytest", "mypy", "ruff", "hypothesis"}


def test_nothing_is_installed_but_from_a_lock() -> None:
    """`make` installs only from locks with hashes, except pip-tools, which makes the locks and is pinned."""
    assert [] == unlocked_installs((ROOT / "Makefile").read_text())


def unlocked_installs(makefile: str) -> list[str]:
    """The lines of a Makefile that let pip install without checking hashes."""
    lines = [line for line in makefile.splitlines() if "pip install" in line]
    return [line for line in lines if "--require-hashes" not in line and "pip-tools==" not in line]


def test_a_lock_with_torch_takes_the_build_without_cuda() -> None:
    """A lock with torch has the hash of its build for CPUs, and the libraries of CUDA are in a lock of their own."""
    (cpu_build,) = re.findall(r"--hash=\S+", (ROOT / "Makefile").read_text())
    for path in LOCKS:
        text = path.read_text()
        assert ("\ntorch==" in text) == (cpu_build in text)
        assert (path.name == "requirements-cuda.txt") == bool(re.search(r"^(nvidia|cuda)-", text, re.MULTILINE))


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_are_pinned_and_may_little(path: Path) -> None:
    """Workflows name actions by commit, may read by default, and may write only what their jobs need.

    That is Pages for deploying; for an edition, it is its release and the start of the workflow that deploys.
    """
    text = path.read_text()
    assert [] == unpinned(text)
    assert "\npermissions:\n  contents: read\n" in text
    permissions = (
        {"contents: write", "actions: write"} if path.name == "term.yml" else {"pages: write", "id-token: write"}
    )
    assert permissions >= set(re.findall(r"[\w-]+: write", text))


def test_the_lock_of_npm_names_no_host() -> None:
    """The lock of npm has hashes and no address, and every package that is asked for at its version."""
    dependencies = json.loads((ROOT / "tests" / "scripts" / "package.json").read_text())["devDependencies"]
    text = (ROOT / "tests" / "scripts" / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert [] == [name for name, package in packages.items() if name and "integrity" not in package]
    assert dependencies == {name: packages[f"node_modules/{name}"]["version"] for name in dependencies}


def test_a_loose_pin_is_found() -> None:
    """Pins without hash, ranges, indexes, editable installs, installs without hashes, tags and branches are found."""
    assert all(map(unlocked, ("mkdocs==1.6.1", "mkdocs>=1.6", "--index-url https://example.org/simple", "-e .")))
    assert unlocked_installs("\t$(VENV)/bin/pip install -r requirements.in")
    assert [] == [name for name in ("v6", "main", "de0fac2") if not unpinned(f"      - uses: actions/checkout@{name}")]


def test_nothing_is_published_untested() -> None:
    """Deploying waits for the test workflow, which runs on every promised Python.

    A push does not start that workflow by itself as well, so tests run once.
    """
    folder = ROOT / ".github" / "workflows"
    deploy, test = ((folder / f"{name}.yml").read_text() for name in ("deploy", "test"))
    assert [] == untested(deploy)
    assert ["build"] == untested(deploy.replace("needs: test", "needs: other"))
    assert "workflow_call:" in test
    assert "push:" not in test
    assert 'python: ["3.11", "3.12", "3.13", "3.14"]' in test
    assert "make --assume-old=lint test TESTS=tests/docs\n" in test


def untested(deploy: str) -> list[str]:
    """The first job of deploying that waits neither for the tests nor for a job that does, or nothing."""
    jobs = re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", deploy.split("\njobs:\n")[1], re.MULTILINE)
    tested = {name for name, text in jobs if "uses: ./.github/workflows/test.yml" in text}
    for name, text in jobs:
        if tested & set(re.findall(r"^    needs: (\w+)$", text, re.MULTILINE)):
            tested.add(name)
    return [name for name, _ in jobs if name not in tested][:1]
