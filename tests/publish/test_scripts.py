"""The modules of a site, in a folder named after what they hold."""

import re

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


def test_modules_import_each_other_as_they_are_written() -> None:
    """They lie to each other as before; another content is another folder, so no browser takes an old one."""
    (_, made), (_, others) = (
        published("../assets/b.js"),
        published("../assets/b.js", **{"data/t.js": "export default 2"}),
    )
    (folder,) = {new.removesuffix(old) for old, new in made.items()}
    assert re.fullmatch("modules/[0-9a-f]{12}/", folder)
    assert made["assets/b.js"] != others["assets/b.js"]


@pytest.mark.parametrize("folder", ["/", "/bert/"])
def test_the_page_of_errors_names_modules_from_the_top(folder: str) -> None:
    """It is shown at any address; the site may be in a folder of its host."""
    links, made = published(f"{folder}assets/b.js", name="404.html")
    assert [f"{folder}{made['data/t.js']}", f"{folder}{made['assets/b.js']}"] == links


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
