from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardgen import units
from cardgen.diagnostic import UnknownName
from cardgen.game_file.spec import GameFile
from cardgen.model.card import DeckHeader
from cardgen.project.project import Settings
from cardgen.rulesets import ruleset as registry
from cardgen.rulesets.ruleset import Ruleset, default_game, games, ruleset
from cardgen.runtime import workspace
from cardgen.validation.base import Model, reachable_models


def loaded(game: str) -> Ruleset:
    found = ruleset(game)
    assert isinstance(found, Ruleset)
    return found


def test_there_are_games_and_the_default_is_one_of_them() -> None:
    assert "warniris" in games()
    assert default_game() in games()
    assert list(games()) == sorted(games())


@pytest.mark.parametrize("game", games())
def test_a_game_is_what_its_folder_says(game: str) -> None:
    rules = loaded(game)
    assert rules.id == game
    assert rules.kinds
    for name, kind in rules.kinds.items():
        assert name == kind.model.KIND
        assert kind.is_printed == bool(kind.size)
        assert (
            not kind.is_printed
            or callable(kind.size)
            or kind.default_size == units.parse_size(kind.size, units.CARD_SIZES)
        )
        assert set(kind.made_from) <= set(rules.kinds)


def test_a_game_that_nobody_knows_is_a_value_with_a_suggestion() -> None:
    unknown = ruleset("warnirs")
    assert isinstance(unknown, UnknownName)
    assert str(unknown) == "unknown game 'warnirs'"
    assert unknown.help == "did you mean 'warniris'?"
    assert UnknownName("game", "xyzzy", ("chess",)).help == "available: chess"


def test_naming_the_games_loads_none_of_them() -> None:
    program = (
        "import sys; from cardgen.rulesets.ruleset import games; assert games();"
        "sys.exit(any(name.startswith('cardgen.rulesets.warniris') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_game_comes_from_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chess = Ruleset("chess", "Chess", {}, str, str, (), ())
    monkeypatch.setitem(sys.modules, "chess_cards", SimpleNamespace(games=SimpleNamespace(RULESET=chess)))
    installed = tmp_path / "chess_cards-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: chess-cards\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text(
        f"[{workspace.GROUP}]\nchess = chess_cards:games.RULESET\nwarniris = elsewhere:RULESET\nodd = sys:path\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for cached in (workspace.game_locations, registry.installed_ruleset):
        cached.cache_clear()
    try:
        assert ruleset("chess") is chess
        assert loaded("warniris").name.startswith("Warniris"), "ours is not replaced"
        with pytest.raises(TypeError, match="sys:path is not a Ruleset"):
            ruleset("odd")
    finally:
        for cached in (workspace.game_locations, registry.installed_ruleset):
            cached.cache_clear()


def models_of(game: str) -> tuple[type[Model], ...]:
    rules = loaded(game)
    return (*(kind.model for kind in rules.kinds.values()), *filter(None, [rules.settings]))


@pytest.mark.parametrize(
    "models", [(GameFile,), (DeckHeader, Settings), *map(models_of, games())], ids=["games", "files", *games()]
)
def test_annotations_of_models_are_evaluated_with_their_module(models: tuple[type[Model], ...]) -> None:
    """Models are built in every run. From postponed annotations, that takes half as long again."""
    every = {base for _, model in reachable_models(models) for base in model.__mro__}
    modules = {base.__module__ for base in every if base.__module__.startswith("cardgen.")}
    assert modules
    assert [name for name in sorted(modules) if hasattr(sys.modules[name], "annotations")] == []
