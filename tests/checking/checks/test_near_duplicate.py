from __future__ import annotations

from pathlib import Path
from typing import Any

from cardgen.deck.deck import require_game
from cardgen.rulesets import ruleset
from tests.cases import each_case
from tests.checking.harness import checked

PIECES = {
    "token": "icon: bolt",
    "standee": "base: 32",
    "cylinder": "base: 32",
    "ruler": "length: 9",
    "blank": "of: OF",
}
CASES = [(game, kind) for game in ruleset.games() for kind in PIECES if kind in require_game(game).kinds]


@each_case(("game", "kind"), CASES)
def test_printed_pieces_may_be_equal(game: str, kind: str, tmp_path: Path) -> None:
    model: Any = require_game(game).kinds[kind].model
    keys = PIECES[kind].replace(
        "OF", next(iter(getattr(model, "FORMS", None) or getattr(model, "SIZES", None) or [""]))
    )
    cards = "".join(f"  - {{kind: {kind}, name: {name}, {keys}}}\n" for name in ("Anna", "Bert"))
    assert checked(tmp_path, f"format: 1\ngame: {game}\ncards:\n{cards}").findings == ()
