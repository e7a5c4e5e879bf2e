"""Finding games by folder and entry point, and loading one when it is asked for."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.unknown import Unknown

GROUP = "cardgen.rulesets"
DEFAULT = "warniris"


@cache
def _found() -> dict[str, EntryPoint]:
    """Every game by id; a game of ours cannot be replaced from outside."""
    outside = {point.name: point for point in entry_points(group=GROUP)}
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")]
    ours = {name: EntryPoint(name, f"{GROUP}.{name}:RULESET", GROUP) for name in folders}
    return {**outside, **ours}


def games() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order; none of them is loaded."""
    return tuple(sorted(_found()))


def default_game() -> str:
    """The id of the game that a project plays when it names none."""
    return DEFAULT


@cache
def ruleset(game: str) -> Ruleset | Unknown:
    """The game of that id, loaded at its first use, or what to say when there is none."""
    point = _found().get(game)
    if point is None:
        return Unknown("game", game, games())
    found = point.load()
    if not isinstance(found, Ruleset):
        raise TypeError(f"{point.value} is no Ruleset")
    return found
