"""Booklet imposition for saddle stitching: two pages per side."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

import pikepdf

# Pages per folded sheet.
_PAGES_PER_SHEET = 4


def page_order(pages: int) -> Iterator[tuple[int, int]]:
    """Yield the left and right page of each side, counting from 0.

    Sheets are ordered from the outermost inward. Numbers from `pages` on are blank pages that fill the last sheet.
    """
    whole = -(-pages // _PAGES_PER_SHEET) * _PAGES_PER_SHEET
    for first in range(0, whole // 2, 2):
        yield whole - 1 - first, first
        yield first + 1, whole - 2 - first


def impose(document: bytes) -> bytes:
    """Return a PDF with two pages of `document` per side.

    Print it double-sided, flipped along the short edge. The same input gives the same bytes. Links and bookmarks, which
    are useless on paper, are removed.
    """
    with pikepdf.open(io.BytesIO(document)) as source:
        order = list(page_order(len(source.pages)))
    return side_by_side(document, order, info_from=document)


def side_by_side(document: bytes, sides: Iterable[Sequence[int]], *, info_from: bytes) -> bytes:
    """Return a PDF with these pages of `document` on each side, from left to right.

    Numbers that are not those of a page are blank. `info_from` is the document whose title and language it has.
    """
    with pikepdf.open(io.BytesIO(document)) as source, pikepdf.new() as imposed:
        _, _, width, height = (float(side) for side in source.pages[0].mediabox)
        wide = width
        for side in sides:
            wide = len(side) * width
            page = imposed.add_blank_page(page_size=(wide, height))
            operators = ""
            for place, number in enumerate(side):
                if 0 <= number < len(source.pages):
                    form = imposed.copy_foreign(source.pages[number].as_form_xobject())
                    page.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(f"/Page{number + 1}"))
                    operators += f"q 1 0 0 1 {place * width:g} 0 cm /Page{number + 1} Do Q\n"
            _set_content(imposed, page, operators)
        _describe(imposed, info_from, "/DuplexFlipShortEdge" if wide > height else "/DuplexFlipLongEdge")
        out = io.BytesIO()
        imposed.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


def _set_content(imposed: pikepdf.Pdf, page: pikepdf.Page, operators: str) -> None:
    """Set the content of a page; one without any has no stream, as Ghostscript rejects streams of length zero."""
    if operators:
        page.obj.Contents = imposed.make_stream(operators.encode())
    else:
        del page.obj.Contents


def _describe(imposed: pikepdf.Pdf, document: bytes, duplex: str) -> None:
    """Take over title and language of a document, and say how to print the sides."""
    with pikepdf.open(io.BytesIO(document)) as source:
        for key, value in source.docinfo.items():
            imposed.docinfo[key] = str(value)
        imposed.Root.Lang = str(source.Root.Lang)
    imposed.Root.ViewerPreferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(duplex))
