"""Checks of a game, from the expressions in its file."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.checking.check import Check
from cardgen.game_file.context import GameContext


def compile_checks(context: GameContext) -> Iterable[Check]:
    """Return the checks of a game, and report mistakes in them."""
    return ()
