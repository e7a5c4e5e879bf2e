"""The host of battles: the one that is played, its table, and everybody who watches it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import ProcessError
from cardgen.studio.play.battle_state import BattleOrder, BattleState, SaveRow, SetupForm
from cardgen.studio.play.battle_view import View, battle_view
from cardgen.studio.play.table import Table


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

    `make_engine` is called for the first battle, and `setup_engine` returns one that can answer before it. `state` and
    `table` are None without a battle. `problem` tells why it cannot go on. `listeners` are called after each change.
    """

    def __init__(self, make_engine: Callable[[], BattleEngine], setup_engine: Callable[[], BattleEngine]) -> None:
        self._make_engine, self._setup_engine = make_engine, setup_engine
        self._engine: BattleEngine | None = None
        self._lock = asyncio.Lock()
        self.state: BattleState | None = None
        self.table: Table | None = None
        self.problem = ""
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
            self._sit_down(await self._call("begin", order))

    async def resume(self, name: str) -> None:
        """Resume a saved battle with new codes."""
        async with self._lock:
            self._sit_down(await self._call("resume", name))

    async def leave(self) -> None:
        """Stop the battle; it is saved, and its codes and seats are void."""
        async with self._lock:
            await self._call("leave")
            self.state = self.table = None
            self.problem = ""
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
            self.problem = ""

    async def reply(self, step: int, value: Any) -> str:
        """Answer the question of a step; return the message for an answer that is not allowed, or ''."""
        return await self._change("reply", step, value)

    async def undo(self, step: int, who: str) -> str:
        """Undo the last answer; return the message if that is not possible, or ''."""
        return await self._change("undo", step, who)

    async def _change(self, name: str, step: int, argument: Any) -> str:
        async with self._lock:
            if self.state is None:
                return "This battle has been closed."
            try:
                state = await self._call(name, step, argument)
            except CardgenError as error:
                self.problem = str(error.diagnostics[0])
            except ProcessError:
                return await self._open_again(self.state.save)
            else:
                if isinstance(state, str):
                    return state
                self._show(state)
        self.tell()
        return self.problem

    async def _open_again(self, save: str) -> str:
        """Resume the battle after its process has ended; whatever it was doing is lost."""
        try:
            self._show(await self._call("resume", save))
        except (CardgenError, ProcessError) as error:
            self.problem = f"the battle has stopped: {error}"
        self.tell()
        return "The battle had to be opened again; try once more."

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
        for listener in tuple(self.listeners):
            listener()

    def close(self) -> None:
        """End the engine; the battle is saved."""
        if self._engine:
            self._engine.close()

    def _sit_down(self, state: BattleState) -> None:
        self.table, self.problem = Table(state.sides), ""
        self._show(state)
        self.tell()

    def _show(self, state: BattleState) -> None:
        self.state = state
        if self.table:
            self.table.is_over = bool(state.outcome)

    async def _call(self, name: str, *arguments: Any) -> Any:
        self.prepare()
        assert self._engine
        return await self._engine.call(f"play.{name}", *arguments)
