"""Builds of one file to print and play: what is in it, and what its cover says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgen.deck.deck import list_credits, rules_of
from cardgen.deck.release_file import release_date, release_files
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.model.card import Entry
from cardgen.print.output_formats import Batch, OutputJob
from cardgen.print.request import BuildRequest, paper_name
from cardgen.project.project import Project

if TYPE_CHECKING:
    from cardgen.reference_sheets.make_sheets import TypesetSheet


def print_and_play_request(request: BuildRequest) -> BuildRequest:
    """Return a request for one file to print and play, with pieces. Raises CardgenError for other options."""
    problem = "only sheets can be printed and played; add --format pdf" if "pdf" not in request.formats else ""
    if request.layout == "single":
        problem = "--pnp has sheets, not a page for each card; use --layout grid or packed"
    if problem:
        raise CardgenError(Diagnostic(Code.BAD_OPTION, problem, Place("--pnp")))
    return request if request.warband is not None else request._replace(kit=True)


def print_and_play_batch(
    jobs: Sequence[OutputJob], request: BuildRequest, project: Project, owner: Entry | None
) -> tuple[Batch, tuple[str, ...]]:
    """Return the file to print and play: its cover, the reference sheets of its games or of a list, and all cards.

    Also return notes on reference sheets that are left out, because they do not fit.
    """
    from cardgen.print.print_and_play import Text, print_and_play  # loaded here because few builds need it

    games = {card.entry.game: card.entry for job in jobs for _, card in job.cards}
    title = owner.card.name if owner else " · ".join(rules_of(entry).name for entry in games.values())
    has_part = any(job.is_partial for job in jobs)
    words = (
        *(f"Last release: {name}, {release_date(path)}" for name, path in [*release_files(project.root).items()][-1:]),
        "selection" if has_part else "",
        f"theme {request.theme}" if request.theme else "",
        paper_name(project.settings.paper).upper(),
    )
    of = owner.card.id if owner else "-".join(games)
    stem = "-".join(filter(None, (of, "pnp", request.theme, "selection" if has_part else "")))
    found = [
        sheet
        for entry in ((owner,) if owner else games.values())
        for sheet in _reference_sheets(request, project, entry, entry.card.id if owner else None)
    ]
    texts = [
        Text(" · ".join(filter(None, (each.document.title, each.document.subtitle))), each.leaves)
        for each in found
        if not isinstance(each, str)
    ]
    credited = [", ".join(filter(None, row[:2])) for row in list_credits(project.workspace)]
    about = " · ".join(map(jobs[0].setup.captions.translate, filter(None, words)))
    batch = print_and_play(jobs, title, about, stem, texts, credited)
    return batch, tuple(each for each in found if isinstance(each, str))


def _reference_sheets(
    request: BuildRequest, project: Project, entry: Entry, of: str | None
) -> Iterable[TypesetSheet | str]:
    """Return the reference sheets of the game of a card, or of a list; none if only some cards are built."""
    if request.only or request.changed_since is not None or not rules_of(entry).reference:
        return ()
    from cardgen.reference_sheets.make_sheets import SheetRequest, typeset_sheets

    return typeset_sheets(
        SheetRequest(
            paper=paper_name(project.settings.paper),
            theme=request.theme,
            of=of,
            game=entry.game,
            paths=request.paths,
            workspace=entry.workspace,
        )
    )
