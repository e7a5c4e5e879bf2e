"""Lists whose members are of several kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.builds.builder import Builder
from cardgen.deck.deck import load_deck
from cardgen.print.documents import pack_contents
from cardgen.print.request import BuildRequest
from tests.game_file.games import HEADER, findings, game_of, write_game
from tests.game_file.test_loader_mistakes import located

GAME = """
kinds:
  camel: {fields: {price: {type: integer, min: 1}, speed: {type: integer, default: 2}}}
  ware: {fields: {price: {type: integer, min: 1}}}
lists:
  caravan:
    members: {kind: [camel, ware], min: 2, max: 6}
    limits: {price: {max: 10}}
    print: roster
pieces: {mark: {piece: token, from: [camel, ware]}}
checks: {slow: {code: EM301, kind: caravan, when: "members.sum(price) > 8", say: "{{ members.count(price > 1) }}"}}
"""
CARDS = {
    "a": "kind: camel\nname: Old Camel\nprice: 3\n",
    "b": "kind: ware\nname: Salt\nprice: 2\n",
}


def write(root: Path, members: str) -> Path:
    return write_game(root, HEADER + GAME, **CARDS, c=f"kind: caravan\nname: The Salt Road\nmembers: {members}\n")


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ("[Old Camel, {salt: 2}]", []),
        ("[Old Camel, {Salt: 3}]", ["c.yaml:1:1 EM301 4"]),
        ("[Old Camel, {Salt: 4}]", ["c.yaml:3:10 EM190 the price of the members must add up to at most 10, not 11"]),
        ("[Old Camel, Slat]", ["c.yaml:3:22 CG115 unknown camel or ware 'Slat'; did you mean 'Salt'?"]),
    ],
)
def test_members_of_several_kinds(tmp_path: Path, members: str, found: list[str]) -> None:
    messages = findings(write(tmp_path, members))
    assert [each.partition(" ")[2] in "\n".join(messages) for each in found] == [True] * len(found), messages
    assert bool(messages) == bool(found)


def test_a_pack_has_members_of_all_kinds(tmp_path: Path) -> None:
    root = write(tmp_path, "[Old Camel, {Salt: 2}]")
    _, deck = load_deck((), (), root)
    (entry,) = (each for each in deck.cards if each.kind == "caravan")
    pack = game_of(root).pack
    assert pack
    contents = {(each.kind, each.card.id): each.card.qty for each in pack_contents(entry, pack, deck, ())}
    assert contents == {
        ("caravan", "the-salt-road"): 1,
        ("camel", "old-camel"): 1,
        ("mark", "old-camel"): 1,
        ("ware", "salt"): 2,
        ("mark", "salt"): 2,
    }
    assert set(pack.documents["cards"]) == {"camel", "ware", "mark"}
    Builder(BuildRequest(folder=root, only=("caravan",), output=root / "out", formats=("svg",))).build()


def test_mistakes_in_the_kinds_of_members() -> None:
    text = (
        "kinds: {brave: {fields: {heat: {type: integer, default: 1}}}, tree: {}}\n"
        "lists: {a: {members: {kind: [brave, teer]}}, b: {members: {kind: [brave, tree]}, limits: {heat: {max: 3}}}}\n"
    )
    assert located(text) == [
        ("teer", "unknown kind 'teer'; did you mean 'tree'?"),
        ("heat", "a tree has no number 'heat'"),
    ]
