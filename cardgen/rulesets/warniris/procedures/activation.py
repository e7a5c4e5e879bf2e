"""One miniature's activation in a battle: it chooses actions, the enemies react, and the table is measured."""

from __future__ import annotations

from cardgen.referee.requests import Choice, Number, Procedure, Say, scoped
from cardgen.rulesets.warniris.procedures import measuring, moving, reckoning
from cardgen.rulesets.warniris.procedures.attack import due, strike
from cardgen.rulesets.warniris.procedures.blow import Blow, weapons
from cardgen.rulesets.warniris.procedures.effects import start
from cardgen.rulesets.warniris.procedures.legality import objection, out_of_reach
from cardgen.rulesets.warniris.procedures.reaction import ON_THE_WAY, POINTS, may_react, react
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table

MOVE, DONE, NOBODY = "Move", "done", "nobody"


def activate(table: Table, state: State, who: int, actions: int) -> Procedure[State]:
    """An activation of so many actions (section 6; ruling `same-action`)."""
    state = state.marking(who, state.mode.marks[who]._replace(acted=True))
    state = yield from start(table, state, "activation_start", (who,))
    count = 1
    while count <= actions and state.stands(who) and not _won(table, state):
        state, acted = yield from scoped(f"action {count}", _action(table, state, who, f"{count} of {actions}"))
        if acted is None:
            break
        state = state.ending("action")
        count += acted
    if state.stands(who):
        state = yield from start(table, state, "activation_end", (who,))
    return state.ending("activation")


def _won(table: Table, state: State) -> bool:
    return table.defeated(state, 0) or table.defeated(state, 1)


def _action(table: Table, state: State, who: int, which: str) -> Procedure[tuple[State, bool | None]]:
    """One action; False where it turned out to be impossible, so that it is not used up, and None for none."""
    lines = {f"{_verb(p.type)} {p.name} ({p.type} {p.numbers})": p.name for p in weapons(table, state, who).values()}
    legal = {words: name for words, name in lines.items() if _targets(table, state, who, name)}
    options = (f"{MOVE} up to {reckoning.movement(table, state, who)} cm", *legal, DONE)
    chosen = yield Choice("action", table.name(who), f"action {which}", options)
    if chosen == DONE:
        return state, None
    if chosen == options[0]:
        return (yield from _move(table, state, who)), True
    return (yield from _attack(table, state, who, legal[chosen]))


def _verb(kind: str) -> str:
    return "Channel" if kind == "P" else "Attack with"


def _targets(table: Table, state: State, who: int, weapon: str) -> list[int]:
    """Whom a weapon may be used on, distance apart."""
    everybody = range(len(table.fighters))
    return [other for other in everybody if not objection(table, state, Blow(who, other, weapon))]


def _move(table: Table, state: State, who: int) -> Procedure[State]:
    """A Move (section 6): effects, reactions, and a Body test for every enemy in the way."""
    state = yield from moving.begin_move(table, state, who)
    yield Say("{} may Move up to {} cm", (table.name(who), reckoning.movement(table, state, who)))
    state = yield from _reactions(table, state, who, ON_THE_WAY)
    if state.stands(who):
        enemies = len(table.enemies(state, who))
        crossed = yield Number("enemies in the way", table.name(who), "enemies that it Moves through", 0, enemies)
        state = yield from due(table, state, who, "way")
        if state.stands(who):
            yield from moving.cross(table, state, who, crossed)
    return (yield from due(table, state, who, "end"))


def _attack(table: Table, state: State, who: int, weapon: str) -> Procedure[tuple[State, bool]]:
    """An attack or a channel: target, geometry, reactions, the free Move of a combat weapon, and the dice."""
    targets = {table.name(other): other for other in _targets(table, state, who, weapon)}
    name = yield Choice("target", table.name(who), "at whom", tuple(targets))
    blow, problem = yield from measuring.measured(table, state, Blow(who, targets[name], weapon))
    if problem:
        yield Say("not possible: {}", (problem,))
        return state, False
    crossed = 0
    if out_of_reach(table, state, blow):
        enemies = len(table.enemies(state, who)) - 1
        crossed = yield Number(
            "enemies in the way", table.name(who), "enemies that it Moves through", 0, max(0, enemies)
        )
    state = yield from _reactions(table, state, who, POINTS)
    if state.stands(who) and state.stands(blow.target):
        state, charged = yield from moving.charge(table, state, blow, crossed)
        if charged:
            state = yield from measuring.auras(table, state, charged)
            state = yield from strike(table, state, charged)
    return (yield from due(table, state, who, "end")), True


def _reactions(table: Table, state: State, actor: int, points: dict[str, str]) -> Procedure[State]:
    """Ask the enemies, one after the other, whether they react (section 6: Reaction; ruling `reaction-chain`)."""
    while state.stands(actor):
        offers = {
            f"{table.name(who)} with {weapon}": Blow(who, actor, weapon, reaction=True)
            for who in table.enemies(state, actor)
            if may_react(table, state, who)
            for weapon in weapons(table, state, who)
            if not objection(table, state, Blow(who, actor, weapon, reaction=True))
        }
        if not offers:
            return state
        chosen = yield Choice("reaction", "the enemy", f"who reacts to {table.name(actor)}", (NOBODY, *offers))
        if chosen == NOBODY:
            return state
        blow, problem = yield from measuring.measured(table, state, offers[chosen])
        if problem:
            yield Say("not possible: {}", (problem,))
            continue
        state = yield from scoped("reaction", react(table, state, blow, points))
    return state
