from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.rulesets.ruleset import Kind
from cardgen.runtime import processes
from tests.cli.commands import Program
from tests.projects import MINION, STATS, Folder


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened on the desktop."""
    opened: list[str] = []
    monkeypatch.setattr(processes, "open_for_user", opened.append)
    return opened


def test_a_card_is_written_as_a_picture_of_its_size(folder: Folder, cardgen: Program, launched: list[str]) -> None:
    folder.plain().minions("Anna", "Bert")
    outcome = cardgen("show", "Bert")
    assert (outcome.code, outcome.out, outcome.err) == (0, "output/bert-front.png\n", "")
    assert folder.files() == ["bert-front.png"]
    assert Image.open(BytesIO(folder.output("bert-front.png"))).size == (744, 1039)
    assert launched == []


def test_a_card_shows_its_version_if_the_project_says_so(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    cardgen("release", "v1")
    cardgen("show", "anna")
    without = folder.output("anna-front.png")
    folder.write("cardgen.yaml", "version_mark: true\n")
    cardgen("show", "anna")
    assert folder.output("anna-front.png") != without


def test_the_back_is_shown_on_demand(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    assert cardgen("show", "anna", "--back").out == "output/anna-back.png\n"
    image = Image.open(BytesIO(folder.output("anna-back.png")))
    assert image.getpixel((9, 9)) == (0x33, 0x44, 0x55)


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_the_files_suffix_says_of_which_format_it_is(
    folder: Folder, cardgen: Program, suffix: str, start: bytes
) -> None:
    folder.plain().minions("Anna")
    assert cardgen("show", "anna", "-o", f"here/card.{suffix}").out == f"here/card.{suffix}\n"
    assert Path(f"here/card.{suffix}").read_bytes().startswith(start)


def test_another_suffix_is_an_error(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna")
    outcome = cardgen("show", "anna", "-o", "card.gif")
    assert outcome.code == 2
    assert "png, svg, or pdf" in outcome.err
    assert not Path("card.gif").exists()


def test_a_name_of_no_card_is_an_error_and_so_is_one_of_several(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions("Anna", "Bert")
    nobody = cardgen("show", "annna")
    assert nobody.code == 2
    assert nobody.err.startswith("NAME: error")
    assert "'annna'; did you mean 'Anna'?" in nobody.err
    several = cardgen("show", "minion")
    assert several.code == 2
    assert "ambiguous name 'minion': 2 cards match" in several.err
    assert "cards/minions.yaml:4:12: 'Bert', bert" in several.err
    assert folder.files() == []


def test_a_card_without_a_back_has_none_to_show(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("templates/other/x", "")
    folder.write("templates/warniris/other.svg.j2", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    folder.write("cards/a.yaml", MINION + "template: other\n")
    outcome = cardgen("show", "sentinel", "--back")
    assert outcome.code == 1
    assert "'Sentinel' has no back" in outcome.err


def test_what_is_not_printed_cannot_be_shown(folder: Folder, cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.minions("Anna")
    monkeypatch.setattr(Kind, "is_printed", False)
    assert "'Anna' is not printed as a card" in cardgen("show", "Anna").err


def test_what_is_wrong_with_the_card_is_said(folder: Folder, cardgen: Program) -> None:
    folder.plain().write("cards/a.yaml", f"kind: minion\nname: A\nstats: {STATS}\ntext: {'Much. ' * 200}\n")
    outcome = cardgen("show", "a")
    assert outcome.code == 1
    assert "cards/a.yaml:4:7: error[CG501]" in outcome.err


def test_a_desktop_opens_it(
    folder: Folder, cardgen: Program, launched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.plain().minions("Anna")
    cardgen("show", "anna", "--open")
    assert launched == [str(Path("output/anna-front.png").resolve())]
    monkeypatch.setattr(sys, "platform", "linux")
    for terminal, display, opens in ((True, ":0", True), (True, "", False), (False, ":0", False)):
        launched.clear()
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("WAYLAND_DISPLAY", "")
        monkeypatch.setattr("cardgen.cli.show._terminal", lambda terminal=terminal: terminal)
        cardgen("show", "anna")
        assert bool(launched) == opens
        launched.clear()
        cardgen("show", "anna", "--no-open")
        assert launched == []
