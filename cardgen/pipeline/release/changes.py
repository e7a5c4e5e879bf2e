"""Changes of cards between two releases, by class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from cardgen.model.card_values import Scalar, is_index
from cardgen.pipeline.release.content.game_changes import ChangedGameValue, changed_game_values
from cardgen.pipeline.release.content.item_order import match_items
from cardgen.pipeline.release.content.released_card import LINKED, Release, ReleasedCard, by_key, texts_of
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.base import Aspect

# Texts are compared up to this number of characters, and are similar from this share of equal ones.
_MAX_COMPARED, _SIMILAR = 1000, 0.6
# The part of a look that consists of the order of items in lists.
ORDER = "order"
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

    `changes` are all classes of its change, the first of which is that of the card. `values` are the values that
    changed: those of rules first, then the name and other words. `game_values` are the changes of the game that concern
    the card. `is_reordered` is true if items of its lists, such as weapons, have other places.
    """

    changes: tuple[Change, ...]
    old: ReleasedCard | None
    new: ReleasedCard | None
    values: tuple[ChangedValue, ...] = ()
    game_values: tuple[ChangedGameValue, ...] = ()
    is_reordered: bool = False

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
    def look(self) -> tuple[str, ...]:
        """The parts of the look that changed."""
        parts = _changed_look(self.old, self.new, bool(self.values)) if self.old and self.new else ()
        return (*parts, ORDER) if self.is_reordered else parts


class ChangedRuling(NamedTuple):
    """A ruling of a game with its setting before and after; None for the default."""

    game: str
    id: str
    old: str | None
    new: str | None

    @property
    def words(self) -> tuple[str, str, str]:
        """The question, and its answers before and after.

        Of a ruling of another version, which has no such question, they are made from the names.
        """
        rules = ruleset.ruleset(self.game)
        rulings = rules.rulings if isinstance(rules, Ruleset) else ()
        ruling = next((each for each in rulings if each.id == self.id), None)
        if ruling is None:
            before, after = (setting or "as usual" for setting in (self.old, self.new))
            return f"{self.id.replace('-', ' ').capitalize()}:", before, after
        before, after = (ruling.settings.get(each or ruling.default, str(each)) for each in (self.old, self.new))
        return ruling.question, before, after


class Changes(NamedTuple):
    """The cards and rulings that changed between two releases."""

    old: str
    new: str
    cards: tuple[ChangedCard, ...]
    rulings: tuple[ChangedRuling, ...]
    game_values: tuple[ChangedGameValue, ...] = ()

    def of(self, change: Change) -> tuple[ChangedCard, ...]:
        """Return the cards with this class of change."""
        return tuple(card for card in self.cards if card.change is change)


def _changed(old: Mapping[str, Scalar], new: Mapping[str, Scalar]) -> Iterator[ChangedValue]:
    for key in sorted(old.keys() | new.keys(), key=_natural):
        before, after = old.get(key), new.get(key)
        if before != after or type(before) is not type(after):
            yield ChangedValue(key, before, after)


def _changed_look(old: ReleasedCard, new: ReleasedCard, has_other_values: bool) -> tuple[str, ...]:
    """Return the parts of the look that changed; other linked cards follow from other values."""
    parts = (each.key for each in _changed(old.look, new.look)) if old.look != new.look else ()
    return tuple(part for part in parts if part != LINKED or not has_other_values)


def _natural(pointer: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key in which the 10th item of a list follows the 9th."""
    return tuple((int(step), "") if is_index(step) else (0, step) for step in pointer.split("/"))


def compare(old: Release, new: Release) -> Changes:
    """Return the changes from one release to another, sorted by class and id."""
    before, after = by_key(old.cards), by_key(new.cards)
    gone = [card for key, card in before.items() if key not in after]
    added = [card for key, card in after.items() if key not in before]
    renamed = _renamed(gone, added)
    comparison = _Comparison(old, new, {(one.game, one.id): two.id for one, two in renamed})
    pairs = [*((before[key], card) for key, card in after.items() if key in before), *renamed]
    changed = [each for pair in pairs if (each := comparison.changed(*pair)).changes]
    old_keys, new_keys = {one.key for one, _ in renamed}, {two.key for _, two in renamed}
    changed += [ChangedCard((Change.GONE,), card, None) for card in gone if card.key not in old_keys]
    changed += [ChangedCard((Change.NEW,), None, card) for card in added if card.key not in new_keys]
    order = {change: number for number, change in enumerate(Change)}
    cards = sorted(changed, key=lambda each: (order[each.change], each.card.id, each.card.key))
    return Changes(old.name, new.name, tuple(cards), comparison.rulings, comparison.game_values)


def _changed_rulings(old: Release, new: Release) -> Iterator[ChangedRuling]:
    """Yield the rulings that changed in games that both releases have."""
    shared = {card.game for card in old.cards} & {card.game for card in new.cards}
    for game in sorted(shared):
        one, two = old.rulings.get(game, {}), new.rulings.get(game, {})
        for name in sorted(one.keys() | two.keys()):
            if one.get(name) != two.get(name):
                yield ChangedRuling(game, name, one.get(name), two.get(name))


class _Comparison:
    """Compares cards of two releases; `ids` are the new ids of renamed cards, by game and old id."""

    def __init__(self, old: Release, new: Release, ids: Mapping[tuple[str, str], str]) -> None:
        self._ids = ids
        self.rulings = tuple(_changed_rulings(old, new))
        self.game_values = tuple(changed_game_values(old, new))
        self._card_ids = frozenset(card.id for release in (old, new) for card in release.cards)
        self._ruled_games = frozenset(each.game for each in self.rulings)

    def changed(self, old: ReleasedCard, new: ReleasedCard) -> ChangedCard:
        """Return how a card changed; without classes if it did not."""
        rules, words, is_reordered = self._values(old, new)
        its = tuple(each for each in self.game_values if each.concerns(old) or each.concerns(new))
        aspects = {each.aspect for each in its}
        look = _changed_look(old, new, bool(rules or words))
        tests = {
            Change.RULES: rules or Aspect.RULES in aspects or (new.game in self._ruled_games and bool(new.values)),
            Change.RENAMED: old.id != new.id,
            Change.WORDS: words or Aspect.WORDS in aspects,
            Change.LOOKS: bool(look) or is_reordered or Aspect.LOOKS in aspects,
            Change.COPIES: old.qty != new.qty,
        }
        classes = tuple(change for change, is_changed in tests.items() if is_changed)
        return ChangedCard(classes, old, new, (*rules, *words), its, is_reordered)

    def _values(self, old: ReleasedCard, new: ReleasedCard) -> tuple[list[ChangedValue], list[ChangedValue], bool]:
        """Return the values of rules and of words that changed, and whether items of lists changed places.

        A value that is now of the other class did not change. The new id of a renamed card is only another word.
        """
        if old.rules == new.rules and old.words == new.words:
            return [], [], False
        values, old_texts, is_reordered = match_items(old, new, self._card_ids)
        rules = [each for each in _changed(values, new.values) if not _is_moved(each, old_texts, new.texts)]
        names = [ChangedValue("name", old.name, new.name)] if old.name != new.name else []
        texts = [each for each in _changed(old_texts, new.texts) if not _is_moved(each, values, new.values)]
        ids = [each for each in rules if each.new and self._ids.get((old.game, str(each.old))) == each.new]
        return [each for each in rules if each not in ids], [*names, *texts, *ids], is_reordered


def _is_moved(each: ChangedValue, old: Mapping[str, Scalar], new: Mapping[str, Scalar]) -> bool:
    """Return whether a value was in the other class before, or is in it now."""
    return (each.old is None and old.get(each.key) == each.new) or (each.new is None and new.get(each.key) == each.old)


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
