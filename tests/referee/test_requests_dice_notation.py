from __future__ import annotations

import time
from fractions import Fraction
from itertools import product

import icepool
import pytest

from cardgen.diagnostic import CardgenError
from cardgen.referee.odds import odds
from cardgen.referee.play import roll
from cardgen.referee.requests import parse
from tests.cases import each_case


@each_case(
    ("text", "theirs"),
    [
        ("2d6", 2 @ icepool.d6),
        ("d3", icepool.d(3)),
        ("d66", icepool.d6 * 10 + icepool.d6),
        ("4d6kh3", icepool.d6.highest(4, 3)),
        ("4d6kl1", icepool.d6.lowest(4, 1)),
        ("5d4dl2", icepool.d4.highest(5, 3)),
        ("3d8dh1", icepool.d8.lowest(3, 2)),
        ("2d6+1d4-3", 2 @ icepool.d6 + icepool.d4 - 3),
        ("10 - 2d4", 10 - 2 @ icepool.d4),
        ("D%", icepool.d(100)),
    ],
)
def test_odds_are_icepools(text: str, theirs: icepool.Die[int]) -> None:
    assert dict(parse(text).odds()) == {k: Fraction(w, theirs.denominator()) for k, w in theirs.items()}


@pytest.mark.parametrize("text", ["2d6", "3d4kh2", "d44", "2d3-1", "2d44kl1"])
def test_what_is_rolled_has_these_odds(text: str) -> None:
    """The procedure, enumerated die by die, is the fast algorithm's oracle."""
    expression = parse(text)
    assert odds(expression.procedure) == expression.odds()


def test_keeping_by_brute_force() -> None:
    rolls = [sum(sorted(faces)[1:]) for faces in product(range(1, 4), repeat=4)]
    assert dict(parse("4d3kh3").odds()) == {total: Fraction(rolls.count(total), len(rolls)) for total in set(rolls)}


def test_the_same_seed_rolls_the_same() -> None:
    assert roll(parse("9d6").procedure(), "a") == roll(parse("9d6").procedure(), "a")
    assert len({roll(parse("9d6").procedure(), str(seed)) for seed in range(50)}) > 5


@each_case(
    "text",
    ["", " ", "d", "2d", "d0", "0d6", "999999999d6", "2d6kh3", "2d6kh0", "2d6dl2", "d6d6", "2x6", "1.5d6", "-", "d6dl",
     "(" * 10**7, "1d6" + "+1d6" * 10**6, "d" * 50, "2d6;rm", "٣d6", "1000000000000d6", "1+1+1+1+1+1+1+1+1+1+1"],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_absurd_expressions_are_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(CardgenError) as error:
        parse(text)
    assert time.process_time() - started < 3
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "CG801"
    assert diagnostic.help
    assert len(diagnostic.message) < 200


def test_odds_that_would_take_too_long_are_refused() -> None:
    with pytest.raises(CardgenError, match="too many outcomes"):
        parse("100d1000").odds()
    started = time.process_time()
    assert len(parse("100d6").odds().weights) == 501
    assert time.process_time() - started < 10
