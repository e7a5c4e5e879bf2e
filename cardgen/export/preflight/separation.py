"""Inks of a PDF: colors of screens, totals above the limit, and black text of several inks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pikepdf
from PIL import Image

from cardgen.export.preflight.findings import Finding, Requirements

_SCREEN_OPERATORS = frozenset({"rg", "RG"})
_INK_OPERATORS = frozenset({"k", "K"})
_BLACK, _COLOURED = 0.9, 0.02
_ROUNDING = 0.005
_MOST_PIXELS = 50_000_000


def ink_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    """Yield the findings of each page and of the forms and pictures that it uses.

    A thing on several pages is reported for the first. Only files for a press have a limit.
    """
    if needs.standard is None:
        return
    seen: set[tuple[int, int]] = set()
    for number, page in enumerate(pdf.pages, 1):
        yield from _stream_findings(page.obj, page, needs, number)
        for name, each in _used(page.obj, seen):
            if each.get("/Subtype") == "/Form":
                yield from _stream_findings(each, each, needs, number)
            elif not each.get("/ImageMask", False):
                yield from _picture_findings(name, each, needs, number)


def _used(holder: Any, seen: set[tuple[int, int]]) -> Iterator[tuple[str, Any]]:
    """Yield the forms and pictures that a page uses, directly or in its forms, each once in the document."""
    waiting = [holder]
    while waiting:
        resources = waiting.pop().get("/Resources", {})
        xobjects: Mapping[str, Any] = dict(resources.get("/XObject", {}).items()) if resources else {}
        for name, each in xobjects.items():
            if each.objgen not in seen:
                seen.add(each.objgen)
                yield name, each
                waiting.append(each)


def _stream_findings(holder: Any, stream: Any, needs: Requirements, page: int) -> Iterator[Finding]:
    in_text = False
    most, has_screen_colours, rich_text = 0.0, False, None
    for each in pikepdf.parse_content_stream(stream):
        name = str(each.operator)
        if name in ("BT", "ET"):
            in_text = name == "BT"
        has_screen_colours |= name in _SCREEN_OPERATORS
        if name in _INK_OPERATORS and len(each.operands) == 4:
            ink = [float(level) for level in each.operands]
            most = max(most, sum(ink))
            if in_text and ink[3] >= _BLACK and sum(ink[:3]) > _COLOURED:
                rich_text = ink
    if has_screen_colours:
        yield Finding("ink", "a color is in RGB, not in CMYK", page=page)
    if most > needs.ink_limit + _ROUNDING:
        yield Finding("ink", _limit_message(needs, most), page=page)
    if rich_text:
        inks = " ".join(f"{letter}{level:.0%}" for letter, level in zip("CMYK", rich_text, strict=True))
        yield Finding("rich-black", f"black text must be black ink alone, not {inks}", page=page)


def _limit_message(needs: Requirements, most: float) -> str:
    return f"the inks must total at most {needs.ink_limit:.0%}, not {most:.0%}"


def _picture_findings(name: str, image: Any, needs: Requirements, page: int) -> Iterator[Finding]:
    if int(image.Width) * int(image.Height) > _MOST_PIXELS:
        yield Finding("picture", f"the picture {name.lstrip('/')} is too large to measure", page=page)
        return
    try:
        picture = pikepdf.PdfImage(image).as_pil_image()
    except (pikepdf.PdfError, pikepdf.UnsupportedImageTypeError, NotImplementedError, OSError, ValueError):
        yield Finding("picture", f"the picture {name.lstrip('/')} cannot be measured", page=page)
        return
    if picture.mode == "CMYK":
        most = most_ink(picture)
        if most > needs.ink_limit + _ROUNDING:
            yield Finding("ink", f"in a picture, {_limit_message(needs, most)}", page=page)
    elif picture.mode not in ("1", "L"):
        yield Finding("ink", "a picture is in RGB, not in CMYK", page=page)


def most_ink(picture: Image.Image) -> float:
    """Return the largest total of inks at one place of a CMYK picture, such as 2.4."""
    channels = [channel.tobytes() for channel in picture.split()]
    return max(map(sum, set(zip(*channels, strict=True)))) / 255
