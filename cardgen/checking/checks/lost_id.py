"""An id of the latest release that no card has any longer.

Why is this bad?
    Players' lists, saved battles, and other projects refer to cards by id, and no longer find this one. Write the old
    id under `formerly` on the same card or its replacement. If the card was removed for good, write its id under
    `retired` in `cardgen.yaml`. Without `--changed-since`, cardgen compares the latest release, and only if you check
    the whole project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding, Related
from cardgen.diagnostic import Severity, slugify
from cardgen.model.card import Entry
from cardgen.model.card_values import card_values, pointer
from cardgen.model.deck import missing_links
from cardgen.source import Document

CODE, NAME = "CG133", "lost-id"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = CheckScope
MESSAGE = "no card has the id '{}' of the release {}"
# The share of values that two cards must have in common to be taken for the same.
_ALIKE = 0.5


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield each id that was released and is gone."""
    released = scope.services.released()
    if not released:
        return
    ids = {(game, name) for game, *names in scope.own.said(ids_of, scope) for name in names}
    lost = [old for old in released if (old.game, old.id) not in ids]
    known = {(old.game, old.id) for old in released} if lost else set()
    cards = scope.cards if known else ()
    added = [(entry, _values(entry)) for entry in cards if (entry.game, entry.card.id) not in known]
    for old in lost:
        message = MESSAGE.format(old.id, old.release)
        likeness = {
            number: _likeness(old.values, values)
            for number, (entry, values) in enumerate(added)
            if entry.game == old.game and not entry.card.formerly
        }
        best = max(likeness, key=lambda number: likeness[number], default=None)
        if best is not None and likeness[best] >= _ALIKE:
            entry = added[best][0]
            key = "id" if entry.source_map.has_key("id") else "name"
            advice = f"if '{entry.card.name}' is that card, {_formerly(old.id, entry)}"
            related = tuple(
                Related(f"this names '{old.id}'", link.key_path, each)
                for each in scope.cards
                for link in missing_links(each)
                if each.game == old.game and slugify(link.name) == old.id
            )
            yield Finding(message, (key,), help=advice, entry=entry, related=related)
        else:
            advice = (
                f"write 'formerly: {old.id}' on the card that takes its place, or 'retired: [{old.id}]' in cardgen.yaml"
            )
            yield Finding(message, help=advice, place=old.place())


def _formerly(old: str, entry: Entry) -> str:
    """Return how to write the earlier id of a card in the format of its file."""
    if entry.place().locator.startswith("/"):
        return f'add "formerly": "{old}"'
    if type(entry.document) is not Document:
        return f"write '{old}' in its row, in a column 'formerly'"
    return f"add the line 'formerly: {old}'"


def ids_of(entry: Entry, scope: CheckScope) -> list[str]:
    """Return the game of a card, its id, and its earlier ids."""
    return [entry.game, entry.card.id, *entry.card.formerly]


def _values(entry: Entry) -> dict[str, object]:
    """Return all values of a card by JSON pointer."""
    return {pointer(each.key_path): each.value for each in card_values(entry, lambda _: "")}


def _likeness(one: Mapping[str, object], other: Mapping[str, object]) -> float:
    """Return the share of values that two cards have in common."""
    return len(one.items() & other.items()) / max(1, len(one.keys() | other.keys()))
