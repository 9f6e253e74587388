"""The modules of a site in few files, in a folder named after what they hold."""

import re

import pytest

from macros.publish import PublishError
from macros.publish.bundles import publish_modules
from macros.publish.page import Page

SCRIPTS = {
    "assets/pages/a.js": 'import {\n  b,\n} from "../b.js"\nimport "./c.js"\nb("./d.js")\n',
    "assets/b.js": 'import table from "../data/t.js"\nexport const b = () => table\n',
    "assets/pages/c.js": 'import { b } from "../b.js"\nb()\n',
    "assets/pages/every.js": 'import "../most.js"\n',
    "assets/most.js": "",
    "assets/pages/own.js": 'import "../most.js"\n',
    "assets/unused.js": "",
    "data/t.js": "export default 1\n",
}


def published(*named: str, name: str = "parts/x.html", **changed: str) -> tuple[list[str], dict[str, str]]:
    """What a page names and links to once its modules are published, in their order, and every file of them."""
    page = Page(name, "".join(f'<script type="module" src="{each}"></script>' for each in named))
    modules = publish_modules([page], {**SCRIPTS, **changed})
    links = [each.attributes.get("src") or each.attributes["href"] or "" for each in page.tree.css("link, script")]
    return links, modules.files


def in_folder(addresses: list[str]) -> list[str]:
    """Addresses without the folder of the build."""
    return [re.sub(r"^(\.\./)?modules/\w{12}/", "", each) for each in addresses]


def test_a_page_links_to_all_that_its_modules_import() -> None:
    """Each file once, before the script that starts it; what no page needs is left out."""
    links, files = published("../assets/pages/a.js")
    assert ["bundles/pages-a.js", "data/t.js", "assets/pages/a.js"] == in_folder(links)
    assert {*links} == {f"../{each}" for each in files}


def test_what_the_same_scripts_need_is_one_file() -> None:
    """And what the script of every page needs is one with it, whoever else needs it."""
    links, _ = published(*(f"../assets/pages/{name}.js" for name in ("every", "own", "a", "c")))
    assert [
        *("bundles/pages-every.js", "assets/pages/every.js"),
        *("bundles/pages-own.js", "assets/pages/own.js"),
        *("bundles/pages-a.js", "bundles/pages-a.pages-c.js", "data/t.js", "assets/pages/a.js"),
        "assets/pages/c.js",
    ] == in_folder(links)


def test_the_folder_is_named_after_what_it_holds() -> None:
    """Another script is in another folder, the same one in the same."""
    (first, *_), (same, *_), (other, *_) = (
        published("../assets/b.js"),
        published("../assets/b.js"),
        published("../assets/b.js", **{"data/t.js": "export default 2\n"}),
    )
    assert first == same != other


@pytest.mark.parametrize(
    ("src", "changed"),
    [
        ("../assets/typo.js", {}),
        ("/bert/assets/typo.js", {}),
        ("../assets/b.js", {"assets/b.js": 'import "./typo.js"\n'}),
    ],
)
def test_a_module_that_is_not_there_is_named(src: str, changed: dict[str, str]) -> None:
    """One that a page names, or another imports; the error says which page needs it."""
    with pytest.raises(
        PublishError, match=r"parts/x\.html needs the script (/bert/)?assets/typo\.js, which is not there"
    ):
        published(src, **changed)


@pytest.mark.parametrize(
    "line",
    [
        "export default 1",
        "export { b }",
        "export let a = 1",
        'export * from "./pages/c.js"',
        'export { b as c } from "./pages/c.js"',
        'import all from "./pages/c.js"',
        'import all, { b } from "./pages/c.js"',
        'import { a } from "../data/t.js"',
        'import * as a from "../data/t.js"',
        'import "../data/t.js"',
        'import a from "../data/t.js" with { type: "json" }',
        'const later = () => import("./pages/c.js")',
        "const now = await later()",
        "await later()",
    ],
)
def test_what_cannot_be_bundled_is_named(line: str) -> None:
    """With file and line, instead of a bundle that does something else."""
    with pytest.raises(PublishError, match=r"docs/assets/b\.js, line 3: what is written here cannot be bundled; write"):
        published("../assets/b.js", **{"assets/b.js": f"// B\nconst b = 1\n{line}\n"})


@pytest.mark.parametrize(
    ("code", "kept"),
    [
        ("// A\nb()\n\n  // C\nd() // e", "b()\nd() // e"),
        ("/** A. @param {B} c */\nd()", "d()"),
        ("/**\n * A\n * @param {B} c\n */\nd()", "d()"),
        ("const a = /** @type {B} */ (c), d = /** @type {E} */ (f)", "const a = (c), d = (f)"),
        ("const a = `\n\n // b\n/** c\n`\n// d", "const a = `\n\n // b\n/** c\n`"),
        ("a() // `\n// b", "a() // `\n// b"),
    ],
)
def test_comments_are_left_out(code: str, kept: str) -> None:
    """But not what stands in a template, nor anything where a backtick might begin one or not."""
    _, files = published("../assets/b.js", **{"assets/b.js": code})
    (bundle,) = (text for address, text in files.items() if "/bundles/" in address)
    assert f"$once(() => {{\n{kept}\nreturn" in bundle
