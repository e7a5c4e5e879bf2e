"""Which changes of battle traits can bear on an attack or an activation: those that no declared fact excludes."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warcry.changes import DEEDS, Change, with_facts
from cardgen.rulesets.warcry.effective import is_declared
from cardgen.rulesets.warcry.selections import Group, Moment
from cardgen.rulesets.warcry.words import EVENTS, Fact

_IDLE = {fact: frozenset(with_facts(fact)) for fact in Fact}
# Moments that do not come in an attack action, of both fighters, of the target, and of the attacker.
_OUTSIDE_ATTACKS = frozenset(EVENTS.where(lambda event: event.is_phase or event.is_between))
_OF_OWN_ATTACKS = frozenset(EVENTS.where(lambda event: event.is_own_attack))
_OF_ATTACKS_ON_IT = frozenset(EVENTS.where(lambda event: event.is_attacked))
# Moments before an attack or in it.
_OF_ABILITIES = frozenset(EVENTS.where(lambda event: event.is_use))


class Role(NamedTuple):
    """What the fighter with a battle trait does in a trial.

    It attacks or is the target, in an attack or in activations, and perhaps has an ability, or makes a reaction.
    """

    is_target: bool
    in_activation: bool
    has_use: bool


def can_bear(change: Change, moment: Moment | None, role: Role) -> bool:
    """Return whether a change of a battle trait, perhaps at a moment, may bear on what a trial of attacks results in.

    That is so unless each of its keys is known not to, and for changes with words that are not declared.
    """
    if not is_declared(change):
        return True
    event = moment.event if moment else ""
    is_outside = event in _OUTSIDE_ATTACKS | (_OF_OWN_ATTACKS if role.is_target else _OF_ATTACKS_ON_IT)
    is_inside = bool(event) and not is_outside and event not in _OF_ABILITIES
    idle = _IDLE[Fact.APART] if is_inside else _IDLE[Fact.APART] | {"lends"}
    if not role.has_use:
        idle |= _IDLE[Fact.OF_USE]
    if role.is_target and _is_of_friends(change, moment) and not change.incoming:
        idle |= _IDLE[Fact.OF_ATTACKER]
    if not role.in_activation:
        idle |= _IDLE[Fact.BETWEEN]
        if not is_inside:
            idle |= _IDLE[Fact.PLACES]
        if is_outside:
            idle |= _IDLE[Fact.DAMAGE]
    return bool(deeds_of(change) - idle)


def deeds_of(change: Change) -> set[str]:
    """Return the keys of what a change does, without those that only say when, for whom, and how."""
    return {key for key in DEEDS if getattr(change, key)}


def _is_of_friends(change: Change, moment: Moment | None) -> bool:
    """Return whether a change is for fighters of the warband that has the trait, and for no others."""
    if isinstance(change.of, Group):
        return change.of.side == "friend"
    is_own_moment = moment is not None and not moment.event.startswith("enemy")
    return change.of == "self" or (change.of == "subject" and is_own_moment)
