"""The pack of a list: its members, what they name, and as many pieces as its expressions say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.documents import plan_documents
from cardgen.print.request import BuildRequest
from tests.game_file.games import HEADER, game_of, write_game

GAME = (
    HEADER
    + """
kinds:
  brave:
    fields:
      heat: {type: integer, min: 1, max: 6}
      tools: {type: list, items: {type: card, kind: tool}}
  tool: {}
  hint: {}
lists:
  band:
    members: {kind: brave}
    fields: {songs: {type: integer, default: 2}, boss: {type: card, kind: brave, optional: true}}
    print: roster
PACK
pieces:
  token: {piece: token}
  figure: {piece: standee, from: brave}
"""
)
PACK = """
    pack:
      named: [tool]
      also: [hint]
      pieces: {token: {ember: members.sum(heat - 1), song: songs, heap: 0}}
"""
CARDS = """
cards:
  - {kind: brave, name: Ash, heat: 3, tools: [Tongs, Poker]}
  - {kind: brave, name: Elm, heat: 1, tools: [tongs]}
  - {kind: tool, name: Tongs}
  - {kind: tool, name: Poker}
  - {kind: tool, name: Bellows}
  - {kind: hint, name: Rules}
  - {kind: token, name: Ember}
  - {kind: token, name: Song}
  - {kind: token, name: Heap}
  - {kind: band, name: All, boss: elm, members: [{Ash: 2}, Elm]}
"""


def pack(root: Path, text: str) -> dict[str, int]:
    write_game(root, GAME.replace("PACK", text), a=CARDS)
    project, deck = load_deck(())
    documents = plan_documents(BuildRequest(warband="All"), project, deck)
    return Counter({f"{each.kind} {each.card.id}": each.card.qty for plan in documents for _, each in plan.cards})


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_pack_has_its_members_and_what_is_made_from_them(tmp_path: Path) -> None:
    assert pack(tmp_path, "") == {"brave ash": 2, "brave elm": 1, "figure ash": 2, "figure elm": 1, "band all": 1}


def test_a_pack_has_what_its_list_says(tmp_path: Path) -> None:
    assert pack(tmp_path, PACK) == {
        "brave ash": 2, "brave elm": 1, "figure ash": 2, "figure elm": 1, "band all": 1,
        "tool tongs": 1, "tool poker": 1, "hint rules": 1, "token ember": 4, "token song": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[tool]", "[tol]"), "unknown kind 'tol'; did you mean 'tool'?"),
        (("{token:", "{tokn:"), "unknown kind 'tokn'; did you mean 'token'?"),
        (("heat - 1", "heet"), "unknown name 'heet'; did you mean 'heat'?"),
    ],
)
def test_mistakes_are_located(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        game_of(write_game(tmp_path, GAME.replace("PACK", PACK.replace(*change))))
    assert message in str(caught.value)
    assert "games/ember/game.yaml:" in str(caught.value)


def test_a_number_that_no_pack_has_is_located(tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match=r"must be between 0 and 500, not"):
        pack(tmp_path, PACK.replace("heat - 1", "heat * 1000"))
