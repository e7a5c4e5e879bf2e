"""Content of XLSX and ODS files, read within limits.

Such a file is a ZIP archive of XML. A few KiB can unpack to gigabytes, and two cells in opposite corners of a sheet
make a library allocate all cells between them. Therefore, all parts are unpacked and parsed here first, and the library
gets a new archive of exactly these parts.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.tables.cell_texts import TOO_MUCH_TEXT, CellTexts
from cardgen.tables.codes import MAX_TEXT, MAX_UNPACKED, MIB, Code
from cardgen.tables.sheet_scan import NO_SPREADSHEET, SAVE_AGAIN, ArchiveError, SheetScan, scan_part

_MAX_PARTS = 1_000
_CHUNK = 2**16
_TYPE = "mimetype"
_XML_SUFFIXES = (".xml", ".rels")
# How files with a password begin, and those of spreadsheet programs before 2007.
_OLD_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MANIFEST, _ENCRYPTION = "META-INF/manifest.xml", b"encryption-data"
_UNPACKED_TOO_LARGE = f"the file unpacks to more than {MAX_UNPACKED // MIB} MiB"


class Archive(NamedTuple):
    """A new archive of the parts of a file.

    `scans` has the scan of each sheet, by the name of its part (XLSX) or by its own name (ODS).
    """

    content: io.BytesIO
    scans: Mapping[str, SheetScan]
    parts: Mapping[str, bytes]


def open_archive(content: bytes) -> Archive:
    """Unpack and scan a spreadsheet file.

    Raises ArchiveError if it is invalid or too large.
    """
    if content.startswith(_OLD_SIGNATURE):
        raise ArchiveError(
            Code.BAD_TABLE, "the file has a password, or an old format", "save it as XLSX, without a password"
        )
    try:
        parts = dict(_unpack(content))
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        raise ArchiveError(Code.BAD_TABLE, NO_SPREADSHEET, SAVE_AGAIN) from error
    if _ENCRYPTION in parts.get(_MANIFEST, b""):
        raise ArchiveError(Code.BAD_TABLE, "the file has a password", "save it without a password")
    scans: dict[str, SheetScan] = {}
    texts = CellTexts()
    for name, part in parts.items():
        if name != _TYPE:
            scans |= scan_part(name, part, texts)
    if texts.total > MAX_TEXT:
        raise ArchiveError(Code.TOO_LARGE, TOO_MUCH_TEXT, "split the file")
    return Archive(_repack(parts), scans, parts)


def _unpack(content: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = archive.infolist()
        names = {entry.filename for entry in entries}
        if len(names) < len(entries) or len(entries) > _MAX_PARTS:
            raise zipfile.BadZipFile
        remaining = MAX_UNPACKED
        for entry in entries:
            part = _unpack_part(archive, entry, remaining)
            remaining -= len(part)
            if entry.filename == _TYPE or entry.filename.endswith(_XML_SUFFIXES):  # not pictures, for instance
                yield entry.filename, part


def _unpack_part(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """Unpack a part in chunks: its declared size may be wrong."""
    chunks: list[bytes] = []
    size = 0
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise ArchiveError(Code.TOO_LARGE, _UNPACKED_TOO_LARGE, "split the file, or remove pictures from it")
            chunks.append(chunk)
    return b"".join(chunks)


def _repack(parts: dict[str, bytes]) -> io.BytesIO:
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    result.seek(0)
    return result
