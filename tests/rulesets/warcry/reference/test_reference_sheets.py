"""The reference sheets of Warcry: made for paper and as web pages, and their figures are the referee's."""

from __future__ import annotations

import html
import re

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.reference import make_sheets
from cardgen.pipeline.reference.make_sheets import SheetRequest
from tests.pipeline.projects import Folder


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", "game: warcry\n")
    return folder


def page(project: Folder, name: str, of: str | None = None) -> str:
    """The words of a sheet."""
    make_sheets.make_sheets(SheetRequest(sheets=(name,), formats=("html",), of=of, output=project.root / "out"))
    (path,) = (project.root / "out").glob("*.html")
    text = re.sub(r"<(style|svg).*?</\1>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def test_all_sheets_are_made(project: Folder) -> None:
    assert [name for name, _, _ in make_sheets.list_sheets()] == ["blessings", "play-reference", "warband"]
    made = make_sheets.make_sheets(SheetRequest(output=project.root / "out"))
    assert {path.name for path in made.files} == {
        "warcry-blessings-a4.pdf",
        "warcry-play-reference-a4.pdf",
        "warcry-warband-the-last-lanterns-a4.pdf",
        "warcry-warband-the-ember-choir-a4.pdf",
    }


def test_the_play_reference_has_the_universal_abilities_and_the_odds(project: Folder) -> None:
    text = page(project, "play-reference")
    for name in ("Rush", "Respite", "Onslaught", "Inspiring Presence", "Reckoning", "Counter", "Take Cover",
                 "Strike Them Down"):  # fmt: skip
        assert name in text
    assert "in % 5 16 39 15 23 2" in text, "the singles of six dice"
    assert re.search(r"higher 3\+ 50\s%", text)
    assert re.search(r"6 dice 98\s% 37\s% 5\s%", text)
    assert "A battle lasts for 4 battle rounds" in text


def test_a_project_s_rulings_are_on_its_sheets(project: Folder) -> None:
    project.write("cardgen.yaml", "game: warcry\nrulings: {rounds: five, onslaught: double}\n")
    text = page(project, "play-reference")
    assert "A battle lasts for 5 battle rounds" in text
    assert "A double, as in the older core rules." in text


def test_a_warband_s_sheet_has_its_own_cards_only(project: Folder) -> None:
    text = page(project, "warband", of="The Ember Choir")
    assert "995 of 1000" in text
    assert "Seared Wounds (Scions of the Flame)" in text
    assert "Aspire to Glory (Chaos)" in text
    assert "Third Verse" in text
    assert text.count("Inspiring Presence") == 1
    for other in ("Dawnbringer Zealots", "Lamp Oil", "Captain Odile Marsh"):
        assert other not in text


SHEET = "title: Mine\nsections:\n  - section: One\n    content:\n      - {}\n"


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        ("{show: traits, with: {runemark: Iron Golem}}", ["We Make War (Iron Golem)", "Aspire to Glory (Chaos)"]),
        ("{show: cards, with: {kind: blessing, only: [Might]}}", ["Might", "15/20"]),
        ("{show: fighters, with: {only: [Wick Boy]}}", ["Wick Boy"]),
        ("{show: odds-of-damage, with: {only: [Wick Boy]}}", ["2.0 1.5 1.5 1.5"]),
    ],
)
def test_a_sheet_of_one_s_own_may_show_it(piece: str, words: list[str], project: Folder) -> None:
    project.write("sheets/mine.yaml", SHEET.format(piece))
    text = page(project, "mine")
    for each in words:
        assert each in text


@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ("{show: traits, with: {runemark: Iron Golm}}", "unknown runemark"),
        ("{show: cards, with: {kind: fighter}}", "unknown kind of card"),
        ("Roll <fact toes> dice.", "unknown fact"),
    ],
)
def test_what_there_is_not_is_said_with_its_place(piece: str, message: str, project: Folder) -> None:
    project.write("sheets/mine.yaml", SHEET.format(piece))
    with pytest.raises(CardgenError) as caught:
        page(project, "mine")
    (found,) = caught.value.diagnostics
    assert "sheets/mine.yaml:5" in str(found.place)
    assert message in found.message or message.replace("unknown", "there is no") in found.message
