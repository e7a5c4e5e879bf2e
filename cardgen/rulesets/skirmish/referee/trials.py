"""The trials of the skirmish, and policies for choices that no player makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cardgen.game import (
    FORCES,
    Benchmark,
    CardData,
    GameTrials,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Trial,
    TypicalCard,
)
from cardgen.rulesets.skirmish.referee import combat
from cardgen.rulesets.skirmish.referee.battle.battle import set_up_battle
from cardgen.rulesets.skirmish.referee.combat import TARGETS, round_robin
from cardgen.rulesets.skirmish.referee.target_numbers import Attempt, Landing, climb_down, climb_up, fall, jump, leap
from cardgen.rulesets.skirmish.referee.warrior import WARRIORS, initiative_test, leadership_test, warrior_of

_WARRIOR, _WEAPON = "warrior", "weapon"
_ROWS = ("out of action", "stunned", "knocked down")


def benchmarks(card: CardData, typical: TypicalCard) -> Iterator[Benchmark]:
    """Yield attacks with each weapon, and an attack on the warrior; for a weapon, those of a warrior with it."""
    other = typical(_WARRIOR)
    if other is None or card["kind"] not in (_WARRIOR, _WEAPON):
        return
    warrior = {**other, "weapons": [card]} if card["kind"] == _WEAPON else card
    for weapon in warrior.get("weapons", ()):
        situation = {"attacker": warrior, "target": other, "weapon": weapon["name"]}
        trial = "shoot" if weapon.get("range") else "attack"
        yield Benchmark(f"{weapon['name']} at {other['name']}", trial, situation, _ROWS)
    if warrior is card:
        for one, two in ((card, other), (other, card)):
            title = f"{one['name']} at {two['name']}"
            yield Benchmark(title, "attack", {"attacker": one, "target": two}, _ROWS)


CHARACTERISTICS = ("leadership", "initiative")
# Options of single trials of heights; the others take none of them.
HEIGHT_OPTIONS = {"climb": ("down", "levels"), "gap": ("width", "movement")}
HEIGHTS = {"fall": fall, "jump": jump, "climb": climb_up, "gap": leap}


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of Leadership (2D6) or Initiative (D6)."""

    card: Annotated[CardData, Parameter("card", "Warrior.", WARRIORS)]
    attribute: Annotated[str, Parameter("word", "Characteristic.", words=CHARACTERISTICS)]
    leader: Annotated[CardData | None, Parameter("card", 'Fit leader within 6".', WARRIORS)] = None


def set_up_test(situation: TestSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a test of a characteristic."""
    who = warrior_of(situation.card)
    if situation.leader and situation.attribute != CHARACTERISTICS[0]:
        raise ValueError("a leader lends Leadership, not Initiative: --leader excludes a test of Initiative")
    leadership = max(who.ld, warrior_of(situation.leader).ld if situation.leader else 0)

    def start() -> Procedure[bool]:
        is_leadership = situation.attribute == CHARACTERISTICS[0]
        return leadership_test(who.name, leadership) if is_leadership else initiative_test(who.name, who.i)

    return PreparedTrial.in_words(
        f"{situation.attribute.capitalize()} test of {who.name}", start, lambda passed: "passed" if passed else "failed"
    )


@dataclass(frozen=True, slots=True)
class HeightSituation:
    """A warrior falls, jumps down, climbs, or jumps over a gap."""

    warrior: Annotated[CardData, Parameter("card", "Warrior.", WARRIORS)]
    height: Annotated[int, Parameter("number", "Height.", high=combat.MAX_HEIGHT, unit="inches")]
    fraction: Annotated[bool, Parameter("flag", "The height has a fraction of an inch more.")] = False
    down: Annotated[bool, Parameter("flag", "The warrior climbs down.")] = False
    levels: Annotated[int, Parameter("number", "Number of levels to climb.", low=1, high=10)] = 1
    width: Annotated[int, Parameter("number", "Width of the gap.", high=12, unit="inches")] = 0
    movement: Annotated[int | None, Parameter("number", "Movement left for a gap.", high=20, unit="inches")] = None


def _set_up_height(what: str) -> Callable[[HeightSituation, RulesConfig], PreparedTrial]:
    """Return the function that sets up a fall, jump, climb, or gap."""

    def set_up(situation: HeightSituation, config: RulesConfig) -> PreparedTrial:
        given = {"down": situation.down, "levels": situation.levels > 1, "width": situation.width > 0,
                 "movement": situation.movement is not None}  # fmt: skip
        for name, is_given in given.items():
            if is_given and name not in HEIGHT_OPTIONS.get(what, ()):
                owner = next(each for each, names in HEIGHT_OPTIONS.items() if name in names)
                raise ValueError(f"--{name} is an option of '{owner}', not of '{what}'")
        who, height = warrior_of(situation.warrior), situation.height + situation.fraction / 2
        movement = who.move if situation.movement is None else situation.movement
        attempt = Attempt(height, situation.levels, situation.width, movement)
        procedure = climb_down if situation.down and what == "climb" else HEIGHTS[what]
        start = partial(procedure, who, who.health, attempt, config.pairs)
        next(start(), None)  # raises the error of a height beyond the limits before any die
        return PreparedTrial.in_words(f"{who.name}: {what}", start, Landing.__str__)

    return set_up


_SET_UPS: dict[str, Callable[[Any, RulesConfig], PreparedTrial]] = {
    "attack": combat.set_up_attack,
    "shoot": combat.set_up_shoot,
    "combat": combat.set_up_combat,
    "duel": combat.set_up_duel,
    "test": set_up_test,
    **{name: _set_up_height(name) for name in HEIGHTS},
    "alone": combat.set_up_alone,
    "battle": set_up_battle,
}
CHANGED = ("attack", "combat", "duel", "battle")
TRIALS = GameTrials(
    # Version 2 asks for no roll-off of models that cannot strike, and for the heights of a scenario by name.
    trials={name: Trial.of(set_up, 2 if name in CHANGED else 1) for name, set_up in _SET_UPS.items()},
    policies=(FORCES, TARGETS),
    fighters=WARRIORS,
    round_robin=round_robin,
    benchmarks=benchmarks,
)
