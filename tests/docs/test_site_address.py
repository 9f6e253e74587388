"""Texts to copy contain the address at which the reader opened the site, unless the build was given an address."""

from playwright.sync_api import Page

from macros.rendering.components.pages import UNKNOWN_SITE


def test_the_browser_fills_in_the_address(desktop: Page, address: str) -> None:
    desktop.goto(f"{address}/teach/linking.html")
    texts = "".join(desktop.locator("article pre").all_text_contents())
    for text in ("embed/totals/base/figure-base.html?theme=light", "try/exercises.html?set=layer", "},"):
        assert f"{address}/{text}" in texts, text
    assert f"UR  - {address}/\n" in texts
    assert f"{UNKNOWN_SITE[:-1]}" not in desktop.content()


def test_without_scripts_a_sentence_asks_for_the_address(scriptless_tab: Page) -> None:
    scriptless_tab.goto("teach/linking.html")
    assert scriptless_tab.locator("pre", has_text=UNKNOWN_SITE).count() > 1
    assert scriptless_tab.locator("p", has_text=f"replace {UNKNOWN_SITE}").count() == 2
