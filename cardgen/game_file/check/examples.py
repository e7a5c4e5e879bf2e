"""Example cards of a game file, for its kinds and checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game_file.context import GameContext

EXAMPLE_NAME = "Example"
MEMBERS = "members"


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
