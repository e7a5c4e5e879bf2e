"""Plain data of cards to fighters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.rulesets.warniris.kinds import Character, Minion, Relic
from cardgen.rulesets.warniris.procedures.blow import available_weapons
from cardgen.rulesets.warniris.procedures.fighter import Miniature
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game
from cardgen.shape.suggestion import did_you_mean


def build_miniatures(cards: Iterable[tuple[dict[str, Any], dict[str, Any] | None]]) -> tuple[Miniature, ...]:
    """Fighters from the data of cards and relics; those of one name are numbered.

    Raises ValueError for data that is no card of a kind that fights, and for a relic that nobody may carry (section 1).
    """
    pairs = [
        (card_of_kind(card, Character, Minion), card_of_kind(relic, Relic) if relic else None) for card, relic in cards
    ]
    for card, relic in pairs:
        if relic and isinstance(card, Minion):
            raise ValueError(f"{card.name} is a Minion, and only Characters carry a relic")
    names = [card.name for card, _ in pairs]
    miniatures = []
    for place, (card, relic) in enumerate(pairs):
        count = names[: place + 1].count(card.name)
        name = f"{card.name} {count}" if names.count(card.name) > 1 else card.name
        miniatures.append(Miniature(name, card, relic))
    return tuple(miniatures)


def card_of_kind(data: dict[str, Any], *kinds: type[Any]) -> Any:
    """The card that plain data gives, of one of some kinds. Raises ValueError for another."""
    kind_model = next((kind for kind in kinds if data.get("kind") == kind.KIND), None)
    if kind_model is None:
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand here")
    return kind_model.model_validate({key: value for key, value in data.items() if key != "kind"})


def find_weapon(game: Game, state: State, who: int, name: str) -> str:
    """The weapon of that name, in capitals or not. Raises ValueError when there is none."""
    names = available_weapons(game, state, who)
    for each in names:
        if each.casefold() == name.casefold():
            return each
    owner = game.name(who)
    if not names:
        raise ValueError(f"{owner} has no weapon at all")
    hint = did_you_mean(name, names) or f"; it has {', '.join(names)}"
    raise ValueError(f"{owner} has no weapon '{name}'{hint}")


def not_simulated(game: Game) -> tuple[str, ...]:
    """What the procedures do not judge."""
    return tuple(dict.fromkeys(text for miniature in game.miniatures for text in miniature.not_simulated))
