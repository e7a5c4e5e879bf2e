"""The trials of the skirmish, and policies for choices that no player makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from cardgen.game import (
    CardData,
    Die,
    FirstFighter,
    GameTrials,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    Ruling,
    Trial,
    numbered_names,
)
from cardgen.rulesets.skirmish.referee.attack_trials import (
    MAX_HEIGHT,
    not_simulated,
    rules_of,
    set_up_alone,
    set_up_attack,
    set_up_combat,
    set_up_shoot,
)
from cardgen.rulesets.skirmish.referee.battle.battle import set_up_battle
from cardgen.rulesets.skirmish.referee.cards import WARRIORS, warrior_of
from cardgen.rulesets.skirmish.referee.charts import initiative_test, leadership_test
from cardgen.rulesets.skirmish.referee.duel import TURNS, duel_of, round_robin, state_table
from cardgen.rulesets.skirmish.referee.heights import Landing, climb, fall, jump, leap
from cardgen.rulesets.skirmish.referee.morale import leadership_near
from cardgen.rulesets.skirmish.referee.warrior import FALLEN, FIT, Rules, Warrior

POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "weapon",
        "Which weapon does a warrior use in close combat?",
        {"best": "The one that wounds most in two rounds.", "first": "The first one on the card."},
    ),
    Ruling(
        "forces",
        "How many warriors fight in `balance`?",
        {"points": "As many of each as cost about the same, one after another.", "one": "One of each."},
    ),
)
PASSED, FAILED = "passed", "failed"
CHARACTERISTICS = ("leadership", "initiative")


def _inches(text: str) -> Fraction:
    """Return a length in inches, such as '3.5' or '3 1/2'.

    Raises ValueError for anything else.
    """
    try:
        inches = sum((Fraction(part) for part in text[:12].split()), Fraction(0))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text[:40]!r} is not a valid length in inches") from None
    if not 0 <= inches <= MAX_HEIGHT:
        raise ValueError(f"a height must be between 0 and {MAX_HEIGHT} inches, not {text[:12]}")
    return inches


@dataclass(frozen=True, slots=True)
class TestSituation:
    """A test of Leadership (2D6) or Initiative (D6)."""

    card: Annotated[CardData, Parameter("card", "Warrior.", WARRIORS)]
    attribute: Annotated[str, Parameter("word", "Characteristic.", words=CHARACTERISTICS)]
    leader: Annotated[CardData | None, Parameter("card", 'Leader within 6".', WARRIORS)] = None
    leader_state: Annotated[str, Parameter("word", "Leader's state.", words=(FIT, *FALLEN, "fleeing"))] = FIT


def set_up_test(situation: TestSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a test of a characteristic."""
    who = warrior_of(situation.card)
    leader = warrior_of(situation.leader).ld if situation.leader else 0
    leadership = leadership_near(who.ld, leader, situation.leader_state)

    def procedure() -> Procedure[bool]:
        if situation.attribute == "leadership":
            return (yield from leadership_test(who.name, leadership))
        return (yield from initiative_test(who.name, who.i))

    def tables(die: Die[bool]) -> tuple[OddsTable, ...]:
        return (OddsTable(who.name, ((PASSED, die.chance_of(True)), (FAILED, die.chance_of(False)))),)

    title = f"{situation.attribute.capitalize()} test of {who.name}"
    return PreparedTrial.of(title, procedure, lambda end: (PASSED if end else FAILED,), tables)


@dataclass(frozen=True, slots=True)
class HeightSituation:
    """A warrior falls, jumps down, climbs, or jumps over a gap."""

    warrior: Annotated[CardData, Parameter("card", "Warrior.", WARRIORS)]
    height: Annotated[str, Parameter("word", "Height in inches, such as 4 or '3 1/2'.")]
    down: Annotated[bool, Parameter("flag", "The warrior climbs down.")] = False
    levels: Annotated[int, Parameter("number", "Number of levels to climb.", low=1, high=10)] = 1
    width: Annotated[str, Parameter("word", "Width of the gap in inches.")] = "0"
    movement: Annotated[int | None, Parameter("number", "Movement left for a gap.", high=20, unit="inches")] = None


def _start(what: str, who: Warrior, situation: HeightSituation, rules: Rules) -> Procedure[Landing]:
    """Return the procedure of a trial from its name."""
    height, width = float(_inches(situation.height)), float(_inches(situation.width))
    movement = who.m if situation.movement is None else situation.movement
    if what == "climb":
        return climb(who, who.health, height, rules, down=situation.down, levels=situation.levels)
    if what == "gap":
        return leap(who, who.health, width, movement, height, rules)
    return (fall if what == "fall" else jump)(who, who.health, height, rules)


def _set_up_height(what: str) -> Callable[[HeightSituation, RulesConfig], PreparedTrial]:
    """Return the function that sets up a fall, jump, climb, or gap."""

    def set_up(situation: HeightSituation, config: RulesConfig) -> PreparedTrial:
        who = warrior_of(situation.warrior)
        _inches(situation.height)

        def lines(end: Landing) -> tuple[str, ...]:
            return (f"{who.name} {end.words}: {end.health}",)

        def tables(die: Die[Landing]) -> tuple[OddsTable, ...]:
            parts = tuple(sorted(die.map(lambda end: end.words)))
            return (OddsTable(what.capitalize(), parts), state_table(who.name, die.map(lambda end: end.health)))

        return PreparedTrial.of(
            f"{who.name}: {what}", lambda: _start(what, who, situation, rules_of(config)), lines, tables
        )

    return set_up


@dataclass(frozen=True, slots=True)
class RoutSituation:
    """Rout tests in several turns."""

    leadership: Annotated[int, Parameter("number", "Leadership of the leader.", high=10)]
    tests: Annotated[int, Parameter("number", "Number of tests.", low=1, high=12)] = 1
    next_leadership: Annotated[
        int | None, Parameter("number", "Best Leadership after the leader is lost.", high=10)
    ] = None
    led: Annotated[int, Parameter("number", "Number of tests before that.", high=12)] = 0


def set_up_rout(situation: RoutSituation, config: RulesConfig) -> PreparedTrial:
    """Set up rout tests until one fails."""
    later = situation.leadership if situation.next_leadership is None else situation.next_leadership

    def procedure() -> Procedure[int]:
        for number in range(situation.tests):
            leadership = situation.leadership if number < situation.led or situation.next_leadership is None else later
            if not (yield from leadership_test("force", leadership, "rout test")):
                return number
        return situation.tests

    def lines(end: int) -> tuple[str, ...]:
        return ("the force holds" if end == situation.tests else f"the force routs at test {end + 1}",)

    def tables(die: Die[int]) -> tuple[OddsTable, ...]:
        routs = [(f"routs at test {number + 1}", die.chance_of(number)) for number in range(situation.tests)]
        return (OddsTable("Rout", (("holds", die.chance_of(situation.tests)), *routs)),)

    return PreparedTrial.of("Rout tests", procedure, lines, tables)


@dataclass(frozen=True, slots=True)
class DuelSituation:
    """Two warriors alone in close combat."""

    a: Annotated[CardData, Parameter("card", "First warrior.", WARRIORS)]
    b: Annotated[CardData, Parameter("card", "Second warrior.", WARRIORS)]
    turns: Annotated[int, Parameter("number", "Number of turns of both players.", low=1, high=40)] = TURNS
    weapon_a: Annotated[str | None, Parameter("word", "Weapon of the first warrior.")] = None
    weapon_b: Annotated[str | None, Parameter("word", "Weapon of the second warrior.")] = None
    first: FirstFighter = "a"


def set_up_duel(situation: DuelSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a duel; whoever goes first charges."""
    names = numbered_names((situation.a["name"], situation.b["name"]))
    one, other = warrior_of(situation.a, names[0]), warrior_of(situation.b, names[1])
    duel = duel_of(one, other, RulesConfig(config.rulings, {**config.policy, "forces": "one"}))
    weapons = (situation.weapon_a, situation.weapon_b)
    fighters = [
        each if name is None else each._replace(weapon=each.warrior.weapon(name, is_ranged=False))
        for each, name in zip(duel.fighters, weapons, strict=True)
    ]
    duel.fighters, duel.turns = (fighters[0], fighters[1]), situation.turns
    return duel.prepare(situation.first, not_simulated((one, other)))


_SET_UPS: dict[str, Any] = {
    "attack": set_up_attack,
    "shoot": set_up_shoot,
    "combat": set_up_combat,
    "duel": set_up_duel,
    "test": set_up_test,
    **{name: _set_up_height(name) for name in ("fall", "jump", "climb", "gap")},
    "alone": set_up_alone,
    "rout": set_up_rout,
    "battle": set_up_battle,
}
TRIALS = GameTrials(
    trials={name: Trial.of(set_up) for name, set_up in _SET_UPS.items()},
    policies=POLICIES,
    fighters=WARRIORS,
    round_robin=round_robin,
)
