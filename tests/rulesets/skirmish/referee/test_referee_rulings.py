"""The rulings: every one has an effect, and the procedures ask only for settings that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cardgen.rulesets.skirmish import RULESET, referee
from cardgen.rulesets.skirmish.referee.battle.battle import SHOWN
from cardgen.rulesets.skirmish.referee.target_numbers import Shot, shots, strikes
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, STUNNED, Health, Weapon
from tests.cases import each_case
from tests.rulesets.skirmish.referee.fights import BOW, blow, card, case, chances, fighter, harm, rules, warrior

FOLDER = Path(referee.__file__).parent
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.py")))
PAIR = r'"([a-z-]+)", "([a-z-]+)"'
USES = [
    use
    for form in (
        rf"says\({PAIR}\)",
        rf"\({PAIR}\) (?:not )?in [\w.]*rules",
        rf"\{{\({PAIR}\)\}}",
        r'settings\["([a-z-]+)"\] == "([a-z-]+)"',
    )
    for use in re.findall(form, SOURCE)
]
SETTINGS = {(ruling.id, setting) for ruling in RULESET.rulings for setting in ruling.settings}
# Rulings that checks of warbands apply.
CHECKED = {"wizards"}
MOUNTED, TWO = Health(1, FIT, is_mounted=True), Health(2)


def test_procedures_ask_for_settings_that_exist() -> None:
    assert USES
    assert {*USES} <= SETTINGS


def test_every_ruling_is_applied_or_shown() -> None:
    shown = {name for names in SHOWN.values() for name in names}
    assert {ruling.id for ruling in RULESET.rulings} == {use[0] for use in USES} | shown | CHECKED


def _injured(setting: dict[str, str], *traits: str, wound: int = 4, health: Health = TWO, kind: str = "melee") -> Any:
    one = blow(4, wound, 5, *traits, rules=rules(**setting), ward=4, kind=kind, foot_save=6)
    return harm(((one, 2),), health)


CHANGES: dict[str, tuple[Any, ...]] = {
    "critical": (("hits", "extra"), {}),
    "critical-ward": (("none",), {}),
    "critical-wounds": (("two",), {}),
    "own-victim": (("lost",), {"health": Health(1)}),
    "critical-shots": (("one",), {"kind": "shot"}),
    "milder-injury": (("new",), {"health": Health(0, STUNNED), "kind": "shot"}),
    "shot-while-down": (("out",), {"health": Health(0, DOWN), "kind": "shot"}),
    "cavalry": (("rider",), {"health": MOUNTED}),
    "cavalry-critical": (("lost",), {"health": MOUNTED}),
    "poison": (("plain",), {"traits": ("poison",), "wound": 5}),
    "poison-sixes": (("critical",), {"traits": ("poison",), "wound": 6}),
    "swarms": (("rolled",), {"traits": ("swarm",)}),
    "swarm-critical": (("one",), {"traits": ("swarm",), "health": Health(3)}),
}


@each_case("name", CHANGES)
def test_a_ruling_changes_a_blow(name: str) -> None:
    settings, keys = CHANGES[name]
    traits = keys.pop("traits", ())
    plain = _injured({}, *traits, **keys)
    for setting in settings:
        assert _injured({name.replace("-", "_"): setting}, *traits, **keys) != plain


def test_critical_needs_of_a_profile() -> None:
    """Strength 3 against Toughness 5 needs a 6; a halberd makes it a 5."""
    one, other = fighter(weapon=Weapon("Halberd", bonus=1, hands=2)), fighter(1, t=5)
    for setting, is_critical in (("attack", True), ("profile", False)):
        ((struck, _),) = strikes(one, other, one.warrior.health, other.warrior.health, rules(critical_needs=setting))
        assert struck.can_be_critical == is_critical


def test_a_single_target_is_harder_to_hit_only_by_the_ruling() -> None:
    target = warrior("B")
    needs = [
        shots(warrior(), target, BOW, Shot(5), target.health, rules(single_target=setting))[0][0].hit
        for setting in ("ignored", "counted")
    ]
    assert needs == [4, 5]


@pytest.mark.parametrize(("setting", "first", "later"), [("first", 6, 4), ("always", 6, 6), ("never", 4, 4)])
def test_a_defended_obstacle(setting: str, first: int, later: int) -> None:
    other = fighter(1, is_defended=True)
    for is_first, needed in ((True, first), (False, later)):
        one = fighter(first=is_first)
        volley = strikes(one, other, one.warrior.health, other.warrior.health, rules(obstacle=setting))
        assert volley[0][0].hit == needed


def test_fractions_of_a_fall() -> None:
    complete, up = (
        chances(case("fall", {"fall-height": setting}, warrior=card(), height=3, fraction=True))
        for setting in ("complete", "up")
    )
    assert complete == chances(case("fall", warrior=card(), height=3))
    assert up == chances(case("fall", warrior=card(), height=4))


def test_parting_blows_without_criticals() -> None:
    values: dict[str, Any] = {"warrior": card(), "opponents": (card("B"),) * 2}
    plain, other = (chances(case("alone", {"parting-blows": each}, **values)) for each in ("standing", "all"))
    assert other["stays, out of action"] < plain["stays, out of action"]
    assert "stays, knocked down" not in other


def test_equal_initiative_by_wounds_changes_a_duel() -> None:
    """After a round without wounds, the sides still roll off."""
    pair: dict[str, Any] = {"a": card(w=3), "b": card("B", w=3), "turns": 4}
    plain, wounds = (chances(case("duel", {"equal-initiative": each}, **pair)) for each in ("roll", "wounds"))
    assert plain != wounds


def test_a_model_that_stood_up_strikes_last_for_longer() -> None:
    pair: dict[str, Any] = {"a": card(i=5, a=2), "b": card("B"), "turns": 8}
    plain, longer = (chances(case("duel", {"stand-up": each}, **pair)) for each in ("own-turn", "next-turn"))
    assert plain != longer


def test_frenzy_can_end() -> None:
    pair: dict[str, Any] = {"a": card(rules=["Frenzy"]), "b": card("B"), "turns": 8}
    plain, calm = (chances(case("duel", {"frenzy": each}, **pair)) for each in ("never", "felled"))
    assert calm["A wins"] < plain["A wins"]
