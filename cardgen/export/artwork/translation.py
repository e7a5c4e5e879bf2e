"""Translated artwork: PDF operators, and the resources that they name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

BBox: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SharedPath:
    """A long path and its fill operator, in the current fill color."""

    content: str

    @property
    def digest(self) -> bytes:
        """Short key, the same for the same content."""
        return blake2b(self.content.encode(), digest_size=16).digest()

    @property
    def box(self) -> BBox:
        """Left, bottom, right, and top.

        Includes the handles of curves, so that nothing is clipped.
        """
        numbers = [float(word) for word in self.content.split() if word[-1] in "0123456789"]
        across, upward = numbers[::2], numbers[1::2]
        return (min(across), min(upward), max(across), max(upward)) if numbers else (0, 0, 0, 0)


class Resource(NamedTuple):
    """A pattern or graphics state, as a dictionary in the syntax of PDF.

    If a graphics state has `content`, '%s' in the dictionary is where the reference to its form belongs. The content of
    a pattern is its tile.
    """

    kind: Literal["Pattern", "ExtGState"]
    definition: str
    content: Mask | Group | None = None

    @property
    def name(self) -> str:
        """Name for the operators, the same for the same content."""
        return _resource_name(self)


@lru_cache(maxsize=1024)
def _resource_name(resource: Resource) -> str:
    return f"{resource.kind[0]}{blake2b(repr(resource).encode(), digest_size=6).hexdigest()}"


class Mask(NamedTuple):
    """Shading whose luminosity is the opacity of a soft mask."""

    box: BBox
    content: str
    shading: str


@dataclass(frozen=True)
class Translation:
    """Operators in paint order, and the resources they name."""

    parts: tuple[str | SharedPath | Group, ...]
    resources: frozenset[Resource] = frozenset()

    @cached_property
    def length(self) -> int:
        """Number of characters of all operators that are not shared."""
        return sum(len(part) for part in self.parts if isinstance(part, str))


@dataclass(frozen=True)
class Group:
    """Parts that are composed as a whole, in the current graphics state."""

    box: BBox
    content: Translation


def joined(parts: list[str | SharedPath | Group]) -> tuple[str | SharedPath | Group, ...]:
    """Return the parts with adjacent operators joined into one text."""
    result: list[str | SharedPath | Group] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] = f"{result[-1]}\n{part}"
        else:
            result.append(part)
    return tuple(result)
