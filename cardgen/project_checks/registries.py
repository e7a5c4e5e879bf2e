"""The checks of games, loaded once, and what they can use of a project."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from cardgen.checking.check import Glossary, ProjectServices
from cardgen.checking.registry import GENERAL_CHECKS, CheckSource, Registry, load_registry
from cardgen.deck.art import art_files, back_pictures, find_art, settings_back
from cardgen.deck.deck import project_icons, require_game
from cardgen.deck.game_settings import load_game_module
from cardgen.diagnostic import Code, Diagnostic, Place, join_words, stop_on_errors
from cardgen.model.card import Entry
from cardgen.project import Project
from cardgen.project_checks.template_sources import TemplateSources, unread_fields
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.workspace import Workspace


def all_checks(workspace: Workspace | None = None) -> Registry:
    """Return the checks of all games, by default of the installed ones."""
    own = workspace or Workspace()
    return checks_of(frozenset(own.game_ids), own)


def checks_of(games: frozenset[str], workspace: Workspace) -> Registry:
    """Return the general checks and those of some games."""
    sources = ((game, require_game(game, workspace).checks) for game in games)
    return registry_of(frozenset((source, game) for game, every in sources for source in _sources(every)))


def find_refusal(word: str, workspace: Workspace, games: Iterable[str] = (), *, to_ignore: bool = False) -> str:
    """Return why a word cannot select (or ignore) checks, or ''.

    The checks of other games than these are loaded only if no check of these matches the word.
    """
    if not checks_of(frozenset(games), workspace).refusal(word, to_ignore=to_ignore):
        return ""
    return all_checks(workspace).refusal(word, to_ignore=to_ignore)


def _sources(checks: CheckSource | tuple[CheckSource, ...]) -> Iterator[CheckSource]:
    return (source for source in (checks if isinstance(checks, tuple) else (checks,)) if source)


@cache
def registry_of(sources: frozenset[tuple[CheckSource, str]]) -> Registry:
    """Return the general checks and those of some sources, each with its game.

    Raises CardgenError if a game that is a file has codes of another game.
    """
    for source, game in sources:
        if isinstance(source, str):
            load_game_module(source, game)
    registry = load_registry({GENERAL_CHECKS: "", **dict(sources)})
    stop_on_errors(_shared_codes(registry, {game for source, game in sources if callable(source)}))
    return registry


def _shared_codes(registry: Registry, files: Container[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for the first code that each game of `files` shares with another game."""
    owners: dict[str, set[str]] = {}
    for check in registry.checks:
        owners.setdefault(check.code, set()).add(check.game)
    reported = set[str]()
    for code, games in owners.items():
        for game in sorted(games if len(games) > 1 else ()):
            if game in files and game not in reported:
                reported.add(game)
                others = join_words([f"'{other}'" for other in sorted(games - {game})], "and")
                message = f"the game '{game}' has the code {code}, which belongs to {others}"
                yield Diagnostic(Code.UNFINISHED_GAME, message, Place(game), "choose another 'prefix' in its game.yaml")


def glossary_of(game: Ruleset) -> Glossary:
    """Return the spellings of a game's terms."""
    everyday = (form for term in game.terms for form in term.everyday)
    return Glossary(frozenset(form for term in game.terms for form in term.forms), frozenset(everyday))


def art_faults(path: Path) -> tuple[Diagnostic, ...]:
    """Return what an SVG file has that cannot be drawn, at its lines; nothing for other pictures."""
    if path.suffix.lower() != ".svg":
        return ()
    # loaded here because few checks need it
    from cardgen.face.vector_art import fault_diagnostics, open_vector_art
    from cardgen.svg.scene import VectorArtError

    try:
        open_vector_art(path)
    except VectorArtError as error:
        return fault_diagnostics(error, path)
    return ()


def project_services(project: Project) -> ProjectServices:
    """Return the resources of a project that checks can use."""
    sources = TemplateSources(project)

    def has_template(entry: Entry, name: str) -> bool:
        return sources.find(entry.game, name) is not None

    icons = cache(partial(project_icons, project))
    return ProjectServices(
        partial(find_art, project),
        has_template,
        sources.of_card,
        icons,
        partial(art_files, project),
        partial(settings_back, project),
        partial(back_pictures, project),
        art_faults,
        partial(unread_fields, project, sources),
    )
