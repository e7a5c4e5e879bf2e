"""Melees and scrums of disks that already have tokens, lie on terrain, or share a d6."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.diskwars.referee.cases import F, card, case, figures

OUT, FRESH = "casualty", "0 damage"
CHAPEL = {"kind": "terrain", "name": "Chapel", "defensive": "counter"}
WALL = {"kind": "terrain", "name": "Wall", "keywords": ["fortified"]}
# Attack 3 on counter 2; the middle disk of a scrum has stamina.
TOP, MIDDLE = card("Top", attack="3", toughness=4), card("Middle", attack="4", counter="2", stamina=1)
LOW = card("Low", counter="3", toughness=4)


def chances(trial: str, rulings: dict[str, str] | None = None, **values: Any) -> dict[tuple[str, str], Any]:
    return {**figures(case(trial, rulings, **values))}


def test_tokens_of_disks_count_in_a_melee() -> None:
    """2 and 3 damage are as much as toughness 5, and 1 and 2 as much as 3."""
    above, beneath = card("A", attack="3"), card("B", counter="2", toughness=5)
    found = chances("melee", attackers=(above,), defenders=(beneath,), damage="1, 2")
    assert (found["A", OUT], found["B", OUT]) == (1, 1)


def test_a_disk_with_a_wound_is_removed_before_it_counters() -> None:
    """A 5 or 6 is the last wound of the defender; otherwise its d6 removes the attacker with a 3 or more."""
    above = card("A", attack="d6", swift="attack")
    beneath = card("B", counter="d6", toughness=5, stamina=1)
    found = chances("melee", attackers=(above,), defenders=(beneath,), wounds="0, 1")
    assert (found["B", OUT], found["A", OUT]) == (F(1, 3), F(4, 9))


def test_tokens_of_copies_are_their_own() -> None:
    """The weakest of two copies is the one with damage."""
    found = chances("melee", attackers=(card("A", attack="2"),), defenders=(card("B"),) * 2, damage="0 0 1")
    assert (found["B 1", FRESH], found["B 2", OUT]) == (1, 1)


def test_tokens_of_disks_count_in_a_scrum() -> None:
    """The middle disk takes its last wound from the top one, so the lowest is not fought."""
    found = chances("scrum", disks=(TOP, MIDDLE, LOW), wounds="0, 1, 0")
    assert (found["Middle", OUT], found["Low", FRESH], found["Top", "2 damage"]) == (1, 1, 1)
    fresh = chances("scrum", disks=(TOP, MIDDLE, LOW))
    assert (fresh["Middle", OUT], fresh["Low", OUT]) == (1, 1)


def test_empowered_disks_of_a_scrum() -> None:
    """Toughness 4 and counter 3: the middle disk keeps 3 damage, and 3 more are a wound."""
    found = chances("scrum", disks=(TOP, MIDDLE, LOW), empowered="2")
    assert (found["Top", "3 damage"], found["Middle", "1 wound"], found["Low", OUT]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("values", "top", "middle"),
    [
        ({}, OUT, OUT),
        ({"terrain": CHAPEL}, OUT, FRESH),
        ({"terrain": CHAPEL, "overlapping": "2"}, OUT, FRESH),
        ({"terrain": CHAPEL, "overlapping": "1, 3"}, OUT, OUT),
        ({"terrain": WALL}, OUT, OUT),
    ],
)
def test_disks_of_a_scrum_on_terrain(values: dict[str, Any], top: str, middle: str) -> None:
    """On defensive terrain, a counter of 3 removes the disk above before it strikes."""
    disks = (card("Top", attack="3"), card("Middle", counter="3"), card("Low", counter="0"))
    found = chances("scrum", disks=disks, **values)
    assert (found["Top", top], found.get(("Middle", middle), 0)) == (1, 1)


FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "--damage needs a number for each of the 2 disks, such as '1, 0', not '1'": (
        "melee", {"attackers": (card(),), "defenders": (card("B"),), "damage": "1"}
    ),
    "--wounds needs a number for each of the 3 disks, such as '1, 0, 0', not '0, 1, x'": (
        "scrum", {"disks": (TOP, MIDDLE, LOW), "wounds": "0, 1, x"}
    ),
    "B would be a casualty with 3 damage and 0 wounds": (
        "melee", {"attackers": (card(),), "defenders": (card("B"),), "damage": "0, 3"}
    ),
    "--overlapping needs numbers of disks from 1 to 3, such as '1, 3', not '4'": (
        "scrum", {"disks": (TOP, MIDDLE, LOW), "terrain": CHAPEL, "overlapping": "4"}
    ),
    "--empowered needs numbers of disks from 1 to 3, such as '1, 3', not 'top'": (
        "scrum", {"disks": (TOP, MIDDLE, LOW), "empowered": "top"}
    ),
    "--overlapping needs --terrain": ("scrum", {"disks": (TOP, MIDDLE, LOW), "overlapping": "1"}),
}  # fmt: skip


@pytest.mark.parametrize("message", FAULTS)
def test_tokens_that_cannot_be(message: str) -> None:
    trial, values = FAULTS[message]
    with pytest.raises(ValueError, match=message):
        case(trial, **values)


@pytest.mark.parametrize(("setting", "both"), [("one", F(1, 2)), ("each", F(1, 4))])
def test_frenzy_with_a_d6(setting: str, both: F) -> None:
    """Toughness 4 is reached by half of the rolls, of one die for both, or of a die for each."""
    values: dict[str, Any] = {
        "attackers": (card(attack="d6", keywords=["frenzy"]),),
        "defenders": (card("B", toughness=4),) * 2,
    }
    found = chances("melee", {"shared_d6": setting}, **values)
    assert found["casualties", "B 1, B 2"] == both


@pytest.mark.parametrize(("setting", "left"), [("together", "1 wound"), ("each", OUT)])
def test_damage_of_several_disks_at_the_same_moment(setting: str, left: str) -> None:
    """Two strengths of 3 against toughness 3 and stamina 1."""
    values: dict[str, Any] = {"attackers": (card(attack="3", toughness=9),) * 2, "defenders": (card("B", stamina=1),)}
    assert chances("melee", {"melee_hits": setting}, **values)["B", left] == 1
