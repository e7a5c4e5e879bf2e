"""Capitalized words that resemble a term of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked, found_marks

DISK = "kind: disk, disk: small, faction: order, cost: 3, attack: 1, counter: 1, toughness: 3, movement: 4"


@pytest.mark.parametrize(
    ("race", "ability", "found"),
    [
        ("Gilded Court", "It serves.", 0),
        ("Bogfolk", "It hates the Court.", 0),
        ("Bogfolk", "It likes the Gilded Cout.", 0),
        ("Bogfolk", "It is a Scuot.", 1),
        ("Bogfolk", "When Scuot is lost, it sleeps.", 1),
        ("Bogfolk", "It is a Scuot D3 times.", 1),
    ],
)
def test_no_name_and_no_part_of_one_is_a_misspelled_term(race: str, ability: str, found: int, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: diskwars\n", encoding="utf-8")
    text = (
        f"game: diskwars\ncards:\n  - {{{DISK}, name: Ada, race: {race}, ability: {ability}}}\n"
        f"  - {{{DISK}, name: Bea, race: Silver Court}}\n"
    )
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("CG204",))))
    assert len(marks) == found


GAME = "game: wald\nname: Wald\nprefix: WD\nkinds:\n  tier:\n    fields: {kraft: {type: integer, label: Stärke}}\n"


@pytest.mark.parametrize("glossary", ["", "glossary: {Waldgeist: {means: A spirit.}}\n"])
def test_labels_of_fields_and_games_without_terms_are_not_blamed(glossary: str, tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: wald\n", encoding="utf-8")
    (tmp_path / "games/wald").mkdir(parents=True)
    (tmp_path / "games/wald/game.yaml").write_text(GAME + glossary, encoding="utf-8")
    text = "kind: tier\nname: Luchs\nkraft: 3\ntext: Gibt +1 Stärke, und +1 Glück.\n"
    marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("CG204",))))
    assert len(marks) == bool(glossary)
