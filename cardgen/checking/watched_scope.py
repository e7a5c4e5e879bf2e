"""What the checks of a file look at besides the file, so that what they find is kept while nothing of it changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache, partial
from pkgutil import resolve_name
from typing import Any, NamedTuple

from cardgen.checking.check import CheckScope, Fact, Kind
from cardgen.validation.base import Model

# What is the same in all runs with the same program, settings, games, and files besides those of cards, and what only
# saves time.
_STEADY = frozenset({
    "services", "glossaries", "rulings", "readers", "dice", "figures", "budget", "is_whole", "_computed",
})  # fmt: skip


# Services that look at other cards.
_OF_CARDS = ("unread_fields", "unread_files", "released")


class Seen(NamedTuple):
    """A value that a check looked up: the function that derives it, its key in there or '', and its digest."""

    derive: str
    key: str
    digest: str


class WatchedScope(CheckScope):
    """A scope that notes what checks look up; what they find is not `certain` if they look at anything else."""

    def __init__(self, scope: CheckScope) -> None:
        self._scope = scope
        self._digests: dict[Callable[..., Any], str] = {}
        for name in _STEADY:
            setattr(self, name, getattr(scope, name))
        self.services = scope.services._replace(**{name: partial(self._ask, name) for name in _OF_CARDS})
        self.begin()

    def _ask(self, name: str, *given: Any) -> Any:
        """Return what a service says of the cards of the project."""
        self.certain = False
        return getattr(self._scope.services, name)(*given)

    def begin(self) -> None:
        """Begin with the next file."""
        self.seen = set[Seen]()
        self.names = set[str]()
        self.certain = True

    @property
    def is_complete(self) -> bool:  # type: ignore[override]
        """Whether all cards could be read, which is noted."""
        return self.compute_once(_is_complete)

    def compute_once(self, derive: Callable[[CheckScope], Fact]) -> Fact:
        """Return a value derived from the scope, which is noted."""
        value = self._scope.compute_once(derive)
        if derive not in self._digests:
            self._digests[derive] = digest_of(value)
        self._note(derive, "", self._digests[derive])
        return value

    def look_up(self, derive: Callable[[CheckScope], Mapping[str, Fact]], key: str) -> Fact | None:
        """Return what a mapping derived from the scope has for a key, which is noted."""
        value = self._scope.look_up(derive, key)
        self._note(derive, key, digest_of(value))
        return value

    def find_card(self, name: str, model: type[Kind], kind: str = "", game: str = "") -> Kind | None:
        """Return the first card with a name or id; the name is noted."""
        self.names.add(name)
        return self._scope.find_card(name, model, kind, game)

    def _note(self, derive: Callable[..., Any], key: str, digest: str) -> None:
        name = f"{derive.__module__}:{getattr(derive, '__qualname__', '<>')}"
        self.certain &= bool(digest) and "<" not in name
        self.seen.add(Seen(name, key, digest))


def _is_complete(scope: CheckScope) -> bool:
    return scope.is_complete


def _uncertain(name: str) -> property:
    def look(scope: WatchedScope) -> object:
        scope.certain = False
        return getattr(scope._scope, name)

    return property(look)


for _field in fields(CheckScope):
    if _field.name not in _STEADY and _field.name not in WatchedScope.__dict__:
        setattr(WatchedScope, _field.name, _uncertain(_field.name))


# Thousands of values are derived by few functions.
_resolve = cache(resolve_name)


def is_still_seen(seen: Seen, scope: CheckScope) -> bool:
    """Return whether a scope has the value that was seen in another one."""
    derive = _resolve(seen.derive)
    value = scope.look_up(derive, seen.key) if seen.key else scope.compute_once(derive)
    return digest_of(value) == seen.digest


def digest_of(value: object) -> str:
    """Return a digest of plain data or of a model, or '' if it is anything else."""
    try:
        content = _plain(value)
    except (TypeError, ValueError):
        return ""
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _plain(value: object) -> str:
    """Return a text that is equal only for equal values. Raises TypeError for what is not plain data."""
    if value is None or isinstance(value, str | int | float | Fraction):
        return repr(value)
    if isinstance(value, Model):
        return f"{type(value).__module__}.{type(value).__qualname__}{value.model_dump_json()}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}({','.join(map(_plain, value))})"
    if isinstance(value, set | frozenset):
        return f"set({','.join(sorted(map(_plain, value)))})"
    if isinstance(value, Mapping):
        return f"map({','.join(f'{_plain(key)}:{_plain(each)}' for key, each in value.items())})"
    raise TypeError(type(value).__name__)
