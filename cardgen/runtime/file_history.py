"""Changes of several files of a project, all or none, and what each was before, so that they can be undone."""

from __future__ import annotations

import hashlib
import json
import os
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.user_folders import state_folder

_FORMAT = 1
_MOST_STEPS = 100
# A step has at most 500 files, and 50 MiB in all, which base64 makes a third longer; tables have up to 16 MiB.
_MOST_FILES, _MOST_STEP_BYTES, _MOST_BYTES = 500, 50 << 20, 80 << 20
_MOST_FILE_BYTES = 16 << 20


class Step(NamedTuple):
    """A change of files that can be undone: what it was, and when, in s since 1970.

    `before` has the contents of the files, None of those that did not exist; `after` has digests, '' of files that were
    removed.
    """

    title: str
    time: float
    before: Mapping[str, bytes | None]
    after: Mapping[str, str]


class FileHistory:
    """The changes of a project, the latest at the end; they are kept in the folder for the state of programs.

    `path_of` returns the absolute path of a file, or raises an exception for one that may not be changed.
    `on_change` is called after each change, and `offered` is the one that windows offer to undo.
    """

    def __init__(self, root: Path, path_of: Callable[[str], Path]) -> None:
        """Read the changes that were kept; what cannot be read is ignored."""
        self._root, self._path_of = root, path_of
        self.folder = state_folder() / "history" / hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        self.on_change: set[Callable[[], None]] = set()
        self.offered: Step | None = None
        self._steps: list[Step] = []
        # Those of this run.
        self._own: list[Step] = []
        with suppress(OSError):
            for path in sorted(self.folder.glob("*.json"))[-_MOST_STEPS:]:
                self._read(path)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The changes, the latest first."""
        return tuple(reversed(self._steps))

    def change(self, title: str, contents: Mapping[str, bytes | None]) -> None:
        """Write files by their paths in the project, and remove those whose content is None.

        Raises CardgenError, and writes nothing, if one cannot be read or written.
        """
        if len(contents) > _MOST_FILES:
            raise _error(f"this changes more than {_MOST_FILES} files", "do it in several steps")
        before = {file: self._content(file) for file in contents}
        if sum(len(content or b"") for content in before.values()) > _MOST_STEP_BYTES:
            raise _error(f"this changes files of more than {_MOST_STEP_BYTES >> 20} MiB", "do it in several steps")
        step = Step(title, time.time(), before, {file: _digest(content) for file, content in contents.items()})
        self._keep(step)  # first, so that nothing is lost if the computer stops in between
        try:
            self._write(contents)
        except BaseException:
            with suppress(CardgenError):  # if this fails as well, the step is kept
                if any(self._content(file) != content for file, content in before.items()):
                    self._write(before)
                self._path(step).unlink(missing_ok=True)
            raise
        self._steps.append(step)
        self._own.append(step)
        self.offer(step)

    def undo(self, step: Step) -> tuple[str, ...]:
        """Restore every byte of the files of a change, and return the files; the change before it is offered then.

        Raises CardgenError, and writes nothing, if one has changed since, or cannot be written.
        """
        if step not in self._steps:
            raise _error("this has been undone already")
        for file, digest in step.after.items():
            if _digest(self._content(file)) != digest:
                raise _error(f"nothing was undone, because '{file}' has changed since")
        self._write(step.before)
        self._steps.remove(step)
        with suppress(OSError):
            self._path(step).unlink(missing_ok=True)
        if step in self._own:
            self._own.remove(step)
        self.offer(self._own[-1] if self._own else None)
        return tuple(step.before)

    def offer(self, step: Step | None) -> None:
        """Let all windows offer to undo a change, or none."""
        self.offered = step
        for listener in tuple(self.on_change):
            listener()

    def _content(self, file: str) -> bytes | None:
        try:
            return regular_file.read(self._path_of(file), _MOST_FILE_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _error(f"cannot read '{file}': {error}") from None

    def _write(self, contents: Mapping[str, bytes | None]) -> None:
        written = {self._path_of(file): content for file, content in contents.items() if content is not None}
        removed = [self._path_of(file) for file, content in contents.items() if content is None]
        atomic_write.write_all(written)
        try:
            for path in removed:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise _error(f"'{path.name}' cannot be removed: {error.strerror or error}") from None

    def _path(self, step: Step) -> Path:
        return self.folder / f"{int(step.time * 1000):015d}.json"

    def _keep(self, step: Step) -> None:
        before = {
            file: None if content is None else b64encode(content).decode() for file, content in step.before.items()
        }
        data = {"history": _FORMAT, "root": str(self._root), "title": step.title, "time": step.time}
        content = json.dumps({**data, "before": before, "after": step.after}).encode()
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _error(f"the change cannot be kept for Undo: {error.strerror or error}") from None
        atomic_write.write(self._path(step), content, is_private=True)
        for old in sorted(self.folder.glob("*.json"))[:-_MOST_STEPS]:
            old.unlink(missing_ok=True)

    def _read(self, path: Path) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, CardgenError):
            data: Any = json.loads(regular_file.read(path, _MOST_BYTES).decode())
            before = {
                str(file): None if content is None else b64decode(content, validate=True)
                for file, content in data["before"].items()
            }
            after = {str(file): str(digest) for file, digest in data["after"].items()}
            step = Step(str(data["title"]), float(data["time"]), before, after)
            if (data["history"], data["root"], self._path(step)) == (_FORMAT, str(self._root), path):
                self._steps.append(step)


def _error(message: str, advice: str = "") -> CardgenError:
    return CardgenError(Diagnostic(Code.UNWRITABLE, message, Place("history"), advice))


def _digest(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()
