"""Diagnostic codes for dice, transcripts, and saved matches."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic code of a kind of problem."""

    BAD_EXPRESSION = "CG801"
    IMPOSSIBLE_ANSWER = "CG802"
    BROKEN_TRANSCRIPT = "CG803"
    OTHER_VERSION = "CG804"
    WRONG_LINE = "CG805"
    NOT_POSSIBLE = "CG806"
    UNKNOWN_CARD = "CG807"
    NO_REFEREE = "CG808"
    UNKNOWN_SWITCH = "CG809"
    TOO_MANY_OUTCOMES = "CG810"
    NO_ANSWER = "CG811"
