"""Example cards of a game file, for its kinds and checks."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
    spec = context.spec.kinds.get(kind)
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


def sample_data(fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
    """Return values for the fields that a card cannot leave out.

    A picture or the name of another card cannot be made up, and a card without them is not valid.
    """
    samples = {name: _sample(spec) for name, spec in fields.items() if spec.default is None and not spec.optional}
    return {name: value for name, value in samples.items() if value is not None}


def _sample(spec: FieldSpec) -> Any:
    low = spec.min if spec.min is not None else min(1, 1 if spec.max is None else spec.max)
    samples: dict[str, Any] = {
        "integer": math.ceil(low),
        "number": low,
        "length": low,
        "text": "Example".ljust(min(math.ceil(low), MOST_LETTERS), "e")[: _most_letters(spec)],
        "choice": next(iter(spec.choices or ()), None),
        "dice": "1d6",
        "colour": "#888888",
    }
    return samples.get(spec.type)


def _most_letters(spec: FieldSpec) -> int:
    return MOST_LETTERS if spec.max is None else max(1, math.floor(spec.max))
