"""The checks of games, loaded once."""

from __future__ import annotations

from functools import cache

from cardgen.checking.registry import GENERAL_CHECKS, CheckSource, Registry, load_registry
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.load.game_modules import load_game_module
from cardgen.rulesets import ruleset


def all_checks() -> Registry:
    """Return the checks of all games."""
    return checks_of(frozenset(ruleset.games()))


def checks_of(games: frozenset[str]) -> Registry:
    """Return the general checks and those of some games."""
    return registry_of(frozenset((source, game) for game in games if (source := require_game(game).checks)))


@cache
def registry_of(sources: frozenset[tuple[CheckSource, str]]) -> Registry:
    """Return the general checks and those of some sources, each with its game."""
    for source, game in sources:
        if isinstance(source, str):
            load_game_module(source, game)
    return load_registry({GENERAL_CHECKS: "", **dict(sources)})
