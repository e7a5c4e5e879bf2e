"""Sheets for each warband, faction, or other group of cards, by its name."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.reference_sheets.make_sheets import SheetRequest, sheet_documents
from tests.projects import Folder

OWN = """
game: warcry
cards:
  - {kind: fighter, name: Toll Keeper, faction: Skaven, stats: {M: 5, T: 4, W: 18}, points: 130,
     weapons: [Hook: reach R2 A3 S4 D2/4]}
  - {kind: ability, name: Bite, price: double, runemarks: [iron-golem], text: It bites.}
  - {kind: warband, name: Gnawers, members: [{fighter: toll-keeper}]}
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", "game: warcry\n")
    return folder


def titles(**request: object) -> list[tuple[str, str]]:
    return [(each.id, each.title) for each in sheet_documents(SheetRequest(**request))]  # type: ignore[arg-type]


@pytest.mark.usefixtures("project")
def test_without_a_name_there_is_a_sheet_for_each_group_in_use() -> None:
    found = titles(sheets=("abilities",))
    assert found == [("abilities", "Cities of Sigmar"), ("abilities", "Scions of the Flame")]


def test_the_groups_are_those_of_the_project_s_cards(project: Folder) -> None:
    project.write("cards/own.yaml", OWN)
    assert titles(sheets=("abilities",)) == [("abilities", "Iron Golem"), ("abilities", "Skaven")]


@pytest.mark.parametrize("name", ["Iron Golem", "iron-golem", "IRON GOLEM"])
@pytest.mark.usefixtures("project")
def test_any_group_has_a_sheet_by_its_name(name: str) -> None:
    assert titles(of=name) == [("abilities", "Iron Golem")]


@pytest.mark.usefixtures("project")
def test_a_name_selects_the_sheets_of_a_list_or_a_group() -> None:
    assert titles(of="The Ember Choir") == [("warband", "The Ember Choir")]


@pytest.mark.parametrize(
    ("request_", "place", "message"),
    [
        ({"of": "The Amber Choir"}, "--of", "unknown warband 'The Amber Choir'; did you mean 'The Ember Choir'?"),
        ({"of": "Iron Golm", "sheets": ("abilities",)}, "--of", "unknown faction 'Iron Golm'"),
        ({"of": "Skaven", "sheets": ("blessings",)}, "--of", "the sheet 'blessings' does not depend on"),
    ],
)
@pytest.mark.usefixtures("project")
def test_an_unknown_name_is_located(request_: dict[str, object], place: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        titles(**request_)
    (problem,) = caught.value.diagnostics
    assert place in str(problem.place)
    assert problem.message.startswith(message)


def test_an_unknown_kind_of_list_is_located(project: Folder) -> None:
    project.write("sheets/mine.yaml", "title: Mine\neach: fraction\nsections: [{section: One, content: [Text.]}]\n")
    with pytest.raises(CardgenError) as caught:
        titles(sheets=("mine",))
    (problem,) = caught.value.diagnostics
    assert problem.message == "unknown kind of list 'fraction'; did you mean 'faction'?"
    assert problem.help == "use one of warband, faction"
