"""Modules that games name in their ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.rulesets.ruleset import ModuleSource, Ruleset

if TYPE_CHECKING:  # The referee and sheets load these when they need them.
    from cardgen.grammar.reading import TextReader
    from cardgen.referee.trial import GameTrials
    from cardgen.rulesets.reference import ReferenceContent


def load_game_module(name: ModuleSource, game: str) -> Any:
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
        raise CardgenError(Diagnostic(Code.UNFINISHED_GAME, message, Place(game), advice)) from None


def load_trials(rules: Ruleset) -> GameTrials:
    """Return the trials of a game. Raises CardgenError for a module that does not exist."""
    every: Iterator[GameTrials] = (module.TRIALS for module in _modules(rules.trials, rules.id))
    return reduce(lambda earlier, later: earlier.extended(later), every)


def load_content(rules: Ruleset) -> ReferenceContent:
    """Return the content that a game adds to sheets. Raises CardgenError for a module that does not exist."""
    every: Iterator[ReferenceContent] = (module.REFERENCE for module in _modules(rules.reference, rules.id))
    return reduce(lambda earlier, later: earlier.extended(later), every)


def load_reader(rules: Ruleset) -> TextReader | None:
    """Return the reader of a game's card texts, or None. Raises CardgenError for a module that does not exist."""
    reader: TextReader | None = load_game_module(rules.reader, rules.id).READER if rules.reader else None
    return reader


def _modules(sources: ModuleSource | tuple[ModuleSource, ...], game: str) -> Iterator[Any]:
    return (load_game_module(source, game) for source in (sources if isinstance(sources, tuple) else (sources,)))


def missing_page(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic for a fixed limit without a manual page."""
    message = f"the fixed limit {diagnostic.code} has no manual page"
    return Diagnostic(
        Code.UNFINISHED_GAME, message, diagnostic.place, "add its page to limits.txt in the game's package of checks"
    )
