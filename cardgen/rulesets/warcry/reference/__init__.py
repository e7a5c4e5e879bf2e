"""What Warcry gives its reference sheets, and the numbers that they quote."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from cardgen.game import GameData, NotAvailableError, ReferenceContent
from cardgen.rulesets.warcry.cards import MAX_REGULAR_WOUNDS, POINTS_LIMIT
from cardgen.rulesets.warcry.referee.activation import ACTIONS
from cardgen.rulesets.warcry.referee.duel import ROUNDS
from cardgen.rulesets.warcry.referee.initiative_phase import INITIATIVE_DICE
from cardgen.rulesets.warcry.referee.phase_trials import STRIKE_FACE
from cardgen.rulesets.warcry.reference import cards, odds
from cardgen.rulesets.warcry.roster import MAX_FIGHTERS, MIN_FIGHTERS
from cardgen.rulesets.warcry.weapon import MELEE_REACH

_FACTS = {
    "actions": str(ACTIONS),
    "dice": str(INITIATIVE_DICE),
    "points": str(POINTS_LIMIT),
    "fewest": str(MIN_FIGHTERS),
    "most": str(MAX_FIGHTERS),
    "melee": str(MELEE_REACH),
    "regular": str(MAX_REGULAR_WOUNDS),
    "strikes": f"{STRIKE_FACE}+",
}


def _fact(name: str, data: GameData) -> str:
    """A number that the program itself plays by; that of the battle rounds is a ruling."""
    if name == "rounds":
        return str(ROUNDS[data.rulings["rounds"]])
    if name not in _FACTS:
        raise NotAvailableError.unknown("fact", name, [*_FACTS, "rounds"])
    return _FACTS[name]


INLINE_VALUES = {"fact": _fact}


REFERENCE = ReferenceContent(
    sheets=Path(__file__).parent.parent / "sheets",
    content_providers=MappingProxyType({**cards.CONTENT_PROVIDERS, **odds.CONTENT_PROVIDERS}),
    inline_values=MappingProxyType(INLINE_VALUES),
    list_kinds=("warband",),
)
