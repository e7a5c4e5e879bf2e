"""Artwork is bounded before CairoSVG sees it: no drawing that contains itself, none that multiplies without end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from cardgen.face.reading import SvgError

LONGEST_CHAIN = 16
MOST_ELEMENTS = 20_000
_HREFS = ("href", "xlink:href")
# In whatever a reference is wrapped: CairoSVG takes mask="#m" for mask="url(#m)".
_REFERENCE = re.compile(r"#([-\w.:]+)")
_GRADIENTS = ("linearGradient", "radialGradient", "stop")


@dataclass(slots=True)
class _Part:
    """An element, with how many there are in it and what they refer to.

    Elements that share an id count as one that holds them all: which of them is drawn is CairoSVG's choice.
    """

    name: str
    tag: str = ""
    elements: int = 1
    references: list[str] = field(default_factory=list)


def check(body: bytes) -> None:
    """Refuse artwork whose references go round in a circle, in too long a chain, or come to too many elements.

    Raises SvgError with a sentence for the user.
    """
    if b"#" not in body:
        return
    parts = _Reader().read(body)
    _weigh(parts[""], parts, {}, frozenset())


class _Reader:
    """Gathers the elements that have an id, by it; '' is the whole."""

    def __init__(self) -> None:
        self.parts = {"": _Part("")}
        self._stack = [self.parts[""]]
        self._style: list[str] = []

    def read(self, body: bytes) -> dict[str, _Part]:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.Parse(b"<svg>" + body + b"</svg>", True)
        for name in _REFERENCE.findall("".join(self._style)):
            if name in self.parts and self.parts[name].tag not in _GRADIENTS:
                message = f"a style sheet can refer to gradients only; write url(#{name}) on the elements themselves"
                raise SvgError(message, "<style")
        return self.parts

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        part = _Part(attributes.get("id", ""), tag)
        for name, value in attributes.items():
            if name in _HREFS:
                part.references.append(value.removeprefix("#"))
            else:
                part.references.extend(_REFERENCE.findall(value))
        self._stack.append(part)

    def _end(self, _: str) -> None:
        part = self._stack.pop()
        self._stack[-1].elements += part.elements
        self._stack[-1].references.extend(part.references)
        known = self.parts.setdefault(part.name, part) if part.name else part
        if known is not part:
            known.tag = known.tag if part.tag in _GRADIENTS else part.tag
            known.elements += part.elements
            known.references.extend(part.references)

    def _characters(self, data: str) -> None:
        if self._stack[-1].tag == "style":
            self._style.append(data)


def _weigh(
    part: _Part, parts: dict[str, _Part], weighed: dict[str, tuple[int, int]], above: frozenset[str]
) -> tuple[int, int]:
    """How many elements a part comes to once everything it refers to stands in its place, and its longest chain."""
    if part.name in above:
        raise SvgError(f"'#{part.name}' contains itself", f'id="{part.name}"')
    if len(above) > LONGEST_CHAIN:
        raise _too_long(part)
    if part.name not in weighed:
        inside = above | {part.name} if part.name else above
        below = [_weigh(parts[name], parts, weighed, inside) for name in part.references if name in parts]
        elements = part.elements + sum(each for each, _ in below)
        chain = 1 + max((length for _, length in below), default=0)
        if elements > MOST_ELEMENTS:
            raise SvgError(f"the artwork comes to more than {MOST_ELEMENTS:,} elements", f'id="{part.name}"')
        if chain > LONGEST_CHAIN:
            raise _too_long(part)
        weighed[part.name] = (elements, chain)
    return weighed[part.name]


def _too_long(part: _Part) -> SvgError:
    return SvgError(f"'#{part.name}' stands in a chain of more than {LONGEST_CHAIN} references", f'"{part.name}"')
