"""Different effects never read the same, and each field of an effect leaves its trace."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from cardgen.rulesets.warniris.cards import Ability, Earn, Mission, Relic
from cardgen.rulesets.warniris.effect import (
    NEIGHBORS,
    Condition,
    Deeds,
    Effect,
    Weapon,
    WeaponEffect,
)
from cardgen.rulesets.warniris.wording.effects import describe, sentences
from cardgen.rulesets.warniris.words import Duration, Event
from cardgen.text.lines import find_unbalanced
from cardgen.validation.base import Model

Data = dict[str, Any]
TYPES = ("CW", "RW", "P")
SHARES = ("half", "below-half", "hurt")
NAMES = st.text("aA *\\{}(),.B;'0", min_size=1, max_size=8).filter(str.strip)
PROFILES = st.builds(
    lambda name, line: {"name": name, "type": line[0], "range": line[1], "damage": line[2]},
    NAMES,
    st.tuples(st.sampled_from(TYPES), st.integers(0, 2), st.integers(0, 2)),
)


def changes(most: int) -> st.SearchStrategy[int]:
    return st.integers(-most, most).filter(bool)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    """At least one of the fields."""
    return st.fixed_dictionaries({}, optional=fields).filter(bool)


def a_few(most: int, fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Data]:
    """One to `most` of the fields: a sentence about all of them at once is too long to be read."""
    names = st.lists(st.sampled_from(sorted(fields)), min_size=1, max_size=most, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: fields[name] for name in chosen}))


def words_of(model: type[Model]) -> dict[str, list[Any]]:
    """The keys of a model that take nothing but some words, with these words."""
    found = {}
    for key, schema in model.model_json_schema()["properties"].items():
        parts = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
        words = [word for part in parts for word in part.get("enum", [part.get("const")])]
        if None not in words:
            found[key] = words
    return found


DEEDS: dict[str, st.SearchStrategy[Any]] = {
    **{name: changes(5) for name in ("mind", "body", "spirit")},
    **{name: changes(73) for name in ("movement", "range")},
    **{name: changes(10) for name in ("penetration", "damage")},
    **{name: st.integers(1, 30) for name in ("heal", "deal", "ignore", "move", "free_move", "push", "pull", "wounds")},
    "weapon": PROFILES,
    "actions": st.integers(1, 2),
    "score": st.integers(1, 10),
    **{name: st.sampled_from(words) for name, words in words_of(Deeds).items()},
}
CONDITION: dict[str, st.SearchStrategy[Any]] = {
    "range_over": st.integers(0, 73),
    "range_within": st.integers(0, 73),
    "weapon_name": NAMES,
    "wounds_at_most": st.one_of(st.integers(1, 30), st.sampled_from(SHARES)),
    **{name: st.integers(0, 73) for name in NEIGHBORS},
    "roll": st.lists(st.integers(1, 6), min_size=1, unique=True),
    "same_roll": st.lists(st.integers(1, 6), min_size=1, unique=True),
    "turns": st.lists(st.integers(1, 6), min_size=1, unique=True),
    **{name: st.sampled_from(words) for name, words in words_of(Condition).items()},
}
MOMENTS: tuple[str, ...] = ("always", *get_args(Event))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "when": st.sampled_from(MOMENTS),
    "if": some(**CONDITION),
    "for": st.sampled_from(get_args(Duration)),
    "while": st.sampled_from(get_args(Event)),
    "cost": st.integers(1, 30),
    "cumulative": st.just(False),
    **{name: a_few(6, DEEDS) for name in Effect.FIELDS},
}


def is_whole(effect: Data) -> bool:
    is_silent = any(effect.get(name, {}).keys() == {"unless"} for name in Effect.FIELDS)
    return (
        not is_silent and any(name in effect for name in Effect.FIELDS) and ("for" in effect or "while" not in effect)
    )


EFFECTS = st.fixed_dictionaries({}, optional=FIELDS).filter(is_whole)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Data, Data]:
    """Two effects that differ in one field at most, at any depth."""
    effect = draw(EFFECTS)
    field = draw(st.sampled_from(sorted(FIELDS)))
    inner = {"if": CONDITION, **dict.fromkeys(Effect.FIELDS, DEEDS)}.get(field)
    if inner is None or draw(st.booleans()):
        return effect, changed(draw, effect, field, FIELDS[field])
    key = draw(st.sampled_from(sorted(inner)))
    other = changed(draw, effect.get(field, {}), key, inner[key])
    return effect, {**effect, field: other} if other else effect


def changed(draw: st.DrawFn, data: Data, field: str, values: st.SearchStrategy[Any]) -> Data:
    if field in data and draw(st.booleans()):
        return {key: value for key, value in data.items() if key != field}
    return {**data, field: draw(values)}


def on(thing: str, effect: Data) -> Any:
    """The effect on a relic, an ability or a weapon."""
    match thing:
        case "once":
            return Relic.model_validate({"name": "X", "once": True, "effects": [effect]})
        case "relic":
            return Relic.model_validate({"name": "X", "effects": [effect]})
        case "ability":
            return Ability.model_validate({"name": "X", "effects": [effect]})
    return Weapon.model_validate({"name": "X", "type": "RW", "effects": [effect]})


THINGS = st.sampled_from(("relic", "once", "ability", "weapon"))


@settings(max_examples=100, deadline=None)
@given(THINGS, neighbours())
def test_effects_that_differ_in_one_field_read_differently(thing: str, pair: tuple[Data, Data]) -> None:
    assert_neighbours_differ(thing, pair)


def assert_neighbours_differ(thing: str, pair: tuple[Data, Data]) -> None:
    if all(map(is_whole, pair)):
        one, other = (on(thing, effect) for effect in pair)
        assert (one.effects == other.effects) == (describe(one) == describe(other))


@settings(max_examples=50, deadline=None)
@given(THINGS, EFFECTS, EFFECTS)
def test_any_two_different_effects_read_differently(thing: str, first: Data, second: Data) -> None:
    assert_any_two_differ(thing, first, second)


def assert_any_two_differ(thing: str, first: Data, second: Data) -> None:
    one, other = on(thing, first), on(thing, second)
    assert (one.effects == other.effects) == (describe(one) == describe(other))


@settings(max_examples=50, deadline=None)
@given(THINGS, EFFECTS)
def test_a_sentence_is_one(thing: str, effect: Data) -> None:
    assert_one_sentence(thing, effect)


def assert_one_sentence(thing: str, effect: Data) -> None:
    (text,) = sentences(on(thing, effect))
    assert text[0].isupper()
    assert text.endswith(".")
    assert not find_unbalanced(text)
    if "weapon_name" not in effect.get("if", {}) and not any(
        "weapon" in effect.get(name, {}) for name in Effect.FIELDS
    ):
        assert "  " not in text
        assert " ," not in text
        assert not set("{}_-") & set(text.replace("re-roll", ""))


SMALL: list[tuple[str, Any]] = [
    ("range_over", 5),
    ("range_within", 9),
    ("weapon", "CW"),
    ("weapon", "P"),
    ("weapon", "CW/RW"),
    ("weapon_name", "Hex Staff"),
    ("assisted", "minion"),
    ("unmoved", "turn"),
    ("enemy_within", 8),
    ("against", "minion"),
    ("wounds_at_most", 2),
    ("roll", [1]),
]


class SmallEffects(Sequence[Data]):
    """Every moment with all pairs of circumstances, durations, later moments, and five sets of the concerned."""

    def __init__(self) -> None:
        spans = [{}, {"for": "turn"}, {"for": "next-activation"}, {"for": "battle"}]
        later = [
            {},
            *({"while": event} for event in ("activation_start", "moving", "attacking", "attacked", "damaged")),
        ]
        conditions = [dict(pair) for size in range(3) for pair in itertools.combinations(SMALL, size)]
        whom = [["bearer"], ["attacker"], ["friends"], ["enemies"], ["bearer", "enemies"], ["enemy"], ["actor"]]
        times = [{**span, **during} for span, during in itertools.product(spans, later) if span or not during]
        self._parts = (MOMENTS, conditions, times, whom)

    def __len__(self) -> int:
        return math.prod(map(len, self._parts))

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        chosen: list[Any] = []
        for part in reversed(self._parts):
            index, at = divmod(index, len(part))
            chosen.insert(0, part[at])
        moment, condition, time, names = chosen
        return {"when": moment, "if": condition, **time, **{name: {"mind": 1} for name in names}}


@pytest.mark.parametrize("thing", ["relic", "once", "weapon"])
def test_no_two_of_many_small_effects_read_alike(thing: str) -> None:
    """One in sixty-four; `make fuzz` takes all."""
    effects = SmallEffects()
    assert len(effects) > 10_000
    assert_no_two_alike(thing, random.Random(thing).sample(effects, len(effects) // 64))


def assert_no_two_alike(thing: str, effects: Iterable[Data]) -> None:
    known: dict[tuple[str, ...], Any] = {}
    for effect in effects:
        made = on(thing, effect)
        assert known.setdefault(sentences(made), made.effects) == made.effects


def single_deeds() -> Iterator[Data]:
    """Every value of every deed, one at a time."""
    for name, most in {"mind": 5, "body": 5, "spirit": 5, "movement": 73, "range": 73, "penetration": 10}.items():
        yield from ({name: value} for value in range(-most, most + 1) if value)
    for name in ("heal", "deal", "ignore", "move", "free_move", "push", "pull", "wounds"):
        yield from ({name: value} for value in range(1, 31))
    yield from ({"damage": value} for value in (-1, 1, 30))
    yield from ({"actions": value} for value in (1, 2))
    yield from ({"score": value} for value in (1, 2))
    yield from ({name: word} for name, words in words_of(Deeds).items() for word in words if name != "unless")
    yield from ({"deal": 1, "unless": test} for test in ("mind", "body", "spirit"))
    lines = ("CW", "RW", "P", "CW R1", "CW R2", "CW P1", "CW D1", "CW H1")
    yield from ({"weapon": {name: line}} for name in ("Claw", "Claws") for line in lines)


def single_conditions() -> Iterator[Data]:
    """Every value of every condition, one at a time."""
    for name in ("range_over", "range_within"):
        yield from ({name: value} for value in range(74))
    yield from ({"wounds_at_most": share} for share in SHARES)
    yield from ({name: value} for name in NEIGHBORS for value in (0, 1, 73))
    yield from ({name: word} for name, words in words_of(Condition).items() for word in words)
    yield from ({"weapon_name": name} for name in ("Claw", "Claws", "CW"))
    yield from ({"wounds_at_most": value} for value in range(1, 31))
    for size in range(1, 7):
        yield from ({"same_roll": list(faces)} for faces in itertools.combinations(range(1, 7), size))
        yield from ({"roll": list(faces)} for faces in itertools.combinations(range(1, 7), size))


@pytest.mark.share(3)
@pytest.mark.parametrize("when", ["always", "attacked", "damaged", "eliminated"])
@pytest.mark.parametrize("whom", Effect.FIELDS)
def test_every_value_leaves_its_trace(when: str, whom: str) -> None:
    effects = [{"when": when, whom: deeds} for deeds in single_deeds()]
    effects += [{"when": when, "if": condition, whom: {"mind": 1, "heal": 1}} for condition in single_conditions()]
    assert len(effects) > 700
    assert len({describe(on("relic", effect)) for effect in effects}) == len(effects)


def test_the_order_of_faces_does_not_matter() -> None:
    one, other = (on("relic", {"if": {"roll": faces}, "bearer": {"mind": 1}}) for faces in ([1, 2], [2, 1]))
    assert one == other


EARN: dict[str, st.SearchStrategy[Any]] = {
    "event": st.sampled_from(get_args(Earn.model_fields["event"].annotation)),
    "of": st.sampled_from(("enemy", "character", "minion")),
    "count": st.integers(1, 20),
    "different": st.booleans(),
    "by": st.sampled_from(("one", "warband")),
    "attackers": st.integers(1, 20),
    "in": st.sampled_from(("move", "turn", "battle")),
    "turns": st.integers(1, 20),
    "weapon": st.sampled_from((*TYPES, "ruling")),
    "range_over": st.integers(0, 73),
    "range_within": st.integers(0, 73),
    "rescue": st.booleans(),
    "reaction": st.booleans(),
    "everyone": st.booleans(),
    "from": st.sampled_from(("zone", "cover")),
    "then": st.just("cover"),
    "first": st.booleans(),
}
EARNS = st.fixed_dictionaries({"event": EARN["event"]}, optional={k: v for k, v in EARN.items() if k != "event"})


@settings(max_examples=100, deadline=None)
@given(EARNS, st.data())
def test_missions_that_differ_read_differently(earn: Data, data: st.DataObject) -> None:
    assert_missions_differ(earn, data)


def assert_missions_differ(earn: Data, data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(EARN)))
    near = {**earn, field: data.draw(EARN[field])}
    far = data.draw(EARNS)
    one, *others = (Mission.model_validate({"name": "X", "vp": 1, "earn": each}) for each in (earn, near, far))
    for other in others:
        assert (one.earn == other.earn) == (describe(one) == describe(other))


def test_the_strategies_leave_no_field_out() -> None:
    assert set(DEEDS) == set(Deeds.model_fields)
    assert set(FIELDS) == {field.alias or name for name, field in Effect.model_fields.items()}
    assert set(CONDITION) == set(Effect.model_fields["condition"].annotation.model_fields)  # type: ignore[union-attr]
    assert set(EARN) == {field.alias or name for name, field in Earn.model_fields.items()}
    assert WeaponEffect.model_fields.keys() == Effect.model_fields.keys()


@pytest.mark.parametrize("whom", ["friends", "enemies"])
def test_several_have_a_plural_verb(whom: str) -> None:
    wrong = []
    for deed in single_deeds():
        with suppress(ValidationError):
            sentence = describe(on("ability", {"if": {"range_within": 8}, whom: deed}))
            if re.search(rf"{whom} within 8\xa0cm (\w+[^s]s|has|is)\b", sentence, re.IGNORECASE):
                wrong.append(sentence)
    assert not wrong
