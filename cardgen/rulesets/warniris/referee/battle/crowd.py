"""Crowds: Minions that nothing tells apart are offered by their kind, and taken one like the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.state import State


def group_by_kind(game: Game, state: State, members: Iterable[int]) -> dict[str, tuple[int, ...]]:
    """Return the members by the words for them: a Character by its name, and Minions that are alike by one."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for who in members:
        groups.setdefault(_likeness(game, state, who), []).append(who)
    kinds: dict[str, tuple[int, ...]] = {}
    for likeness, group in groups.items():
        alone = sum(other[0] == likeness[0] for other in groups) == 1
        words = likeness[0] if alone else _words(game, state, group[0])
        kinds[words if words not in kinds else f"{words}, like {game.name(group[0])}"] = tuple(group)
    return kinds


def _likeness(game: Game, state: State, who: int) -> tuple[Any, ...]:
    """What tells a miniature apart: its name, or a Minion's card, Wounds, activation, and effects."""
    miniature = game.miniatures[who]
    if not miniature.is_minion:
        return (miniature.name,)
    return (miniature.card.name, state.wounds(who), state.mode.statuses[who], tuple(_effects_on(game, state, who)))


def _effects_on(game: Game, state: State, who: int) -> list[str]:
    return sorted(
        game.miniatures[active.owner].effects[active.effect_number].name
        for active in state.mode.active_effects
        if active.until in ("turn", "battle") and any(who in members for _, members in active.affected)
    )


def _words(game: Game, state: State, who: int) -> str:
    """'Sentinel that has acted, 1 of 2 Wounds, under Pommel'."""
    miniature = game.miniatures[who]
    acted = "that has acted" if state.mode.statuses[who].has_acted else "yet to act"
    hurt = [f"{state.wounds(who)} of {miniature.wounds} Wounds"] if state.wounds(who) < miniature.wounds else []
    under = [f"under {name}" for name in dict.fromkeys(_effects_on(game, state, who))]
    return ", ".join([f"{miniature.card.name} {acted}", *hurt, *under])


def minions(game: Game) -> list[int]:
    """Return all Minions."""
    return [who for who, miniature in enumerate(game.miniatures) if miniature.is_minion]
