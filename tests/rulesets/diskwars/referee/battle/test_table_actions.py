"""Actions: shots, scatter, focus abilities, mobile disks, and battle abilities."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.rounds import DeckCard
from cardgen.rulesets.diskwars.referee.battle.table import Piece, act, scout, use_battle_ability
from cardgen.rulesets.diskwars.referee.disk import Health, Terrain
from tests.rulesets.diskwars.referee.battle.players import Script, piece, run_with, table_of
from tests.rulesets.diskwars.referee.cases import ranged

# Faces of the die with two hits.
HIT, CRITICAL, SCATTER, MISS, CHAOS = 1, 3, 4, 5, 6
WOOD = Terrain("Wood", frozenset({"cover"}), "", frozenset())


def archer(name: str = "A", missile: int = 2, strength: str = "2", **keys: Any) -> Piece:
    return piece(0, name, ranged=(ranged(missile, strength),), **keys)


def options_of(script: Script, key: str) -> tuple[str, ...]:
    return tuple(script.of(key)[0].options)


def test_a_shot_hits_and_activates() -> None:
    who, foe, ally = archer(), piece(1, "B", toughness=9), piece(1, "C")
    foe.ground = [WOOD]
    run_with(act(table_of(who, foe, ally), who), Script([CRITICAL], action="shoots", target="B", range="short"))
    assert foe.health == Health(2, is_activated=True)
    assert who.health.is_activated
    assert not ally.health.is_activated


def test_a_critical_hit_says_that_it_activates() -> None:
    """R5: a disk with a token gets no other."""
    for was, words in ((Health(), "B: 2 damage, activated"), (Health(is_activated=True), "B: 2 damage")):
        who, foe = archer(missile=1), piece(1, "B", toughness=9, health=was)
        lines = run_with(act(table_of(who, foe), who), Script([CRITICAL], action="shoots", target="B", range="short"))
        assert lines[-1] == words


def test_scatter_strikes_the_nearest_disk() -> None:
    who, foe, other = archer(), piece(1, "B"), piece(1, "C")
    script = Script([SCATTER, SCATTER, HIT, MISS], action="shoots", target="B", range="long", scatter=[("C",)])
    run_with(act(table_of(who, foe, other), who), script)
    assert (foe.health.damage, other.health.damage) == (0, 2)
    assert options_of(script, "scatter") == ("A", "C")


@pytest.mark.parametrize(
    ("rulings", "near"),
    [({"scatter_target": "others"}, ("C", "D")), ({"scatter_target": "enemies"}, ("C",)),
     ({"immune_scatter": "next"}, ("A", "D"))],
)  # fmt: skip
def test_whom_scatter_can_strike(rulings: dict[str, str], near: tuple[str, ...]) -> None:
    """U21 and U42."""
    who, foe = archer(missile=1), piece(1, "B")
    script = Script([SCATTER], action="shoots", target="B", range="short")
    run_with(act(table_of(who, foe, piece(1, "C", immune={"ranged"}), piece(0, "D"), **rulings), who), script)
    assert options_of(script, "scatter") == near


@pytest.mark.parametrize(("setting", "struck"), [("attacker", "D"), ("random", "C")])
def test_two_disks_are_equally_near(setting: str, struck: str) -> None:
    """U21."""
    who, foe, others = archer(missile=1), piece(1, "B"), [piece(1, "C"), piece(1, "D")]
    script = Script([SCATTER, 1, HIT], action="shoots", target="B", range="short", scatter=[("C", "D")], nearest="D")
    if setting == "attacker":
        script.dice = [SCATTER, HIT]
    run_with(act(table_of(who, foe, *others, scatter_tie=setting), who), script)
    assert [each.name for each in others if each.health.damage] == [struck]


@pytest.mark.parametrize(
    ("rulings", "targets"),
    [
        ({}, ("nobody", "B", "C")),
        ({"own_targets": "enemies"}, ("nobody", "B")),
        ({"pinning_shot": "shooter"}, ("nobody", "C")),
        ({"pinning_shot": "target"}, None),
    ],
)
def test_whom_a_shot_can_target(rulings: dict[str, str], targets: tuple[str, ...] | None) -> None:
    """R1, R2, U19, and U20: both the shooter and an enemy pin others."""
    low, prey = piece(1, "L", immune={"physical"}), piece(0, "C")
    who, foe = archer(), piece(1, "B", prey)
    who.beneath = [low]
    script = Script(action="shoots")
    run_with(act(table_of(who, foe, prey, low, **rulings), who), script)
    assert (options_of(script, "target") if script.of("target") else None) == targets


def test_magic_and_focus_effects() -> None:
    rally = {"name": "Rally", "do": "empower", "whom": "other", "within": "short"}
    who, foe = piece(0, "A", magic=2, focus="Rally.", focus_effects=[rally]), piece(1, "B", resistant={"arcane"})
    mate, safe = piece(0, "C"), piece(1, "D", immune={"magic"})
    table = table_of(who, foe, mate, safe)
    script = Script(action="uses Magic", target="B")
    run_with(act(table, who), script)
    assert foe.health.damage == 1
    assert options_of(script, "target") == ("nobody", "B")
    run_with(act(table, who), Script(action="uses its focus", target="C"))
    assert mate.health.is_empowered


def test_players_report_what_a_text_does() -> None:
    who, foe = piece(0, "A", focus="Sing."), piece(1, "B")
    script = Script(action="uses its focus", report=["damage", "exhaust"], amount=3, damage="arcane",
                    targets=[("B",), ("B",)])  # fmt: skip
    run_with(act(table_of(who, foe), who), script)
    assert foe.health == Health(3, is_activated=True)


@pytest.mark.parametrize(("setting", "damage"), [("allowed", 2), ("forbidden", 0)])
def test_a_mobile_disk_that_was_stopped(setting: str, damage: int) -> None:
    """K7 and U38."""
    who, foe = archer(missile=1, movement=2, keywords={"mobile"}), piece(1, "B")
    script = Script([HIT], action="moves, then shoots", flips=[1], on=[("B",)], target="B", range="short")
    run_with(act(table_of(who, foe, mobile_pin=setting), who), script)
    assert foe.health.damage == damage
    assert "shoots with Bow, then moves" in options_of(script, "action")


@pytest.mark.parametrize(("face", "damage"), [(CHAOS, 2), (HIT, 0)])
def test_an_unstable_ability_can_strike_its_user(face: int, damage: int) -> None:
    """C2."""
    who, foe = piece(0, "A"), piece(1, "B")
    effect = {"name": "Melt", "do": "damage", "whom": "enemy", "within": "short", "amount": 2, "damage": "arcane"}
    card = {"battle": "Melt.", "battle_effects": [effect], "unstable": True}
    run_with(use_battle_ability(table_of(who, foe), who, card), Script([face], target="B"))
    assert (who.health.damage, foe.health.damage) == (damage, 2)


@pytest.mark.parametrize(("setting", "damage"), [("one", (4, 4)), ("each", (4, 2))])
def test_a_d6_of_an_ability_strikes_several_disks(setting: str, damage: tuple[int, int]) -> None:
    who, *foes = piece(0, "A"), piece(1, "B"), piece(1, "C")
    effect = {"name": "Blaze", "do": "damage", "whom": "enemies", "within": "short", "amount": "d6"}
    script = Script([4, 2], targets=[("B", "C")])
    table = table_of(who, *foes, shared_d6=setting)
    run_with(use_battle_ability(table, who, {"battle": "Blaze.", "battle_effects": [effect]}), script)
    assert tuple(each.health.damage for each in foes) == damage


@pytest.mark.parametrize(
    ("do", "setting", "options"),
    [("move", "allowed", ("A", "C")), ("move", "forbidden", ("C",)), ("shift", "allowed", ("C",))],
)
def test_a_battle_ability_moves_an_enemy(do: str, setting: str, options: tuple[str, ...]) -> None:
    """G5 and A13: a flip onto an enemy pins it, whoever makes the disk move."""
    who, foe, mate = piece(0, "A"), piece(1, "B"), piece(1, "C")
    effect = {"name": "Drift", "do": do, "whom": "enemy", "within": "medium", "amount": 1}
    script = Script(target="B", flips=[1], on=[("C",)])
    table = table_of(who, foe, mate, effect_move=setting)
    run_with(use_battle_ability(table, who, {"battle": "Drift.", "battle_effects": [effect]}), script)
    assert foe.beneath == [mate]
    assert options_of(script, "on") == options


@pytest.mark.parametrize(("floor", "dice"), [(None, 0), ("at-least-1", 1)])
def test_a_passive_ability_takes_all_dice_unless_it_leaves_one(floor: str | None, dice: int) -> None:
    who, foe = archer(missile=2), piece(1, "B")
    table = table_of(who, foe)
    table.players[1].cards = [
        DeckCard("Fog", {"bonuses": [{"stat": "shelter", "amount": -3, "when": "always", "floor": floor}]})
    ]
    script = Script([HIT] * dice, action="shoots", target="B", range="short")
    run_with(act(table, who), script)
    assert foe.health.damage == 2 * dice


@pytest.mark.parametrize(("reach", "dice"), [("short", 2), ("medium", 3)])
def test_a_passive_ability_adds_dice_beyond_short_range(reach: str, dice: int) -> None:
    who, foe = archer(missile=2), piece(1, "B")
    table = table_of(who, foe)
    bonus = {"stat": "shots", "amount": 1, "when": "far"}
    table.players[0].cards = [DeckCard("Long Sight", {"bonuses": [bonus]})]
    script = Script([HIT] * 3, action="shoots", target="B", range=reach)
    run_with(act(table, who), script)
    assert foe.health.damage == 2 * dice


@pytest.mark.parametrize(
    ("setting", "effect", "options"),
    [
        (
            "allowed",
            "empower self",
            ["moves", "uses its focus ability, then moves", "moves, then uses its focus ability"],
        ),
        ("allowed", "damage enemy", []),
        (
            "allowed",
            "damage self",
            ["moves", "uses its focus ability, then moves", "moves, then uses its focus ability"],
        ),
        ("forbidden", "empower self", []),
    ],
)
def test_a_mobile_scout(setting: str, effect: str, options: list[str]) -> None:
    """K7 and K10: it may not damage an enemy, and gets no activation token."""
    do, whom = effect.split()
    does = {"name": "Rally", "do": do, "whom": whom, "within": "any", "amount": 1}
    who = archer(movement=2, magic=1, keywords={"mobile", "scout"}, focus="Rally.", focus_effects=[does])
    script = Script(scouts="uses its focus")
    run_with(scout(table_of(who, piece(1, "B"), scout_mobile=setting), who), script)
    assert [option for each in script.of("scouts") for option in each.options] == options
    assert who.health == Health(
        int("self" in effect and do == "damage"), is_empowered=bool(options) and do == "empower"
    )
    assert len(script.of("flips")) == 1


def test_an_empowered_disk_cannot_be_empowered_again() -> None:
    """G14."""
    rally = {"name": "Rally", "do": "empower", "whom": "friend", "within": "short"}
    who = piece(0, "A", focus="Rally.", focus_effects=[rally])
    script = Script(action="uses its focus", target="C")
    run_with(act(table_of(who, piece(0, "B", health=Health(is_empowered=True)), piece(0, "C")), who), script)
    assert [each.split(" ")[0] for each in options_of(script, "target")] == ["nobody", "A", "C"]


def test_a_passive_ability_moves_a_disk_without_movement() -> None:
    who = piece(0, "A", movement=0, keywords={"flying"})
    table = table_of(who, piece(1, "B"))
    bonus = {"stat": "movement", "amount": 1, "when": "light"}
    table.players[0].cards = [DeckCard("Wind", {"bonuses": [bonus]})]
    script = Script(action="moves", flips=[1])
    run_with(act(table, who), script)
    assert [each.high for each in script.of("flips")] == [1]


def effect_of(do: str, whom: str, amount: str = "0") -> dict[str, Any]:
    return {"name": do.title(), "do": do, "whom": whom, "within": "short", "amount": amount, "damage": "physical"}


@pytest.mark.parametrize("do", ["damage", "empower", "refresh", "exhaust", "move"])
def test_a_casualty_of_its_own_ability_takes_no_part_in_the_rest_of_it(do: str) -> None:
    who, foe = piece(0, "A", toughness=2), piece(1, "B", toughness=9)
    effects = [effect_of("damage", "all", "2"), effect_of(do, "self", "1"), effect_of("damage", "enemy", "3")]
    card = {"battle": "Burst.", "battle_effects": effects}
    lines = run_with(use_battle_ability(table_of(who, foe), who, card), Script(targets=[("A", "B")], target="B"))
    assert lines[-2:] == ["A becomes a casualty", "B takes 3 damage: 5 damage"]
    assert who.health == Health(is_out=True)


def test_an_unstable_ability_without_a_target_strikes_nobody() -> None:
    """C2: the die decides on the disk 'in addition to all targets', so there must be one."""
    who, foe = piece(0, "A", toughness=9), piece(1, "B")
    card = {"battle": "Melt.", "battle_effects": [effect_of("damage", "enemy", "2")], "unstable": True}
    script = Script([CHAOS], target="nobody")
    run_with(use_battle_ability(table_of(who, foe), who, card), script)
    assert script.of("battle") == []
    assert who.health == Health()


def test_an_unstable_ability_of_which_only_the_text_is_known_says_that_it_strikes_its_user() -> None:
    who, foe = piece(0, "A", toughness=9), piece(1, "B")
    lines = run_with(
        use_battle_ability(table_of(who, foe), who, {"battle": "Melt.", "unstable": True}), Script([CHAOS])
    )
    assert lines == ["A: Melt.", "the ability strikes A, too"]


def test_an_unstable_ability_strikes_a_user_that_has_died_of_it_no_more() -> None:
    """C2."""
    who, foe = piece(0, "A", toughness=2), piece(1, "B", toughness=9)
    effect = effect_of("damage", "enemy", "2")
    card = {"battle": "Melt.", "battle_effects": [effect, effect], "unstable": True}
    lines = run_with(use_battle_ability(table_of(who, foe), who, card), Script([CHAOS], target="B"))
    assert sum(line.startswith("A takes") for line in lines) == 1
    assert foe.health.damage == 4


def test_an_empowered_disk_does_not_empower_itself_again() -> None:
    """G14."""
    who = piece(0, "A", health=Health(is_empowered=True))
    card = {"battle": "Peal.", "battle_effects": [effect_of("empower", "self")]}
    assert run_with(use_battle_ability(table_of(who), who, card), Script()) == ["A (empowered): Peal."]
