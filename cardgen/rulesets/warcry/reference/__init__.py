"""Content providers of Warcry's reference sheets, and the numbers that they quote."""

from pathlib import Path

from cardgen.game import ReferenceContent, fact_values
from cardgen.rulesets.warcry.cards import MAX_REGULAR_WOUNDS, POINTS_LIMIT, Blessing, Trait
from cardgen.rulesets.warcry.limits import MELEE_REACH
from cardgen.rulesets.warcry.referee.activation import ACTIONS, STRIKE_FACE
from cardgen.rulesets.warcry.referee.duel import ROUNDS
from cardgen.rulesets.warcry.referee.fighter import INITIATIVE_DICE
from cardgen.rulesets.warcry.reference import cards, profiles
from cardgen.rulesets.warcry.roster import MAX_FIGHTERS, MIN_FIGHTERS, ROLE_LIMITS

FACTS = {
    "actions": str(ACTIONS),
    "dice": str(INITIATIVE_DICE),
    "points": str(POINTS_LIMIT),
    "fewest": str(MIN_FIGHTERS),
    "most": str(MAX_FIGHTERS),
    "melee": str(MELEE_REACH),
    "heroes": str(ROLE_LIMITS["hero"]),
    "monsters": str(ROLE_LIMITS["monster"]),
    "allies": str(ROLE_LIMITS["ally"]),
    "regular": str(MAX_REGULAR_WOUNDS),
    "strikes": f"{STRIKE_FACE}+",
}

REFERENCE = ReferenceContent(
    sheets=Path(__file__).parent.parent / "sheets",
    content_providers={**cards.CONTENT_PROVIDERS, **profiles.CONTENT_PROVIDERS},
    inline_values={"fact": fact_values({**FACTS, "rounds": lambda data: str(ROUNDS[data.rulings["rounds"]])})},
    list_kinds=("warband",),
    groups={"faction": cards.factions},
    shared_kinds=(Trait.KIND, Blessing.KIND),
)
