"""Trials of a game, from the steps in its file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.game_file.context import GameContext


def compile_trials(context: GameContext) -> Callable[[], Any] | None:
    """Return a function that returns an object with the `TRIALS` of a game, or None; report mistakes in them."""
    return None
