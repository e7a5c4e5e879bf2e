"""File of numbered PDF objects, with object streams (ISO 32000-1, 7.5.7) and a cross-reference stream (7.5.8)."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator

from cardgen.runtime.scratch_file import ScratchFile

# Object streams need this version of PDF.
VERSION = (1, 5)
_HEADER = b"%%PDF-%d.%d\n%%\xbf\xf7\xa2\xfe\n" % VERSION
_OBJECTS_PER_STREAM = 100
_IN_FILE, _IN_STREAM = 1, 2
# Bytes of a cross-reference: its type, an offset or the number of an object stream, and the index in that stream.
_WIDTHS = (1, 5, 2)
_ROW = struct.Struct(">BBIH")
_UP = b"\2"  # the filter of PNG that stores the difference to the row above


class ObjectFile:
    """PDF objects on disk, written as they come; their order does not matter.

    Streams are written at once, all other objects in compressed groups.
    """

    def __init__(self) -> None:
        self._file = ScratchFile()
        self._size = 0
        self._digest = hashlib.blake2b(digest_size=16)
        # By object number: type and position, as in the cross-reference stream.
        self._places: dict[int, tuple[int, int, int]] = {}
        self._group: list[tuple[int, bytes]] = []
        self._groups: list[bytes] = []
        self._write(_HEADER)

    def add(self, number: int, content: bytes) -> None:
        """Add the object of a number, in the syntax of PDF."""
        if content.rstrip().endswith(b"endstream"):
            self._write_stream(number, content)
            return
        # The number of the object stream is not known yet, only its position among the others.
        self._places[number] = (_IN_STREAM, len(self._groups), len(self._group))
        self._group.append((number, content))
        if len(self._group) >= _OBJECTS_PER_STREAM:
            self._end_group()

    def finish(self, last: int, root: str, info: str) -> ScratchFile:
        """Write the rest, and return the file.

        `last` is the highest number of an object; `root` and `info` are references to the catalog and the metadata.
        Raises CardgenError if there is no room for the file.
        """
        if self._group:
            self._end_group()
        for number, group in enumerate(self._groups, last + 1):
            self._write_stream(number, group)
        self._write_references(last + 1, last + 1 + len(self._groups), f"/Root {root} /Info {info}")
        self._file.check()
        return self._file

    def _end_group(self) -> None:
        """Compress the objects of the group as an object stream."""
        offsets, position = [], 0
        for number, content in self._group:
            offsets.append(b"%d %d" % (number, position))
            position += len(content) + 1
        head = b" ".join(offsets) + b"\n"
        data = zlib.compress(head + b"\n".join(content for _, content in self._group))
        entries = f"/Type /ObjStm /N {len(self._group)} /First {len(head)}"
        self._groups.append(_stream(entries, data))
        self._group = []

    def _write_references(self, first_group: int, number: int, entries: str) -> None:
        """Write the cross-reference stream, which is the object of a number, and the end of the file."""
        start = self._size
        self._places[number] = (_IN_FILE, start, 0)
        data = zlib.compress(_differences(b"".join(self._rows(first_group, number))))
        columns = f"/DecodeParms << /Predictor 12 /Columns {_ROW.size} >>"
        identity = f"/ID [<{self._digest.hexdigest()}> <{self._digest.hexdigest()}>]"
        widths = " ".join(map(str, _WIDTHS))
        head = f"/Type /XRef /Size {number + 1} /W [{widths}] {columns} {entries} {identity}"
        self._write_stream(number, _stream(head, data))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)

    def _rows(self, first_group: int, last: int) -> Iterator[bytes]:
        """Yield the cross-references of all numbers; those without an object are free."""
        for number in range(last + 1):
            kind, position, index = self._places.get(number, (0, 0, 0))
            yield _ROW.pack(kind, *divmod(position + first_group if kind == _IN_STREAM else position, 1 << 32), index)

    def _write_stream(self, number: int, content: bytes) -> None:
        self._places[number] = (_IN_FILE, self._size, 0)
        self._write(b"%d 0 obj\n%s\nendobj\n" % (number, content.rstrip()))

    def _write(self, content: bytes) -> None:
        self._size += self._file.write(content)
        self._digest.update(content)


def _stream(entries: str, data: bytes) -> bytes:
    """Return a stream of compressed data with more entries in its dictionary."""
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(data), data)


def _differences(rows: bytes) -> bytes:
    """Return rows as differences to the row above, which compress better."""
    size = _ROW.size
    differences = bytes((new - old) % 256 for new, old in zip(rows, bytes(size) + rows, strict=False))
    return b"".join(_UP + differences[at : at + size] for at in range(0, len(rows), size))
