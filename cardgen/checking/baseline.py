"""Baselines: records of findings that later runs leave out, to adopt the checks late."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.checking.locate import LocatedFinding
from cardgen.diagnostic import Diagnostic

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
