"""Cards, tables, and cases for the tests of procedures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.model.deck import read_deck
from cardgen.project.project import Project
from cardgen.referee.parameters import settings_in_force
from cardgen.referee.trial import PreparedTrial, RulesConfig
from cardgen.rulesets.warniris.cards import Relic
from cardgen.rulesets.warniris.pack import KINDS
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.situations import build_miniatures
from cardgen.rulesets.warniris.rulebook import POLICIES, RULINGS
from cardgen.rulesets.warniris.trials import TRIALS

CARDS = Path(__file__).parents[4] / "cards" / "warniris"


def terms(rulings: Mapping[str, str] | None = None, policy: Mapping[str, str] | None = None) -> RulesConfig:
    settings, unknown = settings_in_force(RULINGS, rulings or {})
    choices, odd = settings_in_force(POLICIES, policy or {})
    assert not unknown
    assert not odd
    return RulesConfig(settings, choices)


def card(name: str, stats: str, *lines: str, **more: Any) -> dict[str, Any]:
    """Return a card as plain data.

    It is given as 'M3 B4 S3 W6' and 'Halberd: CW R1 P2 D2'.
    """
    given = {part[0]: int(part[1:]) for part in stats.split()}
    weapons = [dict([line.split(": ")]) for line in lines]
    weapons += more.pop("weapons", [])
    kind = more.pop("kind", "character")
    return {"kind": kind, "name": name, "stats": {"Mo": 10, **given}, "weapons": weapons, **more}


@cache
def _deck() -> Any:
    games = {"warniris": {name: kind.model for name, kind in KINDS.items()}}
    deck = read_deck(Project(CARDS), sorted(CARDS.glob("*.yaml")), games, "warniris")
    assert not deck.diagnostics
    return deck


def sample(kind: str, name: str) -> dict[str, Any]:
    """Return the plain data of a card of the printed kit."""
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
) -> Game:
    """Return a table of cards, or of pairs of card and relic."""
    given = terms(**switches)
    pairs = [each if isinstance(each, tuple) else (each, None) for each in cards]
    return Game(build_miniatures(pairs), sides, given.rulings, given.policy, is_interactive=asked, logs_events=records)


def case(trial: str, rulings: Mapping[str, str] | None = None, policy: Any = None, **situation: Any) -> PreparedTrial:
    chosen = TRIALS.trials[trial]
    return chosen.set_up(chosen.situation(**situation), terms(rulings, policy))


A = card("A", "M3 B4 S3 W6", "Halberd: CW R1 P2 D2")
B = card("B", "M2 B3 S4 W5", "Bolt: P R10 P1 D2")


def warband(name: str) -> dict[str, Any]:
    """Return the plain data of a warband or Horde of the printed kit, with its cards."""
    given = sample("warband", name)
    by_id = {(each.kind, each.card.id): each.card.name for each in _deck().cards}

    def cards(entry: dict[str, Any]) -> dict[str, Any]:
        return {key: _card_of(key, value, by_id) for key, value in entry.items()}

    return {**given, **{key: [cards(each) for each in given.get(key, ())] for key in ("members", "minions")}}


def _card_of(key: str, value: Any, by_id: Mapping[tuple[str, str], str]) -> Any:
    if key == "qty":
        return value
    return sample(key, by_id.get((key, value), value))
