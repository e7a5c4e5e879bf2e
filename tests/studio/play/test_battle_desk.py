"""Battles of the studio and of the command line: the same saves, from one to the other and back."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.cli import run
from cardgen.diagnostic import CardgenError
from cardgen.matches.session import verify_transcript
from cardgen.project.files import built_in_folder
from cardgen.referee.requests import Decision, Roll, Scoreboard, SideStatus, UnitStatus
from cardgen.studio.page_words import FieldChoice
from cardgen.studio.play import battle
from cardgen.studio.play.battle import BattleDesk, _side_of
from cardgen.studio.play.seats import BattleOrder, BattleState, Refused
from tests.studio.play.windows import ORDER


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BattleDesk]:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = BattleDesk(tmp_path)
    yield made
    made.leave()


def _changed(state: BattleState | Refused) -> BattleState:
    assert isinstance(state, BattleState), state
    return state


def _asked(state: BattleState) -> int:
    assert state.question
    return state.question.side or 0


def _answered(desk: BattleDesk, state: BattleState) -> BattleState:
    assert state.question
    return _changed(desk.reply(state.step, [] if state.question.kind == "select" else 0, _asked(state)))


def test_the_form_has_all_that_the_command_accepts(desk: BattleDesk) -> None:
    form = desk.form()
    assert [(each.name, each.sort, each.is_required) for each in form.fields] == [
        ("a", "choice", True),
        ("b", "choice", True),
        ("turns", "number", False),
        ("missions", "flag", False),
    ]
    side = form.fields[0]
    assert side.label == "Side A"
    assert FieldChoice("the-ashen-oath", "The Ashen Oath") in form.sources[side.source]
    games = {each.value: each.label for each in form.games}
    assert games["warniris"] == "Warniris, 2nd edition"
    assert {"warcry", "skirmish", "diskwars"} < games.keys()
    assert "elimination" in {each.name for each in form.rulings}
    assert "relics" in {each.name for each in form.policies}
    assert form.save == "battle.jsonl"
    assert [each.name for each in desk.form("diskwars").fields if each.source] == ["a", "b", "c", "d"]


def test_a_battle_of_the_studio_goes_on_in_a_terminal_and_back(
    desk: BattleDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = desk.begin(ORDER)
    state = _changed(desk.reply(state.step, 0, _asked(state)))
    desk.leave()
    typed = iter(("1", "quit"))
    monkeypatch.setattr("click.prompt", lambda *_, **__: next(typed))
    assert run(("battle", "--resume", "battle.jsonl")) == 0
    assert [(row.name, row.title) for row in desk.saves()] == [
        ("battle.jsonl", "The Ashen Oath against The Drowned Court")
    ]
    again = desk.resume("battle.jsonl")
    assert again.secrets == state.secrets
    assert len(again.log) > len(state.log)
    again = _changed(desk.undo(again.step, 0))
    assert again.log[-1] == ("The Ashen Oath undid the last answer", "undo")
    assert again.question == state.question
    verdict = verify_transcript(tmp_path / "battle.jsonl")
    assert (verdict.is_finished, verdict.has_secret) == (False, True)


def test_the_save_says_which_side_answered_and_undid(desk: BattleDesk, tmp_path: Path) -> None:
    state = desk.begin(ORDER)
    for _ in range(3):
        state = _answered(desk, state)
    desk.undo(state.step, 1)
    desk.leave()
    lines = [json.loads(line) for line in (tmp_path / "battle.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = [line for line in lines if {"choose", "select", "seal", "measure"} & line.keys()]
    assert len(answers) >= 3
    assert [line["by"] for line in answers] == [state.sides[0 if "Ashen" in line["by"] else 1] for line in answers]
    assert [line["by"] for line in lines if "undo" in line] == ["The Drowned Court"]
    assert not [line for line in lines if "by" in line and {"test", "roll", "told"} & line.keys()]
    assert desk.resume("battle.jsonl").step == len(lines)


def test_a_save_without_the_record_of_who_answered_still_loads(desk: BattleDesk, tmp_path: Path) -> None:
    state = desk.begin(ORDER)
    for _ in range(3):
        state = _answered(desk, state)
    desk.leave()
    path = tmp_path / "battle.jsonl"
    header, _, text = path.read_text(encoding="utf-8").partition("\n")
    old, count = re.subn(r',"by":"[^"]*"', "", text)
    assert count == 3
    path.write_text(f"{header}\n{old}", encoding="utf-8")
    again = desk.resume("battle.jsonl")
    assert (again.question, again.log) == (state.question, state.log)
    assert _answered(desk, again)
    desk.leave()
    assert not verify_transcript(path).is_finished
    path.write_text(f"{header}\n" + text.replace('"by":"', '"by":7,"x":"', 1), encoding="utf-8")
    with pytest.raises(CardgenError, match="'by' must be text"):
        desk.resume("battle.jsonl")


def test_the_log_begins_with_errors_of_the_lists_also_after_an_undo(desk: BattleDesk, tmp_path: Path) -> None:
    (tmp_path / "few.yaml").write_text(
        "game: warniris\ncards:\n"
        "  - {kind: character, name: Asha, stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}}\n"
        "  - {kind: relic, name: Sun Stone, effects: [{when: turn_start, bearer: {heal: 1}}]}\n"
        "  - {kind: warband, name: The Few, members: [{character: Asha, relic: Sun Stone}, {character: Asha}]}\n",
        encoding="utf-8",
    )
    state = desk.begin(BattleOrder("warniris", {"a": "The Few", "b": "The Ashen Oath"}, seed="b"))
    assert "error[WN120]" in state.log[0][0]
    state = _answered(desk, state)
    state = _changed(desk.undo(state.step, _asked(state)))
    assert [text for text, _ in state.log if "error[WN120]" in text] == [state.log[0][0]]


def test_a_late_answer_of_before_does_not_answer_a_later_question(desk: BattleDesk) -> None:
    first = desk.begin(ORDER)
    later = _changed(desk.reply(first.step, 0, _asked(first)))
    desk.leave()
    again = desk.resume("battle.jsonl")
    assert again.step == later.step
    assert isinstance(desk.reply(first.step, 0, _asked(again)), Refused)


@pytest.mark.parametrize("side", [-1, 2, 99])
def test_only_sides_of_the_battle_answer(side: int, desk: BattleDesk) -> None:
    state = desk.begin(ORDER)
    for refusal in (desk.reply(state.step, 0, side), desk.undo(state.step, side)):
        assert isinstance(refusal, Refused)
        assert refusal.is_forbidden


def test_wounds_and_points_are_on_the_scoreboard(desk: BattleDesk) -> None:
    board = desk.begin(ORDER).scoreboard
    assert [side.name for side in board.sides] == ["The Ashen Oath", "The Drowned Court"]
    assert board.sides[0].score == "0 VP"
    assert ("Halvane Doru", "7/7 Wounds", False) in board.sides[0].units
    assert board.time == "Set-up"


WARCRY = {"a": "the-ember-choir", "b": "the-last-lanterns", "battleplan": "endless-struggle"}
SKIRMISH = {"a": "the-ferry-watch", "b": "the-mire-court"}
DISKWARS = {"a": "the-dyke-watch", "b": "the-rust-choir"}


@pytest.mark.parametrize(
    ("game", "values", "units", "score"),
    [("warcry", WARCRY, 0, "0 VP"), ("skirmish", SKIRMISH, 14, ""), ("diskwars", DISKWARS, 11, "")],
)
def test_every_game_has_a_scoreboard(
    game: str, values: dict[str, str], units: int, score: str, desk: BattleDesk
) -> None:
    state = desk.begin(BattleOrder(game, values))
    assert state.question
    board = state.scoreboard
    assert [side.name for side in board.sides] == list(state.sides)
    assert [(len(side.units) >= units, side.score) for side in board.sides] == [(True, score)] * 2
    assert all(not unit.is_out for side in board.sides for unit in side.units)


def test_a_warband_cannot_fight_itself(desk: BattleDesk) -> None:
    with pytest.raises(CardgenError, match="itself"):
        desk.begin(ORDER._replace(values={"a": "the-ashen-oath", "b": "the-ashen-oath"}))


def test_several_minions_are_asked_as_their_side(desk: BattleDesk) -> None:
    board = desk.begin(ORDER._replace(values={"a": "the-ashen-oath", "b": "the-grey-levy"})).scoreboard
    asked = {
        who: _side_of(Decision("k", who, "what", ()), board) for who in ("Brute, 6 of them", "The Grey Levy", "Bru", "")
    }
    assert asked == {"Brute, 6 of them": 1, "The Grey Levy": 1, "Bru": None, "": None}
    assert ("Brute", "6 standing", False) in board.sides[1].units


# The cards of one side, with names that would be asked questions of the other.
TAKEN_NAMES = {
    "the side is called as an enemy unit": ("Nix Undersong", "Halvane Doru"),
    "a unit is called as the other side": ("The Oath", "The Drowned Court"),
    "the side is called as questions for everybody": ("both players", "Halvane Doru"),
    "the side is called as several enemies": ("Nix Undersong, 2 of them", "Halvane Doru"),
    "a unit is called as a part of an enemy unit": ("The Oath", "Horse of Nix Undersong"),
}


@pytest.mark.parametrize("case", TAKEN_NAMES)
def test_names_that_could_mean_another_side_are_refused(case: str, desk: BattleDesk, tmp_path: Path) -> None:
    side, unit = TAKEN_NAMES[case]
    sample = (built_in_folder("cards") / "warniris" / "characters.yaml").read_text(encoding="utf-8")
    (tmp_path / "cards").mkdir()
    own = sample.replace("id: halvane-doru", "id: own").replace("name: Halvane Doru", f"name: {unit}\n    id: own", 1)
    (tmp_path / "cards/own.yaml").write_text(own, encoding="utf-8")
    members = "".join(f"      - character: {each}\n" for each in ("own", "maerin-vex", "isolde-quill", "brother-cael"))
    warband = (
        f"format: 1\ngame: warniris\nkind: warband\ncards:\n  - name: {side!r}\n    id: side\n    members:\n{members}"
    )
    (tmp_path / "cards/side.yaml").write_text(warband, encoding="utf-8")
    with pytest.raises(CardgenError, match="either side"):
        desk.begin(ORDER._replace(values={"a": "side", "b": "the-drowned-court"}))
    assert not list(tmp_path.glob("*.jsonl*"))


def test_a_part_of_a_unit_is_asked_as_its_side() -> None:
    sides = ("The Watch", "Dyke Rider"), ("The Court", "Candle Chorister 1")
    board = Scoreboard("", tuple(SideStatus(name, "", (UnitStatus(unit, ""),)) for name, unit in sides))
    roll = Roll("k", "Plow Horse of Dyke Rider", "to hit Candle Chorister 1")
    assert _side_of(roll, board) == 0
    assert _side_of(roll._replace(who="Plow Horse of Candle Chorister 1"), board) == 1
    assert _side_of(roll._replace(who="Dyke Riders"), board) is None, "not every name that begins alike"


def test_real_dice_are_asked_of_the_side_that_rolls(desk: BattleDesk) -> None:
    state = desk.begin(ORDER._replace(players_roll=True, seed=""))
    assert state.question
    assert (state.question.kind, state.question.side, state.question.high) == ("die", 0, 6)
    assert isinstance(desk.reply(state.step, 7, 0), Refused)
    assert _changed(desk.reply(state.step, 6, 0)).question != state.question


def test_nothing_is_undone_before_the_first_answer(desk: BattleDesk) -> None:
    assert desk.undo(desk.begin(ORDER).step, 0) == Refused("nothing to undo")


def test_a_change_by_another_program_stops_the_battle(desk: BattleDesk, tmp_path: Path) -> None:
    state = desk.begin(ORDER)
    with (tmp_path / "battle.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"told":"x"}\n')
    before = (tmp_path / "battle.jsonl").read_bytes()
    with pytest.raises(CardgenError, match="another program has changed this file"):
        desk.reply(state.step, 0, _asked(state))
    assert isinstance(desk.reply(state.step, 0, _asked(state)), Refused)
    assert (tmp_path / "battle.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "name", ["../a.jsonl", "/tmp/a.jsonl", ".a.jsonl", "a.txt", "a/b.jsonl", "cardgen.yaml", "", "CON.jsonl"]
)
def test_saves_stay_in_the_project(name: str, desk: BattleDesk) -> None:
    with pytest.raises(CardgenError, match="not a valid name"):
        desk.resume(name)
    if name:
        with pytest.raises(CardgenError, match="not a valid name"):
            desk.begin(ORDER._replace(save=name))


def test_a_file_that_cannot_be_read_does_not_stop_battles_of_others(desk: BattleDesk, tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    broken = tmp_path / "cards" / "broken.yaml"
    broken.write_text("kind: warband\nname: [", encoding="utf-8")
    assert {each.value for each in next(iter(desk.form().sources.values()))} >= {"the-ashen-oath"}
    with pytest.raises(CardgenError):
        desk.begin(ORDER._replace(files=("cards/broken.yaml",)))
    text = "kind: warband\nname: The Few\nmembers: [{character: nobody-known}]\n"
    broken.write_text(text, encoding="utf-8")
    with pytest.raises(CardgenError, match="nobody-known"):
        desk.begin(ORDER._replace(values={**ORDER.values, "a": "The Few"}))
    assert not list(tmp_path.glob("*.jsonl"))
    assert desk.begin(ORDER).question


def test_links_and_files_outside_are_refused(desk: BattleDesk, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "cardgen.yaml")
    with pytest.raises(CardgenError, match="links"):
        desk.resume("link.jsonl")
    (tmp_path / "loop").symlink_to("loop")
    for file in ("../cards.yaml", "loop/cards.yaml", "a\0"):
        with pytest.raises(CardgenError, match="outside the project"):
            desk.begin(ORDER._replace(files=(file,)))


def test_an_existing_save_is_not_overwritten(desk: BattleDesk) -> None:
    desk.begin(ORDER)
    assert desk.form().save == "battle-2.jsonl"
    with pytest.raises(CardgenError, match="not overwritten"):
        desk.begin(ORDER._replace(save="battle.jsonl"))
    assert desk.begin(ORDER).save == "battle-2.jsonl"


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (BattleOrder("warniris", {"a": "Nobody", "b": "The Drowned Court"}), "unknown warband"),
        (ORDER._replace(rulings=("elimination=maybe",)), "elimination"),
        (ORDER._replace(seed="x" * 201), "at most 200"),
    ],
)
def test_mistakes_are_those_of_the_command(order: BattleOrder, message: str, desk: BattleDesk) -> None:
    with pytest.raises(CardgenError, match=message):
        desk.begin(order)
    assert not [*desk.saves()]


def test_a_save_that_cannot_be_resumed_is_closed(
    desk: BattleDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = desk.begin(ORDER)
    for _ in range(3):
        state = _answered(desk, state)
    save = tmp_path / state.save
    desk.leave()
    rows = save.read_text(encoding="utf-8").splitlines(keepends=True)
    save.write_text("".join([*rows[:-1], rows[-1].replace('"at":"', '"at":"elsewhere ')]), encoding="utf-8")
    opened: list[Any] = []

    def kept(path: Path) -> Any:
        opened.append(path.open("ab"))
        return opened[-1]

    monkeypatch.setattr("cardgen.studio.play.battle._open", kept)
    with pytest.raises(CardgenError):
        desk.resume(save.name)
    assert [file.closed for file in opened] == [True]


def test_saves_are_listed_whatever_else_has_such_a_name(desk: BattleDesk, tmp_path: Path) -> None:
    save = desk.begin(ORDER).save
    (tmp_path / "dead.jsonl").symlink_to("nowhere")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.jsonl")
    assert [row.name for row in desk.saves()] == [save]


def test_many_large_saves_are_not_all_read(desk: BattleDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = tmp_path / desk.begin(ORDER).save
    size = save.stat().st_size
    monkeypatch.setattr(battle, "_MOST_BYTES", 2 * size + 10)
    for number in range(4):
        shutil.copy(save, tmp_path / f"copy-{number}.jsonl")
        os.utime(tmp_path / f"copy-{number}.jsonl", (number, number))
    (tmp_path / "huge.jsonl").write_bytes(save.read_bytes() * 9)
    assert [row.name for row in desk.saves()] == [save.name, "copy-3.jsonl"], "the latest that fit"
