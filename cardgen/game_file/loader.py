"""Loads games from their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cardgen.diagnostic import CardgenError, Diagnostic, did_you_mean, stop_on_errors
from cardgen.game_file.checks import compile_checks, own_mistakes
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.kinds import compile_kinds, compile_types, glossary_terms, rulings
from cardgen.game_file.lists import compile_list_limits, compile_lists
from cardgen.game_file.manual_pages import manual_page
from cardgen.game_file.pack import compile_pack
from cardgen.game_file.pieces import compile_pieces
from cardgen.game_file.spec import GameFile
from cardgen.game_file.texts import ROSTER_FUNCTIONS, CardFace, compile_reference, compile_texts, rule_values
from cardgen.game_file.unit_check import unit_check
from cardgen.rulesets.ruleset import FacesByDie, Kind, ModuleSource, Ruleset, kinds_by_name
from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.workspace import GAME_FILE, ProjectGame
from cardgen.source import Code as SourceCode
from cardgen.source import Document, decode_document
from cardgen.source.document import unreadable_document
from cardgen.validation.base import SourceMap
from cardgen.validation.validate import validate, validate_partially

if TYPE_CHECKING:
    from cardgen.game_file.trial_dice import GameDie
    from cardgen.game_file.trial_steps import Program


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
    # What stands for missing keys of a game; the prefix is that of the first code in the file.
    prefix = _CODE.search(document.line_index.text)
    part = validate_partially(
        GameFile,
        document,
        {"game": "game", "name": "Game", "prefix": prefix[1] if prefix else "XX", "kinds": {"card": {}}},
    )
    form = tuple(dict.fromkeys((*document.diagnostics, *part.diagnostics)))
    if part.spec is None:
        return None, form
    context = GameContext(part.spec, SourceMap(part.document, (GameFile,)), folder, removals=part.removals)
    compile_game(context)
    reported = {each.place for each in form}
    context.problems = [each for each in own_mistakes(context) if each.place not in reported]
    return context, (*form, *context.problems)


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
    checks = (*unit_check(context), *compile_checks(context, manual_page), *compile_list_limits(context))
    trials, dice = compile_trials(context)
    return Ruleset(
        id=spec.game,
        name=spec.name,
        kinds=context.kinds,
        describe=describe,
        once_label=_no_label,
        glossary=context.terms,
        rulings=rulings(spec.rulings),
        checks=partial(tuple, (*context.limits.checks(), *checks)),
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


def _no_label(_: object) -> str:
    return ""


def compile_trials(context: GameContext) -> tuple[Callable[[], Any] | None, FacesByDie]:
    """Return a function that creates the object with the `TRIALS`, and the faces of the dice by name.

    The function is None for a game without trials. Report mistakes in trials and dice.
    """
    dice = _compile_dice(context) if context.spec.dice else {}
    faces = {name: die.candidates for name, die in dice.items()}
    programs = cache(partial(_compile_programs, context, dice))
    if not context.spec.trials or not (context.is_tested or programs()):
        return None, faces
    return cache(partial(_create_module, context, dice, programs)), faces


def _compile_dice(context: GameContext) -> Mapping[str, GameDie]:
    from cardgen.game_file.trial_dice import compile_dice

    return compile_dice(context)


def _compile_programs(context: GameContext, dice: Mapping[str, GameDie]) -> Mapping[str, Program]:
    from cardgen.game_file.trials import compile_programs

    return compile_programs(context, dice)


def _create_module(
    context: GameContext, dice: Mapping[str, GameDie], programs: Callable[[], Mapping[str, Program]]
) -> Any:
    from cardgen.game_file.trial_run import TrialModule

    return TrialModule(context.spec, programs(), dice, context.kinds)


def game_from_file(
    package: str,
    *,
    checks: str = "",
    trials: ModuleSource = "",
    reference: ModuleSource = "",
    kinds: Iterable[Kind] = (),
    template_functions: Mapping[str, Callable[..., object]] = MappingProxyType({}),
) -> Ruleset:
    """Return the game of the `game.yaml` in a package, with what its Python adds.

    `package` is the name of the package. The arguments are those of `Ruleset`; they are added to what the file
    describes, and trials, content of sheets, and template functions replace those of the same name. With a `reference`,
    sheets are in the folder that it names. Raises CardgenError with all mistakes in the file, and ValueError for a kind
    that the file already has.
    """
    # The game file of a package, which may not have been imported completely.
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).with_name(GAME_FILE)
    rules = load_game(ProjectGame(path, f"{path.parent.name}/{GAME_FILE}", is_tested=path.is_relative_to(PACKAGE)))
    return rules._replace(
        kinds=_all_kinds(rules.kinds, kinds),
        checks=_joined(rules.checks, checks),
        trials=_joined(rules.trials, trials),
        reference=_joined(rules.reference, reference),
        template_functions={**rules.template_functions, **template_functions},
        rule_values=None,
    )


def _all_kinds(kinds: Mapping[str, Kind], more: Iterable[Kind]) -> Mapping[str, Kind]:
    others = kinds_by_name(more)
    if twice := sorted(kinds.keys() & others.keys()):
        raise ValueError(f"duplicate kind '{twice[0]}'")
    return {**kinds, **others} if others else kinds


def _joined(*sources: Any) -> Any:
    """Return the sources that are not empty: several, one, or ''."""
    every = tuple(source for source in sources if source)
    return every if len(every) > 1 else next(iter(every), "")
