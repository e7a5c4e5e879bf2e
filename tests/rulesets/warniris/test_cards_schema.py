"""What the JSON Schema takes and refuses is what the models take and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warniris.cards import Ability, Earn, Stats
from cardgen.rulesets.warniris.effect import Condition, Deeds, Effect, Weapon
from cardgen.rulesets.warniris.pack import KINDS
from cardgen.rulesets.warniris.pieces import Box, Dial, Mat, Ruler
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.validation.base import Model
from tests.cases import each_case
from tests.model.agreement import assert_agreement, model_errors, strict_validator

# `make fuzz` takes more.
EXAMPLES = 40
MODELS: list[type[Model]] = [kind.model for kind in KINDS.values()]
# Limits that depend on other keys, or on the names of sizes, are beyond a schema.
BEYOND: dict[type[Model], tuple[str, ...]] = {
    Ruler: ("ruler_length", "ruler_mark"),
    Box: ("box_size",),
    Mat: ("mat_side", "zone_place", "zone_shape"),
    Dial: ("dial_diameter",),
}
PARTS: list[type[Model]] = [Stats, Weapon, Profile, Ability, Effect, Condition, Deeds, Earn]


@pytest.mark.share(3)
@pytest.mark.parametrize("model", [*MODELS, *PARTS], ids=lambda model: model.__name__)
def test_model_and_schema_agree(model: type[Model]) -> None:
    assert_agreement(model, examples=EXAMPLES, beyond=BEYOND.get(model, ()))


LINES = {
    "CW": True,
    "CW R1 P2 D1 H0": True,
    "P R73 D30 H1 P10": True,
    "RW R74": False,
    "RW P11": False,
    "RW R01": False,
    "RW R1 R2": False,
    "RW R1 P1 D1 R1": False,
    "RW  R1": False,
    "RW R1 ": False,
    "RW R1\n": False,
    "RW R": False,
    "RW X1": False,
    "RW r1": False,
    "rw R1": False,
    "MW R1": False,
    "R1 RW": False,
    "": False,
}
WEAPONS: list[tuple[Any, bool]] = [
    *(({"A": line}, taken) for line, taken in LINES.items()),
    ({"name": "A", "type": "CW"}, True),
    ({"name": "CW R1"}, False),
    ({"type": "CW"}, False),
    ({"range": "CW R1"}, False),
    ({" ": "CW R1"}, False),
    ({"A": "CW", "B": "CW"}, False),
    ({"A": 1}, False),
    ("A: CW R1", False),
]


@each_case(("weapon", "taken"), WEAPONS, ids=str)
def test_a_weapon_is_read_in_full_or_in_shorthand(weapon: Any, taken: bool) -> None:
    assert strict_validator(Weapon.model_json_schema()).is_valid(weapon) == taken
    assert (not model_errors(Weapon, weapon)) == taken


def test_shorthand_and_full_form_are_the_same() -> None:
    full = {"name": "Rifle", "type": "RW", "range": 15, "penetration": 1, "damage": 1, "healing": 0}
    assert Weapon.model_validate(full) == Weapon.model_validate({"Rifle": "RW D1 R15 P1"})


@pytest.mark.parametrize(
    ("line", "tested"),
    [("CW R1 D1", True), ("P R5 H2", False), ("P R5 H2 P1", True), ("P R5 H1 D1", True), ("P", True)],
)
def test_what_only_heals_takes_no_test(line: str, tested: bool) -> None:
    assert Weapon.model_validate({"A": line}).needs_test == tested
