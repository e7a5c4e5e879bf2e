"""Many more effects, missions, and values of models than a usual run tries; see `test_fuzz`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.validation.base import Model
from tests.cases import each_case
from tests.fuzz.test_fuzz import CASES, fuzzed
from tests.model.agreement import assert_agreement
from tests.rulesets.warniris.test_cards_schema import BEYOND, EXAMPLES, MODELS, PARTS
from tests.rulesets.warniris.wording.test_wording import (
    EARNS,
    EFFECTS,
    THINGS,
    Data,
    SmallEffects,
    assert_any_two_differ,
    assert_missions_differ,
    assert_neighbours_differ,
    assert_no_two_alike,
    assert_one_sentence,
    neighbours,
)

# What a usual run takes in the tests of the game already.
MANY = 1000
pytestmark = [pytest.mark.timeout(0), pytest.mark.skipif(CASES < MANY, reason=f"takes {MANY} fuzz cases or more")]


@fuzzed(1)
@given(THINGS, neighbours())
def test_effects_that_differ_in_one_field(thing: str, pair: tuple[Data, Data]) -> None:
    assert_neighbours_differ(thing, pair)


@fuzzed(1 / 2)
@given(THINGS, EFFECTS, EFFECTS)
def test_any_two_effects(thing: str, first: Data, second: Data) -> None:
    assert_any_two_differ(thing, first, second)


@fuzzed(1 / 2)
@given(THINGS, EFFECTS)
def test_sentences(thing: str, effect: Data) -> None:
    assert_one_sentence(thing, effect)


@fuzzed(1 / 2)
@given(EARNS, st.data())
def test_missions(earn: Data, data: st.DataObject) -> None:
    assert_missions_differ(earn, data)


@pytest.mark.parametrize("thing", ["relic", "once", "weapon"])
def test_all_small_effects(thing: str) -> None:
    assert_no_two_alike(thing, SmallEffects())


@each_case("model", [*MODELS, *PARTS], ids=lambda model: model.__name__)
def test_models_and_schemas(model: type[Model]) -> None:
    assert_agreement(model, examples=max(EXAMPLES, CASES // 50), beyond=BEYOND.get(model, ()))
