"""Example cards of a game file, for its kinds and checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.kinds import FieldSpec

EXAMPLE_NAME = "Example"
MEMBERS = "members"
MOST_LETTERS = 1000


def example_data(kind: str, overlay: Mapping[str, Any], context: GameContext) -> dict[str, Any]:
    """Return a kind's example, updated with the keys of a check.

    In a list, each member is laid over the example of its kind.
    """
    spec = context.spec.kinds.get(kind) or context.spec.lists.get(kind)
    name = {} if kind in context.types else {"name": EXAMPLE_NAME}
    data = {**name, **(spec.example if spec else {}), **overlay}
    member_kind = member_kind_of(kind, context)
    if member_kind and isinstance(overlay.get(MEMBERS), list | tuple):
        data[MEMBERS] = [
            example_data(member_kind, each, context) if isinstance(each, dict) else each for each in overlay[MEMBERS]
        ]
    return data


def member_kind_of(kind: str, context: GameContext) -> str:
    """Return the kind of the members of a list.

    Return '' for other kinds.
    """
    model = context.kinds[kind].model if kind in context.kinds else None
    return str(getattr(model, "MEMBER_KIND", ""))


class Samples:
    """Values for the fields of cards that have no example.

    A card is named by the example of its kind; `picture` stands for a picture.
    """

    def __init__(self, context: GameContext, picture: str) -> None:
        self._context, self._picture = context, picture
        self._makers: Mapping[str, Callable[[FieldSpec], Any]] = {
            "integer": lambda spec: math.ceil(_low(spec)),
            "number": _low,
            "length": _low,
            "text": lambda spec: "Example".ljust(min(math.ceil(_low(spec)), MOST_LETTERS), "e")[: _most_letters(spec)],
            "flag": lambda spec: False,
            "choice": lambda spec: next(iter(spec.choices or ()), None),
            "term": lambda spec: next((term.forms[0] for term in context.terms), None),
            "dice": lambda spec: "1d6",
            "colour": lambda spec: "#888888",
            "picture": lambda spec: picture,
            "card": lambda spec: example_name(spec.kind or ""),
            "list": self._list,
            "map": self._map,
        }

    def of_fields(self, fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
        """Return values for the fields that cannot be left out."""
        return {name: self._of(spec) for name, spec in fields.items() if spec.default is None and not spec.optional}

    def _of(self, spec: FieldSpec) -> Any:
        make = self._makers.get(spec.type)
        return make(spec) if make else self._part(spec.type)

    def _part(self, name: str) -> dict[str, Any]:
        spec = self._context.spec.types[name]
        has_name = spec.line is not None and "name" not in spec.fields
        return {**({"name": EXAMPLE_NAME} if has_name else {}), **self.of_fields(spec.fields)}

    def _list(self, spec: FieldSpec) -> list[Any]:
        assert spec.items is not None
        return [self._of(spec.items) for _ in range(_fewest(spec))]

    def _map(self, spec: FieldSpec) -> dict[str, Any]:
        assert spec.items is not None
        count = _fewest(spec)
        keys = spec.keys if spec.keys is not None else [f"{EXAMPLE_NAME} {number + 1}" for number in range(count)]
        return {key: self._of(spec.items) for key in keys[: count or None]}


def example_name(kind: str) -> str:
    """Return the name of the example card of a kind."""
    return f"{EXAMPLE_NAME} {kind}"


def _low(spec: FieldSpec) -> float:
    return spec.min if spec.min is not None else min(1, 1 if spec.max is None else spec.max)


def _fewest(spec: FieldSpec) -> int:
    """Return how many items a list or map must have."""
    return min(max(0, math.ceil(spec.min or 0)), MOST_LETTERS)


def _most_letters(spec: FieldSpec) -> int:
    return MOST_LETTERS if spec.max is None else max(1, math.floor(spec.max))
