"""Phrases that games share."""

from __future__ import annotations

import pytest

from cardgen.rulesets.phrases import told_changes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It has +1\u00a0Move and \N{MINUS SIGN}2 Attacks.", [("Move", 1), ("Attacks", -2)]),
        ("One less Attack, and two more inches of Move.", [("Attacks", -1), ("Move", 2)]),
        ("Its Move is 1 lower, and it has +1 Toughness.", [("Toughness", 1), ("Move", -1)]),
        ("It has two more Attacks than its target, and Move 5.", []),
    ],
)
def test_changes_are_told_with_signs_and_in_words(text: str, told: list[tuple[str, int]]) -> None:
    assert [(term, amount) for term, amount, _ in told_changes(text, ("Move", "Attacks", "Toughness"))] == told
