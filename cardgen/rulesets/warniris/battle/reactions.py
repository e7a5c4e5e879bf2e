"""Reactions where players decide and measure: who reacts, when, and with what."""

from __future__ import annotations

from cardgen.game import (
    Decision,
    Log,
    Procedure,
    Selection,
    in_scope,
)
from cardgen.rulesets.warniris.referee.attack import (
    keep_reaction,
    resolve_pending,
    spend_reaction,
    time_reaction,
)
from cardgen.rulesets.warniris.referee.conditions import AttackAction, available_weapons
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.measurements import free_movement, may_reach, measure_attack, objection
from cardgen.rulesets.warniris.referee.modifiers import is_unanswerable, may_react

# The answers after which nobody else of a side is asked until the end of a window.
YES, NO = "yes", "no"
DECLINED = {"nobody else in this Activation": "activation", "nobody else in this turn": "turn"}


# With this answer, whoever reacts in time chooses the moment; else it is the first one.
LATER = "at a later moment"
# Without a Test on the way, one moment of a Move is like another: distances are those at that moment.
PLAIN_MOVE_POINTS = {"way": "during its Move"}


def ask_reactions(
    game: Game, state: State, actor: int, points: dict[str, str], attack: AttackAction | None = None
) -> Procedure[State]:
    """Ask the enemies who of them reacts, and in which order.

    Section 6: Reaction; ruling `reaction-chain`. Where the actor Moves, whoever is out of Range or sight now may react
    later in the action.
    """
    approach = free_movement(game, state, actor) if "way" in points else 0
    offers = reaction_offers(game, state, actor, points, approach, attack)
    return (yield from _ask_offers(game, state, actor, points, offers))


def offer_later(game: Game, state: State, actor: int) -> None:
    """Let the enemies say at the next question that they react to a Move that needs no die."""
    game.notes.mover = actor if reaction_offers(game, state, actor, PLAIN_MOVE_POINTS) else None


def late_option(game: Game, state: State) -> dict[str, int]:
    """Return the option to react to the Move that was just made, if there is one."""
    mover, game.notes.mover = game.notes.mover, None
    if mover is None or not reaction_offers(game, state, mover, PLAIN_MOVE_POINTS):
        return {}
    return {f"{game.side_names[1 - game.sides[mover]]} reacts to the Move of {game.name(mover)}": mover}


def react_to_move(game: Game, state: State, mover: int) -> Procedure[State]:
    """Ask who reacts to a Move that was just made; distances are those on the way, and the Move goes on after it."""
    offers = reaction_offers(game, state, mover, PLAIN_MOVE_POINTS)
    state = yield from _ask_offers(game, state, mover, PLAIN_MOVE_POINTS, offers)
    if state.stands(mover):
        state = yield from resolve_pending(game, state, mover, "way")
        game.notes.move(mover, free_movement(game, state, mover))
    return (yield from resolve_pending(game, state, mover, "end"))


def choose_next(
    game: Game, state: State, side_name: str, what: str, options: tuple[str, ...]
) -> Procedure[tuple[State, str]]:
    """Ask who acts next, after the reactions to the Move that was just made."""
    late = late_option(game, state)
    chosen = yield Decision("activate", side_name, what, (*options, *late))
    if chosen not in late:
        return state, chosen
    state = yield from in_scope("end of the Move", react_to_move(game, state, late[chosen]))
    return state, (yield Decision("activate", side_name, what, options))


def ask_late(game: Game, state: State) -> Procedure[State]:
    """Ask who reacts to the last Move of a turn."""
    for mover in late_option(game, state).values():
        state = yield from in_scope("end of the Move", react_to_move(game, state, mover))
    return state


def _ask_offers(
    game: Game, state: State, actor: int, points: dict[str, str], offers: dict[str, AttackAction]
) -> Procedure[State]:
    side = 1 - game.sides[actor]
    if not offers:
        return state
    what = f"who reacts to {game.name(actor)}"
    later = (LATER,) if len(points) > 1 and game.rulings["reaction-when"] == "any-point" else ()
    chosen = yield Selection("reaction", game.side_names[side], what, (*offers, *later, *DECLINED))
    is_later = LATER in chosen
    for words in chosen:
        if words in DECLINED:
            game.notes.decline(side, DECLINED[words])
        elif words != LATER and state.stands(actor) and may_react(game, state, offers[words].attacker):
            declared = _declare(game, state, offers[words], points, is_later=is_later)
            state = yield from in_scope("reaction", declared)
    return state


def reaction_offers(
    game: Game,
    state: State,
    actor: int,
    points: dict[str, str],
    approach: int = 0,
    attack: AttackAction | None = None,
) -> dict[str, AttackAction]:
    """Return every reaction that may come into Range, by the words for it.

    The actor may come nearer by `approach`; `attack` is what it does, unless it Moves.
    """
    if game.notes.declines(1 - game.sides[actor]) or is_unanswerable(game, state, actor, attack):
        return {}
    moves = "way" in points
    attacks = (
        AttackAction(who, actor, weapon, reaction=True)
        for who in game.enemies(state, actor)
        if may_react(game, state, who)
        for weapon in available_weapons(game, state, who)
    )
    return {
        f"{game.name(each.attacker)} with {each.weapon}": each
        for each in attacks
        if not objection(game, state, each)
        and may_reach(game, state, each, approach)
        and (moves or not _is_hidden(game, each))
    }


def _is_hidden(game: Game, attack: AttackAction) -> bool:
    line = game.notes.line(*attack.pair)
    return line is not None and line.is_hidden


def _declare(
    game: Game, state: State, attack: AttackAction, points: dict[str, str], *, is_later: bool
) -> Procedure[State]:
    """Declare a reaction that can happen at a moment of the action; another one is not used up."""
    measured, problem = yield from measure_attack(game, state, attack)
    possible = points
    if problem:
        possible = yield from _later_moments(game, attack, points)
        if not possible:
            yield Log("not possible: {}", (problem,))
            return state
    else:
        attack = measured
    if not is_later:
        possible = dict(list(possible.items())[:1])
    # Whoever waits for answers cannot declare the same reaction once more.
    state, attack = spend_reaction(game, state, attack)
    if game.rulings["reaction-chain"] == "allowed":
        state = yield from in_scope("answer", _ask_answers(game, state, attack.attacker))
    if not (state.stands(attack.attacker) and state.stands(attack.target)):
        return keep_reaction(game, state, attack.attacker)
    return (yield from time_reaction(game, state, attack, possible))


def _later_moments(game: Game, attack: AttackAction, points: dict[str, str]) -> Procedure[dict[str, str]]:
    """Return the moments of a Move at which a reaction can happen that cannot happen now, as the player says."""
    later = {point: words for point, words in points.items() if point != "before"}
    if len(later) == len(points) or "way" not in later or game.rulings["reaction-when"] == "before-dice":
        return {}
    what = f"can strike {game.name(attack.target)} with {attack.weapon} at a later moment of its Move"
    answer = yield Decision("on the way", game.name(attack.attacker), what, (YES, NO))
    return later if answer == YES else {}


def _ask_answers(game: Game, state: State, reactor: int) -> Procedure[State]:
    """Ask who reacts to a reaction when it is declared, before its timing test (ruling `reaction-chain`)."""
    waiting = state.mode.pending_reactions
    state = yield from ask_reactions(game, state.set_pending(), reactor, {"before": "before that Reaction"})
    state = yield from resolve_pending(game, state, reactor, "end")
    return state.set_pending(*waiting)
