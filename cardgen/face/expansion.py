"""Artwork is bounded before CairoSVG sees it: no drawing that contains itself, none that multiplies without end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from cardgen.face.splitting import SvgError

LONGEST_CHAIN = 16
MOST_ELEMENTS = 20_000
_HREFS = ("href", "xlink:href")
_URL = re.compile(r"url\(\s*['\"]?#([^)'\"]+)")


@dataclass(slots=True)
class _Part:
    """An element, with how many there are in it and what they refer to."""

    name: str
    elements: int = 1
    references: list[str] = field(default_factory=list)


def check(body: bytes) -> None:
    """Refuse artwork whose references go round in a circle, in too long a chain, or come to too many elements.

    Raises SvgError with a sentence for the user.
    """
    if b"#" not in body:
        return
    parts = _parts(body)
    _weigh(parts[""], parts, {}, frozenset())


def _parts(body: bytes) -> dict[str, _Part]:
    """The elements that have an id, by it; '' is the whole."""
    whole = _Part("")
    parts, stack = {"": whole}, [whole]

    def start(tag: str, attributes: dict[str, str]) -> None:
        part = _Part(attributes.get("id", ""))
        for name, value in attributes.items():
            if name in _HREFS:
                part.references.append(value.removeprefix("#"))
            else:
                part.references.extend(_URL.findall(value))
        stack.append(part)

    def end(tag: str) -> None:
        part = stack.pop()
        stack[-1].elements += part.elements
        stack[-1].references.extend(part.references)
        if part.name:
            parts[part.name] = part

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(b"<svg>" + body + b"</svg>", True)
    return parts


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
