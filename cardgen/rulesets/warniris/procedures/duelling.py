"""The trial of a duel: exact chances for both orders, or one duel rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from cardgen.referee.die import Die
from cardgen.rulesets.adjudication import Entrant, Figures, Matter, Meeting, Terms
from cardgen.rulesets.warniris.procedures.cards import fighters, left_out
from cardgen.rulesets.warniris.procedures.duel import Duel, Outcome
from cardgen.rulesets.warniris.procedures.situations import DuelSituation
from cardgen.rulesets.warniris.procedures.table import Table


def set_up_duel(situation: DuelSituation, terms: Terms) -> Matter:
    """A duel of two cards with their relics."""
    people = fighters([(situation.a, situation.relic_a), (situation.b, situation.relic_b)])
    table = Table(people, (0, 1), terms.rulings, terms.policy, distance=situation.distance)
    duel = Duel(table, situation.turns)
    a, b = table.name(0), table.name(1)

    def figures() -> tuple[Figures, ...]:
        found: list[Figures] = []
        for first in (0, 1):
            found += duel_figures(duel.odds(first), (a, b), f"{table.name(first)} goes first")
        return tuple(found)

    def told(end: Outcome) -> tuple[str, ...]:
        winner = "a draw" if end.winner is None else f"{table.name(end.winner)} wins"
        fallen = [f"{table.name(who)} is eliminated" for who in (0, 1) if end.fallen[who]]
        return (*fallen, f"{winner}; VP: {a} {end.vp[0]}, {b} {end.vp[1]}")

    def kept(end: Outcome) -> Any:
        return {"winner": end.winner, "fallen": list(end.fallen), "vp": list(end.vp)}

    first = 0 if situation.first == "a" else 1
    return Matter(f"{a} against {b}", lambda: duel.play(first), told, kept, figures, left_out(table))


def duel_figures(die: Die[Outcome], names: tuple[str, str], title: str) -> list[Figures]:
    """Who wins and who is eliminated, and the distribution of each side's VP."""
    winners = (*((f"{name} wins", who) for who, name in enumerate(names)), ("draw", None))
    winning = die.map(lambda end: end.winner)
    parts = tuple((words, _chance(winning, who)) for words, who in winners)
    fallen = tuple((f"{name} eliminated", _chance(die.map(_fallen(who)), True)) for who, name in enumerate(names))
    found = [Figures(title, parts, fallen)]
    for who, name in enumerate(names):
        points = die.map(_points(who))
        spread = tuple((str(vp), _chance(points, vp)) for vp in sorted(points.weights))
        means = ((f"mean VP of {name}", points.mean(int)),)
        found.append(Figures(f"VP of {name}, {title}", spread, means=means))
    return found


def _fallen(who: int) -> Callable[[Outcome], bool]:
    return lambda end: end.fallen[who]


def _points(who: int) -> Callable[[Outcome], int]:
    return lambda end: end.vp[who]


def _chance(die: Die[Any], outcome: object) -> Fraction:
    return die.chance(lambda end: end == outcome)


def meetings(entrants: Sequence[Entrant], terms: Terms) -> Iterator[Meeting]:
    """A duel of every two entrants, in range of each other; both orders count alike."""
    people = fighters([(entrant.card, entrant.carries) for entrant in entrants])
    for one, other in combinations(range(len(people)), 2):
        table = Table((people[one], people[other]), (0, 1), terms.rulings, terms.policy)
        duel = Duel(table)
        dice = [duel.odds(first).map(lambda end: end.winner) for first in (0, 1)]
        wins, loses = (sum((_chance(die, who) for die in dice), Fraction(0)) / 2 for who in (0, 1))
        yield Meeting(one, other, wins, loses)
