"""Effects of abilities: whom they strike, and what players report about abilities that have only text.

An effect is a mapping with its `name`, what it does (`do`), `whom`, and `within`, which is a range or 'any'. `whom` is
'self', one 'friend', one 'other' friend, one 'enemy', or 'any' one; or several 'friends', 'enemies', or of 'all'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from cardgen.referee.battlefield import Battlefield, BattleModel
from cardgen.referee.choice import choose, choose_in_turn, choose_one, select
from cardgen.referee.requests import Log, Measurement, Procedure

M = TypeVar("M", bound=BattleModel)
Effect: TypeAlias = Mapping[str, Any]
SEVERAL, NOBODY, MOST = ("friends", "enemies", "all"), "nobody", 20


class EffectRules(NamedTuple, Generic[M]):
    """What a game does with effects.

    `is_allowed` says whether an effect can target a model, and `strike` lets it strike some. `kinds` are the effects
    that players can report, each with the fields that they are asked for: numbers, or one of several words.
    """

    is_allowed: Callable[[M, Effect], bool]
    strike: Callable[[M, Effect, Sequence[M]], Procedure[None]]
    kinds: Mapping[str, Mapping[str, Sequence[str]]]


def apply_text(
    table: Battlefield[M],
    user: M,
    text: str,
    effects: Sequence[Effect],
    rules: EffectRules[M],
    *,
    hurts_user: bool = False,
) -> Procedure[None]:
    """Apply an ability of a model: its effects if it has any, or else what the players report."""
    yield Log("{}: {}", (user, text))
    if effects:
        yield from affect(table, user, effects, rules, hurts_user=hurts_user)
        return
    report = partial(_report, table, user, rules)
    yield from choose_in_turn("report", table.sides[user.side], "what it does", lambda: rules.kinds, report)


def _report(table: Battlefield[M], user: M, rules: EffectRules[M], kind: str) -> Procedure[None]:
    """Ask for the fields of an effect that players report, and apply it."""
    effect, who = {"name": kind, "do": kind, "whom": "all", "within": "any"}, table.sides[user.side]
    for name, words in rules.kinds[kind].items():
        if words:
            effect[name] = yield from choose(name, who, f"{name} of {kind}", {word: word for word in words})
        else:
            effect[name] = yield Measurement(name, who, f"{name} of {kind}", 1, MOST)
    yield from affect(table, user, [effect], rules)


def affect(
    table: Battlefield[M], user: M, effects: Sequence[Effect], rules: EffectRules[M], *, hurts_user: bool = False
) -> Procedure[None]:
    """Let the effects of an ability strike their targets, and perhaps its user, too."""
    for effect in effects:
        targets = yield from _choose_targets(table, user, effect, rules)
        more = [user] if hurts_user and user not in targets else []
        yield from rules.strike(user, effect, [*targets, *more])


def _choose_targets(table: Battlefield[M], user: M, effect: Effect, rules: EffectRules[M]) -> Procedure[list[M]]:
    whom, within, who = effect["whom"], effect["within"], table.sides[user.side]
    if whom == "self":
        return [user]
    sides = {"enemy": (False,), "enemies": (False,), "any": (True, False), "all": (True, False)}.get(whom, (True,))
    models = [each for each in table.models if each.is_present and (each.side == user.side) in sides]
    options = [each for each in models if rules.is_allowed(each, effect) and not (whom == "other" and each is user)]
    where = "" if within == "any" else f" in sight within {within} range"
    if whom in SEVERAL:
        return (yield from select("targets", who, f"{effect['name']}: targets{where}", options))
    target = yield from choose_one("target", who, f"{effect['name']}: target{where}", options, NOBODY)
    return [target] if target else []
