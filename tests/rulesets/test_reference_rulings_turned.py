"""A ruling that is turned over changes what the reference sheets of its game print."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from cardgen.reference.document_tree import Document
from cardgen.reference_sheets.make_sheets import SheetRequest, sheet_documents
from cardgen.runtime.workspace import Workspace

# Rulings that decide only what a tracker asks, and so are on no sheet, by game. There are none.
UNPRINTED: dict[str, set[str]] = {"diskwars": set(), "skirmish": set(), "warniris": set()}


def sheets(folder: Path, game: str, rulings: str = "") -> list[Document]:
    (folder / "cardgen.yaml").write_text(f"game: {game}\nrulings: {{{rulings}}}\n", encoding="utf-8")
    return list(sheet_documents(SheetRequest(game=game, workspace=Workspace(folder))))


@pytest.mark.parametrize("game", UNPRINTED)
def test_each_ruling_that_is_turned_over_changes_a_sheet(game: str, tmp_path: Path) -> None:
    usual, unprinted = sheets(tmp_path, game), set[str]()
    for ruling in import_module(f"cardgen.rulesets.{game}").RULESET.rulings:
        other = next(setting for setting in ruling.settings if setting != ruling.default)
        unprinted |= {ruling.id} if sheets(tmp_path, game, f"{ruling.id}: '{other}'") == usual else set()
    assert unprinted == UNPRINTED[game]
