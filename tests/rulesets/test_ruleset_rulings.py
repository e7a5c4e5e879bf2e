"""Rulings do something: the procedures or the checks of a game read each of them, or it is known to be for players."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import cardgen.rulesets
from tests.cases import each_case

FOLDER = Path(cardgen.rulesets.__file__).parent
# Rulings that only record what players have agreed on: about published cards that are not in the game, or about moments
# that no procedure knows.
FOR_PLAYERS = {
    "diskwars": {
        *("initiative-later", "dangerous-types", "cave", "big-boss", "hellcannon-flips", "hellcannon-moment"),
        *("rot-limit", "rot-aura", "blood-moment", "blood-again"),
    },
    "skirmish": set[str](),
    "warcry": {"seize-again", "scores-victory", "blessings-each", "desperate-strength", "bonus-move"},
    "warniris": set[str](),
}


def _words(game: str) -> set[str]:
    """Return the strings in the code of a game, and the rulings that its expressions name."""
    words: set[str] = set()
    for path in sorted((FOLDER / game).rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        words |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for path in sorted((FOLDER / game).rglob("*.*")):
        if path.suffix in (".yaml", ".txt"):
            words |= {*re.findall(r"rulings(?:\.|\[['\"])([a-z0-9-]+)", path.read_text(encoding="utf-8"))}
    return words


@each_case("game", FOR_PLAYERS)
def test_every_ruling_is_read_or_for_players(game: str) -> None:
    rulings = {each.id for each in import_module(f"cardgen.rulesets.{game}").RULESET.rulings}
    assert rulings - _words(game) == FOR_PLAYERS[game]
