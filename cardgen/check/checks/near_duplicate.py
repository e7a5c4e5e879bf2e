"""A card that does just what another one does, under another name.

Why is this bad?
    One of the two was probably copied and never changed; and a player who may take both has twice of one thing.
    Names, mottos, pictures and numbers of a series do not count.

Example
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: turn_start, bearer: {heal: 1}}]
      - name: Moon Stone  # CG125: 11
        effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    cards:
      - name: Sun Stone
        effects: [{when: turn_start, bearer: {heal: 1}}]
      - name: Moon Stone
        effects: [{when: turn_end, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.check.finding import Confidence, Finding, Related
from cardgen.check.table import Scene, Table, in_play
from cardgen.diagnostic import Severity
from cardgen.model.card import Card
from cardgen.model.entry import Entry

CODE, NAME = "CG125", "near-duplicate"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Table

# What a card is called and how it looks.
_LOOKS = {*Card.model_fields, "number"} - {"text"}
_NAMES = {"name"}


def find(table: Table, scene: Scene) -> Iterator[Finding]:
    """Every card that is like one before it."""
    looked_at = {id(entry) for entry in table.cards}
    first: dict[object, Entry] = {}
    for entry in sorted(table.fact(in_play), key=lambda entry: id(entry) in looked_at):
        other = first.setdefault((type(entry.card), _deeds(entry.card)), entry)
        if other.card.name != entry.card.name and id(entry) in looked_at:
            message = f"'{entry.card.name}' does just what '{other.card.name}' does"
            yield Finding(
                message,
                ("name",),
                help="change what it does, or remove one of them",
                entry=entry,
                related=(Related("the other one", ("name",), other),),
            )


def _deeds(card: Card) -> object:
    """What a card does, as a value that can be compared."""
    return tuple((name, _plain(getattr(card, name))) for name in type(card).model_fields if name not in _LOOKS)


def _plain(value: Any) -> object:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    fields = getattr(type(value), "model_fields", None)
    if fields is None:
        return value
    return tuple((name, _plain(getattr(value, name))) for name in fields if name not in _NAMES)
