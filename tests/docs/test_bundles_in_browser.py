"""A bundle does in a browser what its modules do."""

from playwright.sync_api import Browser, Route

from macros.publish.bundles import publish_modules
from macros.publish.page import Page

RUN = {
    "assets/a.js": """// A
import table from "../data/t.js"
import { one, two as zwei, Three, four, five, letters, none } from "./b.js"
import * as every from "./b.js"
import "./c.js"
/** A comment that says `export default`.
 * export default
 */
const say = async () => ({ default: await import("../data/late.js") }) // b
const shown = `
  // no comment ${[`  kept  `, `${"//"}`].join("")}
/** a
`
;/** @type {any} */ (window).said = [...window.said, table, one, zwei(), new Three().three, fourth(), five]
window.said.push(letters, shown)
function fourth() { return every.four }
say().then(({ default: late }) => { window.late = late.default })
window.names = [Object.keys(every).sort().join(), typeof none]
""",
    "assets/b.js": """import { said } from "./d.js"
said("b")
export const one = 1
export async function later() { await one }
export function two() { return 2 }
export class Three { three = 3 }
export const [four] = [4]
export const { a: five } = { a: 5 }
export const letters = "export const x"
export const none = undefined
""",
    "assets/c.js": 'import { said } from "./d.js"\nimport "./b.js"\nsaid("c")\n',
    "assets/d.js": "window.said = []\nexport const said = (what) => window.said.push(what)\n",
    "assets/e.js": 'import * as again from "./b.js"\nexport const kept = again.one + 1\n',
    "data/t.js": "export default 10\n",
    "data/late.js": "export default 11\n",
}
"""Modules that report what they do, in every form that a bundle handles."""

REPORT = "JSON.stringify([window.said, window.names, window.late])"


def run(browser: Browser, files: dict[str, str], script: str) -> str:
    """The report of the modules in a page that loads one of them."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix("https://example.org/")
        if path:
            route.fulfill(body=files[path], content_type="text/javascript")
        else:
            route.fulfill(body=f'<script type="module" src="{script}"></script>', content_type="text/html")

    page = browser.new_page()
    page.route("https://example.org/**", answer)
    page.goto("https://example.org/")
    page.wait_for_function("window.late")
    report: str = page.evaluate(REPORT)
    page.close()
    return report


def test_a_bundle_does_what_its_modules_do(browser: Browser) -> None:
    """Each module of a bundle runs once, in the same order, with the same result."""
    page = Page("x.html", '<script type="module" src="assets/a.js"></script>')
    files = publish_modules([page], RUN).files
    (script,) = page.tree.css("script")
    report = run(browser, files, script.attributes["src"] or "")
    assert '[["b","c",10,1,2,3,4,5,"export const x","\\n  // no comment   kept  //\\n/** a\\n"]' in report
    assert run(browser, RUN, "assets/a.js") == report
    (bundle,) = (code for address, code in files.items() if "/bundles/" in address)
    assert "A comment" not in bundle
