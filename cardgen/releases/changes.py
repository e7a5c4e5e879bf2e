"""Changes between two releases: of cards, by class, of a project's own rules, and what they mean for the odds."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from cardgen.deck.release_file import LINKED, CardKey, Release, ReleasedCard, Values, by_key, texts_of
from cardgen.diagnostic import slugify
from cardgen.model.card_values import Scalar, is_index, pointer_steps
from cardgen.referee.odds import decimal, percent
from cardgen.referee.parameters import Ruling
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime.workspace import Workspace
from cardgen.units import quantity
from cardgen.validation.base import Aspect

# What the last keys of values change, apart from rules, and keys above the last one.
_WORDS, _LOOKS = frozenset({"label", "text", "line"}), frozenset({"icon", "bold", "shape"})
GLOSSARY, SETTINGS = "glossary", "settings"
_TITLE = "title"
_KINDS, _BOXES, _FIELDS, _ITEMS, _CHOICES = "kinds", "boxes", "fields", "items", "choices"


class ChangedGameValue(NamedTuple):
    """A value of a game's rules before and after, by JSON pointer; None for a missing one."""

    game: str
    key: str
    old: Scalar | None
    new: Scalar | None

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the pointer."""
        return tuple(pointer_steps(self.key))

    @property
    def aspect(self) -> Aspect:
        """Whether rules, words, or looks of cards change with it."""
        steps = self.steps
        if steps[-1] in _LOOKS or (len(steps) == 4 and steps[2] == _BOXES):
            return Aspect.LOOKS
        return Aspect.WORDS if steps[-1] in _WORDS else Aspect.RULES

    def concerns(self, card: ReleasedCard) -> bool:
        """Return whether a card, before or after the change, is one of those that it concerns."""
        match self.steps:
            case _ if card.game != self.game:
                return False
            case (section, term, _) if section == GLOSSARY:
                return term in card.terms
            case (section, *names) if section == SETTINGS:
                return _is_named(card, (*names, self.old, self.new))
            case (section, kind, *rest) if section == _KINDS:
                return card.kind == kind and self._concerns_kind(card, rest)
            case _:
                return bool(card.values)

    def _concerns_kind(self, card: ReleasedCard, steps: list[str]) -> bool:
        """Return whether it concerns a card of its kind: one with the field, or with the choice."""
        if steps == [_TITLE]:
            return False  # no card prints it
        if steps == ["text"]:
            return "text" not in card.texts and "text" not in card.values
        fields, rest = _field_steps(steps)
        values = [value for key, value in (*card.values.items(), *card.texts.items()) if _leads(fields, key)]
        if rest[:1] == [_CHOICES]:
            return rest[1] in values
        return bool(values) or not fields


def _field_steps(steps: list[str]) -> tuple[list[str], list[str]]:
    """Return the names of fields at the start of a pointer, and the rest."""
    names = []
    while len(steps) > 1 and steps[0] == _FIELDS:
        names.append(steps[1])
        steps = steps[2:]
        while steps[:1] == [_ITEMS]:
            steps = steps[1:]
    return names, steps


def _leads(fields: list[str], key: str) -> bool:
    """Return whether a key of a card is below some fields."""
    steps = pointer_steps(key)
    return bool(fields) and next(steps) == fields[0] and all(field in steps for field in fields[1:])


def _is_named(card: ReleasedCard, names: tuple[Scalar | None, ...]) -> bool:
    words = {slugify(each) for each in names if isinstance(each, str)}
    return any(value in words for value in card.values.values())


def changed_game_values(old: Release, new: Release) -> Iterator[ChangedGameValue]:
    """Yield the values that changed in games of which both releases have cards."""
    shared = {card.game for card in old.cards} & {card.game for card in new.cards}
    for game in sorted(shared & (old.games.keys() | new.games.keys())):
        one, two = old.games.get(game, {}), new.games.get(game, {})
        if _has_own_file(one) == _has_own_file(two):
            for key in sorted(one.keys() | two.keys()):
                if one.get(key) != two.get(key):
                    yield ChangedGameValue(game, key, one.get(key), two.get(key))


def _has_own_file(values: Mapping[str, Scalar]) -> bool:
    """Return whether values are from a game file, whose game may have become one of a package."""
    return any(not key.startswith(f"{SETTINGS}/") for key in values)


# The values of an item by the rest of their pointers; that of a plain item is ''.
_Item: TypeAlias = Mapping[str, Scalar]


class MatchedValues(NamedTuple):
    """Values and texts of an earlier card with the indexes of the later one, and whether items changed places."""

    values: Values
    texts: Values
    is_reordered: bool


def match_items(old: ReleasedCard, new: ReleasedCard, ids: Collection[str]) -> MatchedValues:
    """Return the values of an earlier card, with its items of lists at the places that they have in the later one.

    Items match if they are equal, or have the same name. The order of items with names, of items that name one of the
    cards with the `ids`, and of words such as keywords has no meaning. Other items, such as effects and numbers, stay
    where they are.
    """
    values, texts, is_reordered = dict(old.values), dict(old.texts), False
    for path in _lists({**old.values, **old.texts}):
        before, after = (_items({**one, **two}, path) for one, two in ((values, texts), (new.values, new.texts)))
        if before == after or not _is_free(before.values(), after.values(), new, path, ids):
            continue
        places, is_moved = _places(before, after)
        values, texts = (_at_places(each, path, places) for each in (values, texts))
        is_reordered |= is_moved
    return MatchedValues(values, texts, is_reordered)


def _lists(values: Iterable[str]) -> list[str]:
    """Return the pointers of the outermost lists."""
    firsts: dict[str, None] = {}
    for key in values:
        steps = key.split("/")
        index = next((number for number, step in enumerate(steps) if is_index(step)), 0)
        if index:
            firsts["/".join(steps[:index]) + "/"] = None
    return list(firsts)


def _items(values: Values, path: str) -> dict[int, _Item]:
    items: dict[int, dict[str, Scalar]] = defaultdict(dict)
    for key, value in values.items():
        index, _, rest = key.removeprefix(path).partition("/")
        if key.startswith(path) and is_index(index):
            items[int(index)][rest] = value
    return dict(sorted(items.items()))


def _is_free(old: Iterable[_Item], new: Iterable[_Item], card: ReleasedCard, path: str, ids: Collection[str]) -> bool:
    """Return whether the order of some items has no meaning."""
    items = [*old, *new]
    if all(item.keys() == {""} for item in items):
        return any(f"{path}{index}" in card.values for index in range(len(items))) and all(
            isinstance(item[""], str) for item in items
        )
    return all("name" in item or any(value in ids for value in item.values()) for item in items)


def _places(old: Mapping[int, _Item], new: Mapping[int, _Item]) -> tuple[dict[int, int], bool]:
    """Return the later index of each earlier item, and whether items changed places.

    Items without a match have the places that are free, and then those behind the last one.
    """
    places: dict[int, int] = {}
    for key in (_content, _name):
        places |= _matches(_without(old, places), _without(new, places.values()), key)
    order = [places[index] for index in old if index in places]
    end = max(new, default=-1) + 1
    rest = (*_without(new, places.values()), *range(end, end + len(old)))
    return {**places, **dict(zip(_without(old, places), rest, strict=False))}, order != sorted(order)


def _without(items: Mapping[int, _Item], indexes: Iterable[int]) -> Mapping[int, _Item]:
    others = set(indexes)
    return {index: item for index, item in items.items() if index not in others}


def _matches(
    old: Mapping[int, _Item], new: Mapping[int, _Item], key: Callable[[_Item], Hashable | None]
) -> dict[int, int]:
    """Return the later index of each earlier item that has the same key as a later one."""
    free: dict[Hashable | None, deque[int]] = defaultdict(deque)
    for index, item in new.items():
        free[key(item)].append(index)
    keys = {index: key(item) for index, item in old.items()}
    return {index: free[each].popleft() for index, each in keys.items() if each is not None and free[each]}


def _content(item: _Item) -> Hashable:
    return frozenset(item.items())


def _name(item: _Item) -> Scalar | None:
    return item.get("name")


def _at_places(values: Values, path: str, places: Mapping[int, int]) -> dict[str, Scalar]:
    return {_at_place(key, path, places): value for key, value in values.items()}


def _at_place(key: str, path: str, places: Mapping[int, int]) -> str:
    index, slash, rest = key.removeprefix(path).partition("/")
    if not key.startswith(path) or not is_index(index):
        return key
    return f"{path}{places[int(index)]}{slash}{rest}"


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
    TRANSLATIONS = "translations"
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
    the card. `is_reordered` is true if items of its lists, such as weapons, have other places. `translations` are the
    texts that changed in other languages, with keys such as 'de/name'. `rules` are the values of its game, if that
    belongs to the project.
    """

    changes: tuple[Change, ...]
    old: ReleasedCard | None
    new: ReleasedCard | None
    values: tuple[ChangedValue, ...] = ()
    game_values: tuple[ChangedGameValue, ...] = ()
    is_reordered: bool = False
    translations: tuple[ChangedValue, ...] = ()
    rules: Values = MappingProxyType({})

    @property
    def labels(self) -> Iterator[tuple[str, str]]:
        """The labels of fields that have one, by the pointer of a value: 'Stärke' for 'starke'."""
        for key in {**{value.key: None for value in self.values}, **self.card.texts}:
            at, steps = f"{_KINDS}/{self.card.kind}", key.split("/")
            for number, step in enumerate(steps, 1):
                at += f"/{_ITEMS}" if is_index(step) else f"/{_FIELDS}/{step}"
                if label := self.rules.get(f"{at}/label"):
                    yield "/".join(steps[:number]), str(label)

    def kind(self, say: Callable[[str], str] = str) -> str:
        """Return the name of its kind as people read it; `say` translates names."""
        kind = self.card.kind
        told = say(kind)
        return told if told != kind else say(str(self.rules.get(f"{_KINDS}/{kind}/{_TITLE}", kind)))

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
    """A ruling of a game with its setting before and after; None for the default.

    `ruling` is None for one of another version.
    """

    game: str
    id: str
    old: str | None
    new: str | None
    ruling: Ruling | None = None

    @property
    def words(self) -> tuple[str, str, str]:
        """The question, and its answers before and after.

        Of a ruling of another version, which has no such question, they are made from the names.
        """
        ruling = self.ruling
        if ruling is None:
            before, after = (setting or "as usual" for setting in (self.old, self.new))
            return f"{self.id.replace('-', ' ').capitalize()}:", before, after
        before, after = (ruling.settings.get(each or ruling.default, str(each)) for each in (self.old, self.new))
        return ruling.question, before, after


class Changes(NamedTuple):
    """The cards and rulings that changed between two releases.

    `languages` are those that only one of them has, each with 'new' or 'gone'.
    """

    old: str
    new: str
    cards: tuple[ChangedCard, ...]
    rulings: tuple[ChangedRuling, ...]
    game_values: tuple[ChangedGameValue, ...] = ()
    languages: Mapping[str, str] = MappingProxyType({})

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


def compare(old: Release, new: Release, workspace: Workspace | None = None) -> Changes:
    """Return the changes from one release to another, sorted by class and id.

    The games of the workspace are those of the project besides the installed ones.
    """
    before, after = by_key(old.cards), by_key(new.cards)
    gone = [card for key, card in before.items() if key not in after]
    added = [card for key, card in after.items() if key not in before]
    renamed = _renamed(gone, added)
    comparison = _Comparison(old, new, workspace or Workspace(), {(one.game, one.id): two.id for one, two in renamed})
    pairs = [*((before[key], card) for key, card in after.items() if key in before), *renamed]
    changed = [each for pair in pairs if (each := comparison.changed(*pair)).changes]
    old_keys, new_keys = {one.key for one, _ in renamed}, {two.key for _, two in renamed}
    changed += [ChangedCard((Change.GONE,), card, None) for card in gone if card.key not in old_keys]
    changed += [ChangedCard((Change.NEW,), None, card) for card in added if card.key not in new_keys]
    order = {change: number for number, change in enumerate(Change)}
    cards = sorted(changed, key=lambda each: (order[each.change], each.card.id, each.card.key))
    return Changes(old.name, new.name, tuple(cards), comparison.rulings, comparison.game_values, comparison.languages)


def _changed_rulings(old: Release, new: Release, workspace: Workspace) -> Iterator[ChangedRuling]:
    """Yield the rulings that changed in games that both releases have."""
    shared = {card.game for card in old.cards} & {card.game for card in new.cards}
    for game in sorted(shared):
        one, two = old.rulings.get(game, {}), new.rulings.get(game, {})
        for name in sorted(one.keys() | two.keys()):
            if one.get(name) != two.get(name):
                ruling = next((each for each in _rulings(game, workspace) if each.id == name), None)
                yield ChangedRuling(game, name, one.get(name), two.get(name), ruling)


def _rulings(game: str, workspace: Workspace) -> Iterable[Ruling]:
    rules = ruleset.ruleset(game, workspace)
    return rules.rulings if isinstance(rules, Ruleset) else ()


class _Comparison:
    """Compares cards of two releases; `ids` are the new ids of renamed cards, by game and old id."""

    def __init__(self, old: Release, new: Release, workspace: Workspace, ids: Mapping[tuple[str, str], str]) -> None:
        self._ids, self._games = ids, {**old.games, **new.games}
        self.rulings = tuple(_changed_rulings(old, new, workspace))
        self.game_values = tuple(changed_game_values(old, new))
        self._card_ids = frozenset(card.id for release in (old, new) for card in release.cards)
        self._ruled_games = frozenset(each.game for each in self.rulings)
        before, now = old.languages, new.languages
        self._shared = before & now
        self.languages = {tag: "new" if tag in now else "gone" for tag in sorted(before ^ now)}

    def changed(self, old: ReleasedCard, new: ReleasedCard) -> ChangedCard:
        """Return how a card changed; without classes if it did not."""
        rules, words, is_reordered = self._values(old, new)
        its = tuple(each for each in self.game_values if each.concerns(old) or each.concerns(new))
        aspects = {each.aspect for each in its}
        look = _changed_look(old, new, bool(rules or words))
        translations = tuple(self._translations(old, new))
        tests = {
            Change.RULES: rules or Aspect.RULES in aspects or (new.game in self._ruled_games and bool(new.values)),
            Change.RENAMED: old.id != new.id,
            Change.WORDS: words or Aspect.WORDS in aspects,
            Change.TRANSLATIONS: translations,
            Change.LOOKS: bool(look) or is_reordered or Aspect.LOOKS in aspects,
            Change.COPIES: old.qty != new.qty,
        }
        classes = tuple(change for change, is_changed in tests.items() if is_changed)
        return ChangedCard(
            classes, old, new, (*rules, *words), its, is_reordered, translations, self._games.get(new.game, {})
        )

    def _translations(self, old: ReleasedCard, new: ReleasedCard) -> Iterator[ChangedValue]:
        """Yield the texts that changed in the languages of both releases, and that the later card still has."""
        if old.translations == new.translations:
            return
        one, two = (
            each._replace(values={}, texts={key: text for key, text in each.translations.items()
                                            if key.partition("/")[0] in self._shared})
            for each in (old, new)
        )  # fmt: skip
        yield from _changed(match_items(one, two, ()).texts, two.texts)

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
    """Return the cards with another id: those that say so, and those with the same rules and the best match."""
    candidates: dict[tuple[str, str, str], list[ReleasedCard]] = defaultdict(list)
    former = {(card.game, id_): card for card in added for id_ in card.formerly}
    for card in added:
        candidates[card.game, card.kind, card.rules].append(card)
    pairs = []
    for old in gone:
        others = candidates[old.game, old.kind, old.rules]
        best = former.pop((old.game, old.id), None) or _best_match(old, others)
        if best is not None:
            pairs.append((old, best))
            if best in others:
                others.remove(best)
    return pairs


def _best_match(old: ReleasedCard, others: Sequence[ReleasedCard]) -> ReleasedCard | None:
    """Return the card with the same name or texts, or else the one with the most similar texts, if any."""
    for new in others:
        if old.name == new.name or (old.texts == new.texts and (old.values or old.texts)):
            return new
    similar = [new for new in others[:_MOST_COMPARED] if _likeness(old, new)]
    return max(similar, key=partial(_likeness, old), default=None)


def _likeness(old: ReleasedCard, new: ReleasedCard) -> float:
    """Return the share of equal pairs of characters in the texts of two cards; 0 if they are not similar.

    Their order does not count: comparing that takes minutes for a text of few letters.
    """
    one, two = (list(pairwise("\n".join(texts_of(card))[:_MAX_COMPARED])) for card in (old, new))
    share = SequenceMatcher(None, one, two, autojunk=False).quick_ratio() if one and two else 0.0
    return share if share >= _SIMILAR else 0.0


# By default, odds are computed for at most this many changed cards.
QUICK_CHANGES = 20


class ChangedFigure(NamedTuple):
    """A figure of a benchmark before and after; None for a benchmark that one of the cards does not have.

    It is a chance, or else a mean.
    """

    title: str
    label: str
    old: Fraction | None
    new: Fraction | None
    is_chance: bool

    @property
    def texts(self) -> tuple[str, str]:
        """Both figures with as many digits as show their difference."""
        for digits in range(4):
            old, new = (self._text(value, digits) for value in (self.old, self.new))
            if old != new:
                break
        return old, new

    def _text(self, value: Fraction | None, digits: int) -> str:
        if value is None:
            return "none"
        return percent(value, digits) if self.is_chance else decimal(value, digits + 1)


class BalancePlace(NamedTuple):
    """The place of a card among all that fight, from 1, and its mean score: the chance to win, a draw counting half.

    In a large collection, the place is 0, and the score is that against as many `fighters`.
    """

    place: int
    fighters: int
    score: float


class Meaning(NamedTuple):
    """What the changed rules of a card mean; places are None for a card that does not fight."""

    figures: tuple[ChangedFigure, ...]
    old_place: BalancePlace | None = None
    new_place: BalancePlace | None = None


class Meanings(NamedTuple):
    """What changed rules mean by card, and what was not computed, or ''.

    `left_out` names the rules of cards that the odds and the duels of the balance leave to the players. `unknown` says
    of cards whose rules changed why their scores before and after cannot be compared.
    """

    cards: Mapping[CardKey, Meaning]
    note: str = ""
    left_out: tuple[str, ...] = ()
    unknown: Mapping[CardKey, str] = MappingProxyType({})


NOTHING: Meanings = Meanings({})


def meaning_lines(meaning: Meaning) -> Iterator[str]:
    """Yield a line for each benchmark with its figures, and one for the places."""
    rows: dict[str, list[str]] = {}
    for figure in meaning.figures:
        old, new = figure.texts
        rows.setdefault(figure.title, []).append(f"{figure.label} {old} → {new}".strip())
    yield from (f"{title}: {', '.join(texts)}" for title, texts in rows.items())
    if meaning.old_place and meaning.new_place:
        old_place, new_place = meaning.old_place, meaning.new_place
        scores = f"wins {old_place.score * 100:.1f} % → {new_place.score * 100:.1f} % of its duels"
        if new_place.place:
            both = (f"{each.place} of {each.fighters}" for each in (old_place, new_place))
            yield f"balance: place {' → '.join(both)}, {scores}"
        else:
            yield f"balance: {scores} against {quantity(new_place.fighters, 'card')}"


def meaning_data(meaning: Meaning | None) -> dict[str, object]:
    """Return what changed rules mean as plain data for JSON; empty if nothing is known."""
    if meaning is None:
        return {"odds": [], "balance": None}
    figures = [
        {
            "benchmark": each.title,
            "figure": each.label,
            "sort": "chance" if each.is_chance else "mean",
            "old": None if each.old is None else float(each.old),
            "new": None if each.new is None else float(each.new),
        }
        for each in meaning.figures
    ]
    both = {"old": meaning.old_place, "new": meaning.new_place}
    return {"odds": figures, "balance": {name: each._asdict() if each else None for name, each in both.items()}}
