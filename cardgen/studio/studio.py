"""State that all windows of the studio share: the project, its pictures, and texts that are not saved."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import Snapshot, snapshot
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.engine.answers import CardRow, DrawnFace, ProblemRow, ProjectState
from cardgen.studio.engine.remote import BACKGROUND, RemoteEngine
from cardgen.studio.play.host import Host
from cardgen.studio.play.table_server import TableServer

# Bytes of pictures to keep; others are drawn again.
_MOST_PICTURE_BYTES = 96 << 20
_POLL_SECONDS = 0.3
# The folder of builds, which say nothing about cards.
_OUTPUT = "output"


class Studio:
    """A project in the studio.

    There are two engines: pictures for the grid and checks of the whole project do not delay the one that follows the
    author's keys. `play` is the battle that is played, and `players` the server of its players, which answers the local
    network from the beginning with `opens_network`.
    """

    def __init__(self, root: Path, *, opens_network: bool = False) -> None:
        self.root = root
        self.play = Host(partial(RemoteEngine, str(root)))
        self.players = TableServer(self.play, opens_first=opens_network)
        self.writing, self.drawing = RemoteEngine(str(root)), RemoteEngine(str(root))
        self.state = ProjectState(root.name, (), (), ())
        self.problems: tuple[ProblemRow, ...] = ()
        self.fills: dict[str, float] = {}
        self.drafts: dict[str, str] = {}
        self.appearance: bool | None = None
        self.is_checked = False
        self.on_change: set[Callable[[tuple[str, ...]], None]] = set()
        self.on_progress: set[Callable[[], None]] = set()
        self.ready = asyncio.Event()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._tasks: list[asyncio.Task[None]] = []
        self._work: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to read the project, and to watch its files; pages wait until it is `ready`."""
        self.writing.begin()
        self.drawing.begin()
        await self.players.begin()
        self._tasks = [asyncio.create_task(self._reload()), asyncio.create_task(self._watch())]

    def close(self) -> None:
        """End the engines."""
        for task in (*self._tasks, *([self._work] if self._work else [])):
            task.cancel()
        self.writing.close()
        self.drawing.close()
        self.play.close()

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
        await asyncio.gather(self.writing.call("forget", files), self.drawing.call("forget", files))
        await self._reload()
        for listener in tuple(self.on_change):
            listener(files)

    async def _reload(self) -> None:
        with suppress(ProcessError):
            self.state = await self.drawing.call("project", priority=0)
        self.ready.set()
        if self._work:
            self._work.cancel()
        self._work = asyncio.create_task(self._check_and_measure())

    async def _check_and_measure(self) -> None:
        """Check the project, then draw every card once to know how full it is."""
        try:
            self.problems = await self.drawing.call("problems", priority=BACKGROUND)
        except (CardgenError, ProcessError):
            self.problems = ()
        self.is_checked = True
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

    async def _watch(self) -> None:
        before = await asyncio.to_thread(self._snapshot)
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            now = await asyncio.to_thread(self._snapshot)
            if now != before:
                changed = {name for name in (*now, *before) if now.get(name) != before.get(name)}
                before = now
                await self.refresh(tuple(sorted(Path(name).relative_to(self.root).as_posix() for name in changed)))

    def _snapshot(self) -> Snapshot:
        return snapshot([self.root], self.root / _OUTPUT)


def _fill_key(row: CardRow) -> str:
    return f"{row.key}@{row.version}"
