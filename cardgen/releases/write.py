"""Write the file of a release together with its notes: both, or neither, and one process at a time."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.release_file import (
    NAME,
    Release,
    file_of,
    natural_order,
    parse_release,
    release_date,
    release_files,
    release_text,
    today,
)
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.model.card_values import Scalar
from cardgen.project.files import display_path, is_device_name, require_inside
from cardgen.project_checks.projects import require_project
from cardgen.releases import run
from cardgen.releases.changes import Change, ChangedCard, Changes, compare
from cardgen.releases.report import TITLES, labeled_values, language_lines, look_words, summary, value_text
from cardgen.releases.snapshot import take_snapshot
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime import escapes as markdown
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.user_folders import cache_folder
from cardgen.runtime.workspace import Workspace
from cardgen.units import quantity, shorten


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of a folder, and hold it meanwhile.

    A process that ends, however, frees its locks. A file system without locks has none.
    """
    file = -1
    try:
        with suppress(OSError):
            file = _lock(folder)
        yield
    finally:
        if file >= 0:
            os.close(file)


if sys.platform == "win32":

    def _lock(folder: Path) -> int:
        """Lock a file of the user that stands for the folder, because Windows cannot open folders."""
        import msvcrt

        name = blake2b(os.fsencode(folder.resolve()), digest_size=12).hexdigest()
        path = cache_folder() / "locks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT)
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError:  # after ten attempts in ten seconds
                continue
            return file

else:

    def _lock(folder: Path) -> int:
        import fcntl

        file = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            os.close(file)
            raise
        return file


_BEGIN, _END = "<!-- cardgen: changes -->", "<!-- cardgen: end of changes -->"
_WHY = "Why:"
_HINT = "<!-- Write your reasons after 'Why:' and anything else outside of the changes; all of it is kept. -->"
_CARD = re.compile(r"^### .*<!-- (?P<key>[^<>]+) -->\s*$")
_WORD = re.compile(r"[^\W_]+")
_LOST, _SHARED = "Reasons for other changes", "Rules of the game"
_TITLES = frozenset(f"## {title}" for title in (*TITLES.values(), _LOST, _SHARED))
# Changes that notes may leave out.
_UNNAMED = frozenset({Change.TRANSLATIONS, Change.LOOKS, Change.COPIES})
_MAX_NOTES_BYTES = 16 * 2**20


def notes_text(path: Path, changes: Changes, date: str) -> tuple[str, bool]:
    """Return the notes of a release with its changes, and whether the file has this text already.

    `date` is that of the release. What the author wrote in the file is kept. Raises CardgenError for notes whose
    changes cannot be told from the author's words.
    """
    shown = Path(display_path(path))
    old_text = _text(path, shown)
    block = "\n".join(_block(changes, date, _Reasons(old_text)))
    text = _with_block(old_text, f"{_BEGIN}\n{block}\n{_END}", changes.new, shown)
    return text, text == old_text


def _text(path: Path, shown: Path) -> str:
    """Return the notes as they are, or '' if there are none."""
    if not path.exists():
        return ""
    try:
        return regular_file.read(path, _MAX_NOTES_BYTES).decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CardgenError(Diagnostic(Code.BAD_NOTES, f"the file cannot be read: {error}", Place(str(shown)))) from None


def _with_block(text: str, block: str, name: str, shown: Path) -> str:
    """Return notes with new changes, in place of the old ones."""
    if not text.strip():
        return f"# {name}\n\n{_HINT}\n\n{_WHY}\n\n{block}\n"
    if text.count(_BEGIN) != 1 or text.count(_END) != 1 or text.index(_END) < text.index(_BEGIN):
        message = f"the file does not have the lines '{_BEGIN}' and '{_END}' once each; left unchanged"
        advice = "put both lines where the changes belong, or move the file away"
        raise CardgenError(Diagnostic(Code.BAD_NOTES, message, Place(str(shown)), advice))
    before, _, rest = text.partition(_BEGIN)
    return before + block + rest.partition(_END)[2]


class _Reasons:
    """What the author wrote in the changes: after 'Why:' of a card, by game, kind, and id."""

    def __init__(self, text: str) -> None:
        self._by_key: dict[str, tuple[str, str]] = {}
        key, title, reason = "", "", None
        for line in text.partition(_BEGIN)[2].partition(_END)[0].splitlines():
            match = _CARD.match(line)
            if match or line.strip() in _TITLES:
                self._put(key, title, reason)
                key, title, reason = (match["key"], line.partition("<!--")[0], None) if match else ("", "", None)
            elif reason is not None:
                reason.append(line)
            elif key and line.strip() and not line.startswith("- "):
                reason = [line.removeprefix(_WHY).strip()]
        self._put(key, title, reason)

    def _put(self, key: str, title: str, lines: list[str] | None) -> None:
        words = "\n".join(lines or ()).strip()
        if key and words:
            self._by_key[key] = (title.removeprefix("### ").strip(), words)

    def take(self, key: str) -> str:
        """Return the reason for a card's change, or ''."""
        return self._by_key.pop(key, ("", ""))[1]

    def rest(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, title, and words of all reasons that were not taken."""
        return ((key, title, words) for key, (title, words) in self._by_key.items())


def _block(changes: Changes, date: str, reasons: _Reasons) -> Iterator[str]:
    """Yield the lines of the changes; `date` is that of the release."""
    yield (
        f"{date}: {markdown.escape_markdown(summary(changes))}."
        if date
        else f"{markdown.escape_markdown(summary(changes))}."
    )
    yield from _shared_rules(changes)
    if changes.languages:
        yield from ("", *(f"- {line}" for line in language_lines(changes)))
    for change in Change:
        yield from _section(changes, change, reasons)
    rest = list(reasons.rest())
    if rest:
        yield from ("", f"## {_LOST}")
    for key, title, words in rest:
        yield from ("", f"### {title} <!-- {key} -->", "", f"{_WHY} {words}")


def _shared_rules(changes: Changes) -> Iterator[str]:
    """Yield the changes of the rules that cards share: rulings, and rules of the project's own games."""
    rulings = ["{} Before: {} Now: {}".format(*each.words) for each in changes.rulings]
    values = [_step_of(f"{each.game} {' '.join(each.steps)}", each.old, each.new) for each in changes.game_values]
    if rulings or values:
        yield from (
            "",
            f"## {_SHARED}",
            "",
            *(f"- {markdown.escape_markdown(sentence)}" for sentence in (*rulings, *values)),
        )


def _section(changes: Changes, change: Change, reasons: _Reasons) -> Iterator[str]:
    cards = changes.of(change)
    if cards:
        yield from ("", f"## {TITLES[change]}")
    for each in cards:
        key = "/".join(each.card.key)
        name, kind = map(markdown.escape_markdown, (each.card.name, each.kind()))
        yield from ("", f"### {name} ({kind}) <!-- {key} -->", "")
        yield from (f"- {markdown.escape_markdown(sentence)}" for sentence in _sentences(each))
        yield from ("", f"{_WHY} {reasons.take(key)}".rstrip())


def _sentences(each: ChangedCard) -> Iterator[str]:
    """Yield a sentence for each change of a card."""
    old, new = each.old, each.new
    if old is None or new is None:
        yield f"{quantity(each.card.qty, 'copy', 'copies')}."
        return
    if old.id != new.id:
        yield f"Its id was {old.id} and is now {new.id}."
    for label, value in labeled_values(each):
        words = label.replace("_", " ")
        yield _step_of(words[:1].upper() + words[1:], value.old, value.new)
    if each.look:
        yield f"It looks different, because of {look_words(each)}."
    if old.qty != new.qty:
        yield f"Its copies {_step(old.qty, new.qty)}."


def _step_of(label: str, old: Scalar | None, new: Scalar | None) -> str:
    if old is None:
        return f"{label} is new: {value_text(new)}."
    if new is None:
        return f"{label} is gone: {value_text(old)}."
    if _is_number(old) and _is_number(new):
        return f"{label} {_step(old, new)}."
    return f"{label} was “{value_text(old)}” and is now “{value_text(new)}”."


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _step(old: Scalar, new: Scalar) -> str:
    verb = "rises" if float(new) > float(old) else "falls"
    return f"{verb} from {value_text(old)} to {value_text(new)}"


def missing_cards(changes: Changes, note: Path, *, folder: Path | None = None) -> list[ChangedCard]:
    """Return the changed cards that a note names neither by name nor by id.

    Cards of which only translations, the look, or the copies changed need not be named, and without others, there need
    be no note. Raises CardgenError if the note is not a readable file of the project.
    """
    named = [each for each in changes.cards if not _UNNAMED.issuperset(each.changes)]
    if not named:
        return []
    start = folder or Path.cwd()
    path = require_inside(find_project_root(start), start / note, display_path(note))
    if not path.is_file():
        raise CardgenError(
            Diagnostic(Code.BAD_NOTES, "no such file", Place(note.as_posix()), "write the release notes")
        )
    words = _words(_text(path, note))
    return [each for each in named if not any(_words(name) in words for name in (each.card.name, each.card.id))]


def _words(text: str) -> str:
    """Return the words of a text in lower case, without punctuation and Markdown."""
    return f" {' '.join(_WORD.findall(text.casefold().replace(markdown.INVISIBLE, '')))} "


_MAX_RELEASE_BYTES = 64 * 2**20


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
    require_project(root)
    with locked(root):
        return _Writer(root, name, take_snapshot(name, folder)).write(since, notes=notes, force=force)


def _require_name(name: str, root: Path) -> None:
    """Raise CardgenError for a name that a file cannot have on every platform, or that another release has there."""
    message, advice = "", ""
    if not NAME.fullmatch(name) or name.endswith("."):
        message, advice = (
            f"'{shorten(name, 80)}' is not a valid name",
            "use letters, digits, and the characters . _ + -",
        )
    elif is_device_name(name):
        message, advice = f"'{name}' is not a valid name", "Windows reserves it; choose another name"
    if message:
        raise CardgenError(Diagnostic(Code.BAD_RELEASE_NAME, f"{message} of a release", Place("NAME"), advice))
    for other in release_files(root):
        if other != name and other.casefold() == name.casefold():
            message = f"'{name}' differs from the release '{other}' only in case"
            raise CardgenError(Diagnostic(Code.BAD_RELEASE_NAME, message, Place("NAME"), "choose another name"))


class _Writer:
    """Writes one release of a project that nobody else writes to."""

    def __init__(self, root: Path, name: str, release: Release) -> None:
        self._root, self._name = root, name
        self._path = file_of(root, name)
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
        dates = {other: release_date(path) for other, path in release_files(root).items()} | {name: date}
        self._dates = dict(sorted(dates.items(), key=lambda item: (item[1], natural_order(item[0]))))

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
        is_first = place == 0 and len(names) > 1
        if notes and is_first and not os.path.lexists(file_of(self._root, names[1]).with_suffix(".md")):
            following = self._notes(self._release, run.load_release(self._root, names[1]))
        atomic_write.write_all(self._contents)
        return WrittenRelease(shown, len(self._release.cards), self._unchanged, own, following)

    def _notes(self, old: Release, new: Release) -> WrittenNotes:
        """Add the notes of a release to what is written."""
        path = file_of(self._root, new.name).with_suffix(".md")
        require_inside(self._root, path, display_path(path))
        text, is_unchanged = notes_text(
            path, compare(old, new, Workspace(self._root).with_games()), self._dates[new.name]
        )
        if not is_unchanged:
            self._contents[path] = text.encode()
        return WrittenNotes(Path(display_path(path)), old.name, is_unchanged)


def _content(path: Path) -> bytes:
    try:
        return regular_file.read(path, _MAX_RELEASE_BYTES).replace(b"\r\n", b"\n")
    except OSError:
        return b""
