"""Plain data of cards to fighters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.rulesets.warniris.kinds import Character, Minion, Relic
from cardgen.rulesets.warniris.procedures.blow import weapons
from cardgen.rulesets.warniris.procedures.fighter import Fighter
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.shape.suggestion import did_you_mean


def fighters(cards: Iterable[tuple[dict[str, Any], dict[str, Any] | None]]) -> tuple[Fighter, ...]:
    """Fighters from the data of cards and relics; those of one name are numbered.

    Raises ValueError for data that is no card of a kind that fights, and for a relic that nobody may carry (section 1).
    """
    models = [(model(card, Character, Minion), model(relic, Relic) if relic else None) for card, relic in cards]
    for card, relic in models:
        if relic and isinstance(card, Minion):
            raise ValueError(f"{card.name} is a Minion, and only Characters carry a relic")
    names = [card.name for card, _ in models]
    found = []
    for place, (card, relic) in enumerate(models):
        count = names[: place + 1].count(card.name)
        name = f"{card.name} {count}" if names.count(card.name) > 1 else card.name
        found.append(Fighter(name, card, relic))
    return tuple(found)


def model(data: dict[str, Any], *kinds: type[Any]) -> Any:
    """The card that plain data gives, of one of some kinds. Raises ValueError for another."""
    found = next((kind for kind in kinds if data.get("kind") == kind.KIND), None)
    if found is None:
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand here")
    return found.model_validate({key: value for key, value in data.items() if key != "kind"})


def weapon_called(table: Table, state: State, who: int, name: str) -> str:
    """The weapon of that name, in capitals or not. Raises ValueError when there is none."""
    known = weapons(table, state, who)
    for each in known:
        if each.casefold() == name.casefold():
            return each
    owner = table.name(who)
    if not known:
        raise ValueError(f"{owner} has no weapon at all")
    hint = did_you_mean(name, known) or f"; it has {', '.join(known)}"
    raise ValueError(f"{owner} has no weapon '{name}'{hint}")


def left_out(table: Table) -> tuple[str, ...]:
    """What the procedures do not judge."""
    return tuple(dict.fromkeys(text for fighter in table.fighters for text in fighter.unadjudicated))
