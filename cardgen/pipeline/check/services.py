"""What checks can use of a project and its games."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from cardgen.checking.check import Glossary, ProjectServices
from cardgen.diagnostic import Diagnostic
from cardgen.model.entry import Entry
from cardgen.pipeline.check.template_sources import TemplateSources, unread_fields
from cardgen.pipeline.load.art import art_files, find_art
from cardgen.pipeline.load.backs import back_pictures, settings_back
from cardgen.pipeline.load.deck import project_icons
from cardgen.project import Project
from cardgen.rulesets.ruleset import Ruleset


def glossary_of(game: Ruleset) -> Glossary:
    """Return the spellings of a game's terms."""
    everyday = (form for term in game.terms for form in term.everyday)
    return Glossary(frozenset(form for term in game.terms for form in term.forms), frozenset(everyday))


def art_faults(path: Path) -> tuple[Diagnostic, ...]:
    """Return what an SVG file has that cannot be drawn, at its lines; nothing for other pictures."""
    if path.suffix.lower() != ".svg":
        return ()
    # loaded here because few checks need it
    from cardgen.face.vector_art.artwork import fault_diagnostics, open_vector_art
    from cardgen.face.vector_art.document import VectorArtError

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
