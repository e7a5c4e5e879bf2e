"""Text objects of a drawing: lines, fonts, and placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.face.inkscape.document import DrawingElement
from cardgen.face.inkscape.looks import TextLook, own_style
from cardgen.face.inkscape.runs import marked_line
from cardgen.runtime.xml_escape import escape

# A placeholder, up to the end of the text if it is not closed.
_PLACEHOLDER = re.compile(r"\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z)|\{#.*?(?:#\}|\Z)", re.DOTALL)
_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
# A placeholder that is longer is not joined with more lines.
_LONGEST = 10_000


class TextLine(NamedTuple):
    """A line of a text object, with its point on the baseline in units of the drawing."""

    x: float
    y: float
    text: str
    look: TextLook


def lines_of(element: DrawingElement, inherited: Mapping[str, str]) -> list[TextLine]:
    """Return the lines of a text object.

    A placeholder that goes over several lines is joined to one.

    Raises ValueError for a position that is not a number.
    """
    style = {**inherited, **own_style(element)}
    lines: list[TextLine] = []
    for part in _parts(element):
        text, look = marked_line(part, style)
        if not text.strip():
            continue
        if lines and _is_open(lines[-1].text):
            lines[-1] = lines[-1]._replace(text=f"{lines[-1].text} {text}")
            continue
        x = _first_number(part.attributes.get("x") or element.attributes.get("x", "0"))
        y = _first_number(part.attributes.get("y") or element.attributes.get("y", "0"))
        lines.append(TextLine(x, y, text, look))
    return lines


def _parts(element: DrawingElement) -> Iterator[DrawingElement]:
    """Yield the lines of a text object: its tspans for lines, or else all of it."""
    if any(map(_is_line, element.children)):
        yield from (child for child in element.children if child.tag == "tspan")
    else:
        yield element


def _is_line(part: DrawingElement) -> bool:
    """Return whether a part is a line; a plain SVG has only its position."""
    return part.attributes.get("sodipodi:role") == "line" or {"x", "y"} <= part.attributes.keys()


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
