"""Text objects of a drawing: lines, fonts, and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

from cardgen.face.inkscape.document import DrawingElement

# A placeholder, up to the end of the text if it is not closed.
_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{#.*?(?:#\}|\Z)", re.DOTALL)
_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
# A placeholder that is longer is not joined with more lines.
_LONGEST = 10_000
_PX_PER_UNIT = {"px": 1.0, "": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 960 / 25.4, "in": 96.0, "pc": 16.0}
_SIZE = re.compile(r"((?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:e[-+]?[0-9]++)?+)\s*+([a-z]*+)")
_ANCHORS = {"start": "start", "middle": "middle", "center": "middle", "end": "end"}
_ALIGNMENTS = {"start": "left", "middle": "center", "center": "center", "end": "right", "justify": "justify"}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class TextLook(NamedTuple):
    """Look of a text: font size in units of the drawing, family, and color."""

    size: float | None
    family: str
    bold: bool
    italic: bool
    fill: str
    anchor: str
    align: str


class TextLine(NamedTuple):
    """A line of a text object, with its point on the baseline in units of the drawing."""

    x: float
    y: float
    text: str
    look: TextLook


def look_of(element: DrawingElement, inherited: dict[str, str]) -> TextLook:
    """Return the look of a text object.

    `inherited` are the properties around it.
    """
    style = {**inherited, **_presentation(element), **element.style}
    weight = style.get("font-weight", "")
    fill = style.get("fill", "")
    anchor = style.get("text-anchor", "start")
    return TextLook(
        size=_size(style.get("font-size", "")),
        family=style.get("font-family", "").split(",")[0].strip(" '\""),
        bold=weight in ("bold", "bolder") or (weight.isdecimal() and int(weight[:4]) >= 600),
        italic=style.get("font-style", "") in ("italic", "oblique"),
        fill=fill.lower() if _COLOUR.fullmatch(fill) else "",
        anchor=_ANCHORS.get(anchor, "start"),
        align=_ALIGNMENTS.get(style.get("text-align", anchor), "left"),
    )


def _presentation(element: DrawingElement) -> dict[str, str]:
    names = ("font-size", "font-family", "font-weight", "font-style", "fill", "text-anchor", "text-align")
    return {name: element.attributes[name] for name in names if name in element.attributes}


def _size(text: str) -> float | None:
    match = _SIZE.fullmatch(text.strip())
    return float(match[1]) * _PX_PER_UNIT[match[2]] if match and match[2] in _PX_PER_UNIT else None


def lines_of(element: DrawingElement, inherited: dict[str, str]) -> list[TextLine]:
    """Return the lines of a text object.

    A placeholder that goes over several lines is joined to one.

    Raises ValueError for a position that is not a number.
    """
    style = {**inherited, **_presentation(element), **element.style}
    lines: list[TextLine] = []
    for part in _parts(element):
        text = _one_line(part.text if isinstance(part, DrawingElement) else part)
        if not text.strip():
            continue
        if lines and _is_open(lines[-1].text):
            lines[-1] = lines[-1]._replace(text=f"{lines[-1].text} {text}")
            continue
        point = part if isinstance(part, DrawingElement) else element
        x = _first_number(point.attributes.get("x") or element.attributes.get("x", "0"))
        y = _first_number(point.attributes.get("y") or element.attributes.get("y", "0"))
        lines.append(TextLine(x, y, text, look_of(_first_styled(point), style)))
    return lines


def _parts(element: DrawingElement) -> Iterator[DrawingElement | str]:
    """Yield the lines of a text object: its tspans for lines, or else all of it."""
    if any(child.attributes.get("sodipodi:role") == "line" for child in element.children):
        yield from (child for child in element.children if child.tag == "tspan")
    else:
        yield element


def _first_styled(line: DrawingElement) -> DrawingElement:
    """Return the element that styles a line.

    It is a tspan that contains the whole line, or else the line.
    """
    inner = [child for child in line.children if child.tag == "tspan" and child.text.strip()]
    if len(inner) != 1 or inner[0].text.strip() != line.text.strip():
        return line
    merged = DrawingElement(line.tag, {**line.attributes, **inner[0].attributes}, line.line, line.content)
    merged.style = {**line.style, **inner[0].style}
    return merged


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _is_open(text: str) -> bool:
    """Return whether a placeholder begins, but does not end."""
    if len(text) > _LONGEST:
        return False
    openings = [match[0][:2] for match in _PLACEHOLDER.finditer(text) if not _is_closed(match[0])]
    return bool(openings) and openings != ["{#"]


def _is_closed(placeholder: str) -> bool:
    return placeholder.endswith(_ENDS[placeholder[:2]])


def _first_number(text: str) -> float:
    return float(re.split(r"[\s,]+", text.strip())[0].removesuffix("px"))


def template_text(text: str) -> str:
    """Return text for a template: placeholders as they are, and everything else as XML."""
    parts, end = [], 0
    for match in filter(lambda each: _is_closed(each[0]), _PLACEHOLDER.finditer(text)):
        parts += [escape(text[end : match.start()]), _one_line(match[0])]
        end = match.end()
    return "".join((*parts, escape(text[end:])))


def marked_up(text: str, look: TextLook) -> str:
    """Return text for a template in the weight of its font."""
    mark = "**" * look.bold + "*" * look.italic
    return f"{mark}{template_text(text.strip())}{mark[::-1]}"
