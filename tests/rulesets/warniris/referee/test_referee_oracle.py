"""Every procedure against icepool, on random situations, as fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import icepool
import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.warniris.referee import measurements, modifiers
from cardgen.rulesets.warniris.referee.attack import ATTACK_POINTS, react, resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.situations import AttackSituation
from cardgen.rulesets.warniris.trials import AttackTrial
from tests.random_cases import dice_for, number_of_cases
from tests.rulesets.warniris.referee import oracle
from tests.rulesets.warniris.referee.fights import card, case, relic, relic_names, table, terms
from tests.rulesets.warniris.referee.oracle import Setting, Side

pytestmark = pytest.mark.fuzz
# Of each sort; `make fuzz` raises the number.
SITUATIONS = number_of_cases(150, 1 / 40)
ORDERS = ("once", "before", "twice")
ATTRIBUTES = {"mind": "M", "body": "B", "spirit": "S"}


def a_side(dice: random.Random, relics: list[str | None]) -> Side:
    printed = dice.randint(1, 8)
    mind, body, spirit = (dice.randint(1, 5) for _ in range(3))
    kind, penetration, damage = dice.choice(["RW", "P"]), dice.randint(0, 6), dice.randint(0, 4)
    left = dice.randint(1, printed)
    return Side(mind, body, spirit, left, printed, kind, penetration, damage, dice.choice(relics))


def as_card(name: str, side: Side) -> dict[str, Any]:
    line = f"Thing: {side.kind} R73 P{side.penetration} D{side.damage}"
    return card(name, f"M{side.M} B{side.B} S{side.S} W{side.printed}", line)


def test_tests() -> None:
    dice = dice_for("tests")
    for _ in range(SITUATIONS):
        side, order = a_side(dice, [None]), dice.choice(ORDERS)
        name, bonus, penetration = dice.choice(list(ATTRIBUTES)), dice.randint(-4, 4), dice.randint(0, 5)
        matter = case("test", {"clamp-order": order}, card=as_card("A", side), attribute=name, bonus=bonus,
                      penetration=penetration)  # fmt: skip
        assert matter.odds is not None
        target = oracle.need(getattr(side, ATTRIBUTES[name]) + bonus, penetration, order)
        expected = (icepool.d6 <= target).probability(True)
        assert dict(matter.odds()[0].parts)["success"] == Fraction(expected)


def test_moves_through_enemies() -> None:
    dice = dice_for("moves through enemies")
    for _ in range(SITUATIONS):
        side, enemies = a_side(dice, [None]), dice.randint(0, 6)
        table_ = table(as_card("A", side), as_card("B", side))
        ours = odds(measurements.cross_enemies, table_, table_.initial_state(), 0, enemies)
        assert dict(ours.map(lambda result: result[1])) == oracle.chances(passed(side.B, 0, enemies))


def passed(body: int, place: int, enemies: int) -> Any:
    """How many enemies are passed before the first failed test."""
    if place == enemies:
        return icepool.Die([enemies])
    return (icepool.d6 <= body).map(lambda ok: passed(body, place + 1, enemies) if ok else place)


def lost(ours: AttackTrial) -> Any:
    """The wounds that everybody but the attacker has lost."""
    people = range(1, len(ours.game.miniatures))
    return lambda state: tuple(ours.initial_state.wounds(who) - state.wounds(who) for who in people)


def test_attacks() -> None:
    """With relics on both sides, gaps, distances, miniatures in the line, and all orders of the clamp."""
    dice = dice_for("attacks")
    relics: list[str | None] = [None, *(name for name in relic_names() if name != "Sacred Chalice")]
    for _ in range(SITUATIONS):
        one, other = a_side(dice, relics), a_side(dice, relics)
        between = tuple((dice.randint(1, 5), dice.randint(1, 5), dice.randint(1, 5)) for _ in range(dice.randint(0, 2)))
        setting = Setting(dice.randint(0, 30), dice.random() < 0.3, between, dice.choice(ORDERS))
        situation = AttackSituation(
            as_card("A", one), as_card("B", other), None, setting.distance, setting.gap,
            tuple(card(f"C{place}", f"M3 B{b} S{s} W{w}") for place, (b, s, w) in enumerate(between)),
            relic=relic(one.relic), target_relic=relic(other.relic), wounds=one.wounds, target_wounds=other.wounds,
        )  # fmt: skip
        ours = AttackTrial(situation, terms({"clamp-order": setting.clamp}))
        found = odds(ours.procedure).map(lost(ours))
        assert dict(found) == oracle.chances(oracle.attack(one, other, setting)), situation


def test_exchanges() -> None:
    """An attack with a reaction before its first die, and both settings of the ruling on hindrances."""
    dice = dice_for("exchanges")
    relics: list[str | None] = [None, *(name for name in relic_names() if name != "Sacred Chalice")]
    for _ in range(SITUATIONS):
        one, other = a_side(dice, relics), a_side(dice, relics)
        hindered = dice.random() < 0.5
        setting = Setting(dice.randint(0, 30), dice.random() < 0.3, (), dice.choice(ORDERS), hindered)
        situation = AttackSituation(
            as_card("A", one), as_card("B", other), None, setting.distance, setting.gap, reaction="thing",
            relic=relic(one.relic), target_relic=relic(other.relic), wounds=one.wounds, target_wounds=other.wounds,
        )  # fmt: skip
        rulings = {"clamp-order": setting.clamp, "reaction-cloak": "hindered" if hindered else "free"}
        found = odds(AttackTrial(situation, terms(rulings)).procedure).map(lambda state: state.counters[:2])
        assert dict(found) == oracle.chances(oracle.exchange(one, other, setting)), situation


def test_heals() -> None:
    dice = dice_for("heals")
    for _ in range(SITUATIONS):
        side, healing = a_side(dice, [None]), dice.randint(1, 6)
        healer = card("H", "M3 B3 S3 W3", f"Hymn: P R10 H{healing}")
        situation = AttackSituation(healer, as_card("B", side), "Hymn", 5, target_wounds=side.wounds)
        found = odds(AttackTrial(situation, terms()).procedure).map(lambda state: state.wounds(1))
        assert dict(found) == {min(side.printed, side.wounds + healing): 1}


def test_timing() -> None:
    dice = dice_for("timing")
    for _ in range(SITUATIONS):
        side = a_side(dice, [None, "Combat Drugs"])._replace(damage=0)
        table_ = table((as_card("A", side), None), as_card("B", side))
        blow = AttackAction(0, 1, "Thing", 5, reaction=True)
        found = odds(react, table_, table_.initial_state(), blow, ATTACK_POINTS).map(
            lambda state: bool(state.mode.pending_reactions)
        )
        expected = icepool.d6 > getattr(side, "S" if side.kind == "P" else "M")
        assert dict(found) == oracle.chances(expected)
        assert modifiers.timing_test(table_, table_.initial_state(), blow).who == "A"


def test_duels() -> None:
    dice = dice_for("duels")
    relics: list[str | None] = [None, "Iron Halo"]
    for _ in range(SITUATIONS):
        a, b = (side._replace(wounds=side.printed) for side in (a_side(dice, relics), a_side(dice, relics)))
        first = dice.randint(0, 1)
        table_ = table((as_card("A", a), relic(a.relic)), (as_card("B", b), relic(b.relic)), records=False)
        found = Duel(table_, 1).final_states(first).map(lambda state: state[1][:4])
        assert dict(found) == oracle.chances(oracle.duel(a, b, 1, first))


def test_strikes_kill_nobody_twice() -> None:
    table_ = table(card("A", "M5 B3 S3 W1", "Gun: RW R9 D30"), card("B", "M3 B1 S3 W2"))
    found = odds(resolve_attack, table_, table_.initial_state(), AttackAction(0, 1, "Gun", 1)).map(
        lambda state: state.wounds(1)
    )
    assert dict(found) == {0: Fraction(25, 36), 2: Fraction(11, 36)}
