"""Unpack ZIP archives of strangers within limits."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

_CHUNK = 1 << 16
_KNOWN = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class BadArchiveError(ValueError):
    """The archive is damaged, has a password, two members of one name, too many of them, or an unusual compression."""


class UnpacksTooLargeError(ValueError):
    """The archive unpacks to more than allowed."""


def unpack(content: bytes, most_members: int, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of all files in an archive, which may have `limit` bytes together.

    Raises BadArchiveError and UnpacksTooLargeError. Of other compressions than the usual one, a few bytes unpack to
    gigabytes at once.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            names = {member.filename for member in members}
            if len(names) < len(members) or len(members) > most_members:
                raise BadArchiveError("too many members, or two of one name")
            if not {member.compress_type for member in members} <= _KNOWN:
                raise BadArchiveError("unusual compression")
            for member in members:
                part = _unpack(archive, member, limit)
                limit -= len(part)
                if not member.is_dir():
                    yield member.filename, part
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError, EOFError) as error:
        raise BadArchiveError(str(error)) from error


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limit: int) -> bytes:
    """Unpack a file in chunks: its declared size may be wrong."""
    chunks: list[bytes] = []
    size = 0
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise UnpacksTooLargeError(str(limit))
            chunks.append(chunk)
    return b"".join(chunks)
