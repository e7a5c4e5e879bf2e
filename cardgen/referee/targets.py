"""Targets of effects: whom an effect can strike, and whom players choose.

An effect is a mapping with its `name`, `whom`, and `within`, which is a range or 'any'. `whom` is 'self', one 'friend',
one 'other' friend, one 'enemy', or 'any' one; or several 'friends', 'enemies', or of 'all'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from cardgen.referee.battlefield import Battlefield, BattleModel
from cardgen.referee.choice import choose_one, select
from cardgen.referee.requests import Procedure

M = TypeVar("M", bound=BattleModel)
SEVERAL = ("friends", "enemies", "all")


def choose_targets(
    table: Battlefield[M], user: M, effect: Mapping[str, Any], is_allowed: Callable[[M], bool], nobody: str = "nobody"
) -> Procedure[list[M]]:
    """Ask which of the models on the table an effect strikes."""
    whom, within = effect["whom"], effect["within"]
    if whom == "self":
        return [user]
    sides = {"enemy": (False,), "enemies": (False,), "any": (True, False), "all": (True, False)}.get(whom, (True,))
    models = [each for each in table.models if each.is_present and (each.side == user.side) in sides]
    options = [each for each in models if is_allowed(each) and not (whom == "other" and each is user)]
    where = "" if within == "any" else f" in sight within {within} range"
    who = table.sides[user.side]
    if whom in SEVERAL:
        return (yield from select("targets", who, f"{effect['name']}: targets{where}", options))
    target = yield from choose_one("target", who, f"{effect['name']}: target{where}", options, nobody)
    return [target] if target else []
