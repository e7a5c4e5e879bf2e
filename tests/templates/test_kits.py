"""The kits of all games, in every theme and on both papers, as they are once they are cut: `make proofs` takes all."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import cardgen
from cardgen.face.theme import theme_names
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import games

ROOT = Path(__file__).parents[2]
BUILT_IN = Project(Path("/")).folders("templates")
KITS = [
    (game, theme, *rest)
    for game in games()
    for theme in theme_names(BUILT_IN, game)
    for rest in product(("a4", "letter"), ("packed", "grid"))
]
assert len(KITS) >= 32


@pytest.mark.share(len(KITS))
@pytest.mark.parametrize(("game", "theme", "paper", "layout"), KITS)
def test_every_piece_of_a_kit_is_right_once_it_is_cut(
    tmp_path: Path, game: str, theme: str, paper: str, layout: str
) -> None:
    built = cardgen.build(ROOT / "cards" / game, tmp_path, theme=theme, paper=paper, layout=layout)
    assert built.files
    count = 0
    for file in built.files:
        proof = cardgen.prove(file)
        # Where pieces reach from edge to edge of the paper, a grid has no room for marks at their sides.
        assert {each["message"] for each in proof["findings"]} <= {"the cut marks do not enclose a piece"}
        assert layout == "grid" or proof["findings"] == []
        count += len(proof["pieces"])
    assert 0.8 * built.copies < count <= built.copies
