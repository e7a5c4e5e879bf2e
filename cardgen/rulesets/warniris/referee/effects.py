"""Effects that start and apply; damage and healing (section 4); auras, which bear on those near."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, TypeAlias

from cardgen.game import Decision, Log, MemoizedCall, Procedure, Roll, quantity
from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.conditions import (
    CHOSEN_PARTIES,
    GROUP_PARTIES,
    NO,
    YES,
    AttackAction,
    ModifierContext,
    amount,
    ask_near,
    ask_table,
    do_at_once,
    group_by_kind,
    is_hurt,
    is_in_group,
    log_event,
    mark_used,
    matches_attack,
    may_start,
    meets_distance,
    meets_weapon,
    only_heals,
    opponent_kind,
    party_members,
    pay_cost,
    profile_of,
    speaks_of_attack,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.miniature import LOSS_PREVENTION, BoundEffect
from cardgen.rulesets.warniris.referee.modifiers import should_use, take_test
from cardgen.rulesets.warniris.words import NEARBY_EVENTS, SPANS, STRIKES


def start_effects(
    game: Game,
    state: State,
    trigger: str,
    bearers: Iterable[int],
    attack: AttackAction | None = None,
    *,
    is_past: bool = False,
    is_automatic: bool = False,
    near: Nearness | None = None,
) -> Procedure[State]:
    """Start the effects of this moment of bearers that stand, or that are eliminated now; apply those in force.

    With `is_past` the moment was earlier in this turn: only effects that last longer than an activation start. With
    `is_automatic`, no effects start that are for once only, and so a choice. `near` says whether the miniature whose
    moment it is is near enough for an effect.
    """
    if trigger not in game.triggers:
        return state
    outer = state.mode.face
    for who in bearers:
        for number in game.miniatures[who].triggered_effects.get(trigger, ()):
            effect = game.miniatures[who].effects[number]
            state = state if effect.condition.same_roll else state.with_face(0)
            if (is_past and effect.span not in ("turn", "battle")) or (is_automatic and effect.once):
                continue
            may = (state.stands(who) or trigger == "eliminated") and may_start(game, state, who, number, attack)
            if may and (near is None or (yield from near(state, who, effect))):
                state = yield from _try_to_start(game, state, who, number, attack)
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        if (
            effect.during == trigger
            and active.owner in bearers
            and matches_attack(game, state, active.owner, effect, attack)
            and (near is None or (yield from near(state, active.owner, effect)))
        ):
            state = yield from _apply_instant(game, state, active.owner, effect, attack)
    return state.with_face(outer)


def start_acts(game: Game, state: State, moment: str, who: int, attack: AttackAction | None = None) -> Procedure[State]:
    """Start the effects of enemies of somebody whose act is the moment."""
    if moment not in game.triggers or not state.stands(who):
        return state
    outer = state.mode.actor
    near = partial(is_near, game, victim=who, attack=attack)
    state = yield from start_effects(game, state.with_actor(who), moment, game.enemies(state, who), attack, near=near)
    return state.with_actor(outer)


def start_activation(game: Game, state: State, who: int, *, is_automatic: bool = False) -> Procedure[State]:
    """Start the effects of the start of an Activation, the miniature's own first."""
    state = yield from start_effects(game, state, "activation_start", (who,), is_automatic=is_automatic)
    return (yield from start_acts(game, state, "enemy_activated", who))


def start_weapon_effects(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Start the effects of a weapon or power that takes no test."""
    for number, effect in enumerate(game.miniatures[attack.attacker].effects):
        is_own = effect.weapon == attack.weapon and not effect.is_constant
        if is_own and may_start(game, state, attack.attacker, number, attack):
            state = yield from _try_to_start(game, state, attack.attacker, number, attack)
    return state


def _try_to_start(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> Procedure[State]:
    state, starts = yield from confirm_start(game, state, who, number)
    for each in game.miniatures[who].effects_used_with(number):
        faces = game.miniatures[who].effects[each].condition.same_roll
        if state.mode.face in faces if faces and each != number else starts:
            state = yield from _apply(game, state, who, each, attack)
    return state


def usable_effects(game: Game, state: State, who: int, trigger: str) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the effects for once only that a miniature may use at this moment, by name."""
    usable: dict[str, tuple[int, ...]] = {}
    for number in game.miniatures[who].triggered_effects.get(trigger, ()):
        effect = game.miniatures[who].effects[number]
        if effect.once and may_start(game, state, who, number, None):
            usable.setdefault(effect.name, game.miniatures[who].effects_used_with(number))
    return usable


def use_effects(game: Game, state: State, who: int, numbers: tuple[int, ...]) -> Procedure[State]:
    """Use a thing for once only, with all its effects of this moment."""
    for number in numbers:
        effect = game.miniatures[who].effects[number]
        state = state if effect.condition.same_roll else state.with_face(0)
        if not (yield from ask_conditions(game, state, who, effect)):
            continue
        state, starts = yield from pay_and_roll(game, state, who, effect)
        if starts:
            state = yield from _apply(game, state, who, number, None)
    return state.with_face(0)


def _apply(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> Procedure[State]:
    """What holds for a while comes into force; what is sudden happens, unless it waits for its moment."""
    effect = game.miniatures[who].effects[number]
    span = effect.span or ("attack" if attack else "move" if effect.when == "moving" else "")
    if effect.during and effect.span:
        return _bring_into_force(state, effect, ActiveEffect(who, number, (), effect.span))
    lasts = bool(span) and any(deeds.can_last for _, deeds in effect.deeds)
    state, affected = yield from choose_all_affected(game, state, who, effect, attack, lasts=lasts)
    if lasts:
        bearing = newly_affected(state, who, number, effect, affected)
        state = _bring_into_force(state, effect, ActiveEffect(who, number, bearing, span))
        if effect.span:
            yield Log("{} of {} holds until {}", (effect.name, game.name(who), end_of(span)))
    return (yield from _apply_to_all(game, state, who, effect, affected, attack))


def _bring_into_force(state: State, effect: BoundEffect, active: ActiveEffect) -> State:
    """The state with one more effect in force, unless it makes no difference."""
    is_idle = not effect.adds_up and active in state.mode.active_effects
    return state if is_idle else state.add_effects(active)


def _apply_instant(
    game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None
) -> Procedure[State]:
    """Do what an effect does at once to those whom it concerns now."""
    state, affected = yield from choose_all_affected(game, state, who, effect, attack, lasts=False)
    return (yield from _apply_to_all(game, state, who, effect, affected, attack))


def _apply_to_all(
    game: Game, state: State, who: int, effect: BoundEffect, affected: Affected, attack: AttackAction | None
) -> Procedure[State]:
    """Do what an effect does at once; a reaction does nothing beyond its damage (section 6: Reaction)."""
    if attack and attack.reaction and who == attack.attacker:
        return state
    concerned = dict(affected)
    for party, deeds in effect.deeds:
        if deeds.acts_at_once:
            for other in concerned[party]:
                state = yield from _apply_to(game, state, who, other, effect, deeds)
    return state


def _apply_to(game: Game, state: State, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[State]:
    if not state.stands(other):
        return state
    state = yield from do_at_once(game, state, who, other, effect, deeds)
    if deeds.most_dealt:
        points = yield from amount(game, other, f"{effect.name}: Damage", deeds.deal, deeds.deal_die)
        state, _ = yield from deal_damage(game, state, other, points, DamageSource(who, None))
    return state


class DamageSource(NamedTuple):
    """Whose deed it is, and the attack by which it came, if it was one."""

    dealer: int
    attack: AttackAction | None


def deal_damage(
    game: Game, state: State, victim: int, points: int, source: DamageSource
) -> Procedure[tuple[State, int]]:
    """Take wounds off; returns the state and how many points were not ignored.

    Each point that counts is a victory point for the side that dealt it (section 7; rulings `overkill-vp`,
    `friendly-vp`, `ignored-vp`).
    """
    if points <= 0 or not state.stands(victim):
        return state, 0
    before = state.wounds(victim)
    if LOSS_PREVENTION in game.miniatures[victim].triggered_effects or game.has_trigger(victim, "damaged"):
        state, unignored = yield MemoizedCall(_resolve_points, (game, state, victim, points, source, 0, before))
    else:
        state, unignored = _lose_wounds(game, state, victim, points, source, before), points
    lost = before - state.wounds(victim)
    if lost > 0:
        game.notes.note_counters(state)
        yield Log("{} loses {} and has {} left", (game.name(victim), quantity(lost, "Wound"), state.wounds(victim)))
        state = log_event(game, state, "damage", source.dealer, victim, source.attack)
    if not state.stands(victim):
        state = yield from _eliminate(game, state, victim, source)
    return state, unignored


def _eliminate(game: Game, state: State, victim: int, source: DamageSource) -> Procedure[State]:
    """The effects of an elimination: the victim's, those of whoever did it, and those of everybody near."""
    yield Log("{} is eliminated", (game.name(victim),))
    state = log_event(game, state, "eliminate", source.dealer, victim, source.attack)
    state = yield from start_effects(game, state, "eliminated", (victim,), source.attack)
    if game.sides[source.dealer] != game.sides[victim]:
        state = yield from start_effects(game, state, "eliminating", (source.dealer,), source.attack)
    for moment, people in (("friend_eliminated", game.friends), ("enemy_eliminated", game.enemies)):
        if moment in game.triggers:
            near = partial(is_near, game, victim=victim)
            state = yield from start_effects(game, state, moment, people(state, victim), near=near)
    return state


def _lose_wounds(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    """The state after damage that nothing ignores, in points; `scorable` of them may still score."""
    lost = min(points, state.wounds(victim))
    return _score_points(game, state.change_counter(victim, -lost), victim, points, source, scorable)


def _score_points(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    scored = points if game.rulings["overkill-vp"] == "all" else min(points, scorable)
    is_friend = game.sides[source.dealer] == game.sides[victim]
    if is_friend and game.rulings["friendly-vp"] == "none":
        return state
    return state.change_counter(game.vp_counter(1 - game.sides[victim]), scored)


def _resolve_points(
    game: Game, state: State, victim: int, points: int, source: DamageSource, ignored: int, scorable: int
) -> Procedure[tuple[State, int]]:
    """Point by point; `ignored` points are ignored already, and no more than `scorable` may score as wounds."""
    if not (state.stands(victim) or game.rulings["overkill-vp"] == "all"):
        return state, 0
    if not ignored:
        state, ignored = yield from _count_ignored(game, state, victim, source.attack)
    unignored = 0 if ignored else 1
    if unignored:
        state = _lose_wounds(game, state, victim, 1, source, scorable)
        if "damaged" in game.triggers and state.stands(victim):
            state = yield from start_effects(game, state, "damaged", (victim,), source.attack)
    elif game.rulings["ignored-vp"] == "scored":
        state = _score_points(game, state, victim, 1, source, scorable)
    if points == 1:
        return state, unignored
    scorable -= unignored or game.rulings["ignored-vp"] == "scored"
    state, more = yield MemoizedCall(
        _resolve_points, (game, state, victim, points - 1, source, max(0, ignored - 1), max(0, scorable))
    )
    return state, unignored + more


def _count_ignored(game: Game, state: State, victim: int, attack: AttackAction | None) -> Procedure[tuple[State, int]]:
    """How many points, from this one on, the first effect that ignores any takes away."""
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        is_known = attack is not None or not speaks_of_attack(effect.condition)
        guards = active.owner == victim and effect.is_guard and is_known
        if guards and matches_attack(game, state, victim, effect, attack):
            return state, effect.ignored_points
    for number in game.miniatures[victim].triggered_effects.get(LOSS_PREVENTION, ()):
        if may_start(game, state, victim, number, attack):
            state, starts = yield from confirm_start(game, state, victim, number)
            if starts:
                ignored = game.miniatures[victim].effects[number].ignored_points
                yield Log("{} ignores {}", (game.name(victim), ignored))
                state = yield from _apply_instant(game, state, victim, game.miniatures[victim].effects[number], attack)
                return state, ignored
    return state, 0


def confirm_start(game: Game, state: State, who: int, number: int) -> Procedure[tuple[State, bool]]:
    """Whether an effect that may start does: the choice to use up a thing for once only, then the effect's die."""
    effect = game.miniatures[who].effects[number]
    if not (yield from ask_conditions(game, state, who, effect)):
        return state, False
    if effect.once:
        default = YES if should_use(game, state, who, effect) else NO
        if not game.is_interactive and default == NO:
            return state, False
        if (yield Decision(f"use {effect.name}", game.name(who), f"use {effect.name}", (YES, NO), default)) == NO:
            return state, False
    return (yield from pay_and_roll(game, state, who, effect))


def ask_conditions(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[bool]:
    """Whether the bearer stands as an effect asks, where only the table knows that."""
    if not (game.is_interactive and effect.condition.asks_table):
        return True
    return (yield from ask_table(game, state, who, effect))


def pay_and_roll(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[tuple[State, bool]]:
    """Whether the bearer's player pays the Wounds that an effect costs, and its die and its Test let it start.

    A thing for once is used up once they are paid.
    """
    state, is_paid = yield from pay_cost(game, state, who, effect)
    if not is_paid:
        return state, False
    state = mark_used(game, state, who, effect)
    if effect.condition.same_roll and state.mode.face not in effect.condition.same_roll:
        return state, False
    if effect.condition.roll:
        state, starts = yield from _roll(game, state, who, effect, effect.condition.roll)
        if not starts:
            return state, False
    if not effect.condition.test:
        return state, True
    return (yield from take_attribute_test(game, state, who, f"for {effect.name}", effect.condition.test))


def _roll(
    game: Game, state: State, who: int, effect: BoundEffect, faces: tuple[int, ...]
) -> Procedure[tuple[State, bool]]:
    """Roll the die of an effect; its face is kept if others need it."""
    if not effect.shares_die:
        return state, bool((yield Roll(effect.name, game.name(who), effect.name, wins=faces)))
    face = int((yield Roll(effect.name, game.name(who), effect.name)))
    return state.with_face(face), face in faces


def end_of(span: str) -> str:
    """Return when a duration ends, in words."""
    return SPANS[span].help if span in SPANS else f"the end of the {span}"


def newly_affected(state: State, who: int, number: int, effect: BoundEffect, affected: Affected) -> Affected:
    """Whom an effect comes to bear on; if it does not add up, not those on whom it bears already."""
    if effect.is_cumulative:
        return affected
    active = [each for each in state.mode.active_effects if (each.owner, each.effect_number) == (who, number)]
    known = {(party, other) for each in active for party, members in each.affected for other in members}
    return tuple((party, tuple(each for each in members if (party, each) not in known)) for party, members in affected)


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


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Put the auras into force that reach one of an attack's two sides, and what depends on the table."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            is_asked = effect.depends_on_distance or effect.condition.asks_table
            if effect.is_constant and is_asked and state.stands(owner):
                affected = yield from _ask_affected(game, state, attack, owner, effect)
                if any(members for _, members in affected):
                    state = state.add_effects(ActiveEffect(owner, number, affected, "attack"))
    return state


def _ask_affected(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect
) -> Procedure[Affected]:
    """Return whom of an attack's two sides an effect that always bears concerns."""
    asks_table = effect.condition.asks_table
    candidates = [
        (party, _candidates(game, state, attack, owner, effect, party, deeds)) for party, deeds in effect.deeds
    ]
    if not any(members for _, members in candidates):
        return ()
    if asks_table and not (yield from ask_table(game, state, owner, effect)):
        return ()
    affected = []
    for party, members in candidates:
        is_near = party not in GROUP_PARTIES or not effect.depends_on_distance
        affected.append(
            (party, tuple(members) if is_near else (yield from ask_near(game, state, owner, members, effect)))
        )
    return tuple(affected)


def ask_for_move(game: Game, state: State, who: int) -> Procedure[State]:
    """Put into force what always bears on a Move, if the table says so."""
    for number, effect in enumerate(game.miniatures[who].effects):
        own = dict(effect.deeds).get("bearer")
        is_asked = effect.is_constant and effect.condition.asks_table and own and _changes_move(own)
        if is_asked and (yield from ask_table(game, state, who, effect)):
            state = state.add_effects(ActiveEffect(who, number, (("bearer", (who,)),), "move"))
    return state


def _changes_move(deeds: Deeds) -> bool:
    return bool(deeds.movement or deeds.crossing or deeds.halved or deeds.body)


def ask_auras_again(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Ask for the auras of an attack whose two sides are not those that were asked for.

    It is a reaction, or it has a new target. Where nobody measures, distances are known.
    """
    if not game.is_interactive:
        return state
    others = (each for each in state.mode.active_effects if not _is_aura(game, each))
    state = State(state.mode._replace(active_effects=tuple(others)), state.counters)
    return (yield from ask_auras(game, state, attack))


def _is_aura(game: Game, active: ActiveEffect) -> bool:
    return game.miniatures[active.owner].effects[active.effect_number].is_constant


def _candidates(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect, party: str, deeds: Deeds
) -> list[int]:
    """Who of the two may be in the aura, so that it matters. Between owner and other, the distance is the attack's."""
    if party in CHOSEN_PARTIES or not (effect.condition.asks_table or party in GROUP_PARTIES):
        return []
    group = party_members(game, state, owner, party, attack)
    against = effect.condition.against if party == "enemies" else None
    return [
        other
        for other in dict.fromkeys(attack.pair)
        if other in group
        and (effect.condition.asks_table or {owner, other} != set(attack.pair))
        and against in (None, opponent_kind(game, other))
        and _changes_attack(game, state, attack, other, deeds)
    ]


def _changes_attack(game: Game, state: State, attack: AttackAction, other: int, deeds: Deeds) -> bool:
    """Whether deeds change a number or a die that this attack looks at."""
    profile = weapon_of(game, state, attack)
    if not profile.needs_test:
        return False
    if other == attack.attacker:
        names = (
            modifiers.hit_attribute(profile),
            "penetration",
            "damage",
            *["gaps"] * attack.gap,
            *["between"] * bool(attack.between),
        )
        return deeds.reroll in ("hit", modifiers.hit_attribute(profile)) or any(getattr(deeds, name) for name in names)
    name = modifiers.resist_attribute(profile)
    return deeds.reroll in ("resist", name) or bool(getattr(deeds, name))
