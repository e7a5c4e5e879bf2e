"""The values of a document with their places, worked out when somebody asks for them."""

from __future__ import annotations

from cardgen.source.composer import Composition, compose
from cardgen.source.events import events
from cardgen.source.node import Data, Node


class Tree:
    """Where the values in a text stand; most files are read without anybody wanting to know."""

    def __init__(self, text: str = "", composed: Composition | None = None) -> None:
        self._text = text
        self._composed = composed

    @property
    def root(self) -> Node | None:
        """The node of the whole; None for an empty document, and where reading ended early."""
        return self._whole.root

    @property
    def data(self) -> Data:
        """The values."""
        return self._whole.data

    @property
    def _whole(self) -> Composition:
        if self._composed is None:
            self._composed = compose(self._text, events(self._text))
        return self._composed
