"""Results of builds, and manifests that let unchanged builds be skipped.

A manifest lists what a build read and wrote. Manifests are in the user's cache folder, one file per request and folder.
A manifest that is missing, broken, or of another version means a full build. It compares the names, sizes, times, and
inodes of files, not their contents, and cannot see another version of the system's libcairo. This module is loaded
before a build, so it stays light.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity, Span, group_alike, log_activity
from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.fingerprint import WRITTEN, Stamp, stamp, stamp_of
from cardgen.runtime.user_folders import cache_folder, config_folder, prune_oldest, seal, unseal
from cardgen.units import quantity


@dataclass(frozen=True, slots=True)
class SkippedCard:
    """A card that a build left out because it has mistakes, or a roster larger than the paper.

    `place` is that of its name, and each of the `problems` is a message with its place. A row or file of which no card
    could be read has only these.
    """

    game: str
    kind: str
    id: str
    name: str
    place: str
    problems: tuple[str, ...]


# The place, the cell in it with its row, the code, and the words of a problem.
_PROBLEM = re.compile(r"(.+?)(?:!([^!]+?([0-9]+)))?: (\w+)\[(\w+)\]: (.*)", re.DOTALL)


def problem_lines(cards: Iterable[SkippedCard]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the problems of cards that were left out, each with the names of its cards.

    Problems of one kind are one, which ends with their other places.
    """
    names: dict[tuple[str, Place], list[str]] = {}
    problems: dict[str, Diagnostic] = {}
    for card in cards:
        for problem in card.problems:
            found = problems[problem] = _read_problem(problem)
            names.setdefault((found.code, found.place), []).append(card.name)
    for group in group_alike(problems, lambda each: problems[each]):
        code, place = problems[group.finding].code, problems[group.finding].place
        every = (name for each in (place, *group.other_places) for name in names[code, each])
        yield tuple(dict.fromkeys(every)), "; ".join(filter(None, (group.finding, group.also)))


def _read_problem(problem: str) -> Diagnostic:
    """Return a problem whose places can be compared."""
    matched = _PROBLEM.fullmatch(problem)
    if matched is None:
        return Diagnostic("", problem, Place(""))
    file, cell, row, severity, code, message = matched.groups()
    place = Place(file, Span(int(row), 1, int(row), 1), "", cell) if cell else Place(file)
    return Diagnostic(code, message, place, severity=Severity(severity))


@dataclass(frozen=True, slots=True)
class DiscardedCard:
    """A card of an earlier release that a build replaces, or that is gone; `copies` were printed then."""

    game: str
    kind: str
    id: str
    name: str
    copies: int


@dataclass(frozen=True, slots=True)
class UnprintedCard:
    """A card that changed since a release and is not printed; `changes` are the classes of its change."""

    game: str
    kind: str
    id: str
    name: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Files and counts of a build.

    `copies` counts every print of every card. `files` are all files of the build, `written` the new and changed ones.
    `removed` are files of the previous build that no longer belong to it. `unchanged` is true if there was nothing to
    do. `skipped` are the rosters that are larger than the paper, and the cards with mistakes, if the request allows to
    leave them out; the result is `incomplete` if there are any of the latter. `discarded` are old cards to throw away,
    if only changes since a release were built; if these are none, `reason` says so. `unprinted` are those that changed
    in other ways than the request prints. `stickers` are for old cards, instead of new ones. `notes` say what is
    missing in translations, and `advice` how to print on fewer sheets. `variety` is the number of different cards with
    rules in each file.
    """

    files: tuple[Path, ...]
    written: tuple[Path, ...]
    cards: int
    copies: int
    sheets: int
    seconds: float
    removed: tuple[Path, ...] = ()
    unchanged: bool = False
    skipped: tuple[SkippedCard, ...] = ()
    discarded: tuple[DiscardedCard, ...] = ()
    reason: str = ""
    stickers: int = 0
    unprinted: tuple[UnprintedCard, ...] = ()
    incomplete: bool = False
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    variety: Mapping[Path, int] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The last line that a build prints."""
        if self.reason and not self.files:
            return f"no cards to print: {self.reason}"
        counts = [quantity(len(self.files), "file"), quantity(self.cards, "card")]
        if self.stickers:
            counts.append(quantity(self.stickers, "sticker"))
        if self.sheets:
            counts += [quantity(self.copies, "copy", "copies"), quantity(self.sheets, "sheet")]
        done = "unchanged since the last build" if self.unchanged else f"in {self.seconds:.1f} s"
        left_out = f"; {quantity(len(self.skipped), 'card')} skipped" if self.skipped else ""
        return f"{', '.join(counts)} {done}{left_out}"


def joined_results(results: Sequence[BuildResult]) -> BuildResult:
    """Return the results of the same build in several languages as one."""
    sums = {name: sum(getattr(each, name) for each in results) for name in _SUMS}
    lists = {name: tuple(chain.from_iterable(getattr(each, name) for each in results)) for name in _LISTS}
    together: dict[str, Any] = {**sums, **{name: tuple(dict.fromkeys(values)) for name, values in lists.items()}}
    return replace(
        results[0],
        **together,
        unchanged=all(each.unchanged for each in results),
        incomplete=any(each.incomplete for each in results),
    )


_SUMS = ("cards", "copies", "sheets", "seconds", "stickers")
_LISTS = ("files", "written", "removed", "skipped", "discarded", "unprinted", "notes", "advice")

StampsByPath: TypeAlias = dict[str, Stamp]


_FORMAT = 1


# Files of requests beside the usual one: parts of the cards, what changed in them, and all in one file.
_PARTIAL = re.compile(r"-(?:selection|since|pnp)-")


_MOST_OUTDATED = 3


_MOST_MANIFESTS = 200


_MAX_BYTES = 64 * 2**20


# All files in these folders count, including hidden ones.
_ALWAYS_SCANNED = ("cards", "templates", "fonts", "icons", "charges", "games", "captions")


# Cards, settings, and pictures count anywhere in the project; log files and saved battles do not.
_SCANNED_SUFFIXES = (".yaml", ".yml", *fingerprint.PICTURE_SUFFIXES)


# Environment variables that change documents: cardgen's own, and those that ReportLab reads.
_ENVIRONMENT_PREFIXES = ("SOURCE_DATE_EPOCH", "CARDGEN_NO_FAST", "RL_")


_REPORTLAB_SETTINGS = "~/.reportlab_settings"


class _FileScan(NamedTuple):
    """Stamps of all files that a build may read.

    The time of the scan is in nanoseconds.
    """

    files: StampsByPath
    scanned_at: int


class BuildManifest:
    """The manifest of one request in the current folder.

    `options` are the options that affect the files, `paths` the card files given, and `output` is the output folder.
    `start` is a folder of the project, by default the current folder. Results name the sheets of other requests that
    are outdated, if `names_outdated` is true.
    """

    names_outdated = True

    def __init__(
        self, options: Mapping[str, object], paths: Iterable[Path], output: Path, start: Path | None = None
    ) -> None:
        self._folder = Path.cwd()
        self._root = fingerprint.find_project_root(start or self._folder)
        self._named_paths = [self._folder / path for path in paths]
        self._output = output
        self._circumstances = repr((fingerprint.program_version(), _environment()))
        key = repr((sorted(options.items()), str(self._folder), str(self._root)))
        name = hashlib.blake2b(key.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        self._file = cache_folder() / "builds" / f"{name}.json"
        self._scan: _FileScan | None = None
        self._last_scan: _FileScan | None = None

    def unchanged_result(self) -> BuildResult | None:
        """Return the last build's result if nothing changed, or else None."""
        started = time.monotonic()
        result = self._unchanged_result(started)
        log_activity(f"{'something' if result is None else 'nothing'} changed since the build in {self._file}")
        return result

    def _unchanged_result(self, started: float) -> BuildResult | None:
        previous = self._read()
        if previous is None or previous["circumstances"] != self._circumstances or not _all_match(previous["outputs"]):
            return None
        outputs = {os.path.abspath(path) for path in previous["outputs"]}  # noqa: PTH100 - resolve() would follow links
        scan = self._scan_files()
        self._last_scan = scan
        if scan is None or not _all_match(previous["others"]) or _without(scan.files, outputs) != previous["files"]:
            return None
        files = tuple(map(Path, previous["outputs"]))
        return BuildResult(files, (), **previous["counts"], seconds=time.monotonic() - started, unchanged=True)

    def start(self) -> None:
        """Scan the files at the start of a build, unless that was done to find out whether anything changed.

        Changes during the build invalidate the manifest.
        """
        self._scan, self._last_scan = self._last_scan or self._scan_files(), None

    def finish(self, result: BuildResult, stamps: Mapping[Path, Stamp], others: Iterable[Path]) -> BuildResult:
        """Store the manifest, and remove files that the build no longer has.

        The files that are removed belong to the previous build of this request. `stamps` has the stamps of all its
        files when they were written; `others` are files that it read, wherever they are.
        """
        previous, others = self._read(), tuple(others)
        removed_paths = tuple(self._remove_outdated(previous["outputs"], result.files)) if previous else ()
        outputs = {str(path): stamps[path] for path in result.files}
        # A build that skipped cards or texts is repeated in full, so that it lists them again.
        is_complete = not (result.skipped or result.notes)
        other_stamps = {str(path): stamp(path) for path in (*others, *fingerprint.uninstalled_modules())}
        counts = (result.cards, result.copies, result.sheets)
        self._write(
            {
                "files": self._settled_inputs(outputs, other_stamps) if is_complete else None,
                "others": other_stamps,
                "outputs": outputs,
                "counts": counts,
            }
        )
        outdated = tuple(self._outdated(result.files, removed_paths, others))
        return replace(result, removed=removed_paths, advice=(*result.advice, *outdated))

    def _outdated(self, current: Iterable[Path], removed: Iterable[Path], others: Iterable[Path]) -> Iterator[str]:
        """Yield advice on sheets of other requests that are older than what they were made from, if there are any."""
        if self._scan is None or not self.names_outdated:
            return
        sources = [each for path, each in self._scan.files.items() if self._is_source(Path(path))]
        known, newest = (
            {*current, *removed},
            max((each[1] for each in (*sources, *map(stamp, others)) if each), default=0),
        )
        every = sorted(path for path in self._output.glob("*.pdf") if _PARTIAL.search(path.name))
        old = [path.as_posix() for path in every if path not in known and path.stat().st_mtime_ns < newest]
        if old:
            shown = ", ".join(old[:_MOST_OUTDATED]) + (", …" if len(old) > _MOST_OUTDATED else "")
            yield f"older than the cards: {shown}; build with the same options again, or delete what you do not need"

    def _is_source(self, path: Path) -> bool:
        """Return whether cards are made from a file that was scanned: no release, and no draft beside the cards."""
        if not path.is_relative_to(self._root):
            return any(path.is_relative_to(named) for named in self._named_paths)
        top, *below = path.relative_to(self._root).parts
        return not below or top in (*_ALWAYS_SCANNED, "sheets") or not (self._root / "cards").is_dir()

    def _settled_inputs(self, outputs: Iterable[str], others: StampsByPath) -> StampsByPath | None:
        """Return the stamps of the project's files.

        None if any may have changed during the build.
        """
        if self._scan is None:
            return None
        files = _without(self._scan.files, {os.path.abspath(path) for path in outputs})  # noqa: PTH100
        all_settled = all(_was_settled(each, self._scan.scanned_at) for each in (*files.values(), *others.values()))
        return files if all_settled else None

    def _scan_files(self) -> _FileScan | None:
        """Scan all files that a build may read.

        None if there are too many.
        """
        at = time.time_ns()
        excluded = {str(self._root / fingerprint.OUTPUT_FOLDER), os.path.abspath(self._output), str(cache_folder())}  # noqa: PTH100
        statuses = list(islice(self._candidate_files(excluded), fingerprint.MOST_FILES + 1))
        return (
            None
            if len(statuses) > fingerprint.MOST_FILES
            else _FileScan({path: stamp_of(status) for path, status in statuses}, at)
        )

    def _candidate_files(self, excluded: set[str]) -> Iterator[tuple[str, os.stat_result]]:
        for folder in map(str, (*fingerprint.PROGRAM_FOLDERS, config_folder())):
            yield from fingerprint.walk_statuses(folder)
        whole = [str(self._root / name) for name in _ALWAYS_SCANNED]
        for path, status in fingerprint.walk_statuses(str(self._root), {*excluded, *whole}):
            if path.lower().endswith(_SCANNED_SUFFIXES):
                yield path, status
        reportlab = os.path.expanduser(_REPORTLAB_SETTINGS)  # noqa: PTH111 - which does without a home
        inside = [folder for folder in whole if regular_file.stays_inside(self._root, Path(folder))]
        for folder in (*inside, *map(str, self._named_paths), reportlab):
            yield from fingerprint.walk_statuses(folder, hidden=True)

    def _remove_outdated(self, previous: Mapping[str, Stamp], current: Iterable[Path]) -> Iterator[Path]:
        """Remove files of the last build that no longer belong to it.

        Files that somebody changed are kept.
        """
        kept, output = set(current), self._output.resolve()
        for path in map(Path, previous):
            unchanged = stamp(path, WRITTEN, follow_links=False) == previous[str(path)]
            if path not in kept and unchanged and path.parent.resolve().is_relative_to(output):
                with suppress(OSError):
                    path.unlink()
                    yield path
                    path.parent.rmdir()  # Only a folder that is empty now can be removed.

    def _read(self) -> dict[str, Any] | None:
        try:
            text = unseal(self._file.name, regular_file.read(self._file, _MAX_BYTES))
            if text is None:
                return None
            content = json.loads(text)
            if content["format"] != _FORMAT or not content["outputs"]:
                return None
            for name in ("files", "others", "outputs"):
                content[name] = {path: tuple(numbers) for path, numbers in (content[name] or {}).items()}
            cards, copies, sheets = map(int, content["counts"])
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None
        return {**content, "counts": {"cards": cards, "copies": copies, "sheets": sheets}}

    def _write(self, content: dict[str, Any]) -> None:
        """Store the manifest; failing to do so is not an error."""
        from cardgen.runtime import atomic_write  # An unchanged build writes nothing.

        text = json.dumps({"format": _FORMAT, "circumstances": self._circumstances, **content})
        with suppress(CardgenError, OSError, ValueError):
            entry = seal(self._file.name, text.encode())
            if entry is not None:
                atomic_write.write(self._file, entry, durable=False, confined=False)
            prune_oldest(self._file.parent, _MOST_MANIFESTS)


def _was_settled(each: Stamp, scanned_at: int) -> bool:
    """Return whether a file had settled before the scan.

    False if there is no file.
    """
    return bool(each) and max(each[1], each[3]) < scanned_at - fingerprint.SETTLED_NS


def _all_match(stamps: Mapping[str, Stamp]) -> bool:
    return all(stamp(path, len(previous)) == previous for path, previous in stamps.items())


def _without(stamps: StampsByPath, excluded: set[str]) -> StampsByPath:
    return {path: each for path, each in stamps.items() if path not in excluded}


def _environment() -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in os.environ.items() if name.startswith(_ENVIRONMENT_PREFIXES))
