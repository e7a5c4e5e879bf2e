from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.rulesets import ruleset
from tests.checking.harness import checked

PIECES = {
    "token": "icon: bolt",
    "standee": "base: 32",
    "cylinder": "base: 32",
    "ruler": "length: 9",
    "blank": "of: warband",
}


@pytest.mark.parametrize("game", ruleset.games())
@pytest.mark.parametrize("kind", PIECES)
def test_printed_pieces_may_be_equal(game: str, kind: str, tmp_path: Path) -> None:
    cards = "".join(f"  - {{kind: {kind}, name: {name}, {PIECES[kind]}}}\n" for name in ("Anna", "Bert"))
    assert checked(tmp_path, f"format: 1\ngame: {game}\ncards:\n{cards}").findings == ()
