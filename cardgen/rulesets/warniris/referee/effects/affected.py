"""Whom an effect concerns: groups, those that a player chooses, and those whose Test does not save them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cardgen.game import Decision, Log, Procedure
from cardgen.rulesets.warniris.moments import NEARBY_EVENTS, STRIKES
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    CHOSEN_PARTIES,
    GROUP_PARTIES,
    AttackAction,
    ModifierContext,
    is_in_group,
    meets_distance,
    meets_weapon,
    opponent_kind,
    party_members,
    profile_of,
)
from cardgen.rulesets.warniris.referee.battle.crowd import group_by_kind
from cardgen.rulesets.warniris.referee.battle.nearness import ask_near
from cardgen.rulesets.warniris.referee.effects.conditions import is_hurt, only_heals
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.reroll import take_test
from cardgen.rulesets.warniris.referee.state import State

# The members of each party of an effect.
Affected: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
Nearness: TypeAlias = Callable[[State, int, BoundEffect], Procedure[bool]]


def choose_all_affected(
    game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None, *, lasts: bool
) -> Procedure[tuple[State, Affected]]:
    """Return the members of each party that an effect does something to now; `lasts` if it changes values."""
    affected = []
    for party, deeds in effect.deeds:
        members: tuple[int, ...] = ()
        if deeds.acts_at_once or (lasts and deeds.can_last):
            hurt_only = only_heals(deeds)
            members = yield from _choose_affected(game, state, who, effect, party, attack, hurt_only=hurt_only)
        if members and deeds.unless:
            state, members = yield from _without_saved(game, state, effect, members, deeds.unless)
        affected.append((party, members))
    return state, tuple(affected)


def _without_saved(
    game: Game, state: State, effect: BoundEffect, members: tuple[int, ...], attribute: str
) -> Procedure[tuple[State, tuple[int, ...]]]:
    """Return those who fail the Test that saves from an effect."""
    failed = []
    for number, other in enumerate(members):
        what = f"against {effect.name}"
        state, is_saved = yield from take_attribute_test(game, state, other, what, attribute, number)
        if is_saved:
            yield Log("{} withstands {}", (game.name(other), effect.name))
        else:
            failed.append(other)
    return state, tuple(failed)


def take_attribute_test(
    game: Game, state: State, who: int, what: str, attribute: str, number: int = 0
) -> Procedure[tuple[State, bool]]:
    """Take a Test of an attribute outside an attack; `number` tells those of one effect apart."""
    context = ModifierContext(frozenset())
    reasons = modifiers.modifiers_on(game, state, who, attribute, context)
    key = f"{what}: {attribute} {number}"
    test = modifiers.attribute_test(game, key, who, what, attribute, reasons)
    return (yield from take_test(game, state, test, who, "save", context))


def _choose_affected(
    game: Game,
    state: State,
    who: int,
    effect: BoundEffect,
    party: str,
    attack: AttackAction | None,
    *,
    hurt_only: bool = False,
) -> Procedure[tuple[int, ...]]:
    """Whom an effect concerns; where the table alone knows the distances, it is asked."""
    candidates = party_members(game, state, who, party, attack)
    if party not in (*GROUP_PARTIES, *CHOSEN_PARTIES):
        return candidates
    is_measured = (attack and effect.active_at in STRIKES) or effect.active_at in NEARBY_EVENTS
    if not (game.is_interactive and effect.depends_on_distance) or is_measured:
        members = tuple(other for other in candidates if is_in_group(game, state, who, other, effect, party, attack))
    else:
        against = effect.condition.against if party in ("enemies", "enemy") else None
        concerned = [
            other
            for other in candidates
            if (not hurt_only or is_hurt(game, state, other)) and against in (None, opponent_kind(game, other))
        ]
        members = yield from ask_near(game, state, who, concerned, effect)
    return (yield from _choose_one(game, state, who, effect, members)) if party in CHOSEN_PARTIES else members


def _choose_one(
    game: Game, state: State, who: int, effect: BoundEffect, members: tuple[int, ...]
) -> Procedure[tuple[int, ...]]:
    """Return the one whom the bearer's player chooses; where nobody is asked, the first."""
    kinds = group_by_kind(game, state, members)
    if len(kinds) < 2 or not game.is_interactive:
        return members[:1]
    chosen = yield Decision(f"chosen by {effect.name}", game.name(who), f"{effect.name}: whom", tuple(kinds))
    return (kinds[chosen][0],)


def is_near(
    game: Game, state: State, who: int, effect: BoundEffect, *, victim: int, attack: AttackAction | None = None
) -> Procedure[bool]:
    """Whether the miniature whose moment it is is of the kind and at the distance that an effect asks for."""
    condition = effect.condition
    if attack and not meets_weapon(condition, profile_of(game, state, attack)):
        return False
    if condition.against not in (None, opponent_kind(game, victim)):
        return False
    if not effect.depends_on_distance:
        return True
    if not game.is_interactive:
        return meets_distance(game, condition, state.mode.distance)
    return bool((yield from ask_near(game, state, who, [victim], effect)))
