from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError, Code, Severity
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder

ROOT = Path(__file__).parents[2]
RULER = "kind: ruler\nname: Tape\nlength: 40\nunit: cm\n"
LONG = "Some words, " * 1_708 + "end."
BOX = "kind: box\nname: Crate\nholds: 300\ncard_size: 120mm x 190mm\n"


def found(*, fit: bool = False) -> list[tuple[str, str, str]]:
    """The code, severity, and message of each finding of a check."""
    result = check_project(CheckRequest(fit=fit))
    return [(each.diagnostic.code, each.diagnostic.severity.value, each.diagnostic.message) for each in result.findings]


def refused() -> list[tuple[str, str, str]]:
    """The same of the errors that stop a build."""
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(jobs=1))
    return [(each.code, each.severity.value, each.message) for each in caught.value.diagnostics]


@pytest.mark.parametrize("fit", [False, True])
@pytest.mark.parametrize("piece", [RULER, BOX])
def test_a_piece_without_room_is_the_error_of_the_build(folder: Folder, piece: str, fit: bool) -> None:
    folder.plain().write("cards/piece.yaml", piece)
    (error,) = found(fit=fit)
    assert error[0] == Code.NO_ROOM
    assert [error] == refused()


def test_beside_other_cards_it_is_a_warning_with_advice(folder: Folder) -> None:
    folder.plain().minions("Anna").write("cards/piece.yaml", RULER)
    ((code, severity, message),) = found()
    assert (code, severity) == (Code.NO_ROOM, Severity.WARNING.value)
    assert message.endswith("print it on a3: cardgen build --paper a3 --only tape")


def test_on_larger_paper_and_as_a_draft_it_is_nothing(folder: Folder) -> None:
    folder.plain().minions("Anna").write("cards/piece.yaml", f"{RULER}draft: true\n")
    assert found() == []
    folder.write("cards/piece.yaml", RULER)
    folder.write("cardgen.yaml", "paper: a3\n")
    assert found() == []


def test_an_invalid_size_is_found(folder: Folder) -> None:
    folder.plain().write("cards/piece.yaml", f"{RULER}size: poker\n")
    (error,) = found()
    assert error[0] == Code.BAD_SIZE
    assert [error] == refused()


def test_an_unknown_layout_is_found(folder: Folder) -> None:
    folder.plain().minions("Anna").write("cardgen.yaml", "layout: gird\n")
    (error,) = found()
    assert "did you mean 'grid'?" in error[2]
    assert [error] == refused()


@pytest.mark.parametrize("fit", [False, True])
def test_an_endless_text_is_found_once(folder: Folder, fit: bool) -> None:
    folder.plain().minions("Anna", more=f", text: '{LONG}'")
    ((code, severity, message),) = found(fit=fit)
    assert (code, severity) == (Code.OVERFLOW, "error")
    assert message.startswith("'text' of 'Anna'")
    assert fit or message.endswith("has 20,500 characters: 500 characters more than can be printed")
    assert refused()[0][0] == Code.OVERFLOW


def test_a_long_note_is_not_printed(folder: Folder) -> None:
    folder.plain().minions("Anna", more=f", note: '{LONG}'")
    assert found() == []


@pytest.mark.parametrize("game", ["diskwars", "skirmish", "warcry", "warniris"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_all_of_the_kits_have_room(folder: Folder, game: str, paper: str) -> None:
    folder.write("cardgen.yaml", f"paper: {paper}\n")
    result = check_project(CheckRequest((ROOT / "cards" / game,)))
    assert [str(each.diagnostic) for each in result.findings if each.diagnostic.code == Code.NO_ROOM] == []
