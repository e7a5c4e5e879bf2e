"""Looks of text objects: size, font, color, and alignment, as their styles say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.face.inkscape.document import DrawingElement

_PX_PER_UNIT = {"px": 1.0, "": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 960 / 25.4, "in": 96.0, "pc": 16.0}
_SIZE = re.compile(r"((?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:e[-+]?[0-9]++)?+)\s*+([a-z]*+)")
_ANCHORS = {"start": "start", "middle": "middle", "center": "middle", "end": "end"}
_ALIGNMENTS = {"start": "left", "middle": "center", "center": "center", "end": "right", "justify": "justify"}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_INHERITED = ("font-size", "font-family", "font-weight", "font-style", "fill", "text-anchor", "text-align")


class TextLook(NamedTuple):
    """Look of a text: font size in units of the drawing, family, and color."""

    size: float | None
    family: str
    bold: bool
    italic: bool
    fill: str
    anchor: str
    align: str


def own_style(element: DrawingElement) -> dict[str, str]:
    """Return the properties of an element that its text inherits."""
    given = {**element.attributes, **element.style}
    return {name: given[name] for name in _INHERITED if name in given}


def look_of(style: Mapping[str, str]) -> TextLook:
    """Return the look of a text with these properties."""
    weight = style.get("font-weight", "")
    anchor = style.get("text-anchor", "start")
    return TextLook(
        size=_size(style.get("font-size", "")),
        family=style.get("font-family", "").split(",")[0].strip(" '\""),
        bold=weight in ("bold", "bolder") or (weight.isdecimal() and int(weight[:4]) >= 600),
        italic=style.get("font-style", "") in ("italic", "oblique"),
        fill=_fill(style.get("fill", "")),
        anchor=_ANCHORS.get(anchor, "start"),
        align=_ALIGNMENTS.get(style.get("text-align", anchor), "left"),
    )


def look_faults(element: DrawingElement) -> Iterator[str]:
    """Yield what a text or a part of it looks like, but cannot be set as."""
    style = {**element.attributes, **element.style}
    if style.get("writing-mode", "").startswith(("tb", "vertical")):
        yield f"{element} is vertical text; rotate horizontal text instead"
    if style.get("fill", "").startswith("url("):
        yield f"{element} is text with a gradient or pattern; give it one color"
    if style.get("fill") == "none":
        yield f"{element} is text without a fill; give it a color"
    if style.get("stroke", "none") != "none":
        yield f"{element} is text with an outline, which cannot be printed; remove the stroke"


def _fill(text: str) -> str:
    """Return a color as #rrggbb; '' for none, and for one that is not valid."""
    if not text or _COLOUR.fullmatch(text):
        return text.lower()
    from cardgen.face.vector_art.paint import parse_colour  # most colors are #rrggbb

    try:
        return parse_colour(text).text
    except ValueError:
        return ""


def _size(text: str) -> float | None:
    match = _SIZE.fullmatch(text.strip())
    return float(match[1]) * _PX_PER_UNIT[match[2]] if match and match[2] in _PX_PER_UNIT else None
