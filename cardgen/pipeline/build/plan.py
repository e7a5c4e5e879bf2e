"""Plan of a build: its documents, or only what changed since a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.model.deck import Deck
from cardgen.pipeline.build import documents
from cardgen.pipeline.build.documents import PrintDocument
from cardgen.pipeline.options import BuildRequest
from cardgen.project import Project

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
