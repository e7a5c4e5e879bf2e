"""Battles of two to four players in rounds: initiative order, elimination, victory points, and the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from cardgen.referee.decks import Player
from cardgen.referee.requests import Log, Procedure, Roll, choose, in_scope
from cardgen.referee.trial import OddsTable, PreparedTrial, plain_data


class RoundsResult(NamedTuple):
    """The winner's place or None and why, the rounds, and the victory points and casualties of each player."""

    winner: int | None
    reason: str
    rounds: int
    points: tuple[int, ...]
    lost: tuple[int, ...]


class BattleEndError(Exception):
    """The battle ends at once: at most one player is left."""


def roll_initiative(names: Sequence[str], bonuses: Sequence[int]) -> Procedure[int]:
    """Roll d6 plus a bonus for each player until one total is the highest; return that place.

    Players who share the highest total roll again.
    """
    tied: list[int] = [*range(len(names))]
    while len(tied) > 1:
        totals: list[int] = []
        for who in tied:
            what = f"initiative, +{bonuses[who]}" if bonuses[who] else "initiative"
            totals.append((yield Roll("initiative", names[who], what)) + bonuses[who])
        tied = [who for who, total in zip(tied, totals, strict=True) if total == max(totals)]
    return tied[0]


def initiative_chance(bonuses: tuple[int, int]) -> Fraction:
    """Return the chance that the first of two players wins the initiative roll."""
    totals = [(one + bonuses[0], other + bonuses[1]) for one, other in product(range(1, 7), repeat=2)]
    wins, losses = (sum(1 for one, other in totals if sign * (one - other) > 0) for sign in (1, -1))
    return Fraction(wins, wins + losses)


def initiative_trial(names: tuple[str, str], bonuses: tuple[int, int]) -> PreparedTrial:
    """Return a trial of the initiative roll of two players."""
    chance, title = initiative_chance(bonuses), "initiative roll"
    rows = ((f"{names[0]} wins", chance), (f"{names[1]} wins", 1 - chance))
    return PreparedTrial(
        title,
        lambda: roll_initiative(names, bonuses),
        lambda winner: (f"{names[winner]} decides who is the first player",),
        plain_data,
        lambda: (OddsTable(title, parts=tuple(row for row in rows if row[1])),),
    )


def assign_order(players: Sequence[Player[Any]], winner: str) -> Procedure[list[Player[Any]]]:
    """Let the winner of the initiative roll decide who goes first, second, and so on."""
    order: list[Player[Any]] = []
    while left := {each.name: each for each in players if each not in order}:
        order.append((yield from choose("order", winner, f"player {len(order) + 1} in initiative order", left)))
    yield Log("initiative order: {}", (", ".join(each.name for each in order),))
    return order


def eliminate(players: Sequence[Player[Any]], is_left: Callable[[Player[Any]], bool]) -> Procedure[None]:
    """Eliminate the players with nothing left. Raises BattleEndError if at most one player remains."""
    for each in players:
        if not each.is_out and not is_left(each):
            each.is_out = True
            yield Log("{} is eliminated", (each.name,))
    if sum(not each.is_out for each in players) < 2:
        raise BattleEndError


def play_rounds(
    order: Sequence[Player[Any]],
    rounds: int,
    play_round: Callable[[int], Procedure[None]],
    score: Callable[[], Procedure[dict[int, int]]],
    lost: Callable[[int], int],
) -> Procedure[RoundsResult]:
    """Play rounds until one player is left, or until the last round is over and victory points decide.

    `score` returns them by place of the player; ties are won by the player earlier in the order.
    """
    points: dict[int, int] = {}
    number = 0
    try:
        for number in range(1, rounds + 1):
            yield Log("Round {}", (number,))
            yield from in_scope(f"round {number}", play_round(number))
        points = yield from in_scope("victory", score())
        left, reason = [each for each in order if not each.is_out], "victory points"
        winner = max(left, key=lambda each: points.get(each.index, 0))
    except BattleEndError:
        left, reason = [each for each in order if not each.is_out], "elimination"
        winner = left[0] if left else None  # type: ignore[assignment]
    places = range(len(order))
    totals = tuple(points.get(each, 0) for each in places)
    return RoundsResult(winner.index if winner else None, reason, number, totals, tuple(map(lost, places)))


def rounds_lines(names: Sequence[str], end: RoundsResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "no one wins" if end.winner is None else f"{names[end.winner]} wins"
    points = ", ".join(f"{name} {count}" for name, count in zip(names, end.points, strict=True))
    lost = ", ".join(f"{name} {count}" for name, count in zip(names, end.lost, strict=True))
    scored = (f"victory points: {points}",) if end.reason == "victory points" else ()
    return (f"{winner} in round {end.rounds}: {end.reason}", *scored, f"casualties: {lost}")
