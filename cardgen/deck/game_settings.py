"""The blocks of games in a project's settings, and the modules that games name in their ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project import Project
from cardgen.rulesets import ruleset
from cardgen.rulesets.game_settings import GameSettings
from cardgen.rulesets.ruleset import ModuleSource, Ruleset
from cardgen.runtime.workspace import Workspace
from cardgen.validation.base import SourceMap
from cardgen.validation.validate import KeyContext, validate

if TYPE_CHECKING:
    from cardgen.grammar.reading import TextReader
    from cardgen.referee.trial import GameTrials
    from cardgen.rulesets.reference import ReferenceContent


def read_game_settings(project: Project) -> Workspace:
    """Return the project's workspace with its blocks of games, which are read at the first call.

    Raises CardgenError with all problems in them.
    """
    workspace = project.workspace
    if workspace.game_settings is not None:
        return workspace
    blocks = [_read_block(project, game) for game in project.game_blocks]
    problems = [problem for _, problems in blocks for problem in problems]
    if problems:
        raise CardgenError(*problems)
    workspace.game_settings = {type(block): block for block, _ in blocks if block}
    return workspace


def _read_block(project: Project, game: str) -> tuple[GameSettings | None, tuple[Diagnostic, ...]]:
    rules = ruleset.ruleset(game, project.workspace)
    assert isinstance(rules, Ruleset), "only installed games have a block"
    assert project.document is not None, "a block is in a file"
    if rules.settings is None:
        message = f"the game '{game}' has no settings of its own"
        return None, (Diagnostic(Code.BAD_SETTINGS, message, project.place((game,)), "remove this key"),)
    source_map = SourceMap(project.document, (rules.settings,), ((game,),))
    data = project.game_blocks[game]
    context = KeyContext(own_location=f"in '{game}'", owner_suffix=f" in '{game}'")
    return validate(rules.settings, {} if data is None else data, source_map, lambda: context)


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
