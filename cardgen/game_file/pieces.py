"""Pieces of a game, from its file: kinds of tokens, proxies, and tools, made from cards."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game_file.context import GameContext
from cardgen.rulesets.ruleset import Kind


def compile_pieces(context: GameContext) -> Iterable[Kind]:
    """Return the kinds of pieces of a game, and report mistakes in them."""
    return ()
