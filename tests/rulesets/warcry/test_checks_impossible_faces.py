"""Faces of changes against the dice that are rolled for them."""

from __future__ import annotations

import pytest

from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.checks.changes import impossible_faces

PICK = {"pick": {"side": "enemy", "within": 6}}


@pytest.mark.parametrize(
    ("dice", "faces", "message"),
    [
        (1, "7+", "a D6 shows 6 at most"),
        ("value", "8+", "a D6 shows 6 at most"),
        ("2d6", "7+", ""),
        ("2d6", "2+", "2D6 always show 2 or more"),
        ("2d6", "1", "2D6 show 2 at least"),
        (1, "4+", ""),
        (1, "over-toughness", ""),
        (1, "3-5", ""),
    ],
)
def test_faces_that_dice_never_show_are_found(dice: object, faces: str, message: str) -> None:
    changes = [{**PICK, "roll": dice}, {"on_roll": faces, "of": "picked", "deal": 1}]
    found = [*impossible_faces(Ability.model_validate({"name": "Spark", "price": "double", "changes": changes}))]
    assert [each.message for each in found] == [message] * bool(message)
