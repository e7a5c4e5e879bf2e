"""What Warniris gives its reference sheets."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from cardgen.rulesets.reference import ReferenceContent
from cardgen.rulesets.warniris.reference import cards, letters, odds
from cardgen.rulesets.warniris.reference.quotations import INLINE_VALUES

REFERENCE = ReferenceContent(
    sheets=Path(__file__).parent.parent / "sheets",
    content_providers=MappingProxyType({**letters.LETTER_PROVIDERS, **cards.CARD_PROVIDERS, **odds.ODDS_PROVIDERS}),
    inline_values=MappingProxyType(INLINE_VALUES),
    list_kinds=("warband",),
)
