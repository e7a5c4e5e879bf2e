"""Mending files: edits by span, so that comments and layout stay as they are."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cardgen.check.locating import Found
from cardgen.diagnostic import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_BYTE_ORDER_MARK = "\ufeff"


class Mended(NamedTuple):
    """A file's old and new text, and how many findings are mended in it."""

    before: str
    after: str
    fixes: int


def mended(found: Iterable[Found], *, unsafe: bool) -> Mapping[Path, Mended]:
    """The files with every fix applied that does not get in the way of one before it; nothing is written."""
    by_file: dict[str, list[Found]] = {}
    for one in found:
        if one.fix and one.diagnostic.place.span and (one.fix.safe or unsafe):
            by_file.setdefault(one.diagnostic.place.file, []).append(one)
    return {Path(file): _apply(Path(file).read_bytes().decode("utf-8"), fixes) for file, fixes in by_file.items()}


def _apply(text: str, fixes: Sequence[Found]) -> Mended:
    starts = _line_starts(text)
    edits = sorted(
        {
            (*_extent(one.diagnostic.place.span, starts), one.fix.text)
            for one in fixes
            if one.diagnostic.place.span and one.fix
        }
    )
    pieces: list[str] = []
    done = count = 0
    for start, end, new in edits:
        if start >= done:
            pieces += [text[done:start], new]
            done = end
            count += 1
    return Mended(text, "".join([*pieces, text[done:]]), count)


def _line_starts(text: str) -> list[int]:
    """Where lines start; a byte-order mark is before the first one."""
    starts = [match.start() for match in _LINE.finditer(text)]
    return [int(text.startswith(_BYTE_ORDER_MARK)), *starts[1:]]


def _extent(span: Span, starts: Sequence[int]) -> tuple[int, int]:
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def diff(path: Path, mended_file: Mended) -> str:
    """A unified diff of one file."""
    before, after = (text.splitlines(keepends=True) for text in (mended_file.before, mended_file.after))
    name = path.as_posix()
    return "".join(_ended(line) for line in difflib.unified_diff(before, after, name, name))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
