"""Sentences are read as the effects that they were made from, and as nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from cardgen.grammar.reading import Level
from cardgen.rulesets.warniris.wording import describe
from cardgen.rulesets.warniris.wording.reader import read_text
from tests.rulesets.warniris.wording.test_wording import (
    EFFECTS,
    THINGS,
    Data,
    on,
    single_conditions,
    single_deeds,
    small_effects,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(THINGS, EFFECTS)
def test_every_effect_is_read_from_its_sentence(thing: str, effect: Data) -> None:
    made = on(thing, effect)
    require_round_trip(made)


def require_round_trip(made: Any) -> None:
    text = describe(made)
    readings = read_text(made, text)
    assert [reading.level for reading in readings] == [Level.READ], text
    assert readings[0].value.effects == made.effects, text
    assert readings[0].canonical.replace("*", "") == text.replace("*", "")


@pytest.mark.parametrize("thing", ["relic", "once", "ability", "weapon"])
def test_small_effects_are_read_from_their_sentences(thing: str) -> None:
    for effect in random.Random(thing).sample(small_effects(), 200):
        require_round_trip(on(thing, effect))


@pytest.mark.parametrize("when", ["attacked", "turn_start"])
def test_every_value_is_read(when: str) -> None:
    chosen = random.Random(when)
    for deeds in chosen.sample(list(single_deeds()), 60):
        require_round_trip(on("relic", {"when": when, "enemies": deeds}))
    for condition in chosen.sample(list(single_conditions()), 60):
        require_round_trip(on("relic", {"when": when, "if": condition, "bearer": {"mind": 1}}))
