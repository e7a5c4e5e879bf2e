"""The cards of the printed kit, against a table of facts; and what they say."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardgen.model.deck import Deck, read_deck
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Ruleset, ruleset
from cardgen.rulesets.warniris.cards import Minion, Mission, Relic
from cardgen.rulesets.warniris.effect import Effect
from cardgen.text.lines import to_plain_text

CARDS = Path(__file__).parents[3] / "cards" / "warniris"
RULES = ruleset("warniris")
assert isinstance(RULES, Ruleset)


TYPEWRITER = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})


def loaded(project: Path, *files: Path) -> Deck:
    assert isinstance(RULES, Ruleset)
    games = {"warniris": {name: kind.model for name, kind in RULES.kinds.items()}}
    return read_deck(Project(project), files, games, "warniris")


@cache
def cards(file: str) -> dict[str, Any]:
    deck = loaded(CARDS, CARDS / file)
    assert not deck.diagnostics
    assert {entry.card.qty for entry in deck.cards} == {4 if file == "relics.yaml" else 1}
    return {entry.card.name: entry.card for entry in deck.cards}


def said(card: Any) -> str:
    """What is printed, as a typewriter has it."""
    assert isinstance(RULES, Ruleset)
    return to_plain_text(RULES.describe(card)).translate(TYPEWRITER)


MINIONS = {
    "Sentinel": ([2, 2, 2, 1, 10], ["Dagger CW R1 P2 D1", "Rifle RW R15 P1 D1"]),
    "Brute": ([2, 3, 2, 1, 10], ["Sword CW R1 P2 D2", "Pistol RW R10 P1 D1"]),
    "Sorcerer": ([2, 2, 2, 1, 10], ["Flash P R5 P1 D2", "Blast P R15 P1 D1"]),
}

# Once only; when; the distance to be exceeded; the die; how long; while; whom; what.
NOW = "activation_start"
RELICS: dict[str, tuple[Any, ...]] = {
    "Sacred Chalice": (True, NOW, None, None, None, None, "bearer", {"heal": 2}),
    "Camo Cloak": (False, "attacked", 12, None, None, None, "attacker", {"mind": -1, "spirit": -1}),
    "Combat Drugs": (True, NOW, None, None, "turn", None, "bearer", {"mind": 1, "spirit": 1}),
    "Purity Seal": (True, NOW, None, None, "turn", None, "bearer", {"body": 1, "spirit": 1}),
    "Disruptor Module": (True, NOW, None, None, "turn", "attacked", "attacker", {"mind": -1, "spirit": -1}),
    "Iron Halo": (False, "damaged", None, (1,), None, None, "bearer", {"ignore": 1}),
    "Servo-Skull": (True, NOW, None, None, "turn", None, "bearer", {"mind": 2}),
    "Warp Channeler": (True, NOW, None, None, "turn", None, "bearer", {"spirit": 2}),
}

AT_A_START = "At the start of one of the bearer's Activations, you may use this:"
RELIC_TEXTS = {
    "Sacred Chalice": f"{AT_A_START} the bearer regains 2 Wounds.",
    "Camo Cloak": "Whoever Attacks or Channels at the bearer from over 12 cm does so at -1 Mind and -1 Spirit.",
    "Combat Drugs": f"{AT_A_START} the bearer gets +1 Mind and +1 Spirit until the end of the turn.",
    "Purity Seal": f"{AT_A_START} the bearer gets +1 Body and +1 Spirit until the end of the turn.",
    "Disruptor Module": (
        f"{AT_A_START} until the end of the turn, "
        "whoever Attacks or Channels at the bearer does so at -1 Mind and -1 Spirit."
    ),
    "Iron Halo": "For each point of Damage that the bearer takes, roll 1D6: on a 1, it ignores that point.",
    "Servo-Skull": f"{AT_A_START} the bearer gets +2 Mind until the end of the turn.",
    "Warp Channeler": f"{AT_A_START} the bearer gets +2 Spirit until the end of the turn.",
}

MISSIONS = {
    "Killing Rampage": (1, 3, "In one turn, you eliminate two or more enemies."),
    "Tactical Dominance": (
        2, 4,
        "At the end of each of two turns in a row, you Control the center of the battle zone with a Character within "
        "10 cm of it.",
    ),
    "Evasive Maneuvers": (
        3, 3, "In one Move, one of your Characters passes through two or more enemies without failing a Test.",
    ),
    "Shield Wall": (
        4, 3, "In one turn, one of your Characters resists the Penetration of two or more enemy Attacks.",
    ),
    "Last Stand": (5, 3, "At the end of the battle, one or more of your Characters still stand."),
    "Superior Teamwork": (
        6, 3,
        "In one turn, you eliminate an enemy that two or more of your Characters have Attacked in that turn.",
    ),
    "Masterful Maneuver": (
        7, 3, "In one turn, one of your Characters Moves into the enemy's deployment zone and out of it again.",
    ),
    "Hero Vanguard": (8, 2, "You Damage an enemy Character before the other side does."),
    "Raining Destruction": (9, 3, "In one turn, you Damage three or more different enemy Characters."),
    "Sniper's Precision": (
        10, 3, "In one turn, you eliminate an enemy Character more than 18 cm away from the attacker.",
    ),
    "Relentless Pursuit": (11, 2, "In one turn, you Attack three or more different enemies."),
    "Resilient Bastion": (
        12, 4, "In one turn, one of your Characters resists the Penetration of three or more enemy Attacks.",
    ),
    "Artillery Supremacy": (13, 2, "You Damage an enemy with an RW from your own deployment zone."),
    "Guerrilla Tactics": (
        14, 3,
        "In one turn, one of your Characters Attacks an enemy from cover with a weapon of the type that you agreed on, "
        "then Moves back into cover.",
    ),
    "Tactical Retreat": (
        15, 2,
        "In one turn, one of your Characters Moves from inside the Range of an enemy weapon to outside it, and is not "
        "hit.",
    ),
    "Last-Minute Rescue": (
        16, 4,
        "One of your Characters eliminates an enemy with a Reaction that stops its Attack on another of your "
        "Characters.",
    ),
}  # fmt: skip

# What earns it: the event and whatever is not as usual.
EARNS: dict[str, dict[str, Any]] = {
    "Killing Rampage": {"event": "eliminate", "count": 2, "in": "turn"},
    "Tactical Dominance": {"event": "control", "range_within": 10, "in": "turn", "turns": 2},
    "Evasive Maneuvers": {"event": "pass", "count": 2, "by": "one", "in": "move"},
    "Shield Wall": {"event": "resist", "count": 2, "by": "one", "in": "turn"},
    "Last Stand": {"event": "survive", "of": "character"},
    "Superior Teamwork": {"event": "eliminate", "attackers": 2, "in": "turn"},
    "Masterful Maneuver": {"event": "raid", "by": "one", "in": "turn"},
    "Hero Vanguard": {"event": "damage", "of": "character", "first": True},
    "Raining Destruction": {"event": "damage", "of": "character", "count": 3, "different": True, "in": "turn"},
    "Sniper's Precision": {"event": "eliminate", "of": "character", "range_over": 18, "in": "turn"},
    "Relentless Pursuit": {"event": "attack", "count": 3, "different": True, "in": "turn"},
    "Resilient Bastion": {"event": "resist", "count": 3, "by": "one", "in": "turn"},
    "Artillery Supremacy": {"event": "damage", "weapon": "RW", "from": "zone"},
    "Guerrilla Tactics": {
        "event": "attack", "by": "one", "in": "turn", "weapon": "ruling", "from": "cover", "then": "cover",
    },
    "Tactical Retreat": {"event": "retreat", "by": "one", "in": "turn"},
    "Last-Minute Rescue": {"event": "eliminate", "by": "one", "rescue": True},
}  # fmt: skip


def test_the_minions_are_those_of_the_rules() -> None:
    minions = cards("minions.yaml")
    assert list(minions) == list(MINIONS)
    for name, (stats, weapons) in MINIONS.items():
        minion = minions[name]
        assert isinstance(minion, Minion)
        assert minion.stats.printed == tuple(zip(("M", "B", "S", "W", "Mo"), stats, strict=True))
        assert [f"{weapon.name} {weapon.type} {weapon.numbers}" for weapon in minion.weapons] == weapons
        assert all(weapon.needs_test for weapon in minion.weapons)
        assert minion.base == 25
        assert not said(minion)


def test_the_relics_are_those_of_the_rules() -> None:
    relics = cards("relics.yaml")
    assert list(relics) == list(RELICS)
    for name, (once, when, over, roll, span, during, whom, deeds) in RELICS.items():
        relic = relics[name]
        assert isinstance(relic, Relic)
        condition = {"range_over": over, "roll": roll}
        data = {"when": when, "if": condition, "for": span, "while": during, whom: deeds}
        assert relic.effects == (Effect.model_validate(data),)
        assert relic.once is once


@pytest.mark.parametrize("name", RELICS)
def test_a_relic_says_what_it_does(name: str) -> None:
    relic = cards("relics.yaml")[name]
    assert isinstance(RULES, Ruleset)
    assert relic.text is None
    assert said(relic) == RELIC_TEXTS[name]
    assert RULES.once_label(relic) == ("Once a battle" if RELICS[name][0] else "")


def test_the_missions_are_those_of_the_rules() -> None:
    missions = cards("missions.yaml")
    assert {name: (mission.number, mission.vp, said(mission)) for name, mission in missions.items()} == MISSIONS
    earns = {
        name: mission.earn.model_dump(by_alias=True, exclude_defaults=True)
        for name, mission in missions.items()
        if isinstance(mission, Mission) and mission.earn
    }
    assert earns == EARNS
    assert len(earns) == 16
    assert all(mission.text is None for mission in missions.values())


def test_every_text_is_short() -> None:
    texts = [said(card) for file in ("relics.yaml", "missions.yaml") for card in cards(file).values()]
    assert len(texts) == 24
    assert max(map(len, texts)) <= 170
