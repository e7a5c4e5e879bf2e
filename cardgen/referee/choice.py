"""Choices with values: decisions whose options stand for something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from cardgen.referee.requests import Decision, Procedure, Selection

T = TypeVar("T")
YES, NO = "yes", "no"


def choose(key: str, who: str, what: str, options: Mapping[str, T]) -> Procedure[T]:
    """Ask for one of several options by label; a single option is not asked for."""
    if len(options) == 1:
        return next(iter(options.values()))
    answer = yield Decision(key, who, what, tuple(options))
    return options[answer]


def confirm(key: str, who: str, what: str) -> Procedure[bool]:
    """Ask a question with the answers yes and no."""
    return (yield from choose(key, who, what, {YES: True, NO: False}))


def choose_one(key: str, who: str, what: str, items: Iterable[T], nobody: str = "") -> Procedure[T | None]:
    """Ask for one of some items by text, or, with the label `nobody`, for none; return None if there are none."""
    options: dict[str, T | None] = {nobody: None} if nobody else {}
    options |= {str(each): each for each in items}
    if not options:
        return None
    return (yield from choose(key, who, what, options))


def select(key: str, who: str, what: str, items: Iterable[T]) -> Procedure[list[T]]:
    """Ask for any number of items by text."""
    options = {str(each): each for each in items}
    names = (yield Selection(key, who, what, tuple(options))) if options else ()
    return [options[name] for name in names]


def choose_in_turn(
    key: str,
    who: str,
    what: str,
    ready: Callable[[], Iterable[T]],
    act: Callable[[T], Procedure[None]],
    nobody: str = "nobody else",
) -> Procedure[None]:
    """Ask for one item after another among those that are ready, and let each act, until nobody is chosen."""
    while items := [*ready()]:
        item = yield from choose_one(key, who, what, items, nobody)
        if item is None:
            return
        yield from act(item)
