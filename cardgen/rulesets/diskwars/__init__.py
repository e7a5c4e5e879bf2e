"""Warhammer: Diskwars: battles of round disks that flip. Its cards, rulings, and most checks are in `game.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from cardgen.game import game_from_file
from cardgen.rulesets.diskwars.army import KIND, PACK, Settings

if TYPE_CHECKING:
    from cardgen.game import Claims


def _claims_of(_: object, text: str) -> Claims:
    # loaded here to read cards fast
    from cardgen.game import read_members
    from cardgen.rulesets.diskwars.wording import GRAMMAR, all_claims_of, claims_of

    return claims_of(text)._replace(claims=(*all_claims_of(text), *read_members(GRAMMAR, text)[0]))


RULESET = game_from_file(
    __name__,
    checks=f"{__name__}.checks",
    trials=f"{__name__}.referee.trials",
    reference=f"{__name__}.reference",
    kinds=(KIND,),
)._replace(
    pack=PACK,
    settings=Settings,
    claims_of=_claims_of,
    text_effects={
        "focus": "focus_effects",
        "ability": "bonuses",
        "passive": "bonuses",
        "battle": "battle_effects",
        "objective": "",
    },
)
DISK = RULESET.kinds["disk"].model
ATTACK, EFFECT = (get_args(DISK.model_fields[key].annotation)[0] for key in ("ranged", "focus_effects"))
