"""The host of battles: the one that is played, its table, and everybody who watches it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.page_words import explain, explain_one
from cardgen.studio.play import table_file
from cardgen.studio.play.battle_state import TOO_LATE, BattleOrder, BattleState, Refused, SaveRow, SetupForm
from cardgen.studio.play.battle_view import View, battle_view
from cardgen.studio.play.table import JoinError, Table

_NOT_SEATED = Refused("Enter the code of the battle first.", is_forbidden=True)


class BattleEngine(Protocol):
    """Whatever runs battles: in a process of its own, so that a stranger's cards cannot stop the server."""

    def begin(self) -> None:
        """Answer calls from now on."""

    async def call(self, name: str, *arguments: Any) -> Any:
        """Return the answer of a function, such as "play.reply". Raises CardgenError and ProcessError."""

    def close(self) -> None:
        """End it."""


class Host:
    """The battle that all windows share, at most one at a time.

    `make_engine` is called for the first battle, and `setup_engine` returns one that can answer before it. `folder`
    returns the folder of saves. `state` and `table` are None without a battle. `problem` tells why it cannot go on, and
    `keep_problem` why its seats are not kept with its save. `port` is that of the players' server. `listeners` are
    called after each change; `revision` counts them.
    """

    def __init__(
        self,
        make_engine: Callable[[], BattleEngine],
        setup_engine: Callable[[], BattleEngine],
        folder: Callable[[], Path],
    ) -> None:
        self._make_engine, self._setup_engine, self._folder = make_engine, setup_engine, folder
        self._engine: BattleEngine | None = None
        self._lock = asyncio.Lock()
        self.state: BattleState | None = None
        self.table: Table | None = None
        self.problem = self.keep_problem = ""
        self.port = self.revision = 0
        self.listeners: set[Callable[[], None]] = set()

    async def form(self, game: str = "") -> SetupForm:
        """Return what can be chosen for a new battle. Raises CardgenError and ProcessError, as all calls do."""
        form: SetupForm = await self._setup_engine().call("play.form", game)
        return form

    async def saves(self) -> tuple[SaveRow, ...]:
        """Return the battles that can be resumed."""
        rows: tuple[SaveRow, ...] = await self._setup_engine().call("play.saves")
        return rows

    def prepare(self) -> None:
        """Start the engine, so that a battle can begin at once."""
        if self._engine is None:
            self._engine = self._make_engine()
            self._engine.begin()

    async def begin(self, order: BattleOrder) -> None:
        """Begin a battle with new codes; the one before it stays saved."""
        async with self._lock:
            state = await self._call("begin", order)
            self._sit_down(state, Table(state.sides))

    async def resume(self, name: str) -> None:
        """Resume a saved battle with the seats and codes that were kept with it, or else with new ones."""
        async with self._lock:
            state = await self._call("resume", name)
            kept = table_file.read(self._folder(), state.save, state.sides)
            self._sit_down(state, kept[0] if kept else Table(state.sides))

    def kept_port(self, name: str) -> int:
        """Return the port at which the players of a saved battle look for it, or 0 if none was kept."""
        kept = table_file.read(self._folder(), name)
        return kept[1] if kept else 0

    def join(self, place: str, code: str, address: str, token: str) -> str:
        """Let a window take a seat, or come back to it; return its token. Raises JoinError, also without a battle."""
        if self.table is None:
            raise JoinError("No battle is being played.", 404)
        given = self.table.join(place, code, address, token)
        if given != token:
            self._keep()
            self.tell()
        return given

    def free(self, place: str) -> None:
        """Put everybody out of a seat, so that somebody can take it with the next code of the battle."""
        if self.table:
            self.table.free(place)
            self._keep()
            self.tell()

    def serve_at(self, port: int) -> None:
        """Note the port of the players' server, and tell all windows."""
        self.port = port
        self._keep()
        self.tell()

    async def leave(self) -> None:
        """Stop the battle; it is saved, with its codes and seats."""
        async with self._lock:
            await self._call("leave")
            self.state = self.table = None
            self.problem = self.keep_problem = ""
        self.tell()

    async def quit(self) -> None:
        """End the battle, if there is one, and its engine; the next battle gets a new one.

        Windows are told once there is another project to show.
        """
        async with self._lock:
            if self.state:
                with suppress(CardgenError, ProcessError):
                    await self._call("leave")
            self.close()
            self._engine = self.state = self.table = None
            self.problem = self.keep_problem = ""

    async def reply(
        self, step: int, value: Any, side: int, is_seated: Callable[[], bool] = lambda: True
    ) -> Refused | None:
        """Answer the question of a step as a side, by its place; return why that is not possible, or None.

        `is_seated` says, when it is the request's turn, whether the window still has the seat of the side.
        """
        return await self._change("reply", is_seated, step, value, side)

    async def undo(self, step: int, side: int, is_seated: Callable[[], bool] = lambda: True) -> Refused | None:
        """Undo the last answer as a side, by its place; return why that is not possible, or None."""
        return await self._change("undo", is_seated, step, side)

    async def _change(self, name: str, is_seated: Callable[[], bool], step: int, *arguments: Any) -> Refused | None:
        if not is_seated():
            return _NOT_SEATED
        # At once: a step that is not current yet must not become current while its request waits for the lock. Whose
        # turn it is, and whether the step still is the current one, is for the battle to say, once it is asked.
        if self.state and step != self.state.step:
            return Refused(TOO_LATE)
        table = self.table
        async with self._lock:
            if self.state is None or self.table is not table:
                return Refused("This battle has been closed.")
            if not is_seated():
                return _NOT_SEATED
            try:
                changed = await self._call(name, step, *arguments)
            except CardgenError as error:
                self.problem = explain_one(error.diagnostics[0])
            except ProcessError:
                return Refused(await self._open_again(self.state.save))
            else:
                if isinstance(changed, Refused):
                    return changed
                self._show(changed)
        self.tell()
        return Refused(self.problem) if self.problem else None

    async def _open_again(self, save: str) -> str:
        """Resume the battle after its process has ended; whatever it was doing is lost."""
        try:
            self._show(await self._call("resume", save))
        except (CardgenError, ProcessError) as error:
            self.problem = f"the battle has stopped: {explain(error)}"
        self.tell()
        return "The battle had to be opened again; try once more."

    async def verify(self) -> str:
        """Compute every die and every decision anew, and say so. Raises CardgenError with the first that is wrong."""
        async with self._lock:
            return str(await self._call("verify", self.state.save)) if self.state else ""

    def view(self, place: str) -> View | None:
        """Return what the page of a seat or of the shared screen shows, or None without a battle."""
        if self.state is None or self.table is None:
            return None
        return battle_view(self.state, self.table, place, self.problem)

    @contextmanager
    def listen(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call a listener after each change in the block."""
        self.listeners.add(listener)
        try:
            yield
        finally:
            self.listeners.discard(listener)

    def tell(self) -> None:
        """Tell all windows that something has changed."""
        self.revision += 1
        for listener in tuple(self.listeners):
            listener()

    def close(self) -> None:
        """End the engine; the battle is saved."""
        if self._engine:
            self._engine.close()

    def _sit_down(self, state: BattleState, table: Table) -> None:
        self.table, self.problem = table, ""
        self._show(state)
        self._keep()
        self.tell()

    def _show(self, state: BattleState) -> None:
        self.state = state
        if self.table:
            self.table.is_over = bool(state.outcome)
        if state.outcome:
            table_file.remove(self._folder(), state.save)

    def _keep(self) -> None:
        """Keep the seats with the save, so that players come back to them after the studio was closed."""
        if self.state is None or self.table is None or self.table.is_over:
            return
        try:
            table_file.write(self._folder(), self.state.save, self.table, self.port)
        except CardgenError as error:
            self.keep_problem = f"The seats are not kept with the save: {explain_one(error.diagnostics[0])}"
        else:
            self.keep_problem = ""

    async def _call(self, name: str, *arguments: Any) -> Any:
        self.prepare()
        assert self._engine
        return await self._engine.call(f"play.{name}", *arguments)
