"""The JSON Schema of game files, and of the cards of such a game, agrees with the reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from cardgen.deck.deck import card_schema, load_deck
from cardgen.diagnostic import CardgenError
from cardgen.game_file.loader import read_game
from cardgen.game_file.spec import game_file_schema
from cardgen.source import parse_document
from tests.cases import each_case
from tests.game_file.games import BRAVE, HEADER, write_game
from tests.game_file.test_kinds_parts import WEAPONS
from tests.game_file.test_texts_card_face import GAME
from tests.json_schemas import check_schema

VALIDATOR = Draft202012Validator(game_file_schema())
FIELD = "kinds: {brave: {fields: {heat: %s}}}\n"


def reader_accepts(text: str) -> bool:
    try:
        read_game(parse_document(text, "game.yaml"), Path())
    except CardgenError:
        return False
    return True


def test_the_schema_is_valid() -> None:
    check_schema(game_file_schema())


@pytest.mark.parametrize("text", [HEADER + BRAVE, GAME, HEADER + WEAPONS], ids=["brave", "face", "weapons"])
def test_games_are_valid(text: str) -> None:
    data = parse_document(text, "game.yaml").data
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


ROOT = Path(__file__).parents[2]
FILES = [*ROOT.glob("cardgen/rulesets/*/game.yaml"), *ROOT.glob("examples/*/games/*/game.yaml")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_the_games_of_the_program_and_of_the_gallery_are_valid(file: Path) -> None:
    data = parse_document(file.read_text(encoding="utf-8"), "game.yaml").data
    assert [(list(error.path), error.message) for error in VALIDATOR.iter_errors(data)] == []


@each_case(
    "text",
    [
        "kinds: {brave: {}}\nchecks: {a: {code: EM301, kind: [], when: x, say: x}}\n",
        "kinds: {brave: {}}\nchecks: {a: {code: EM301, kind: 1, when: x, say: x}}\n",
        "kinds: {}\n",
        "kinds: {Brave: {}}\n",
        "kinds: {brave: {feilds: {}}}\n",
        "prefix: em\nkinds: {brave: {}}\n",
        "kinds: {brave: {size: [1mm]}}\n",
        "kinds: {brave: {shape: oval}}\n",
        "kinds: {brave: {boxes: {wounds: 0}}}\n",
        "kinds: {brave: {unknown_keys: keep}}\n",
        "kinds: {brave: {fields: {Heat: {type: integer}}}}\n",
        FIELD % "{}",
        FIELD % "{type: integer, label: ''}",
        FIELD % "{type: integer, code: E101}",
        FIELD % "{type: choice, choices: []}",
        FIELD % "{type: list, items: {kind: brave}}",
        "kinds: {brave: {}}\nglossary: {Heat: {meaning: x}}\n",
        "kinds: {brave: {}}\nrulings: {sixes: {question: Why?, settings: {a: b}}}\n",
        "kinds: {brave: {}}\nsheets: sheets/a.yaml\n",
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(text: str) -> None:
    header = "".join(line for line in HEADER.splitlines(keepends=True) if line.partition(":")[0] not in text)
    data = parse_document(header + text, "game.yaml").data
    assert not VALIDATOR.is_valid(data)
    assert not reader_accepts(header + text)


@pytest.mark.parametrize(
    "field", ["{type: choice}", "{type: flag, min: 1}", "{type: integer, choices: [a]}", "{type: list}"]
)
def test_the_schema_knows_the_keys_of_each_type(field: str) -> None:
    assert not VALIDATOR.is_valid(parse_document(HEADER + FIELD % field, "game.yaml").data)


CARD = "kind: brave\nname: Ash\n"


@pytest.mark.parametrize(
    ("card", "is_valid"),
    [
        ("weapons: [{Poker: CW R1 D1}]", True),
        ("weapons: [{name: Poker, arm: CW, range: 1, damage: 1}]", True),
        ("weapons: [{Poker: CW R0 D1}]", False),
        ("weapons: [{Poker: CW R1}]", False),
        ("weapons: [{Poker: XW R1 D1}]", False),
        ("weapons: []", False),
        ("heat: 1", False),
    ],
)
def test_cards_are_described_by_the_schema_of_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, card: str, is_valid: bool
) -> None:
    monkeypatch.chdir(write_game(tmp_path, HEADER + WEAPONS, a=f"{CARD}{card}\n"))
    schema = card_schema("ember")
    check_schema(schema)
    data = parse_document(f"{CARD}{card}\n", "a.yaml").data
    assert Draft202012Validator(schema).is_valid(data) == is_valid
    if is_valid:
        load_deck(())
    else:
        with pytest.raises(CardgenError):
            load_deck(())
