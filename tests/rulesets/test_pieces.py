"""Tokens and proxies of any game: their limits are the game's, their geometry is not."""

from __future__ import annotations

import math
from typing import ClassVar

import pytest
from pydantic import ValidationError

from cardgen.pipeline.load.deck import require_game
from cardgen.rulesets import pieces, ruleset
from cardgen.rulesets.limits import LimitRule

GAMES = ruleset.games()
RULE = LimitRule("XX101", "of-a-test", "mend it")


class Token(pieces.Token):
    COUNT_RULE: ClassVar[LimitRule] = RULE


class Proxy(pieces.Proxy):
    BASES: ClassVar[tuple[float, ...]] = (18, 44.5)
    BASE_RULE: ClassVar[LimitRule] = RULE


class Cylinder(pieces.Cylinder, Proxy):
    pass


class Standee(pieces.Standee, Proxy):
    pass


@pytest.mark.parametrize("model", [Cylinder, Standee])
def test_a_proxy_has_a_base_of_its_game_and_breaks_a_rule_of_its_game(model: type[Proxy]) -> None:
    assert model(name="A", base=44.5).base == 44.5
    with pytest.raises(ValidationError) as caught:
        model(name="A", base=32.5)
    (error,) = caught.value.errors()
    assert (error["type"], error["loc"], error["msg"]) == ("of-a-test", ("base",), "no proxy fits a base of 32.5 mm")
    assert error["ctx"]["code"] == "XX101"
    assert model.model_json_schema()["properties"]["base"]["enum"] == [18, 44.5]


@pytest.mark.parametrize("key", ["value", "flip"])
@pytest.mark.parametrize("count", [0, 100])
def test_a_token_counts_to_99(key: str, count: int) -> None:
    assert Token.model_validate({"name": "A", key: 99})
    with pytest.raises(ValidationError) as caught:
        Token.model_validate({"name": "A", key: count})
    (error,) = caught.value.errors()
    assert (error["loc"], error["msg"]) == ((key,), f"must be between 1 and 99, not {count}")
    schema = Token.model_json_schema()["properties"][key]["anyOf"][0]
    assert (schema["minimum"], schema["maximum"]) == (1, 99)


def test_sizes_follow_from_bases_to_the_thousandth() -> None:
    width, height = pieces.trim_size(Cylinder(name="A", base=44.5, height=40))
    assert (width, height) == (round(math.pi * 44.7 + 7, 3), 40)
    assert pieces.trim_size(Standee(name="A", base=44.5, height=40)) == (35.6, 106.7)
    assert pieces.trim_size(Token(name="A", diameter=30)) == (30, 30)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_tokens_proxies_and_a_pack_from_the_same_code(game: str) -> None:
    rules = require_game(game)
    models = {"token": pieces.Token, "cylinder": pieces.Cylinder, "standee": pieces.Standee}
    for kind, model in models.items():
        assert issubclass(rules.kinds[kind].model, model)
        assert rules.kinds[kind].size is pieces.trim_size
    assert rules.pack
    assert rules.kinds[rules.pack.kind].is_printed
    assert {kind for kinds in rules.pack.documents.values() for kind in kinds} >= models.keys()
