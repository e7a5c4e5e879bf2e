"""Cards, tables and cases for the tests of the procedures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.model.deck import load
from cardgen.project import Project
from cardgen.rulesets.adjudication import Matter, Terms
from cardgen.rulesets.ruling import in_force
from cardgen.rulesets.warniris.kinds import Relic
from cardgen.rulesets.warniris.kit import KINDS
from cardgen.rulesets.warniris.procedures.adjudication import ADJUDICATION
from cardgen.rulesets.warniris.procedures.cards import fighters
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.rulings import RULINGS

CARDS = Path(__file__).parents[3] / "cards" / "warniris"


def terms(rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None) -> Terms:
    settings, unknown = in_force(RULINGS, rulings or {})
    choices, odd = in_force(POLICIES, policy or {})
    assert not unknown
    assert not odd
    return Terms(settings, choices)


def card(name: str, stats: str, *lines: str, **more: Any) -> dict[str, Any]:
    """'M3 B4 S3 W6' and 'Halberd: CW R1 P2 D2' as plain data."""
    given = {part[0]: int(part[1:]) for part in stats.split()}
    weapons = [dict([line.split(": ")]) for line in lines]
    weapons += more.pop("weapons", [])
    kind = more.pop("kind", "character")
    return {"kind": kind, "name": name, "stats": {"Mo": 10, **given}, "weapons": weapons, **more}


@cache
def _deck() -> Any:
    games = {"warniris": {name: kind.model for name, kind in KINDS.items()}}
    deck = load(Project(CARDS), sorted(CARDS.glob("*.yaml")), games, "warniris")
    assert not deck.diagnostics
    return deck


def sample(kind: str, name: str) -> dict[str, Any]:
    """The plain data of a card of the printed kit."""
    entry = _deck().find("warniris", kind, name)
    assert entry is not None, name
    return {"kind": kind, **entry.card.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"qty"})}


def relic(name: str | None) -> dict[str, Any] | None:
    return sample("relic", name) if name else None


def relic_names() -> list[str]:
    names = [entry.card.name for entry in _deck().cards if isinstance(entry.card, Relic)]
    assert len(names) == 8
    return names


def samples(kind: str) -> list[dict[str, Any]]:
    found = [sample(kind, entry.card.name) for entry in _deck().cards if entry.kind == kind]
    assert found
    return found


def table(
    *cards: Any, sides: tuple[int, ...] = (0, 1), asked: bool = False, records: bool = True, **switches: Any
) -> Table:
    """A table of cards, or of pairs of a card and a relic."""
    given = terms(**switches)
    pairs = [each if isinstance(each, tuple) else (each, None) for each in cards]
    return Table(fighters(pairs), sides, given.rulings, given.policy, asked=asked, records=records)


def case(trial: str, rulings: Mapping[str, str] | None = None, policy: Any = None, **situation: Any) -> Matter:
    chosen = ADJUDICATION.trials[trial]
    return chosen.set_up(chosen.situation(**situation), terms(rulings, policy))


A = card("A", "M3 B4 S3 W6", "Halberd: CW R1 P2 D2")
B = card("B", "M2 B3 S4 W5", "Bolt: P R10 P1 D2")
