"""Booklet imposition for saddle stitching: two pages per side."""

from __future__ import annotations

import io
from collections.abc import Iterator

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


def _set_content(booklet: pikepdf.Pdf, page: pikepdf.Page, operators: str) -> None:
    """Set the content of a page; one without any has no stream, as Ghostscript rejects streams of length zero."""
    if operators:
        page.obj.Contents = booklet.make_stream(operators.encode())
    else:
        del page.obj.Contents


def impose(document: bytes) -> bytes:
    """Return a PDF with two pages of `document` per side.

    Print it double-sided, flipped along the short edge. The same input gives the same bytes. Links and bookmarks, which
    are useless on paper, are removed.
    """
    with pikepdf.open(io.BytesIO(document)) as source, pikepdf.new() as booklet:
        _, _, width, height = (float(side) for side in source.pages[0].mediabox)
        for pair in page_order(len(source.pages)):
            page = booklet.add_blank_page(page_size=(2 * width, height))
            operators = ""
            for left, number in zip((0.0, width), pair, strict=True):
                if number < len(source.pages):
                    form = booklet.copy_foreign(source.pages[number].as_form_xobject())
                    page.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(f"/Page{number + 1}"))
                    operators += f"q 1 0 0 1 {left:g} 0 cm /Page{number + 1} Do Q\n"
            _set_content(booklet, page, operators)
        for key, value in source.docinfo.items():
            booklet.docinfo[key] = str(value)
        booklet.Root.Lang = str(source.Root.Lang)
        preferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name("/DuplexFlipShortEdge")
        )
        booklet.Root.ViewerPreferences = preferences
        out = io.BytesIO()
        booklet.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()
