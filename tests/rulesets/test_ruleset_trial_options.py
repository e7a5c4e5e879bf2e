"""Options of trials that a card or a situation cannot have are refused, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.skirmish.referee import fights as skirmish
from tests.rulesets.warcry.referee import fights as warcry
from tests.rulesets.warniris.referee import fights as warniris

WARRIOR = skirmish.card()
HERO = warniris.card("Hero", "M3 B3 S3 W3", "Axe: CW R1 P1 D1")
FAULTS: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "--width is an option of 'gap', not of 'fall'": (skirmish, "fall", {"warrior": WARRIOR, "height": 3, "width": 3}),
    "--levels is an option of 'climb', not of 'jump'": (
        skirmish, "jump", {"warrior": WARRIOR, "height": 3, "levels": 2}
    ),
    "--down is an option of 'climb', not of 'gap'": (
        skirmish, "gap", {"warrior": WARRIOR, "height": 3, "width": 2, "down": True}
    ),
    "a leader lends Leadership, not Initiative": (
        skirmish, "test", {"card": WARRIOR, "attribute": "initiative", "leader": WARRIOR}
    ),
    "B has 1 Wound, so it cannot have lost 2": (
        skirmish, "attack", {"attacker": WARRIOR, "target": skirmish.card("B"), "lost": 2}
    ),
    "--again repeats an ability": (
        warcry, "activation", {"attacker": warcry.fighter(), "target": warcry.fighter("B"), "again": True}
    ),
    "--reactions counts the actions": (
        warcry, "activation", {"attacker": warcry.fighter(), "target": warcry.fighter("B"), "reactions": 2}
    ),
    "a moment belongs to a reaction": (warniris, "attack", {"attacker": HERO, "target": HERO, "moment": "hit"}),
}  # fmt: skip


@pytest.mark.parametrize("message", FAULTS)
def test_what_a_trial_cannot_have_is_refused(message: str) -> None:
    game, trial, values = FAULTS[message]
    with pytest.raises(ValueError, match=message):
        game.case(trial, **values)
