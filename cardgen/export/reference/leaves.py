"""Imposition of pages as double-sided sheets: each page has the next one on its back."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

import pikepdf

from cardgen.export.reference.booklet import side_by_side

# What a page number is if the back or the rest of a sheet is blank.
_BLANK = -1


def sides(lengths: Sequence[int], across: int) -> Iterator[tuple[int, ...]]:
    """Yield the pages on each side from left to right, for documents with these numbers of pages.

    Every document starts on a front. `across` pages are beside each other; backs are mirrored.
    """
    leaves: list[tuple[int, int]] = []
    first = 0
    for length in lengths:
        pages = [*range(first, first + length), *([_BLANK] * (length % 2))]
        leaves += zip(pages[::2], pages[1::2], strict=True)
        first += length
    for start in range(0, len(leaves), across):
        beside = [*leaves[start : start + across]]
        beside += [(_BLANK, _BLANK)] * (across - len(beside))
        yield tuple(front for front, _ in beside)
        yield tuple(back for _, back in reversed(beside))


def impose_leaves(documents: Sequence[bytes], across: int) -> bytes:
    """Return one PDF with the pages of all documents, which have the same size, for double-sided printing.

    Print it flipped along its long edge, or along the short one if the sides are landscape. The same input gives the
    same bytes. Links and bookmarks, which are useless on paper, are removed.
    """
    with pikepdf.new() as whole:
        lengths = []
        for document in documents:
            with pikepdf.open(io.BytesIO(document)) as source:
                lengths.append(len(source.pages))
                whole.pages.extend(source.pages)
        joined = io.BytesIO()
        whole.save(joined, deterministic_id=True)
    return side_by_side(joined.getvalue(), sides(lengths, across), info_from=documents[0])
