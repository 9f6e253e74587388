"""The modules of a site, in a folder named after what they hold."""

import pytest

from macros.publish import PublishError
from macros.publish.page import Page
from macros.publish.scripts import publish_modules

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
