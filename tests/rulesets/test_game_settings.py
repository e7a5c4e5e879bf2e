from __future__ import annotations

from typing import Any

import pytest
from pydantic import PrivateAttr, ValidationError

from cardgen.rulesets.game_settings import GameSettings, plain_settings, settings_of, settled
from cardgen.runtime.workspace import Workspace
from cardgen.validation.base import Int, Model


class Rules(GameSettings):
    dice: Int = 2


class Part(Model):
    _rules: Rules = PrivateAttr(default_factory=Rules)

    def model_post_init(self, context: Any) -> None:
        self._rules = Rules.of(context)


WORKSPACE = Workspace(game_settings={Rules: Rules(dice=3)})


def test_defaults_apply_without_a_block() -> None:
    assert Rules.of(None).dice == Rules.of(Workspace()).dice == 2
    assert Rules.of(None).generated_icons == ()
    assert Rules.of(None) is Rules.of(Workspace())


def test_a_model_keeps_the_block_of_the_project_that_was_read() -> None:
    part = Part.model_validate({}, context=WORKSPACE)
    assert part._rules.dice == 3
    assert part.model_dump() == {}
    assert Part()._rules.dice == 2


def test_plain_data_of_cards_lead_to_the_block() -> None:
    data = settled({"card": {"name": "Ash", "parts": [{"name": "Blade"}]}, "count": 3}, Rules, WORKSPACE)
    assert data == {"card": {"name": "Ash", "parts": [{"name": "Blade"}]}, "count": 3}
    assert [Rules.of(each).dice for each in (data["card"], data["card"]["parts"][0])] == [3, 3]
    assert settled({}, None, WORKSPACE) == {}


def test_plain_data_of_a_block_has_no_defaults() -> None:
    assert plain_settings(None, WORKSPACE) == plain_settings(Rules, None) == {}
    assert plain_settings(Rules, WORKSPACE) == {"dice": 3}
    assert settings_of(Rules, {"dice": 5}) == Rules(dice=5)
    assert settings_of(None, {}) is None
    with pytest.raises(ValidationError):
        settings_of(Rules, {"dice": "many"})
