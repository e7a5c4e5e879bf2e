"""Disks and cases for the tests of the referee of Diskwars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from cardgen.deck.deck import load_trials
from cardgen.referee.parameters import settings_in_force
from cardgen.referee.trial import PreparedTrial, RulesConfig
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.referee.disk import Disk, Faces, Ranged, Rules, candidates
from cardgen.rulesets.diskwars.referee.strength import Strength

TRIALS = load_trials(RULESET)
CANDIDATES: dict[str, Faces] = dict(zip("HCSMX", candidates("open"), strict=True))
F = Fraction


def terms(**rulings: str) -> RulesConfig:
    """Return the default rulings and policies with overrides; underscores stand for hyphens."""
    settings, unknown = settings_in_force(
        RULESET.rulings, {name.replace("_", "-"): value for name, value in rulings.items()}
    )
    assert not unknown
    return RulesConfig(settings, settings_in_force(TRIALS.policies, {})[0])


def rules(**rulings: str) -> Rules:
    """Return the rulings in force as pairs."""
    return terms(**rulings).pairs


def disk(name: str = "A", attack: str = "0", counter: str = "0", toughness: int = 99, **keys: Any) -> Disk:
    """Return a disk without keywords."""
    keys = {key: frozenset(value) if isinstance(value, set) else value for key, value in keys.items()}
    return Disk(name, Strength.read(attack), Strength.read(counter), toughness, **keys)


def ranged(missile: int, strength: str = "1", damage: str = "physical") -> Ranged:
    """Return a ranged attack that reaches everything."""
    return Ranged("Bow", missile, "siege", Strength.read(strength), damage)


def card(name: str = "A", **keys: Any) -> dict[str, Any]:
    """Return the card of a disk as plain data."""
    own = {"disk": "small", "attack": "1", "counter": "1", "toughness": 3, "movement": 4}
    return {"kind": "disk", "name": name, **own, **keys}


def case(
    trial: str, rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None, **values: Any
) -> PreparedTrial:
    """Return a prepared trial."""
    chosen = TRIALS.trials[trial]
    config = replace(terms(**(rulings or {})), policy=settings_in_force(TRIALS.policies, policy or {})[0])
    return chosen.set_up(chosen.situation(**values), config)


def figures(matter: PreparedTrial) -> dict[tuple[str, str], Fraction]:
    """Return all figures of all tables, by title and label."""
    assert matter.odds is not None
    return {
        (table.title, words): value
        for table in matter.odds()
        for words, value in (*table.parts, *table.chances, *table.means)
    }
