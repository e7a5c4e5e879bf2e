"""Diagnostic codes of project files and folders."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Diagnostic codes, one for each kind of problem."""

    NO_SUCH_FILE = "CG020"
    NOT_A_CARD_FILE = "CG021"
    NO_CARDS = "CG022"
    OUTSIDE = "CG023"
    BAD_GAME_FOLDER = "CG034"
