"""Warcry, second edition, with the Matched Play battlepack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.game import Ruleset, late
from cardgen.rulesets.warcry.limits import GLOSSARY, RULINGS, Settings
from cardgen.rulesets.warcry.pack import KINDS, PACK

if TYPE_CHECKING:
    from cardgen.rulesets.warcry.cards import Blessing, Fighter, Trait


def wounds_of(fighter: Fighter, blessing: Blessing | None, trait: Trait | None, choice: str | None) -> int:
    """Return the Wounds of a fighter with its blessing, its battle trait, and the chosen alternative of that."""
    from cardgen.rulesets.warcry.referee import fighter as numbers

    return numbers.wounds_of(fighter, blessing, trait, choice)


RULESET = Ruleset(
    id="warcry",
    name="Warcry, Matched Play",
    kinds=KINDS,
    describe=late(f"{__name__}.wording.sentences", "describe"),
    once_label=late(f"{__name__}.wording.sentences", "once_label"),
    glossary=GLOSSARY,
    rulings=RULINGS,
    reader=f"{__name__}.wording.reader",
    checks=f"{__name__}.checks",
    trials=f"{__name__}.trials",
    reference=f"{__name__}.reference",
    pack=PACK,
    settings=Settings,
    template_functions={"wounds_of": wounds_of},
)
