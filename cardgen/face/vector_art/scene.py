"""Output of the reduction: groups, paths, and their definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix
from cardgen.face.vector_art.document import Element, Fault, Tree, VectorArtError
from cardgen.face.vector_art.lengths import Metrics

# Limits of what is drawn after all copies are made.
MAX_DRAWN = 20_000
MAX_OUTPUT = 12 << 20
MAX_CHAIN = 16


@dataclass(slots=True)
class Scene:
    """Everything that is being drawn; definitions get ids that start with `prefix`.

    `faults` collects what cannot be drawn, each once.
    """

    tree: Tree
    prefix: str
    body: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    faults: dict[Fault, None] = field(default_factory=dict)
    _drawn: int = 0
    _size: int = 0
    _ids: int = 0

    def new_id(self) -> str:
        """Return an unused id."""
        self._ids += 1
        return f"{self.prefix}-{self._ids}"

    def add(self, source: str) -> None:
        """Add to the body; raises VectorArtError if there is too much."""
        self._size += len(source)
        if self._size > MAX_OUTPUT:
            raise VectorArtError(Fault(f"the picture expands to more than {MAX_OUTPUT >> 20} MiB", self.tree.root.line))
        self.body.append(source)

    def count(self, element: Element) -> None:
        """Count an element that is drawn.

        Raises VectorArtError if there are too many.
        """
        self._drawn += 1
        if self._drawn > MAX_DRAWN:
            message = f"the picture expands to more than {MAX_DRAWN:,} elements"
            raise VectorArtError(Fault(message, element.line))

    def refuse(self, element: Element, feature: str, message: str = "") -> None:
        """Record that an element cannot be drawn as written."""
        message = message or f"'{feature}' is not supported in SVG art"
        self.faults.setdefault(Fault(message, element.line, feature))

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect what the block draws in a list of its own."""
        outer, self.body = self.body, []
        try:
            yield self.body
        finally:
            self.body = outer


class Context(NamedTuple):
    """What an element inherits: style, lengths, and the chain of open references.

    `is_mask` draws in grays, and `is_clip` draws outlines only, in white.
    """

    style: Mapping[str, str]
    metrics: Metrics
    chain: frozenset[int] = frozenset()
    is_mask: bool = False
    is_clip: bool = False

    def entered(self, element: Element) -> Context | None:
        """Return the context inside a reference.

        Return None if it is circular or too deep.
        """
        if element.number in self.chain or len(self.chain) >= MAX_CHAIN:
            return None
        return self._replace(chain=self.chain | {element.number})


def group_tag(matrix: Matrix = IDENTITY, **attributes: str) -> str:
    """Return the start of a group; underscores in names are hyphens."""
    parts = [f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items() if value]
    transform = "" if matrix == IDENTITY else f' transform="{matrix_text(matrix)}"'
    return f"<g{transform}{''.join(parts)}>"


def matrix_text(matrix: Matrix) -> str:
    """Return a matrix as a `transform`."""
    return f"matrix({' '.join(f'{number:.9g}' for number in matrix)})"
