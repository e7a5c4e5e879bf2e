"""The order of cards whose strategies beat each other in a cycle."""

from __future__ import annotations

from itertools import product

from cardgen.referee.battles import is_ring, strategy_order

BEATS = {"fire": "wood", "wood": "water", "water": "fire"}


def test_every_card_has_one_place() -> None:
    for strategies in product((*BEATS, "late"), repeat=4):
        for flags in product((False, True), repeat=2):
            order = strategy_order(strategies, BEATS, "late", is_compared=flags[0], has_ring=flags[1])
            assert sorted(order) == [0, 1, 2, 3]
            late = [strategies[who] == "late" for who in order]
            assert late == sorted(late)


def test_two_cards_are_compared_and_equal_ones_keep_their_order() -> None:
    for one, other in product(BEATS, repeat=2):
        assert strategy_order((one, other), BEATS, "late") == ((1, 0) if BEATS[other] == one else (0, 1))


def test_a_ring_has_all_strategies() -> None:
    assert is_ring(("fire", "water", "wood", "wood"), BEATS)
    assert not is_ring(("fire", "fire", "wood"), BEATS)
