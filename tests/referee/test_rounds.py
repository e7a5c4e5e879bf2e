"""Battles in rounds: initiative, elimination, and victory points."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import LogEntry, play
from cardgen.referee.requests import Procedure, Roll
from cardgen.referee.rounds import (
    TIE,
    VICTORY,
    Player,
    RoundsResult,
    assign_order,
    eliminate,
    play_rounds,
    roll_initiative,
    rounds_lines,
)


def players(count: int = 3) -> list[Player[Any]]:
    return [Player(index=place, name=name) for place, name in enumerate("ABCD"[:count])]


def run(procedure: Any, *answers: Any) -> Any:
    given = iter(answers)
    return play(procedure, lambda path, question: next(given), list[LogEntry]().append)


@pytest.mark.parametrize(
    ("bonuses", "dice", "winner"),
    [((0, 0), (2, 5), 1), ((3, 0), (2, 5, 1, 2), 0), ((0, 0, 0), (6, 1, 6, 2, 4), 2), ((0, 9, 0), (6, 1, 6), 1)],
)
def test_the_highest_total_wins_and_ties_roll_again(bonuses: Any, dice: Any, winner: int) -> None:
    assert run(roll_initiative("ABC"[: len(bonuses)], bonuses), *dice) == winner


def test_all_can_roll_again_after_a_tie() -> None:
    assert run(roll_initiative("ABC", (0, 0, 0), all_again=True), 6, 1, 6, 2, 5, 4) == 1


def test_the_winner_hands_out_the_order() -> None:
    order = run(assign_order(players(), "B"), "C", "A")
    assert [each.name for each in order] == ["C", "A", "B"]


def rounds(order: list[Player[Any]], points: dict[int, int], losses: dict[int, list[int]]) -> RoundsResult:
    """Play three rounds, in which players lose all models by number of the round."""
    gone: list[int] = []

    def play_round(number: int) -> Procedure[None]:
        gone.extend(losses.get(number, ()))
        yield from eliminate(order, lambda player: player.index not in gone)

    def score() -> Procedure[dict[int, int]]:
        yield Roll("die", "", "die")
        return points

    return run(play_rounds(order, 3, play_round, score, lambda side: side), 1)  # type: ignore[no-any-return]


def test_victory_points_and_then_the_order_decide() -> None:
    everyone = players()
    end = rounds([everyone[2], everyone[0], everyone[1]], {0: 4, 1: 4, 2: 1}, {})
    assert end == RoundsResult(0, TIE, 3, (4, 4, 1), (0, 1, 2))
    assert rounds_lines("ABC", end)[0] == f"A wins in round 3: {TIE}"
    end = rounds(everyone, {0: 4, 1: 5, 2: 1}, {})
    assert rounds_lines("ABC", end)[0] == f"B wins in round 3: {VICTORY}"


def test_an_eliminated_player_scores_nothing() -> None:
    assert rounds(players(), {0: 9, 1: 1}, {1: [0]}).winner == 1


@pytest.mark.parametrize(("lost", "winner"), [([0, 2], 1), ([0, 1, 2], None)])
def test_the_last_player_wins_at_once(lost: list[int], winner: int | None) -> None:
    end = rounds(players(), {}, {2: lost})
    assert (end.winner, end.reason, end.rounds) == (winner, "elimination", 2)
    assert rounds_lines("ABC", end)[0].startswith("no one wins" if winner is None else "B wins")
