"""The sides of a battle: their names, and their members with names of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardgen.referee.part_names import numbered_names
from cardgen.referee.trial import CardData


class Recruit(NamedTuple):
    """A member of a side before a battle, as plain data: its side, its own name, and the member."""

    side: int
    name: str
    member: dict[str, Any]


def side_names(*lists: CardData) -> tuple[str, ...]:
    """Return the names of lists.

    Raises ValueError if two are the same.
    """
    names = tuple(each["name"] for each in lists)
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} cannot fight itself; give one of them another name")
    return names


def recruits(lists: Iterable[CardData], key: str) -> tuple[Recruit, ...]:
    """Return all members of some lists, each as often as its `qty`; those that share a name are numbered.

    The card of a member is under `key`.
    """
    members = [
        (side, member)
        for side, data in enumerate(lists)
        for member in data.get("members", ())
        for _ in range(member.get("qty", 1))
    ]
    names = numbered_names([member[key]["name"] for _, member in members])
    return tuple(Recruit(side, name, member) for name, (side, member) in zip(names, members, strict=True))
