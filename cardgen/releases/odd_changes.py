"""What is odd about how a branch changed cards, layouts, and settings, and is probably a slip."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any

from cardgen.checking.checks import beyond_its_cost
from cardgen.checking.locate import LocatedFinding, relative_name
from cardgen.deck.deck import rules_of
from cardgen.deck.release_file import CardKey
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, join_words
from cardgen.model.card import Card, Entry
from cardgen.model.card_values import COST_KEYS, cost_in
from cardgen.model.deck import find_links
from cardgen.project.files import LAYOUT_SUFFIX, display_path
from cardgen.project.project import Project
from cardgen.releases.branch_findings import FEWEST_LETTERS, FEWEST_WORDS, Branch, text_lines
from cardgen.releases.changed_texts import texts_of_rules
from cardgen.releases.earlier_values import ValueChange, quoted_lines
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.units import to_unit

# A cost that is lower, as a multiple of the earlier one; numbers that are higher, and by how much more than the cost.
_CHEAPER, _MANY_HIGHER, _HIGHER = 0.6, 3, 1.25
# Cards that are compared; numbers of a card, or cards, that are changed by mistake; the least range of a number; and
# how many times a number is another one if it is a slip, also where much is changed.
_FEWEST_OTHERS, _FEW_CHANGED, _LEAST_RANGE, _SEVERAL, _DIGIT, _TENFOLD = 4, 2, 2, 3, 5, 10
# Fields that cards have together with others, or that only select and show them.
_KEPT_TOGETHER = frozenset({"id", "name", "formerly", "tags", "note", "blazon", "template", "theme", "back"})


def odd_changes(branch: Branch) -> Iterator[LocatedFinding]:
    """Yield what is odd about the changes of a branch, with what was there before, each place once."""
    found = {(each.check.code, each.diagnostic.place): each for each in reversed([*_ChangedCards(branch).findings()])}
    for each in found.values():
        yield branch.explained(each)
    lost = _LostParts(branch).findings()
    yield from (each for each in lost if (each.check.code, each.diagnostic.place) not in found)


class _ChangedCards:
    """The cards that are not what they were, and what is odd about how they changed."""

    def __init__(self, branch: Branch) -> None:
        self._branch, self._earlier = branch, branch.earlier
        self._numbers = dict[Sequence[str], Mapping[CardKey, Mapping[str, float]]]()

    def findings(self) -> Iterator[LocatedFinding]:
        """Yield what is odd about the changes of each card."""
        before, now = self._branch.cards
        beyond = next((each for each in self._branch.result.checks if each.name == beyond_its_cost.NAME), None)
        for key, entry in now.items():
            old = before.get(key)
            if old and old.card == entry.card:
                continue
            if old and beyond and (found := _cost_jump(old.card, entry)):
                message, place = found
                name = entry.place(("name",))
                place = self._first_change(place) if place == name else place
                advice = "change its cost to what its numbers are worth"
                related = ((name, "the card"),)
                yield LocatedFinding(Diagnostic(beyond.code, message, place, advice, beyond.severity, related), beyond)
            if old:
                is_exchange = any(self._exchanged(old.card, entry))
                for message, place in () if is_exchange else self._beyond_others(key, old.card, entry):
                    advice = "if the change is intentional, keep it"
                    yield self._branch.finding(Code.ODD_CHANGE, message, place, advice, Severity.WARNING)
            for message, place in (*self._unanswered(old.card if old else None, entry), *self._huge(key, old, entry)):
                yield self._branch.finding(
                    Code.ODD_CHANGE, message, place, "if the change is intentional, keep it", Severity.WARNING
                )
            # A new card may stand wherever its author likes.
            severity = Severity.WARNING if old else Severity.NOTE
            for message, place, advice in self._misplaced(key, entry):
                yield self._branch.finding(Code.ODD_CHANGE, message, place, advice, severity)
            odd = [*self._exchanged(old.card, entry), *self._unlisted(old.card, entry)] if old else []
            odd += self._exchanged_parts(old.card, entry) if old else ()
            odd += _own_names(old.card if old else None, entry)
            for message, place, advice in (*odd, *_copied(old.card if old else None, entry, now.values())):
                yield self._branch.finding(Code.ODD_CHANGE, message, place, advice, Severity.NOTE)

    def _beyond_others(self, key: CardKey, old: Card, entry: Entry) -> Iterator[tuple[str, Place]]:
        """Yield the numbers that are far beyond those of all other cards of the kind, and were not.

        Whoever changes many numbers of a card, or its cost as well, means it, unless one is several times what it was.
        """
        before, now = _numbers(old), _numbers(entry.card)
        changed = [name for name in before.keys() & now.keys() if before[name] != now[name]]
        is_meant = len(changed) > _FEW_CHANGED or any(name in COST_KEYS for name in changed)
        for name in changed:
            was, value = before[name], now[name]
            theirs = [each[name] for each in self._numbers_of(key, entry) if name in each]
            if name in COST_KEYS or len(theirs) < _FEWEST_OTHERS:
                continue
            low, high = min(*theirs, was), max(*theirs, was)
            usual, beyond = max(high - low, high / 2, _LEAST_RANGE), max(low - value, value - high)
            is_far = abs(value - was) >= usual and beyond > usual / 2
            is_slip = beyond > 0 and max(value, was) >= (_DIGIT if is_meant else _SEVERAL) * max(0.1, min(value, was))
            if is_slip or (is_far and not is_meant):
                said = f"{min(theirs):g} to {max(theirs):g}" if min(theirs) < max(theirs) else f"{max(theirs):g}"
                message = (
                    f"'{name.replace(' ', '.')}' of '{entry.card.name}' is {value:g} instead of {was:g}; "
                    f"the other {len(theirs)} have {said}"
                )
                yield message, self._change_of(entry, was, value)

    def _huge(self, key: CardKey, old: Entry | None, entry: Entry) -> Iterator[tuple[str, Place]]:
        """Yield the numbers of parts and of new cards that are ten times all others of the kind, or what they were."""
        before, now = _numbers(old.card) if old else {}, _numbers(entry.card)
        new = {name: value for name, value in now.items() if value >= _TENFOLD and before.get(name) != value}
        for name in new if len(new) <= _FEW_CHANGED else ():
            theirs = [each[name] for each in self._numbers_of(key, entry) if each.get(name)]
            theirs += [before[name]] if before.get(name) else []
            is_told = old is not None and len(theirs) > _FEWEST_OTHERS  # `_beyond_others` says so.
            is_known = not is_told and name not in COST_KEYS and (old or len(theirs) >= _FEWEST_OTHERS)
            if theirs and is_known and now[name] >= _TENFOLD * max(map(abs, theirs)):
                said = f"it was {before[name]:g}" if name in before else f"the others have {max(theirs):g} at most"
                message = f"'{name.replace(' ', '.')}' of '{entry.card.name}' is {now[name]:g}; {said}"
                yield message, self._change_of(entry, before.get(name, now[name]), now[name])

    def _unanswered(self, old: Card | None, entry: Entry) -> Iterator[tuple[str, Place]]:
        """Yield where a card names one that names another, though all that named one another did so in pairs."""
        for link in find_links(entry.card):
            other = entry.links.get((link.kind, link.name))
            before = {each.name for each in find_links(old) if each.key_path[:1] == link.key_path[:1]} if old else set()
            is_new = other is not None and link.name not in before and other.kind == entry.kind and other is not entry
            if other is None or not is_new or not self._are_pairs(entry, link.key_path[0]):
                continue
            theirs = _named_by(other, link.key_path[0])
            if (entry.kind, entry.card.id) not in theirs:
                others = join_words([f"'{name}'" for name in theirs.values()] or ["nobody"], "and")
                one, its = entry.card.name, other.card.name
                message = f"'{one}' refers to '{its}', but '{its}' refers to {others} instead"
                yield message, entry.place(link.key_path)

    def _are_pairs(self, entry: Entry, field: str | int) -> bool:
        """Return whether the cards of then that name another of their kind in a field were named by it."""
        of_kind = {key: each for key, each in self._branch.cards[0].items() if key[:2] == (entry.game, entry.kind)}
        named = {key[1:]: _named_by(each, field) for key, each in of_kind.items()}
        pairs = [(one, other) for one, theirs in named.items() for other in theirs]
        return len(pairs) >= _FEWEST_OTHERS and all(one in named.get(other, ()) for one, other in pairs)

    def _numbers_of(self, key: CardKey, entry: Entry) -> Sequence[Mapping[str, float]]:
        """Return the numbers of the other cards of a kind."""
        now = self._branch.cards[1]
        if key[:2] not in self._numbers:
            of_kind = ((other, each.card) for other, each in now.items() if other[:2] == key[:2])
            self._numbers[key[:2]] = {other: _numbers(card) for other, card in of_kind}
        return [numbers for other, numbers in self._numbers[key[:2]].items() if other != key]

    def _change_of(self, entry: Entry, was: float, value: float) -> Place:
        """Return where a number of a card changed."""
        name = entry.place(("name",))
        old, new = (re.compile(rf"(?<![\d.]){re.escape(f'{each:g}')}(?![\d.])") for each in (was, value))
        changes = [each for each in self._earlier.changes_at(name) if old.search(each.old) and new.search(each.new)]
        return changes[0].at if changes else self._first_change(name)

    def _misplaced(self, key: CardKey, entry: Entry) -> Iterator[tuple[str, Place, str]]:
        """Yield the words by which the cards of a kind are ordered, if a card is among those with another one."""
        cards = [each for each in self._branch.cards if each]
        if len(cards) < len(self._branch.cards):
            return
        then, now = ([each for other, each in of.items() if other[:2] == key[:2]] for of in cards)
        for field in type(entry.card).model_fields:
            word = _word_of(entry.card, field)
            if not word or (field in Card.model_fields and field != "tags"):
                continue
            before, after = ([_word_of(each.card, field) for each in of] for of in (then, now))
            old = self._branch.cards[0].get(key)
            is_new = old is None or _word_of(old.card, field) != word
            if not (is_new and word in before and _is_ordered(before) and not _is_ordered(after)):
                continue
            words = [each for each, other in zip(after, now, strict=True) if other.document.file == entry.document.file]
            at = [each for each in now if each.document.file == entry.document.file].index(entry)
            others = {each for number, each in enumerate(words) if number != at}
            around = {words[other] for other in (at - 1, at + 1) if 0 <= other < len(words)}
            usual = next(iter(around)) if len(around) == 1 else _word_of(old.card, field) if old else ""
            is_inside = old or 0 < at < len(words) - 1 or (len(words) > _FEWEST_OTHERS and len(others) == 1)
            if is_inside and around and usual and usual != word:
                message = f"'{field}' of '{entry.card.name}' is '{word}', and the cards around it have '{usual}'"
                yield message, entry.place((field,)), f"write '{usual}', or move it to those that have '{word}'"

    def _exchanged(self, old: Card, entry: Entry) -> Iterator[tuple[str, Place, str]]:
        """Yield the only two numbers that changed, if each is what the other was."""
        before, now = _numbers(old), _numbers(entry.card)
        changed = [key for key in before.keys() | now.keys() if before.get(key) != now.get(key)]
        are_kept = all(key in before and key in now for key in changed)
        if len(changed) == 2 and are_kept and all(before[a] == now[b] for a, b in (changed, changed[::-1])):
            one, other = sorted(changed)
            name = entry.place(("name",))
            place = self._first_change(name)
            said = f"'{one}' and '{other}' of '{entry.card.name}' have each other's earlier values"
            back = " and ".join(f"'{each.rpartition(' ')[2]}: {before[each]:g}'" for each in (one, other))
            yield said, place, f"write {back} again, unless both changes are intentional"

    def _exchanged_parts(self, old: Card, entry: Entry) -> Iterator[tuple[str, Place, str]]:
        """Yield the only two texts or lists that changed in a card, or the one text in two, if they were exchanged."""
        name, advice = entry.place(("name",)), "exchange them again, unless both changes are intentional"
        names = [link.name for link in find_links(entry.card)]
        pair, value = _exchange_in(old.model_dump(), entry.card.model_dump())
        if pair and value not in names:  # Who has what is for the author of a list to choose.
            message = f"{pair} of '{entry.card.name}' have each other's earlier values"
            yield message, self._first_change(name), advice
        field, was, becomes = self._only_change(old, entry.card)
        for other in self._branch.cards[1].values() if field and becomes not in names else ():
            theirs = self._branch.cards[0].get((other.game, other.kind, other.card.id))
            is_other = theirs is not None and (other.game, other.kind) == (entry.game, entry.kind)
            if theirs and is_other and self._only_change(theirs.card, other.card) == (field, becomes, was):
                message = f"'{entry.card.name}' and '{other.card.name}' have exchanged their '{field}'"
                yield message, self._first_change(name), advice

    def _only_change(self, old: Card, new: Card) -> tuple[str, object, object]:
        """Return the only field of a card that changed, if it is a text or list, with its values; or ''."""
        before, now = (card.model_dump() for card in (old, new))
        changed = _changed_keys(before, now)
        field = changed[0] if len(changed) == 1 else ""
        was, becomes = (values.get(field) for values in (before, now))
        is_kept = field in _KEPT_TOGETHER or not all(map(_is_words, (was, becomes)))
        return ("", None, None) if is_kept else (field, was, becomes)

    def _unlisted(self, old: Card, entry: Entry) -> Iterator[tuple[str, Place, str]]:
        """Yield the words that a list of a card lost, and that its texts still say."""
        texts = " ".join(texts_of_rules(entry.card))
        for field in type(entry.card).model_fields:
            before, now = getattr(old, field, None), getattr(entry.card, field)
            if field == "tags" or not (isinstance(before, tuple) and isinstance(now, tuple)):
                continue
            for word in before:
                is_gone = isinstance(word, str) and len(word) >= FEWEST_LETTERS and word not in now
                if is_gone and re.search(rf"\b{re.escape(word)}\b", texts, re.IGNORECASE):
                    changes = self._earlier.changes_at(entry.place(("name",)))
                    gone = (each.at for each in changes if word in each.old and word not in each.new)
                    place = next(gone, entry.place((field,)))
                    message = f"'{field}' has no '{word}' any more, but a text of '{entry.card.name}' still says it"
                    yield message, place, f"add '{word}' again, or change the text"

    def _first_change(self, place: Place) -> Place:
        """Return where the first value of the card at a place changed, or that place."""
        return next((each.at for each in self._earlier.changes_at(place) if each.old and each.new), place)


class _LostParts:
    """What cards and settings have lost, and what has come to be a card, though nobody wrote it."""

    def __init__(self, branch: Branch) -> None:
        self._branch, self._earlier = branch, branch.earlier

    def findings(self) -> Iterator[LocatedFinding]:
        """Yield the cards that lost a part without any other change, if they are few, and lost settings."""
        before, now = self._branch.cards
        lost = list[tuple[str, Sequence[ValueChange]]]()
        for key, entry in now.items():
            old = before.get(key)
            if old and old.card != entry.card and (gone := self._lost_of(old.card, entry)):
                lost.append((f"'{entry.card.name}'", gone))
        if len(lost) <= _FEW_CHANGED:
            for name, gone in lost:
                yield self._finding(f"a part of {name} was removed, and nothing else of it has changed", gone)
        for each in self._earlier.changes_in(SETTINGS_FILE):
            if each.key and not each.new and self._had_effect(each.key):
                yield self._finding(f"the setting '{each.key}' was removed", [each])
        for each in self._earlier.changes_in(SETTINGS_FILE):
            was, length = (_LENGTH.fullmatch(text) for text in (each.old, each.new))
            if was and length and was[1] == length[1] and _is_slip_of(_mm(was), _mm(length)):
                units = was[3] != length[3]
                shown = (f"{one[2]} {one[3]}" if units else one[2] for one in (length, was))
                message = f"the setting '{each.key}' is {' instead of '.join(shown)}"
                yield self._branch.odd(message, each.at, "if the change is intentional, keep it", Severity.NOTE)
        for each in self._earlier.valued:
            was, copies = (re.fullmatch(r"\W*qty\W+(\d{1,6})\W*", text) for text in (each.old, each.new))
            if was and copies and _is_slip_of(int(was[1]), int(copies[1])):
                message = f"'qty' is {copies[1]} instead of {was[1]}"
                yield self._branch.odd(message, each.at, "if the change is intentional, keep it", Severity.NOTE)
        yield from self._let_in()
        yield from self._boxes()

    def _finding(self, message: str, gone: Sequence[ValueChange]) -> LocatedFinding:
        advice = f"this branch removed {quoted_lines(gone)}; restore it, unless that was intentional"
        return self._branch.finding(Code.ODD_CHANGE, message, gone[0].at, advice, Severity.NOTE)

    def _lost_of(self, old: Card, entry: Entry) -> Sequence[ValueChange]:
        """Return what was removed from a card, if nothing else was changed."""
        changes = self._earlier.changes_at(entry.place(("name",)))
        fields = [field for field in type(old).model_fields if getattr(old, field) != getattr(entry.card, field, None)]
        texts = [str(getattr(entry.card, field, None) or "") for field in fields]
        is_shorter_text = all(len(each.split()) >= FEWEST_WORDS for each in texts)
        gone = [each for each in changes if each.old.rstrip(" ,") != each.new.rstrip(" ,")]
        return gone if gone and not any(each.new for each in gone) and not is_shorter_text else ()

    def _boxes(self) -> Iterator[LocatedFinding]:
        """Yield the boxes of layouts that the branch moved off the card; shapes and pictures may fill the bleed."""
        # Imported here because few branches change layouts.
        from cardgen.face.inkscape_texts import DrawingError
        from cardgen.face.layout import read_layout

        for name in self._earlier.changed_files:
            texts = ["\n".join(text_lines(top, name)) for top in (self._branch.folder, self._branch.root)]
            if not name.endswith(LAYOUT_SUFFIX) or not texts[1]:
                continue
            try:
                (old, _), (new, document) = (
                    read_layout(text, display_path(self._branch.root / name)) for text in texts
                )
            except DrawingError:
                continue
            known = {box.at for box in old.boxes} if old.size == new.size else set()
            for number, box in enumerate(new.boxes if new.size and old.size == new.size else ()):
                (left, top, width, height), (wide, high) = box.at, new.size or (0, 0)
                over = {"left": -left, "right": left + width - wide, "top": -top, "bottom": top + height - high}
                side = max(over, key=lambda each: over[each])
                if box.at not in known and over[side] > (_BLEED if box.shape or box.picture else 0):
                    edge = f"the {side} edge of the card of {wide:g} x {high:g} mm"
                    message = f"the box reaches {over[side]:g} mm beyond {edge}"
                    fits = [
                        max(0, min(left, wide - width)),
                        max(0, min(top, high - height)),
                        min(width, wide),
                        min(height, high),
                    ]
                    advice = f"write 'at: [{', '.join(f'{each:g}' for each in fits)}]'"
                    place = document.place(("boxes", number, "at"))
                    yield self._branch.odd(message, place, advice)

    def _had_effect(self, key: str) -> bool:
        """Return whether a setting of the project is another one without its line."""
        try:
            settings = [Project.open(each).settings for each in (self._branch.then, self._branch.now)]
        except CardgenError:
            return False
        return key in type(settings[0]).model_fields and getattr(settings[0], key) != getattr(settings[1], key)

    def _let_in(self) -> Iterator[LocatedFinding]:
        """Yield the changes of settings for which rows are cards that were there already, and were left out."""
        before, now = self._branch.cards
        for table in {each.document.file for key, each in now.items() if key not in before} if before else ():
            name = relative_name(table, self._branch.root)
            settings = self._earlier.changes_in(SETTINGS_FILE)
            of_table = [each for each in settings if name in self._earlier.above(SETTINGS_FILE, each)]
            is_same = (self._branch.folder / name).is_file() and not self._earlier.changes_in(name)
            if is_same and of_table:
                added = [
                    each.card.name for key, each in now.items() if key not in before and each.document.file == table
                ]
                shown = join_words([f"'{each}'" for each in added[:_FEWEST_OTHERS]], "and")
                more = f", and {len(added) - _FEWEST_OTHERS} more" if len(added) > _FEWEST_OTHERS else ""
                message = f"rows of '{name}' are cards now that were left out: {shown}{more}"
                cause = of_table[0]
                advice = f"this branch removed {quoted_lines([cause])}" if not cause.new else ""
                told = self._branch.finding(Code.ODD_CHANGE, message, cause.at, advice, Severity.WARNING)
                yield told if advice else self._branch.explained(told)


def _changed_keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [key for key in old if old[key] != new.get(key)]


def _is_words(value: object) -> bool:
    return bool(value) and isinstance(value, str | tuple | Mapping)


def _exchange_in(old: object, new: object) -> tuple[str, object]:
    """Return the names of two texts or lists of a part that were exchanged, and nothing else, and one of them; or ''.

    Parts of a list that have changed places are as they were.
    """
    nothing = "", None
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        changed = _changed_keys(old, new)
        values = [(old[name], new.get(name)) for name in changed]
        if len(changed) == 1:
            return _exchange_in(*values[0])
        is_exchange = len(changed) == 2 and values[0] == values[1][::-1] and all(map(_is_words, values[0]))
        return (join_words([f"'{name}'" for name in changed], "and"), values[0][0]) if is_exchange else nothing
    if not (isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new)):
        return nothing
    pairs = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    if len(pairs) == 1:
        return _exchange_in(*pairs[0])
    if len(pairs) != 2 or pairs[0] == pairs[1][::-1]:
        return nothing
    fields = [_changed_keys(*pair) if all(isinstance(each, Mapping) for each in pair) else [] for pair in pairs]
    if fields[0] != fields[1] or len(fields[0]) != 1:
        return nothing
    (name,) = fields[0]
    one, other = ([each.get(name) for each in pair] for pair in pairs)
    is_exchange = one == other[::-1] and all(isinstance(each, str) for each in one)
    return (f"two '{name}'", one[0]) if is_exchange else nothing


def _own_names(old: Card | None, entry: Entry) -> Iterator[tuple[str, Place, str]]:
    """Yield where a card names itself, and has not done so before."""
    names = {entry.card.id, entry.card.name}
    before = {link.key_path for link in find_links(old) if link.name in names} if old else set()
    for link in find_links(entry.card):
        linked = entry.links.get((link.kind, link.name))
        is_itself = linked and (linked.game, linked.kind, linked.card.id) == (entry.game, entry.kind, entry.card.id)
        if is_itself and link.key_path not in before:
            yield (
                f"'{entry.card.name}' refers to itself",
                entry.place(link.key_path),
                "refer to another card, or to none",
            )


def _named_by(entry: Entry, field: str | int) -> dict[tuple[str, str], str]:
    """Return the cards that a card names in a field: their kinds and ids, with their names."""
    links = (each for each in find_links(entry.card) if each.key_path[:1] == (field,))
    named = (other for each in links if (other := entry.links.get((each.kind, each.name))))
    return {(each.kind, each.card.id): each.card.name for each in named}


def _word_of(card: Card, field: str) -> str:
    """Return a value of a card by which cards can be ordered, or ''."""
    value = getattr(card, field, None)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) if all(isinstance(each, str) for each in value) else ""
    return str(value) if isinstance(value, str) and len(value.split()) <= FEWEST_WORDS else ""


def _is_ordered(words: Sequence[str]) -> bool:
    """Return whether each word is that of cards in a row, and most words are those of several."""
    runs = 1 + sum(one != other for one, other in pairwise(words))
    return runs == len({*words}) and 1 < runs <= len(words) / 2


def _numbers(card: Card) -> dict[str, float]:
    """Return the numbers of a card by key, its cost among them."""
    costs = {key: cost for key in COST_KEYS if isinstance(cost := getattr(card, key, None), int | float)}
    return {**beyond_its_cost.numbers_of(card), **costs}


def _cost_jump(old: Card, entry: Entry) -> tuple[str, Place] | None:
    """Return why a card is not worth its cost any more, and the place; None if it is, or for a list of cards."""
    card = entry.card
    models = (rules_of(entry).kinds[link.kind].model for link in find_links(card))
    if not card.HAS_RULES or any(key in model.model_fields for model in models for key in COST_KEYS):
        return None
    before, now = beyond_its_cost.numbers_of(old), beyond_its_cost.numbers_of(card)
    higher = [key for key in before if now.get(key, 0) > before[key] > 0]
    is_lower = any(now.get(key, 0) < before[key] for key in before)
    is_only = len(_changed_keys(old.model_dump(), card.model_dump())) == 1
    cost, new_cost = (cost_in(each) or (_multiple(each) if is_only else None) for each in (old, card))
    ratio = new_cost / cost if cost and new_cost else 1
    place = entry.place(next(((key,) for key in COST_KEYS if getattr(card, key, None) == new_cost), ("name",)))
    if ratio <= _CHEAPER and not is_lower:
        return f"it costs {new_cost:g} instead of {cost:g}, and none of its numbers is lower", place
    if ratio >= 1 / _CHEAPER and not higher and now.keys() <= before.keys():
        return f"it costs {new_cost:g} instead of {cost:g}, and none of its numbers is higher", place
    growth = mean(now[key] / before[key] for key in higher) if higher else 1
    if len(higher) < _MANY_HIGHER or is_lower or growth < _HIGHER * max(1, ratio):
        return None
    shown = join_words([f"{key} {now[key]:g} instead of {before[key]:g}" for key in higher[:_MANY_HIGHER]], "and")
    meanwhile = (
        f"for {new_cost:g} instead of {cost:g}" if ratio != 1 else "for the same cost" if cost else "for nothing"
    )
    return f"it is far better than before {meanwhile}: {shown}", entry.place(("name",))


def _multiple(card: Card) -> float | None:
    """Return a cost that is a number of equal dice, such as a triple."""
    words = (getattr(card, key, None) for key in COST_KEYS)
    return next((float(_MULTIPLES[word]) for word in words if isinstance(word, str) and word in _MULTIPLES), None)


_MULTIPLES = {"single": 1, "double": 2, "triple": 3, "quad": 4, "quadruple": 4}


def _copied(old: Card | None, entry: Entry, cards: Collection[Entry]) -> Iterator[tuple[str, Place, str]]:
    """Yield the motto and picture that a card has got, and that just one other card has."""
    for field in ("motto", "art"):
        value = str(getattr(entry.card, field) or "")
        if not value or (field == "motto" and len(value.split()) < FEWEST_WORDS):
            continue
        if old is None or str(getattr(old, field) or "") != value:
            others = [each for each in cards if each is not entry and str(getattr(each.card, field) or "") == value]
            if len(others) == 1:
                message = f"'{entry.card.name}' has the {_CALLED[field]} of '{others[0].card.name}'"
                advice = f"give each its own {_CALLED[field]}, unless both are meant to have this one"
                yield message, entry.place((field,)), advice


# The key of a setting, and a length in it; the widest usual bleed in mm.
_LENGTH, _BLEED = re.compile(r"(\w+):\s+(\d+(?:\.\d+)?)\s*(mm|cm|in|pt)"), 4


def _mm(length: re.Match[str]) -> float:
    return float(length[2]) / to_unit(1, length[3])


def _is_slip_of(was: float, now: float) -> bool:
    """Return whether a length is nothing any more, or several times what it was."""
    return was != now and max(was, now) >= _DIGIT * min(was, now)


_CALLED = {"motto": "motto", "art": "picture"}
