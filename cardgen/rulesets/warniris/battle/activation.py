"""One activation in a battle: actions, measurements, and reactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardgen.game import Decision, Log, MarkedMeasurement, Measurement, Procedure, Selection, in_scope
from cardgen.rulesets.warniris.battle.reactions import (
    PLAIN_MOVE_POINTS,
    ask_late,
    ask_reactions,
    choose_next,
    late_option,
    offer_later,
    react_to_move,
)
from cardgen.rulesets.warniris.referee import measurements, modifiers
from cardgen.rulesets.warniris.referee.attack import (
    ATTACK_POINTS,
    CHARGE_POINTS,
    MOVE_POINTS,
    resolve_attack,
    resolve_pending,
)
from cardgen.rulesets.warniris.referee.conditions import (
    NO,
    YES,
    AttackAction,
    available_weapons,
    changes_more_than_movement,
    end_activation_marks,
    group_by_kind,
    is_hurt,
    log_event,
    log_move,
    minions,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.effects import (
    ask_auras,
    ask_for_move,
    start_activation,
    start_acts,
    start_effects,
    usable_effects,
    use_effects,
)
from cardgen.rulesets.warniris.referee.game import Game, SightLine, Span, State
from cardgen.rulesets.warniris.referee.measurements import BETWEEN, GAP, ask_crossed, measure_attack, out_of_range
from cardgen.rulesets.warniris.rulebook import TABLE_DIAGONAL
from cardgen.rulesets.warniris.weapon_line import Profile


def activate(game: Game, state: State, who: int, actions: int) -> Procedure[State]:
    """An activation with a number of actions (section 6; ruling `same-action`)."""
    state = yield from begin_activation(game, state, who)
    taken: tuple[str, ...] = ()
    plans: list[Plan] = []
    while state.stands(who) and not game.is_over(state):
        allowed = actions + modifiers.extra_actions(game, state, who)
        if len(taken) >= allowed:
            break
        plans = plans or (yield from choose_plans(game, state, who, allowed, taken))
        if not plans:
            break
        plan, plans = plans[0], plans[1:]
        if not is_possible(game, state, who, plan, taken):
            if plan.target < 0 or state.stands(plan.target):
                yield Log("not possible any more: {}", (plan.weapon or plan.kind,))
            plans = []
            continue
        state, used = yield from _follow(game, state, who, plan, len(taken))
        taken += used
        if plans and plans[0].kind != MOVE:
            state = yield from ask_late(game, state)
    return (yield from end_activation(game, state, who))


def _follow(game: Game, state: State, who: int, plan: Plan, taken: int) -> Procedure[tuple[State, tuple[str, ...]]]:
    """Do what was chosen in the menu; return the action that it was, unless it was none or impossible."""
    if plan.kind == USE:
        return (yield from use_effects(game, state, who, plan.effects)), ()
    if plan.kind == REACT:
        return (yield from in_scope(f"action {taken}", react_to_move(game, state, who))), ()
    return (yield from follow_plan(game, state, who, plan, taken + 1))


def begin_activation(game: Game, state: State, who: int) -> Procedure[State]:
    """Start an activation. What may be used in it is in the menu of its first action."""
    state = state.begin_activation(who).set_status(who, state.mode.statuses[who]._replace(has_acted=True))
    return (yield from start_activation(game, state, who, is_automatic=True))


def end_activation(game: Game, state: State, who: int) -> Procedure[State]:
    """End an activation. Nothing tells Minions apart, so nothing noted about them is kept."""
    if state.stands(who):
        state = yield from start_effects(game, state, "activation_end", (who,))
    game.notes.forget(minions(game))
    return end_activation_marks(game, state.end_window("activation"))


def follow_plan(
    game: Game, state: State, who: int, plan: Plan, count: int, *, in_group: bool = False
) -> Procedure[tuple[State, tuple[str, ...]]]:
    """Take the action of a plan, the one with this count; return which one. An impossible one is not used up."""
    action = _take_action(game, state, who, plan, in_group=in_group)
    state, used = yield from in_scope(f"action {count}", action)
    return state.end_window("action"), (used,) * bool(used)


def _take_action(game: Game, state: State, who: int, plan: Plan, *, in_group: bool) -> Procedure[tuple[State, str]]:
    if plan.kind != MOVE:
        return (yield from _take_attack(game, state, AttackAction(who, plan.target, plan.weapon)))
    if plan.passes_enemies or in_group or _decides_reactions_first(game, who):
        return (yield from _take_move(game, state, who, passes_enemies=plan.passes_enemies)), MOVE
    return (yield from _take_plain_move(game, state, who)), MOVE


def _decides_reactions_first(game: Game, who: int) -> bool:
    """Whether it matters that reactions to a Move come before what follows it."""
    return (
        game.rulings["reaction-when"] == "before-dice"
        or game.rulings["reaction-chain"] == "allowed"
        or game.has_trigger(who, "activation_end")
        or "enemy_moved" in game.triggers
        or any(changes_more_than_movement(effect) for effect in game.miniatures[who].effects)
    )


def _take_plain_move(game: Game, state: State, who: int) -> Procedure[State]:
    """Make a Move that needs no die; enemies say at the next question whether they react to it."""
    state, distance = yield from _begin_move(game, state, who)
    game.notes.move(who, distance)
    offer_later(game, state, who)
    state = log_move(game, state, who, 0, failed=False)
    return state.end_window("move")


def _begin_move(game: Game, state: State, who: int) -> Procedure[tuple[State, int]]:
    """Start what applies to a Move; return how far it may go, in cm."""
    promised = measurements.expected_movement(game, state, who)
    state = yield from start_effects(game, state, "moving", (who,))
    state = yield from ask_for_move(game, state, who)
    distance = modifiers.move_distance(game, state, who)
    if distance != promised:
        yield Log("{} may Move up to {} cm", (game.name(who), distance))
    return state, distance


def _take_move(game: Game, state: State, who: int, *, passes_enemies: bool) -> Procedure[State]:
    """Make a Move, with reactions and Body tests (section 6)."""
    state, distance = yield from _begin_move(game, state, who)
    state = yield from ask_reactions(game, state, who, MOVE_POINTS if passes_enemies else PLAIN_MOVE_POINTS)
    if state.stands(who):
        game.notes.move(who, distance)
        waiting = len(state.mode.pending_reactions)
        state = yield from resolve_pending(game, state, who, "way")
        if state.stands(who) and len(state.mode.pending_reactions) != waiting:
            game.notes.move(who, distance)
        if state.stands(who):
            most = len(game.enemies(state, who))
            crossed = (yield from ask_crossed(game, who, most)) if passes_enemies else 0
            state, passed = yield from measurements.cross_enemies(game, state, who, crossed)
            state = log_move(game, state, who, passed, failed=passed < crossed)
    state = yield from start_acts(game, state.end_window("move"), "enemy_moved", who)
    return (yield from resolve_pending(game, state, who, "end"))


def _take_attack(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, str]]:
    """Make an attack or a channel, with measurements and reactions; return '' if it was impossible."""
    who = attack.attacker
    attack, problem = yield from measure_attack(game, state, attack)
    charges = yield from _decide_charge(game, state, attack, problem)
    if problem and not charges:
        yield Log("not possible: {}", (problem,))
        return state, ""
    state = log_event(game, state, "aim", who, attack.target, attack)
    state = yield from ask_reactions(game, state, who, _reaction_points(game, state, attack, charges=charges), attack)
    if charges:
        state = yield from _charge_and_attack(game, state, attack)
    elif state.stands(who) and state.stands(attack.target):
        state = yield from _attack_after_reactions(game, state, attack)
    state = log_event(game, state, "done", who, attack.target, None)
    return (yield from resolve_pending(game, state, who, "end")), ATTACK


def _attack_after_reactions(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Make an attack without a Move; where a reaction has moved somebody, it is measured again."""
    attack, problem = yield from measure_attack(game, state, attack)
    problem = problem or out_of_range(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
        return state
    return (yield from _attack(game, state, attack))


def _reaction_points(game: Game, state: State, attack: AttackAction, *, charges: bool) -> dict[str, str]:
    """Return the moments that an attack has; without a Test, nothing comes between its beginning and its end."""
    if charges:
        return CHARGE_POINTS
    return ATTACK_POINTS if weapon_of(game, state, attack).needs_test else {"before": ATTACK_POINTS["before"]}


def _decide_charge(game: Game, state: State, attack: AttackAction, problem: str) -> Procedure[bool]:
    """Return whether a free Move comes first: because it must, or to get past a gap or miniatures in between."""
    if _may_charge(game, state, attack, problem):
        return True
    brings_move = measurements.has_free_move(game, attack, weapon_of(game, state, attack).type)
    if problem or not brings_move or not (attack.gap or attack.between):
        return False
    what = "makes its free Move first"
    return bool((yield Decision("free move", game.name(attack.attacker), what, (NO, YES))) == YES)


def _may_charge(game: Game, state: State, attack: AttackAction, problem: str) -> bool:
    """Return whether a free Move comes first: the target is out of Range or hidden."""
    brings_move = measurements.has_free_move(game, attack, weapon_of(game, state, attack).type)
    if not brings_move or measurements.out_of_charge_range(game, state, attack):
        return False
    return bool(problem or out_of_range(game, state, attack))


def _charge_and_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Make a free Move, with reactions part-way, and the attack after it."""
    if state.mode.pending_reactions:
        game.notes.move(attack.attacker, measurements.free_movement(game, state, attack.attacker))
    state = yield from resolve_pending(game, state, attack.attacker, "way")
    if state.stands(attack.attacker) and state.stands(attack.target):
        state, after_move = yield from measurements.charge(game, state, attack)
        if after_move:
            state = yield from _attack(game, state, after_move)
    return state


def _attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    state = yield from ask_auras(game, state, attack)
    return (yield from resolve_attack(game, state, attack))


MOVE, ATTACK, USE, REACT = "Move", "Attack or Channel", "use", "react"
# With more attacks than this, the weapon is chosen first and the target after it.
MAX_LISTED_ATTACKS = 12


class Plan(NamedTuple):
    """What a miniature is about to do: a kind of action, with its weapon and target."""

    kind: str
    weapon: str = ""
    target: int = -1
    passes_enemies: bool = False
    effects: tuple[int, ...] = ()


def choose_plans(
    game: Game, state: State, who: int, actions: int, taken: tuple[str, ...] = (), people: str = ""
) -> Procedure[list[Plan]]:
    """Ask what a miniature does next, or several (`people`) that are alike do: one action, or all that are left.

    An empty list ends the activation.
    """
    barred = taken if game.rulings["same-action"] == "different" else ()
    attacks = {} if ATTACK in barred else _attacks(game, state, who)
    is_short = sum(map(len, attacks.values())) <= MAX_LISTED_ATTACKS
    free: dict[str, Plan] = {} if people else {words: Plan(REACT) for words in late_option(game, state)}
    if not (people or taken):
        used = usable_effects(game, state, who, "activation_start")
        free |= {f"use {name}": Plan(USE, effects=numbers) for name, numbers in used.items()}
    options = free | ({} if MOVE in barred else _moves(game, state, who, people))
    options |= _listed(attacks) if is_short else {f"{words} …": Plan(ATTACK, words) for words in attacks}
    left = actions - len(taken)
    what = f"action {len(taken) + 1} of {actions}" if left == 1 else f"actions {len(taken) + 1} to {actions}"
    most, once = left + len(free), tuple(free)
    chosen = yield Selection("action", people or game.name(who), what, tuple(options), most, once)
    plans: list[Plan] = []
    for words in chosen:
        plan = yield from _aim(people or game.name(who), options[words], attacks)
        plans.append(plan)
    return plans


def _aim(people: str, plan: Plan, attacks: dict[str, dict[str, Plan]]) -> Procedure[Plan]:
    """Return a plan, with its target if only the weapon was chosen."""
    if plan.kind != ATTACK or plan.target >= 0:
        return plan
    targets = attacks[plan.weapon]
    return targets[(yield Decision("target", people, "at whom", tuple(targets)))]


def is_possible(game: Game, state: State, who: int, plan: Plan, taken: tuple[str, ...]) -> bool:
    """Whether a plan that was made before an action can still be followed after it."""
    if plan.kind in taken and game.rulings["same-action"] == "different":
        return False
    if plan.kind != ATTACK:
        return True
    profile = available_weapons(game, state, who).get(plan.weapon)
    return profile is not None and _may_attack(game, state, who, plan.target, profile)


def _moves(game: Game, state: State, who: int, people: str) -> dict[str, Plan]:
    distance = measurements.expected_movement(game, state, who)
    options = {f"{MOVE} up to {distance} cm": Plan(MOVE)}
    most = measurements.expected_movement(game, state, who, at_most=True)
    if not people and any(game.notes.span(who, other).low <= most for other in game.enemies(state, who)):
        options[f"{MOVE} through enemies, up to {distance} cm"] = Plan(MOVE, passes_enemies=True)
    return options


def _attacks(game: Game, state: State, who: int) -> dict[str, dict[str, Plan]]:
    """Return every target by the words for it, by the words for the weapon."""
    attacks = {}
    for profile in available_weapons(game, state, who).values():
        targets = [other for other in range(len(game.miniatures)) if _may_attack(game, state, who, other, profile)]
        if targets:
            words_of = _targets_by_words(game, state, who, targets)
            plans = {words: Plan(ATTACK, profile.name, other) for words, other in words_of.items()}
            attacks[f"{profile.name} ({profile.type} {profile.numbers})"] = plans
    return attacks


def _targets_by_words(game: Game, state: State, who: int, targets: list[int]) -> dict[str, int]:
    """Return one target for each name; a Minion that was measured in this activation has a name of its own."""
    by_words: dict[str, int] = {}
    for words, members in group_by_kind(game, state, targets).items():
        for other in members:
            span = game.notes.span(who, other)
            is_measured = game.miniatures[other].is_minion and span.low == span.high
            by_words.setdefault(f"{words}, {span.low} cm away" if is_measured else words, other)
    return by_words


def _may_attack(game: Game, state: State, who: int, other: int, profile: Profile) -> bool:
    """Whether a target is legal, may be in Range and in sight as far as is noted, and gains something from healing."""
    attack = AttackAction(who, other, profile.name)
    if measurements.objection(game, state, attack) or not measurements.may_reach(game, state, attack):
        return False
    if not profile.needs_test and not getattr(profile, "effects", ()) and not is_hurt(game, state, other):
        return False
    line = game.notes.line(who, other)
    is_hidden = line is not None and line.is_hidden
    return not is_hidden or measurements.has_free_move(game, attack, profile.type)


def _listed(attacks: dict[str, dict[str, Plan]]) -> dict[str, Plan]:
    """Return 'Rifle (RW R15 P1 D1) at Brute' for every weapon and target."""
    return {f"{weapon} at {words}": plan for weapon, targets in attacks.items() for words, plan in targets.items()}


REST_MOVES, NO_MORE = "all that are left only Move", "no more of the Horde acts in this turn"
NOT_CLEAR = (GAP, BETWEEN)


class GroupPlan(NamedTuple):
    """An action of several Minions, and how those that attack stand to their target.

    Without a line, each one is asked for its own; `arrives` is true where all come into Range in clear sight.
    """

    plan: Plan
    span: Span = Span()
    line: SightLine | None = None
    arrives: bool = False


def activate_horde(game: Game, state: State, ready: Sequence[int], actions: int, *, is_alone: bool) -> Procedure[State]:
    """Activate one Minion of those that are ready, or several at once where only the Horde is left to act.

    The other side has no activation between theirs then (ruling `unequal`), so nothing changes by their order.
    """
    kinds = group_by_kind(game, state, ready)
    options = {f"{words}, {len(members)} left": members for words, members in kinds.items()}
    crowds = {words: members for words, members in kinds.items() if is_alone and len(members) > 1}
    whole = {f"{words}, all {len(members)}": members for words, members in crowds.items()}
    side_name = game.side_names[game.sides[ready[0]]]
    general = (REST_MOVES, NO_MORE) if is_alone else (NO_MORE,)
    words = (*options, *whole, *general)
    if is_alone:
        state, chosen, count = yield from _choose_alike(game, state, side_name, words, len(ready))
    else:
        state, chosen = yield from choose_next(game, state, side_name, "which Minion acts", words)
        count = 1
    if chosen == NO_MORE:
        for who in ready:
            state = state.set_status(who, state.mode.statuses[who]._replace(has_acted=True))
        return state
    if chosen == REST_MOVES:
        plans = [GroupPlan(Plan(MOVE))] * actions
        return (yield from _activate_alike(game, state, ready, plans))
    members = [who for who in (options | whole).get(chosen, ()) if state.stands(who)]
    members = members if chosen in whole else members[:count]
    if not members:
        return state
    if len(members) == 1:
        return (yield from in_scope(game.name(members[0]), activate(game, state, members[0], actions)))
    plans = yield from _choose_plans(game, state, members, actions)
    return (yield from _activate_alike(game, state, members, plans))


def _choose_alike(
    game: Game, state: State, side_name: str, words: tuple[str, ...], most: int
) -> Procedure[tuple[State, str, int]]:
    """Ask which kind of Minion acts, named as often as Minions of it do the same."""
    state = yield from ask_late(game, state)
    what = "which Minions act and do the same"
    chosen = yield Selection("activate", side_name, what, words, most)
    return state, chosen[0] if chosen else "", chosen.count(chosen[0]) if chosen else 0


def _choose_plans(game: Game, state: State, members: Sequence[int], actions: int) -> Procedure[list[GroupPlan]]:
    """Ask for each action of Minions that do the same."""
    people = f"{game.miniatures[members[0]].card.name}, {len(members)} of them"
    plans: list[GroupPlan] = []
    for plan in (yield from choose_plans(game, state, members[0], actions, (), people)):
        place = GroupPlan(plan)
        if plans and plans[-1].plan == plan:
            place = plans[-1]
        elif plan.kind == ATTACK:
            attack = AttackAction(members[0], plan.target, plan.weapon)
            is_charge = measurements.has_free_move(game, attack, weapon_of(game, state, attack).type)
            place = yield from (_ask_charge if is_charge else _ask_place)(game, state, attack, place, people)
        plans.append(place)
    return plans


def _ask_charge(game: Game, state: State, attack: AttackAction, place: GroupPlan, people: str) -> Procedure[GroupPlan]:
    """Ask once whether all come into Range by their free Moves; if not, each one is asked."""
    target = game.name(attack.target)
    what = f"do all of them reach {target} by their free Move, with nobody in the way and in clear sight"
    if (yield Decision("arrival", people, what, (YES, NO))) == NO:
        return place
    reach, charge_reach = measurements.range_limits(game, state, attack)
    return place._replace(span=Span(reach + 1, charge_reach), arrives=True)


def _ask_place(game: Game, state: State, attack: AttackAction, place: GroupPlan, people: str) -> Procedure[GroupPlan]:
    """Ask once how far all are from their target: the farthest, and the nearest where that matters."""
    target = game.name(attack.target)
    what = f"distance of the farthest of them to {target}"
    farthest, *marks = yield MarkedMeasurement("distance", people, what, 0, TABLE_DIAGONAL, "cm", NOT_CLEAR)
    span = Span(0, farthest)
    if not span.decides(
        (*measurements.distance_limits(game, state, attack), *measurements.range_limits(game, state, attack))
    ):
        what = f"distance of the nearest of them to {target}"
        span = Span((yield Measurement("nearest", people, what, 0, farthest, "cm")), farthest)
    return place._replace(span=span, line=None if BETWEEN in marks else SightLine(is_gap=GAP in marks))


def _activate_alike(game: Game, state: State, members: Sequence[int], plans: Sequence[GroupPlan]) -> Procedure[State]:
    """Activate several Minions, one after the other, until a target of theirs is gone."""
    for count, who in enumerate(members):
        fallen = [each.plan.target for each in plans if each.plan.kind == ATTACK and not state.stands(each.plan.target)]
        if fallen:
            words = (game.name(fallen[0]), len(members) - count)
            yield Log("{} is eliminated; {} of them have not acted", words)
            break
        state = yield from in_scope(game.name(who), _follow_plans(game, state, who, plans))
    return state


def _follow_plans(game: Game, state: State, who: int, plans: Sequence[GroupPlan]) -> Procedure[State]:
    state = yield from begin_activation(game, state, who)
    for count, each in enumerate(plans, 1):
        if each.plan.kind == ATTACK:
            game.notes.set_span(who, each.plan.target, each.span)
            if each.line:
                game.notes.set_line(who, each.plan.target, each.line)
            if each.arrives:
                game.notes.expect_arrival(who, each.plan.target, ())
        if state.stands(who) and (each.plan.kind == MOVE or state.stands(each.plan.target)):
            state, _ = yield from follow_plan(game, state, who, each.plan, count, in_group=True)
    return (yield from end_activation(game, state, who))
