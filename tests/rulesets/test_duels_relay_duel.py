"""A duel in turns, in which copies step in: two players who toss a coin each turn."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardgen.referee.requests import Procedure, Roll
from cardgen.rulesets.duels import RelayDuel, put

Hearts = tuple[int, int]


class Coins(RelayDuel[Hearts]):
    """In its turn, a fighter takes a heart of the other one on heads; each has one."""

    def begin(self) -> Hearts:
        return (1, 1)

    def turn(self, owner: int, clash: Hearts) -> Procedure[Hearts]:
        heads = yield Roll("coin", self.names[owner], "coin", 2, (1,))
        other = put(clash, 1 - owner, clash[1 - owner] - 1)
        return (other[0], other[1]) if heads else clash

    def relieve(self, clash: Hearts, fallen: tuple[int, ...]) -> Hearts:
        return (1 if 0 in fallen else clash[0], 1 if 1 in fallen else clash[1])

    def is_out(self, clash: Hearts, who: int) -> bool:
        return clash[who] == 0

    def words(self, clash: Hearts, who: int) -> str:
        return "out" if self.is_out(clash, who) else "in"


@pytest.mark.parametrize(
    ("copies", "turns", "wins", "loses"),
    [
        ((1, 1), 1, Fraction(1, 2), Fraction(0)),
        ((1, 1), 2, Fraction(1, 2), Fraction(1, 4)),
        ((1, 2), 3, Fraction(1, 8), Fraction(1, 2)),
        ((2, 1), 2, Fraction(1, 2), Fraction(0)),
    ],
)
def test_copies_step_in(copies: tuple[int, int], turns: int, wins: Fraction, loses: Fraction) -> None:
    duel = Coins(("A", "B"), turns, copies)
    winners = duel.odds(0).map(duel.winner)
    assert (winners.chance_of(0), winners.chance_of(1)) == (wins, loses)


def test_its_words() -> None:
    duel = Coins(("A", "B"), 1)
    winner, *others = duel.tables(duel.odds(0), "A goes first")
    assert dict(winner.parts) == {"A wins": Fraction(1, 2), "B wins": 0, "neither wins": Fraction(1, 2)}
    assert [dict(table.parts) for table in others] == [{"in": 1}, {"in": Fraction(1, 2), "out": Fraction(1, 2)}]
    assert duel.outcome_lines(duel.outcome(((1, 0), (0, 0)))) == ("A: in", "B: out", "A wins")
