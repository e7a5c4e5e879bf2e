"""Rules in words: the players apply them, and say what happens to damage points and dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from cardgen.game import SIDES, Log, Measurement, Procedure, choose, choose_one
from cardgen.rulesets.warcry.cards import Ability, Rule, Trait
from cardgen.rulesets.warcry.referee.battle.actions.damage import allocate, remove_damage, suffer_impact
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.table import Side, Table
from cardgen.rulesets.warcry.referee.initiative_phase import SET_NAMES, DiceSet
from cardgen.rulesets.warcry.wording import describe

# Marks and icons in the text of a card, which a terminal does not show.
MARKS = re.compile(r"\{[a-z0-9-]+\} ?|\*+")
DONE, SEVERAL = "nothing to note", "several of these"
NEW_SET, NO_SET = "none; a set is gained", "no set; it is lost"
Step = Callable[[Table, Side, str], Procedure[None]]


def plain_words(rule: Ability | Rule | Trait) -> str:
    """Return the printed text of a rule for a terminal."""
    return plain_text(describe(rule))


def plain_text(text: str) -> str:
    """Return a text without the marks and icons of cards."""
    return MARKS.sub("", text)


def note_effects(table: Table, side: Side, rule: str) -> Procedure[None]:
    """Ask for the effect of a rule in words; those of several are asked for until nothing else is to note."""
    what = f"effect of '{rule}'"
    step = yield from choose("effect", side.name, what, {**_steps(table), SEVERAL: _note_several})
    if step:
        yield from step(table, side, rule)


def _note_several(table: Table, side: Side, rule: str) -> Procedure[None]:
    while step := (yield from choose("effect", side.name, f"effect of '{rule}'", _steps(table))):
        yield from step(table, side, rule)


def note_event(table: Table, side: Side) -> Procedure[None]:
    """Ask for something else that happens: a fall, or the effect of a rule in words."""
    options: dict[str, Step | None] = {"a fighter falls": _fall, **_steps(table)}
    step = yield from choose("event", side.name, "what else happens", options)
    if step:
        yield from step(table, side, "an event")


def _steps(table: Table) -> dict[str, Step | None]:
    """Return the effects that are possible, by label."""
    options: dict[str, Step | None] = {DONE: None, "damage points are allocated": _allocate}
    if any(each.damage for each in _standing(table)):
        options["damage points are removed"] = _remove
    if any(each.is_down for each in table.combatants):
        options["a fighter returns"] = _return
    return {
        **options,
        "a fighter is moved": _move,
        "a wild die is saved": _save_wild_die,
        "ability dice change": _change_dice,
    }


def _standing(table: Table) -> list[Combatant]:
    return [each for each in table.combatants if each.stands]


def _ask_points(who: Combatant, most: int) -> Procedure[int]:
    if most == 1:
        return 1
    points = yield Measurement("points", who.name, "damage points", 1, most)
    return int(points)


def _allocate(table: Table, side: Side, rule: str) -> Procedure[None]:
    who = yield from choose_one("fighter", side.name, "who is allocated damage points", _standing(table))
    if who:
        points = yield from _ask_points(who, who.stats.wounds - who.damage)
        yield from allocate(table, who, points)


def _remove(table: Table, side: Side, rule: str) -> Procedure[None]:
    hurt = [each for each in _standing(table) if each.damage]
    who = yield from choose_one("fighter", side.name, "who loses damage points", hurt)
    if who:
        points = yield from _ask_points(who, who.damage)
        yield from remove_damage(who, points)


def _move(table: Table, side: Side, rule: str) -> Procedure[None]:
    who = yield from choose_one("fighter", side.name, "who is moved", _standing(table))
    if who:
        table.distances.forget(who)


def _return(table: Table, side: Side, rule: str) -> Procedure[None]:
    """Let a fighter that was taken down return without damage points."""
    down = [each for each in table.combatants if each.is_down]
    who = yield from choose_one("fighter", side.name, "who returns", down)
    if who:
        who.damage = 0
        yield Log("{} returns", (who.name,))


def _fall(table: Table, side: Side, rule: str) -> Procedure[None]:
    who = yield from choose_one("fighter", side.name, "who falls", _standing(table))
    if who:
        yield from suffer_impact(table, who)


def _pick_side(table: Table, side: Side, what: str) -> Procedure[Side]:
    return (yield from choose("owner", side.name, what, {each.name: each for each in table.sides}))


def _save_wild_die(table: Table, side: Side, rule: str) -> Procedure[None]:
    owner = yield from _pick_side(table, side, "who saves a wild die")
    owner.wild += 1
    yield Log("{} has {} saved wild {}", (owner.name, owner.wild, "die" if owner.wild == 1 else "dice"))


def _change_dice(table: Table, side: Side, rule: str) -> Procedure[None]:
    """Replace a set of ability dice by another, or gain or lose one."""
    owner = yield from _pick_side(table, side, "whose ability dice change")
    old = yield from choose("old set", side.name, "set that changes", {NEW_SET: None, **_labels(owner.sets)})
    sets = [DiceSet(value, size) for size in SET_NAMES for value in range(1, SIDES + 1)]
    new = yield from choose("new set", side.name, "it becomes", {NO_SET: None, **_labels(sets)})
    if old:
        owner.sets.remove(old)
    if new:
        owner.sets.append(new)
    yield Log("{}: {}", (owner.name, ", ".join(map(str, owner.sets)) or "no sets"))


def _labels(sets: Iterable[DiceSet]) -> dict[str, DiceSet | None]:
    return {str(each): each for each in sets}
