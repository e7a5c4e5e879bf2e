"""Artwork is bounded before CairoSVG sees it: no drawing that contains itself, none that multiplies without end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from cardgen.face.reading import SvgError

MAX_REFERENCE_CHAIN = 16
MAX_EXPANDED_ELEMENTS = 20_000
_HREFS = ("href", "xlink:href")
# In whatever a reference is wrapped: CairoSVG takes mask="#m" for mask="url(#m)".
_HREF_REFERENCE = re.compile(r"#([-\w.:]+)")
_GRADIENTS = ("linearGradient", "radialGradient", "stop")


@dataclass(slots=True)
class _ReferencedElement:
    """An element, with how many there are in it and what they refer to.

    Elements that share an id count as one that holds them all: which of them is drawn is CairoSVG's choice.
    """

    name: str
    tag: str = ""
    elements: int = 1
    references: list[str] = field(default_factory=list)


def check_references(body: bytes) -> None:
    """Refuse artwork whose references go round in a circle, in too long a chain, or come to too many elements.

    Raises SvgError with a sentence for the user.
    """
    if b"#" not in body:
        return
    parts = _ReferenceReader().read(body)
    _expanded_size(parts[""], parts, {}, frozenset())


class _ReferenceReader:
    """Gathers the elements that have an id, by it; '' is the whole."""

    def __init__(self) -> None:
        self.parts = {"": _ReferencedElement("")}
        self._stack = [self.parts[""]]
        self._style: list[str] = []

    def read(self, body: bytes) -> dict[str, _ReferencedElement]:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._characters
        parser.Parse(b"<svg>" + body + b"</svg>", True)
        for name in _HREF_REFERENCE.findall("".join(self._style)):
            if name in self.parts and self.parts[name].tag not in _GRADIENTS:
                message = f"a style sheet can refer to gradients only; write url(#{name}) on the elements themselves"
                raise SvgError(message, "<style")
        return self.parts

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        part = _ReferencedElement(attributes.get("id", ""), tag)
        for name, value in attributes.items():
            if name in _HREFS:
                part.references.append(value.removeprefix("#"))
            else:
                part.references.extend(_HREF_REFERENCE.findall(value))
        self._stack.append(part)

    def _end(self, _: str) -> None:
        part = self._stack.pop()
        self._stack[-1].elements += part.elements
        self._stack[-1].references.extend(part.references)
        same_id = self.parts.setdefault(part.name, part) if part.name else part
        if same_id is not part:
            same_id.tag = same_id.tag if part.tag in _GRADIENTS else part.tag
            same_id.elements += part.elements
            same_id.references.extend(part.references)

    def _characters(self, data: str) -> None:
        if self._stack[-1].tag == "style":
            self._style.append(data)


def _expanded_size(
    part: _ReferencedElement,
    parts: dict[str, _ReferencedElement],
    sizes: dict[str, tuple[int, int]],
    above: frozenset[str],
) -> tuple[int, int]:
    """How many elements a part comes to once everything it refers to stands in its place, and its longest chain."""
    if part.name in above:
        raise SvgError(f"'#{part.name}' contains itself", f'id="{part.name}"')
    if len(above) > MAX_REFERENCE_CHAIN:
        raise _chain_too_long(part)
    if part.name not in sizes:
        inside = above | {part.name} if part.name else above
        below = [_expanded_size(parts[name], parts, sizes, inside) for name in part.references if name in parts]
        elements = part.elements + sum(each for each, _ in below)
        chain = 1 + max((length for _, length in below), default=0)
        if elements > MAX_EXPANDED_ELEMENTS:
            raise SvgError(f"the artwork comes to more than {MAX_EXPANDED_ELEMENTS:,} elements", f'id="{part.name}"')
        if chain > MAX_REFERENCE_CHAIN:
            raise _chain_too_long(part)
        sizes[part.name] = (elements, chain)
    return sizes[part.name]


def _chain_too_long(part: _ReferencedElement) -> SvgError:
    return SvgError(f"'#{part.name}' stands in a chain of more than {MAX_REFERENCE_CHAIN} references", f'"{part.name}"')
