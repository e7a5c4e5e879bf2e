"""Where the author is writing, in a file that is usually not valid at that moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cardgen.source import Data, KeyPath, parse_document

# Stands for what is being written; no author writes it.
_MARK = "cardgen-cursor"
_QUOTED = r"""\"[^\"]*\"|'[^']*'"""
_VALUE = re.compile(rf"""\s*(?:- +)*(?P<key>{_QUOTED}|[^\s"'#{{}}\[\],:&*!|>%@][^:#]*?):\s+(?P<value>.*)$""", re.DOTALL)
_BRACKETS = re.compile(rf"{_QUOTED}|[{{}}\[\],]")
_WORD = re.compile(r"[^\s{}\[\],:#\"']*$")
# The name of an icon that is being written in a text.
ICON = re.compile(r"(?<!\\)\{(?P<part>[A-Za-z0-9_-]*)$")
_END_OF_WORD = re.compile(r"[^\s,:}\]]*")


class Incomplete(NamedTuple):
    """What is being written: `prefix` is its text so far, and `data` is the file with the rest of it.

    `path` leads to the map that a key is added to, or to the value. `siblings` are the other keys of that map. `before`
    is the value up to the position, and `is_block` is true if it goes over several lines.
    """

    data: Data
    path: KeyPath
    is_key: bool
    prefix: str
    siblings: tuple[str, ...] = ()
    quote: str = ""
    in_text: bool = False
    before: str = ""
    is_block: bool = False


def incomplete_at(text: str, offset: int) -> list[Incomplete]:
    """Return what the author may be writing at an offset: a value, a key, or both."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    if _in_comment(line):
        return []
    part, flow = _innermost(line)
    value = _VALUE.match(part)
    icon = ICON.search(line)
    candidates: list[Incomplete] = []
    if value:
        candidates += _value(text, offset, value["value"], flow=flow)
    else:
        word = _WORD.search(line)
        prefix = word[0] if word else ""
        candidates += _key(text, offset, prefix)
        candidates += _item(text, offset, prefix)
        if not candidates:
            candidates += _continued_text(text, offset, line)
    if icon and value:
        candidates = [each._replace(prefix=icon["part"], in_text=True) for each in candidates] or candidates
    return candidates


def _innermost(line: str) -> tuple[str, bool]:
    """Return the part of a line in its innermost open brackets since the last comma, and whether it has brackets."""
    starts: list[int] = []
    for match in _BRACKETS.finditer(line):
        if match[0] in ("{", "["):
            starts.append(match.end())
        elif match[0] == "," and starts:
            starts[-1] = match.end()
        elif match[0] in ("}", "]") and starts:
            starts.pop()
    return (line[starts[-1] :], True) if starts and not ICON.search(line) else (line, False)


def _in_comment(line: str) -> bool:
    return bool(re.search(r"(^|\s)#", line)) and not re.search(r"[\"'][^\"']*#[^\"']*$", line)


def _value(text: str, offset: int, written: str, *, flow: bool) -> Iterator[Incomplete]:
    quote = written[:1] if written[:1] in "\"'" else ""
    begin = offset - len(written)
    end = _end_of_value(text, offset, flow=flow)
    found = _parse(text[:begin] + _MARK, text[end:])
    if found:
        prefix = written[len(quote) :]
        yield Incomplete(*found, False, prefix, quote=quote, in_text=" " in prefix, before=prefix)


def _end_of_value(text: str, offset: int, *, flow: bool) -> int:
    line_end = text.find("\n", offset)
    end = len(text) if line_end < 0 else line_end
    closing = re.search(r"[,}\]]", text[offset:end]) if flow else None
    return offset + closing.start() if closing else end


def _key(text: str, offset: int, prefix: str) -> Iterator[Incomplete]:
    begin = offset - len(prefix)
    after = _END_OF_WORD.match(text, offset)
    end = after.end() if after else offset
    has_colon = text[end : end + 1] == ":"
    found = _parse(text[:begin] + (_MARK if has_colon else f"{_MARK}: 0"), text[end:], as_key=True)
    if found:
        data, path = found
        yield Incomplete(data, path, True, prefix, _keys_at(data, path))


def _item(text: str, offset: int, prefix: str) -> Iterator[Incomplete]:
    """Yield the scalar that is written as an item of a list."""
    begin = offset - len(prefix)
    before = text[text.rfind("\n", 0, begin) + 1 : begin]
    if not re.search(r"(^\s*-\s+|\[\s*|,\s*)$", before):
        return
    found = _parse(text[:begin] + _MARK, text[_end_of_value(text, offset, flow=True) :])
    if found and isinstance(found[1][-1:][0] if found[1] else None, int):
        yield Incomplete(*found, False, prefix)


def _continued_text(text: str, offset: int, line: str) -> Iterator[Incomplete]:
    """Yield the text of several lines that is being written."""
    word = re.search(r"[^\s{}]*$", line)
    prefix = word[0] if word else ""
    begin = offset - len(prefix)
    found = _parse(f"{text[:begin]}{_MARK}", text[offset:], within=True)
    if found:
        before = str(_at(*found)).partition(_MARK)[0] + prefix
        yield Incomplete(*found, False, prefix, in_text=True, before=before, is_block=True)


def _parse(before: str, after: str, *, as_key: bool = False, within: bool = False) -> tuple[Data, KeyPath] | None:
    """Return the data and the path of the mark: in the whole text, or else in the part before it."""
    rest = after.partition("\n")[2]
    for text in (before + after, f"{before}\n{rest}", before + _closing(before)):
        document = parse_document(text, "")
        path = next(_find(document.data, (), as_key=as_key, within=within), None)
        if path is not None:
            return document.data, path
    return None


def _closing(text: str) -> str:
    """Return the brackets that are open on the last line."""
    line = text[text.rfind("\n") + 1 :]
    stack: list[str] = []
    for character in line:
        if character in "{[":
            stack.append("}" if character == "{" else "]")
        elif character in "}]" and stack:
            stack.pop()
    return "".join(reversed(stack))


def _find(data: Data, path: KeyPath, *, as_key: bool, within: bool) -> Iterator[KeyPath]:
    if isinstance(data, dict):
        if as_key and _MARK in data:
            yield path
        for key, value in data.items():
            yield from _find(value, (*path, key), as_key=as_key, within=within)
    elif isinstance(data, list):
        for index, item in enumerate(data):
            yield from _find(item, (*path, index), as_key=as_key, within=within)
    elif not as_key and isinstance(data, str) and (data == _MARK or (within and _MARK in data)):
        yield path


def _at(data: Data, path: KeyPath) -> object:
    place: object = data
    for step in path:
        place = place[step]  # type: ignore[index]
    return place


def _keys_at(data: Data, path: KeyPath) -> tuple[str, ...]:
    place = _at(data, path)
    return tuple(key for key in place if key != _MARK) if isinstance(place, dict) else ()
