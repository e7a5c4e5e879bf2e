"""Lists of cards, from a game file: kinds with members and limits, and the pack of a list."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game_file.context import GameContext
from cardgen.rulesets.ruleset import Kind, Pack


def compile_lists(context: GameContext) -> Iterable[Kind]:
    """Return the kinds of lists of a game, and report mistakes in them."""
    return ()


def compile_pack(context: GameContext) -> Pack | None:
    """Return the pack of the game's lists, or None."""
    return None
