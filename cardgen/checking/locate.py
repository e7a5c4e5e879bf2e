"""Translates symbolic places of findings to lines and columns."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from cardgen.checking.check import Check, CheckContext, Finding, Spot, TextRange
from cardgen.diagnostic import Diagnostic, Fix, Place, Span
from cardgen.model.card import Entry
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.source import KeyPath
from cardgen.validation.base import Model


@dataclass(frozen=True, eq=False)
class DrawnSpot:
    """The part of a drawn card that a finding is about. Each is equal to itself only, as cards cannot be hashed."""

    entry: Entry
    spot: Spot


class LocatedFinding(NamedTuple):
    """A diagnostic with its check and fix.

    `anchor` is a second place whose line a suppression comment can be on. `spot` is the part of a drawn card.
    """

    diagnostic: Diagnostic
    check: Check
    fix: Fix | None = None
    anchor: Place | None = None
    spot: DrawnSpot | None = None


def locate(finding: Finding, check: Check, context: CheckContext) -> LocatedFinding:
    """Return the finding of a check with its places.

    If the part of a text cannot be located, the place is the whole text, and there is no fix. Raises LookupError for
    a finding with neither a card nor a place.
    """
    related = tuple((_place_of(context, other.entry, other.route), other.label) for other in finding.related)
    whole = finding.place or _place_of(context, finding.entry, finding.route, at_key=finding.at_key)
    text_place = _text_place(context, finding.route, finding.text_range) if finding.text_range else whole
    place = _narrow_to_word(text_place or whole, finding.word) if finding.word else text_place or whole
    diagnostic = Diagnostic(check.code, finding.message, place, finding.help, check.severity, related)
    anchor = _place_of(context, None, finding.route, at_key=True) if finding.text_range else None
    fix = finding.fix if text_place and is_editable(place) else None
    spot = DrawnSpot(context.entry, finding.spot) if context.entry and finding.spot else None
    return LocatedFinding(diagnostic, check, fix, anchor, spot)


def is_editable(place: Place) -> bool:
    """Return whether a fix can be applied at a place; tables are left to the programs that write them."""
    return not place.file.lower().endswith(TABLE_SUFFIXES)


def _place_of(context: CheckContext, other: Entry | None, route: KeyPath, *, at_key: bool = False) -> Place:
    entry = other or context.entry
    if entry is None:
        raise LookupError("a finding needs a card or a place")
    return entry.place(route if other else (*context.route, *route), key=at_key)


def _text_place(context: CheckContext, route: KeyPath, text_range: TextRange) -> Place | None:
    """Return the place of some characters of a card's text."""
    if context.entry is None:
        return None
    full = (*context.route, *route)
    text = value_at(context.entry.card, full)
    return context.entry.document.place_of_substring(context.entry.source_map.source_path(full), str(text), *text_range)


def value_at(model: object, route: tuple[str | int, ...]) -> object:
    """Return the value at a route of keys in a model, or None."""
    for step in route:
        if isinstance(model, Model):
            aliases = {info.alias or name: name for name, info in type(model).model_fields.items()}
            model = getattr(model, aliases.get(str(step), str(step)), None)
        elif isinstance(model, dict):
            model = model.get(str(step))
        elif isinstance(model, tuple | list) and isinstance(step, int):
            model = model[step] if step < len(model) else None
        else:
            return None
    return model


def _narrow_to_word(place: Place, word: str) -> Place:
    """Narrow a place within one line to a word, if possible."""
    span = place.span
    if span is None or span.line != span.end_line:
        return place
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", place.source_line[span.column - 1 : span.end_column - 1])
    if match is None:
        return place
    start, end = (span.column + index for index in match.span())
    return place._replace(span=Span(span.line, start, span.line, end))


# The largest file that holds cards: a table.
_MAX_BYTES = 16 * 2**20


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_BYTE_ORDER_MARK = "\ufeff"

# The extent of a text, and what replaces it.
Edit: TypeAlias = tuple[Span, str]


class FixedFile(NamedTuple):
    """Old and new text of a file, and the number of fixes."""

    before: str
    after: str
    fixes: int


def plan_fixes(findings: Iterable[LocatedFinding], *, unsafe: bool) -> Mapping[Path, FixedFile]:
    """Return the files with all non-overlapping fixes; nothing is written."""
    by_file: dict[str, list[Edit]] = {}
    for one in findings:
        place = one.diagnostic.place
        span = one.fix.span or place.span if one.fix else None
        if one.fix and span and (one.fix.safe or unsafe):
            by_file.setdefault(place.file, []).append((span, one.fix.text))
    return edited_files(by_file)


def edited_files(edits: Mapping[str, Iterable[Edit]]) -> Mapping[Path, FixedFile]:
    """Return the files with all non-overlapping edits; nothing is written, and line breaks stay as they are."""
    return {path: _apply_edits(_read(path), of_file) for path, of_file in ((Path(file), edits[file]) for file in edits)}


def _read(path: Path) -> str:
    return regular_file.read(path, _MAX_BYTES).decode("utf-8")


def _apply_edits(text: str, edits: Iterable[Edit]) -> FixedFile:
    starts = _line_starts(text)
    line_break = "\r\n" if "\r\n" in text else "\n"
    pieces: list[str] = []
    done = count = 0
    for start, end, new in sorted({(*_offsets(span, starts), new) for span, new in edits}):
        if start >= done:
            pieces += [text[done:start], new.replace("\n", line_break)]
            done = end
            count += 1
    return FixedFile(text, "".join([*pieces, text[done:]]), count)


def _line_starts(text: str) -> list[int]:
    """Return the offsets of line starts, excluding a byte-order mark."""
    starts = [match.start() for match in _LINE.finditer(text)]
    return [int(text.startswith(_BYTE_ORDER_MARK)), *starts[1:]]


def _offsets(span: Span, starts: Sequence[int]) -> tuple[int, int]:
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def diff(path: Path, fixed_file: FixedFile) -> str:
    """Return the unified diff of a file."""
    from cardgen.source.list_changes import ListChanges  # loaded here because only --diff needs it

    before, after = (text.splitlines(keepends=True) for text in (fixed_file.before, fixed_file.after))
    name = path.as_posix()
    lines = [f"--- {name}\n", f"+++ {name}\n"]
    for group in ListChanges(before, after).get_grouped_opcodes():
        _, start, _, now, _ = group[0]
        _, _, end, _, now_end = group[-1]
        lines.append(f"@@ -{_extent(start, end)} +{_extent(now, now_end)} @@\n")
        for tag, first, last, first_now, last_now in group:
            if tag == "equal":
                lines += (f" {line}" for line in before[first:last])
            else:
                lines += (f"-{line}" for line in before[first:last])
                lines += (f"+{line}" for line in after[first_now:last_now])
    return "".join(map(_with_newline, lines))


def _extent(start: int, end: int) -> str:
    """Return the first of some lines, and their number unless it is 1; for none, the line before them."""
    return f"{start + 1}" if end - start == 1 else f"{start + (end > start)},{end - start}"


def _with_newline(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


VERSION = 1
# Characters of a source line to record.
_LONGEST_TEXT = 200
# Findings that one entry can stand for.
_MOST_ALIKE = 1_000_000


class BaselineEntry(NamedTuple):
    """Findings that are alike: same file, check, message, and source line.

    Line numbers do not matter, so entries survive edits elsewhere in the file. `file` is relative to the folder of the
    baseline, with forward slashes; `text` is the source line without indentation.
    """

    file: str
    code: str
    message: str
    text: str

    def as_data(self, count: int = 1) -> dict[str, Any]:
        """Return the entry as plain data."""
        return {"file": self.file, "check": self.code, "message": self.message, "text": self.text, "count": count}


class BaselineMatch(NamedTuple):
    """What a baseline did in a run.

    `file` is the baseline, `left_out` the number of findings in it, and `stale` the entries that the run should have
    met again but did not, with the number of findings that are missing.
    """

    file: str
    left_out: int
    stale: Mapping[BaselineEntry, int] = MappingProxyType({})


class BaselineScope(NamedTuple):
    """The part of a baseline that a run can confirm: the checks that ran, and their files.

    `files` are relative to the folder of the baseline; None means the whole project.
    """

    codes: frozenset[str]
    files: frozenset[str] | None = None

    def includes(self, entry: BaselineEntry) -> bool:
        """Return whether a run with this scope repeats the finding unless it is fixed."""
        return entry.code in self.codes and (self.files is None or entry.file in self.files)


Baseline = Mapping[BaselineEntry, int]


def entry_for(diagnostic: Diagnostic, folder: Path) -> BaselineEntry:
    """Return the entry of a diagnostic in a baseline in `folder`."""
    place = diagnostic.place
    text = place.source_line.strip()[:_LONGEST_TEXT]
    return BaselineEntry(relative_name(place.file, folder), diagnostic.code, diagnostic.message, text)


def relative_name(file: str, folder: Path) -> str:
    """Return a displayed path, which starts from the current folder, relative to `folder`."""
    try:
        name = os.path.relpath(file, folder)
    except ValueError:  # another drive on Windows
        name = os.path.abspath(file)  # noqa: PTH100 - resolve() would follow links
    return name.replace(os.sep, "/")


def record(findings: Iterable[LocatedFinding], folder: Path) -> Baseline:
    """Return the baseline of some findings; fixed limits cannot be ignored, so they are left out."""
    return Counter(entry_for(one.diagnostic, folder) for one in findings if not one.check.is_fixed_limit)


def merge(old: Baseline, new: Baseline, scope: BaselineScope) -> Baseline:
    """Return `new` and the entries of `old` that a run with this scope says nothing about."""
    return {**{entry: count for entry, count in old.items() if not scope.includes(entry)}, **new}


def apply(
    baseline: Baseline, findings: Iterable[LocatedFinding], folder: Path, scope: BaselineScope
) -> tuple[tuple[LocatedFinding, ...], int, Mapping[BaselineEntry, int]]:
    """Return the findings that are not in the baseline, the number of those that are, and the stale entries.

    Entries are counted, not repeated: a few lines of a file can stand for millions of findings.
    """
    left = Counter(baseline)
    remaining = []
    count = 0
    for one in findings:
        entry = entry_for(one.diagnostic, folder)
        if left[entry] > 0 and not one.check.is_fixed_limit:
            left[entry] -= 1
            count += 1
        else:
            remaining.append(one)
    stale = {entry: left[entry] for entry in sorted(left) if left[entry] and scope.includes(entry)}
    return tuple(remaining), count, stale


def as_data(baseline: Baseline) -> dict[str, Any]:
    """Return the content of a baseline file, in an order that keeps diffs small."""
    return {"version": VERSION, "findings": [entry.as_data(baseline[entry]) for entry in sorted(baseline)]}


def parse(text: str) -> Baseline:
    """Return the baseline in the text of a file. Raises ValueError with a message for the user."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("not a baseline: not valid JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise ValueError("not a baseline")  # noqa: TRY004 - for the user
    if data.get("version") != VERSION:
        raise ValueError(f"version of the baseline must be {VERSION}, not {data.get('version')!r}")
    counts: Counter[BaselineEntry] = Counter()
    for number, item in enumerate(data["findings"], 1):
        if not isinstance(item, dict):
            raise ValueError(f"finding {number} of the baseline is not an object")  # noqa: TRY004 - for the user
        entry, count = _parse_entry(item, number)
        counts[entry] += count
    return counts


def _parse_entry(item: Mapping[str, object], number: int) -> tuple[BaselineEntry, int]:
    words = [item.get(key) for key in ("file", "check", "message", "text")]
    count = item.get("count", 1)
    if not all(isinstance(word, str) for word in words) or type(count) is not int or not 1 <= count <= _MOST_ALIKE:
        raise ValueError(f"finding {number} of the baseline is malformed")
    return BaselineEntry(*map(str, words)), count
