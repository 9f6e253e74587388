"""The modules of a site, in a folder named after what they hold."""

import pytest

from macros.publish import PublishError
from macros.publish.page import Page
from macros.publish.scripts import check_imports, check_modules, publish_modules

SCRIPTS = {
    "assets/pages/a.js": 'import {\n  b,\n} from "../b.js"\nimport "./c.js"\nb("./d.js")\n',
    "assets/b.js": 'import table from "../data/t.js"\nexport const b = table\n',
    "assets/pages/c.js": 'import { b } from "../b.js"\n',
    "assets/unused.js": "",
    "data/t.js": "export default 1\n",
}


def published(*named: str, name: str = "parts/x.html", **changed: str) -> tuple[list[str], dict[str, str]]:
    """What a page names and links to once its modules are published, in their order, and where each module is."""
    page = Page(name, "".join(f'<script type="module" src="{each}"></script>' for each in named))
    made = publish_modules([page], {**SCRIPTS, **changed})
    return [each.attributes.get("src") or each.attributes["href"] or "" for each in page.tree.css("link, script")], made


def test_a_page_links_to_all_that_its_modules_import() -> None:
    """Each once, before the module; what no page needs is left out."""
    links, made = published("../assets/pages/a.js")
    assert {"assets/pages/a.js", "assets/b.js", "assets/pages/c.js", "data/t.js"} == set(made)
    last = ["assets/b.js", "assets/pages/c.js", "data/t.js", "assets/pages/a.js"]
    assert [f"../{made[each]}" for each in last] == links


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


EXPORTS = """
export const a = 1
export async function b() {}
export class C {}
export const [d] = [1], e = 2
export const { f: g } = {}
const h = 1
export { h, h as i }
export default a
"""

IMPORTS = """
import all, { a, b, C, d, g, h } from "../x.js"
import {
  i as j,
} from "../x.js"
import * as every from "../x.js"
import data from "../../data/made.js"
import "./alone.js"
export { a as k } from "../x.js"
const later = await import("./alone.js")
"""

HERE = {
    "assets/x.js": EXPORTS,
    "assets/pages/alone.js": "",
    "assets/javascripts/bundle.js": 'import("./gone.js")',  # the theme's are its own affair
    "data/made.js": "",
}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", ""),
        ('import "./alon.js"', 'there is no script "./alon.js"; did you mean "./alone.js"?'),
        ("import './alon.js'", 'there is no script "./alon.js"; did you mean "./alone.js"?'),
        ('import { a } from "x.js"', 'there is no script "x.js"; did you mean "../x.js"?'),
        ('import("./nowhere.js")', 'there is no script "./nowhere.js"'),
        ('export { a } from "./z.js"', 'there is no script "./z.js"'),
        ('import { a, bb } from "../x.js"', 'assets/x.js exports no bb; did you mean "b"?'),
        ('import {\n  f,\n} from "../x.js"', "assets/x.js exports no f; "),
        ('export { kk } from "../x.js"', "assets/x.js exports no kk; "),
        ('import a from "./alone.js"', "assets/pages/alone.js exports no default; "),
    ],
)
def test_an_import_of_what_is_not_there_is_named(line: str, fault: str) -> None:
    """With file and line, and the nearest that there is."""
    scripts = {**HERE, "assets/pages/y.js": IMPORTS + line}
    try:
        check_imports(scripts)
        said = ""
    except PublishError as error:
        said = str(error)
    assert said.startswith(f"docs/assets/pages/y.js, line 11: {fault}" if fault else "")
    assert bool(said) == bool(fault)


def test_a_module_of_a_page_is_looked_for_while_serving_too() -> None:
    """As in `publish_modules`, with the page as it is."""
    page = Page("parts/x.html", '<script type="module" src="../assets/typo.js"></script>')
    with pytest.raises(PublishError, match=r"parts/x\.html needs the script assets/typo\.js, which is not there"):
        check_modules([page], SCRIPTS)
