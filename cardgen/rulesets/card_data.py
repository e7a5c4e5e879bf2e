"""Cards as the referee takes them: plain data, as their models write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

from cardgen.model.card import Card

CardData: TypeAlias = dict[str, Any]
C = TypeVar("C", bound=Card)
T = TypeVar("T")

_name_of: Callable[[Any], str] = attrgetter("name")


def card_data(card: Card) -> CardData:
    """Return the plain data of a card."""
    return {"kind": type(card).KIND, **card.model_dump(mode="json", by_alias=True, exclude_defaults=True)}


def card_of_kind(data: CardData, *models: type[C]) -> C:
    """Return the card that plain data gives, of one of these kinds. Raise ValueError for another kind."""
    model = next((model for model in models if data.get("kind") == model.KIND), None)
    if model is None:
        place = f"where a {models[0].KIND} is asked for" if len(models) == 1 else "here"
        raise ValueError(f"a card of the kind {data.get('kind')!r} cannot stand {place}")
    return model.model_validate({key: value for key, value in data.items() if key != "kind"})


def optional_card(data: CardData | None, model: type[C]) -> C | None:
    """Return the card that plain data gives, or None without data. Raise ValueError for another kind."""
    return card_of_kind(data, model) if data is not None else None


def numbered_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names; those that several bear get numbers: 'Brute 1', 'Brute 2'."""
    total, count = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} {count[name]}" if total[name] > 1 else name)
    return tuple(numbered)


def find_by_name(items: Iterable[T], name: str, name_of: Callable[[T], str] = _name_of) -> T | None:
    """Return the first item of that name, in capitals or not, or None."""
    return next((item for item in items if name_of(item).casefold() == name.casefold()), None)


def in_words_only(things: Iterable[tuple[str, Any]], rules: str) -> Iterator[str]:
    """Yield a note for each thing with a text and nothing under `rules`: the referee cannot play it."""
    for name, thing in things:
        if thing.text and not getattr(thing, rules):
            yield f"'{name}' is in words only"
