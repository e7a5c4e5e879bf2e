"""Modules that games name in their ruleset."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic, Place

UNFINISHED_GAME = "CG032"


def load_game_module(name: str | Callable[[], Any], game: str) -> Any:
    """Import a module that the ruleset of a game names, or call its function, which returns the same names.

    Raises CardgenError if there is no such module.
    """
    if callable(name):
        return name()
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):  # another module that this one imports
            raise
        message = f"the game '{game}' names the module '{name}', which does not exist"
        advice = "create it, or remove it from the RULESET"
        raise CardgenError(Diagnostic(UNFINISHED_GAME, message, Place(game), advice)) from None


def missing_page(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic for a fixed limit without a manual page."""
    message = f"the fixed limit {diagnostic.code} has no manual page"
    return Diagnostic(
        UNFINISHED_GAME, message, diagnostic.place, "add its page to limits.txt in the game's package of checks"
    )
