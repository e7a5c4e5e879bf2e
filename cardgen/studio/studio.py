"""State that all windows of the studio share: the project, its pictures, and texts that are not saved."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import CARD_SUFFIXES, CARDS_FOLDER
from cardgen.referee import transcript
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.file_history import FileHistory, Step
from cardgen.runtime.fingerprint import SETTINGS_FILE, Snapshot, file_events, snapshot
from cardgen.runtime.request_process import BACKGROUND, URGENT, ProcessError, RemoteService
from cardgen.runtime.user_folders import state_folder
from cardgen.studio import page_words
from cardgen.studio.engine.answers import CardRow, DrawnFace, Gaps, ProblemRow, ProjectState
from cardgen.studio.engine.card_changes import CardChange
from cardgen.studio.engine.card_moves import NewerTable
from cardgen.studio.engine.remote import new_engine
from cardgen.studio.form_values import PrintChoices
from cardgen.studio.job import PREVIEW, Job, JobList, JobRequest, JobState, printed_files, sheets_file
from cardgen.studio.page_words import FileText, TextError, explain
from cardgen.studio.play.host import Host
from cardgen.studio.play.players_server import PlayersServer
from cardgen.studio.uploads import Uploads
from cardgen.tables.table import MAX_FILE_SIZE

# Bytes of pictures to keep; others are drawn again.
_MOST_PICTURE_BYTES = 96 << 20
_POLL_SECONDS = 0.3
# If the system reports changes, files are looked at more rarely: it says nothing of those on network drives.
_SLOW_POLL_SECONDS = 5.0
# The folder of builds, which say nothing about cards.
_OUTPUT = "output"


class Studio:
    """A project in the studio.

    There are three engines: pictures for the grid and checks of the whole project do not delay the one that follows the
    author's keys, and neither do odds and pages of sheets, whose engine starts when it is needed. `play` is the battle
    that is played, and `players` the server of its players, which answers the local network from the beginning with
    `opens_network`.
    """

    def __init__(self, root: Path, *, opens_network: bool = False) -> None:
        self.appearance: bool | None = None
        self.play = Host(lambda: new_engine(str(self.root)), lambda: self.writing, lambda: self.root)
        self.players = PlayersServer(self.play, opens_first=opens_network)
        self._windows = 0
        self._may_have_changed = asyncio.Event()
        self._enter(root)

    def _enter(self, root: Path) -> None:
        """Begin with a project of which nothing was read yet."""
        self.root = root
        self.writing, self.drawing, self.computing = (new_engine(str(root)) for _ in range(3))
        for engine in (self.writing, self.drawing):
            engine.start()
        self.jobs = JobList()
        self.uploads = Uploads()
        self.state = ProjectState(root.name)
        self._found: tuple[ProblemRow, ...] = ()
        # What drawing the cards of a file finds, with the versions of its cards.
        self._seen: dict[str, tuple[tuple[str, ...], tuple[ProblemRow, ...]]] = {}
        self.fills: dict[str, float] = {}
        self.gaps: Mapping[str, Gaps] = {}
        self.history = FileHistory(root, partial(page_words.changed_path, root))
        self.print_choices = PrintChoices(root)
        self.drafts = Drafts(root)
        self._drafted = frozenset(self.drafts)
        self.drafts.on_change.add(self._drafts_changed)
        self.is_checked, self.check_fault = False, ""
        self.on_change: set[Callable[[tuple[str, ...]], None]] = set()
        self.on_progress: set[Callable[[], None]] = set()
        self.ready = asyncio.Event()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._tasks: list[asyncio.Task[None]] = []
        self._work: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to read the project, and to watch its files; pages wait until it is `ready`."""
        await self.players.begin()
        self._tasks = [asyncio.create_task(self._reload()), asyncio.create_task(self._watch())]

    def close(self) -> None:
        """End the engines and the jobs; texts that are not saved are kept."""
        self.drafts.close()
        for task in (*self._tasks, *([self._work] if self._work else [])):
            task.cancel()
        self.jobs.close()
        self.uploads.close()
        self.play.close()
        for engine in self._engines:
            engine.close()

    def _drafts_changed(self) -> None:
        """Let the engine read files whose texts were saved or discarded; their windows may be closed."""
        dropped, self._drafted = self._drafted - set(self.drafts), frozenset(self.drafts)
        for file in dropped:
            task = asyncio.create_task(self._forget_text(file))
            self._tasks.append(task)
            task.add_done_callback(self._tasks.remove)

    async def _forget_text(self, file: str) -> None:
        with suppress(ProcessError):
            await self.writing.call("write", file, None, priority=URGENT)

    @property
    def _engines(self) -> tuple[RemoteService, ...]:
        return self.writing, self.drawing, self.computing

    async def open(self, root: Path) -> None:
        """Show another project from now on, such as one that was just written."""
        await self.play.quit()
        await self.players.stop()
        self.close()
        self._enter(root)
        await self.start()
        self.play.tell()

    @property
    def has_project(self) -> bool:
        """Whether the folder has settings or cards; others, such as a home folder, are not searched for cards."""
        root = self.root
        begun = (root / SETTINGS_FILE).is_file() or (root / CARDS_FOLDER).is_dir()
        return begun or any(any(root.glob(f"*{suffix}")) for suffix in CARD_SUFFIXES)

    @property
    def problems(self) -> tuple[ProblemRow, ...]:
        """The problems of all files that are known by now."""
        return (*self._found, *(row for _, rows in self._seen.values() for row in rows))

    @property
    def unseen(self) -> int:
        """The number of files whose cards are to be drawn and looked at."""
        return sum(self._seen.get(file, ((),))[0] != versions for file, versions in self._printed_files().items())

    def _printed_files(self) -> Mapping[str, tuple[str, ...]]:
        """Return the versions of the cards of each file."""
        files: dict[str, tuple[str, ...]] = {}
        for row in self.state.cards:
            if row.is_printed:
                files[row.file] = (*files.get(row.file, ()), row.version)
        return files

    def card(self, key: str) -> CardRow | None:
        """Return the row of a card by its key."""
        return next((row for row in self.state.cards if row.key == key), None)

    async def draw(self, row: CardRow, marks: tuple[str, ...], *, back: bool) -> DrawnFace:
        """Return one side of a card as it is saved."""
        face: DrawnFace = await self.drawing.call("draw", row.key, back=back, marks=marks)
        if not back:
            self.fills[_fill_key(row)] = face.fill
        return face

    def fill_of(self, row: CardRow) -> float | None:
        """Return how full a card is, or None if it was not drawn yet."""
        return self.fills.get(_fill_key(row))

    def keep_picture(self, svg: bytes) -> str:
        """Keep a picture for the browser, and return its name."""
        name = sha256(svg).hexdigest()[:32]
        self._pictures[name] = svg
        self._pictures.move_to_end(name)
        while sum(map(len, self._pictures.values())) > _MOST_PICTURE_BYTES:
            self._pictures.popitem(last=False)
        return name

    def picture(self, name: str) -> bytes | None:
        """Return a picture by its name, or None if it is gone."""
        return self._pictures.get(name)

    async def refresh(self, files: tuple[str, ...]) -> None:
        """Read files again that have changed, and tell all windows."""
        engines = (engine for engine in self._engines if engine.is_alive)
        with suppress(ProcessError):  # it reads the files again when it starts again
            await asyncio.gather(*(engine.call("forget", files) for engine in engines))
        await self._reload()
        for listener in tuple(self.on_change):
            listener(files)

    async def apply(self, title: str, change: CardChange) -> None:
        """Write the files of a change, as a step that can be undone, and show them; raises errors as `write` does."""
        self.write(title, change)
        await self.refresh(tuple(each.file for each in change.files))

    def write(
        self, title: str, change: CardChange, own: str = "", table: Mapping[str, bytes] = MappingProxyType({})
    ) -> None:
        """Write the files of a change, and the content of a table, as a step that can be undone.

        Raises TextError and CardgenError, and writes nothing, if one cannot be written, or has unsaved changes, unless
        it is `own`, whose changes are saved with this.
        """
        self.require_saved(each.file for each in change.files if each.file != own)
        contents: dict[str, bytes | None] = {**table}
        for each in change.files:
            base = page_words.read(self.root, each.file, page_words.changed_path)
            if base.digest != each.digest:
                raise TextError(f"'{each.file}' has changed in the meantime; try again")
            contents[each.file] = None if each.text is None else base.encode(each.text)
        self.history.change(title, contents)

    async def replace(self, file: str, newer: NewerTable) -> None:
        """Replace a table as a step that can be undone. Raises TextError and CardgenError as `write` does."""
        content = regular_file.read(page_words.changed_path(self.root, file), MAX_FILE_SIZE)
        if sha256(content).hexdigest() != newer.digest:
            raise TextError(f"'{file}' has changed in the meantime; try again")
        self.write(f"Replaced {file}", CardChange(newer.files), table={file: newer.content})
        await self.refresh((file, *(each.file for each in newer.files)))

    async def undo(self, step: Step) -> None:
        """Undo a change of files. Raises TextError and CardgenError as `apply` does."""
        self.require_saved(step.before)
        await self.refresh(self.history.undo(step))

    async def print_cards(self, ids: Sequence[str]) -> tuple[Job, str]:
        """Lay out cards with the options that were last used for them; return the job, and what to choose to print it.

        Raises CardgenError if they cannot be printed.
        """
        form = await self.drawing.call("sheets.form", priority=URGENT)
        options = {**self.print_choices.options(form, {"only": ids}), "formats": ("pdf",)}
        request = JobRequest(PREVIEW, str(self.root), str(self.jobs.preview_folder()), options)
        job = self.jobs.start("Print", request)
        await job.end.wait()
        if job.state is not JobState.DONE:
            problems = job.problems or ("the sheets were not laid out; try again",)
            raise CardgenError(*(Diagnostic(Code.BAD_OPTION, each, Place("--")) for each in problems))
        return job, await self.join_sheets(job)

    async def join_sheets(self, job: Job) -> str:
        """Make one PDF of the sheets of a preview, and return what to choose when it is printed."""
        paths = [file.path for file in printed_files(job)]
        advice: str = await self.computing.call("sheets.join", paths, str(sheets_file(job)), priority=URGENT)
        return advice

    def require_saved(self, files: Iterable[str]) -> None:
        """Raise TextError if one of some files has changes that are not saved."""
        unsaved = next((file for file in files if file in self.drafts), None)
        if unsaved is not None:
            raise TextError(f"'{unsaved}' has unsaved changes; save or discard them first")

    async def _reload(self) -> None:
        if self.has_project:
            with suppress(ProcessError):
                self.state = await self.drawing.call("project", priority=0)
                self.fills = {key: self.fills[key] for key in map(_fill_key, self.state.cards) if key in self.fills}
        self.ready.set()
        if not self.has_project:
            return
        if self._work:
            self._work.cancel()
        self.is_checked, self.check_fault = False, ""
        self._work = asyncio.create_task(self._check_and_measure())

    async def _check_and_measure(self) -> None:
        """Check the project, then draw every card once to know how full it is."""
        try:
            self._found = await self.drawing.call("problems", priority=BACKGROUND)
            self.is_checked = True
        except (CardgenError, ProcessError) as error:
            self._found, self.check_fault = (), explain(error)
        if self.state.languages:
            with suppress(CardgenError, ProcessError):
                self.gaps = await self.drawing.call("translations.gaps", priority=BACKGROUND)
        self._report()
        for number, row in enumerate(self.state.cards, start=1):
            if row.is_printed and self.fill_of(row) is None:
                with suppress(ProcessError):
                    face = await self.drawing.call("draw", row.key, priority=BACKGROUND)
                    self.fills[_fill_key(row)] = face.fill
            if number % 40 == 0:
                self._report()
        self._report()
        await self._look()

    async def _look(self) -> None:
        """Look at the cards that have changed since, some files at a time, so that other requests come in between."""
        files = self._printed_files()
        self._seen = {file: seen for file, seen in self._seen.items() if file in files}
        known = frozenset(map(_said, self._found))
        waiting = [file for file, versions in files.items() if self._seen.get(file, ((),))[0] != versions]
        while waiting and self.is_checked:
            now, count = [waiting.pop(0)], 0
            while waiting and (count := count + len(files[now[-1]])) < _LOOK_AT_ONCE:
                now.append(waiting.pop(0))
            with suppress(ProcessError):
                rows: tuple[ProblemRow, ...] = await self.drawing.call("looks", tuple(now), priority=BACKGROUND)
                new = [row for row in rows if _said(row) not in known]
                self._seen |= {file: (files[file], tuple(row for row in new if row.file == file)) for file in now}
            self._report()

    def _report(self) -> None:
        for listener in tuple(self.on_progress):
            listener()

    def open_window(self) -> None:
        """Look at the files now, and regularly until `close_window` is called."""
        self._windows += 1
        self._may_have_changed.set()

    def close_window(self) -> None:
        """Look at the files only when the system reports changes, if this was the last window."""
        self._windows -= 1

    async def _watch(self) -> None:
        before = await asyncio.to_thread(self._snapshot)
        events: asyncio.Task[None] | None = None
        while True:
            if events is None and self.has_project:  # and not a whole home folder
                events = asyncio.create_task(self._await_events())
                self._tasks.append(events)
            pause = _SLOW_POLL_SECONDS if events and not events.done() else _POLL_SECONDS
            with suppress(TimeoutError):
                await asyncio.wait_for(self._may_have_changed.wait(), pause if self._windows else None)
            self._may_have_changed.clear()
            now = await asyncio.to_thread(self._snapshot)
            if now != before:
                changed = {name for name in (*now, *before) if now.get(name) != before.get(name)}
                before = now
                await self.refresh(tuple(sorted(Path(name).relative_to(self.root).as_posix() for name in changed)))

    async def _await_events(self) -> None:
        async for _ in file_events(self.root, self.root / _OUTPUT):
            self._may_have_changed.set()

    def _snapshot(self) -> Snapshot:
        return snapshot([self.root], self.root / _OUTPUT) if self.has_project else {}


# Cards to look at with one request, which others wait for.
_LOOK_AT_ONCE = 20


def _said(row: ProblemRow) -> tuple[object, ...]:
    return row.file, row.span, row.code, row.message


def _fill_key(row: CardRow) -> str:
    return f"{row.key}@{row.version}"


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
            data: Any = transcript.parse_strictly(regular_file.read(path, _MOST_BYTES).decode())
            base = {name: str(data["base"][name]) for name in FileText._fields}
            if (data["draft"], data["root"], self._path(data["file"])) == (_FORMAT, self._root, path):
                self._drafts[data["file"]] = Draft(str(data["text"]), FileText(**base), float(data["time"]))

    def _tell(self) -> None:
        for listener in tuple(self.on_change):
            listener()


def _digest(text: str) -> str:
    return sha256(os.fsencode(text)).hexdigest()[:32]
