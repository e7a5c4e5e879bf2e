from __future__ import annotations

import pytest
from pydantic import PrivateAttr, ValidationError

from cardgen.rulesets.game_settings import GameSettings, in_force, plain_settings, plain_settings_in_force
from cardgen.validation.base import Int, Model


class Rules(GameSettings):
    dice: Int = 2


class Part(Model):
    _rules: Rules = PrivateAttr(default_factory=Rules.in_force)


def test_defaults_are_in_force_without_a_block() -> None:
    assert Rules.in_force().dice == 2
    assert Rules.in_force().generated_icons == ()
    assert Rules.in_force() is Rules.in_force()


def test_a_block_is_in_force_within_its_scope_only() -> None:
    with in_force({Rules: Rules(dice=3)}):
        assert Rules.in_force().dice == 3
        with in_force({}):
            assert Rules.in_force().dice == 2
        assert Rules.in_force().dice == 3
    assert Rules.in_force().dice == 2


def test_a_model_keeps_the_block_under_which_it_was_read() -> None:
    with in_force({Rules: Rules(dice=3)}):
        part = Part()
    assert part._rules.dice == 3
    assert part.model_dump() == {}


def test_plain_data_has_no_defaults_and_is_put_in_force() -> None:
    assert plain_settings(None) == plain_settings(Rules) == {}
    with plain_settings_in_force(Rules, {"dice": 5}):
        assert plain_settings(Rules) == {"dice": 5}
        with plain_settings_in_force(Rules, None):
            assert Rules.in_force().dice == 5
        with plain_settings_in_force(Rules, {}):
            assert Rules.in_force().dice == 2
    with pytest.raises(ValidationError):
        plain_settings_in_force(Rules, {"dice": "many"})
