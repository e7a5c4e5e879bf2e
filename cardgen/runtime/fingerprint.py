"""Fingerprints of files, program, and environment, for caches, and the watch for changes."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from cardgen import __version__
from cardgen.runtime.user_folders import cache_folder

SETTINGS_FILE, OUTPUT_FOLDER = "cardgen.yaml", "output"
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
# Pictures that cannot be drawn.
OTHER_PICTURE_SUFFIXES = (
    ".bmp",
    ".tif",
    ".tiff",
    ".avif",
    ".heic",
    ".jxl",
    ".psd",
    ".xcf",
    ".kra",
    ".eps",
    ".ai",
    ".pdf",
)
# Files of these types can be tables, with or without settings.
WORKBOOK_SUFFIXES = (".xlsx", ".ods")
JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")
TABLE_SUFFIXES = (".csv", ".tsv", *WORKBOOK_SUFFIXES, ".json", *JSON_LINES_SUFFIXES)
PACKAGE: Path = Path(__file__).parents[1]
# The folders that come with the program are inside the package when it is installed, and beside it in a checkout.
PROGRAM_FOLDERS = (PACKAGE, *(PACKAGE.parent / name for name in ("cards", "templates")))
# Nobody's project has more files than this, but a folder that was named by mistake can, such as a home folder.
MOST_FILES = 200_000
# A file that changed this recently can change again without a new modification time.
SETTLED_NS = 100_000_000

# Size, modification time in ns, inode, and change time in ns of a file, the coarsest first; () if there is no file.
Stamp: TypeAlias = tuple[int, ...]
# How much of a stamp to compare. Network drives may renumber inodes, so watching does without; a file that cardgen
# wrote may be moved, which changes only the last number; that number also reveals edits that restore the old time.
WATCHED, WRITTEN, READ = 2, 3, 4
Snapshot: TypeAlias = Mapping[str, Stamp]


def stamp_of(status: os.stat_result, detail: int = READ) -> Stamp:
    """Return the stamp of a file from its status."""
    return (status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)[:detail]


def stamp(path: str | Path, detail: int = READ, *, follow_links: bool = True) -> Stamp:
    """Return the stamp of a path; () if there is no file."""
    try:
        return stamp_of(os.stat(path, follow_symlinks=follow_links), detail)  # noqa: PTH116 - called for many files
    except (OSError, ValueError):
        return ()


def find_settings_folder(start: Path) -> Path | None:
    """Return the nearest folder with a cardgen.yaml, or None.

    The search goes from `start` upward. A link that leads out of a project, or out of the current folder, leads to no
    other project: the folder is the one that contains the link, which confines what is read and written. In a folder
    where everybody can write, such as /tmp, settings of other users are left out.
    """
    own = [folder for folder in (start, *start.parents) if has_settings(folder) and not _is_planted(folder, start)]
    found = own[0] if own else None
    for outer in found.parents if found else ():
        if (outer in own or _is_current(outer)) and not _is_below(found, outer):
            found = outer
    return found


def _is_planted(folder: Path, start: Path) -> bool:
    """Return whether another user may have put the settings of a shared folder above `start` there."""
    try:
        if folder == start or sys.platform == "win32" or not folder.stat().st_mode & stat.S_IWOTH:
            return False
        return owner_of(folder / SETTINGS_FILE) not in (0, os.getuid(), owner_of(start))
    except OSError:
        return False


def owner_of(path: Path) -> int:
    """Return the number of the user to whom a file, or a link itself, belongs."""
    return path.lstat().st_uid


def _is_current(folder: Path) -> bool:
    try:
        return str(folder) == os.getcwd()  # noqa: PTH109 - called for many folders
    except OSError:  # it was removed
        return False


def _is_below(folder: Path | None, outer: Path) -> bool:
    return folder is not None and Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(outer))


def has_settings(folder: Path) -> bool:
    """Return whether a folder has a cardgen.yaml, readable or not: a broken link or a pipe is a mistake to report."""
    path = folder / SETTINGS_FILE
    return os.path.lexists(path) and (path.is_symlink() or not path.is_dir())


def settings_folders(paths: Iterable[Path]) -> set[Path]:
    """Return the folders of the projects that contain these files and folders."""
    absolute = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - resolve() would follow links
    folders = {path if path.is_dir() else path.parent for path in absolute}
    return {root for folder in folders if (root := find_settings_folder(folder))}


def find_project_root(start: Path) -> Path:
    """Return the folder of the project that `start` belongs to.

    It is `start` itself if no folder from there upward has a cardgen.yaml.
    """
    return find_settings_folder(start) or start


def _enter_all(_: os.DirEntry[str]) -> bool:
    return True


def walk(
    folder: str, enter: Callable[[os.DirEntry[str]], bool] = _enter_all, *, hidden: bool = False
) -> Iterator[os.DirEntry[str]]:
    """Yield the files and links below a folder.

    They are sorted by name in each folder; links are not followed. Skips Python's bytecode caches, folders that `enter`
    rejects or that cannot be read and, unless `hidden` is true, names that begin with a dot. Makes no Path objects,
    because a project may have thousands of files.
    """
    listings = [_listing(folder)]  # of each folder on the way; a recursion would end with the stack of Python
    while listings:
        entry = next(listings[-1], None)
        if entry is None:
            listings.pop()
        elif entry.name == "__pycache__" or (entry.name.startswith(".") and not hidden):
            continue
        elif not entry.is_dir(follow_symlinks=False):
            yield entry
        elif enter(entry):
            listings.append(_listing(entry.path))


def _listing(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return iter(sorted(listing, key=lambda entry: entry.name))
    except OSError:
        return iter(())


def walk_statuses(
    path: str,
    excluded: Collection[str] = (),
    *,
    hidden: bool = False,
    broken: bool = False,
    enter: Callable[[os.DirEntry[str]], bool] = _enter_all,
) -> Iterator[tuple[str, os.stat_result]]:
    """Yield path and status of each file below a folder.

    `path` can also be a single file. Skips `excluded` folders and those that `enter` rejects. With `broken`, links that
    lead nowhere have their own status.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - called several times a second
        with suppress(OSError):
            yield path, os.stat(path)  # noqa: PTH116
        return
    for entry in walk(path, lambda folder: folder.path not in excluded and enter(folder), hidden=hidden):
        status = None
        with suppress(OSError):
            status = _status(entry)
        if status is None and broken:
            with suppress(OSError):  # a file that has gone since the folder was listed
                status = entry.stat(follow_symlinks=False)
        if status is not None:
            yield entry.path, status


def project_statuses(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield path and status of each file that cards, templates, or settings of a project can name.

    Hidden files belong to them, but not the repository, caches, and environments of Python; of what was built, only
    pictures do. Links that lead nowhere have their own status.
    """
    output = str(root / OUTPUT_FOLDER) + os.sep
    own = str(cache_folder())  # may be in the project, on machines of CI

    def enter(folder: os.DirEntry[str]) -> bool:
        return folder.path != own and not is_unwatched(folder.path)

    for path, status in walk_statuses(str(root), hidden=True, broken=True, enter=enter):
        if not path.startswith(output) or path.lower().endswith(PICTURE_SUFFIXES):
            yield path, status


def is_unwatched(folder: str) -> bool:
    """Return whether nobody looks for changes in a folder: a repository, a cache, or an environment of Python.

    No card can name a file there, because a check of it would be remembered when the file is gone.
    """
    name = folder.rpartition(os.sep)[2].lower()
    is_cache = name.startswith(".") and os.path.exists(f"{folder}/CACHEDIR.TAG")  # noqa: PTH110
    return name in (".git", "__pycache__") or is_cache or os.path.exists(f"{folder}/pyvenv.cfg")  # noqa: PTH110


def _status(entry: os.DirEntry[str]) -> os.stat_result:
    """Return the status of a file that a folder lists.

    The lists of Windows have no inodes, and sizes and times from before the last change. Links are not followed there,
    because they can lead to a server.
    """
    return os.stat(entry.path, follow_symlinks=False) if sys.platform == "win32" else entry.stat()  # noqa: PTH116


def snapshot(roots: Iterable[Path], excluded: Path | None = None) -> Snapshot:
    """Return the stamps of all files below some paths.

    Paths are folders or single files. Skips `excluded` folders, hidden files and folders, and backup files of editors
    (`card.yaml~`).
    """
    excluded_paths = (os.path.abspath(excluded),) if excluded else ()  # noqa: PTH100 - resolve() would follow links
    return {
        path: stamp_of(status, WATCHED)
        for root in dict.fromkeys(os.path.abspath(root) for root in roots)  # noqa: PTH100
        for path, status in walk_statuses(root, excluded_paths)
        if not path.endswith("~")
    }


async def file_events(root: Path, excluded: Path) -> AsyncIterator[None]:
    """Wait for changes below a folder, like `snapshot`, without those behind links.

    Ends at once where the system does not report changes.
    """
    import asyncio  # loaded here because only the studio needs it

    try:
        from watchfiles import awatch  # uvicorn's standard installation has it
    except ImportError:
        return
    with suppress(OSError, RuntimeError):  # such as too many folders
        while True:
            folders = await asyncio.to_thread(_folders, str(root), str(excluded))
            stop = asyncio.Event()
            # It would follow links itself, to any place, so it gets each folder, and all again once there are others.
            events = awatch(
                *folders, watch_filter=None, debounce=400, stop_event=stop, recursive=False,
                ignore_permission_denied=True,
            )  # fmt: skip
            async for _ in events:
                yield
                if await asyncio.to_thread(_folders, str(root), str(excluded)) != folders:
                    stop.set()


def _folders(root: str, excluded: str) -> list[str]:
    found = [root]

    def enter(folder: os.DirEntry[str]) -> bool:
        if folder.path != excluded:
            found.append(folder.path)
        return folder.path != excluded

    for _ in walk(root, enter):
        pass
    return found


def program_version() -> tuple[str, ...]:
    """Return the versions of cardgen, Python, and all installed packages."""
    packages = (name for folder in sys.path for name in _installed_packages(folder))
    return (__version__, sys.version, sys.platform, *sorted(packages))


def _installed_packages(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]  # noqa: PTH208
    except OSError:
        return []


def program_stamps() -> str:
    """Return a digest of the stamps of the program's files and of modules that are not installed.

    An example of the latter is a game in development.
    """
    import hashlib  # loaded here because few commands need it

    files = [(path, stamp_of(status, WATCHED)) for path, status in walk_statuses(str(PACKAGE))]
    modules = sorted((str(path), stamp(path, WATCHED)) for path in uninstalled_modules())
    return hashlib.blake2b(repr((files, modules)).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


# What lies there is installed, or the program.
INSTALLED = (sys.prefix, sys.base_prefix, sys.exec_prefix, str(PACKAGE))


def uninstalled_modules() -> Iterator[Path]:
    """Yield the files of loaded modules that are not installed."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not file.startswith(INSTALLED) and Path(file).is_file():
            yield Path(file)


POLL_INTERVAL = 0.1
# Taking snapshots uses at most this share of the time, however many files there are.
_MAX_SHARE = 0.1


def poll_changes(take_snapshot: Callable[[], Snapshot], interval: float = POLL_INTERVAL) -> Iterator[None]:
    """Yield at the start, then after every settled change; never ends.

    A change during a round starts another round.
    """
    while True:
        before = take_snapshot()
        yield
        current = _take_after(take_snapshot, interval)
        while current == before:
            current = _take_after(take_snapshot, interval)
        while (later := _take_after(take_snapshot, interval / 2)) != current:
            current = later


def _take_after(take_snapshot: Callable[[], Snapshot], interval: float) -> Snapshot:
    time.sleep(interval)
    started = time.monotonic()
    result = take_snapshot()
    time.sleep((time.monotonic() - started) / _MAX_SHARE * (1 - _MAX_SHARE))
    return result
