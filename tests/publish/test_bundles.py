"""Modules become a few bundles, in a folder named after their digest, or an error names what cannot be bundled."""

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


def publish_page(*scripts: str, name: str = "parts/x.html", **changed_scripts: str) -> tuple[list[str], dict[str, str]]:
    """Publish the modules of a page that names `scripts`.

    Return the addresses to which the page then links, in order, and every file by its address.
    """
    page = Page(name, "".join(f'<script type="module" src="{script}"></script>' for script in scripts))
    modules = publish_modules([page], {**SCRIPTS, **changed_scripts})
    elements = page.tree.css("link, script")
    links = [element.attributes.get("src") or element.attributes["href"] or "" for element in elements]
    return links, modules.files


def without_folder(addresses: list[str]) -> list[str]:
    """The addresses without the folder of their build."""
    return [re.sub(r"^(\.\./)?modules/\w{12}/", "", address) for address in addresses]


def test_a_page_links_only_to_what_its_modules_import() -> None:
    links, files = publish_page("../assets/pages/a.js")
    assert ["bundles/pages-a.js", "data/t.js", "assets/pages/a.js"] == without_folder(links)
    assert {*links} == {f"../{address}" for address in files}


SCRIPTS_ON_DEMAND = {
    "assets/b.js": 'export const b = () => import("./late.js")\n',
    "assets/pages/c.js": 'new Worker(new URL("../worker.js", import.meta.url), { type: "module" })\n',
    "assets/late.js": 'import { s } from "./s.js"\nimport { b } from "./b.js"\nexport const late = b(s)\n',
    "assets/worker.js": '/** @type {import("./unused.js").A} */\nimport { s } from "./s.js"\nself.onmessage = s\n',
    "assets/s.js": 'import table from "../data/t.js"\nexport const s = () => import("../data/late.js")\n',
    "data/late.js": "export default 2\n",
}
"""Scripts, some of which load others on demand."""


def test_code_that_is_loaded_on_demand_is_not_linked() -> None:
    """Code that is loaded on demand is in separate bundles, which do not repeat code that the page loads at once.

    A worker's code is in separate bundles, too, and a separate file runs it.
    """
    links, files = publish_page("../assets/pages/a.js", **SCRIPTS_ON_DEMAND)
    assert ["bundles/pages-a.js", "assets/pages/a.js"] == without_folder(links)
    code = dict(zip(without_folder([*files]), files.values(), strict=True))
    assert {
        "bundles/pages-a.js",
        "bundles/late.js",
        "bundles/worker.js",
        "bundles/late.worker.js",
        "assets/pages/a.js",
        "assets/worker.js",
        "data/t.js",
        "data/late.js",
    } == {*code}
    assert 'import("./late.js").then(({ $late }) => $late())' in code["bundles/pages-a.js"]
    assert 'new URL("../assets/worker.js", import.meta.url)' in code["bundles/pages-a.js"]
    assert 'import { $b } from "./pages-a.js"' in code["bundles/late.js"]
    assert 'import("../data/late.js")' in code["bundles/late.worker.js"]
    assert 'import { $worker } from "../bundles/worker.js"\n$worker()\n' == code["assets/worker.js"]


def test_modules_that_the_same_scripts_need_are_one_file() -> None:
    """Modules that the script of every page needs are in that script's bundle, even if other scripts need them, too."""
    links, _ = publish_page(*(f"../assets/pages/{name}.js" for name in ("every", "own", "a", "c")))
    assert [
        "bundles/pages-every.js",
        "assets/pages/every.js",
        "bundles/pages-own.js",
        "assets/pages/own.js",
        "bundles/pages-a.js",
        "bundles/pages-a.pages-c.js",
        "data/t.js",
        "assets/pages/a.js",
        "assets/pages/c.js",
    ] == without_folder(links)


def test_the_folder_is_named_after_its_contents() -> None:
    links, _ = publish_page("../assets/b.js")
    same_links, _ = publish_page("../assets/b.js")
    other_links, _ = publish_page("../assets/b.js", **{"data/t.js": "export default 2\n"})
    assert links == same_links
    assert set() == set(links) & set(other_links)


@pytest.mark.parametrize(
    ("src", "changed_scripts"),
    [
        ("../assets/typo.js", {}),
        ("/bert/assets/typo.js", {}),
        ("../assets/b.js", {"assets/b.js": 'import "./typo.js"\n'}),
    ],
)
def test_a_missing_module_is_named(src: str, changed_scripts: dict[str, str]) -> None:
    with pytest.raises(
        PublishError, match=r"parts/x\.html needs the script (/bert/)?assets/typo\.js, which is not there"
    ):
        publish_page(src, **changed_scripts)


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
        "const now = await later()",
        "await later()",
    ],
)
def test_code_that_cannot_be_bundled_is_named(line: str) -> None:
    with pytest.raises(PublishError, match=r"docs/assets/b\.js, line 3: this statement cannot be bundled; write"):
        publish_page("../assets/b.js", **{"assets/b.js": f"// B\nconst b = 1\n{line}\n"})


@pytest.mark.parametrize(
    ("line", "advice", "corrected_line"),
    [
        ("export default 1", "`export` before const, class, function or async function", "export const a = 1"),
        (
            "import all, { b } from './pages/c.js'",
            "write `import { a, b as c } from`",
            'import { c } from "./pages/c.js"',
        ),
        ("await later()", "and `await` within a function", "const a = async () => { await later() }"),
    ],
)
def test_the_error_says_what_can_be_bundled(line: str, advice: str, corrected_line: str) -> None:
    with pytest.raises(PublishError, match=re.escape(advice)):
        publish_page("../assets/b.js", **{"assets/b.js": line})
    publish_page("../assets/b.js", **{"assets/b.js": corrected_line})


@pytest.mark.parametrize(
    ("code", "remaining_code"),
    [
        ("// A\nb()\n\n  // C\nd() // e", "b()\nd() // e"),
        ("/** A. @param {B} c */\nd()", "d()"),
        ("/**\n * A\n * @param {B} c\n */\nd()", "d()"),
        ("const a = /** @type {B} */ (c), d = /** @type {E} */ (f)", "const a = (c), d = (f)"),
        ("const a = `\n\n // b\n/** c\n`\n// d", "const a = `\n\n // b\n/** c\n`"),
        ("a() // `\n// b", "a() // `\n// b"),
    ],
)
def test_comments_are_left_out(code: str, remaining_code: str) -> None:
    """JSDoc comments, and other comments on lines of their own, are left out, except in a template string.

    All comments are kept if it is unclear whether a backtick begins such a string.
    """
    _, files = publish_page("../assets/b.js", **{"assets/b.js": code})
    (bundle,) = (text for address, text in files.items() if "/bundles/" in address)
    assert f"$once(() => {{\n{remaining_code}\nreturn" in bundle
