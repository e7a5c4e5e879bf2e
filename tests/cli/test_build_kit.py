"""Cards of one's own that name cards of the sample kit: every command finds them."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tests.cli.commands import Program

ASHA = """\
kind: character
name: Asha
stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
weapons: [Sword: CW R1 P1 D2]
"""
BAND = """\
kind: warband
name: Mixed Band
members:
  - {character: Asha, relic: Iron Halo}
  - {character: halvane-doru, relic: Sacred Chalice}
"""


@pytest.fixture(autouse=True)
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "asha.yaml").write_text(ASHA, encoding="utf-8")
    (folder / "band.yaml").write_text(BAND, encoding="utf-8")
    return folder


def test_a_warband_of_ones_own_and_of_the_kit_is_clean(cardgen: Program) -> None:
    assert cardgen("check", "--no-cache").out.startswith("clean: 2 files, 2 cards")
    assert cardgen("check", "--no-cache", "cards/band.yaml").out.startswith("clean: 1 file, 1 card,")


def test_it_is_built_listed_and_fought_with(cardgen: Program) -> None:
    assert cardgen("build", "-q", "--format", "svg", "--only", "asha").code == 0
    assert [line.split()[1] for line in cardgen("list").out.splitlines() if "asha" in line] == ["asha"]
    assert cardgen("duel", "Asha", "Old Gravel", "--relic-a", "Iron Halo", "--odds").code == 0


@pytest.mark.parametrize("named", [(), ("--cards", "cards"), ("--cards", "cards/band.yaml")])
def test_battles_are_fought_with_it(cardgen: Program, monkeypatch: pytest.MonkeyPatch, named: tuple[str, ...]) -> None:
    def stop(*_: object, **__: object) -> str:
        raise click.Abort

    monkeypatch.setattr(click, "prompt", stop)
    told = cardgen("battle", "Mixed Band", "The Drowned Court", "--seed", "x", *named)
    assert told.out.startswith("Mixed Band against The Drowned Court\n")


def test_a_name_that_neither_has_is_guessed_from_both(cardgen: Program, cards: Path) -> None:
    (cards / "band.yaml").write_text(BAND.replace("Iron Halo", "Iron Hallo"), encoding="utf-8")
    told = cardgen("check", "--no-cache", "--format", "concise").out
    assert "cards/band.yaml:4:30: error[CG115]: unknown relic 'Iron Hallo'; did you mean 'Iron Halo'?" in told
    assert cardgen("build", "-q").code == 1


def test_ones_own_card_goes_before_that_of_the_kit(cardgen: Program, cards: Path) -> None:
    halo = "kind: relic\nname: Iron Halo\nid: my-halo\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
    (cards / "halo.yaml").write_text(halo, encoding="utf-8")
    assert cardgen("check", "--no-cache").out.startswith("clean: 3 files, 3 cards")
