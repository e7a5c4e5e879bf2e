"""The referee plays what the sentences on the kit's cards say, in the one reading that they have."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import Event, play
from cardgen.referee.requests import Decision, Test
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import Game, State
from tests.rulesets.warniris.referee.fights import card, relic, sample, table

HIT, MISS = 1, 6
TARGET = card("B", "M3 B1 S1 W6", "Gun: RW R30 P1 D1")


def told_by(procedure: Any, answers: dict[str, Any]) -> tuple[State, list[Any]]:
    """Play a procedure; dice succeed to hit and fail to resist, and decisions are as advised, unless `answers` say."""
    told: list[Any] = []

    def answer(path: str, request: Any) -> Any:
        if path in answers:
            return answers[path]
        if isinstance(request, Decision):
            return request.default or request.options[-1]
        return MISS if path.startswith("resist") else HIT

    return play(procedure, answer, told.append), told


def paths(told: list[Any]) -> list[str]:
    return [each.path for each in told if isinstance(each, Event) and isinstance(each.question, Test)]


def strike(game: Game, state: State, weapon: str, **more: Any) -> Callable[[], Any]:
    attack = AttackAction(0, 1, weapon, 25)._replace(**more)
    return lambda: resolve_attack(game, state, attack)


def test_the_halo_rolls_a_die_for_each_point() -> None:
    """A third of all attacks deal 3 points; only three 1s ignore all of them."""
    game = table(card("A", "M4 B3 S3 W4", "Axe: CW R30 P1 D3"), (card("B", "M3 B4 S3 W9"), relic("Iron Halo")))
    after = odds(strike(game, game.initial_state(), "Axe")).map(lambda end: end.wounds(1) < 9)
    assert dict(after)[True] == Fraction(1, 3) * (1 - Fraction(1, 6) ** 3) == Fraction(215, 648)


def test_unbroken_looks_at_the_wounds_before_each_point() -> None:
    """With 4 Wounds left, the first of 2 points is not ignored; the second, at 3, may be."""
    game = table(card("A", "M5 B3 S3 W4", "Gun: RW R30 P5 D2"), sample("character", "Halvane Doru"), records=False)
    for left, expected in ((7, {7, 5}), (5, {5, 3}), (4, {4, 3, 2}), (3, {3, 2, 1})):
        after = odds(strike(game, game.initial_state((4, left)), "Gun")).map(lambda end: end.wounds(1))
        assert set(dict(after)) == expected


def test_steady_breath_is_not_for_miniatures_in_between() -> None:
    game = table(sample("character", "Isolde Quill"), TARGET, card("C", "M3 B3 S3 W4"), sides=(0, 1, 1))
    told = told_by(
        strike(game, game.initial_state(), "Bell-Tower Rifle", between=(2,))(), {"between 1": MISS, "hit": MISS}
    )[1]
    assert paths(told)[:3] == ["between 1", "hit", "hit again"]


def test_steady_breath_holds_for_a_reaction() -> None:
    game = table(sample("character", "Isolde Quill"), TARGET)
    procedure = strike(game, game.initial_state(), "Bell-Tower Rifle", reaction=True)()
    state, told = told_by(procedure, {"hit": MISS})
    assert paths(told) == ["hit", "hit again", "resist"]
    assert state.wounds(1) == 5


def test_what_happens_on_a_hit_or_on_damage_is_not_for_a_reaction() -> None:
    """Neither the weapon's Effects nor an Ability that speaks of a hit or of Damage."""
    curse = {"for": "battle", "target": {"body": -1}}
    gift = {"name": "Gift", "effects": [{"when": "hit", **curse}, {"when": "damaging", **curse}]}
    lines = [{"name": "Gun", "type": "RW", "range": 30, "damage": 3, "effects": [curse, {"when": "hit", **curse}]}]
    game = table(card("A", "M5 B3 S3 W4", weapons=lines, abilities=[gift]), TARGET)
    for reaction, curses, lost in ((False, 4, 3), (True, 0, 1)):
        state, _ = told_by(strike(game, game.initial_state(), "Gun", reaction=reaction)(), {})
        assert (len(state.mode.active_effects), 6 - state.wounds(1)) == (curses, lost)


def test_branding_iron_adds_up() -> None:
    game = table(sample("character", "Sister Ember"), card("B", "M3 B5 S3 W9", "Gun: RW R30 D1"))
    state = game.initial_state()
    needs = []
    for _ in range(3):
        state, told = told_by(strike(game, state, "Branding Iron", distance=1)(), {})
        needs += [
            each.question.need
            for each in told
            if isinstance(each, Event) and isinstance(each.question, Test) and each.path == "resist"
        ]
    assert needs == [4, 3, 2]


def test_martyrs_spark_strikes_although_its_bearer_falls() -> None:
    game = table(card("A", "M5 B3 S3 W4", "Gun: RW R30 P5 D9"), sample("character", "Sister Ember"), asked=True)
    state, _ = told_by(strike(game, game.initial_state(), "Gun", distance=4)(), {"near A": "yes"})
    assert (state.stands(1), state.wounds(0)) == (False, 3)
    assert game.vp(state)[1] == 1


@pytest.mark.parametrize(
    ("owner", "trigger", "name", "far"),
    [
        ("Nix Undersong", "activation_end", "Riptide", 6),
        ("Tamsin of the Nine Locks", "damaged", "Already Gone", 5),
    ],
)
def test_a_shift_is_no_move(owner: str, trigger: str, name: str, far: int) -> None:
    game = table(sample("character", owner), TARGET, asked=True)
    _, told = told_by(start_effects(game, game.initial_state(), trigger, (0,)), {f"use {name}": "yes"})
    assert not paths(told)
    assert f"{name}: its player may shift {owner} up to {far} cm" in told


def test_a_shift_of_a_target_names_the_player_who_makes_it() -> None:
    game = table(sample("character", "The Bailiff"), TARGET, asked=True)
    _, told = told_by(strike(game, game.initial_state(), "Boarding Hook", distance=2)(), {})
    assert "Boarding Hook: its player may shift B up to 2 cm" in told


def test_friends_are_others_on_the_same_side() -> None:
    game = table(sample("character", "Queen Ysolve"), TARGET, TARGET, sides=(0, 0, 1), asked=True)
    state = game.initial_state((3, 3, 3))
    state, _ = told_by(start_effects(game, state, "turn_start", (0,)), {"near B 1": "yes"})
    assert (state.wounds(0), state.wounds(1), state.wounds(2)) == (3, 4, 3)


def test_a_thing_for_once_only_is_offered_at_each_activation_until_it_is_used() -> None:
    game = table((card("A", "M3 B3 S3 W4", "Gun: RW R30 D1"), relic("Sacred Chalice")), TARGET, asked=True)
    state = game.initial_state((1, 6))
    for answer, wounds in (("no", 1), ("no", 1), ("yes", 3), ("yes", 3)):
        state, _ = told_by(start_effects(game, state, "activation_start", (0,)), {"use Sacred Chalice": answer})
        assert state.wounds(0) == wounds


def test_a_thing_for_once_only_is_used_as_a_whole() -> None:
    parties: list[dict[str, Any]] = [{"bearer": {"heal": 1}}, {"enemies": {"deal": 1}}]
    effects = [{"when": "activation_start", **party} for party in parties]
    both = {"kind": "relic", "name": "Cup", "once": True, "effects": effects}
    game = table((card("A", "M3 B3 S3 W4", "Gun: RW R30 D1"), both), TARGET, asked=True)
    state = game.initial_state((2, 6))
    for _ in range(2):
        state, _ = told_by(start_effects(game, state, "activation_start", (0,)), {"use Cup": "yes"})
        assert (state.wounds(0), state.wounds(1)) == (3, 5)


def test_what_ignores_a_point_does_the_rest_of_its_sentence() -> None:
    """'It ignores that point; the attacker takes 1 Damage.'"""
    effect = {"when": "damaged", "bearer": {"ignore": 1}, "attacker": {"deal": 1}}
    thorns = {"kind": "relic", "name": "Thorns", "once": "turn", "effects": [effect]}
    game = table(card("A", "M5 B3 S3 W4", "Gun: RW R30 P5 D2"), (TARGET, thorns), asked=True)
    state, _ = told_by(strike(game, game.initial_state(), "Gun")(), {"use Thorns": "yes"})
    assert (state.wounds(0), state.wounds(1)) == (3, 5)


def test_a_guard_for_a_while_asks_for_its_weapon() -> None:
    """'For each point of Damage that the bearer takes with a CW': another weapon's points are not ignored."""
    effect = {"when": "turn_start", "for": "turn", "while": "damaged", "if": {"weapon": "CW"}, "bearer": {"ignore": 1}}
    guard = {"kind": "relic", "name": "Ward", "effects": [effect]}
    attacker = card("A", "M5 B3 S3 W4", "Gun: RW R30 P5 D2", "Axe: CW R30 P5 D2")
    game = table(attacker, (TARGET, guard), asked=True)
    state, _ = told_by(start_effects(game, game.initial_state(), "turn_start", (1,)), {})
    for weapon, left in (("Gun", 4), ("Axe", 6)):
        assert told_by(strike(game, state, weapon)(), {})[0].wounds(1) == left
