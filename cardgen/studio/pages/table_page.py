"""The view of all cards of a kind as a table, whose cells are edited in their files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from nicegui import background_tasks
from nicegui.element import Element
from nicegui.elements.aggrid import AgGrid

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.runtime.request_process import URGENT, ProcessError
from cardgen.runtime.workspace import GAMES_FOLDER
from cardgen.studio.engine.answers import CardRow
from cardgen.studio.engine.card_table import MOST_LETTERS, CellChange, TableChange, TableRow, TableState
from cardgen.studio.page_words import TextError, explain
from cardgen.studio.pages.card_actions import CardActions, NewerTables
from cardgen.studio.pages.elements import on_sent
from cardgen.studio.pages.window import add_styles, connected_window, listen, page_frame, show_missing_files
from cardgen.studio.studio import Studio


class _CardTable(Element, component="web/card_table.js", esm={"cardgen-form": "web/controls"}):  # type: ignore[call-arg]
    """The table; its grid is AG Grid, whose script comes with NiceGUI."""


assert AgGrid  # which registers the script


class TableView:
    """The table of a kind. Its cells change at once; the server then says what the files have."""

    def __init__(self, studio: Studio, kind: str) -> None:
        self._studio = studio
        kinds = _kinds(studio.state.cards)
        self.kind = kind if kind in kinds else next(iter(kinds), "")
        self._rows: dict[str, TableRow] = {}
        # The keys of cards that were renamed here, by those that they had.
        self._renamed: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._view = _CardTable()
        self._view._props.update(
            kind=self.kind, kinds=kinds, own=(studio.root / GAMES_FOLDER / self.kind.partition("/")[0]).is_dir()
        )
        on_sent(self._view, "edit", self._edit, dict, cells=list, title=str, number=int, allow=bool)
        on_sent(self._view, "options", self._answer, dict, card=str, column=str, prefix=str, number=int)

    async def follow(self) -> None:
        """Show the cards of the project, once edits that have begun are done."""
        async with self._lock:
            await self._show({})

    async def _show(self, renamed: Mapping[str, str]) -> None:
        """Show the cards of the project, and which of them have new keys."""
        try:
            state: TableState = await self._call("rows", self.kind)
        except ProcessError as error:
            self._view.run_method("refuse", str(error))
            return
        rows = {row.key: row for row in state.rows}
        data = {
            "columns": [column._asdict() for column in state.columns],
            "rows": [
                {**row._asdict(), "address": f"/edit?{urlencode({'file': row.file, 'card': row.key})}"}
                for row in state.rows
                if row != self._rows.get(row.key)
            ],
            "order": [*rows],
            "renamed": dict(renamed),
        }
        self._rows = rows
        self._view.run_method("show", data)

    async def _edit(self, data: dict[str, Any]) -> None:
        """Write cells; edits wait for each other, because each is one of the files that the last one left."""
        fault = ""
        async with self._lock:
            given = (each for each in data["cells"] if isinstance(each, list) and [*map(type, each)] == [str] * 3)
            cells = [CellChange(self._key(card), column, text) for card, column, text in given]
            try:
                rows = (row for each in cells if (row := self._rows.get(each.card)))
                self._studio.require_saved({row.file for row in rows})
                changed: TableChange = await self._call("edit", cells, data["allow"])
                self._renamed |= changed.keys
                if changed.change.files:
                    await self._studio.apply(data["title"][:MOST_LETTERS], changed.change)
                await self._show(changed.keys)
            except (CardgenError, ProcessError, TextError) as error:
                fault = explain(error)
        self._view.run_method("settle", data["number"], fault)

    def _key(self, card: str) -> str:
        while card in self._renamed and card not in self._rows:
            card = self._renamed[card]
        return card

    async def _answer(self, data: dict[str, Any]) -> None:
        try:
            options = await self._call("options", self._key(data["card"]), data["column"], data["prefix"])
        except (CardgenError, ProcessError, LookupError):
            options = []
        self._view.run_method("answer", data["number"], options)

    async def _call(self, name: str, *arguments: Any) -> Any:
        return await self._studio.writing.call(f"table.{name}", *arguments, priority=URGENT)


def _kinds(rows: Sequence[CardRow]) -> dict[str, str]:
    """Return the kinds of the cards, and what they are called."""
    games = {row.game for row in rows}
    return {
        f"{row.game}/{row.kind}": row.kind if len(games) == 1 else f"{row.kind} ({row.game})"
        for row in sorted(rows, key=lambda row: (row.game, row.kind))
    }


async def show_table(studio: Studio, kind: str) -> None:
    """Show the page with the cards of a kind."""
    await studio.ready.wait()
    with page_frame(studio, "cards"):
        add_styles("cards", "form", "card_table")
        show_missing_files(studio)
        table = TableView(studio, kind)
        rows = (row for row in studio.state.cards if f"{row.game}/{row.kind}" == table.kind)
        if files := [*dict.fromkeys(row.file for row in rows if row.file.lower().endswith(TABLE_SUFFIXES))]:
            NewerTables(studio, files)
        CardActions(studio, opens_copies=False)

    listen(studio.on_change, lambda _: background_tasks.create(table.follow()))
    async with connected_window():
        await table.follow()
