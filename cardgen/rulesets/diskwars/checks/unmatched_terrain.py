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

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.diskwars import RULESET

CODE, NAME = "DW313", "unmatched-terrain"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
_TERRAIN, _PIECE = RULESET.kinds["terrain"].model, RULESET.kinds["piece"].model
LOOKS_AT = _TERRAIN


def find(terrain: Any, context: CheckContext) -> Findings:
    """Yield a terrain card that is not the card of exactly one piece, if there are pieces to check."""
    if not any(isinstance(entry.card, _PIECE) for entry in context.scope.cards):
        return
    pieces: dict[str, Any] = {}
    for piece in context.scope.cards_of_type(_PIECE):
        if getattr(piece, "terrain", "") in (terrain.name, terrain.id):
            pieces.setdefault(piece.id, piece)
    if not pieces:
        yield Finding("no piece belongs to it", help="add a card of kind 'piece' that names it under 'terrain'")
    elif len(pieces) > 1:
        one, two, *_ = pieces.values()
        yield Finding(f"'{one.name}' and '{two.name}' belong to it", help="keep one piece for each terrain card")
