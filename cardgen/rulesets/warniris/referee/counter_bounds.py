"""Counter bounds: how far each step looks at the counters, so that states beyond them share a transition.

A game of which not everything is declared has no bounds: each step sees all counters.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game import CounterBounds
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.rulesets.warniris.words import KILLS, MOMENTS, NEARBY_EVENTS, STRIKES, Meaning

# The moments at which effects start in each step in which no attack is made.
STEP_TRIGGERS = {
    step: frozenset(name for name, moment in MOMENTS.items() if step in moment.steps)
    for step in ("dawn", "start", "end", "dusk", "last dusk")
}
ATTACK_TRIGGERS = STRIKES | KILLS | NEARBY_EVENTS


def any_effect_lasts(game: Game, *windows: str) -> bool:
    """True when some effect may be in force until the end of one of these windows."""
    return any(effect.span in windows for effect in game.effects)


def of_effects(game: Game, triggers: frozenset[str]) -> CounterBounds:
    """The bounds of a step in which no attack is made, only effects of these moments start, whosever they are."""
    if not game.is_declared:
        return ()
    affects_others = any(
        party != "bearer" and _changes_wounds(effect)
        for effect in _effects_of(game.effects, triggers)
        for party, _ in effect.deeds
    )

    def wound_bound(who: int) -> int | None:
        own = _effects_of(game.miniatures[who].effects, triggers)
        return None if affects_others or any(map(_changes_wounds, own)) else game.max_wound_threshold(who) + 1

    reactions = game.most_reactions if "turn_start" in triggers else (0, 0)
    return (wound_bound(0), wound_bound(1), 0, 0, *reactions, *_use_bounds(game, triggers))


def _effects_of(effects: Iterable[BoundEffect], triggers: frozenset[str]) -> list[BoundEffect]:
    return [effect for effect in effects if effect.when in triggers or effect.during in triggers]


def of_action(game: Game, who: int, loss: int, other_loss: int | None, *, may_react: bool) -> CounterBounds:
    """The bounds of an action of `who`, or of a part of it, who may lose `loss` Wounds.

    The other one may lose `other_loss`, None for the most that an attack can deal; `may_react` is whether it may use up
    its reaction.
    """
    if not game.is_declared:
        return ()
    if any(map(_changes_wounds_in_attack, game.effects)) or any(p.healing and p.needs_test for p in _all_weapons(game)):
        wounds: CounterBounds = (None, None)
    else:
        own, other = (
            _wound_bound(game, who, loss),
            _wound_bound(game, 1 - who, _max_damage(game) if other_loss is None else other_loss),
        )
        wounds = (own, other) if who == 0 else (other, own)
    most = int(may_react) * game.most_reactions[1 - who]
    reactions = (0, most) if who == 0 else (most, 0)
    return (*wounds, 0, 0, *reactions, *_use_bounds(game, ATTACK_TRIGGERS))


def _wound_bound(game: Game, who: int, loss: int) -> int:
    """Up to how many wounds to distinguish if `loss` may be lost: more reach neither a threshold nor the end."""
    most = loss + _last_damage(game)
    return game.max_wound_threshold(who, is_hurt=most > 0) + most + 1


def _last_damage(game: Game) -> int:
    """The most points that the eliminated deal at their end; each of them does so once."""
    return sum(deeds.most_dealt for effect in game.effects if effect.when == "eliminated" for _, deeds in effect.deeds)


def of_attack(game: Game, attack: AttackAction) -> CounterBounds:
    """The bounds of one attack: it takes wounds off its target alone, or off what is in between."""
    if not game.is_declared:
        return ()
    counter_bounds: CounterBounds | None = game.cache.get(("bounds", attack))
    if counter_bounds is None:
        wounds: list[int | None] = [None] * len(game.miniatures)
        heals = any(weapon.healing for weapon in _all_weapons(game) if weapon.name == attack.weapon)
        if not (heals or attack.between or any(map(_changes_wounds_in_attack, game.effects))):
            wounds[attack.attacker] = _wound_bound(game, attack.attacker, 0)
            wounds[attack.target] = _wound_bound(game, attack.target, 1 if attack.reaction else _max_damage(game))
        counter_bounds = game.cache["bounds", attack] = (
            *wounds,
            0,
            0,
            *[0] * len(wounds),
            *_use_bounds(game, ATTACK_TRIGGERS),
        )
    return counter_bounds


def _use_bounds(game: Game, triggers: frozenset[str]) -> CounterBounds:
    """A thing for once a battle is looked at where it may be used."""
    key = ("use bounds", triggers)
    if key not in game.cache:
        game.cache[key] = tuple(
            int(any(_is_used_at(each, triggers) for each in game.miniatures[who].effects if each.source == source))
            for who, source in game.use_counters
        )
    bounds: CounterBounds = game.cache[key]
    return bounds


def _is_used_at(effect: BoundEffect, triggers: frozenset[str]) -> bool:
    rerolls = any(deeds.reroll for _, deeds in effect.deeds)
    return effect.when in triggers or (rerolls and triggers == ATTACK_TRIGGERS)


def _changes_wounds(effect: BoundEffect) -> bool:
    """True for an effect that moves wounds at once."""
    return bool(effect.meaning & (Meaning.HEALS | Meaning.DEALS))


def _changes_wounds_in_attack(effect: BoundEffect) -> bool:
    """True for an effect that heals or deals during attacks, or that adds to damage for a while."""
    piling = effect.span is not None and any(deeds.damage > 0 for _, deeds in effect.deeds)
    if effect.when == "eliminated" and not effect.during:
        return bool(effect.meaning & Meaning.HEALS)
    return piling or (_changes_wounds(effect) and (effect.when in ATTACK_TRIGGERS or effect.during in ATTACK_TRIGGERS))


def _max_damage(game: Game) -> int:
    """The most points that one attack can deal."""
    more = sum(deeds.damage for deeds in game.deeds if deeds.damage > 0)
    return max((profile.damage for profile in _all_weapons(game)), default=0) + more


def _all_weapons(game: Game) -> list[Profile]:
    """Every weapon and power that somebody has, or may be lent."""
    lent = [deeds.weapon for deeds in game.deeds if deeds.weapon]
    return [*lent, *(weapon for fighter in game.miniatures for weapon in fighter.weapons)]
