"""Kinds whose models are built at their first use."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from cardgen.model.card import Card
from cardgen.rulesets.ruleset import (
    Kind,
    LateKinds,
    Ruleset,
    card_models,
    games,
    kinds_below,
    kinds_by_name,
    kinds_made_from,
    ruleset,
)


class Ship(Card):
    KIND = "ship"


class Sloop(Ship):
    KIND = "sloop"


class Flag(Card):
    KIND = "flag"


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> LateKinds:
    for name, models in (("ships", (Ship, Sloop)), ("flags", (Flag,))):
        module = ModuleType(f"harbor_{name}")
        module.__dict__["KINDS"] = kinds_by_name(Kind(model, "tarot") for model in models)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return LateKinds({"harbor_ships": ("ship", "sloop"), "harbor_flags": ("flag",)}, {"ship": ("flag",)})


def loaded(kinds: LateKinds) -> set[str]:
    return set(kinds._loaded)


def test_names_are_there_before_anything_is_loaded(kinds: LateKinds) -> None:
    assert list(kinds) == ["ship", "sloop", "flag"]
    assert len(kinds) == 3
    assert "flag" in kinds
    assert "raft" not in kinds
    assert kinds.get("raft") is None
    assert list(kinds_made_from(kinds, "ship")) == ["flag"]
    assert loaded(kinds) == set()


def test_a_kind_loads_its_module_alone(kinds: LateKinds) -> None:
    assert kinds["sloop"].model is Sloop
    assert loaded(kinds) == {"harbor_ships"}


def test_models_below_a_kind_are_in_its_module(kinds: LateKinds) -> None:
    assert kinds["ship"].model is Ship
    assert list(kinds_below(kinds, (Ship,))) == ["ship", "sloop"]
    assert list(kinds_below(kinds, (Sloop,))) == ["sloop"]
    assert loaded(kinds) == {"harbor_ships"}


def test_models_below_a_base_can_be_anywhere(kinds: LateKinds) -> None:
    assert list(kinds_below(kinds, (Card,))) == ["ship", "sloop", "flag"]
    assert list(kinds_below(kinds, (Flag, Sloop))) == ["sloop", "flag"]


def test_models_are_loaded_one_by_one(kinds: LateKinds) -> None:
    models = card_models(Ruleset("harbor", "Harbor", kinds, str, str, (), ()))
    assert "flag" in models
    assert models["ship"] is Ship
    assert loaded(kinds) == {"harbor_ships"}
    assert dict(models) == {"ship": Ship, "sloop": Sloop, "flag": Flag}


@pytest.mark.parametrize("game", games())
def test_the_kinds_of_each_game_are_what_it_says(game: str) -> None:
    rules = ruleset(game)
    assert isinstance(rules, Ruleset)
    kinds = rules.kinds
    for name in kinds:
        assert set(kinds_made_from(kinds, name)) == {each for each, kind in kinds.items() if name in kind.made_from}
        below = {each for each, kind in kinds.items() if issubclass(kind.model, kinds[name].model)}
        assert set(kinds_below(kinds, (kinds[name].model,))) == below
