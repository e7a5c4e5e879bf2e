"""Fields that a project adds to the kinds of its game, put in force for the current context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class FreeFields:
    """The block `kinds` of a project's settings, as it was read.

    `game` is '' for the default game, and `key` is equal for equal blocks. `document` is the settings file. With
    `optional`, cards need none of the fields, which is how the cards of the program are read.
    """

    game: str
    key: str
    kinds: Mapping[str, Any] = field(compare=False)
    document: Any = field(compare=False)
    optional: bool = False


_IN_FORCE: ContextVar[FreeFields | None] = ContextVar("free fields of the project", default=None)


def put_in_force(fields: FreeFields | None) -> None:
    """Use these fields in the current context, in place of those of any other project."""
    _IN_FORCE.set(fields)


def in_force() -> FreeFields | None:
    """Return the fields of the project that was read last, if it has any."""
    return _IN_FORCE.get()


@contextmanager
def all_optional() -> Iterator[None]:
    """Make all fields optional in the block."""
    fields = _IN_FORCE.get()
    token = _IN_FORCE.set(fields and replace(fields, optional=True))
    try:
        yield
    finally:
        _IN_FORCE.reset(token)
