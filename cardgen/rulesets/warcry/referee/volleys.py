"""The damage that an ability allocates to the target of an activation: how often, how near, and on which faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.attack import MOST_DAMAGE, faces_against, resolve_amount, roll_amount
from cardgen.rulesets.warcry.referee.fighter import FighterStats
from cardgen.rulesets.warcry.selections import Group, shows
from cardgen.rulesets.warcry.wording.sentences import given

ANY_DISTANCE = 1000


class Reach(NamedTuple):
    """When the target belongs to a group: distances in inches, and the damage points that it must have."""

    within: int = ANY_DISTANCE
    beyond: int = -1
    least_damage: int = 0
    most_damage: int = MOST_DAMAGE

    def contains(self, distance: int, damage: int) -> bool:
        """Return whether the target belongs to the group now."""
        return self.beyond < distance <= self.within and self.least_damage <= damage <= self.most_damage


class Volley(NamedTuple):
    """Damage of an ability: dice, whom it reaches, and an amount for each range of faces.

    Without dice, the amounts are allocated once.
    """

    dice: int
    reach: Reach
    outcomes: tuple[tuple[str, int | str], ...]


class Aim(NamedTuple):
    """The two fighters, the cost of the target, what counts of its Toughness, and the value of the ability's dice."""

    user: FighterStats
    target: FighterStats
    cost: int
    toughness: int
    value: int
    is_only_enemy: bool


# What is known of the target by keys of groups; what the others say of it is not known.
_BELONGS: Mapping[str, Callable[[Aim, Any], bool]] = {
    "side": lambda aim, side: side != "friend",
    "to": lambda aim, to: to == "self",
    "visible": lambda aim, _: True,
    "another": lambda aim, _: True,
    "count": lambda aim, _: True,
    "up_to": lambda aim, _: True,
    "nearest": lambda aim, _: aim.is_only_enemy,
    "lower": lambda aim, name: getattr(aim.target, name) < getattr(aim.user, name),
    "runemarks": lambda aim, marks: aim.target.runemarks.issuperset(marks),
    "any_runemarks": lambda aim, marks: not aim.target.runemarks.isdisjoint(marks),
    "cost": lambda aim, most: aim.cost <= most,
    "wounds": lambda aim, least: aim.target.wounds >= least,
    "most_wounds": lambda aim, most: aim.target.wounds <= most,
    "toughness": lambda aim, least: aim.target.toughness >= least,
    "most_toughness": lambda aim, most: aim.target.toughness <= most,
}
# What depends on the distance and the damage points when the ability is used.
_NOW: Mapping[str, Callable[[Aim, Any], dict[str, int]]] = {
    "within": lambda aim, inches: {"within": aim.value if inches == "value" else inches},
    "beyond": lambda aim, inches: {"beyond": inches},
    "damaged": lambda aim, least: {"least_damage": least},
    "unhurt": lambda aim, _: {"most_damage": 0},
    "wounds_left": lambda aim, most: {"least_damage": aim.target.wounds - most},
    "half_wounds": lambda aim, _: {"least_damage": (aim.target.wounds + 1) // 2},
}


def reach_of(group: Group, aim: Aim) -> Reach | None:
    """Return when the target belongs to a group; None if it never does, or if the answer is not known."""
    reach = Reach()
    for key, value in given(group).items():
        if key in _NOW:
            reach = reach._replace(**_NOW[key](aim, value))
        elif key not in _BELONGS or not _BELONGS[key](aim, value):
            return None
    return reach


def volleys_of(changes: Sequence[Change], aim: Aim) -> tuple[tuple[Volley, ...], frozenset[int]]:
    """Return the damage that an ability allocates to its target, and the places of the changes that say so.

    What happens to somebody else, or to more dice than are known, is left out.
    """
    volleys, places, rolls = list[Volley](), set[int](), list[int]()
    picked = rolled = None
    faces, each, pool, roll = 0, 0, 0, 0
    for place, change in enumerate(changes):
        if change.pick:
            picked = None if change.on_roll else reach_of(change.pick, aim)
        if change.roll:
            faces, roll = 0 if change.roll == "2d6" else int(resolve_amount(change.roll, aim.value)), place
        if change.roll_each:
            is_of_one, roll = change.roll_each == "picked", place
            rolled = reach_of(change.roll_each, aim) if isinstance(change.roll_each, Group) else None
            rolled, each = picked if is_of_one else rolled, int(resolve_amount(change.dice_each, aim.value))
            pool = each if is_of_one else MOST_DAMAGE  # How many fighters are rolled for is not known.
        whom = {"picked": picked, "rolled": rolled}.get(change.of) if isinstance(change.of, str) else None
        whom = reach_of(change.of, aim) if isinstance(change.of, Group) else whom
        dice = each if change.of == "rolled" else faces + pool
        is_known = not (change.on_roll and (not dice or dice >= MOST_DAMAGE))
        if change.deal is None or whom is None or not is_known or change.per or change.deal == "rolled":
            continue
        outcome = (
            faces_against(change.on_roll or "1+", aim.toughness, aim.value),
            resolve_amount(change.deal, aim.value),
        )
        volley = Volley(dice if change.on_roll else 0, whom, (outcome,))
        if change.on_roll and rolls and rolls[-1] == roll and volleys[-1][:2] == volley[:2]:
            volleys[-1] = volley._replace(outcomes=(*volleys[-1].outcomes, outcome))
        else:
            volleys.append(volley)
            rolls.append(roll if change.on_roll else -1)
        places.add(place)
    return tuple(volleys), frozenset(places)


def resolve_volley(volley: Volley, who: str) -> Procedure[int]:
    """Roll the dice of a volley, and return its damage points."""
    total = 0
    for _ in range(volley.dice or 1):
        total += yield MemoizedCall(_resolve_die, (volley, who))
    yield Log("{} allocates {} damage points", (who, total))
    return total


def _resolve_die(volley: Volley, who: str) -> Procedure[int]:
    face = 1
    if volley.dice:
        face = yield Roll("ability", who, "ability")
    total = 0
    for faces, amount in volley.outcomes:
        if shows(int(face), faces):
            total += yield from roll_amount(amount, who)
    return total
