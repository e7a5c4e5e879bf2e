"""Tables and numbers on the reference sheets of skirmishes, computed by the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardgen.game import (
    Block,
    CardOptions,
    ContentProvider,
    GameData,
    NoOptions,
    ReferenceContent,
    fact_values,
    odds,
    percent,
    rows_table,
    table,
)
from cardgen.rulesets.skirmish.referee import target_numbers, warrior
from cardgen.rulesets.skirmish.referee.target_numbers import COVER
from cardgen.rulesets.skirmish.referee.warrior import ARMOR, DOWN, INJURIES, OUT, STUNNED, Warrior

SKILLS, STRENGTHS, LEADERSHIPS = range(1, 8), range(1, 8), range(5, 11)
BALLISTIC_SKILLS = range(1, 7)
SAVES, MODELS, FALLS = range(6, 1, -1), (1, 4, 5, 8, 9, 12, 13, 15), (2, 3, 4, 5, 6)
_NO_RANGE, _OWN_STRENGTH = "–", "user's"
ORDINARY = Warrior("", 4, 3, 3, 3, 3, 1, 3, 1, 7)


def _need(face: int) -> str:
    return f"{face}+" if face < warrior.NEVER else "–"


def _chart(corner: str, rows: range, columns: range, need: Callable[[int, int], int]) -> Iterator[Block]:
    """Yield a table of the faces needed for each row and column."""
    head = (corner, *map(str, columns))
    yield table(head, [(f"**{row}**", *(_need(need(row, column)) for column in columns)) for row in rows])


def _to_hit(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the rolls that hit in close combat, by Weapon Skill."""
    yield from _chart("WS", SKILLS, SKILLS, warrior.need_to_strike)


def _to_wound(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the rolls that wound, by Strength and Toughness."""
    yield from _chart("S / T", STRENGTHS, STRENGTHS, warrior.need_to_wound)


def _saves(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the rolls that save, by armor save and Strength."""
    yield from _chart("Save / S", SAVES, range(3, 8), warrior.need_to_save)


def _shots(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the number that a shot needs before modifiers, by Ballistic Skill; it can be 1, to which penalties add."""
    yield table(("BS", *map(str, BALLISTIC_SKILLS)), [("need", *(str(7 - skill) for skill in BALLISTIC_SKILLS))])


def _hard_shots(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield what a need above 6 means."""
    rows = [(str(need), "6", f"then {face}+") for need, face in warrior.DOUBLE_NEEDS.items()]
    rows.append((f"{max(warrior.DOUBLE_NEEDS) + 1} or more", "–", "cannot hit"))
    yield from rows_table(("Need", "First", "Second"), rows)


def _injuries(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the injury table, with the chances of the best of one to three dice."""
    rows = []
    for state in (DOWN, STUNNED, OUT):
        faces = [number for number, each in enumerate(INJURIES, 1) if each == state]
        below, within = faces[0] - 1, faces[-1]
        chances = (Fraction(within**dice - below**dice, 6**dice) for dice in (1, 2, 3))
        rows.append((f"{faces[0]} or {faces[-1]}", state.capitalize(), *(percent(chance, 0) for chance in chances)))
    yield from rows_table(("D6", "Injury", "1 die", "best of 2", "best of 3"), rows)


def _falls(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield what a fall does to an ordinary warrior, by height."""
    rules, rows = frozenset(data.rulings.items()), []
    for height in FALLS:
        die: Any = odds(target_numbers.fall, ORDINARY, ORDINARY.health, target_numbers.Attempt(height), rules)
        states = die.map(lambda landing: landing.health.state)
        unhurt = percent(states.chance(lambda state: state not in (DOWN, STUNNED, OUT)), 0)
        rows.append((f'{height}"', unhurt, *(percent(states.chance_of(state), 0) for state in (DOWN, STUNNED, OUT))))
    yield from rows_table(("Height", "Unhurt", "Down", "Stunned", "Out"), rows)


def _leadership(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances to pass a Leadership test."""
    chances = [percent(odds(warrior.leadership_test, "", number).chance_of(True), 0) for number in LEADERSHIPS]
    yield table(("Leadership", *map(str, LEADERSHIPS)), [("passes", *chances)])


def _routs(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield from how many models out on a force tests."""
    pairs = zip(MODELS[::2], MODELS[1::2], strict=True)
    rows = [(f"{low} to {high}", str(warrior.rout_threshold(high))) for low, high in pairs]
    yield from rows_table(("Models", "Test while out"), rows)


def _armory(options: CardOptions, data: GameData) -> Iterator[Block]:
    """Yield the weapons with their hands and rules: those for close combat, then missile weapons.

    Ranges and Strengths have columns where a weapon has its own.
    """
    weapons: Any = data.select("weapon", options.only)
    head, align = ("Weapon", "Range", "Strength", "Hands", "Rules"), "lcccl"
    for is_missile in (False, True):
        rows = [(f"**{e.name}**", *_numbers(e), e.text or "") for e in weapons if bool(e.range) is is_missile]
        shown = [number for number in range(len(head)) if {row[number] for row in rows} - {_NO_RANGE, _OWN_STRENGTH}]
        title = "Missile weapons" if is_missile else "Close combat"
        caption = title if head.index("Strength") in shown else f"{title}, with the user's Strength"
        if rows:
            cells = [[row[number] for number in shown] for row in rows]
            yield table([head[number] for number in shown], cells, "".join(align[number] for number in shown), caption)


def _numbers(weapon: Any) -> tuple[str, str, str]:
    """Return the range of a weapon, its Strength, and the hands that it needs."""
    # Most texts name the bonus; a player who reads it twice adds it twice.
    is_unsaid = weapon.bonus and f"+{weapon.bonus}" not in (weapon.text or "")
    strength = str(weapon.strength) if weapon.strength else f"user's +{weapon.bonus}" if is_unsaid else _OWN_STRENGTH
    return f'{weapon.range}"' if weapon.range else _NO_RANGE, strength, str(weapon.hands)


FACTS = {
    "tests-per-inches": str(target_numbers.INCHES_PER_TEST),
    "jump": f'{target_numbers.HIGHEST_JUMP}"',
    "gap": f'{target_numbers.WIDEST_GAP}"',
    "edge": f'{target_numbers.EDGE}"',
    "leader": f'{target_numbers.LEADER_REACH}"',
    "fast": str(warrior.FAST),
    "soft": f"−{-COVER['soft']}",
    "hard": f"−{-COVER['hard']}",
    "light-armor": f"{ARMOR['light']}+",
    "heavy-armor": f"{ARMOR['heavy']}+",
}
_TABLES = {
    "to-hit": (_to_hit, "the rolls that hit in close combat"),
    "to-wound": (_to_wound, "the rolls that wound"),
    "saves": (_saves, "the rolls that save"),
    "shots": (_shots, "the number that a shot needs before modifiers"),
    "hard-shots": (_hard_shots, "what a need above 6 means"),
    "injuries": (_injuries, "the injury table, with chances"),
    "falls": (_falls, "what a fall does to an ordinary warrior"),
    "leadership": (_leadership, "the chances to pass a Leadership test"),
    "routs": (_routs, "from how many models out on a force tests"),
}
REFERENCE = ReferenceContent(
    sheets=Path(__file__).with_name("sheets"),
    content_providers={
        **{name: ContentProvider(provide, about) for name, (provide, about) in _TABLES.items()},
        "armory": ContentProvider(_armory, "weapons with their numbers and rules", CardOptions),
    },
    inline_values={"fact": fact_values(FACTS)},
    list_kinds=("warband",),
    shared_kinds=("weapon", "aid"),
)
