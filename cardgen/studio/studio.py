"""State that all windows of the studio share: the project, its pictures, and texts that are not saved."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.project.files import CARD_SUFFIXES, CARDS_FOLDER
from cardgen.runtime.fingerprint import SETTINGS_FILE, Snapshot, snapshot
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.drafts import Drafts
from cardgen.studio.engine.answers import CardRow, DrawnFace, ProblemRow, ProjectState
from cardgen.studio.engine.remote import BACKGROUND, URGENT, RemoteEngine
from cardgen.studio.jobs.job_list import JobList
from cardgen.studio.page_words import explain
from cardgen.studio.play.host import Host
from cardgen.studio.play.table_server import TableServer

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
        self.play = Host(lambda: RemoteEngine(str(self.root)), lambda: self.writing, lambda: self.root)
        self.players = TableServer(self.play, opens_first=opens_network)
        self._windows = 0
        self._may_have_changed = asyncio.Event()
        self._enter(root)

    def _enter(self, root: Path) -> None:
        """Begin with a project of which nothing was read yet."""
        self.root = root
        self.writing, self.drawing = RemoteEngine(str(root)), RemoteEngine(str(root))
        self.computing = RemoteEngine(str(root), is_lazy=True)
        self.jobs = JobList()
        self.state = ProjectState(root.name)
        self.problems: tuple[ProblemRow, ...] = ()
        self.fills: dict[str, float] = {}
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
        for engine in self._engines:
            engine.begin()
        await self.players.begin()
        self._tasks = [asyncio.create_task(self._reload()), asyncio.create_task(self._watch())]

    def close(self) -> None:
        """End the engines and the jobs; texts that are not saved are kept."""
        self.drafts.close()
        for task in (*self._tasks, *([self._work] if self._work else [])):
            task.cancel()
        self.jobs.close()
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
    def _engines(self) -> tuple[RemoteEngine, ...]:
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

    def card(self, key: str) -> CardRow | None:
        """Return the row of a card by its key."""
        return next((row for row in self.state.cards if row.key == key), None)

    def shown_card(self, key: str) -> CardRow | None:
        """Return the row of a card by its key, also of one that cannot be read at the moment."""
        return self.card(key) or next((row for row in self.state.unread if row.key == key), None)

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

    async def _reload(self) -> None:
        if self.has_project:
            with suppress(ProcessError):
                self.state = await self.drawing.call("project", priority=0)
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
            self.problems = await self.drawing.call("problems", priority=BACKGROUND)
            self.is_checked = True
        except (CardgenError, ProcessError) as error:
            self.problems, self.check_fault = (), explain(error)
        self._report()
        for number, row in enumerate(self.state.cards, start=1):
            if row.is_printed and self.fill_of(row) is None:
                with suppress(ProcessError):
                    face = await self.drawing.call("draw", row.key, priority=BACKGROUND)
                    self.fills[_fill_key(row)] = face.fill
            if number % 40 == 0:
                self._report()
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
        """Follow the events of the system for files; end where there are none."""
        try:
            from watchfiles import awatch  # uvicorn's standard installation has it
        except ImportError:
            return
        with suppress(OSError, RuntimeError):  # such as too many folders
            async for _ in awatch(self.root, watch_filter=None, debounce=400, ignore_permission_denied=True):
                self._may_have_changed.set()

    def _snapshot(self) -> Snapshot:
        return snapshot([self.root], self.root / _OUTPUT) if self.has_project else {}


def _fill_key(row: CardRow) -> str:
    return f"{row.key}@{row.version}"
