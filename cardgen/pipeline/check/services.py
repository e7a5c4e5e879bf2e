"""What checks can use of a project and its games."""

from __future__ import annotations

from functools import cache, partial

from cardgen.checking.context import Glossary, ProjectServices
from cardgen.model.entry import Entry
from cardgen.pipeline.check.template_sources import TemplateSources
from cardgen.pipeline.check.unread_fields import unread_fields
from cardgen.pipeline.load.deck import art_files, find_art, project_icons
from cardgen.project import Project
from cardgen.rulesets.ruleset import Ruleset


def glossary_of(game: Ruleset) -> Glossary:
    """Return the spellings of a game's terms."""
    everyday = (form for term in game.terms for form in term.everyday)
    return Glossary(frozenset(form for term in game.terms for form in term.forms), frozenset(everyday))


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
        partial(unread_fields, project, sources),
    )
