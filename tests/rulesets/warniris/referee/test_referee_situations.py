"""Situations of the printed kit, worked out by hand from the rulebook."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.rulesets.warniris.referee.situations import AttackSituation
from tests.cases import each_case
from tests.rulesets.warniris.referee.fights import card, case, relic, sample
from tests.rulesets.warniris.referee.test_attack import chance, chance_of_loss

F = Fraction
BRUTE, SENTINEL = sample("minion", "Brute"), sample("minion", "Sentinel")


def hero(name: str) -> dict[str, Any]:
    return sample("character", name)


HALVANE, CAEL, ISOLDE = hero("Halvane Doru"), hero("Brother Cael"), hero("Isolde Quill")
BAILIFF, GRAVEL, QUEEN = hero("The Bailiff"), hero("Old Gravel"), hero("Queen Ysolve")
ORSK, EMBER, MAPPER = hero("Orsk the Tithe"), hero("Sister Ember"), hero("The Cartographer")
MACE = F(3, 6) * F(2, 6)  # Cael's Mind 3; Halvane's Body 5, Penetration 1.
SHOT = F(5, 6) * F(5, 6)  # Isolde's Mind 5; Body 2 or 3, Penetration 2.
SEALED = {"attacker": EMBER, "target": QUEEN, "weapon": "Pyre Word", "target_relic": relic("Purity Seal")}
REACTING = {"attacker": SENTINEL, "target": ISOLDE, "weapon": "Rifle", "reaction": "Bell-Tower Rifle"}
DRUGGED = {"attacker": BRUTE, "target": EMBER, "reaction": "Branding Iron", "target_relic": relic("Combat Drugs"),
           "weapon": "Pistol"}  # fmt: skip

WOUNDS: list[tuple[str, dict[str, Any], dict[str, str], Fraction]] = [
    ("a power against Spirit 2", {"attacker": QUEEN, "target": HALVANE, "weapon": "Undertow"}, {}, SHOT),
    ("no more than Spirit 5", SEALED, {}, F(4, 6) * F(2, 6)),
    ("a seal beyond 5", SEALED, {"clamp-order": "once"}, F(4, 6) * F(1, 6)),
    ("Ballast against a CW", {"attacker": HALVANE, "target": GRAVEL}, {}, F(3, 6) * F(2, 6)),
    ("no Ballast against an RW", {"attacker": BAILIFF, "target": GRAVEL}, {}, F(4, 6) * F(3, 6)),
    ("she shoots first, or too late", REACTING, {}, (1 - F(5, 6) * SHOT) * F(2, 6) * F(5, 6)),
    ("she shoots when hit", {**REACTING, "moment": "resist"}, {}, (1 - F(5, 6) * SHOT) * F(2, 6) * F(5, 6)),
    ("the Bailiff times his Reaction again", {"attacker": BRUTE, "target": BAILIFF, "reaction": "Boarding Hook"}, {},
     (1 - F(8, 9) * F(4, 6) * F(4, 6)) * F(2, 6) * F(4, 6)),
    ("a charge past two enemies", {"attacker": BAILIFF, "target": ISOLDE, "weapon": "Boarding Hook", "distance": 12,
                                   "crossed": 2}, {}, F(4, 6) ** 2 * F(4, 6) * F(5, 6)),
    ("drugs in a Reaction", DRUGGED, {}, (1 - F(3, 6) * F(3, 6) * F(4, 6)) * F(2, 6) * F(4, 6)),
    ("no drugs in a Reaction", DRUGGED, {"bonus-on-reaction": "actions"},
     (1 - F(2, 6) * F(2, 6) * F(4, 6)) * F(2, 6) * F(4, 6)),
]  # fmt: skip


@each_case(("situation", "rulings", "expected"), [row[1:] for row in WOUNDS], ids=[row[0] for row in WOUNDS])
def test_who_is_wounded(situation: dict[str, Any], rulings: dict[str, str], expected: Fraction) -> None:
    assert chance(case("attack", rulings, **situation), f"{situation['attacker']['name']} wounds") == expected


HITS: list[tuple[dict[str, Any], dict[str, str], Fraction]] = [
    ({"target": HALVANE, "distance": 21}, {}, F(35, 36)),
    ({"target": HALVANE, "distance": 20}, {}, F(5, 6)),
    ({"target": CAEL, "distance": 30, "gap": True, "relic": relic("Servo-Skull"), "target_relic": relic("Camo Cloak")},
     {}, F(35, 36)),
    ({"target": CAEL, "distance": 12, "target_relic": relic("Camo Cloak")}, {}, F(5, 6)),
    ({"target": CAEL, "distance": 12, "target_relic": relic("Camo Cloak")}, {"distance": "short"}, F(4, 6)),
    ({"target": CAEL, "cover": "slit"}, {"small-gaps": "gap"}, F(4, 6)),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "rulings", "expected"), HITS)
def test_whether_the_rifle_hits(situation: dict[str, Any], rulings: dict[str, str], expected: Fraction) -> None:
    matter = case("attack", rulings, attacker=ISOLDE, weapon="Bell-Tower Rifle", **situation)
    assert chance(matter, "Isolde Quill hits") == expected


@pytest.mark.parametrize(
    ("wounds", "halo", "expected"),
    [(2, None, MACE * F(2, 3) ** 2), (2, "Iron Halo", MACE * (F(5, 6) * F(2, 3)) ** 2), (3, None, 0), (4, None, 0)],
)
def test_unbroken_is_asked_for_each_point(wounds: int, halo: str | None, expected: Fraction) -> None:
    matter = case("attack", attacker=CAEL, target=HALVANE, target_wounds=wounds, target_relic=relic(halo))
    assert chance(matter, "Brother Cael eliminates") == expected


def test_who_falls_with_whom() -> None:
    near = case("attack", attacker=ORSK, target=EMBER, weapon="Tithe Axe", target_wounds=1, distance=1)
    assert chance_of_loss(near, "Orsk the Tithe") == F(3, 6) * F(5, 6)
    late = case("attack", attacker=BRUTE, target=ORSK, weapon="Pistol", reaction="Thrown Skull", target_wounds=1)
    blow, first = F(4, 6) * F(4, 6), F(2, 6) * F(3, 6)
    assert chance_of_loss(late, "Brute") == F(4, 6) * blow + F(2, 6) * (1 - first) * blow


def test_two_in_the_line() -> None:
    line: dict[str, Any] = {
        "attacker": ISOLDE,
        "target": BRUTE,
        "weapon": "Bell-Tower Rifle",
        "between": (CAEL, HALVANE),
    }
    assert chance_of_loss(case("attack", **line), "Halvane Doru") == F(5, 6) * F(1, 6) * F(5, 6) * F(3, 6)
    inward = case("attack", {"between-order": "inward"}, **line)
    assert chance_of_loss(inward, "Halvane Doru") == F(1, 6) * F(5, 6) * F(3, 6)


def test_duels_at_a_distance() -> None:
    def eliminated(a: Any, b: Any, **more: Any) -> Fraction:
        tables = case("duel", None, {"reactions": "never", "weapon": "first"}, a=a, b=b, **more).odds
        assert tables is not None
        return dict(tables()[0].chances)[f"{b['name']} eliminated"]

    assert eliminated(GRAVEL, MAPPER, turns=1, distance=9) == (F(2, 6) * F(5, 6)) ** 2
    assert eliminated(GRAVEL, MAPPER, turns=1, distance=10) == 0
    assert eliminated(MAPPER, card("Sack", "M1 B1 S1 W1"), turns=2, distance=24) == 1 - (1 - F(4, 6) * F(5, 6)) ** 4


def test_few_miniatures_can_be_in_between() -> None:
    with pytest.raises(ValueError, match="at most 20 miniatures can be in between, not 21"):
        AttackSituation(BRUTE, SENTINEL, between=(SENTINEL,) * 21)
