"""What Warcry gives its reference sheets."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from cardgen.rulesets.reference import ReferenceContent
from cardgen.rulesets.warcry.reference import cards, odds
from cardgen.rulesets.warcry.reference.quotations import INLINE_VALUES

REFERENCE = ReferenceContent(
    sheets=Path(__file__).parent.parent / "sheets",
    content_providers=MappingProxyType({**cards.CONTENT_PROVIDERS, **odds.CONTENT_PROVIDERS}),
    inline_values=MappingProxyType(INLINE_VALUES),
    list_kinds=("warband",),
)
