"""One attack or channel, as geometry and choice have settled it."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.effect import Condition, OpponentKind
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game
from cardgen.rulesets.warniris.profile import Profile


class AttackAction(NamedTuple):
    """Who strikes whom, with which weapon or power, and how they stand to each other.

    `distance` in cm, None for touching: in range of everything. `gap` is true where the target shows through a gap
    in its cover. `between` are the miniatures in the line, from the attacker outward.
    """

    attacker: int
    target: int
    weapon: str
    distance: int | None = None
    gap: bool = False
    between: tuple[int, ...] = ()
    reaction: bool = False

    @property
    def pair(self) -> tuple[int, int]:
        """Attacker and target."""
        return self.attacker, self.target

    def opponent(self, who: int) -> int:
        """The other one of the pair; for somebody who is not of it, the attacker."""
        return self.target if who == self.attacker else self.attacker


def available_weapons(game: Game, state: State, who: int) -> dict[str, Profile]:
    """The weapons and powers that a miniature may use now, by name: its card's, and those that effects lend it."""
    key = ("weapons", who, state.mode, game.wound_key(state) if game.wound_thresholds else ())
    available: dict[str, Profile] | None = None if game.is_interactive else game.cache.get(key)
    if available is None:
        miniature = game.miniatures[who]
        available = {weapon.name: weapon for weapon in miniature.weapons}
        lent = [
            deeds.weapon
            for effect in miniature.constant_effects
            for party, deeds in effect.deeds
            if party == "bearer" and deeds.weapon and meets_wounds(effect.condition, state, who)
        ]
        for active in state.mode.active_effects:
            affected = dict(active.affected)
            for party, deeds in game.miniatures[active.owner].effects[active.effect_number].deeds:
                if deeds.weapon and who in affected.get(party, ()):
                    lent.append(deeds.weapon)
        available.update((weapon.name, weapon) for weapon in lent)
        game.cache[key] = available
    return available


def meets_wounds(condition: Condition, state: State, owner: int) -> bool:
    """Whether the bearer has few enough wounds left."""
    return condition.wounds_at_most is None or state.wounds(owner) <= condition.wounds_at_most


def meets_distance(condition: Condition, distance: int | None) -> bool:
    """Whether a distance fits the condition: over is strictly more, within includes the limit (ruling `distance`)."""
    cm = distance or 0
    if condition.range_over is not None and cm <= condition.range_over:
        return False
    return condition.range_within is None or cm <= condition.range_within


def meets_condition(game: Game, condition: Condition, weapon_type: str, owner: int, attack: AttackAction) -> bool:
    """Whether an attack with a weapon of this type is one that the condition speaks of."""
    if condition.weapon and condition.weapon != weapon_type:
        return False
    if condition.against and condition.against != opponent_kind(game, attack.opponent(owner)):
        return False
    return meets_distance(condition, attack.distance)


def opponent_kind(game: Game, who: int) -> OpponentKind:
    """'character' or 'minion'."""
    return "minion" if game.miniatures[who].is_minion else "character"
