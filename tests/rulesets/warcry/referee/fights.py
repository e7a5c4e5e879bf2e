"""Fighters, configs, and cases for the tests of Warcry's procedures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.referee.parameters import settings_in_force
from cardgen.referee.play import LogEntry, roll
from cardgen.referee.trial import PreparedTrial, RulesConfig
from cardgen.rulesets.warcry.limits import RULINGS
from cardgen.rulesets.warcry.trials import TRIALS


def fighter(
    name: str = "Asha", stats: str = "M5 T4 W10", *weapons: str, marks: tuple[str, ...] = (), faction: str = "chaos"
) -> dict[str, Any]:
    """Return a fighter as plain data.

    It is given as 'M5 T4 W10' and weapons such as 'Axe: axe R1 A3 S4 D1/4'.
    """
    numbers = {part[0]: int(part[1:]) for part in stats.split()}
    lines = [dict([line.split(": ", 1)]) for line in weapons or ("Axe: axe R1 A3 S4 D1/4",)]
    return {
        "kind": "fighter",
        "name": name,
        "faction": faction,
        "runemarks": list(marks),
        "stats": numbers,
        "points": 100,
        "weapons": lines,
    }


def card(kind: str, name: str, **keys: Any) -> dict[str, Any]:
    """Return another card as plain data."""
    return {"kind": kind, "name": name, **keys}


def terms(rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None) -> RulesConfig:
    """Return the default rulings and policy with overrides."""
    settings, unknown = settings_in_force(RULINGS, rulings or {})
    switches, unheard = settings_in_force(TRIALS.policies, policy or {})
    assert not unknown
    assert not unheard
    return RulesConfig(settings, switches)


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


def means(matter: PreparedTrial) -> dict[str, Any]:
    """Return all means, by label."""
    assert matter.odds is not None
    return {words: value for table in matter.odds() for words, value in table.means}


def rolled(matter: PreparedTrial, seed: str) -> tuple[Any, list[LogEntry]]:
    """Return the outcome and the log entries with seeded dice."""
    told: list[LogEntry] = []
    return roll(matter.start(), seed, told.append), told
