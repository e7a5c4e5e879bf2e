"""Attacks as trials: what the situation says is used, or refused."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from cardgen.rulesets.skirmish.referee.combat import BLOW_FIELDS, SHOT_FIELDS, AttackSituation
from tests.rulesets.skirmish.referee.battle.players import BOW_CARD
from tests.rulesets.skirmish.referee.fights import card, case, chances

HORSE = {"name": "Horse", "m": 8, "ws": 3, "s": 3, "i": 3, "a": 1}
SLING = {"kind": "weapon", "name": "Sling", "range": 18, "strength": 3, "shots": 2, "shots_within": 9}
HALBERD = {"kind": "weapon", "name": "Halberd", "bonus": 1, "hands": 2}
FLAIL = {"kind": "weapon", "name": "Flail", "first_bonus": 2, "hands": 2}
LANCE = {"kind": "weapon", "name": "Lance", "charge_bonus": 2, "rules": ["mounted-only"]}
VALUES = {"distance": 5, "cover": "hard", "target_weapon": "Halberd", "target_state": "stunned", "lost": 1, "edge": 4}


def attack(**values: Any) -> dict[str, Any]:
    """Return the odds of an attack on an armored warrior."""
    target = card("B", armor="light", shield=True, weapons=[HALBERD], w=2)
    return chances(case("attack", **{"attacker": card("A"), "target": target, **values}))


@pytest.mark.parametrize("name", SHOT_FIELDS)
def test_what_changes_shots_is_refused_for_blows(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name.replace('_', ' ')}: Hand weapon strikes in contact"):
        attack(**{name: VALUES.get(name, True)})


@pytest.mark.parametrize("name", BLOW_FIELDS)
def test_what_changes_blows_is_refused_for_shots(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name.replace('_', ' ')}: Bow shoots"):
        attack(attacker=card("A", weapons=[BOW_CARD]), weapon="Bow", **{name: VALUES.get(name, True)})


def test_every_field_of_a_blow_counts() -> None:
    rider = card("A", weapons=[LANCE, FLAIL, HALBERD], mount=HORSE)
    shield = {"kind": "weapon", "name": "Blade", "rules": ["parry"]}
    target = card("B", armor="light", shield=True, weapons=[shield, HALBERD], w=1)
    plain = attack(attacker=rider, target=target)
    for field in fields(AttackSituation):
        if field.name in (*SHOT_FIELDS, "attacker", "target", "lost"):
            continue
        extra = {"weapon": "Flail"} if field.name in ("later", "weapon") else {}
        value = {"weapon": "Halberd"}.get(field.name, VALUES.get(field.name, True))
        base = attack(attacker=rider, target=target, **extra) if extra else plain
        assert attack(**{"attacker": rider, "target": target, **extra, field.name: value}) != base, field.name


def test_every_field_of_a_shot_counts() -> None:
    archer, far = card("A", weapons=[SLING]), {"weapon": "Sling", "distance": 9}
    plain = attack(attacker=archer, **far)
    for name, value in (("distance", 10), ("cover", "hard"), ("moved", True), ("charging", True), ("all_shots", True)):
        assert attack(**{"attacker": archer, **far, name: value}) != plain, name


def test_without_a_weapon_the_first_one_that_can_shoot_is_used() -> None:
    """The bow reaches 24 inches, the sling 18; a distance means a shot, also in an attack."""
    archer = card("A", weapons=[SLING, BOW_CARD])
    for trial in ("attack", "shoot"):
        for distance, name in ((18, "Sling"), (20, "Bow")):
            values: dict[str, Any] = {"attacker": archer, "target": card("B"), "distance": distance}
            assert chances(case(trial, **values)) == attack(weapon=name, **values), (trial, distance)
        with pytest.raises(ValueError, match='25" away; Sling has a range of 18"'):
            case(trial, attacker=archer, target=card("B"), distance=25)
    with pytest.raises(ValueError, match="Sling has a range"):
        case("shoot", attacker=archer, target=card("B"), weapon="Sling", distance=20)


def test_the_mount_strikes_in_the_order_of_initiative() -> None:
    on_foot, mounted = attack(), attack(attacker=card("A", mount=HORSE))
    assert mounted["2 Wounds"] == on_foot["2 Wounds"] ** 2
    combat = case("combat", a=(card("A", mount=HORSE),), b=(card("B", a=0),), charge="a")
    alone = attack(attacker=card("A", mount=HORSE), target=card("B", a=0), charge=True)
    assert combat.odds is not None
    assert dict(combat.odds()[1].parts) == alone


def test_riders_do_not_climb_and_leap_with_their_mounts() -> None:
    rider = card("A", mount=HORSE)
    with pytest.raises(ValueError, match="A is mounted and cannot climb"):
        case("climb", warrior=rider, height=2)
    with pytest.raises(ValueError, match="A is mounted and cannot climb"):
        case("climb", warrior=rider, height=2, down=True)
    slow: dict[str, Any] = {"warrior": card("A", m=2), "height": 2, "width": 3}
    assert "succeeds: 1 Wound" not in chances(case("gap", **slow))
    assert "succeeds: 1 Wound, mounted" in chances(case("gap", **{**slow, "warrior": card("A", m=2, mount=HORSE)}))


def test_the_order_of_opponents_changes_no_parting_blows() -> None:
    """A warrior that a blow knocks down is finished by the next one, and the two blows differ."""
    rider = card("A", armor="light", shield=True, mount=HORSE, t=4)
    strong, weak = card("Strong", s=5, i=2), card("Weak", s=1, i=2)
    one, other = (case("alone", warrior=rider, opponents=pair) for pair in ((strong, weak), (weak, strong)))
    assert chances(one) == chances(other)


def test_a_failed_test_of_fear_is_over_after_the_first_round() -> None:
    """Fact 18.3: it hits only on 6s in the first round."""
    situations: list[dict[str, Any]] = [{"afraid": True}, {"afraid": True, "later": True}, {}]
    first, later, plain = (chances(case("attack", attacker=card("A"), target=card("B"), **each)) for each in situations)
    assert first != plain
    assert later == plain


def test_an_unknown_weapon_is_looked_for_among_all_weapons() -> None:
    archer = card("A", weapons=[BOW_CARD])
    with pytest.raises(ValueError, match=r"A has no weapon 'Sling'; it has Hand weapon, Bow$"):
        attack(attacker=archer, weapon="Sling")
    with pytest.raises(ValueError, match="B has no weapon 'Bow' for close combat"):
        attack(target=card("B", weapons=[BOW_CARD]), target_weapon="Bow")
