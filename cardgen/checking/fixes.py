"""Fixes as edits of character ranges, which keep comments and layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgen.checking.check import Fix
from cardgen.checking.locate import LocatedFinding, is_editable
from cardgen.diagnostic import Diagnostic, Span
from cardgen.runtime import regular_file
from cardgen.source import Code
from cardgen.source.yaml_parser import resolve_plain

# The largest file that holds cards: a table.
_MAX_BYTES = 16 * 2**20


def fix_for_diagnostic(diagnostic: Diagnostic) -> Fix | None:
    """Return the fix for a diagnostic of the parser, or None if only the author can fix it.

    A text that YAML 1.1 and 1.2 read differently keeps its YAML 1.2 value.
    """
    span, line = diagnostic.place.span, diagnostic.place.source_line
    if diagnostic.code != Code.AMBIGUOUS or span is None or span.line != span.end_line:
        return None
    if not is_editable(diagnostic.place):
        return None
    text = line[span.column - 1 : span.end_column - 1]
    value = resolve_plain(text).value
    if isinstance(value, str):
        return Fix(f"'{text}'" if "'" not in text else f'"{text}"', safe=True)
    return Fix(f"{value:.15g}", safe=True) if isinstance(value, int | float) and not isinstance(value, bool) else None


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
        if one.fix and place.span and (one.fix.safe or unsafe):
            by_file.setdefault(place.file, []).append((place.span, one.fix.text))
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
    before, after = (text.splitlines(keepends=True) for text in (fixed_file.before, fixed_file.after))
    name = path.as_posix()
    from difflib import unified_diff  # loaded here because only --diff needs it

    return "".join(_with_newline(line) for line in unified_diff(before, after, name, name))


def _with_newline(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
