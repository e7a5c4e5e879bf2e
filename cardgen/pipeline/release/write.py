"""Write the file of a release together with its notes: both, or neither."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.release import run
from cardgen.pipeline.release.changes import compare
from cardgen.pipeline.release.content.released_card import Release
from cardgen.pipeline.release.errata.release_notes import notes_text
from cardgen.pipeline.release.release_file import parse_release, release_date, release_text, today
from cardgen.pipeline.release.snapshot import take_snapshot
from cardgen.project.files import display_path, is_device_name, require_inside
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.folder_lock import locked
from cardgen.units import shorten

_MAX_BYTES = 64 * 2**20


class WrittenNotes(NamedTuple):
    """The file of release notes, and the release that they compare with."""

    file: Path
    since: str
    unchanged: bool


class WrittenRelease(NamedTuple):
    """The file of a release, the number of its cards, whether it was there already, and its notes.

    The first release has no notes. `following` are the notes of the release after it, which was the first until now.
    """

    file: Path
    cards: int
    unchanged: bool
    notes: WrittenNotes | None = None
    following: WrittenNotes | None = None


def write_release(
    name: str, *, since: str | None = None, notes: bool = True, force: bool = False, folder: Path | None = None
) -> WrittenRelease:
    """Write the release file of the project of a folder, by default the current one, and its notes.

    The notes compare with the release `since`, by default the one before. Releases of one project are written one after
    the other. Raises CardgenError, and writes nothing, for a name that a file cannot have, for problems of the cards,
    for a file with another content, unless `force` is true, if there is no release `since`, and for notes whose changes
    cannot be told from the author's words.
    """
    root = find_project_root(folder or Path.cwd())
    _require_name(name, root)
    with locked(root):
        return _Writer(root, name, take_snapshot(name, folder)).write(since, notes=notes, force=force)


def _require_name(name: str, root: Path) -> None:
    """Raise CardgenError for a name that a file cannot have on every platform, or that another release has there."""
    message, advice = "", ""
    if not run.NAME.fullmatch(name) or name.endswith("."):
        message, advice = (
            f"'{shorten(name, 80)}' is not a valid name",
            "use letters, digits, and the characters . _ + -",
        )
    elif is_device_name(name):
        message, advice = f"'{name}' is not a valid name", "Windows reserves it; choose another name"
    if message:
        raise CardgenError(Diagnostic(Code.BAD_RELEASE_NAME, f"{message} of a release", Place("NAME"), advice))
    for other in run.release_files(root):
        if other != name and other.casefold() == name.casefold():
            message = f"'{name}' differs from the release '{other}' only in case"
            raise CardgenError(Diagnostic(Code.BAD_RELEASE_NAME, message, Place("NAME"), "choose another name"))


class _Writer:
    """Writes one release of a project that nobody else writes to."""

    def __init__(self, root: Path, name: str, release: Release) -> None:
        self._root, self._name = root, name
        self._path = run.file_of(root, name)
        self._contents: dict[Path, bytes] = {}
        date = release_date(self._path)
        self._text = release_text(release, date)
        self._unchanged = _content(self._path) == self._text.encode()
        if not self._unchanged:
            date = today()
            self._text = release_text(release, date)
            self._contents[self._path] = self._text.encode()
        # what others will read; a text that cannot be read is never written
        self._release = parse_release(self._text, name, display_path(self._path))
        dates = {other: release_date(path) for other, path in run.release_files(root).items()} | {name: date}
        self._dates = dict(sorted(dates.items(), key=lambda item: (item[1], run.natural_order(item[0]))))

    def write(self, since: str | None, *, notes: bool, force: bool) -> WrittenRelease:
        """Write the files that changed."""
        shown = Path(display_path(self._path))
        if self._path.exists() and not self._unchanged and not force:
            message = "file already exists; left unchanged"
            advice = "choose another name, or replace the file with --force"
            raise CardgenError(Diagnostic(Code.RELEASE_EXISTS, message, Place(str(shown)), advice))
        names = list(self._dates)
        place = names.index(self._name)
        before = since if since is not None else names[place - 1] if place else None
        own = following = None
        if notes and before is not None:
            own = self._notes(run.load_release(self._root, before, "--since"), self._release)
        if (
            notes
            and place == 0
            and len(names) > 1
            and not run.file_of(self._root, names[1]).with_suffix(".md").exists()
        ):
            following = self._notes(self._release, run.load_release(self._root, names[1]))
        atomic_write.write_all(self._contents)
        return WrittenRelease(shown, len(self._release.cards), self._unchanged, own, following)

    def _notes(self, old: Release, new: Release) -> WrittenNotes:
        """Add the notes of a release to what is written."""
        path = run.file_of(self._root, new.name).with_suffix(".md")
        require_inside(self._root, path, display_path(path))
        text, is_unchanged = notes_text(path, compare(old, new), self._dates[new.name])
        if not is_unchanged:
            self._contents[path] = text.encode()
        return WrittenNotes(Path(display_path(path)), old.name, is_unchanged)


def _content(path: Path) -> bytes:
    try:
        return regular_file.read(path, _MAX_BYTES).replace(b"\r\n", b"\n")
    except OSError:
        return b""
