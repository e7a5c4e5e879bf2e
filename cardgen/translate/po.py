"""PO files of gettext, as Weblate and Poedit read and write them, for texts without plural forms."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span


class Message(NamedTuple):
    """A text with its translation, '' for none.

    A message that `is_fuzzy` was translated from another text, its `previous`, if that is known. `notes` are for
    translators, and `line` is that of the message in the file, counted from 1.
    """

    context: str
    source: str
    text: str
    is_fuzzy: bool = False
    previous: str = ""
    notes: tuple[str, ...] = ()
    line: int = 0


def write_po(messages: Iterable[Message], language: str) -> bytes:
    """Return a PO file of messages in a language."""
    fields = {"Language": language, "MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8"}
    fields |= {"Content-Transfer-Encoding": "8bit", "X-Generator": "cardgen"}
    header = Message("", "", "".join(f"{name}: {value}\n" for name, value in fields.items()))
    return "\n".join("\n".join(_lines(each)) + "\n" for each in (header, *messages)).encode()


def _lines(message: Message) -> Iterator[str]:
    yield from (f"#. {line}" for note in message.notes for line in note.splitlines())
    if message.is_fuzzy:
        yield "#, fuzzy"
    if message.previous:
        yield from (f"#| {line}" for line in _string("msgid", message.previous))
    if message.context:
        yield from _string("msgctxt", message.context)
    yield from _string("msgid", message.source)
    yield from _string("msgstr", message.text)


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_PLAIN = {escape: char for char, escape in _ESCAPES.items()}


def _string(keyword: str, text: str) -> Iterator[str]:
    lines = io.StringIO(text, newline="\n")
    parts = ["".join(_ESCAPES.get(char, char) for char in line) for line in lines]
    yield f'{keyword} "{parts[0] if len(parts) == 1 else ""}"'
    yield from (f'"{part}"' for part in parts if len(parts) > 1)


# Possessive, because a line can have millions of escapes.
_ROW = re.compile(r'(#\| ?)?(msgctxt|msgid|msgstr)?\s*"((?:[^"\\]++|\\.)*+)"\s*')
_PLURAL = re.compile(r"(#\| ?)?(msgid_plural|msgstr\[)")


def read_po(text: str, file: str) -> tuple[str, list[Message]]:
    """Return the language that a PO file names, or '', and its messages; obsolete ones are left out.

    `file` is its name in messages. Raises CardgenError for what is not understood.
    """
    reader = _Reader(file)
    for number, row in enumerate(io.StringIO(text.removeprefix("\ufeff")), 1):  # Only line feeds end lines here.
        reader.read(number, row.removesuffix("\n"))
    reader.read(0, "")
    header = next((each.text for each in reader.messages if not each.source and not each.context), "")
    language = re.search(r"^Language: *(\S+)", header, re.MULTILINE)
    return language[1] if language else "", [each for each in reader.messages if each.source or each.context]


class _Reader:
    """Reader of the lines of a PO file."""

    def __init__(self, file: str) -> None:
        self.messages: list[Message] = []
        self._file, self._values = file, dict[str, list[str]]()
        self._is_fuzzy, self._last, self._line = False, "", 0

    def read(self, number: int, row: str) -> None:
        line = row.strip()
        if not line:
            self._finish()
        elif line.startswith("#") and not line.startswith("#|"):
            self._is_fuzzy |= line.startswith("#,") and "fuzzy" in line
        else:
            self._add(line, number, row)

    def _add(self, line: str, number: int, row: str) -> None:
        match = _ROW.fullmatch(line)
        if match is None or not (match[2] or self._last):
            what = "plural forms are not supported" if _PLURAL.match(line) else "not a line of a PO file"
            raise _mistake(what, self._file, number, row)
        if match[2]:
            self._last = f"previous {match[2]}" if match[1] else match[2]
            if self._last in self._values:
                message = f"a second {match[2]} in a message; put an empty line before it"
                raise _mistake(message, self._file, number, row)
            self._line = number if self._last == "msgid" else self._line
        self._values.setdefault(self._last, []).append(_unescaped(match[3], self._file, number, row))

    def _finish(self) -> None:
        values = {keyword: "".join(parts) for keyword, parts in self._values.items()}
        if values:
            if not {"msgid", "msgstr"} <= values.keys():
                raise _mistake("a message without msgid or msgstr", self._file, self._line or 1, "")
            previous = values.get("previous msgid", "")
            context, source, text = values.get("msgctxt", ""), values["msgid"], values["msgstr"]
            self.messages.append(Message(context, source, text, self._is_fuzzy, previous, line=self._line))
        self._values, self._is_fuzzy, self._last = {}, False, ""


def _unescaped(text: str, file: str, number: int, row: str) -> str:
    def plain(match: re.Match[str]) -> str:
        if match[0] not in _PLAIN:
            raise _mistake(f"unknown escape '{match[0]}'", file, number, row)
        return _PLAIN[match[0]]

    return re.sub(r"\\.", plain, text)


def _mistake(message: str, file: str, line: int, row: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, po_place(file, line, row)))


def po_place(file: str, line: int, row: str = "") -> Place:
    """Return the place of a line of a file."""
    return Place(file, Span(line, 1, line, max(2, len(row) + 1)), row)
