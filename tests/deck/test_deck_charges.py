"""Charges that a project has in its own folders."""

from __future__ import annotations

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.face.ornaments import choose_charge
from cardgen.print.request import BuildRequest
from cardgen.project.files import built_in_folder
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.text.shaped_row import Drawings
from tests.cases import each_case
from tests.projects import MINION, Folder

TOAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path d="M0 0H9V9Z" fill="#d0ffee"/><path d="M0 0V1H1Z"/></svg>'
)
BUILT_IN = Drawings([built_in_folder("templates") / "shared" / "charges"]).names()
FRONT = "warniris-minion/001-sentinel-front.svg"


def sentinel(folder: Folder) -> bytes:
    folder.write("cards/a.yaml", MINION)
    build(BuildRequest(formats=("svg",)))
    return folder.output(FRONT)


@each_case("place", ["charges", "templates/warniris/charges", "templates/shared/charges"])
def test_a_file_with_the_name_of_a_charge_replaces_its_drawing(folder: Folder, place: str) -> None:
    folder.write(f"{place}/{choose_charge('sentinel', BUILT_IN)}.svg", TOAD)
    assert b"#d0ffee" in sentinel(folder)


def test_a_new_charge_is_chosen_for_some_cards(folder: Folder) -> None:
    name = next(f"toad-{n}" for n in range(9999) if choose_charge("sentinel", (*BUILT_IN, f"toad-{n}")) not in BUILT_IN)
    assert b"#d0ffee" not in sentinel(folder)
    folder.write(f"charges/{name}.svg", TOAD)
    assert b"#d0ffee" in sentinel(folder)


def test_a_file_that_cannot_be_drawn_is_told(folder: Folder) -> None:
    folder.write("cards/a.yaml", MINION)
    folder.write("charges/toad.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>T</text></svg>')
    (found,) = check_project(CheckRequest()).findings
    assert str(found.diagnostic.place) == "charges/toad.svg:1:1"
    with pytest.raises(CardgenError, match=r"charges/toad\.svg:1:1: "):
        build(BuildRequest())


def front(folder: Folder) -> bytes:
    (path,) = (folder.root / "output").rglob("*-front.svg")
    return path.read_bytes()


def test_a_card_names_its_charge(folder: Folder) -> None:
    folder.write("charges/toad.svg", TOAD)
    name = next(f"it-{n}" for n in range(99) if choose_charge(f"it-{n}", (*BUILT_IN, "toad")) != "toad")
    folder.write("cards/a.yaml", f"{MINION}id: {name}\nblazon: toad\n")
    build(BuildRequest(formats=("svg",)))
    assert b"#d0ffee" in front(folder)


def test_an_unknown_charge_is_told_at_its_card(folder: Folder) -> None:
    folder.write("cards/a.yaml", f"{MINION}blazon: towr\n")
    (found,) = (each.diagnostic for each in check_project(CheckRequest()).findings)
    assert (str(found.place), found.help) == ("cards/a.yaml:4:9", "did you mean 'tower'?")
    assert found.message == "unknown charge 'towr' in 'blazon' of 'Sentinel'"
    with pytest.raises(CardgenError, match="unknown charge 'towr'; did you mean 'tower'"):
        build(BuildRequest())


@each_case("name", ["tower", "hat-wizard"])
def test_charges_and_icons_are_known(folder: Folder, name: str) -> None:
    folder.write("cards/a.yaml", f"{MINION}blazon: {name}\n")
    assert check_project(CheckRequest(fit=True)).findings == ()
