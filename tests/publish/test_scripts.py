"""An import of a missing file or name is an error, and so is a missing module on a page."""

import pytest

from macros.publish import PublishError
from macros.publish.page import Page
from macros.publish.scripts import check_imports, check_modules

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
import data from "../../data/table.js"
import "./alone.js"
export { a as k } from "../x.js"
const later = await import("./alone.js")
"""

SCRIPTS = {
    "assets/x.js": EXPORTS,
    "assets/pages/alone.js": "",
    "assets/javascripts/bundle.js": 'import("./gone.js")',  # the theme's scripts are not checked
    "data/table.js": "",
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
def test_an_import_of_a_missing_file_or_name_is_an_error(line: str, fault: str) -> None:
    scripts = {**SCRIPTS, "assets/pages/y.js": IMPORTS + line}
    try:
        check_imports(scripts)
        message = ""
    except PublishError as error:
        message = str(error)
    assert message.startswith(f"docs/assets/pages/y.js, line 11: {fault}" if fault else "")
    assert bool(message) == bool(fault)


def test_a_missing_module_of_a_page_is_an_error_while_serving() -> None:
    complete_page = Page("parts/w.html", '<script type="module" src="../assets/b.js"></script>')
    faulty_page = Page("parts/x.html", '<script type="module" src="../assets/typo.js"></script>')
    with pytest.raises(PublishError, match=r"parts/x\.html needs the script assets/typo\.js, which is not there"):
        check_modules([complete_page, faulty_page], {"assets/b.js": ""})
