"""In a browser, a bundle of modules behaves like the modules themselves."""

from playwright.sync_api import Browser, Route

from macros.publish.bundles import publish_modules
from macros.publish.page import Page

MODULES = {
    "assets/a.js": """// A
import table from "../data/t.js"
import { one, two as zwei, Three, four, five, letters, none } from "./b.js"
import * as every from "./b.js"
import "./c.js"
/** A comment that says `export default`.
 * export default
 */
const loadLate = async () => ({ default: await import("../data/late.js") }) // b
const template = `
  // no comment ${[`  kept  `, `${"//"}`].join("")}
/** a
`
;/** @type {any} */ (window).reports = [...window.reports, table, one, zwei(), new Three().three, fourth(), five]
window.reports.push(letters, template)
function fourth() { return every.four }
loadLate().then(({ default: late }) => { window.late = late.default })
window.names = [Object.keys(every).sort().join(), typeof none]
""",
    "assets/b.js": """import { report } from "./d.js"
report("b")
export const one = 1
export async function later() { await one }
export function two() { return 2 }
export class Three { three = 3 }
export const [four] = [4]
export const { a: five } = { a: 5 }
export const letters = "export const x"
export const none = undefined
""",
    "assets/c.js": 'import { report } from "./d.js"\nimport "./b.js"\nreport("c")\n',
    "assets/d.js": "window.reports = []\nexport const report = (what) => window.reports.push(what)\n",
    "assets/e.js": 'import * as again from "./b.js"\nexport const kept = again.one + 1\n',
    "data/t.js": "export default 10\n",
    "data/late.js": "export default 11\n",
}
"""Modules that report their actions, with various forms of import and export.

Their strings and comments contain words and signs that a bundler could mistake for code or comments.
"""

REPORT = "JSON.stringify([window.reports, window.names, window.late])"
"""An expression for the reports of the modules, the names that `b.js` exports, and a value that is loaded later."""


def report_of(browser: Browser, files: dict[str, str], script: str) -> str:
    """The reports of the modules on a page that loads `script` and its imports from `files`."""

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


def test_a_bundle_behaves_like_its_modules(browser: Browser) -> None:
    page = Page("x.html", '<script type="module" src="assets/a.js"></script>')
    files = publish_modules([page], MODULES).files
    (script,) = page.tree.css("script")
    report = report_of(browser, files, script.attributes["src"] or "")
    assert '[["b","c",10,1,2,3,4,5,"export const x","\\n  // no comment   kept  //\\n/** a\\n"]' in report
    assert report_of(browser, MODULES, "assets/a.js") == report
    (bundle,) = (code for address, code in files.items() if "/bundles/" in address)
    assert "A comment" not in bundle
