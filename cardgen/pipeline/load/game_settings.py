"""The blocks of games in a project's settings, read and put in force."""

from __future__ import annotations

from contextlib import AbstractContextManager

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.project import Project
from cardgen.rulesets import game_settings, ruleset
from cardgen.rulesets.game_settings import GameSettings
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.source_map import SourceMap
from cardgen.validation.validate import KeyContext, validate


def in_force(project: Project) -> AbstractContextManager[None]:
    """Put the game blocks of a project in force.

    Raises CardgenError with all problems in them.
    """
    blocks = [_read_block(project, game) for game in project.game_blocks]
    problems = [problem for _, problems in blocks for problem in problems]
    if problems:
        raise CardgenError(*problems)
    return game_settings.in_force({type(block): block for block, _ in blocks if block})


def _read_block(project: Project, game: str) -> tuple[GameSettings | None, tuple[Diagnostic, ...]]:
    rules = ruleset.ruleset(game)
    assert isinstance(rules, Ruleset), "only installed games have a block"
    assert project.document is not None, "a block is in a file"
    if rules.settings is None:
        message = f"the game '{game}' has no settings of its own"
        return None, (Diagnostic(Code.BAD_SETTINGS, message, project.place((game,)), "remove this key"),)
    source_map = SourceMap(project.document, (rules.settings,), ((game,),))
    data = project.game_blocks[game]
    context = KeyContext(own_location=f"in '{game}'", owner_suffix=f" in '{game}'")
    return validate(rules.settings, {} if data is None else data, source_map, lambda: context)
