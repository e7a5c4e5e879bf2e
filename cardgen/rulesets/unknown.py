"""A name that nothing bears, as a value: what was asked for, and what there is."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.shape.suggestion import closest


class UnknownName(NamedTuple):
    """A name that was looked up in vain. `what` is the sort of thing, `known` are the names that exist."""

    what: str
    name: str
    known: tuple[str, ...]
    path: tuple[str, ...] = ()

    @property
    def closest(self) -> str:
        """The known name that was probably meant, or ''."""
        return closest(self.name, self.known)

    @property
    def help(self) -> str:
        """What to write instead."""
        return f"did you mean '{self.closest}'?" if self.closest else f"known: {', '.join(self.known)}"

    def __str__(self) -> str:
        return f"unknown {self.what}: '{self.name}'"
