"""One activation in a battle: actions, measurements, and reactions."""

from __future__ import annotations

from cardgen.game import Decision, Log, Procedure, in_scope
from cardgen.rulesets.warniris.referee import modifiers, movement
from cardgen.rulesets.warniris.referee.attack import (
    ATTACK_POINTS,
    CHARGE_POINTS,
    MOVE_POINTS,
    may_react,
    react,
    resolve_attack,
    resolve_pending,
)
from cardgen.rulesets.warniris.referee.attack_action import (
    GROUP_PARTIES,
    AttackAction,
    available_weapons,
    opponent_kind,
)
from cardgen.rulesets.warniris.referee.effects import ask_near, start_effects
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.movement import measure_attack, objection, out_of_range
from cardgen.rulesets.warniris.referee.sight import ask_crossed


def ask_auras(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Ask which fighters are within the distance of a constant effect."""
    for owner, miniature in enumerate(game.miniatures):
        for number, effect in enumerate(miniature.effects):
            if not (effect.is_constant and state.stands(owner) and effect.depends_on_distance):
                continue
            affected = []
            for party, _ in effect.deeds:
                near_ones = yield from _ask_near(game, state, attack, owner, effect, party)
                affected.append((party, near_ones))
            if any(members for _, members in affected):
                state = state.add_effects(ActiveEffect(owner, number, tuple(affected), "attack"))
    return state


def _ask_near(
    game: Game, state: State, attack: AttackAction, owner: int, effect: BoundEffect, party: str
) -> Procedure[tuple[int, ...]]:
    if party not in GROUP_PARTIES:
        return ()
    group = game.friends(state, owner) if party == "friends" else game.enemies(state, owner)
    against = effect.condition.against
    near = []
    for other in dict.fromkeys(attack.pair):
        is_attack_pair = {owner, other} == set(attack.pair)
        if (
            other not in group
            or is_attack_pair
            or (party == "enemies" and against and against != opponent_kind(game, other))
        ):
            continue
        if (yield from ask_near(game, owner, other, effect)):
            near.append(other)
    return tuple(near)


MOVE, ATTACK, DONE, NO_REACTION = "Move", "Attack or Channel", "done", "nobody"


def activate(game: Game, state: State, who: int, actions: int) -> Procedure[State]:
    """An activation of so many actions (section 6; ruling `same-action`)."""
    state = state.set_status(who, state.mode.statuses[who]._replace(has_acted=True))
    state = yield from start_effects(game, state, "activation_start", (who,))
    taken: tuple[str, ...] = ()
    while len(taken) < actions and state.stands(who) and not _is_over(game, state):
        which = f"{len(taken) + 1} of {actions}"
        procedure = _take_action(game, state, who, which, taken if game.rulings["same-action"] == "different" else ())
        state, used = yield from in_scope(f"action {len(taken) + 1}", procedure)
        if used is None:
            break
        state = state.end_window("action")
        taken += (used,) * bool(used)
    if state.stands(who):
        state = yield from start_effects(game, state, "activation_end", (who,))
    return state.end_window("activation")


def _is_over(game: Game, state: State) -> bool:
    return game.is_defeated(state, 0) or game.is_defeated(state, 1)


def _take_action(
    game: Game, state: State, who: int, which: str, barred: tuple[str, ...]
) -> Procedure[tuple[State, str | None]]:
    """Take one action that is not barred; return which one it was, '' if it was impossible, None for none.

    An impossible action is not used up (ruling `same-action`).
    """
    lines = {
        f"{_action_verb(p.type)} {p.name} ({p.type} {p.numbers})": p.name
        for p in available_weapons(game, state, who).values()
    }
    legal = {words: name for words, name in lines.items() if _legal_targets(game, state, who, name)}
    moves = (f"{MOVE} up to {movement.expected_movement(game, state, who)} cm",)
    options = (*(moves if MOVE not in barred else ()), *(legal if ATTACK not in barred else ()), DONE)
    chosen = yield Decision("action", game.name(who), f"action {which}", options)
    if chosen == DONE:
        return state, None
    if chosen in moves:
        return (yield from _take_move(game, state, who)), MOVE
    return (yield from _take_attack(game, state, who, legal[chosen]))


def _action_verb(kind: str) -> str:
    return "Channel" if kind == "P" else "Attack with"


def _legal_targets(game: Game, state: State, who: int, weapon: str) -> list[int]:
    """Whom a weapon may be used on, distance apart."""
    everybody = range(len(game.miniatures))
    return [other for other in everybody if not objection(game, state, AttackAction(who, other, weapon))]


def _take_move(game: Game, state: State, who: int) -> Procedure[State]:
    """Make a Move, with reactions and Body tests (section 6)."""
    state = yield from start_effects(game, state, "moving", (who,))
    yield Log("{} may Move up to {} cm", (game.name(who), modifiers.move_distance(game, state, who)))
    state = yield from _ask_reactions(game, state, who, MOVE_POINTS)
    if state.stands(who):
        state = yield from resolve_pending(game, state, who, "way")
        if state.stands(who):
            crossed = yield from ask_crossed(game, who, len(game.enemies(state, who)))
            yield from movement.cross_enemies(game, state, who, crossed)
    state = state.end_window("move")
    return (yield from resolve_pending(game, state, who, "end"))


def _take_attack(game: Game, state: State, who: int, weapon: str) -> Procedure[tuple[State, str]]:
    """Make an attack or a channel, with measurements and reactions; return '' if it was impossible."""
    targets = {game.name(other): other for other in _legal_targets(game, state, who, weapon)}
    name = yield Decision("target", game.name(who), "at whom", tuple(targets))
    attack, problem = yield from measure_attack(game, state, AttackAction(who, targets[name], weapon))
    charges = _may_charge(game, state, attack, problem)
    if problem and not charges:
        yield Log("not possible: {}", (problem,))
        return state, ""
    state = yield from _ask_reactions(game, state, who, CHARGE_POINTS if charges else ATTACK_POINTS)
    if charges:
        state = yield from _charge_and_attack(game, state, attack)
    elif state.stands(who) and state.stands(attack.target):
        state = yield from _attack(game, state, attack)
    return (yield from resolve_pending(game, state, who, "end")), ATTACK


def _may_charge(game: Game, state: State, attack: AttackAction, problem: str) -> bool:
    """Return whether a free Move comes first: the target is out of Range or hidden."""
    brings_move = movement.has_free_move(game, attack, modifiers.weapon_of(game, state, attack).type)
    if not brings_move or movement.out_of_charge_range(game, state, attack):
        return False
    return bool(problem or out_of_range(game, state, attack))


def _charge_and_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Make a free Move, with reactions part-way, and the attack after it."""
    state = yield from resolve_pending(game, state, attack.attacker, "way")
    if state.stands(attack.attacker) and state.stands(attack.target):
        state, after_move = yield from movement.charge(game, state, attack)
        if after_move:
            state = yield from _attack(game, state, after_move)
    return state


def _attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    state = yield from ask_auras(game, state, attack)
    return (yield from resolve_attack(game, state, attack))


def _ask_reactions(game: Game, state: State, actor: int, points: dict[str, str]) -> Procedure[State]:
    """Ask the enemies, one after the other, whether they react.

    Section 6: Reaction; ruling `reaction-chain`. Where the actor Moves, whoever is out of Range or sight now may react
    later in the action.
    """
    while state.stands(actor):
        offers = {
            f"{game.name(who)} with {weapon}": AttackAction(who, actor, weapon, reaction=True)
            for who in game.enemies(state, actor)
            if may_react(game, state, who)
            for weapon in available_weapons(game, state, who)
            if not objection(game, state, AttackAction(who, actor, weapon, reaction=True))
        }
        if not offers:
            return state
        chosen = yield Decision("reaction", "the enemy", f"who reacts to {game.name(actor)}", (NO_REACTION, *offers))
        if chosen == NO_REACTION:
            return state
        attack, problem = yield from measure_attack(game, state, offers[chosen])
        possible = {point: words for point, words in points.items() if not (problem and point == "before")}
        if problem and ("way" not in points or game.rulings["reaction-when"] == "before-dice"):
            yield Log("not possible: {}", (problem,))
            continue
        if game.rulings["reaction-chain"] == "allowed":
            state = yield from in_scope("answer", _ask_answers(game, state, attack.attacker))
        if not (state.stands(attack.attacker) and state.stands(actor)):
            continue
        state = yield from in_scope("reaction", react(game, state, attack, possible))
    return state


def _ask_answers(game: Game, state: State, reactor: int) -> Procedure[State]:
    """Ask who reacts to a reaction when it is declared, before its timing test (ruling `reaction-chain`)."""
    waiting = state.mode.pending_reactions
    state = yield from _ask_reactions(game, state.set_pending(), reactor, {"before": "before that Reaction"})
    state = yield from resolve_pending(game, state, reactor, "end")
    return state.set_pending(*waiting)
