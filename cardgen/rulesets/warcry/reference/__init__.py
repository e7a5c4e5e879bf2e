"""What Warcry gives its reference sheets."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from cardgen.rulesets.reference import Reference
from cardgen.rulesets.warcry.reference import cards, odds
from cardgen.rulesets.warcry.reference.quotations import QUOTATIONS

REFERENCE = Reference(
    sheets=Path(__file__).parent.parent / "sheets",
    exhibits=MappingProxyType({**cards.EXHIBITS, **odds.EXHIBITS}),
    quotations=MappingProxyType(QUOTATIONS),
    lists=("warband",),
)
