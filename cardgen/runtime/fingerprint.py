"""Fingerprints of files, of the program and of its environment, for caches that must notice a change.

Loaded first by commands that may have nothing to do, so it must stay light: nothing here reads YAML or knows a card.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from cardgen import __version__

# As in cardgen.project, which is too heavy for here.
SETTINGS_FILE = "cardgen.yaml"
PACKAGE = Path(__file__).parents[1]
# Folders that come with the program lie inside the package when it is installed, and beside it in a checkout.
PROGRAM_FOLDERS = (PACKAGE, *(PACKAGE.parent / name for name in ("cards", "templates")))
# In a folder with more files than this, looking at them all is no gain.
MOST_FILES = 20_000
# What was changed so shortly before could change again without its time showing it.
SETTLED_NS = 100_000_000


def find_project_root(start: Path) -> Path:
    """The folder of the project that a folder belongs to: the next cardgen.yaml upward, or else itself."""
    return next((folder for folder in (start, *start.parents) if (folder / SETTINGS_FILE).is_file()), start)


def walk_files(
    path: str, excluded: Collection[str] = (), *, hidden: bool = False
) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder, or the file itself, in an order that is always the same.

    Python's own caches are left out, folders with a path in `but`, and what is hidden, unless that is asked for too.
    """
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except NotADirectoryError:
        with suppress(OSError):
            yield path, Path(path).stat()
        return
    except OSError:
        return
    for entry in entries:
        if entry.name == "__pycache__" or entry.path in excluded or (entry.name.startswith(".") and not hidden):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from walk_files(entry.path, excluded, hidden=hidden)
        else:
            try:
                yield entry.path, entry.stat()
            except OSError:
                continue


def program_version() -> tuple[str, ...]:
    """What the program is made of: its version, Python's, and the name and version of every package installed."""
    packages = (name for folder in sys.path for name in _installed_packages(folder))
    return (__version__, sys.version, sys.platform, *sorted(packages))


def _installed_packages(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]  # noqa: PTH208
    except OSError:
        return []


def prune_oldest(folder: Path, limit: int) -> None:
    """Of the remembered JSON files in a folder, keep only the newest."""
    newest_first = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in newest_first[limit:]:
        file.unlink(missing_ok=True)
