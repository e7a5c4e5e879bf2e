"""Battles of all games, played by chance: a question that one player answers belongs to that player's side."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardgen.deck.card_lookup import CardLookup
from cardgen.matches.session import load_referee
from cardgen.project.project import Project
from cardgen.referee.requests import Question, Roll
from cardgen.rulesets.ruleset import Ruleset
from cardgen.studio.play.battle import BattleDesk
from cardgen.studio.play.seats import BattleOrder, BattleState, QuestionState, Refused
from tests.random_cases import dice_for, number_of_cases

BATTLES, STEPS, OTHER_RULINGS = number_of_cases(3, 0.005), 500, 0.3
ORDERS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "warniris": (
        {"a": "the-ashen-oath", "b": "the-drowned-court", "missions": True, "turns": 3},
        {"a": "the-ashen-oath", "b": "the-grey-levy"},
    ),
    "warcry": ({"a": "the-ember-choir", "b": "the-last-lanterns"},),
    "skirmish": ({"a": "the-ferry-watch", "b": "the-mire-court", "turns": 6},),
    "diskwars": ({"a": "the-dyke-watch", "b": "the-rust-choir"},),
}
SCENARIOS = {"warcry": "battleplan", "skirmish": "scenario"}
# How the questions of both players begin: what both see on the table, one die for both sides, draws from a deck that
# both share, and what the players have agreed on. Anybody may answer them.
OF_BOTH = {
    "warniris": ("which of these happened in this turn, whoever may hold the Mission",),
    "warcry": (
        "more fighters ", "objectives on the battlefield", "places of power on the battlefield", "roll-off: 1 if ",
        "whole inches between the nearest enemies", "who deploys at the red points", "winner (",
    ),
    "skirmish": ("equal Initiative: 1 if ", "most fit models near marker "),
    "diskwars": ("card from the deck", "heroes that could have reinforced", "terrain on the field"),
}  # fmt: skip


def random_order(dice: random.Random, rules: Ruleset, root: Path) -> BattleOrder:
    values = dice.choice(ORDERS[rules.id])
    if kind := SCENARIOS.get(rules.id):
        lookup = CardLookup(rules, (), Project.find(root))
        values = {**values, kind: dice.choice([lookup.card_data(each)["name"] for each in lookup.entries((kind,))])}
    if rules.id == "diskwars":
        values = {**values, "deployed": dice.random() < 0.3}
    rulings = [f"{each.id}={dice.choice([*each.settings])}" for each in rules.rulings if dice.random() < OTHER_RULINGS]
    return BattleOrder(rules.id, values, tuple(rulings), players_roll=True)


def random_value(dice: random.Random, question: QuestionState) -> Any:
    places = range(len(question.options))
    match question.kind:
        case "choose" | "seal":
            return dice.choice(places)
        case "select":
            some = [place for place in places if dice.random() < 0.3]
            return dice.choices(places, k=dice.randint(0, question.most)) if question.most else some
    number = question.low if dice.random() < 0.5 else dice.randint(question.low, question.high)
    if question.kind == "mark":
        return [min(number, 24), *(place for place in range(len(question.marks)) if dice.random() < 0.2)]
    return number


def asked_in_battle(desk: BattleDesk, order: BattleOrder, dice: random.Random) -> list[tuple[Question, int | None]]:
    """Play a battle by chance; return its questions, each with the place of the side that may answer it."""
    state, asked = desk.begin(order), []
    for _ in range(STEPS):
        if state.question is None:
            break
        assert desk._battle
        assert desk._battle._course.waiting
        asked.append((desk._battle._course.waiting.question, state.question.side))
        reply = desk.reply(state.step, random_value(dice, state.question), state.question.side or 0)
        state = state if isinstance(reply, Refused) else reply
        assert isinstance(state, BattleState)
    desk.leave()
    return asked


@pytest.mark.share(2)
@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", ORDERS)
def test_every_question_of_one_player_has_an_owner(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cardgen.yaml").write_text(f"game: {game}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    dice, rules, desk = dice_for(f"owners {game}"), load_referee(game)[0], BattleDesk(tmp_path)
    asked = [each for _ in range(BATTLES) for each in asked_in_battle(desk, random_order(dice, rules, tmp_path), dice)]
    of_nobody = {(each.key, each.who, each.what) for each, side in asked if side is None}
    assert [each for each in of_nobody if not each[2].startswith(OF_BOTH[game])] == []
    for kind in (True, False):
        assert {side for each, side in asked if isinstance(each, Roll) == kind} >= {0, 1}
