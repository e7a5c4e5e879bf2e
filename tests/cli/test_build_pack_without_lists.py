"""`cardgen build --pack` in a game that has no lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Program

GAME = "game: kestrel\nname: Kestrel Point\nprefix: KP\nkinds:\n  front:\n    fields: {wind: {type: integer}}\n"


def test_a_game_without_lists_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games/kestrel").mkdir(parents=True)
    (tmp_path / "games/kestrel/game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text("game: kestrel\n", encoding="utf-8")
    (tmp_path / "gale.yaml").write_text("kind: front\nname: Gale\nwind: 9\n", encoding="utf-8")
    errors = cardgen("build", "--pack", "Night Watch").err
    assert "unknown list 'Night Watch': the game 'kestrel' has no lists" in errors
    assert "add one under 'lists' in its game.yaml" in errors
