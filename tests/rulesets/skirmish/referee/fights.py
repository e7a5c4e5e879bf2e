"""Warriors, rulings, and cases for the tests of the skirmish's procedures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.deck.deck import load_trials
from cardgen.referee.odds import odds
from cardgen.referee.parameters import settings_in_force
from cardgen.referee.play import LogEntry, roll
from cardgen.referee.trial import PreparedTrial, RulesConfig
from cardgen.rulesets.skirmish import RULESET
from cardgen.rulesets.skirmish.referee.target_numbers import Fighter, Shot, shots
from cardgen.rulesets.skirmish.referee.warrior import (
    DOWN,
    FIT,
    HAND_WEAPON,
    OUT,
    STUNNED,
    Blow,
    Health,
    Rules,
    Warrior,
    Weapon,
    resolve,
)

TRIALS = load_trials(RULESET)
ORDINARY = {"m": 4, "ws": 3, "bs": 3, "s": 3, "t": 3, "w": 1, "i": 3, "a": 1, "ld": 7}
BOW, LONGBOW = Weapon("Bow", range=24, strength=3), Weapon("Longbow", range=30, strength=3)
HANDGUN = Weapon("Handgun", range=24, strength=4, piercing=1, rules=frozenset({"move-or-fire"}))
GREAT_WEAPON = Weapon("Great weapon", bonus=2, hands=2, rules=frozenset({"strikes-last"}))
ONE_WOUND = Health(1)
HALBERD = Weapon("Halberd", bonus=1, hands=2)


def terms(rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None) -> RulesConfig:
    """Return the default rulings and policy with overrides."""
    settings, unknown = settings_in_force(RULESET.rulings, rulings or {})
    switches, unheard = settings_in_force(TRIALS.policies, policy or {})
    assert not (unknown or unheard)
    return RulesConfig(settings, switches)


def rules(**rulings: str) -> Rules:
    """Return the default rulings with overrides, as pairs; underscores stand for hyphens."""
    return frozenset(terms({name.replace("_", "-"): value for name, value in rulings.items()}).rulings.items())


def warrior(name: str = "A", **keys: Any) -> Warrior:
    """Return an ordinary warrior with some other numbers."""
    return Warrior(**{"name": name, **ORDINARY, **keys})


def fighter(side: int = 0, weapon: Weapon = HAND_WEAPON, **keys: Any) -> Fighter:
    """Return an ordinary fighter of a side: keys of the fighter, or of the warrior."""
    own = {name: keys.pop(name) for name in [*keys] if name in Fighter._fields}
    return Fighter(warrior(**{"name": "AB"[side], **keys}), side, weapon, **own)


def blow(hit: int = 4, wound: int = 4, save: int = 5, *traits: str, **keys: Any) -> Blow:
    """Return the blow of case 1, with other numbers."""
    given = {"rules": rules(), "can_be_critical": wound < 6, **keys}
    return Blow("A", "B", hit, wound, save, traits=frozenset(traits), **given)


def harm(volley: Any, health: Health = ONE_WOUND, *, may_crit: bool = True) -> dict[str, Fraction]:
    """Return the chances after a volley by state: N, K, S, O, and by Wounds lost while fit."""
    volley = ((volley, 1),) if isinstance(volley, Blow) else volley
    return states(odds(resolve, volley, health, may_crit).map(lambda end: end.health), health)


def states(die: Any, start: Health) -> dict[str, Fraction]:
    """Return the chances of N, K, S, and O, and of L for lost Wounds of a model that is fit."""
    letters = {DOWN: "K", STUNNED: "S", OUT: "O"}

    def letter(health: Health) -> str:
        return letters[health.state] if health.state != FIT else "N" if health.wounds == start.wounds else "L"

    return dict(die.map(letter))


def parts(text: str) -> dict[str, Fraction]:
    """Return chances from a line such as 'N 29/36, K 5/108'."""
    return {part.split()[0]: Fraction(part.split()[1]) for part in text.split(", ")}


def need(bs: int, rulings: Rules, target: Warrior | None = None, weapon: Weapon = BOW, **shot: Any) -> int:
    """Return the number that a shot needs to hit."""
    other = target or warrior("B")
    return shots(warrior(bs=bs), other, weapon, Shot(**shot), other.health, rulings)[0][0].hit


def card(name: str = "A", **keys: Any) -> dict[str, Any]:
    """Return the card of an ordinary warrior as plain data."""
    return {"kind": "warrior", "name": name, "points": 5, **ORDINARY, **keys}


def case(
    trial: str, rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None, **values: Any
) -> PreparedTrial:
    """Return a prepared trial."""
    chosen = TRIALS.trials[trial]
    return chosen.set_up(chosen.situation(**values), terms(rulings, policy))


def chances(matter: PreparedTrial) -> dict[str, Any]:
    """Return all parts and chances of all tables, by label."""
    assert matter.odds is not None
    return {words: value for table in matter.odds() for words, value in (*table.parts, *table.chances)}


def rolled(matter: PreparedTrial, seed: str) -> tuple[Any, list[LogEntry]]:
    """Return the outcome and the log entries with seeded dice."""
    log: list[LogEntry] = []
    return roll(matter.start(), seed, log.append), log
