"""A terrain card without a piece, or with two.

Why is this bad?
    Each terrain card belongs to one piece. Without a piece, it cannot be placed; with two, players do not know which.

Example
    game: diskwars
    cards:
      - {kind: terrain, name: Sunken Lane, keywords: [cover]}  # DW313: 5
      - {kind: terrain, name: Salt Pans, keywords: [rough]}
      - {kind: piece, name: Pans, terrain: Salt Pans, outline: pool}

Use instead
    game: diskwars
    cards:
      - {kind: terrain, name: Sunken Lane, keywords: [cover]}
      - {kind: piece, name: Lane, terrain: Sunken Lane, outline: wall}
"""

from typing import Any

from cardgen.game import CheckContext, CheckScope, Confidence, Finding, Findings, Severity, slugify
from cardgen.rulesets.diskwars import RULESET

CODE, NAME = "DW313", "unmatched-terrain"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
_TERRAIN, _PIECE = RULESET.kinds["terrain"].model, RULESET.kinds["piece"].model
LOOKS_AT = _TERRAIN


def find(terrain: Any, context: CheckContext) -> Findings:
    """Yield a terrain card that is not the card of exactly one piece, if there are pieces to check."""
    if not context.scope.compute_once(_has_pieces):
        return
    pieces: dict[str, str] = {}
    for name in dict.fromkeys((terrain.name, terrain.id)):
        pieces |= context.scope.look_up(_names_by_terrain, name) or {}
    if not pieces:
        if context.scope.compute_once(_has_stray_pieces):
            return  # one of them names another terrain by mistake, or this one by its earlier name
        yield Finding("no piece belongs to it", help="add a card of kind 'piece' that lists it under 'terrain'")
    elif len(pieces) > 1:
        one, two, *_ = pieces.values()
        yield Finding(f"'{one}' and '{two}' belong to it", help="keep one piece for each terrain card")


def _has_pieces(scope: CheckScope) -> bool:
    return any(scope.own.facts((_PIECE,), _terrain_of))


def _has_stray_pieces(scope: CheckScope) -> bool:
    """Return whether a piece names a terrain that the project does not have."""
    own = {name for names in scope.own.facts((_TERRAIN,), _names_of) for name in names}
    return any(
        not {terrain, slugify(terrain)} & own for terrain, *_ in scope.own.facts((_PIECE,), _terrain_of) if terrain
    )


def _names_of(terrain: Any) -> list[str]:
    return [terrain.name, terrain.id]


def _names_by_terrain(scope: CheckScope) -> dict[str, dict[str, str]]:
    """Return the names of the pieces by id for each terrain that they name; of several with an id, the first."""
    named: dict[str, dict[str, str]] = {}
    for terrain, id_, name in scope.facts_of_type(_terrain_of, _PIECE):
        named.setdefault(terrain, {}).setdefault(id_, name)
    return named


def _terrain_of(piece: Any) -> list[str]:
    """Return the terrain that a piece names, its id, and its name."""
    return [getattr(piece, "terrain", "") or "", piece.id, piece.name]
