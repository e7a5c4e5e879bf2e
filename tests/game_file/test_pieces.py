"""Pieces of a game file: tokens, proxies, blanks, and rulers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.model.card import Entry
from cardgen.print.documents import derive_pieces, derived_kinds
from cardgen.rulesets.pieces import Dial, Token
from cardgen.units import Shape
from tests.game_file.games import BRAVE, HEADER, findings, game_of, write_game

PIECES = """
pieces:
  heat-token: {piece: token, from: brave, icon: fire, diameter: 30mm}
  figure: {piece: standee, from: brave, height: 40mm, bases: [25mm, 40mm]}
  strip: {piece: cylinder, from: [brave]}
  sheet: {piece: blank, of: brave}
  tape: {piece: ruler}
"""
CARDS = "game: ember\nkind: brave\nname: Ash\nheat: 4\n"


def write(root: Path, text: str = PIECES, **cards: str) -> Path:
    return write_game(root, HEADER + BRAVE + text, braves=CARDS, **cards)


def test_pieces_are_made_from_cards(tmp_path: Path) -> None:
    _, deck = load_deck((), (), write(tmp_path))
    made = {each.kind: each.card for each in derive_pieces(deck.cards) if isinstance(each, Entry)}
    assert set(made) == {"heat-token", "figure", "strip"}
    token = made["heat-token"]
    assert isinstance(token, Token)
    assert (token.name, token.icon, token.diameter, token.trim) == ("Ash", "fire", 30, (30, 30))
    assert getattr(token, "heat", None) == 4
    assert getattr(made["figure"], "height", None) == 40
    assert game_of(tmp_path).kinds["heat-token"].shape == Shape.ROUND


def test_pieces_are_cards_too(tmp_path: Path) -> None:
    tape = "game: ember\nkind: tape\nname: Tape\nlength: 15\nmarks: [5]\n"
    sheet = "game: ember\nkind: sheet\nname: Blank\nof: brave\n"
    figure = "game: ember\nkind: figure\nname: Statue\nbase: 40\n"
    assert findings(write(tmp_path, tape=tape, sheet=sheet, figure=figure)) == []


def test_a_base_that_no_proxy_has_is_a_limit(tmp_path: Path) -> None:
    (found,) = findings(write(tmp_path, figure="game: ember\nkind: figure\nname: Statue\nbase: 32\n"))
    assert "figure.yaml:4:7 EM100 no proxy fits a base of 32 mm" in found


@pytest.mark.parametrize(
    ("piece", "message", "place"),
    [
        ("{piece: token, height: 30mm}", "a token has no 'height'", (22, 23)),
        ("{piece: standee, from: brav}", "unknown kind 'brav'; did you mean 'brave'?", (22, 31)),
        ("{piece: blank, of: [brave, band]}", "unknown kind 'band'", (22, 35)),
        ("{piece: token, diameter: 2mm}", "must be between 15 and 60 mm, not 2", (22, 33)),
        ("{piece: dial, from: brave, most: hat}", "'hat' is not an integer field of 'brave'", (22, 43)),
        ("{piece: dial, most: heat}", "a dial that is made from cards needs both 'from' and 'most'", (22, 29)),
        ("{piece: mat, width: 3m}", "'3m' is not a valid length", (22, 30)),
        ("{piece: mat, width: 3cm}", "must be between 100 and 2000 mm, not 30", (22, 30)),
        ("{piece: token, diameter: wide}", "'wide' is not a valid length", (22, 33)),
    ],
)
def test_a_mistake_in_a_piece_is_located(tmp_path: Path, piece: str, message: str, place: tuple[int, int]) -> None:
    write(tmp_path, f"\npieces:\n  mark: {piece}\n")
    with pytest.raises(CardgenError) as error:
        game_of(tmp_path)
    (only,) = error.value.diagnostics
    assert isinstance(only, Diagnostic)
    assert only.message.startswith(message)
    assert only.place.span
    assert only.place.span[1] > 8


ACCESSORIES = """
pieces:
  wheel: {piece: dial, from: brave, most: heat}
  carton: {piece: box}
  field: {piece: mat, width: 60cm, height: 42cm}
"""


def test_accessories_are_pieces(tmp_path: Path) -> None:
    carton = "game: ember\nkind: carton\nname: Deck\nholds: 30\ncard_size: tarot\n"
    field = "game: ember\nkind: field\nname: Field\nzones: [{at: [30, 21], diameter: 12}]\n"
    root = write(tmp_path, ACCESSORIES, carton=carton, field=field)
    assert findings(root) == []
    _, deck = load_deck((), (), root)
    cards = {each.kind: each.card for each in (*deck.cards, *derive_pieces(deck.cards)) if isinstance(each, Entry)}
    dial = cards["wheel"]
    assert isinstance(dial, Dial)
    assert (dial.name, dial.most, dial.label) == ("Ash", 4, "Heat")
    kinds = game_of(tmp_path).kinds
    assert kinds["field"].size_of(cards["field"]) == (600, 420)
    assert (kinds["field"].can_tile, kinds["wheel"].in_kit) == (True, False)


def test_a_kit_has_no_dials_unless_they_are_named(tmp_path: Path) -> None:
    write(tmp_path, ACCESSORIES)
    rules = game_of(tmp_path)
    assert "wheel" in derived_kinds(rules)
    assert "wheel" not in derived_kinds(rules, for_kit=True)
