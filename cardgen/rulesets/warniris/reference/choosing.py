"""Which cards a sheet shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from cardgen.model.base import Flag, Model, Text
from cardgen.model.card import Card
from cardgen.reference.sources import RefusedError
from cardgen.rulesets.reference import Knowledge, each_called
from cardgen.rulesets.warniris.kinds import Character, Minion, Warband

Fighter = Character | Minion
Fighting = Literal["character", "minion"]
FIGHTING: tuple[Fighting, ...] = ("character", "minion")


class CardOptions(Model):
    """Which cards: those of a kind, and of them the named ones; on a warband's sheet its own unless `all` is true."""

    kind: Annotated[Text, Field(description="character, minion, relic or mission")]
    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="also those that are not in the warband")] = False


class FighterOptions(CardOptions):
    """Which of those that fight."""

    kind: Fighting = "character"


def chosen(options: CardOptions, known: Knowledge) -> tuple[Card, ...]:
    """The cards that are asked for. Raises RefusedError for a kind or a name that there is not."""
    printed = [name for name, kind in known.rules.kinds.items() if kind.printed]
    if options.kind not in printed:
        raise RefusedError.unknown("kind of card", options.kind, printed, ("kind",))
    if options.only:
        return tuple(each_called(options.only, lambda name: known.find(options.kind, name), "only"))
    if isinstance(known.of, Warband) and not options.all:
        return tuple(in_play(known.of, options.kind, known))
    return known.cards[options.kind]


def in_play(warband: Warband, kind: str, known: Knowledge) -> Iterator[Card]:
    """The cards of a kind that a warband has, each once; missions belong to no warband."""
    names: dict[str, Iterable[str | None]] = {
        "character": (member.character for member in warband.members),
        "relic": (member.relic for member in warband.members),
        "minion": (troop.minion for troop in warband.minions),
    }
    if kind not in names:
        return iter(known.cards[kind])
    return (known.find(kind, name) for name in dict.fromkeys(filter(None, names[kind])))


def fighters(options: CardOptions, known: Knowledge) -> tuple[Fighter, ...]:
    """The fighters that are asked for."""
    return tuple(card for card in chosen(options, known) if isinstance(card, Character | Minion))
