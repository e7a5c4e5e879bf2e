"""A file's bytes become a document."""

from __future__ import annotations

import os
from pathlib import Path

from cardgen.diagnostic import Diagnostic
from cardgen.source.codes import Code
from cardgen.source.document import MAX_FILE_SIZE, Document, parse_document, unreadable_document
from cardgen.source.lines import LineIndex

_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_SAVE_AS = "save it as UTF-8"


def read_document(path: Path, display_name: str) -> Document:
    """The document in the file at `path`, called `shown` in messages.

    Never raises for what is wrong with the file: it may be missing, too large, or no UTF-8.
    """
    try:
        content = _read_bytes(path)
    except OSError as error:
        return unreadable_document(display_name, Code.UNREADABLE, f"cannot be read: {error.strerror or error}")
    if len(content) > MAX_FILE_SIZE:
        return unreadable_document(
            display_name, Code.TOO_LARGE, f"larger than {MAX_FILE_SIZE // 1024:,} KiB", "split the file"
        )
    encoding = _OTHER_ENCODINGS.get(content[:2])
    if encoding:
        return unreadable_document(display_name, Code.NOT_UTF8, f"this file is {encoding}", _SAVE_AS)
    try:
        return parse_document(content.decode("utf-8"), display_name)
    except UnicodeDecodeError as error:
        return _not_utf8(display_name, content, error.start)


def _read_bytes(path: Path) -> bytes:
    """The bytes of a file, or of a larger one so many that it shows; without a file object, for there are thousands."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        # Room for a whole megabyte is made only where the size is not known, as for a pipe.
        size = os.fstat(file).st_size or MAX_FILE_SIZE
        return os.read(file, min(size, MAX_FILE_SIZE) + 1)
    finally:
        os.close(file)


def _not_utf8(display_name: str, content: bytes, offset: int) -> Document:
    """The refusal of a file that stops being UTF-8 at the byte with that offset."""
    before = content[:offset].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    after = content[offset:].decode("utf-8", errors="replace")
    place = LineIndex(display_name, before + after).place(len(before), len(before) + 1)
    message = f"byte {offset + 1}, 0x{content[offset]:02X}, is no UTF-8"
    return Document(display_name, None, (Diagnostic(Code.NOT_UTF8, message, place, _SAVE_AS),))
