"""Canonical forms of miniatures: what can matter in a duel of two that touch, and whether a side keeps no state."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeVar

from cardgen.rulesets.warniris.cards import Ability, Character, Relic
from cardgen.rulesets.warniris.condition import Condition
from cardgen.rulesets.warniris.effect import Deeds, Effect, Weapon
from cardgen.rulesets.warniris.moments import ENEMY_ACTS, STRIKES
from cardgen.rulesets.warniris.referee.battle.attack_action import CHOSEN_PARTIES, GROUP_PARTIES
from cardgen.rulesets.warniris.referee.effects.conditions import only_heals
from cardgen.rulesets.warniris.referee.effects.in_force import effects_in_force
from cardgen.rulesets.warniris.referee.miniature import BoundEffect, Miniature

E = TypeVar("E", bound=Effect)

# Between two that touch, nobody moves, and everything is in range.
_DISTANCE_KEYS = frozenset(
    {"movement", "range", "move", "free_move", "halved", "unless", "push", "pull", "swap", "free_attack", "between"}
)
# In an attack, an effect without a duration ends with it.
_UNEVENTFUL = frozenset({"moving", "eliminated"})
_NO_CONDITION = Condition()
# What happens to somebody that depends on Wounds, on chance, or on how many reactions are left.
_STATEFUL_KEYS = (
    "heal",
    "deal",
    "heal_die",
    "deal_die",
    "weapon",
    "wounds",
    "unless",
    "targeted",
    "answered",
    "score",
    "healing",
)


def duel_form(miniature: Miniature) -> Miniature:
    """Return a miniature without weapons and effects that cannot matter in a duel of two that touch."""
    card, relic = miniature.card, miniature.relic
    changes: dict[str, object] = {"weapons": tuple(_plain_weapon(each) for each in card.weapons if _counts(each))}
    if isinstance(card, Character):
        changes["abilities"] = tuple(plain for each in card.abilities if (plain := _plain_source(each)).effects)
    plain_relic = _plain_source(relic) if relic else None
    return replace(
        miniature,
        card=card.model_copy(update=changes),
        relic=plain_relic if plain_relic and plain_relic.effects else None,
    )


def with_weapons(form: Miniature, names: Collection[str]) -> Miniature:
    """Return a miniature without weapons other than these, and those that count even if they are not in use."""
    weapons = tuple(weapon for weapon in form.card.weapons if weapon.name in names or endows(weapon.effects))
    return replace(form, card=form.card.model_copy(update={"weapons": weapons}))


def _counts(weapon: Weapon) -> bool:
    return weapon.needs_test or endows(weapon.effects)


def endows(effects: Iterable[Effect]) -> bool:
    """Return whether effects give Wounds or lend a weapon, which those of a weapon do even if it is not in use."""
    return any(deeds.wounds or deeds.weapon for effect in effects for _, deeds in effect.deeds)


S = TypeVar("S", Ability, Relic)


def _plain_source(source: S) -> S:
    """Return a thing without effects that cannot matter; a thing for once only is used up as a whole."""
    all_effects, once = effects_in_force(source)
    effects = _of_consequence(all_effects)
    return source.model_copy(
        update={"effects": all_effects if once and effects else effects, "once": once, "text": None}
    )


def _plain_weapon(weapon: Weapon) -> Weapon:
    effects, _ = effects_in_force(weapon)
    plain = weapon.model_copy(update={"effects": _of_consequence(effects), "text": None})
    return plain if plain.needs_test else weapon


def _of_consequence(effects: Iterable[E]) -> tuple[E, ...]:
    """Return the effects that may matter, and those whose die others need."""
    everything = tuple(effects)
    dice = {effect.when for effect in everything if effect.condition.same_roll}
    return tuple(
        effect for effect in everything if _may_matter(effect) or (effect.when in dice and effect.condition.roll)
    )


def _may_matter(effect: Effect) -> bool:
    if {"moving", "enemy_moved"} & {effect.when, effect.during}:
        return False
    is_far = bool(effect.condition.range_over)
    if is_far and effect.active_at in STRIKES:
        return False
    return any(
        _does_something(party, deeds)
        for party, deeds in effect.deeds
        if not (is_far and party in (*GROUP_PARTIES, *CHOSEN_PARTIES))
    )


def _does_something(party: str, deeds: Deeds) -> bool:
    """Return whether deeds concern one of the two, and change more than distances."""
    names = (name for name in type(deeds).model_fields if name not in _DISTANCE_KEYS)
    return party not in ("friends", "friend") and any(getattr(deeds, name) for name in names)


def keeps_no_state(effect: BoundEffect) -> bool:
    """Return whether an effect depends neither on Wounds nor on chance beyond its attack, and neither heals nor deals.

    What holds for a while then starts and ends at certain moments, as long as both stand. An effect of points of Damage
    may depend on the Wounds of the one who takes them. A re-roll for once depends on earlier tests.
    """
    is_stateful = any(
        deeds.reactions == "more" or any(getattr(deeds, key) for key in _STATEFUL_KEYS) for _, deeds in effect.deeds
    )
    asks_wounds = effect.condition.unhurt or (effect.condition.wounds_at_most is not None and not effect.prevents_loss)
    is_of_enemies = bool(ENEMY_ACTS & {effect.when, effect.during})
    if is_stateful or asks_wounds or is_of_enemies or effect.condition.reaction:
        return False
    if effect.is_constant:
        return not (effect.once and any(deeds.reroll for _, deeds in effect.deeds))
    if effect.when in STRIKES:
        return not (effect.span or effect.once)
    return effect.when not in _UNEVENTFUL and not effect.condition.takes_chance


def heals_once(form: Miniature, effect: BoundEffect) -> bool:
    """Return whether an effect is all of a thing for once a battle, which heals its bearer at its activation."""
    is_alone = sum(other.source == effect.source for other in form.effects) == 1
    is_plain = not (effect.span or effect.during or effect.weapon) and effect.condition == _NO_CONDITION
    if not (is_alone and is_plain and effect.once is True and effect.when == "activation_start"):
        return False
    return [(party, only_heals(deeds)) for party, deeds in effect.deeds] == [("bearer", True)]


def duel_content(form: Miniature, *, with_names: bool) -> str:
    """Return all that the duels of a miniature depend on, as text.

    Names don't count, except those of weapons if some effect names one or lends one, which replaces one of the same
    name.
    """
    return repr((attacker_content(form, with_names=with_names), target_content(form), form.wounds))


def attacker_content(form: Miniature, *, with_names: bool) -> str:
    """Return all that the attacks of a miniature that keeps no state depend on, as text."""
    stats = form.card.stats
    weapons = [
        (weapon.name if with_names else "", weapon.type, weapon.penetration, weapon.damage, weapon.healing)
        for weapon in form.card.weapons
    ]
    return repr((form.card.KIND, stats.mind, stats.spirit, weapons, _effects_content(form)))


def target_content(form: Miniature) -> str:
    """Return all that attacks on a miniature that keeps no state depend on, apart from its Wounds, as text."""
    stats = form.card.stats
    return repr((form.card.KIND, stats.body, stats.spirit, _effects_content(form)))


def _effects_content(form: Miniature) -> list[object]:
    """Return the effects of a miniature without names, and the attributes that their Tests need."""
    tested = [getattr(form.card.stats, each.condition.test) for each in form.effects if each.condition.test]
    effects = (replace(effect, name="", weapon="weapon" if effect.weapon else "") for effect in form.effects)
    return [tested, *effects]
