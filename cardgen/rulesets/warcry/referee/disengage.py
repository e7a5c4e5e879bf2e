"""The disengage action, and the reaction Strike Them Down (battlepack: Universal Reactions)."""

from __future__ import annotations

from cardgen.game import Procedure, Roll

STRIKE_THEM_DOWN = "strike-them-down"
STRIKE_FACE = 4
# How far a disengage action goes at most, and the distance at which an enemy is near.
DISENGAGE_MOVE, ADJACENT = 3, 1


def strike_them_down(who: str) -> Procedure[int]:
    """Return the damage points of a fighter that disengages.

    D6 on 4+, before it moves.
    """
    hit = yield Roll("strike", who, f"Strike Them Down, {STRIKE_FACE}+", wins=tuple(range(STRIKE_FACE, 7)))
    if not hit:
        return 0
    points = yield Roll("damage", who, "D6 damage")
    return int(points)
