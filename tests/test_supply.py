"""Installed packages and actions are pinned, locks name no hosts, and packages run on the promised Python."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PIN = re.compile(r"[\w.-]+==[\w.]+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*")
PINNED_ACTION = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v[\d.]+$")
"""An entry in a lock, with a version and hashes, and an action in a workflow, pinned to a commit."""


def unlocked_entries(requirements: str) -> list[str]:
    """The entries of a lock that are not a single version with hashes."""
    entries = requirements.replace("\\\n", " ").splitlines()
    return [entry for entry in entries if not PIN.fullmatch(entry)]


def unpinned_actions(workflow: str) -> list[str]:
    """The lines of a workflow that use an action by a reference that is not pinned to a commit."""
    lines = [line.strip().removeprefix("- ") for line in workflow.splitlines() if "uses:" in line]
    # A workflow in this repository comes from the same commit.
    return [line for line in lines if not (PINNED_ACTION.fullmatch(line) or line.startswith("uses: ./.github/"))]


SITE_LOCK, TESTS_LOCK = ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"
"""The locks of the packages that build the site, and of those that test, check and print it."""

REQUIREMENTS = sorted([ROOT / "requirements.in", *(ROOT / "tests").rglob("requirements*.in")])
LOCKS = sorted([SITE_LOCK, *(ROOT / "tests").rglob("requirements*.txt")])
"""The files of requirements, and their locks."""


def pins(path: Path) -> dict[str, str]:
    """The version of every package in a lock."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.MULTILINE))


def path_from_top(path: Path) -> str:
    """The path of a file relative to the top folder."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", LOCKS, ids=path_from_top)
def test_a_lock_has_a_hash_for_everything(path: Path) -> None:
    """Every entry of a lock is a version with hashes, so a lock names no index either."""
    assert [] == unlocked_entries(path.read_text())


@pytest.mark.parametrize("path", REQUIREMENTS, ids=path_from_top)
def test_every_required_version_is_locked(path: Path) -> None:
    # To pip, an underscore in a name is the same as a hyphen, and locks have hyphens.
    required_pins, locked_pins = (
        {(name.replace("_", "-"), version) for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)}
        for text in (path.read_text(), path.with_suffix(".txt").read_text())
    )
    assert required_pins
    assert set() == required_pins - locked_pins


OLDEST_PYTHON = ".".join(re.findall(r"version_info < \((\d+), (\d+)\)", (ROOT / "Makefile").read_text())[0])
"""The oldest version of Python that the Makefile accepts."""


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
    versions = re.findall(promise, (ROOT / path).read_text(), re.MULTILINE)
    assert {OLDEST_PYTHON} == {version if "." in version else f"3.{version}" for version in versions}


def test_the_locks_install_on_the_promised_python() -> None:
    """The locks install even on the first release of that version, which a Linux distribution may have."""
    names = pins(SITE_LOCK).keys() | pins(TESTS_LOCK).keys()
    required_pythons = [
        required_python for name in names for required_python in metadata.metadata(name).get_all("Requires-Python", [])
    ]
    assert required_pythons
    assert SpecifierSet(",".join(required_pythons)).contains(f"{OLDEST_PYTHON}.0")


def test_a_package_in_both_locks_has_one_version() -> None:
    """Both locks are installed into the same environment."""
    site_pins, tests_pins = pins(SITE_LOCK), pins(TESTS_LOCK)
    shared_names = site_pins.keys() & tests_pins.keys()
    assert "beautifulsoup4" in shared_names
    assert {name: site_pins[name] for name in shared_names} == {name: tests_pins[name] for name in shared_names}


def test_the_lock_of_the_site_has_no_package_that_only_tests_need() -> None:
    """Above all, the lock must not have Playwright, which is large."""
    assert set() == pins(SITE_LOCK).keys() & {"playwright", "pytest", "mypy", "ruff", "hypothesis"}


def test_make_installs_only_from_locks() -> None:
    """The exception is pip-tools, which writes the locks; its version is pinned."""
    assert [] == unlocked_installs((ROOT / "Makefile").read_text())


def unlocked_installs(makefile: str) -> list[str]:
    """The lines of a Makefile that let pip install without checking hashes."""
    lines = [line for line in makefile.splitlines() if "pip install" in line]
    return [line for line in lines if "--require-hashes" not in line and "pip-tools==" not in line]


def test_a_lock_with_torch_allows_the_build_without_cuda() -> None:
    """The lock includes the hash of the build for CPUs, and the CUDA libraries are in a lock of their own."""
    (cpu_build,) = re.findall(r"--hash=\S+", (ROOT / "Makefile").read_text())
    texts = {path: path.read_text() for path in LOCKS}
    assert any(cpu_build in text for text in texts.values())
    for path, text in texts.items():
        assert ("\ntorch==" in text) == (cpu_build in text)
        assert (path.name == "requirements-cuda.txt") == bool(re.search(r"^(nvidia|cuda)-", text, re.MULTILINE))


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_are_pinned_and_have_few_permissions(path: Path) -> None:
    """Deploying writes Pages; keeping an edition creates a release and starts the workflow that deploys."""
    text = path.read_text()
    assert [] == unpinned_actions(text)
    assert "\npermissions:\n  contents: read\n" in text
    permissions = (
        {"contents: write", "actions: write"} if path.name == "term.yml" else {"pages: write", "id-token: write"}
    )
    assert permissions >= set(re.findall(r"[\w-]+: write", text))


def test_the_lock_of_npm_has_hashes_and_the_required_versions_and_names_no_host() -> None:
    dependencies = json.loads((ROOT / "tests" / "scripts" / "package.json").read_text())["devDependencies"]
    text = (ROOT / "tests" / "scripts" / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert [] == [name for name, package in packages.items() if name and "integrity" not in package]
    assert dependencies == {name: packages[f"node_modules/{name}"]["version"] for name in dependencies}


def test_a_loose_pin_is_noticed() -> None:
    assert all(
        map(unlocked_entries, ("mkdocs==1.6.1", "mkdocs>=1.6", "--index-url https://example.org/simple", "-e ."))
    )
    assert unlocked_installs("\t$(VENV)/bin/pip install -r requirements.in")
    assert [] == [
        name for name in ("v6", "main", "de0fac2") if not unpinned_actions(f"      - uses: actions/checkout@{name}")
    ]


def test_nothing_is_published_before_it_is_tested() -> None:
    """Deployment waits for the workflow that tests on every promised Python.

    A push does not start that workflow directly, so the tests run only once.
    """
    folder = ROOT / ".github" / "workflows"
    deploy, test = ((folder / f"{name}.yml").read_text() for name in ("deploy", "test"))
    assert [] == untested_jobs(deploy)
    assert ["build", "deploy"] == untested_jobs(deploy.replace("needs: test", "needs: other"))
    assert "workflow_call:" in test
    assert "push:" not in test
    assert 'python: ["3.11", "3.12", "3.13", "3.14"]' in test
    assert "make --assume-old=lint test TESTS=tests/docs\n" in test


def untested_jobs(deploy: str) -> list[str]:
    """The jobs in a workflow that wait neither for the tests nor for a job that does."""
    jobs = re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", deploy.split("\njobs:\n")[1], re.MULTILINE)
    tested_jobs = {name for name, text in jobs if "uses: ./.github/workflows/test.yml" in text}
    for name, text in jobs:
        if tested_jobs & set(re.findall(r"^    needs: (\w+)$", text, re.MULTILINE)):
            tested_jobs.add(name)
    return [name for name, _ in jobs if name not in tested_jobs]
