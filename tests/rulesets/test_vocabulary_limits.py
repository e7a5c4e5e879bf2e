from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from cardgen.rulesets.vocabulary import IntRange, ItemCount, LimitRule, OneOf, RequiresOneOf, ShorthandModel
from cardgen.validation.base import Int, Model, Text

BREACH = LimitRule("XX101", "out-of-bounds", "stay inside")


class Sample(RequiresOneOf):
    FIELDS: ClassVar[tuple[str, ...]] = ("attribute", "change", "items", "word")
    RULE: ClassVar[LimitRule] = LimitRule("XX102", "silent", "speak")

    attribute: Annotated[Int, IntRange(1, 5, BREACH)] | None = None
    change: Annotated[Int, IntRange(-2, 2, BREACH, is_change=True)] = 0
    items: tuple[int, ...] = ()
    word: Annotated[Literal["a", "b"], OneOf(("a", "b"), BREACH, lambda word: f"not {word}")] | None = None


class Exclusive(Sample):
    EXCLUSIVE: ClassVar[bool] = True


SCHEMA = Draft202012Validator(Sample.model_json_schema())
EXCLUSIVE = Draft202012Validator(Exclusive.model_json_schema())

GOOD: list[dict[str, Any]] = [
    {"attribute": 1},
    {"attribute": 5.0},
    {"change": -2},
    {"items": [1]},
    {"word": "b"},
    {"word": None, "change": 1},
]
BAD: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"attribute": 0}, "must be between 1 and 5, not 0", ("attribute",)),
    ({"attribute": 6}, "must be between 1 and 5, not 6", ("attribute",)),
    ({"change": 0}, "a change must not be 0", ("change",)),
    ({"change": 3}, "must be between -2 and 2, not 3", ("change",)),
    ({"word": "c"}, "unknown out of bounds 'c' (one of a, b)", ("word",)),
    ({}, "must have at least one of the keys attribute, change, items, word", ()),
    ({"items": []}, "must have at least one of the keys attribute, change, items, word", ()),
    ({"attribute": None}, "must have at least one of the keys attribute, change, items, word", ()),
]


@pytest.mark.parametrize("data", GOOD, ids=str)
def test_what_lies_inside_is_taken(data: dict[str, Any]) -> None:
    assert Sample.model_validate(data)
    assert SCHEMA.is_valid(data)


@pytest.mark.parametrize(("data", "message", "loc"), BAD, ids=str)
def test_what_lies_outside_is_named_with_its_code(data: dict[str, Any], message: str, loc: tuple[str, ...]) -> None:
    assert not SCHEMA.is_valid(data)
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate(data)
    (error,) = caught.value.errors()
    assert (error["msg"], error["loc"]) == (message, loc)
    assert error["ctx"]["code"] == ("XX101" if loc else "XX102")
    assert error["ctx"]["help"] == {"word": "not c", "": "speak"}.get("".join(loc), "stay inside")


@pytest.mark.parametrize(("word", "said"), [("sward", "did you mean 'sword'?"), ("zzz", "stay inside")])
def test_known_words_are_listed_once(word: str, said: str) -> None:
    with pytest.raises(PydanticCustomError) as caught:
        OneOf(("sword", "axe"), BREACH).check(word)
    assert caught.value.message() == f"unknown out of bounds '{word}' (one of sword, axe)"
    assert caught.value.context and caught.value.context["help"] == said


def test_a_word_of_the_wrong_sort_is_left_to_the_field_itself() -> None:
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate({"word": 3})
    assert [error["type"] for error in caught.value.errors()] == ["literal_error"]


def test_only_one_may_speak_where_they_exclude_each_other() -> None:
    assert EXCLUSIVE.is_valid({"change": 1})
    assert Exclusive.model_validate({"change": 1})
    both = {"change": 1, "attribute": 1}
    assert not EXCLUSIVE.is_valid(both)
    with pytest.raises(ValidationError, match="must have exactly one of"):
        Exclusive.model_validate(both)


def test_a_change_goes_either_way() -> None:
    assert IntRange.change(2, BREACH) == IntRange(-2, 2, BREACH, is_change=True)


class Pack(Model):
    few: Annotated[tuple[int, ...], ItemCount(0, 2, BREACH, "{count} are too many")] = ()
    some: Annotated[tuple[int, ...], ItemCount(1, 3, BREACH, "{count} are not one to three")] = (1,)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"few": [1, 2]}, ""),
        ({"few": [1, 2, 3]}, "3 are too many"),
        ({"some": []}, "0 are not one to three"),
        ({"some": [1, 2, 3, 4]}, "4 are not one to three"),
    ],
    ids=str,
)
def test_items_are_counted(data: dict[str, Any], message: str) -> None:
    assert Draft202012Validator(Pack.model_json_schema()).is_valid(data) is not bool(message)
    if message:
        with pytest.raises(ValidationError, match=message):
            Pack.model_validate(data)
    else:
        assert Pack.model_validate(data)


class Blade(ShorthandModel):
    TITLE: ClassVar[str] = "NAME: Ln"
    PATTERN: ClassVar[str] = "^L[0-9]$"

    name: Text
    length: Int
    text: Text = ""

    @classmethod
    def parse_line(cls, name: str, line: str, context: object) -> dict[str, Any]:
        if not line.startswith("L"):
            raise BREACH.error("'{line}' is no Ln", line=line, path=(name,))
        return {"name": name, "length": int(line[1:])}


class StrictBlade(Blade):
    MAP_RULE: ClassVar[LimitRule | None] = BREACH


@pytest.mark.parametrize("data", [{"Axe": "L3"}, {"name": "Axe", "length": 3}], ids=str)
def test_a_line_stands_for_a_model(data: dict[str, Any]) -> None:
    assert Blade.model_validate(data) == Blade(name="Axe", length=3)
    assert Draft202012Validator(Blade.model_json_schema()).is_valid(data)


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (Blade, {"Axe": "R3"}, "'R3' is no Ln"),
        (Blade, {"Axe": {"length": 3}}, "Field required"),
        (StrictBlade, {"Axe": {"length": 3}}, "the name 'Axe' cannot have a map as its value"),
        (StrictBlade, {"Axe": "L3", "text": "Sharp."}, "'text' cannot follow the short form of 'Axe'"),
        (StrictBlade, {"Axe": "L3", "edge": 2}, "Extra inputs"),
        (Blade, {"name": "L3"}, "Field required"),
    ],
    ids=str,
)
def test_what_is_no_line_is_refused(model: type[Blade], data: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        model.model_validate(data)
    assert not Draft202012Validator(model.model_json_schema()).is_valid(data)
