"""Reference sheets that belong to a pack."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from cardgen.model.entry import Entry
from cardgen.pipeline.build.output_formats import Batch, finished_contents
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.options import BuildRequest, paper_name
from cardgen.project import Settings


def reference_batches(request: BuildRequest, settings: Settings, entry: Entry) -> Iterator[Batch]:
    """Yield one PDF for each reference sheet of a pack.

    None if the request selects cards with `only`. Raises CardgenError with all problems of the sheets, such as content
    that does not fit the paper.
    """
    if request.only or not require_game(entry.game).reference:
        return
    from cardgen.pipeline.reference.make_sheets import SheetRequest, render_sheets

    paper = paper_name(settings.paper)
    sheet_request = SheetRequest(
        output=request.output,
        paper=paper,
        theme=request.theme,
        of=entry.card.id,
        game=entry.game,
        paths=request.paths,
        folder=request.folder,
    )
    for number, (content, pages) in zip(count(1), render_sheets(sheet_request).values(), strict=False):
        name = "reference" if number == 1 else f"reference-{number}"
        path = request.output / f"{entry.card.id}-{name}-{paper}.pdf"
        yield _finished_batch(path, content, pages)


def _finished_batch(path: Path, content: bytes, pages: int) -> Batch:
    return Batch({path: content}, lambda _: finished_contents(path, content), pages)
