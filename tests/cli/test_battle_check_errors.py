"""Battles begin with what the rules forbid in the lists of their sides, and are played all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.cli import run

DISKWARS = """\
game: diskwars
cards:
  - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Fen, mark: unique, recruitment: 5,
     command: 1, attack: 3, counter: 3, toughness: 4, movement: 4}
  - {kind: disk, name: Pikes, disk: small, faction: order, race: Fen, cost: 3, attack: 1, counter: 3, toughness: 3,
     movement: 3}
  - {kind: disk, name: Elsewhere, disk: small, faction: order, race: Fen, attack: 1, counter: 3, toughness: 3,
     movement: 3}
  - {kind: command, name: Stand, strategy: steady, activation: 2}
  - {kind: army, name: Too Dear, regiments: [{hero: Ida, units: [{Pikes: 2}]}], commands: [Stand]}
  - {kind: army, name: Legal, regiments: [{hero: Ida, units: [Pikes]}], commands: [Stand]}
  - {kind: army, name: Legal Too, regiments: [{hero: Ida, units: [Pikes]}], commands: [Stand]}
  - {kind: army, name: Also Too Dear, regiments: [{hero: Ida, units: [{Pikes: 3}]}], commands: [Stand]}
"""
WARCRY = """\
game: warcry
cards:
  - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10}, points: 400,
     weapons: [{Axe: axe R1 A3 S4 D1/4}]}
  - {kind: warband, name: Too Dear, members: [{fighter: Asha, qty: 2}, {fighter: Asha, leader: true}]}
  - {kind: warband, name: Legal, members: [{fighter: Asha, leader: true}, {fighter: Asha}]}
"""
SKIRMISH = """\
game: skirmish
cards:
  - {kind: warrior, name: Ada, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 8, points: 90, rank: hero}
  - {kind: warrior, name: Bea, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 20}
  - {kind: warband, name: Too Dear, points: 112, leader: Ada, members: [Ada, Bea]}
  - {kind: warband, name: Legal, points: 110, leader: Ada, members: [Ada, Bea]}
"""
WARNIRIS = """\
game: warniris
cards:
  - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}
  - {kind: relic, name: Sun Stone, effects: [{when: turn_start, bearer: {heal: 1}}]}
  - {kind: warband, name: Too Dear, members: [{character: Asha, relic: Sun Stone}, {character: Asha}]}
  - {kind: warband, name: Legal, members: [{character: Asha, relic: Sun Stone}]}
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("click.prompt", lambda *_, **__: "quit")


def told(capsys: pytest.CaptureFixture[str], cards: str, *arguments: str) -> str:
    Path("cards.yaml").write_text(cards, encoding="utf-8")
    assert run(("battle", *arguments, "--cards", "cards.yaml", "--seed", "b")) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("cards", "options", "error"),
    [
        (DISKWARS, ("--game", "diskwars", "--deployed"), "error[DW301]: units cost 6, but 'Ida' has 5"),
        (WARCRY, ("--game", "warcry", "--battleplan", "Uncompromising Slaughter"), "error[WC122]: "),
        (SKIRMISH, ("--game", "skirmish"), "error[WS331]: it says 112 points, but its members add up to 110"),
        (WARNIRIS, ("--game", "warniris"), "error[WN120]: "),
    ],
)
def test_errors_in_a_list_are_told_before_the_battle(
    capsys: pytest.CaptureFixture[str], cards: str, options: tuple[str, ...], error: str
) -> None:
    lines = told(capsys, cards, "Too Dear", "Legal", *options).splitlines()
    found = [number for number, line in enumerate(lines) if line.startswith("cards.yaml:") and error in line]
    assert found == [1]


def test_errors_are_told_again_when_the_battle_is_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    """They are those of the cards that it began with, whatever has become of the files."""
    began = told(capsys, DISKWARS, "Too Dear", "Legal", "--game", "diskwars", "--deployed").splitlines()
    Path("cards.yaml").unlink()
    assert run(("battle", "--resume", "battle.jsonl")) == 0
    resumed = capsys.readouterr().out.splitlines()
    assert resumed[:2] == began[:2]
    assert "error[DW301]: units cost 6, but 'Ida' has 5" in resumed[1]
    assert run(("verify", "battle.jsonl")) == 0


def test_a_legal_list_begins_without_errors_of_other_lists(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, DISKWARS, "Legal", "Legal Too", "--game", "diskwars", "--deployed")
    assert "error[" not in text
    assert text.startswith("Legal against Legal Too")


def test_an_error_of_a_disk_counts_for_the_army_that_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    cards = DISKWARS.replace("[{hero: Ida, units: [Pikes]}]", "[{hero: Ida, units: [Elsewhere]}]")
    assert "error[DW321]: a unit without a recruitment cost" in told(
        capsys, cards, "Legal", "Also Too Dear", "--game", "diskwars", "--deployed"
    )


def test_rulings_of_the_battle_decide_what_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    cards = DISKWARS.replace("commands: [Stand]}", "commands: [Stand, Fall]}")
    cards += "  - {kind: command, name: Fall, strategy: slow, activation: 2}\n"
    sides = ("Legal", "Legal Too", "--game", "diskwars", "--deployed")
    assert "error[DW310]" in told(capsys, cards, *sides)
    assert "error[" not in told(capsys, cards, *sides, "--ruling", "hand=basic", "--save", "basic.jsonl")


def test_of_many_errors_the_rest_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    units = "".join(
        f"  - {{kind: disk, name: Free {number}, disk: small, faction: order, race: Fen, attack: {number}, counter: 1, "
        f"toughness: 3, movement: 3}}\n"
        for number in range(12)
    )
    army = ", ".join(f"Free {number}" for number in range(12))
    cards = DISKWARS.replace("units: [{Pikes: 2}]", f"units: [{army}]") + units
    text = told(capsys, cards, "Too Dear", "Legal", "--game", "diskwars", "--deployed")
    assert text.count("error[DW321]") == 10
    assert "and 2 more errors" in text


def test_an_error_that_the_author_ignores_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    cards = DISKWARS.replace(
        "units: [{Pikes: 2}]}], commands: [Stand]}",
        "units: [{Pikes: 2}]}], commands: [Stand]}  # cardgen: ignore[DW301] agreed",
    )
    assert "error[" not in told(capsys, cards, "Too Dear", "Legal", "--game", "diskwars", "--deployed")
