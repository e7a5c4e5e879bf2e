"""A game that is not finished is reported, not traced back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar

import pytest

from cardgen.deck.deck import load_game_module
from cardgen.diagnostic import CardgenError
from cardgen.model.card import Card
from cardgen.project_checks import services
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Kind, Ruleset
from cardgen.rulesets.vocabulary import IntRange, LimitRule
from cardgen.runtime import workspace
from cardgen.validation.base import Int
from tests.checking.harness import checked


class Brave(Card):
    KIND: ClassVar[str] = "brave"
    heat: Annotated[Int, IntRange(1, 6, LimitRule("EM101", "heat-limits", "Heat goes from 1 to 6"))] = 1


def ember(checks: str) -> Ruleset:
    return Ruleset("ember", "Ember", {"brave": Kind(Brave, "mini-usa")}, lambda _: "", lambda _: "", (), (), checks)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make 'ember' a game whose checks are the package `ember_checks`."""
    caches = (ruleset.installed_ruleset, services.registry_of)
    (tmp_path / "cardgen.yaml").write_text("game: ember\n", encoding="utf-8")
    monkeypatch.setattr(workspace, "game_locations", lambda: {"ember": "ember_game:RULESET"})
    monkeypatch.setitem(sys.modules, "ember_game", type("Module", (), {"RULESET": ember("ember_checks")}))
    monkeypatch.syspath_prepend(str(tmp_path))
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    sys.modules.pop("ember_checks", None)
    for cached in caches:
        cached.cache_clear()


def test_checks_that_do_not_exist_are_an_error(install: Path) -> None:
    (found,) = checked(install, "kind: brave\nname: Ash\n").findings
    message = "the module 'ember_checks' of the game 'ember' does not exist"
    assert (found.diagnostic.code, found.diagnostic.message) == ("CG032", message)
    assert found.diagnostic.help == "create it, or remove it from the RULESET"


def test_a_limit_without_a_page_is_an_error_beside_its_finding(install: Path) -> None:
    (install / "ember_checks").mkdir()
    (install / "ember_checks" / "__init__.py").touch()
    found = checked(install, "kind: brave\nname: Ash\nheat: 9\n").findings
    assert {(one.diagnostic.code, one.diagnostic.message) for one in found} == {
        ("EM101", "must be between 1 and 6, not 9"),
        ("CG032", "the fixed limit EM101 has no manual page"),
    }


def test_a_module_that_a_game_imports_is_not_its_own() -> None:
    with pytest.raises(CardgenError):
        load_game_module("no_such_game.trials", "ember")


def test_other_missing_modules_are_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ember_broken.py").write_text("import no_such_library\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        load_game_module("ember_broken", "ember")
