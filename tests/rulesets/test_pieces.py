"""Tokens and proxies of any game: their limits are the game's, their geometry is not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import pytest
from pydantic import ValidationError

from cardgen.deck.deck import require_game
from cardgen.model.card import Card
from cardgen.rulesets import pieces, ruleset
from cardgen.rulesets.vocabulary import LimitRule
from cardgen.units import Size

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


# Its disks are the pieces themselves.
WITHOUT_MINIATURES = {"diskwars"}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_tokens_proxies_and_a_pack_from_the_same_code(game: str) -> None:
    rules = require_game(game)
    models: dict[str, type[Card]] = {"token": pieces.Token}
    if game not in WITHOUT_MINIATURES:
        models |= {"cylinder": pieces.Cylinder, "standee": pieces.Standee}
    for kind, model in models.items():
        assert issubclass(rules.kinds[kind].model, model)
        assert rules.kinds[kind].size is pieces.trim_size
    assert rules.pack
    assert all(rules.kinds[kind].is_printed for kind in rules.pack.kinds)
    assert {kind for kinds in rules.pack.documents.values() for kind in kinds} >= models.keys()


class Sheet(pieces.Blank):
    SIZES: ClassVar[Mapping[str, Size]] = {"letter": Size(100, 50), "note": Size(40, 30)}


@pytest.mark.parametrize(("kind", "size"), Sheet.SIZES.items())
def test_a_blank_has_the_size_of_its_kind(kind: str, size: Size) -> None:
    assert pieces.trim_size(Sheet(name="A", of=kind)) == size


@pytest.mark.parametrize(("unit", "length", "width"), [("cm", 15, 150), ("in", 6, 152.4), ("in", 15, 381)])
def test_a_ruler_is_as_long_as_its_scale(unit: str, length: int, width: float) -> None:
    ruler = pieces.Ruler.model_validate({"name": "A", "unit": unit, "length": length})
    assert pieces.trim_size(ruler) == Size(width, 22)


@pytest.mark.parametrize(
    ("marks", "zones"),
    [
        ((), ((0, 6),)),
        ((3, 1), ((0, 1), (1, 3), (3, 6))),
        ((3, 3, 6), ((0, 3), (3, 6))),
    ],
)
def test_the_marks_of_a_ruler_divide_it_into_zones(marks: tuple[int, ...], zones: tuple[tuple[int, int], ...]) -> None:
    assert pieces.Ruler(name="A", unit="in", length=6, marks=marks).zones == zones


@pytest.mark.parametrize(
    ("ruler", "message"),
    [
        ({"length": 6}, "must be from 7 to 40 cm, not 6"),
        ({"length": 16, "unit": "in"}, "must be from 3 to 15 in, not 16"),
        ({"length": 8, "marks": [1, 9]}, "must be at most the length of the ruler, 8, not 9"),
    ],
)
def test_a_ruler_has_its_limits(ruler: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        pieces.Ruler.model_validate({"name": "A", **ruler})
    assert [error["msg"] for error in caught.value.errors()] == [message]
