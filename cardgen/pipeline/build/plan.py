"""What releases have to do with a build: which cards it prints, and their versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardgen.export.artwork.cairo import ArtworkCache
from cardgen.model.deck import Deck
from cardgen.pipeline.build import documents
from cardgen.pipeline.build.documents import PrintDocument
from cardgen.pipeline.build.render import RenderedCard, UnfitCard
from cardgen.pipeline.options import BuildRequest
from cardgen.project import Project
from cardgen.text.fonts import Fonts

if TYPE_CHECKING:
    from cardgen.pipeline.release.selection import Selection


def plan(request: BuildRequest, project: Project, deck: Deck) -> tuple[list[PrintDocument], Selection | None]:
    """Return the documents to build and, with only changes since a release, their selection."""
    print_documents = documents.plan_documents(request, project, deck)
    if request.changed_since is None:
        return print_documents, None
    from cardgen.pipeline.release.selection import select_changed  # few builds need it

    selection = select_changed(request, project, print_documents)
    return selection.documents, selection


def marked_cards(
    cards: list[RenderedCard], project: Project, request: BuildRequest, fonts: Fonts, cache: ArtworkCache | None
) -> list[RenderedCard]:
    """Return cards with their versions on them, if the project wants that."""
    if not project.settings.version_mark:
        return cards
    from cardgen.pipeline.build.version_mark import mark_versions  # few builds need it
    from cardgen.pipeline.release.errata.card_versions import card_versions

    return mark_versions(cards, card_versions(project), fonts, cache, request.processes)


def marked_outcomes(
    outcomes: Sequence[RenderedCard | UnfitCard],
    project: Project,
    request: BuildRequest,
    fonts: Fonts,
    cache: ArtworkCache | None,
) -> list[RenderedCard | UnfitCard]:
    """Return outcomes whose rendered cards have their versions on them, if the project wants that."""
    cards = [each for each in outcomes if isinstance(each, RenderedCard)]
    marked = iter(marked_cards(cards, project, request, fonts, cache))
    return [next(marked) if isinstance(each, RenderedCard) else each for each in outcomes]
