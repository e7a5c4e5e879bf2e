"""Which cards a sheet shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Model, Text
from cardgen.model.card import Card
from cardgen.reference.sources import NotAvailableError
from cardgen.rulesets.reference import GameData, find_each
from cardgen.rulesets.warniris.kinds import Character, Minion, Warband

FighterCard = Character | Minion
FighterKind = Literal["character", "minion"]
FIGHTER_KINDS: tuple[FighterKind, ...] = ("character", "minion")


class CardOptions(Model):
    """Which cards: those of a kind, and of them the named ones; on a warband's sheet its own unless `all` is true."""

    kind: Annotated[Text, Field(description="character, minion, relic or mission")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="also those that are not in the warband")] = False


class FighterKindOptions(CardOptions):
    """Which of those that fight."""

    kind: FighterKind = "character"


def select_cards(options: CardOptions, data: GameData) -> tuple[Card, ...]:
    """The cards that are asked for. Raises RefusedError for a kind or a name that there is not."""
    printed = [name for name, kind in data.rules.kinds.items() if kind.is_printed]
    if options.kind not in printed:
        raise NotAvailableError.unknown("kind of card", options.kind, printed, ("kind",))
    if options.only:
        return tuple(find_each(options.only, lambda name: data.find(options.kind, name), "only"))
    if isinstance(data.card_list, Warband) and not options.all:
        return tuple(warband_cards(data.card_list, options.kind, data))
    return data.cards[options.kind]


def warband_cards(warband: Warband, kind: str, data: GameData) -> Iterator[Card]:
    """The cards of a kind that a warband has, each once; missions belong to no warband."""
    names: dict[str, Iterable[str | None]] = {
        "character": (member.character for member in warband.members),
        "relic": (member.relic for member in warband.members),
        "minion": (troop.minion for troop in warband.minions),
    }
    if kind not in names:
        return iter(data.cards[kind])
    return (data.find(kind, name) for name in dict.fromkeys(filter(None, names[kind])))


def select_fighters(options: CardOptions, data: GameData) -> tuple[FighterCard, ...]:
    """The fighters that are asked for."""
    return tuple(card for card in select_cards(options, data) if isinstance(card, Character | Minion))
