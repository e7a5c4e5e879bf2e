"""Files that the browser has sent, until a page takes them: only the user's own browser can send any."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from cardgen.project.files import resolve_visible
from cardgen.scaffold.pictures import MOST_BYTES

# Files that no page has taken yet: those of a deck with its pictures.
_MOST_WAITING = 2_000


class UploadError(Exception):
    """A file that is not taken, with a message for the author."""


class Uploads:
    """Files in a folder of their own outside of the project, by names that nobody can guess."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._waiting: list[str] = []

    async def receive(self, chunks: AsyncIterator[bytes]) -> str:
        """Keep a file, and return its name. Raises UploadError if it is too large, or cannot be kept."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="cardgen-upload-")).resolve()
        name, size = secrets.token_hex(16), 0
        self._waiting.append(name)
        while len(self._waiting) > _MOST_WAITING:
            self._remove(self._waiting[0])
        try:
            with (self._folder / name).open("xb") as file:
                async for chunk in chunks:
                    size += len(chunk)
                    if size > MOST_BYTES:
                        raise UploadError(f"the file is larger than {MOST_BYTES >> 20} MiB; save the picture smaller")
                    file.write(chunk)
        except BaseException as error:
            self._remove(name)
            if isinstance(error, OSError):  # such as a full disk
                raise UploadError(f"the file cannot be kept: {error.strerror}") from None
            raise
        return name

    def take(self, name: str) -> Path:
        """Return the file of a name, which its taker removes. Raises UploadError if there is none."""
        if self._folder is None or name not in self._waiting:
            raise UploadError("the file is gone; choose it again")
        self._waiting.remove(name)
        return self._folder / name

    def take_together(self, files: Iterable[tuple[str, str]]) -> Path:
        """Return a new folder with files by the paths that they had, which its taker removes.

        Raises UploadError if one is gone, and for a path that leads out of the folder.
        """
        folder = Path(tempfile.mkdtemp(dir=self._folder)).resolve()
        try:
            for name, path in files:
                target = resolve_visible(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                self.take(name).rename(target)
        except (UploadError, ValueError, OSError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise UploadError(str(error)) from None
        return folder

    def _remove(self, name: str) -> None:
        self._waiting = [each for each in self._waiting if each != name]
        if self._folder:
            (self._folder / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove all files."""
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder, self._waiting = None, []
