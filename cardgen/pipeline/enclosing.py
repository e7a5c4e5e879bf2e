"""What lies in a pack beside its cards and pieces: the reference sheets of the list that it is for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

from cardgen.model.entry import Entry
from cardgen.pipeline.formats import Batch
from cardgen.pipeline.loading import require_game
from cardgen.pipeline.request import BuildRequest, paper_name
from cardgen.project import Settings


def reference_batches(request: BuildRequest, settings: Settings, entry: Entry) -> Iterator[Batch]:
    """One PDF for each reference sheet that its game makes for such a list; none where only some cards are wanted.

    Raises CardgenError with all that is wrong in a sheet, or in how it fits its paper.
    """
    if request.only or not require_game(entry.game).reference:
        return
    from cardgen.pipeline.referencing import (  # It takes its time to load, and few builds need it.
        SheetRequest,
        render_sheets,
    )

    paper = paper_name(settings.paper)
    sheet_request = SheetRequest(
        output=request.output,
        paper=paper,
        theme=request.theme,
        of=entry.card.id,
        game=entry.game,
        paths=request.paths,
    )
    for number, (content, pages) in zip(count(1), render_sheets(sheet_request).values(), strict=False):
        name = "reference" if number == 1 else f"reference-{number}"
        path = request.output / f"{entry.card.id}-{name}-{paper}.pdf"
        yield _finished_batch(path, content, pages)


def _finished_batch(path: Path, content: bytes, pages: int) -> Batch:
    return Batch({path: content}, lambda _: {path: partial(bytes, content)}, pages)
