"""The attack action: its weapons, the effects that apply to it, and the events that it logs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from cardgen.rulesets.warniris.condition import Attackers, Condition, OpponentKind
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.moments import KILLS, NEARBY_EVENTS, STRIKES
from cardgen.rulesets.warniris.referee.effects.bearer_state import is_within, meets_state
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.mode import ActiveEffect
from cardgen.rulesets.warniris.referee.state import State
from cardgen.rulesets.warniris.weapon_line import Profile, is_same_name


class AttackAction(NamedTuple):
    """Who strikes whom, with which weapon or power, and how they stand to each other.

    `distance` in cm, None for touching: in range of everything. `gap` is true where the target shows through a gap
    in its cover. `between` are the miniatures in the line, from the attacker outward. `hits` is true where no test to
    hit is needed, and `is_second` for the second reaction in a turn, if effects ask.
    """

    attacker: int
    target: int
    weapon: str
    distance: int | None = None
    gap: bool = False
    between: tuple[int, ...] = ()
    reaction: bool = False
    hits: bool = False
    is_second: bool = False

    @property
    def pair(self) -> tuple[int, int]:
        """Attacker and target."""
        return self.attacker, self.target

    def opponent(self, who: int) -> int:
        """The other one of the pair; for somebody who is not of it, the attacker."""
        return self.target if who == self.attacker else self.attacker


def available_weapons(game: Game, state: State, who: int) -> dict[str, Profile]:
    """The weapons and powers that a miniature may use now, by name: its card's, and those that effects lend it."""
    miniature = game.miniatures[who]
    if not game.lends_weapons:
        return miniature.weapons_by_name
    key = ("weapons", who, state.mode, game.wound_key(state) if game.wound_thresholds else ())
    available: dict[str, Profile] | None = None if game.is_interactive else game.cache.get(key)
    if available is None:
        lent = [
            deeds.weapon
            for effect in miniature.constant_effects
            for party, deeds in effect.deeds
            if party == "bearer" and deeds.weapon and meets_state(game, effect, state, who)
        ]
        for active in state.mode.active_effects:
            affected = dict(active.affected)
            for party, deeds in game.miniatures[active.owner].effects[active.effect_number].deeds:
                if deeds.weapon and who in affected.get(party, ()):
                    lent.append(deeds.weapon)
        available = miniature.weapons_by_name | {weapon.name: weapon for weapon in lent}
        game.cache[key] = available
    return available


def weapon_of(game: Game, state: State, attack: AttackAction) -> Profile:
    """The weapon or power of an attack, which keeps a lent weapon until its end even if its bearer loses it."""
    weapon = available_weapons(game, state, attack.attacker).get(attack.weapon)
    return weapon or game.lent_weapons[attack.attacker][attack.weapon]


def lost_weapon(game: Game, state: State, attack: AttackAction) -> str:
    """Return a message if an attacker no longer has the weapon of its attack, or ''."""
    if attack.weapon in available_weapons(game, state, attack.attacker):
        return ""
    return f"{game.name(attack.attacker)} no longer has {attack.weapon}"


def meets_weapon(condition: Condition, weapon: Profile | None) -> bool:
    """Whether a weapon is the one that a condition asks for, if any."""
    if weapon is None:
        return not (condition.weapon or condition.weapon_name)
    is_type = condition.weapon is None or weapon.type in condition.weapon.split("/")
    return is_type and (condition.weapon_name is None or is_same_name(condition.weapon_name, weapon.name))


def meets_distance(game: Game, condition: Condition, distance: int | None) -> bool:
    """Whether a distance fits the condition; those that touch are at 0 cm."""
    cm = distance or 0
    if condition.range_over is not None and is_within(game, cm, condition.range_over):
        return False
    return condition.range_within is None or is_within(game, cm, condition.range_within)


def meets_condition(game: Game, state: State, condition: Condition, owner: int, attack: AttackAction) -> bool:
    """Whether an attack is one that the condition speaks of."""
    if not meets_weapon(condition, profile_of(game, state, attack)) or not meets_order(
        game, state, condition, owner, attack
    ):
        return False
    if condition.against and condition.against != opponent_kind(game, attack.opponent(owner)):
        return False
    return meets_distance(game, condition, attack.distance)


def meets_order(game: Game, state: State, condition: Condition, owner: int, attack: AttackAction | None) -> bool:
    """Whether an attack comes after those that a condition asks for: a reaction, or an attack of a friend."""
    if condition.reaction and not (attack and attack.is_second):
        return False
    return not condition.assisted or bool(attack and _is_assisted(game, state, condition.assisted, owner, attack))


def _is_assisted(game: Game, state: State, kind: Attackers, owner: int, attack: AttackAction) -> bool:
    """Whether another friend, or one of a kind, has attacked the target in this turn, as the record says."""
    return any(
        event.kind == "attack"
        and (event.turn, event.subject) == (state.mode.turn, attack.target)
        and event.weapon != "P"
        and event.actor != owner
        and game.sides[event.actor] == game.sides[owner]
        and kind in ("friend", opponent_kind(game, event.actor))
        for event in state.mode.events
    )


def opponent_kind(game: Game, who: int) -> OpponentKind:
    """'character' or 'minion'."""
    return "minion" if game.miniatures[who].is_minion else "character"


GROUP_PARTIES = ("friends", "enemies")
# One of a group, whom the bearer's player chooses.
CHOSEN_PARTIES = ("friend", "enemy")


class ModifierContext(NamedTuple):
    """What is going on: the events of the attacker or mover, those of the target, and the attack or the mover."""

    attacker_events: frozenset[str]
    target_events: frozenset[str] = frozenset()
    attack: AttackAction | None = None
    mover: int | None = None

    def events_of(self, who: int) -> frozenset[str]:
        """The events at which somebody is now."""
        if self.attack is None:
            return self.attacker_events if who == self.mover else frozenset()
        if who == self.attack.attacker:
            return self.attacker_events
        return self.target_events if who == self.attack.target else frozenset()


class AppliedEffect(NamedTuple):
    """An effect that bears on somebody: whose it is, the effect, and what it does to that one."""

    owner: int
    effect: BoundEffect
    deeds: Deeds


def effects_on(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """Every effect that bears on `who` now: those that always bear, and those in force."""
    for owner, miniature in enumerate(game.miniatures):
        if miniature.constant_effects and state.stands(owner):
            for effect in miniature.constant_effects:
                for party, deeds in effect.deeds:
                    if _constant_applies(game, state, owner, effect, party, who, context):
                        yield AppliedEffect(owner, effect, deeds)
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        for party, deeds in effect.deeds:
            if _active_applies(game, state, active, effect, party, who, context):
                yield AppliedEffect(active.owner, effect, deeds)


def _constant_applies(
    game: Game, state: State, owner: int, effect: BoundEffect, party: str, who: int, context: ModifierContext
) -> bool:
    condition, attack = effect.condition, context.attack
    if who not in party_members(game, state, owner, party, attack) or not meets_state(game, effect, state, owner):
        return False
    if effect.weapon and (
        attack is None or (attack.attacker, attack.weapon) != (owner, effect.weapon) or attack.reaction
    ):
        return False
    if not meets_weapon(condition, profile_of(game, state, attack)):
        return False
    if not meets_order(game, state, condition, owner, attack):
        return False
    if party in GROUP_PARTIES:
        return is_in_group(game, state, owner, who, effect, party, attack)
    if party in CHOSEN_PARTIES:
        return False
    return not (
        condition.against and (attack is None or condition.against != opponent_kind(game, attack.opponent(owner)))
    )


def is_in_group(
    game: Game, state: State, owner: int, who: int, effect: BoundEffect, party: str, attack: AttackAction | None
) -> bool:
    """Whether somebody is one of the friends or enemies whom a condition chooses, as far as distances are known."""
    condition = effect.condition
    names_kind = party in ("enemies", "enemy") and effect.active_at not in STRIKES | KILLS | NEARBY_EVENTS
    if names_kind and condition.against and condition.against != opponent_kind(game, who):
        return False
    if not effect.depends_on_distance or effect.active_at in NEARBY_EVENTS:
        return True
    is_attack_pair = attack is not None and {owner, who} == set(attack.pair)
    if is_attack_pair and attack is not None:
        return meets_distance(game, condition, attack.distance)
    return not game.is_interactive and meets_distance(game, condition, state.mode.distance)


def _active_applies(
    game: Game, state: State, active: ActiveEffect, effect: BoundEffect, party: str, who: int, context: ModifierContext
) -> bool:
    during, attack = effect.during, context.attack
    is_own_reaction = attack is not None and attack.reaction and who == attack.attacker == active.owner
    if is_own_reaction and active.until == "turn" and game.rulings["bonus-on-reaction"] == "actions":
        return False
    if not during:
        affected = dict(active.affected).get(party, ())
        is_unrestricted = effect.when in STRIKES or attack is None
        return who in affected and (is_unrestricted or meets_weapon(effect.condition, profile_of(game, state, attack)))
    if during not in context.events_of(active.owner) or who not in party_members(
        game, state, active.owner, party, attack
    ):
        return False
    return attack is None or meets_condition(game, state, effect.condition, active.owner, attack)


def has_freedom(game: Game, state: State, who: int, key: str, context: ModifierContext | None = None) -> bool:
    """Whether an effect that bears on a miniature lifts a rule or sets one."""
    if key not in game.freedoms:
        return False
    applied = effects_on(game, state, who, context or ModifierContext(frozenset()))
    return any(getattr(each.deeds, key) for each in applied)


def profile_of(game: Game, state: State, attack: AttackAction | None) -> Profile | None:
    """The weapon or power of an attack, if there is one."""
    return weapon_of(game, state, attack) if attack else None


def party_members(game: Game, state: State, owner: int, party: str, attack: AttackAction | None) -> tuple[int, ...]:
    """Whom a word of an effect means."""
    if party == "bearer":
        return (owner,)
    if party in ("friends", "friend"):
        return game.friends(state, owner)
    if party in ("enemies", "enemy"):
        return game.enemies(state, owner)
    if party == "actor":
        return () if state.mode.actor is None else (state.mode.actor,)
    if attack is None or owner not in attack.pair:
        return ()
    return (attack.attacker,) if party == "attacker" else (attack.target,)


def without_effects_on(state: State, people: Collection[int]) -> State:
    """The state without effects in force on these miniatures."""

    def without(active: ActiveEffect) -> ActiveEffect:
        affected = ((party, tuple(who for who in members if who not in people)) for party, members in active.affected)
        return active._replace(affected=tuple(affected))

    kept = sorted(map(without, state.mode.active_effects))
    return State(state.mode._replace(active_effects=tuple(kept)), state.counters)
