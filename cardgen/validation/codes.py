"""Diagnostic codes of wrong keys and values."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes of wrong keys and values."""

    UNKNOWN_KEY = "CG101"
    MISSING_KEY = "CG102"
    WRONG_TYPE = "CG103"
    OUT_OF_BOUNDS = "CG104"
    NOT_ONE_OF = "CG105"
    MALFORMED = "CG106"
    INVALID = "CG107"
    SAME_KEY_TWICE = "CG108"
