"""The objective of a mission, as plain data that the match tracker can decide."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, get_args

from cardgen.game import Field, Flag, Int, IntRange, Model, OneOf
from cardgen.rulesets.warniris import limits
from cardgen.rulesets.warniris.condition import Distance
from cardgen.rulesets.warniris.weapon_line import WEAPON_TYPES, type_advice

GoalEvent = Literal["eliminate", "damage", "attack", "resist", "survive", "pass", "control", "raid", "retreat"]
EventCount = Annotated[Int, IntRange(1, 20, limits.MISSION)]
# The type that the ruling `mission-14-type` decides.
RULED_TYPE = "ruling"
GoalWeapon = Annotated[
    Literal["CW", "RW", "P", "ruling"], OneOf((*WEAPON_TYPES, RULED_TYPE), limits.WEAPON_TYPE, type_advice)
]


class Earn(Model):
    """An objective that the tracker can decide, from its record or with a yes or no.

    `event` must happen `count` times, by one Character or by the whole warband (`by`), within one Move, one turn, or in
    the whole battle (`in`), and to a different miniature each time if `different` is true; with `turns`, in so many
    turns in a row. `of` is who it happens to: 'enemy' is any enemy. For 'survive', it is a miniature of your own side,
    and for 'resist', the attacker. At least `attackers` of your own Characters must have attacked the same target.
    Distances are in cm: `range_over` means strictly more, and `range_within` includes the limit. `rescue` means a
    Reaction that stops the enemy's Attack on another Character. `from` and `then` are the places where the Character
    attacks from, and where it Moves afterward in the same turn. `first` requires that nobody has done it before in this
    battle.

    'pass' is to Move through an enemy without failing a Test. The players report the rest at the end of a turn:
    'control' is to have a Character within `range_within` of the center, 'raid' to Move into the enemy's deployment
    zone and out of it, and 'retreat' to Move out of the Range of an enemy weapon without being hit in that turn.
    """

    event: Annotated[GoalEvent, Field(description="the event that scores")]
    of: Annotated[Literal["enemy", "character", "minion"], Field(description="who it happens to")] = "enemy"
    count: Annotated[EventCount, Field(description="the required number of times")] = 1
    different: Annotated[Flag, Field(description="true: a different miniature each time")] = False
    by: Annotated[Literal["one", "warband"], Field(description="one character, or the whole warband together")] = (
        "warband"
    )
    attackers: Annotated[
        EventCount, Field(description="the number of characters that must have attacked the same target")
    ] = 1
    within: Literal["move", "turn", "battle"] = Field(
        default="battle", alias="in", description="within one Move, one turn, or in the whole battle"
    )
    turns: Annotated[EventCount, Field(description="in this many turns in a row")] = 1
    weapon: Annotated[
        GoalWeapon | None, Field(description="the type of weapon used; ruling: see the ruling mission-14-type")
    ] = None
    range_over: Annotated[Distance | None, Field(description="the target must be farther away than this, in cm")] = None
    range_within: Annotated[
        Distance | None, Field(description="the target (for control: the center) is at most this far away, in cm")
    ] = None
    rescue: Annotated[
        Flag, Field(description="true: by a reaction that stops an attack on another character of yours")
    ] = False
    origin: Literal["zone", "cover"] | None = Field(
        default=None, alias="from", description="the attacker is in its own deployment zone, or in cover"
    )
    then: Annotated[Literal["cover"] | None, Field(description="where the attacker moves back to in the same turn")] = (
        None
    )
    first: Annotated[Flag, Field(description="true: before the other side does it")] = False

    @property
    def is_reported(self) -> bool:
        """Whether the players must report what happened, because the record cannot tell."""
        return self.event in REPORTED_EVENTS or bool(self.origin or self.then)


REPORTED_EVENTS = frozenset({"control", "raid", "retreat"})
_ATTACK_KEYS = frozenset({"of", "count", "different", "by", "in", "turns", "weapon", "range_over", "range_within"})
# The keys that mean something for an event, besides 'event'.
MEANINGFUL_KEYS: Mapping[str, frozenset[str]] = {
    "eliminate": _ATTACK_KEYS | {"attackers", "rescue", "from", "then", "first"},
    "damage": _ATTACK_KEYS | {"attackers", "from", "then", "first"},
    "attack": _ATTACK_KEYS | {"attackers", "from", "then", "first"},
    "resist": _ATTACK_KEYS | {"first"},
    "survive": frozenset({"of", "count", "in"}),
    "pass": frozenset({"count", "by", "in", "turns", "first"}),
    "control": frozenset({"count", "in", "turns", "range_within", "first"}),
    "raid": frozenset({"count", "by", "in", "turns", "first"}),
    "retreat": frozenset({"count", "by", "in", "turns", "first"}),
}
assert MEANINGFUL_KEYS.keys() == set(get_args(GoalEvent))


def meaningless_keys(goal: Earn) -> Iterator[str]:
    """Yield the keys of an objective that mean nothing for its event."""
    given = goal.model_dump(by_alias=True, exclude_defaults=True).keys() - {"event"}
    yield from sorted(given - MEANINGFUL_KEYS[goal.event])
