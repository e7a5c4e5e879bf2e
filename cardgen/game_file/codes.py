"""Diagnostic codes of game files."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem."""

    INVALID_GAME = "CG033"
    LOOSE_END = "CG035"
