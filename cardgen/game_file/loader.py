"""Loads games from their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path

from cardgen.checking.check import Check
from cardgen.diagnostic import CardgenError, Diagnostic, stop_on_errors
from cardgen.game_file.cards.kinds import compile_kinds
from cardgen.game_file.cards.parts import compile_types
from cardgen.game_file.cards.pieces.compiler import compile_pieces
from cardgen.game_file.cards.rule_texts import glossary_terms, rulings
from cardgen.game_file.check.compiler import compile_checks
from cardgen.game_file.check.mistakes import own_mistakes
from cardgen.game_file.check.unit_check import unit_check
from cardgen.game_file.context import GameContext
from cardgen.game_file.lists.kinds import compile_lists
from cardgen.game_file.lists.limits import compile_list_limits
from cardgen.game_file.lists.pack import compile_pack
from cardgen.game_file.output.card_face import CardFace
from cardgen.game_file.output.reference import compile_reference
from cardgen.game_file.output.roster_face import ROSTER_FUNCTIONS
from cardgen.game_file.output.rule_values import rule_values
from cardgen.game_file.output.texts import compile_texts
from cardgen.game_file.spec.document import GameFile
from cardgen.game_file.trials import compile_trials
from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.runtime.project_games import ProjectGame
from cardgen.source import Code as SourceCode
from cardgen.source import Data, Document, decode_document
from cardgen.source.document import unreadable_document
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import did_you_mean
from cardgen.validation.validate import validate, validate_partially

# Loaded games to keep, so that a game is read once for all cards of a run.
_MOST_LOADED = 64
_CODE = re.compile(r"\bcode:\s*[\"']?([A-Z]{2})[1-5][0-9]{2}\b")


def load_game(file: ProjectGame, game: str = "") -> Ruleset:
    """Return the game of a file, whose id must be `game` if that is not ''.

    Raises CardgenError with all mistakes in it.
    """
    try:
        content = file.content
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or error}"
        raise CardgenError(*unreadable_document(file.name, SourceCode.UNREADABLE, message).diagnostics) from None
    return _load(file.path, file.name, content, game, file.is_tested)


@lru_cache(maxsize=_MOST_LOADED)
def _load(path: Path, name: str, content: bytes, game: str, is_tested: bool) -> Ruleset:
    context = read_game(decode_document(content, name), path.parent)
    context.is_tested = is_tested
    if game and context.spec.game != game:
        message = f"'game' must be '{game}', the name of the folder, not '{context.spec.game}'"
        context.report(("game",), message, "rename one of the two")
    rules = compile_game(context)
    stop_on_errors(context.problems)
    return rules


def read_game(document: Document, folder: Path) -> GameContext:
    """Return the context of a game file whose form is valid.

    Raises CardgenError with all places whose form is not, and with the mistakes in the rest of the file.
    """
    if document.data is None:
        stop_on_errors(document.diagnostics)
    source_map = SourceMap(document, (GameFile,))
    spec, problems = validate(GameFile, {} if document.data is None else document.data, source_map)
    try:
        stop_on_errors((*document.diagnostics, *problems))
    except CardgenError:
        raise CardgenError(*read_valid_part(document, folder)[1]) from None
    assert spec is not None
    return GameContext(spec, source_map, folder)


def read_valid_part(document: Document, folder: Path) -> tuple[GameContext | None, tuple[Diagnostic, ...]]:
    """Return the compiled context of what is valid in a game file, or None, and all mistakes in the file.

    Mistakes that only follow from others are left out.
    """
    part = validate_partially(GameFile, document, _defaults(document))
    form = tuple(dict.fromkeys((*document.diagnostics, *part.diagnostics)))
    if part.spec is None:
        return None, form
    context = GameContext(part.spec, SourceMap(part.document, (GameFile,)), folder, removals=part.removals)
    compile_game(context)
    reported = {each.place for each in form}
    context.problems = [each for each in own_mistakes(context) if each.place not in reported]
    return context, (*form, *context.problems)


def _defaults(document: Document) -> Mapping[str, Data]:
    """Return what stands for missing keys of a game; the prefix is that of the first code in the file."""
    prefix = _CODE.search(document.line_index.text)
    return {"game": "game", "name": "Game", "prefix": prefix[1] if prefix else "XX", "kinds": {"card": {}}}


def compile_game(context: GameContext) -> Ruleset:
    """Return the game of a context; mistakes are added to its problems."""
    spec = context.spec
    context.terms = glossary_terms(spec.glossary)
    compile_types(context)
    compile_kinds(context)
    _add_kinds(context, compile_lists(context), "lists")
    _add_kinds(context, compile_pieces(context), "pieces")
    _check_card_kinds(context)
    pack = compile_pack(context)
    face, describe = CardFace(context), compile_texts(context)
    checks = (*unit_check(context), *compile_checks(context), *compile_list_limits(context))
    trials, dice = compile_trials(context)
    return Ruleset(
        id=spec.game,
        name=spec.name,
        kinds=context.kinds,
        describe=describe,
        once_label=_no_label,
        glossary=context.terms,
        rulings=rulings(spec.rulings),
        checks=_check_source(context, checks),
        trials=trials or "",
        reference=compile_reference(context, face, describe),
        pack=pack,
        template_functions={**face.functions, **ROSTER_FUNCTIONS},
        base_theme="shared",
        dice=dice,
        rule_values=partial(rule_values, context),
    )


def _add_kinds(context: GameContext, kinds: Iterable[Kind], section: str) -> None:
    for kind in kinds:
        name = kind.model.KIND
        if name in context.kinds:
            message = f"duplicate kind '{name}'"
            context.report((section, name), message, "choose another name", key=True)
        context.kinds[name] = kind


def _check_card_kinds(context: GameContext) -> None:
    """Report fields that name cards of a kind that the game does not have."""
    for key_path, kind in context.card_kinds:
        if kind not in context.kinds:
            message = f"unknown kind '{kind}'{did_you_mean(kind, context.kinds)}"
            context.report(key_path, message, f"available: {', '.join(context.kinds)}")


def _check_source(context: GameContext, checks: Iterable[Check]) -> Callable[[], Iterable[Check]]:
    return partial(tuple, (*context.limits.checks(), *checks))


def _no_label(_: object) -> str:
    return ""
