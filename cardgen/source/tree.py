"""The values of a document with their places, worked out when somebody asks for them."""

from __future__ import annotations

from cardgen.source.composer import Composition, compose
from cardgen.source.events import parse_events
from cardgen.source.node import Data, Node


class LazyTree:
    """Where the values in a text stand; most files are read without anybody wanting to know."""

    def __init__(self, text: str = "", composition: Composition | None = None) -> None:
        self._text = text
        self._cache = composition

    @property
    def root(self) -> Node | None:
        """The node of the whole; None for an empty document, and where reading ended early."""
        return self._composition.root

    @property
    def data(self) -> Data:
        """The values."""
        return self._composition.data

    @property
    def _composition(self) -> Composition:
        if self._cache is None:
            self._cache = compose(self._text, parse_events(self._text))
        return self._cache
