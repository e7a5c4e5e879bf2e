"""Files of an export, collected first and written at the end."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import IO

from cardgen.runtime import atomic_write
from cardgen.runtime.scratch_file import ScratchFile

# The earliest date that a ZIP archive can hold.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100644 << 16


class OutputFiles:
    """Files by their path below the output folder, with forward slashes.

    They are held in temporary files, so that an export that fails writes nothing.
    """

    def __init__(self) -> None:
        self._contents: dict[str, tuple[IO[bytes], int]] = {}

    def add(self, path: str, content: bytes | ScratchFile) -> None:
        """Add a file. Raises CardgenError if there is no room for temporary files."""
        if path in self._contents:
            raise ValueError(f"two files are called {path}")
        scratch = content if isinstance(content, ScratchFile) else ScratchFile()
        if isinstance(content, bytes):
            scratch.write(content)
        scratch.check()
        self._contents[path] = (scratch, scratch.seek(0, 2))

    def write(self, folder: Path) -> dict[Path, int]:
        """Write all files or none, and return their sizes in bytes. Raises CardgenError if one cannot be written."""
        atomic_write.write_all({folder / path: content for path, (content, _) in self._contents.items()})
        return {folder / path: size for path, (_, size) in self._contents.items()}


def zip_archive(files: Mapping[str, bytes], *, compress: bool = False) -> bytes:
    """Return a ZIP archive that is the same for the same files."""
    archive = BytesIO()
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(archive, "w", method) as target:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            info.external_attr = _REGULAR_FILE
            info.compress_type = method
            target.writestr(info, content)
    return archive.getvalue()
