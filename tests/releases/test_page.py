"""The web page of a comparison, with pictures of both releases."""

from __future__ import annotations

import base64
import io
import json
import re
from typing import Any

import pytest
from PIL import Image

from cardgen.releases.page import as_html
from cardgen.releases.run import diff, diff_with_odds
from cardgen.releases.write import write_release
from tests.projects import STATS, Folder
from tests.releases.test_run import git

CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, stats: {STATS}, text: Still}}
  - {{name: Ember, stats: {STATS}}}
  - {{name: Soot, stats: {STATS}, motto: "</script><b>&amp;"}}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with a tag and a release file of the same name."""
    folder.plain().write("cards/a.yaml", CARDS)
    write_release("v1")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first"), ("tag", "v1")):
        git(folder.root, *arguments)
    return folder


def page_of(old: str) -> tuple[str, dict[str, Any]]:
    page = as_html(*diff_with_odds(old), old, None).decode()
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return page, json.loads(text)


def picture(source: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2])))


def test_both_sides_and_the_changed_pixels(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("W: 1, Mo: 10}, text: Still", "W: 2, Mo: 10}, text: Loud"))
    page, data = page_of("v1")
    (card,) = data["cards"]
    assert (card["id"], card["change"], card["also"]) == ("ash", "rules", [])
    assert card["values"] == [["stats wounds", "1", "2"], ["text", "Still", "Loud"]]
    (side,) = card["sides"]  # the back is the same
    assert picture(side["old"]).size == picture(side["new"]).size == picture(side["mask"]).size
    assert 0 < side["share"] < 0.05
    mask = picture(side["mask"]).convert("RGBA")
    assert mask.getpixel((2, 2)) == (0, 0, 0, 0)
    assert mask.getchannel("A").getbbox()
    assert "default-src 'none'; img-src data:;" in page
    assert "http" not in re.sub(r"http-equiv", "", page)


def test_texts_cannot_end_the_data(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("&amp;", "&lt;"))
    page, data = page_of("v1")
    assert data["cards"][0]["values"] == [["motto", "</script><b>&amp;", "</script><b>&lt;"]]
    assert page.count("</script>") == 2
    assert "<b>" not in page


def test_cards_on_one_side_only(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("Ember", "Flint").replace("W: 1", "W: 2", 2).replace("W: 2", "W: 1", 1))
    cards = {card["id"]: card for card in page_of("v1")[1]["cards"]}
    assert {name: card["change"] for name, card in cards.items()} == {"ember": "gone", "flint": "new"}
    assert (cards["ember"]["sides"][0]["new"], cards["flint"]["sides"][0]["old"]) == (None, None)
    assert not cards["ember"]["notes"] + cards["flint"]["notes"]


def test_a_release_of_other_cards_has_no_pictures(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS.replace("Still", "Louder"))
    write_release("v2")  # not committed
    project.write("cards/a.yaml", CARDS)
    (card,) = page_of("v2")[1]["cards"]
    assert card["sides"][0]["old"] is None
    assert card["notes"] == ["no picture of v2: it has neither a Git tag nor a commit with these cards"]


def test_the_commit_of_a_release_file_has_the_pictures(project: Folder) -> None:
    git(project.root, "tag", "-d", "v1")
    project.write("cards/a.yaml", CARDS.replace("Still", "Loud"))
    assert page_of("v1")[1]["cards"][0]["sides"][0]["old"]
    assert [card.change for card in diff("v1").cards] == ["rules"]
