"""What artwork defines for use elsewhere: clip paths, gradients, and elements to copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cardgen.export.artwork import gradients as svg_gradients
from cardgen.export.artwork.attributes import GEOMETRY, clip_operators
from cardgen.export.artwork.gradients import GRADIENT_TAGS, GradientElement
from cardgen.export.pdf import operators

DEFINITION_TAGS = frozenset({"clipPath", *GRADIENT_TAGS})
_COPIED_TAGS = GEOMETRY.keys() | {"mask", "pattern"}

# Tags with the attributes of starts; ends have none.
Events: TypeAlias = list[tuple[str, dict[str, str] | None]]


@dataclass(slots=True)
class _Copy:
    """An element that is being read: its id, depth, and events."""

    name: str
    depth: int
    events: Events = field(default_factory=list)


@dataclass(slots=True)
class Definitions:
    """Definitions of one chunk.

    `copies` is what `use`, masks, and patterns can refer to by id; None if several elements have it.
    """

    clips: dict[str, str] = field(default_factory=dict)
    gradients: dict[str, GradientElement] = field(default_factory=dict)
    copies: dict[str, Events | None] = field(default_factory=dict)
    _open_copies: list[_Copy] = field(default_factory=list)
    # The definition that is being read: a gradient, or the outlines of a clip path.
    _current: tuple[str, GradientElement | list[str]] | None = None

    def record_start(self, tag: str, attributes: dict[str, str], depth: int) -> None:
        """Record the start of an element for its copies; `depth` is the number of elements around it."""
        if "id" in attributes and tag in _COPIED_TAGS:
            self._open_copies.append(_Copy(attributes["id"], depth))
        for copy in self._open_copies:
            copy.events.append((tag, attributes))

    def record_end(self, tag: str) -> None:
        """Record the end of an element."""
        for copy in self._open_copies:
            copy.events.append((tag, None))

    def close_copy(self, depth: int) -> None:
        """Complete the copy of the element that ended at a depth, if any."""
        if self._open_copies and self._open_copies[-1].depth == depth:
            copy = self._open_copies.pop()
            is_ambiguous = self.copies.setdefault(copy.name, copy.events) != copy.events
            self.copies[copy.name] = None if is_ambiguous else copy.events

    def content(self, name: str | None, tag: str) -> tuple[Mapping[str, str], Events] | None:
        """Return the attributes and the content of a mask or pattern; None if there is no such one."""
        events = self.copies.get(name or "")
        if not events or events[0][0] != tag:
            return None
        return events[0][1] or {}, events[1:-1]

    def start(self, above: str, tag: str, attributes: Mapping[str, str]) -> None:
        """Start a definition or a part of one; raises ValueError if it is not supported."""
        if tag in GRADIENT_TAGS and above not in DEFINITION_TAGS and "id" in attributes:
            self._current = (attributes["id"], svg_gradients.gradient_element(tag, attributes))
            return
        if tag == "clipPath" and above not in DEFINITION_TAGS and attributes.keys() == {"id"}:
            self._current = (attributes["id"], [])
            return
        match self._current:
            case (_, GradientElement() as gradient) if tag == "stop":
                gradient.stops.append(svg_gradients.gradient_stop(attributes))
            case (_, list() as outlines) if tag in operators.SHAPE_TAGS:
                outlines.append(clip_operators(tag, attributes))
            case _:
                raise ValueError(f"<{tag}> in <{above}> is not supported")

    def end(self) -> None:
        """Complete the current definition, if any."""
        if self._current:
            self._define(*self._current)
        self._current = None

    def _define(self, name: str, definition: GradientElement | list[str]) -> None:
        """Add a definition; it can be repeated, but not changed."""
        if isinstance(definition, GradientElement):
            is_repeated = self.gradients.setdefault(name, definition) == definition
        elif len(definition) == 1:
            is_repeated = self.clips.setdefault(name, definition[0]) == definition[0]
        else:
            raise ValueError(f"the clip path '#{name}' does not consist of one shape")
        if not is_repeated:
            raise ValueError(f"the id '{name}' has several definitions")
