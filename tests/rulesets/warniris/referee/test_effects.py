"""Relics, and every effect of the card format: what it does to whom, and when."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import Event, play
from cardgen.referee.requests import Test
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import State
from cardgen.rulesets.warniris.referee.situations import AttackSituation
from cardgen.rulesets.warniris.trials import AttackTrial
from tests.rulesets.warniris.referee.fights import card, relic, table, terms

GUN = "Gun: RW R30 P1 D1"
HEX = "Hex: P R30 P1 D1"


def needs(**situation: Any) -> dict[str, int]:
    """What every test of an attack needs, when all dice show 1 to hit and 6 to resist."""
    attack = AttackTrial(AttackSituation(**situation), terms())
    told: list[Any] = []
    play(attack.procedure(), lambda path, _: {"hit": 1, "resist": 6}.get(path, "yes"), told.append)
    tests = [each for each in told if isinstance(each, Event) and isinstance(each.question, Test)]
    return {each.path: each.question.need for each in tests if isinstance(each.question, Test)}


def fighter(name: str = "A", *lines: str, **more: Any) -> dict[str, Any]:
    return card(name, "M3 B3 S3 W4", *(lines or (GUN,)), **more)


def ability(effect: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"name": "Gift", "effects": [effect], **more}]


@pytest.mark.parametrize(
    ("name", "weapon", "bearer", "distance", "hit", "resist"),
    [
        (None, GUN, "relic", 20, 3, 2),
        ("Combat Drugs", GUN, "relic", 20, 4, 2),
        ("Combat Drugs", HEX, "relic", 20, 4, 2),
        ("Combat Drugs", HEX, "target_relic", 20, 3, 3),
        ("Purity Seal", GUN, "target_relic", 20, 3, 3),
        ("Purity Seal", HEX, "relic", 20, 4, 2),
        ("Servo-Skull", GUN, "relic", 20, 5, 2),
        ("Warp Channeler", HEX, "relic", 20, 5, 2),
        ("Warp Channeler", GUN, "relic", 20, 3, 2),
        ("Camo Cloak", GUN, "target_relic", 12, 3, 2),
        ("Camo Cloak", GUN, "target_relic", 13, 2, 2),
        ("Camo Cloak", HEX, "target_relic", 13, 2, 2),
        ("Disruptor Module", GUN, "target_relic", 1, 2, 2),
        ("Disruptor Module", GUN, "relic", 1, 3, 2),
    ],
)
def test_relics_in_an_attack(name: str | None, weapon: str, bearer: str, distance: int, hit: int, resist: int) -> None:
    situation = {"attacker": fighter("A", weapon), "target": fighter("B"), "distance": distance, bearer: relic(name)}
    assert needs(**situation) == {"hit": hit, "resist": resist}


def test_the_chalice_waits_until_nothing_is_wasted() -> None:
    for lost, left in ((0, 4), (1, 3), (2, 4), (3, 3)):
        situation = AttackSituation(
            fighter(), fighter("B", "Gun: RW R1 D0"), relic=relic("Sacred Chalice"), wounds=4 - lost
        )
        after = odds(AttackTrial(situation, terms()).procedure).map(lambda state: state.wounds(0))
        assert dict(after) == {left: 1}


TURN = {"when": "activation_start", "for": "turn"}
EFFECTS: list[tuple[dict[str, Any], str, dict[str, int]]] = [
    ({"when": "attacking", "bearer": {"mind": 1}}, "A", {"hit": 4, "resist": 2}),
    ({"when": "attacking", "if": {"weapon": "P"}, "bearer": {"mind": 1}}, "A", {"hit": 3, "resist": 2}),
    ({"when": "attacking", "if": {"against": "minion"}, "bearer": {"mind": 1}}, "A", {"hit": 3, "resist": 2}),
    ({"when": "attacking", "if": {"range_within": 10}, "bearer": {"mind": 1}}, "A", {"hit": 4, "resist": 2}),
    ({"when": "attacking", "if": {"range_within": 9}, "bearer": {"mind": 1}}, "A", {"hit": 3, "resist": 2}),
    ({"when": "attacking", "target": {"body": -1}}, "A", {"hit": 3, "resist": 1}),
    ({"when": "attacking", "bearer": {"penetration": 1}}, "A", {"hit": 3, "resist": 1}),
    ({"when": "hit", "bearer": {"mind": 2, "penetration": 1}}, "A", {"hit": 3, "resist": 1}),
    ({"when": "attacked", "attacker": {"mind": -2}}, "B", {"hit": 1, "resist": 2}),
    ({"when": "attacked", "attacker": {"mind": -2}}, "A", {"hit": 3, "resist": 2}),
    ({"when": "attacked", "bearer": {"body": 2}}, "B", {"hit": 3, "resist": 4}),
    ({"bearer": {"mind": 1, "body": 1}}, "A", {"hit": 4, "resist": 2}),
    ({"bearer": {"mind": 1, "body": 1}}, "B", {"hit": 3, "resist": 3}),
    ({"enemies": {"mind": -1}}, "B", {"hit": 2, "resist": 2}),
    ({"if": {"range_within": 9}, "enemies": {"mind": -1}}, "B", {"hit": 3, "resist": 2}),
    ({"if": {"wounds_at_most": 4}, "bearer": {"mind": 1}}, "A", {"hit": 4, "resist": 2}),
    ({"if": {"wounds_at_most": 3}, "bearer": {"mind": 1}}, "A", {"hit": 3, "resist": 2}),
    ({**TURN, "bearer": {"mind": 1}}, "A", {"hit": 4, "resist": 2}),
    ({**TURN, "while": "attacked", "attacker": {"mind": -1}}, "B", {"hit": 2, "resist": 2}),
    ({**TURN, "while": "attacking", "bearer": {"mind": 1}}, "A", {"hit": 4, "resist": 2}),
]


@pytest.mark.parametrize(("effect", "bearer", "expected"), EFFECTS, ids=[str(effect[0]) for effect in EFFECTS])
def test_changes_of_numbers(effect: dict[str, Any], bearer: str, expected: dict[str, int]) -> None:
    gifted = {"abilities": ability(effect)}
    attacker = fighter("A", **(gifted if bearer == "A" else {}))
    target = fighter("B", **(gifted if bearer == "B" else {}))
    assert needs(attacker=attacker, target=target, distance=10) == expected


def fate(attacker: dict[str, Any], target: dict[str, Any], read: Any, **more: Any) -> dict[Any, Fraction]:
    """The distribution of something after an attack that always hits and is never resisted, as far as dice allow."""
    attack = AttackTrial(AttackSituation(attacker, target, **more), terms())
    return dict(odds(attack.procedure).map(read))


def wounds(state: State) -> tuple[int, int]:
    return state.wounds(0), state.wounds(1)


SURE = {"M": 5, "B": 3, "S": 3, "W": 4}
THROUGH = Fraction(25, 36)  # Mind 5 hits, Body 1 does not resist.


def sure(effect: dict[str, Any] | None = None, line: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    weapon = {"name": "Gun", "type": "RW", "range": 30, "damage": 1, **(line or {})}
    gifts = {"abilities": ability(effect, **more)} if effect else {}
    return {"kind": "character", "name": "A", "stats": {**SURE, "Mo": 10}, "weapons": [weapon], **gifts}


def soft(effect: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    gifts = {"abilities": ability(effect, **more)} if effect else {}
    return card("B", "M3 B1 S3 W4", GUN, **gifts)


def test_damage_heal_and_deal() -> None:
    assert fate(sure({"when": "attacking", "bearer": {"damage": 2}}), soft(), wounds)[4, 1] == THROUGH
    assert fate(sure({"when": "damaging", "bearer": {"damage": 1}}), soft(), wounds)[4, 2] == THROUGH
    assert fate(sure({"when": "damaging", "bearer": {"heal": 1}}), soft(), wounds, wounds=2)[3, 3] == THROUGH
    assert fate(sure({"when": "hit", "target": {"deal": 1}}), soft(), wounds)[4, 2] == THROUGH
    assert fate(sure(), soft({"when": "damaged", "attacker": {"deal": 2}}), wounds)[2, 3] == THROUGH
    assert fate(sure(), soft({"when": "eliminated", "enemies": {"deal": 1}}), wounds, target_wounds=1)[3, 0] == THROUGH


def test_a_weapons_effects_come_with_that_weapon_and_after_its_damage() -> None:
    line = {"effects": [{"for": "turn", "target": {"mind": -1}}, {"bearer": {"heal": 1}}]}
    after = fate(sure(line=line), soft(), lambda state: (*wounds(state), len(state.mode.active_effects)), wounds=1)
    assert after == {(2, 3, 1): THROUGH, (1, 4, 0): 1 - THROUGH}


def test_what_the_halo_ignores_has_no_effect() -> None:
    line = {"effects": [{"for": "turn", "target": {"mind": -1}}]}
    after = fate(sure(line=line), soft(), lambda s: len(s.mode.active_effects), target_relic=relic("Iron Halo"))
    assert after[1] == THROUGH * Fraction(5, 6)


def test_ignoring_with_thresholds_dice_and_limits() -> None:
    shell = {"when": "damaged", "if": {"wounds_at_most": 3, "roll": [1, 2, 3]}, "bearer": {"ignore": 1}}
    after = fate(sure(line={"damage": 2}), soft(shell), wounds)
    assert after == {(4, 4): 1 - THROUGH, (4, 3): THROUGH / 2, (4, 2): THROUGH / 2}
    once = {"when": "damaged", "bearer": {"ignore": 1}}
    after = fate(sure(line={"damage": 3}), soft(once, once=True), wounds)
    assert after == {(4, 4): 1 - THROUGH, (4, 2): THROUGH}
    wall = {"when": "damaged", "bearer": {"ignore": 2}}
    assert fate(sure(line={"damage": 3}), soft(wall, once="turn"), wounds)[4, 3] == THROUGH


def test_many_points_with_a_die_each_are_worked_out() -> None:
    target = {**soft(), "stats": {**SURE, "B": 1, "W": 30, "Mo": 10}}
    after = fate(sure(line={"damage": 30}), target, lambda state: state.wounds(1), target_relic=relic("Iron Halo"))
    assert after[0] == THROUGH * Fraction(5, 6) ** 30
    assert sum(after.values()) == 1


@pytest.mark.parametrize(
    ("sort", "bearer", "chance"),
    [
        ("hit", "bearer", Fraction(3, 4) * Fraction(2, 3)),
        ("hit", "target", Fraction(1, 2) * Fraction(2, 3)),
        ("resist", "target", Fraction(1, 2) * (Fraction(2, 3) + Fraction(1, 3) * Fraction(2, 3))),
    ],
)
def test_rerolls(sort: str, bearer: str, chance: Fraction) -> None:
    """One's own failure may be re-rolled, an enemy's success must be."""
    attacker = fighter("A", abilities=ability({"when": "attacking", bearer: {"reroll": sort}}))
    assert fate(attacker, fighter("B"), lambda state: state.wounds(1) < 4)[True] == chance


def test_a_reroll_for_once_is_used_up_by_a_failure_only() -> None:
    attacker = fighter("A", abilities=ability({"when": "attacking", "bearer": {"reroll": "hit"}}, once=True))
    after = fate(attacker, fighter("B"), lambda state: state.counters[-1])
    assert after == {1: Fraction(1, 2), 0: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("sort", "when", "chance"),
    [("hit", "attacking", Fraction(3, 4) * Fraction(2, 3)), ("resist", "hit", Fraction(4, 9))],
)
def test_a_weapons_reroll_comes_with_that_weapon_only(sort: str, when: str, chance: Fraction) -> None:
    party = "bearer" if sort == "hit" else "target"
    gun = {"name": "Gun", "type": "RW", "range": 30, "penetration": 1, "damage": 1}
    lucky = {**gun, "name": "Lucky Gun", "effects": [{"when": when, party: {"reroll": sort}}]}
    attacker = fighter("A", weapons=[lucky])
    plain = Fraction(1, 2) * Fraction(2, 3)
    for weapon, expected in (("lucky gun", chance), ("gun", plain)):
        assert fate(attacker, fighter("B"), lambda state: state.wounds(1) < 4, weapon=weapon)[True] == expected


def test_a_reaction_has_no_reroll_of_its_weapon() -> None:
    line = {"effects": [{"when": "attacking", "bearer": {"reroll": "hit"}}]}
    for effects in ({}, line):
        after = fate(soft(), sure(line=effects), lambda state: state.wounds(0), reaction="gun")
        assert after == fate(soft(), sure(), lambda state: state.wounds(0), reaction="gun")


def test_a_lent_weapon_and_a_longer_range() -> None:
    lent = {"bearer": {"weapon": {"name": "Claws", "type": "CW", "range": 1, "damage": 2}}}
    after = fate(fighter("A", abilities=ability(lent)), soft(), wounds, weapon="claws")
    assert after[4, 2] == Fraction(1, 2) * Fraction(5, 6)
    longer = {"when": "activation_start", "for": "turn", "while": "attacking", "bearer": {"range": 10}}
    far = fighter("A", "Gun: RW R10 D1", abilities=ability(longer))
    with pytest.raises(ValueError, match="30 cm away"):
        AttackTrial(AttackSituation(far, soft(), distance=30), terms())


def test_a_reaction_deals_one_and_has_no_effects() -> None:
    biter = sure(line={"damage": 3, "effects": [{"target": {"deal": 1}}]})
    situation = AttackSituation(soft(), biter, reaction="gun", wounds=4)
    after = odds(AttackTrial(situation, terms()).procedure).map(lambda state: state.wounds(0))
    assert set(dict(after)) == {4, 3}


def test_effects_end_when_they_say() -> None:
    """A curse for a turn is gone in the next; one for the battle stays, and they add up."""
    lines = {"turn": "turn", "battle": "battle"}
    for span, until in lines.items():
        curse = {
            "name": "Gun",
            "type": "RW",
            "range": 9,
            "damage": 1,
            "effects": [{"for": span, "target": {"body": -1}}],
        }
        curser = {**sure(), "weapons": [curse]}
        people = table(curser, card("B", "M3 B1 S3 W9"), records=False)
        ends = Duel(people, 1).final_states(0)
        spans = {force.until for (mode, _), _ in ends for force in mode.active_effects}
        assert spans == {until}
    after = Duel(people, 2).final_states(0)
    assert max(len(mode.active_effects) for (mode, _), _ in after) == 4


def test_free_text_is_named() -> None:
    attack = AttackTrial(AttackSituation(fighter("A", abilities=[{"name": "Song", "text": "Sing."}]), soft()), terms())
    assert attack.prepare().not_simulated == ("A: 'Song' has only text",)


def test_striking_leaves_no_force_of_the_attack_behind() -> None:
    people = table((fighter(), relic("Combat Drugs")), (fighter("B"), relic("Camo Cloak")))
    after = odds(resolve_attack, people, people.initial_state(), AttackAction(0, 1, "Gun", 20)).map(
        lambda state: state.mode.active_effects
    )
    assert dict(after) == {(): 1}


def test_a_combat_weapon_brings_its_move_to_a_reaction() -> None:
    axe = fighter("B", "Axe: CW R1 D1")
    far: dict[str, Any] = {"attacker": fighter(), "target": axe, "distance": 9, "reaction": "axe"}
    with pytest.raises(ValueError, match="reaches 1 cm"):
        AttackTrial(AttackSituation(**far), terms({"reaction-cw-move": "none"}))
    attack = AttackTrial(AttackSituation(**far), terms())
    told: list[Any] = []
    play(attack.procedure(), lambda path, _: 1, told.append)
    assert "B Moves at A first" in told
    after = odds(attack.procedure).map(lambda state: state.wounds(0))
    assert after.chance(lambda left: left < 4) > 0


def test_the_eliminated_start_nothing_more() -> None:
    queen = fighter("Q", abilities=ability({"when": "turn_start", "friends": {"heal": 1}}))
    game = table(queen, fighter("F"), fighter("B"), sides=(0, 0, 1))
    for left, healed in ((4, 3), (0, 2)):
        begin = start_effects(game, game.initial_state((left, 2, 4)), "turn_start", range(3))
        assert play(begin, lambda *_: 1, list[Any]().append).wounds(1) == healed


@pytest.mark.parametrize(
    ("bearer", "effect"),
    [
        ("B", {"when": "attacked", "attacker": {"deal": 1}}),
        ("A", {"when": "attacking", "target": {"deal": 1}}),
        ("A", {"when": "hit", "target": {"deal": 1}}),
    ],
)
def test_an_attack_ends_with_either_of_the_two(bearer: str, effect: dict[str, Any]) -> None:
    gifted = {"abilities": ability(effect)}
    attacker, target = (card(name, "M5 B3 S3 W1", GUN, **(gifted if name == bearer else {})) for name in "AB")
    told: list[Any] = []
    game = table(attacker, target)
    play(resolve_attack(game, game.initial_state(), AttackAction(0, 1, "Gun", 9)), lambda *_: 1, told.append)
    tests = [each.question.key for each in told if isinstance(each, Event)]
    assert tests == (["hit"] if effect["when"] == "hit" else [])


def test_a_reaction_deals_one_in_all() -> None:
    for when in ("attacking", "reacting", "hit", "damaging"):
        biter = sure({"when": when, "target": {"deal": 1}}, line={"damage": 3})
        after = fate(soft(), biter, lambda state: state.wounds(0), reaction="gun")
        assert set(after) == {4, 3}
