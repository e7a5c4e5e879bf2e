"""The places of a document's values, worked out when somebody asks for one."""

from __future__ import annotations

from functools import cached_property

from cardgen.source.composer import Composition, compose
from cardgen.source.events import events
from cardgen.source.node import Node


class Tree:
    """Where the values in a text stand; most files are read without anybody wanting to know."""

    def __init__(self, text: str = "", composed: Composition | None = None) -> None:
        self._text = text
        self._composed = composed

    @cached_property
    def root(self) -> Node | None:
        """The node of the whole; None for an empty document, and where reading ended early."""
        return (self._composed or compose(self._text, events(self._text))).root
