"""Impact damage, under the ruling `impact-table`."""

from __future__ import annotations

from cardgen.game import Procedure, Roll

# Impact damage by the die if high rolls are worse; if low rolls are, the die is read as 7 less what it shows.
IMPACT_DAMAGE = {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 3}


def impact_damage(who: str, modifier: int, *, low_is_worse: bool) -> Procedure[int]:
    """Roll the impact damage of a fighter.

    `modifier` is that of the enemy's battle trait; the die shows 1 at least.
    """
    face = yield Roll("impact", who, "impact damage")
    shown = max(1, int(face) + modifier)
    return IMPACT_DAMAGE[7 - shown if low_is_worse else shown]
