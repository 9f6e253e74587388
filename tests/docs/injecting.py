"""What somebody may try to put into a page, which the policy has to stop, and how to see whether it worked."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Route

ELSEWHERE = "https://elsewhere.example"
"""Another origin; the tests answer for it, so a request that is not stopped is seen and leads nowhere."""

POLICY = '<meta http-equiv="Content-Security-Policy"'
"""How the policy of a page begins; another name for it leaves the page without one."""

WATCH = """globalThis.plantedWorked = new Set()
globalThis.plantedStopped = new Set()
addEventListener("message", ({ data }) => {
  if (typeof data === "string" && data.startsWith("planted ")) plantedWorked.add(data)
})
document.addEventListener("securitypolicyviolation", (event) => plantedStopped.add(event.effectiveDirective))"""
"""Before anything else on a page: remember what worked, and what the policy stopped."""


def planted(how: str) -> str:
    """Code that says that it ran, here or in the page around a frame."""
    return f"parent.postMessage('planted {how}', '*')"


IN_HTML = f"""
<script>{planted("script")}</script>
<script src="{ELSEWHERE}/script.js"></script>
<img src="data:," alt="" onerror="{planted("handler of an image")}">
<details open ontoggle="{planted("handler of an event")}"><summary>a</summary></details>
<a id="planted-link" href="javascript:{planted("address of a link")}">a</a>
<style>#planted-element {{ z-index: 71 }}</style>
<link rel="stylesheet" href="{ELSEWHERE}/style.css">
<p id="planted-element">a</p>
<p id="planted-attribute" style="z-index: 72">a</p>
<iframe src="{ELSEWHERE}/frame"></iframe>
<iframe src="data:text/html,<script>{planted("frame of data")}</script>"></iframe>
<iframe srcdoc="<script>{planted("frame of its own text")}</script>"></iframe>
<iframe src="javascript:{planted("address of a frame")}"></iframe>
<img src="{ELSEWHERE}/image.png" alt="">
<video src="{ELSEWHERE}/film.mp4"></video>
<object data="{ELSEWHERE}/object"></object>
<embed src="{ELSEWHERE}/embed">
<form id="planted-form" method="post" action="{ELSEWHERE}/form" target="_blank"></form>
<base href="{ELSEWHERE}/">
"""
"""In the text of a page, as if the page had been built with it."""

BY_SCRIPTS = f"""() => {{
  const added = (name, attributes) => document.body.appendChild(Object.assign(document.createElement(name), attributes))
  added("script", {{ textContent: "{planted("element of a script")}" }})
  added("div", {{ innerHTML: `<img src="data:," alt="" onerror="{planted("HTML put in")}">` }})
  added("p", {{ id: "planted-later" }}).setAttribute("style", "z-index: 73")
  fetch("{ELSEWHERE}/fetched", {{ mode: "no-cors" }}).catch(() => {{}})
  const code = URL.createObjectURL(new Blob(["postMessage('planted worker')"]))
  try {{ new Worker(code).onmessage = ({{ data }}) => plantedWorked.add(data) }} catch {{}}
  setTimeout("{planted("code in a text")}")
  document.querySelector("#planted-link").click()
  document.querySelector("#planted-form").submit()
}}"""
"""Once the page is there, as if one of our scripts had done it."""

SEEN = """() => {
  const styled = ["element", "attribute", "later"].filter((name) =>
    getComputedStyle(document.querySelector(`#planted-${name}`)).zIndex.startsWith("7"))
  const base = document.baseURI === location.href ? [] : ["base"]
  return [...plantedWorked, ...styled.map((name) => `planted style ${name}`), ...base]
}"""

WAYS = {
    *(f"planted {how}" for how in re.findall(r"'planted ([A-Za-z ]+)'", IN_HTML + BY_SCRIPTS)),
    *(f"{ELSEWHERE}/{name}" for name in re.findall(rf"{ELSEWHERE}/([a-z.0-9]+)", IN_HTML + BY_SCRIPTS)),
    *(f"planted style {name}" for name in ("element", "attribute", "later")),
    "base",
}
"""Everything that is tried, each by what is seen where it works."""

DIRECTIVES = {
    *("base-uri", "connect-src", "form-action", "frame-src", "img-src", "media-src", "object-src", "script-src"),
    *("script-src-attr", "script-src-elem", "style-src-attr", "style-src-elem", "worker-src"),
}
"""What stops them."""


class Injected:
    """A page with things put in, with or without its policy."""

    def __init__(self, context: BrowserContext, site: Path) -> None:
        """Change pages of the built site on their way to the browser, and answer for the other origin."""
        self.site = site
        self.called: set[str] = set()
        self.page = context.new_page()
        self.page.add_init_script(WATCH)
        context.route(f"{ELSEWHERE}/**", self._answer)

    def _answer(self, route: Route) -> None:
        self.called.add(route.request.url)
        route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"})

    def html(self, url: str, html: str, lost: str) -> str:
        """The text of a page of the site, with more at the end of its article, and with something lost."""
        text = (self.site / urlsplit(url).path.lstrip("/")).read_text(encoding="utf-8")
        assert lost in text
        assert "</article>" in text
        return text.replace(lost, "<meta" if lost == POLICY else "", 1).replace("</article>", f"{html}</article>", 1)

    def open(self, url: str, html: str = IN_HTML, *, lost: str = "") -> Page:
        """Open a page with something in it, and without its policy or a piece of that."""
        self.called.clear()
        self.page.unroute_all()
        self.page.route(
            re.compile("^" + re.escape(re.split("[?#]", url)[0])),
            lambda route: route.fulfill(body=self.html(url, html, lost), content_type="text/html"),
        )
        self.page.goto("about:blank")  # an address that differs after its # alone would not be opened anew
        self.page.goto(url, wait_until="load")
        return self.page

    def seen(self) -> set[str]:
        """What has worked so far."""
        return self.called | set(self.page.evaluate(SEEN))

    def stopped(self) -> set[str]:
        """The directives that have stopped something so far."""
        return set(self.page.evaluate("[...plantedStopped]"))
