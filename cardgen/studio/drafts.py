"""Drafts: texts that are not saved yet, which outlive the studio in files of the user, outside the project.

A draft remembers the file that it is a change of, so that a file that others have changed meanwhile is not overwritten.
A project cannot bring drafts along: a stranger's text would look like one that the user wrote.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.referee import strict_json
from cardgen.runtime import atomic_write, regular_file
from cardgen.studio.texts import FileText
from cardgen.user_folders import state_folder

# Seconds after the first key until a text is written; keys in the meantime are written with it.
WRITE_AFTER = 1.0
_FORMAT = 1
_MOST_FILES = 500
# A text and the file that it is a change of have 1 MiB each, which JSON can write with six characters for one.
_MOST_BYTES = 16 << 20


class Draft(NamedTuple):
    """A text that is not saved, the file that it is a change of, and when it was changed last, in s since 1970."""

    text: str
    base: FileText
    time: float


class Drafts(Mapping[str, Draft]):
    """The drafts of a project by the paths of their files in it.

    `on_change` is called when another set of files has drafts. `problem` says why drafts cannot be kept on the disk.
    """

    def __init__(self, root: Path) -> None:
        """Read the drafts that were kept; what cannot be read is ignored."""
        self._root = str(root)
        self.folder = state_folder() / "drafts" / _digest(self._root)
        self.problem = ""
        self.on_change: set[Callable[[], None]] = set()
        self._drafts: dict[str, Draft] = {}
        self._unwritten: set[str] = set()
        self._writing: asyncio.Task[None] | None = None
        with suppress(OSError):
            for path in sorted(self.folder.glob("*.json"))[:_MOST_FILES]:
                self._read(path)

    def __getitem__(self, file: str) -> Draft:
        """Return the draft of a file."""
        return self._drafts[file]

    def __iter__(self) -> Iterator[str]:
        """Yield the files with drafts, the one that was changed last at the end."""
        return iter(sorted(self._drafts, key=lambda file: self._drafts[file].time))

    def __len__(self) -> int:
        """Return how many files have drafts."""
        return len(self._drafts)

    @property
    def texts(self) -> dict[str, str]:
        """The texts of all drafts."""
        return {file: self._drafts[file].text for file in self}

    def keep(self, file: str, text: str, base: FileText) -> Draft:
        """Keep the text of a file that was read as `base`, and return it as a draft; it is written soon."""
        is_new = file not in self._drafts
        self._drafts[file] = Draft(text, base, time.time())
        self._unwritten.add(file)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_later())
        if is_new:
            self._tell()
        return self._drafts[file]

    def drop(self, file: str) -> None:
        """Forget the text of a file, because it was saved or discarded."""
        if self._drafts.pop(file, None) is None:
            return
        self._unwritten.discard(file)
        with suppress(OSError):
            self._path(file).unlink(missing_ok=True)
        self._tell()

    def write(self) -> None:
        """Write the drafts that are not on the disk yet."""
        had_problem, self.problem = bool(self.problem), ""
        for file in tuple(self._unwritten):
            try:
                self._write(file)
                self._unwritten.discard(file)
            except (CardgenError, OSError) as error:
                self.problem = str(error)
        if had_problem or self.problem:
            self._tell()

    def close(self) -> None:
        """Write what is not written yet; the studio ends."""
        if self._writing:
            self._writing.cancel()
        self.write()

    async def _write_later(self) -> None:
        while self._unwritten:
            await asyncio.sleep(WRITE_AFTER)
            self.write()
            if self.problem:
                return

    def _write(self, file: str) -> None:
        draft = self._drafts[file]
        data = {"draft": _FORMAT, "root": self._root, "file": file, "time": draft.time, "text": draft.text}
        content = json.dumps({**data, "base": draft.base._asdict()}).encode()
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        atomic_write.write(self._path(file), content, is_private=True)

    def _path(self, file: str) -> Path:
        return self.folder / f"{_digest(file)}.json"

    def _read(self, path: Path) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError, regular_file.FileTooLargeError):
            data: Any = strict_json.parse(regular_file.read(path, _MOST_BYTES).decode())
            base = {name: str(data["base"][name]) for name in FileText._fields}
            if (data["draft"], data["root"], self._path(data["file"])) == (_FORMAT, self._root, path):
                self._drafts[data["file"]] = Draft(str(data["text"]), FileText(**base), float(data["time"]))

    def _tell(self) -> None:
        for listener in tuple(self.on_change):
            listener()


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:32]
