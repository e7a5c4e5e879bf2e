"""The battle die: its faces, which are unknown until the ruling `battle-die` settles them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeAlias

from cardgen.game import PreparedTrial, Roll, RulesConfig, over_candidates
from cardgen.rulesets.diskwars import RULESET

HIT, CRITICAL, SCATTER, MISS, CHAOS = RESULTS = ("hit", "critical", "scatter", "miss", "chaos")
Faces: TypeAlias = tuple[str, ...]
RULING, OPEN = "battle-die", "open"


def candidates(setting: str) -> tuple[Faces, ...]:
    """Return the possible faces of the battle die under a setting of the ruling: the result that is there twice."""
    every = tuple(tuple(map(str, faces)) for faces in RULESET.dice["battle"])
    return tuple(faces for faces in every if setting == OPEN or faces.count(setting) > 1)


def battle_die(faces: Faces, who: str, what: str) -> Roll:
    """Return a battle die, whose answer is its result."""
    return Roll("battle", who, what, len(faces), faces=faces)


def over_dice(config: RulesConfig, prepare: Callable[..., PreparedTrial], *options: Iterable[Any]) -> PreparedTrial:
    """Return a trial whose odds are ranges over the possible faces of the battle die, and over further options."""
    cases = product(candidates(config.rulings[RULING]), *options)
    return over_candidates([prepare(*case) for case in cases])
