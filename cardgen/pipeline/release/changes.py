"""Changes of cards between two releases, by class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from cardgen.model.card_values import Scalar
from cardgen.pipeline.release.snapshot import Release, ReleasedCard, by_key, texts_of

# Texts are compared up to this number of characters, and are similar from this share of equal ones.
_MAX_COMPARED, _SIMILAR = 1000, 0.6
# The number of new cards with which a card that is gone is compared in this way.
_MOST_COMPARED = 8


class Change(StrEnum):
    """Class of a change; of several, a card has the first."""

    NEW = "new"
    GONE = "gone"
    RULES = "rules"
    RENAMED = "renamed"
    WORDS = "words"
    LOOKS = "looks"
    COPIES = "copies"


class ChangedValue(NamedTuple):
    """A value before and after, by JSON pointer; None for a missing one."""

    key: str
    old: Scalar | None
    new: Scalar | None


class ChangedCard(NamedTuple):
    """A card that changed; `old` or `new` is None for a card that is new or gone.

    `changes` are all classes of its change, the first of which is that of the card. `rulings` are the rulings of its
    game that changed.
    """

    changes: tuple[Change, ...]
    old: ReleasedCard | None
    new: ReleasedCard | None

    @property
    def card(self) -> ReleasedCard:
        """The card as it is now, or as it was."""
        card = self.new or self.old
        assert card is not None, "a change has a card"
        return card

    @property
    def change(self) -> Change:
        """The class of the change."""
        return self.changes[0]

    @property
    def values(self) -> tuple[ChangedValue, ...]:
        """The values that changed: those of rules first, then the name and other words."""
        old, new = self.old, self.new
        if old is None or new is None:
            return ()
        names = [ChangedValue("name", old.name, new.name)] if old.name != new.name else []
        return (*_changed(old.values, new.values), *names, *_changed(old.texts, new.texts))

    @property
    def look(self) -> tuple[str, ...]:
        """The parts of the look that changed."""
        if self.old is None or self.new is None:
            return ()
        return tuple(each.key for each in _changed(self.old.look, self.new.look))


class ChangedRuling(NamedTuple):
    """A ruling of a game with its setting before and after; None for the default."""

    game: str
    id: str
    old: str | None
    new: str | None


class Changes(NamedTuple):
    """The cards and rulings that changed between two releases."""

    old: str
    new: str
    cards: tuple[ChangedCard, ...]
    rulings: tuple[ChangedRuling, ...]

    def of(self, change: Change) -> tuple[ChangedCard, ...]:
        """Return the cards with this class of change."""
        return tuple(card for card in self.cards if card.change is change)


def _changed(old: Mapping[str, Scalar], new: Mapping[str, Scalar]) -> Iterator[ChangedValue]:
    for key in sorted(old.keys() | new.keys(), key=_natural):
        before, after = old.get(key), new.get(key)
        if before != after or type(before) is not type(after):
            yield ChangedValue(key, before, after)


def _natural(pointer: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key in which the 10th item of a list follows the 9th."""
    return tuple((int(step), "") if step.isdecimal() else (0, step) for step in pointer.split("/"))


def compare(old: Release, new: Release) -> Changes:
    """Return the changes from one release to another, sorted by class and id."""
    before, after = by_key(old.cards), by_key(new.cards)
    rulings = tuple(_changed_rulings(old, new))
    games = frozenset(each.game for each in rulings)
    gone = [card for key, card in before.items() if key not in after]
    added = [card for key, card in after.items() if key not in before]
    renamed = _renamed(gone, added)
    pairs = [*((before[key], card) for key, card in after.items() if key in before), *renamed]
    changed = [ChangedCard(kinds, *pair) for pair in pairs if (kinds := _classes(*pair, games))]
    old_keys, new_keys = {one.key for one, _ in renamed}, {two.key for _, two in renamed}
    changed += [ChangedCard((Change.GONE,), card, None) for card in gone if card.key not in old_keys]
    changed += [ChangedCard((Change.NEW,), None, card) for card in added if card.key not in new_keys]
    order = {change: number for number, change in enumerate(Change)}
    cards = sorted(changed, key=lambda each: (order[each.change], each.card.id, each.card.key))
    return Changes(old.name, new.name, tuple(cards), rulings)


def _changed_rulings(old: Release, new: Release) -> Iterator[ChangedRuling]:
    """Yield the rulings that changed in games that both releases have."""
    shared = {card.game for card in old.cards} & {card.game for card in new.cards}
    for game in sorted(shared):
        one, two = old.rulings.get(game, {}), new.rulings.get(game, {})
        for name in sorted(one.keys() | two.keys()):
            if one.get(name) != two.get(name):
                yield ChangedRuling(game, name, one.get(name), two.get(name))


def _classes(old: ReleasedCard, new: ReleasedCard, games: frozenset[str]) -> tuple[Change, ...]:
    """Return all classes of change of a card; `games` are those with changed rulings."""
    tests = {
        Change.RULES: old.rules != new.rules or (new.game in games and bool(new.values)),
        Change.RENAMED: old.id != new.id,
        Change.WORDS: old.words != new.words,
        Change.LOOKS: old.look != new.look,
        Change.COPIES: old.qty != new.qty,
    }
    return tuple(change for change, is_changed in tests.items() if is_changed)


def _renamed(gone: Iterable[ReleasedCard], added: Iterable[ReleasedCard]) -> list[tuple[ReleasedCard, ReleasedCard]]:
    """Return the cards with the same rules under another id, each with the best match among the new cards."""
    candidates: dict[tuple[str, str, str], list[ReleasedCard]] = defaultdict(list)
    for card in added:
        candidates[card.game, card.kind, card.rules].append(card)
    pairs = []
    for old in gone:
        others = candidates[old.game, old.kind, old.rules]
        best = _best_match(old, others)
        if best is not None:
            others.remove(best)
            pairs.append((old, best))
    return pairs


def _best_match(old: ReleasedCard, others: Sequence[ReleasedCard]) -> ReleasedCard | None:
    """Return the card with the same name or texts, or else the one with the most similar texts, if any."""
    for new in others:
        if old.name == new.name or (old.texts == new.texts and (old.values or old.texts)):
            return new
    similar = [new for new in others[:_MOST_COMPARED] if _likeness(old, new)]
    return max(similar, key=partial(_likeness, old), default=None)


def _likeness(old: ReleasedCard, new: ReleasedCard) -> float:
    """Return the share of equal characters in the texts of two cards; 0 if they are not similar."""
    one, two = ("\n".join(texts_of(card))[:_MAX_COMPARED] for card in (old, new))
    share = SequenceMatcher(None, one, two, autojunk=False).ratio() if one and two else 0.0
    return share if share >= _SIMILAR else 0.0
