"""Names of pieces, weapons, and other parts: numbered, looked up, and reported if there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from cardgen.diagnostic import did_you_mean

T = TypeVar("T")
_name_of: Callable[[Any], str] = attrgetter("name")


def numbered_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, with numbers for repeated ones: 'Brute 1', 'Brute 2'."""
    total, count = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} {count[name]}" if total[name] > 1 else name)
    return tuple(numbered)


def find_by_name(items: Iterable[T], name: str, name_of: Callable[[T], str] = _name_of) -> T | None:
    """Return the first item with a name, ignoring case, or None."""
    return next((item for item in items if name_of(item).casefold() == name.casefold()), None)


def missing_part(owner: str, part: str, name: str | None, names: Iterable[str], use: str = "") -> str:
    """Return the message about a weapon, attack, or other part that a piece does not have.

    `part` is its noun, and `use` may follow it, such as ' for shooting'. `name` is the name of the part if it was
    given, and `names` has the names of those that the piece has.
    """
    others = [*names]
    if not others or name is None:
        return f"{owner} has no {part}{use}"
    hint = did_you_mean(name, others) or f"; it has {', '.join(others)}"
    return f"{owner} has no {part} '{name[:60]}'{use}{hint}"
