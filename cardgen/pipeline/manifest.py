"""The manifest of a build: what it read and what it wrote, so that the next one can see that there is nothing to do.

It lies in the user's cache folder, one file for each request in each folder, and is never needed: one that is missing,
broken or of another version means that everything is built. It is compared by the names, sizes, times and numbers of
files; their contents are not read. What it cannot see is another version of the system's libcairo.
This module is loaded before a build, so it must stay light.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgen.pipeline import state
from cardgen.pipeline.built import Built
from cardgen.user_folders import cache_folder, settings_folder

Stamp: TypeAlias = tuple[int, ...]
Stamps: TypeAlias = dict[str, Stamp]

_FORMAT = 1
_MOST_MANIFESTS = 200
# Folders whose files all count, hidden ones too.
_LOOKED_UP = ("cards", "templates", "fonts", "icons")
_OUTPUT = "output"
# What counts wherever it lies in the project: cards, settings and pictures; a log that somebody writes there does not.
_READ_ANYWHERE = (".yaml", ".yml", ".png", ".jpg", ".jpeg", ".svg")
# What the environment says about documents: to us, and to ReportLab, which reads settings of its own.
_VARIABLES = ("SOURCE_DATE_EPOCH", "RL_")
_REPORTLAB = "~/.reportlab_settings"


class _Look(NamedTuple):
    """All files that a build may read, and when they were looked at, in nanoseconds."""

    files: Stamps
    at: int


class Manifest:
    """The manifest of one request in the current folder.

    `asked` is all that was asked for and bears on the files; `paths` are the card files that were named, `output` is
    the folder that the files go to.
    """

    def __init__(self, asked: Mapping[str, object], paths: Iterable[Path], output: Path) -> None:
        self._here = Path.cwd()
        self._root = state.project_root(self._here)
        self._named = [self._here / path for path in paths]
        self._output = output
        self._circumstances = repr((state.program(), _variables()))
        key = repr((sorted(asked.items()), str(self._here), str(self._root)))
        name = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        self._file = cache_folder() / "builds" / f"{name}.json"
        self._look: _Look | None = None

    def unchanged(self) -> Built | None:
        """What the last build came to, if it would come to the same now; None if something has to be done."""
        started = time.monotonic()
        last = self._read()
        if last is None or last["circumstances"] != self._circumstances or not _as_they_were(last["outputs"]):
            return None
        outputs = {os.path.abspath(path) for path in last["outputs"]}  # noqa: PTH100 - resolve() would follow links
        now = self._looked()
        if now is None or not _as_they_were(last["others"]) or _but(now.files, outputs) != last["files"]:
            return None
        files = tuple(map(Path, last["outputs"]))
        return Built(files, (), **last["counts"], seconds=time.monotonic() - started, unchanged=True)

    def begin(self) -> None:
        """A build begins: what it reads from now on is as it is now, or it is not kept."""
        self._look = self._looked()

    def end(self, built: Built, stamps: Mapping[Path, Stamp], others: Iterable[Path]) -> Built:
        """A build has ended well: keep what it read and wrote, and remove what the last one wrote and it did not.

        `stamps` are those of all its files as they were written, `others` what it read beside the project's files.
        """
        last = self._read()
        removed = tuple(self._outlived(last["outputs"], built.files)) if last else ()
        outputs = {str(path): stamps[path] for path in built.files}
        further = {str(path): _seen_at(str(path)) for path in (*others, *_modules())}
        counts = (built.cards, built.copies, built.sheets)
        self._write({"files": self._kept(outputs, further), "others": further, "outputs": outputs, "counts": counts})
        return replace(built, removed=removed)

    def _kept(self, outputs: Iterable[str], others: Stamps) -> Stamps | None:
        """What was read of the project's files; None when some of it may have changed while it was read."""
        if self._look is None:
            return None
        files = _but(self._look.files, {os.path.abspath(path) for path in outputs})  # noqa: PTH100
        settled = all(_settled(each, self._look.at) for each in (*files.values(), *others.values()))
        return files if settled else None

    def _looked(self) -> _Look | None:
        """All files that may be read; None when they are too many."""
        at = time.time_ns()
        aside = {str(self._root / _OUTPUT), os.path.abspath(self._output), str(cache_folder())}  # noqa: PTH100
        seen = list(islice(self._files(aside), state.MOST_FILES + 1))
        return None if len(seen) > state.MOST_FILES else _Look({path: _seen(found) for path, found in seen}, at)

    def _files(self, aside: set[str]) -> Iterator[tuple[str, os.stat_result]]:
        for folder in (*state.PROGRAM, settings_folder()):
            yield from state.files(str(folder))
        for path, found in state.files(str(self._root), aside):
            if path.lower().endswith(_READ_ANYWHERE):
                yield path, found
        reportlab = Path(os.path.expanduser(_REPORTLAB))  # noqa: PTH111 - which does without a home
        for folder in (*(self._root / name for name in _LOOKED_UP), *self._named, reportlab):
            yield from state.files(str(folder), hidden=True)

    def _outlived(self, before: Mapping[str, Stamp], now: Iterable[Path]) -> Iterator[Path]:
        """Remove what the last build wrote, and nobody has touched since, and that belongs to the build no more."""
        kept = set(now)
        for path in map(Path, before):
            ours = path.is_relative_to(self._output) and stamp(path) == tuple(before[str(path)])
            if path not in kept and ours:
                with suppress(OSError):
                    path.unlink()
                    yield path
                    path.parent.rmdir()  # Only a folder that is empty now can be removed.

    def _read(self) -> dict[str, Any] | None:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            if found["format"] != _FORMAT or not found["outputs"]:
                return None
            for name in ("files", "others", "outputs"):
                found[name] = {path: tuple(stamp) for path, stamp in (found[name] or {}).items()}
            cards, copies, sheets = map(int, found["counts"])
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None
        return {**found, "counts": {"cards": cards, "copies": copies, "sheets": sheets}}

    def _write(self, content: dict[str, Any]) -> None:
        """Keep what was built; that it cannot be kept is no reason to fail."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            aside = self._file.with_suffix(f".{os.getpid()}")
            text = json.dumps({"format": _FORMAT, "circumstances": self._circumstances, **content})
            aside.write_text(text, encoding="utf-8")
            aside.replace(self._file)
            state.forget_the_oldest(self._file.parent, _MOST_MANIFESTS)
        except (OSError, ValueError):
            return


def stamped(found: os.stat_result) -> Stamp:
    """What a file is known by that was written: its size, its time and its number; moving it changes none of them."""
    return (found.st_size, found.st_mtime_ns, found.st_ino)


def stamp(path: Path) -> Stamp | None:
    """The same of a path; None where there is nothing."""
    try:
        return stamped(path.lstat())
    except (OSError, ValueError):
        return None


def _seen(found: os.stat_result) -> Stamp:
    """What a file is known by that is read; its last number tells of changes that keep its time."""
    return (*stamped(found), found.st_ctime_ns)


def _seen_at(path: str) -> Stamp:
    """The same of a path; () where there is no file."""
    try:
        return _seen(os.stat(path))  # noqa: PTH116 - called for many files
    except (OSError, ValueError):
        return ()


def _settled(stamp: Stamp, looked_at: int) -> bool:
    """Whether a file was at rest when it was looked at; what is no file cannot be known at all."""
    return bool(stamp) and max(stamp[1], stamp[3]) < looked_at - state.SETTLED_NS


def _as_they_were(stamps: Mapping[str, Stamp]) -> bool:
    return all(_seen_at(path)[: len(stamp)] == stamp for path, stamp in stamps.items())


def _but(stamps: Stamps, left_out: set[str]) -> Stamps:
    return {path: stamp for path, stamp in stamps.items() if path not in left_out}


def _variables() -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in os.environ.items() if name.startswith(_VARIABLES))


def _modules() -> Iterator[Path]:
    """The files of loaded modules that are installed nowhere, such as a game that somebody is working on."""
    installed = (sys.prefix, sys.base_prefix, sys.exec_prefix, str(state.PACKAGE))
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not file.startswith(installed) and Path(file).is_file():
            yield Path(file)
