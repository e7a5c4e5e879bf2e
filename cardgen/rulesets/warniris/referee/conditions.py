"""Attacks, whom effects concern, whether their conditions hold, and the record of a battle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cardgen.game import Decision, Log, Measurement, Procedure, Roll, Selection, quantity
from cardgen.rulesets.warniris.effect import (
    CONDITIONS,
    DEEDS,
    NEIGHBORS,
    PARTIES,
    Attackers,
    Condition,
    Deeds,
    Die,
    OpponentKind,
)
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, Span, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.rulebook import TABLE_DIAGONAL
from cardgen.rulesets.warniris.weapon_line import Profile, is_same_name
from cardgen.rulesets.warniris.words import KILLS, NEARBY_EVENTS, STRIKES, Said, Side


def meets_state(game: Game, effect: BoundEffect, state: State, owner: int) -> bool:
    """Whether the bearer stands as an effect asks, as far as that is known.

    Where players measure, what only the table knows is asked when the effect starts; what always bears is put into
    force by `ask_auras` then.
    """
    condition, wounds = effect.condition, state.wounds(owner)
    moved = state.mode.statuses[owner].moved if condition.unmoved else ""
    if moved and (moved == "activation" or condition.unmoved == "turn"):
        return False
    if condition.turns and state.mode.turn not in condition.turns:
        return False
    if effect.wound_limit is not None and wounds > effect.wound_limit:
        return False
    if condition.unhurt and wounds < game.miniatures[owner].wounds:
        return False
    if not condition.asks_table:
        return True
    return not effect.is_constant if game.is_interactive else _meets_known(game, state, owner, condition)


def _meets_known(game: Game, state: State, owner: int, condition: Condition) -> bool:
    """Whether friends and enemies are where a condition wants them; distances are that of the two in a duel.

    Friends are far, and nobody is at any special place.
    """
    if condition.place or condition.friend_within is not None:
        return False
    distance, has_enemies = state.mode.distance or 0, bool(game.enemies(state, owner))
    within, over = condition.enemy_within, condition.enemy_over
    if within is not None and not (has_enemies and is_within(game, distance, within)):
        return False
    return over is None or not (has_enemies and is_within(game, distance, over))


def is_within(game: Game, distance: int, limit: int) -> bool:
    """Whether a distance is within a limit, and not over it (ruling `distance`)."""
    return distance < limit or (distance == limit and game.rulings["distance"] == "strict")


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
    key = ("weapons", who, state.mode, game.wound_key(state) if game.asks_wounds else ())
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


GROUP_PARTIES = PARTIES.where(lambda party: party.is_group)
# One of a group, whom the bearer's player chooses.
CHOSEN_PARTIES = PARTIES.where(lambda party: party.is_chosen)
_ENEMIES = PARTIES.where(lambda party: party.side is Side.ENEMY and (party.is_group or party.is_chosen))


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
    names_kind = party in _ENEMIES and effect.active_at not in STRIKES | KILLS | NEARBY_EVENTS
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
    pair = {"attacker": attack.attacker, "target": attack.target} if attack and owner in attack.pair else {}
    return (pair[party],) if pair else ()


def without_effects_on(state: State, people: Collection[int]) -> State:
    """The state without effects in force on these miniatures."""

    def without(active: ActiveEffect) -> ActiveEffect:
        affected = ((party, tuple(who for who in members if who not in people)) for party, members in active.affected)
        return active._replace(affected=tuple(affected))

    kept = sorted(map(without, state.mode.active_effects))
    return State(state.mode._replace(active_effects=tuple(kept)), state.counters)


YES, NO = "yes", "no"


def mark_used(game: Game, state: State, who: int, effect: BoundEffect) -> State:
    """The state after a thing for once only was used; without a limit nothing changes."""
    status = state.mode.statuses[who]
    if effect.once == "turn" and effect.source not in status.used_sources:
        return state.set_status(who, status._replace(used_sources=tuple(sorted((*status.used_sources, effect.source)))))
    counter = game.use_counters.get((who, effect.source))
    return state if counter is None else state.change_counter(counter, -state.counters[counter])


def can_pay(state: State, who: int, effect: BoundEffect) -> bool:
    """Whether a bearer has the Wounds that an effect costs, if any, besides its last one."""
    return not effect.cost or state.wounds(who) > effect.cost


def pay_cost(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[tuple[State, bool]]:
    """Whether the bearer's player pays the Wounds that an effect costs, if any."""
    if not effect.cost:
        return state, True
    what = f"lose {effect.cost} for {effect.name}"
    if not can_pay(state, who, effect) or (yield Decision(what, game.name(who), what, (YES, NO), NO)) == NO:
        return state, False
    state = game.notes.note_counters(state.change_counter(who, -effect.cost))
    yield Log("{} loses {} and has {} left", (game.name(who), quantity(effect.cost, "Wound"), state.wounds(who)))
    return state, True


def mark_moved(game: Game, state: State, who: int) -> State:
    """The state after a Move, if some effect asks for it."""
    return state.set_status(who, state.mode.statuses[who]._replace(moved="activation")) if game.tracks_moves else state


def end_activation_marks(game: Game, state: State) -> State:
    """The state at the end of an activation: what has moved in it has moved in this turn."""
    for who, status in enumerate(state.mode.statuses) if game.tracks_moves else ():
        if status.moved == "activation":
            state = state.set_status(who, status._replace(moved="turn"))
    return state


class LogEvent(NamedTuple):
    """An event, who did it to whom, with what, from how far (cm), in which turn, and whether in a reaction.

    Events are attack, hit, resist, damage and eliminate. For 'resist' it is the target that did it, to the attacker.
    'aim' and 'done' are the start and the end of an action against a target, with all reactions in between. 'move' is a
    Move, and 'pass' an enemy that it passed through, unless a Test failed in it; `move` is its number. What players
    report at the end of a turn is an event without a subject, or a place in `reports` of an earlier one.
    """

    kind: str
    actor: int
    subject: int | None
    weapon: str
    distance: int | None
    turn: int
    reaction: bool = False
    move: int = 0
    reports: tuple[str, ...] = ()


def log_event(game: Game, state: State, kind: str, actor: int, subject: int, attack: AttackAction | None) -> State:
    """The state with one more deed, where a record is kept."""
    if not game.logs_events:
        return state
    weapon_kind = weapon_of(game, state, attack).type if attack else ""
    distance, reaction = (attack.distance, attack.reaction) if attack else (None, False)
    deed = LogEvent(kind, actor, subject, weapon_kind, distance, state.mode.turn, reaction)
    return State(state.mode._replace(events=(*state.mode.events, deed)), state.counters)


def log_move(game: Game, state: State, who: int, passed: int, failed: bool) -> State:
    """The state with a Move, and the enemies that it passed through unless a Test failed."""
    state = mark_moved(game, state, who)
    if not game.logs_events:
        return state
    number = sum(event.kind == "move" for event in state.mode.events) + 1
    move = LogEvent("move", who, None, "", None, state.mode.turn, move=number)
    return state.add_events(move, *[move._replace(kind="pass")] * (0 if failed else passed))


def group_by_kind(game: Game, state: State, members: Iterable[int]) -> dict[str, tuple[int, ...]]:
    """Return the members by the words for them: a Character by its name, and Minions that are alike by one."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for who in members:
        groups.setdefault(_likeness(game, state, who), []).append(who)
    kinds: dict[str, tuple[int, ...]] = {}
    for likeness, group in groups.items():
        alone = sum(other[0] == likeness[0] for other in groups) == 1
        words = likeness[0] if alone else _words(game, state, group[0])
        kinds[words if words not in kinds else f"{words}, like {game.name(group[0])}"] = tuple(group)
    return kinds


def _likeness(game: Game, state: State, who: int) -> tuple[Any, ...]:
    """What tells a miniature apart: its name, or a Minion's card, Wounds, activation, and effects."""
    miniature = game.miniatures[who]
    if not miniature.is_minion:
        return (miniature.name,)
    return (
        miniature.card.name,
        state.wounds(who),
        state.mode.statuses[who],
        tuple(_names_of_effects_on(game, state, who)),
    )


def _names_of_effects_on(game: Game, state: State, who: int) -> list[str]:
    return sorted(
        game.miniatures[active.owner].effects[active.effect_number].name
        for active in state.mode.active_effects
        if active.until in ("turn", "battle") and any(who in members for _, members in active.affected)
    )


def _words(game: Game, state: State, who: int) -> str:
    """'Sentinel that has acted, 1 of 2 Wounds, under Pommel'."""
    miniature = game.miniatures[who]
    acted = "that has acted" if state.mode.statuses[who].has_acted else "yet to act"
    hurt = [f"{state.wounds(who)} of {miniature.wounds} Wounds"] if state.wounds(who) < miniature.wounds else []
    under = [f"under {name}" for name in dict.fromkeys(_names_of_effects_on(game, state, who))]
    return ", ".join([f"{miniature.card.name} {acted}", *hurt, *under])


def minions(game: Game) -> list[int]:
    """Return all Minions."""
    return [who for who, miniature in enumerate(game.miniatures) if miniature.is_minion]


NEAR, FAR = "yes", "no"


def ask_near(
    game: Game, state: State, owner: int, candidates: Sequence[int], effect: BoundEffect
) -> Procedure[tuple[int, ...]]:
    """Return who is as near to the owner of an effect as it asks; ask only about those whose distance may matter."""
    known = {other: _known_nearness(game, owner, other, effect.condition) for other in candidates}
    unknown = [other for other in candidates if known[other] is None]
    near = yield from _ask_unknown(game, state, owner, unknown, effect)
    for other in unknown:
        _note_nearness(game, owner, other, effect.condition, is_near=other in near)
    return tuple(other for other in candidates if known[other] or other in near)


PLACES = {
    "cover": "in cover",
    "terrain": "touching terrain",
    "own-zone": "in its own deployment zone",
    "enemy-zone": "in the enemy deployment zone",
    "unseen": "out of sight of all enemies",
}


def ask_table(game: Game, state: State, owner: int, effect: BoundEffect) -> Procedure[bool]:
    """Ask whether the bearer stands as an effect asks, unless the notes tell."""
    condition = effect.condition
    for key, neighbor in NEIGHBORS.items():
        limit = getattr(condition, key)
        if limit is None:
            continue
        group = game.friends(state, owner) if neighbor.is_friend else game.enemies(state, owner)
        near = [_known_nearness(game, owner, other, Condition(range_within=limit)) for other in group]
        known = True in near if (True in near or None not in near) else None
        if known is not None and known != neighbor.is_wanted:
            return False
        if known is None and not (yield from _ask_yes(game, owner, effect, f"has {neighbor.question.format(limit)}")):
            return False
    return not condition.place or (yield from _ask_yes(game, owner, effect, f"is {PLACES[condition.place]}"))


def _ask_yes(game: Game, owner: int, effect: BoundEffect, what: str) -> Procedure[bool]:
    name = game.name(owner)
    return bool((yield Decision(what, name, f"{effect.name}: {name} {what}", (NEAR, FAR))) == NEAR)


def _known_nearness(game: Game, owner: int, other: int, condition: Condition) -> bool | None:
    """Whether the noted distance fits a condition; None if only a measurement tells."""
    span, shift = game.notes.span(owner, other), int(game.rulings["distance"] == "short")
    limits = [limit - shift for limit in (condition.range_over, condition.range_within) if limit is not None]
    return meets_distance(game, condition, span.high) if span.decides(limits) else None


def _note_nearness(game: Game, owner: int, other: int, condition: Condition, *, is_near: bool) -> None:
    """Note what an answer says about a distance, unless the condition has two limits."""
    within, over = condition.range_within, condition.range_over
    if game.miniatures[other].is_minion or (within is not None and over is not None):
        return
    limit = within if within is not None else over
    if limit is None:
        return
    edge = limit - int(game.rulings["distance"] == "short")
    bounds = Span(high=edge) if is_near == (within is not None) else Span(low=edge + 1)
    game.notes.set_span(owner, other, game.notes.span(owner, other).narrowed(*bounds))


def _ask_unknown(
    game: Game, state: State, owner: int, unknown: Sequence[int], effect: BoundEffect
) -> Procedure[tuple[int, ...]]:
    where = f"{effect.distance_words} of {game.name(owner)}"
    kinds = group_by_kind(game, state, unknown)
    crowds = {words: members for words, members in kinds.items() if len(members) > 1}
    singles = {words: members[0] for words, members in kinds.items() if len(members) == 1}
    near = list((yield from _ask_singles(game, owner, singles, effect.name, where)))
    for words, members in crowds.items():
        what = f"{effect.name}: how many ({words}) are {where}"
        count = yield Measurement(f"near {words}", game.name(owner), what, 0, len(members))
        near += members[:count]
    return tuple(near)


def _ask_singles(game: Game, owner: int, singles: dict[str, int], name: str, where: str) -> Procedure[Iterable[int]]:
    """Ask about one with yes or no, about several with a selection."""
    if len(singles) == 1:
        ((words, other),) = singles.items()
        answer = yield Decision(f"near {words}", game.name(owner), f"{name}: is {words} {where}", (NEAR, FAR))
        return (other,) if answer == NEAR else ()
    chosen = yield Selection("near", game.name(owner), f"{name}: who is {where}", tuple(singles))
    return [singles[words] for words in chosen]


def may_start(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> bool:
    """Whether an effect may start: not used up, and what it asks for holds, its die apart."""
    effect = game.miniatures[who].effects[number]
    if not is_unused(game, state, who, effect) or not can_pay(state, who, effect):
        return False
    if not meets_state(game, effect, state, who) or not matches_attack(game, state, who, effect, attack):
        return False
    return not only_rerolls(effect) and not (game.is_interactive and _heals_nobody(game, state, who, effect, attack))


def _heals_nobody(game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None) -> bool:
    """Whether an effect only heals at once, and nobody whom it may concern has lost a Wound."""
    if effect.span or effect.condition.takes_chance or not all(only_heals(deeds) for _, deeds in effect.deeds):
        return False
    concerned = (other for party, _ in effect.deeds for other in party_members(game, state, who, party, attack))
    return not any(is_hurt(game, state, other) for other in concerned)


def only_heals(deeds: Deeds) -> bool:
    """Whether deeds give Wounds back, and do nothing else."""
    return deeds.keys == ("heal",)


def is_hurt(game: Game, state: State, who: int) -> bool:
    """Whether a miniature stands and has lost a Wound."""
    return 0 < state.wounds(who) < game.miniatures[who].wounds


def effects_now(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """Every effect that bears on `who` now, and those that start and end at this moment."""
    yield from effects_on(game, state, who, context)
    in_force = {(active.owner, active.effect_number) for active in state.mode.active_effects}
    for owner, fighter in enumerate(game.miniatures):
        for number, effect in enumerate(fighter.effects):
            lasting = effect.is_constant or effect.span or (owner, number) in in_force
            if lasting or effect.when not in context.events_of(owner) or not is_unused(game, state, owner, effect):
                continue
            if matches_attack(game, state, owner, effect, context.attack) and meets_state(game, effect, state, owner):
                for party, deeds in effect.deeds:
                    if who in party_members(game, state, owner, party, context.attack):
                        yield AppliedEffect(owner, effect, deeds)


def sure_effects_now(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """The same without those that depend on a choice or a die that is yet to come."""
    for each in effects_now(game, state, who, context):
        if each.effect.is_constant or each.effect.span or each.effect.is_certain:
            yield each


def only_rerolls(effect: BoundEffect) -> bool:
    """True for what is decided when the die has been seen."""
    return not effect.span and all(deeds.reroll for _, deeds in effect.deeds)


def matches_attack(game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None) -> bool:
    """Whether this attack is one that the effect speaks of. A reaction applies no effects (section 6: Reaction)."""
    if effect.active_at in KILLS and not _matches_kill(game, state, who, effect.condition, attack):
        return False
    if attack is None:
        starts_here = effect.when in STRIKES and not effect.during
        return not (effect.weapon or (starts_here and speaks_of_attack(effect.condition)))
    if effect.weapon and (who, effect.weapon) != (attack.attacker, attack.weapon):
        return False
    if attack.reaction and who == attack.attacker and (effect.weapon or effect.active_at in ("hit", "damaging")):
        return False
    bears_here = effect.active_at in STRIKES or (effect.when in STRIKES and not effect.during)
    return not bears_here or meets_condition(game, state, effect.condition, who, attack)


def speaks_of_attack(condition: Condition) -> bool:
    """Whether a condition of Damage asks for an attack: its weapon, opponent, or distance."""
    return any(CONDITIONS[key].said is Said.WITH_MOMENT for key in condition.keys if key in CONDITIONS)


def _matches_kill(game: Game, state: State, who: int, condition: Condition, attack: AttackAction | None) -> bool:
    """Whether somebody was eliminated by what the effect speaks of."""
    if not (condition.weapon or condition.weapon_name or condition.against):
        return True
    if attack is None or who not in attack.pair:
        return False
    is_kind = condition.against in (None, opponent_kind(game, attack.opponent(who)))
    return is_kind and meets_weapon(condition, profile_of(game, state, attack))


def is_unused(game: Game, state: State, who: int, effect: BoundEffect) -> bool:
    """Whether a thing is left to be used, in this battle and this turn."""
    counter = game.use_counters.get((who, effect.source))
    is_spent = counter is not None and not state.counters[counter]
    return not (is_spent or effect.source in state.mode.statuses[who].used_sources)


def changes_more_than_movement(effect: BoundEffect) -> bool:
    """Whether an effect of a Move does more than to change how far it goes."""
    if effect.active_at != "moving":
        return False
    names = (name for _, deeds in effect.deeds for name in deeds.model_fields_set)
    return not effect.is_certain or bool(set(names) - {"movement"})


def heal(game: Game, state: State, who: int, points: int, what: str) -> Procedure[State]:
    """Give wounds back, never above the printed number (section 2: Wounds)."""
    regained = min(points, game.miniatures[who].wounds - state.wounds(who))
    if regained <= 0 or not state.stands(who) or has_freedom(game, state, who, "healing"):
        return state
    yield Log(
        "{}: {} regains {} and has {}",
        (what, game.name(who), quantity(regained, "Wound"), state.wounds(who) + regained),
    )
    return game.notes.note_counters(state.change_counter(who, regained))


_ACTIONS = {"P": "Channel", "any": "Attack or Channel"}
_WEAPONS = {"CW": " with a CW", "RW": " with an RW"}


def do_at_once(game: Game, state: State, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[State]:
    """Heal somebody, say where its player may set it, and score; `who` is the bearer."""
    if deeds.most_healed:
        points = yield from amount(game, other, f"{effect.name}: Wounds", deeds.heal, deeds.heal_die)
        state = yield from heal(game, state, other, points, effect.name)
    yield from _steps(game, who, other, effect, deeds)
    if deeds.free_attack:
        action = f"{_ACTIONS.get(deeds.free_attack, 'Attack')}{_WEAPONS.get(deeds.free_attack, '')}"
        yield Log("{}: {} may make a free {}", (effect.name, game.name(other), action))
    if deeds.score:
        yield Log("{}: {} scores {} VP", (effect.name, game.name(other), deeds.score))
        state = game.notes.note_counters(state.change_counter(game.vp_counter(game.sides[other]), deeds.score))
    return state


def amount(game: Game, who: int, what: str, points: int, die: Die | None) -> Procedure[int]:
    """Return a number of points, with a die for more of them; the faces of a D3 are those of a D6 in pairs."""
    if not die:
        return points
    faces = tuple(str(1 + (face - 1) * int(die[1:]) // 6) for face in range(1, 7))
    return points + int((yield Roll(f"{what} {game.name(who)}", game.name(who), what, faces=faces)))


def _steps(game: Game, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[None]:
    """Say how far a miniature may be moved, and how; nothing is known about its distances then."""
    for name in deeds.keys:
        deed, value = DEEDS[name], getattr(deeds, name)
        if deed.by_players == "Move":
            distance = (value,) if isinstance(value, int) else ()
            bearer = (game.name(who),) * (deed.log.count("{}") - 2 - len(distance))
            yield Log(deed.log, (effect.name, game.name(other), *distance, *bearer))
            game.notes.move(other, *distance or (TABLE_DIAGONAL,))
    if deeds.swap:
        game.notes.move(who, TABLE_DIAGONAL)
