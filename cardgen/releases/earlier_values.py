"""What the files of a project said before a branch, at the places where they say something else now."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.checking.locate import relative_name
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span, join_words, slugify
from cardgen.model.card_values import COST_KEYS
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE, TABLE_SUFFIXES
from cardgen.source.list_changes import ListChanges
from cardgen.tables.table import Row, Table, as_text
from cardgen.tables.table_file import read_sheets
from cardgen.units import quantity

# Bytes of a file that is compared, lines that a change may have, and pairs of lines that are compared letter by letter;
# more are another file.
_LARGEST, _MOST_LINES, _MOST_PAIRS = 4 * 2**20, 100, 5_000
_BINARY = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".pdf", ".ttf", ".otf", ".woff", ".woff2", ".zip"})
_TABLES = frozenset({*TABLE_SUFFIXES} - {".json", ".jsonl", ".ndjson"})
_TOKEN = re.compile(r"\s+|[\w.]+|.")
_KEY = re.compile(r"""(?:- )?(["']?)([\w .-]+)\1\s*:(?:\s|$)""")
# A text without quotation marks in a map in braces, up to a comma.
_PLAIN_TEXT = re.compile(r"[{,]\s*(?P<key>[\w.-]+): +(?P<value>[^\W\d][^{}\[\]\"#:]*, +)\Z")
# A line with a key and a text, in which commas separate nothing.
_TEXT_LINE = re.compile(r"""\s*(?:- )?["']?[\w .-]+["']?\s*:\s+[^\s{\[|>&*!#][^{}\[\]]*$""")
# The key of a list in a line, and its items before one of them.
_LIST_START = re.compile(r"""([\w.-]+["']?:\s*\[)[^\[\]{}]*$""")
# How a change to the indentation of a line is shown.
_INDENT = re.compile(r"\d+ spaces?(?: before '|$)")
# What follows the name of a file that is a key.
_PATH_KEY = re.compile(r"\s*:(?:\s.*)?$")
_ITEM_START, _ITEM_END = re.compile(r"[{\[]\s*|,\s+|^\s*(?:- )*"), re.compile(r"\s*(?:,\s|,?$|[}\]])")
_QUOTED = re.compile(r"'([^']+)'")
# Characters of an item that are quoted, those between changes that are one, words of a value, and values to name.
_LONGEST, _GAP, _MOST_WORDS, _MOST_SHOWN = 70, 2, 7, 3
# Characters of a line whose items are compared one by one, which takes their number squared.
_LONGEST_LINE = 2_000
# How alike two lines are of which one became the other.
_FEWEST_ALIKE = 0.4
# Letters of a name, and how alike one is to another that is a slip; words that change in a slip; and files to look at.
_SHORTEST, _SLIP, _FEW_WORDS, _MOST_FILES = 3, 0.75, 3, 1_000
_UNKNOWN = re.compile(r"\bunknown\b|\bcannot be\b|\bmust be\b")
# What messages say of a drawing that ends too early, and where a game is named.
_BROKEN, _GAME = "is not well-formed", "game: "
_MEANT = re.compile(r"; did you mean .*\?$")
# What a line with a whole card says.
_NAMED = re.compile(r"\bname[\"']?:\s")
# Cells of a row that have changed together if one was left out.
_SHIFTED = 3

# The label of the place where a change of another place is found.
FOUND_HERE = "found here"
# That of the change which a finding with a fix names.
CHANGED_HERE = "changed here"


class ValueChange(NamedTuple):
    """What was at a place, and what is there now; either is '' if there is nothing.

    `at` is the place now, or where the value would be. `card` numbers the card, or the row of a table, that it belongs
    to. `line` is the line or row of then.
    """

    old: str
    new: str
    key: str
    at: Place
    card: int
    line: int = 0


class EarlierValues:
    """The changes of a project since a base, whose files are in `folder`.

    `cards` are the places of the cards of then: file, line, and cell. `known` are the files, codes, and lines of what
    was found then.
    """

    def __init__(
        self, folder: Path, root: Path, cards: Iterable[tuple[str, int, str]], known: Iterable[tuple[str, str, int]]
    ) -> None:
        self._folder, self._root, self._known = folder, root, frozenset(known)
        self._starts: dict[str, list[int]] = {}
        for file, line, _ in sorted(cards):
            self._starts.setdefault(file, []).append(line)
        self._of_file = cache(self._compare)

    def explained(self, diagnostic: Diagnostic, *, can_move: bool, has_fix: bool = False) -> Diagnostic:
        """Return a diagnostic that says what was at its place, or what changed in its card, file, or project.

        One at a place that did not change moves to the one change that causes it, if it `can_move`. One that has a fix
        stays where that is, and names the change.
        """
        name = relative_name(diagnostic.place.file, self._root)
        if quoted := _unquoted(diagnostic):
            return diagnostic._replace(help=quoted)
        compared = self._of_file(name)
        if compared is None or diagnostic.place.is_argument:
            return diagnostic
        if _BROKEN in diagnostic.message and (name, diagnostic.code) not in {each[:2] for each in self._known}:
            return _with_advice(diagnostic, "before this branch the file was complete; restore it")
        game = next((each for each in compared.changes if each.new.startswith(_GAME) and each.old != each.new), None)
        if game and diagnostic.code == Code.UNKNOWN_KIND:
            advice = f"before this branch: {_quoted([game])}; restore that value" if game.old else "remove it"
            return _moved(diagnostic, game.at, f"this branch wrote `{game.new}` here; {advice}")
        here = [each for each in compared.changes if _touches(each.at, diagnostic.place)]
        in_line = [each for each in compared.changes if _is_in_line(each.at, diagnostic.place)]
        here = here or (in_line if len({each.old for each in in_line}) == 1 else [])
        card = compared.card_at(diagnostic.place)
        of_card = [each for each in compared.changes if each.card == card]
        if not here and (lost := self._lost_elsewhere(diagnostic)):
            return _restored(diagnostic, lost)
        if lost := _lost(here or of_card or compared.changes, diagnostic):
            return _restored(diagnostic, lost)
        if valued := [each for each in here if each.old and each.new]:
            others = [
                each for each in in_line if each not in valued and any(_are_exchanged(each, one) for one in valued)
            ]
            return self._with_earlier(diagnostic, name, [*valued, *others])
        if here:
            return _of_part(diagnostic, here, of_card)
        if renamed := self._renamed(diagnostic):
            return _at_cause(_of_renamed(diagnostic), [renamed])
        if not can_move:
            return diagnostic
        changes = of_card or compared.changes or self._everywhere
        named = _named(of_card, diagnostic)
        cause = named or (changes if len({each.old for each in changes}) == 1 or _is_block(changes) else ())
        if cause and not any(each.new for each in cause):
            return _restored(diagnostic, *cause)
        if not has_fix and (added := _added(of_card, diagnostic)):
            more = f" and {len(of_card) - 1} more" if len(of_card) > 1 else ""
            return _moved(
                diagnostic, added.at, f"this branch added `{added.new}`{more}; remove {'them' if more else 'it'}"
            )
        is_only = bool(of_card) or len(self.changed_files) == 1
        if not cause and is_only:
            cause = _several(changes, diagnostic, only_named=has_fix)
            if cause and not has_fix:
                return _at_cause(diagnostic, cause)
        if not cause or not all(each.old and each.new for each in cause):
            return diagnostic
        moved = _at_cause(diagnostic, cause[:_MOST_SHOWN])
        back = ((moved.place, CHANGED_HERE), *diagnostic.related)
        return diagnostic._replace(related=back, help=moved.help) if has_fix else moved

    def _with_earlier(self, diagnostic: Diagnostic, name: str, changes: Sequence[ValueChange]) -> Diagnostic:
        """Return a diagnostic with what was at its place: as the first remedy, unless that is hardly what is meant."""
        earlier = _quoted(changes)
        was_wrong = any((name, diagnostic.code, each.line) in self._known for each in changes)
        if was_wrong or any(_is_prose(each) and _words_changed(each) > _FEW_WORDS for each in changes):
            return diagnostic._replace(
                help="; ".join(filter(None, (diagnostic.help, f"before this branch: {earlier}")))
            )
        what = "indentation" if _INDENT.match(changes[0].old) else "value"
        return _with_advice(diagnostic, f"before this branch: {earlier}; restore that {what}")

    def _lost_elsewhere(self, diagnostic: Diagnostic) -> ValueChange | None:
        """Return what was removed from another file, and is called as a message quotes; a reference says so already."""
        if diagnostic.code == Code.UNKNOWN_REFERENCE:
            return None
        elsewhere = [each for each in self._removed if each.at.file != diagnostic.place.file]
        settings = [each for each in elsewhere if Path(each.at.file).name == SETTINGS_FILE]
        words = _QUOTED.findall(diagnostic.message)
        said = (each for each in settings if any(word in re.findall(r"[\w-]+", each.old) for word in words))
        return next(iter([*_named(elsewhere, diagnostic), *said]), None)

    def _renamed(self, diagnostic: Diagnostic) -> ValueChange | None:
        """Return the change of the only name that a message quotes first, if the new one looks like a slip."""
        name = _QUOTED.search(diagnostic.message)
        slug = slugify(name[1]) if name else ""
        if len(slug) < _SHORTEST or not _UNKNOWN.search(diagnostic.message):
            return None
        changed = [each for each in self.valued if _says(each.old, slug) and not _says(each.new, slug)]
        changed = [each for each in changed if slugify(each.key) == slug] or changed
        return changed[0] if len({each.old for each in changed}) == 1 and _is_slip(changed[0]) else None

    def is_changed(self, place: Place) -> bool:
        """Return whether the branch wrote a line, or cell."""
        compared = self._of_file(relative_name(place.file, self._root))
        changes = compared.changes if compared else ()
        return any(each.new and (_is_in_line(each.at, place) or _touches(each.at, place)) for each in changes)

    def is_own(self, place: Place) -> bool:
        """Return whether a place is in the project."""
        return place.is_argument or regular_file.stays_inside(self._root, Path(place.file))

    def is_changed_file(self, place: Place) -> bool:
        """Return whether the branch added or changed a file."""
        name = relative_name(place.file, self._root)
        return _read(self._folder, name) != _read(self._root, name)

    def words_written(self, place: Place) -> frozenset[str]:
        """Return the words that the branch wrote in the line of a place, and that were not there."""
        changes = self.changes_in(relative_name(place.file, self._root))
        pairs = [
            (re.findall(r"[\w-]+", text) for text in (each.old, each.new))
            for each in changes
            if _is_in_line(each.at, place)
        ]
        return frozenset(word for old, new in pairs for word in {*new} - {*old})

    def card_of(self, place: Place) -> tuple[str, int]:
        """Return the file and number of the card at a place; that of what is in none is its line, below 0."""
        name = relative_name(place.file, self._root)
        compared = self._of_file(name)
        card = compared.card_at(place) if compared else -1
        return name, card if card >= 0 or not place.span else -place.span.line - 1

    def changes_at(self, place: Place) -> Sequence[ValueChange]:
        """Return what changed in the card at a place, or in its whole file."""
        compared = self._of_file(relative_name(place.file, self._root))
        card = compared.card_at(place) if compared else -1
        changes = compared.changes if compared else ()
        return [each for each in changes if each.card == card] or [each for each in changes if each.card == -1]

    def changes_of_card(self, name: str, line: int) -> Sequence[ValueChange] | None:
        """Return what changed in the card that was in a line, or row, of a file; None if the file is not compared."""
        compared = self._of_file(name)
        return None if compared is None else [each for each in compared.changes if compared.was_in(each, line)]

    def changes_in(self, name: str) -> Sequence[ValueChange]:
        """Return what changed in a file."""
        compared = self._of_file(name)
        return compared.changes if compared else ()

    def above(self, name: str, change: ValueChange) -> Sequence[str]:
        """Return the keys of a text of then that a change is below."""
        lines = _text(self._folder, name) or ()
        line = change.line
        keys, indent = list[str](), len(lines[line - 1]) - len(lines[line - 1].lstrip()) if line else 0
        for each in reversed(lines[: line - 1] if line else ()):
            spaces = len(each) - len(each.lstrip())
            if each.strip() and spaces < indent:
                indent = spaces
                keys.append(_PATH_KEY.sub("", each.strip()).strip("'\""))
        return keys

    def change_of(self, old: str, new: str) -> ValueChange | None:
        """Return the only change of a value from one text to another; either can be a part of a value."""
        found = [each for each in self.valued if old in each.old and new in each.new]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _everywhere(self) -> Sequence[ValueChange]:
        """The changes of the only file that changed, or nothing."""
        compared = self._of_file(self.changed_files[0]) if len(self.changed_files) == 1 else None
        return compared.changes if compared else ()

    @cached_property
    def changed_files(self) -> Sequence[str]:
        """The files of then that are other ones now, or gone."""
        names = (path.relative_to(self._folder).as_posix() for path in self._folder.rglob("*") if path.is_file())
        return [name for name in names if _read(self._folder, name) != _read(self._root, name)]

    @cached_property
    def _all(self) -> Sequence[ValueChange]:
        compared = (self._of_file(name) for name in self.changed_files[:_MOST_FILES])
        return [change for each in compared if each for change in each.changes]

    @cached_property
    def _removed(self) -> Sequence[ValueChange]:
        return [each for each in self._all if each.key and not each.new]

    @cached_property
    def valued(self) -> Sequence[ValueChange]:
        """The values of all files that are other ones now."""
        return [each for each in self._all if each.old and each.new]

    def _compare(self, name: str) -> _Compared | None:
        """Return what changed in a file, or None for one that is new or is not read."""
        old, new = self._folder / name, self._root / name
        is_kept = all(regular_file.is_file_inside(top, name) for top in (self._folder, self._root))
        if not is_kept or old.suffix.lower() in _BINARY:
            return None
        if old.suffix.lower() in _TABLES:
            try:
                tables = read_sheets(old, name), read_sheets(new, display_path(new))
            except CardgenError:
                tables = None
            if tables and not any(each.problems for each in tables[1].values()):
                return _Rows(*tables)
        texts = _text(self._folder, name), _text(self._root, name)
        if texts[0] is None or texts[1] is None or old.suffix.lower() in (".xlsx", ".ods"):
            return None
        return _Lines(display_path(new), texts[0], texts[1], self._starts.get(name, []))


class _Compared:
    """What changed in a file."""

    changes: Sequence[ValueChange] = ()
    _compared = 0

    def _paired(self, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
        """Yield what `_pairs` does, or nothing once too many pairs were compared."""
        self._compared += len(old) * len(new) if len(old) != len(new) else 0
        return _pairs(old, new) if self._compared <= _MOST_PAIRS else iter(())

    def card_at(self, place: Place) -> int:
        """Return the number of the card at a place, or -1."""
        raise NotImplementedError

    def was_in(self, change: ValueChange, line: int) -> bool:
        """Return whether a change is in the card that was in a line, or row."""
        return change.line == line


class _Lines(_Compared):
    """What changed in a text."""

    def __init__(self, file: str, before: Sequence[str], now: Sequence[str], starts: Sequence[int]) -> None:
        self._file, self._before, self._now = file, before, now
        self._starts = [_first_line_of_card(before, start) for start in starts]
        self._old_numbers = dict[int, int]()  # by those of now
        self.changes = tuple(self._changes())

    def card_at(self, place: Place) -> int:
        return self._card(self._old_numbers.get(place.span.line if place.span else 0, -1))

    def was_in(self, change: ValueChange, line: int) -> bool:
        return change.line > 0 and self._card(change.line) == self._card(line)

    def _card(self, number: int) -> int:
        return bisect_right(self._starts, number) if number > 0 else -1

    def _changes(self) -> Iterator[ValueChange]:
        for tag, start, end, now, now_end in ListChanges(self._before, self._now).get_opcodes():
            if tag == "equal":
                self._old_numbers |= {now + k + 1: start + k + 1 for k in range(end - start)}
            elif max(end - start, now_end - now) <= _MOST_LINES:
                yield from self._in_block(range(start, end), range(now, now_end))

    def _in_block(self, old: range, new: range) -> Iterator[ValueChange]:
        above = new.start - 1
        for i, j in self._paired([self._before[i] for i in old], [self._now[j] for j in new]):
            above = new[j] if j is not None else above
            if i is not None and j is not None:
                card = self._card(old[i] + 1)
                self._old_numbers[new[j] + 1] = old[i] + 1
                lines = self._before[old[i]], self._now[new[j]]
                differences = [*_differences(*lines)]
                whole = [_item(each) for each in lines] if len(differences) > 1 else []
                if all(each.startswith("- ") for each in whole):
                    whole = [each.removeprefix("- ") for each in whole]
                is_whole = whole and max(map(len, lines)) <= _LONGEST + len(lines[0]) - len(lines[0].lstrip())
                for before, now, span in differences:
                    # Of several changes of a line, each alone would be another mistake.
                    was, becomes = whole if is_whole and before and now else (before, now)
                    yield ValueChange(was, becomes, _key(before), self._place(new[j], *span), card, old[i] + 1)
            elif i is not None and (gone := _item(self._before[old[i]])):
                yield ValueChange(gone, "", _key(gone), self._place(above), self._card(old[i] + 1), old[i] + 1)
            elif j is not None and (added := _item(self._now[new[j]])):
                yield ValueChange("", added, _key(added), self._place(new[j]), self._card(old.start + 1))

    def _place(self, number: int, start: int = 0, end: int | None = None) -> Place:
        number = max(0, min(number, len(self._now) - 1))
        line = self._now[number] if self._now else ""
        if end is None:
            start, end = len(line) - len(line.lstrip()), len(line)
        return Place(self._file, Span(number + 1, start + 1, number + 1, end + 1), line)


def _first_line_of_card(lines: Sequence[str], line: int) -> int:
    """Return the number of the line where the card begins whose name is in a line."""
    for number in range(line, max(0, line - 6), -1):
        if lines[number - 1].lstrip().startswith(("- ", "{", "---")):
            return number
    return line


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Yield the numbers of lines, or rows, that became others; None for those that are new or gone."""
    if len(old) == len(new):
        yield from enumerate(range(len(new)))
        return
    left = list(range(len(new)))
    for i, each in enumerate(old):
        best = max(left, key=lambda j: _likeness(each, new[j]), default=None)
        if best is None or _likeness(each, new[best]) <= _FEWEST_ALIKE:
            yield i, None
            continue
        yield i, best
        left.remove(best)
    yield from ((None, j) for j in left)


def _likeness(one: str, other: str) -> float:
    one, other = one[:200].strip(), other[:200].strip()
    alike = SequenceMatcher(None, one, other, autojunk=False)
    return (_key(one) == _key(other) != "") + (alike.ratio() if alike.quick_ratio() > _FEWEST_ALIKE else 0)


def _differences(old: str, new: str) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Yield the items of two lines that differ, with the first and last column of what differs in the new one."""
    if old.strip() == new.strip():
        spaces, indent = (len(each) - len(each.lstrip()) for each in (old, new))
        if spaces != indent:
            yield (
                f"{quantity(spaces, 'space')} before '{old.strip()[:_LONGEST]}'",
                quantity(indent, "space"),
                (0, len(new)),
            )
        return
    if max(len(old), len(new)) > _LONGEST_LINE:
        yield _item(old), _item(new), (0, len(new))
        return
    tokens, others = _TOKEN.findall(old), _TOKEN.findall(new)
    at, there = _offsets(tokens), _offsets(others)
    spans = list[tuple[int, int, int, int]]()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, tokens, others, autojunk=False).get_opcodes():
        if tag != "equal":
            start, now = (spans.pop()[::2]) if spans and there[j1] - spans[-1][3] <= _GAP else (at[i1], there[j1])
            spans.append((start, at[i2], now, there[j2]))
    for start, end, now, now_end in spans:
        gone, added = old[start:end].strip(", "), new[now:now_end].strip(", ")
        if now == now_end and (_key(gone) or _is_item(old, start, end)):  # a whole item
            yield gone, "", (now, now_end)
        elif start == end and (_key(added) or _is_item(new, now, now_end)):
            yield "", added, (now, now_end)
        else:
            items = _item(old, start, end), _item(new, now, now_end)
            if items[0] == items[1]:  # What separates them is another.
                items = old.strip()[:_LONGEST], new.strip()[:_LONGEST]
            yield *items, (now, now_end)


def _is_item(line: str, start: int, end: int) -> bool:
    """Return whether columns of a line are an item of a list in brackets, with one of its commas."""
    text = line[start:end].strip()
    is_apart = text.startswith(",") != text.endswith(",") and bool(text.strip(", ")) and not _is_open(text)
    return is_apart and _is_open(line[:start]) and not _TEXT_LINE.match(line)


def _offsets(tokens: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, tokens))]


def _item(line: str, start: int = 0, end: int | None = None) -> str:
    """Return the item of a line that contains some columns, such as 'cost: 46' of a map; by default, the whole line.

    A comma in a text outside brackets separates nothing.
    """
    end = len(line) if end is None else end
    starts = [each.end() for each in _ITEM_START.finditer(line) if each.end() <= start]
    is_text = bool(_TEXT_LINE.match(line))
    first = max((at for at in starts if not is_text or not line[:at].rstrip().endswith(",")), default=0)
    ends = (each.start() for each in _ITEM_END.finditer(line, end) if not is_text or not each[0].strip(" }]"))
    last = next((at for at in ends if not _is_open(line[first:at])), len(line))
    opening = _LIST_START.search(line[:first])
    if opening and not _key(line[first:last]) and (closing := line.find("]", last)) > 0:
        first, last = opening.start(1), closing + 1
    item = line[first:last].strip().removesuffix(",")
    if len(item) <= _LONGEST:
        return item
    first, last = max(first, start - _LONGEST // 3), min(end, start + _LONGEST) + _LONGEST // 3
    return f"{'… ' * bool(line[:first].strip(' -'))}{line[first:last].strip()}{' …' * (last < len(line))}"


def _is_open(text: str) -> bool:
    return text.count("{") > text.count("}") or text.count("[") > text.count("]")


def _key(item: str) -> str:
    match = _KEY.match(item.strip())
    return match[2].strip() if match else ""


class _Rows(_Compared):
    """What changed in a table."""

    def __init__(self, before: Mapping[str, Table], now: Mapping[str, Table]) -> None:
        self._rows = dict[tuple[str, int], int]()
        self.changes = tuple(self._changes(before, now))

    def card_at(self, place: Place) -> int:
        return self._rows.get(_row_of(place), -1)

    def _changes(self, before: Mapping[str, Table], now: Mapping[str, Table]) -> Iterator[ValueChange]:
        for sheet in now.keys() & before.keys():
            old, new = before[sheet], now[sheet]
            names = _columns(old, new)
            for name, other in names.items():
                if name != other and other:
                    place = new.place((*new.columns[other][:2], other))
                    yield ValueChange(name, other, name, place, -1)
            if exchanged := _exchanged_columns(names, old, new):
                place = new.place((*new.columns[names[exchanged[0]]][:2], names[exchanged[0]]))
                yield ValueChange(", ".join(exchanged), ", ".join(exchanged[::-1]), "", place, -1)
                names = {name: other for name, other in names.items() if name not in exchanged}
            old_rows = [tuple(map(_shown, (row.values.get(name) for name in names))) for row in old.rows]
            new_rows = [tuple(map(_shown, (row.values.get(name) for name in names.values()))) for row in new.rows]
            for tag, i1, i2, j1, j2 in ListChanges(old_rows, new_rows).get_opcodes():
                numbered = {_row_of(new.place(row.path)): len(self._rows) + k for k, row in enumerate(new.rows[j1:j2])}
                self._rows |= numbered
                if tag != "equal" and max(i2 - i1, j2 - j1) <= _MOST_LINES:
                    old_texts, new_texts = (
                        [" ".join(each) for each in part] for part in (old_rows[i1:i2], new_rows[j1:j2])
                    )
                    above = new.rows[j1 - 1] if j1 else None
                    for i, j in self._paired(old_texts, new_texts):
                        a, b = (
                            (old.rows[i1 + i] if i is not None else None),
                            (new.rows[j1 + j] if j is not None else None),
                        )
                        yield from self._in_rows(names, a, b, (old, new), above)
                        above = b or above

    def _in_rows(
        self, names: Mapping[str, str], old: Row | None, new: Row | None, tables: tuple[Table, Table], above: Row | None
    ) -> Iterator[ValueChange]:
        """Yield the cells that differ between two rows; one that is gone was below the row `above`, or the heading."""
        then, table = tables
        if old is None or new is None:
            row = new or above
            at = table.place(row.path) if row else next((table.place(path) for path in table.columns.values()), None)
            if at:
                was = _row_text(then, old) if old else ""
                is_now = _row_text(table, new) if new else ""
                card = self.card_at(at) if new else -1
                yield ValueChange(was, is_now, "", at, card, _row_of(then.place(old.path))[1] if old else 0)
            return
        line = _row_of(then.place(old.path))[1]
        cells = [(name, _shown(old.values.get(name)), _shown(new.values.get(now)), now) for name, now in names.items()]
        changed = [each for each in cells if each[1] != each[2]]
        for name, before, now, column in changed:
            at = table.place((*new.path, column))
            was, is_now = (f"{name}: {each}" if each else "" for each in (before, now))
            if len(changed) >= _SHIFTED:
                was = _row_text(then, old)
            yield ValueChange(was, is_now, name, at, self.card_at(at), line)


def _row_text(table: Table, row: Row) -> str:
    """Return the line of a row, or its cells."""
    return table.place(row.path).source_line.strip() or ", ".join(filter(None, map(_shown, row.values.values())))


def _columns(old: Table, new: Table) -> Mapping[str, str]:
    """Return the columns of then with what they are called now; '' for one that is gone."""
    if len(old.columns) == len(new.columns):
        is_renamed = {*old.columns} != {*new.columns}
        return dict(zip(old.columns, new.columns if is_renamed else old.columns, strict=True))
    return {name: name if name in new.columns else "" for name in old.columns}


def _exchanged_columns(names: Mapping[str, str], old: Table, new: Table) -> tuple[str, ...]:
    """Return the two columns of which each has what the other had, in several rows, if there are such."""
    if len(old.rows) != len(new.rows) or len(old.rows) < _SHIFTED:
        return ()
    kept = {name: other for name, other in names.items() if other}
    before = {name: [_shown(row.values.get(name)) for row in old.rows] for name in kept}
    now = {name: [_shown(row.values.get(other)) for row in new.rows] for name, other in kept.items()}
    changed = [name for name in kept if before[name] != now[name]]
    if len(changed) == 2 and all(before[a] == now[b] for a, b in (changed, changed[::-1])):
        return tuple(changed)
    return ()


def _row_of(place: Place) -> tuple[str, int]:
    return place.locator.rpartition(":")[0], place.span.line if place.span else 0


def _shown(value: Any) -> str:
    return "" if value is None else as_text(value) if isinstance(value, str | int | float) else str(value)


def _touches(change: Place, place: Place) -> bool:
    """Return whether a change is within a place, or next to it."""
    one, other = change.span, place.span
    if other is None or one is None or change.is_cell != place.is_cell:
        return False
    if place.is_cell:
        return change.locator == place.locator
    if other.line != other.end_line:
        return other.line <= one.line <= other.end_line
    return one.line == other.line and one.column <= other.end_column and other.column <= one.end_column


def _is_in_line(change: Place, place: Place) -> bool:
    one, other = change.span, place.span
    return bool(one and other and other.line == one.line == other.end_line and not place.is_cell)


def _named(changes: Sequence[ValueChange], diagnostic: Diagnostic) -> Sequence[ValueChange]:
    """Return the changes of keys that a message quotes, the nearest first."""
    words = {part for quoted in _QUOTED.findall(diagnostic.message) for part in re.split(r"[:.\s]+", quoted)}
    line = diagnostic.place.span.line if diagnostic.place.span else 0
    named = [each for each in changes if each.key and each.key in words]
    return sorted(named, key=lambda each: abs((each.at.span.line if each.at.span else 0) - line))


def _lost(changes: Sequence[ValueChange], diagnostic: Diagnostic) -> ValueChange | None:
    """Return the value that is missing and was removed, by its key, or as the only one that was removed."""
    gone = [each for each in changes if not each.new]
    words = [re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])") for word in _QUOTED.findall(diagnostic.message)]
    said = [each for each in gone if len(words) == 1 and each.key and words[0].search(each.old)]
    named = (
        _named(gone, diagnostic)
        or (said if len(said) == 1 else ())
        or (gone if diagnostic.code == Code.MISSING_KEY and len(gone) == 1 else ())
    )
    return next(iter(named), None)


def _restored(diagnostic: Diagnostic, *lost: ValueChange) -> Diagnostic:
    """Return a diagnostic at the line that is above what was removed, unless it is in that line."""
    at, advice = lost[0].at, f"this branch removed {quoted_lines(lost)}"
    if _is_in_line(at, diagnostic.place) and at.file == diagnostic.place.file:
        return _with_advice(diagnostic, advice)
    return _moved(diagnostic, at, advice)


def quoted_lines(lost: Sequence[ValueChange]) -> str:
    """Return the first of the lines, or values, that were removed, how many more there were, and what to do."""
    more = f" and {len(lost) - 1} more {'line' if len(lost) == 2 else 'lines'}" if len(lost) > 1 else ""
    return f"`{lost[0].old}`{more}; restore {'them' if more else 'it'}"


def _added(changes: Sequence[ValueChange], diagnostic: Diagnostic) -> ValueChange | None:
    """Return the first of the entries of a list that were added to a card, if nothing else of it was changed."""
    is_new = 0 < len(changes) <= _MOST_SHOWN and not any(each.old for each in changes)
    return changes[0] if is_new and diagnostic.place != changes[0].at else None


def _of_part(diagnostic: Diagnostic, here: Sequence[ValueChange], of_card: Sequence[ValueChange]) -> Diagnostic:
    """Return a diagnostic with what was added, moved, or taken out at its place, if that says what to do."""
    added = here[0] if len({each.new for each in here}) == 1 and here[0].new else None
    if added is None:
        return _restored(diagnostic, *here) if len(of_card) == len(here) == 1 else diagnostic
    if source := next((each for each in of_card if each.old == added.new and not each.new), None):
        origin = _item(source.at.source_line).removeprefix("- ")
        return _with_advice(diagnostic, f"this branch moved `{added.new}` here from `{origin}`; move it back")
    is_twice = re.search("^duplicate |too many", diagnostic.message) and len(here) == 1
    if is_twice or (len(of_card) <= _MOST_SHOWN and not _is_card(added)):
        return diagnostic._replace(help=", or: ".join(dict.fromkeys(filter(None, (diagnostic.help, undone(added))))))
    return diagnostic


def _are_exchanged(one: ValueChange, other: ValueChange) -> bool:
    """Return whether two keys have each other's earlier value."""
    (old, new), (was, becomes) = ([text.partition(":")[2] for text in each[:2]] for each in (one, other))
    return one.key != other.key and (old, new) == (becomes, was) != ("", "")


def _is_card(added: ValueChange) -> bool:
    """Return whether a line, or a row, that was added is a whole card."""
    is_row = Path(added.at.file).suffix.lower() in _TABLES and not added.key
    return is_row or bool(_NAMED.search(added.new))


def _several(changes: Sequence[ValueChange], diagnostic: Diagnostic, *, only_named: bool) -> Sequence[ValueChange]:
    """Return the few changes that can cause a finding, the nearest values first.

    These are all that the message names. Unless there must be some (`only_named`), they can be others of one card, but
    a cost that has changed together with its card causes nothing.
    """
    said = [each for each in changes if each.key and re.search(rf"\b{re.escape(each.key)}s?\b", diagnostic.message)]
    rules = said or [each for each in changes if each.key not in COST_KEYS and not _is_prose(each)] or changes
    if len(rules) > _MOST_SHOWN or (not said and (only_named or len({each.card for each in changes}) != 1)):
        return ()
    line = diagnostic.place.span.line if diagnostic.place.span else 0
    away = {each: abs((each.at.span.line if each.at.span else 0) - line) for each in rules}
    return sorted(rules, key=lambda each: (not (each.old and each.new), away[each]))


def undone(cause: ValueChange) -> str:
    """Return how to undo a change that takes lines away or adds them; for values, each finding says so."""
    if cause.old and cause.new:
        return ""
    return (
        f"this branch removed {quoted_lines([cause])}" if cause.old else f"this branch added `{cause.new}`; remove it"
    )


def _is_block(changes: Sequence[ValueChange]) -> bool:
    """Return whether all that changed is that lines next to one another were removed."""
    lines = [each.line for each in changes]
    is_gone = bool(lines) and not any(each.new for each in changes)
    return is_gone and lines == [*range(lines[0], lines[0] + len(lines))]


def _with_advice(diagnostic: Diagnostic, advice: str) -> Diagnostic:
    """Return a diagnostic with another first remedy; its own stays, unless that is the same."""
    rest = diagnostic.help or ""
    same, meant = (re.fullmatch(pattern, rest) for pattern in (r"write '(.+)'", r"did you mean '(.+)'\?"))
    is_same = meant[1] in advice if meant else same and re.search(rf"`(?:[^`]*: )?{re.escape(same[1])}`", advice)
    return diagnostic._replace(help=f"{advice}, or: {rest}" if rest and not is_same else advice)


def _unquoted(diagnostic: Diagnostic) -> str:
    """Return how to write a text whose end, after a comma, is taken for a key of a map in braces; or ''."""
    place = diagnostic.place
    if diagnostic.code != Code.UNKNOWN_KEY or not place.span or place.is_cell:
        return ""
    line, start, end = place.source_line, place.span.column - 1, place.span.end_column - 1
    text = _PLAIN_TEXT.search(line[:start])
    rest = re.match(r"[^,{}\[\]\"#:]*(?=\s*[,}])", line[start:])
    if text is None or rest is None or start >= end or not _is_open(line[:start]):
        return ""
    return f'put the text in quotes: {text["key"]}: "{text["value"]}{rest[0].rstrip()}"'


def _of_renamed(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic of a name that was right, and without the advice for one that is not."""
    is_reference = diagnostic.code == Code.UNKNOWN_REFERENCE
    advice = "write the new name in all places" if is_reference else diagnostic.help
    return diagnostic._replace(help=advice)


def _says(text: str, slug: str) -> bool:
    """Return whether an item is called by a name, or has it as its value."""
    key, _, value = text.partition(":")
    return slug in (slugify(key.strip(" -{'\"")), slugify(value.strip(" '\"")), slugify(text.strip(" -'\"")))


def _is_slip(change: ValueChange) -> bool:
    return SequenceMatcher(None, change.old, change.new, autojunk=False).ratio() >= _SLIP


def _words_changed(change: ValueChange) -> int:
    """Return how many words of the two texts are not in both."""
    old, new = change.old.split(), change.new.split()
    codes = ListChanges(old, new).get_opcodes()
    return sum(max(end - start, now_end - now) for tag, start, end, now, now_end in codes if tag != "equal")


def _at_cause(diagnostic: Diagnostic, changes: Sequence[ValueChange]) -> Diagnostic:
    """Return a diagnostic at the place of what changed; its own is a related one."""
    done = {
        "changed": [f"{_code(each.old)} to {_code(each.new)}" for each in changes if each.old and each.new],
        "removed": [f"`{each.old.removeprefix('- ')}`" for each in changes if not each.new],
        "added": [f"`{each.new.removeprefix('- ')}`" for each in changes if not each.old],
    }
    said = join_words(
        [f"{verb} {join_words(dict.fromkeys(what), 'and')}" for verb, what in done.items() if what], "and"
    )
    return _moved(diagnostic, changes[0].at, f"this branch {said}; change that back")


def _moved(diagnostic: Diagnostic, place: Place, advice: str) -> Diagnostic:
    related = ((diagnostic.place, FOUND_HERE), *diagnostic.related)
    message = _MEANT.sub("", diagnostic.message)  # The word was right.
    return _with_advice(diagnostic._replace(place=place, related=related, message=message), advice)


def _is_prose(change: ValueChange) -> bool:
    is_long = len(change.old.split()) > _MOST_WORDS and not change.old.endswith(("}", "]"))
    return is_long and not _INDENT.match(change.old)


def _quoted(changes: Sequence[ValueChange]) -> str:
    return join_words(dict.fromkeys(_code(each.old) for each in changes[:_MOST_SHOWN]), "and")


def _code(text: str) -> str:
    return text if _INDENT.match(text) else f"`{text}`"


def _text(top: Path, name: str) -> Sequence[str] | None:
    try:
        return _read(top, name).decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    except OSError:
        return None


def _read(top: Path, name: str) -> bytes:
    try:
        return regular_file.read_inside(top, name, _LARGEST)
    except OSError:
        return b""
