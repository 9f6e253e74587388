"""What is installed and run is pinned, names no address to fetch it from, and runs on the Python that is promised."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PINNED_ACTION = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v[\d.]+$")


def unlocked(requirements: str) -> list[str]:
    """Lines of a lock file that are not a pin with hashes."""
    entries = requirements.replace("\\\n", " ").splitlines()
    return [each for each in entries if not re.fullmatch(r"[\w.-]+==[\w.]+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*", each)]


def unpinned(workflow: str) -> list[str]:
    """Actions that a workflow uses by a name that can come to mean something else."""
    lines = [line.strip().removeprefix("- ") for line in workflow.splitlines() if "uses:" in line]
    # A workflow of this repository is of the same commit.
    return [line for line in lines if not (PINNED_ACTION.fullmatch(line) or line.startswith("uses: ./.github/"))]


SITE, TESTS = ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt"
"""What builds the site, and what tests, checks and prints it besides."""

ASKED = sorted([ROOT / "requirements.in", *(ROOT / "tests").rglob("requirements*.in")])
LOCKED = sorted([SITE, *(ROOT / "tests").rglob("requirements*.txt")])


def pins(path: Path) -> dict[str, str]:
    """The version of each package that a lock names."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", path.read_text(), re.MULTILINE))


def name_of(path: Path) -> str:
    """A file as seen from the root."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", LOCKED, ids=name_of)
def test_a_lock_has_a_hash_for_everything(path: Path) -> None:
    """Every line is a version and its hashes; no index address is named."""
    assert [] == unlocked(path.read_text())


@pytest.mark.parametrize("path", ASKED, ids=name_of)
def test_everything_asked_for_is_locked(path: Path) -> None:
    """Each lock was made from what is asked for as it stands."""
    # pip takes an underscore for a hyphen, and a lock has the hyphen.
    asked, locked = (
        {(name.replace("_", "-"), version) for name, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)}
        for text in (path.read_text(), path.with_suffix(".txt").read_text())
    )
    assert asked
    assert set() == asked - locked


OLDEST = ".".join(re.findall(r"version_info < \((\d+), (\d+)\)", (ROOT / "Makefile").read_text())[0])
"""The oldest Python with which `make` makes an environment: any release of this version."""


@pytest.mark.parametrize(
    ("path", "promise"),
    [
        ("README.md", r"Python ([\d.]+\d) or newer"),
        ("Makefile", r"Python ([\d.]+\d) or newer"),
        ("pyproject.toml", r'^python_version = "(.+)"'),
        ("pyproject.toml", r'^target-version = "py3(\d+)"'),
        (".github/workflows/test.yml", r'python: \["([\d.]+)"'),
    ],
)
def test_one_python_is_promised(path: str, promise: str) -> None:
    """Wherever the oldest Python is named, it is the one that the Makefile asks for."""
    named = re.findall(promise, (ROOT / path).read_text(), re.MULTILINE)
    assert {OLDEST} == {each if "." in each else f"3.{each}" for each in named}


def test_the_lock_installs_on_the_promised_python() -> None:
    """Its first release included, which is what a distribution may have."""
    names = pins(SITE).keys() | pins(TESTS).keys()
    needs = [each for name in names for each in metadata.metadata(name).get_all("Requires-Python", [])]
    assert needs
    assert SpecifierSet(",".join(needs)).contains(f"{OLDEST}.0")


def test_what_both_locks_name_has_one_version() -> None:
    """They are installed into one environment, one after the other."""
    site, tests = pins(SITE), pins(TESTS)
    shared = site.keys() & tests.keys()
    assert "beautifulsoup4" in shared
    assert {name: site[name] for name in shared} == {name: tests[name] for name in shared}


def test_the_site_alone_asks_for_nothing_that_only_tests_need() -> None:
    """Above all not for Playwright, which is larger than all else together."""
    assert set() == pins(SITE).keys() & {"playwright", "pytest", "mypy", "ruff", "hypothesis"}


def test_nothing_is_installed_but_from_a_lock() -> None:
    """`make` hands pip no file without hashes; pip-tools itself, which makes the locks, is pinned."""
    assert [] == unlocked_installs((ROOT / "Makefile").read_text())


def unlocked_installs(makefile: str) -> list[str]:
    """Lines that let pip install without checking hashes."""
    lines = [line for line in makefile.splitlines() if "pip install" in line]
    return [line for line in lines if "--require-hashes" not in line and "pip-tools==" not in line]


def test_a_lock_with_torch_takes_the_build_without_cuda() -> None:
    """The libraries of CUDA stand in a lock of their own, and the CPU build's hash beside the others."""
    (cpu_build,) = re.findall(r"--hash=\S+", (ROOT / "Makefile").read_text())
    for path in LOCKED:
        text = path.read_text()
        assert ("\ntorch==" in text) == (cpu_build in text)
        assert (path.name == "requirements-cuda.txt") == bool(re.search(r"^(nvidia|cuda)-", text, re.MULTILINE))


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_are_pinned_and_may_little(path: Path) -> None:
    """Actions by commit; permissions start from reading; deploying writes to Pages.

    An edition is written to its release, and the workflow that deploys is started.
    """
    text = path.read_text()
    assert [] == unpinned(text)
    assert "\npermissions:\n  contents: read\n" in text
    allowed = {"contents: write", "actions: write"} if path.name == "term.yml" else {"pages: write", "id-token: write"}
    assert allowed >= set(re.findall(r"[\w-]+: write", text))


def test_the_lock_of_npm_names_no_host() -> None:
    """Integrity hashes, and no address; what was asked for is locked, at one version."""
    asked = json.loads((ROOT / "tests" / "scripts" / "package.json").read_text())["devDependencies"]
    text = (ROOT / "tests" / "scripts" / "package-lock.json").read_text()
    assert "://" not in text
    packages = json.loads(text)["packages"]
    assert [] == [name for name, each in packages.items() if name and "integrity" not in each]
    assert asked == {name: packages[f"node_modules/{name}"]["version"] for name in asked}


def test_what_is_not_pinned_is_found() -> None:
    """A pin without hash, a range, an index, an editable install; a file that names no hashes; tags and branches."""
    assert all(map(unlocked, ("mkdocs==1.6.1", "mkdocs>=1.6", "--index-url https://example.org/simple", "-e .")))
    assert unlocked_installs("\t$(VENV)/bin/pip install -r requirements.in")
    assert all(unpinned(f"      - uses: actions/checkout@{name}") for name in ("v6", "main", "de0fac2"))


def test_nothing_is_published_untested() -> None:
    """Deploying needs the whole test workflow, which no push starts besides, on every Python that is promised."""
    folder = ROOT / ".github" / "workflows"
    deploy, test = ((folder / f"{name}.yml").read_text() for name in ("deploy", "test"))
    assert [] == untested(deploy)
    assert ["build"] == untested(deploy.replace("needs: test", "needs: other"))
    assert "workflow_call:" in test
    assert "push:" not in test
    assert 'python: ["3.11", "3.12", "3.13", "3.14"]' in test
    assert "make --assume-old=lint test TESTS=tests/docs\n" in test


def untested(deploy: str) -> list[str]:
    """The jobs of deploying that wait neither for the tests nor for one that does."""
    jobs = re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", deploy.split("\njobs:\n")[1], re.MULTILINE)
    tested = {name for name, text in jobs if "uses: ./.github/workflows/test.yml" in text}
    for name, text in jobs:
        if tested & set(re.findall(r"^    needs: (\w+)$", text, re.MULTILINE)):
            tested.add(name)
    return [name for name, _ in jobs if name not in tested][:1]
