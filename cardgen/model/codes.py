"""Diagnostic codes of card files, decks, and references."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem."""

    UNKNOWN_FORMAT = "CG110"
    UNKNOWN_GAME = "CG111"
    UNKNOWN_KIND = "CG112"
    NOT_A_CARD = "CG113"
    DUPLICATE_ID = "CG114"
    UNKNOWN_REFERENCE = "CG115"
    AMBIGUOUS_REFERENCE = "CG116"
    UNKNOWN_SELECTION = "CG117"
