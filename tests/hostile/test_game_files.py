"""Game files that are wrong, or mean harm."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from openpyxl import Workbook

from cardgen.game_file import loader
from cardgen.game_file.expressions import GameContext
from cardgen.source import Document
from tests.game_file.games import HEADER
from tests.hostile.conftest import Attack

KIND = "kinds: {brave: {fields: {heat: {type: integer, default: 1}}}}\n"
CARD = "game: ember\nkind: brave\nname: Ash\n"
PLACE = r"games/ember/game\.yaml:\d+:\d+: error\[CG\d+\]: "
MANY = ", ".join(f"f{number}: {{type: integer}}" for number in range(101))
SECRET = "outside/secret"


@pytest.fixture
def game(attack: Attack) -> Attack:
    attack.folder.write("games/ember/game.yaml", HEADER + KIND)
    attack.folder.write("cards/ash.yaml", CARD)
    return attack


def fails_quickly(attack: Attack, message: str) -> str:
    started = time.process_time()
    output = attack.fails(message)
    assert time.process_time() - started < 20
    return output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kinds: !!python/object/apply:os.system {id: 1}\n", PLACE + ".*tag"),
        ("kinds: &a {brave: {}}\ntypes: *a\n", r"games/ember/game\.yaml:4:8: error\[CG008\]"),
        ("kinds: " + "{a: " * 100_000, r"games/ember/game\.yaml:4:\d+: error\[CG010\]"),
        ("kinds: {brave: {}}\nname: " + "x" * (1 << 20), r"games/ember/game\.yaml: error\[CG00[12]\]"),
        (f"kinds: {{{', '.join(f'k{n}: {{}}' for n in range(51))}}}\n", PLACE + "'kinds' must have at most 50"),
        (f"kinds: {{brave: {{fields: {{{MANY}}}}}}}\n", PLACE + "'fields' must have at most 100"),
        ("kinds: {brave: {size: [0.01mm, 1mm]}}\n", PLACE + ".* shorter than 4 mm"),
        ("kinds: {brave: {size: [9999999m, 9999999m]}}\n", PLACE + ".*not a valid length"),
        ("kinds: {brave: {boxes: {wounds: 1000000}}}\n", PLACE + "'wounds' must be at most 100"),
        ("kinds: {brave: {fields: {__class__: {type: text}}}}\n", PLACE + "'__class__' is not a valid name"),
        ("kinds: {brave: {fields: {model_config: {type: text}}}}\n", PLACE + "the name 'model_config' is reserved"),
        ("kinds: {__init__: {}}\n", PLACE + "'__init__' is not a valid name"),
        ("kinds: {../../x: {}}\n", PLACE + "'../../x' is not a valid name"),
        (f"sheets: [../../../{SECRET}.yaml]\n{KIND}", PLACE + ".*points outside"),
        ("sheets: [/etc/passwd]\n" + KIND, PLACE + ".*is an absolute path"),
        ("kinds: {brave: {text: '{{ self.__class__ }}'}}\n", PLACE),
        ("kinds: {brave: {text: '{% include \"x\" %}'}}\n", PLACE),
        (f"kinds: {{brave: {{text: '{'{{ (' * 800}'}}}}\n", PLACE),
        ("types: {a: {fields: {x: {type: a}}}}\n" + KIND, PLACE + "the type 'a' contains itself"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_game_that_is_wrong_is_said_at_its_line(game: Attack, text: str, message: str) -> None:
    game.folder.write("games/ember/game.yaml", HEADER + text)
    fails_quickly(game, message)


@pytest.mark.parametrize(
    "text",
    [
        "{% for a in range(10000) %}{% for b in range(10000) %}x{% endfor %}{% endfor %}",
        "{% for a in range(10000) %}{{ 'x' * 10000 }}{% endfor %}",
        "{{ 9 ** 9 ** 9 ** 9 }}",
        "{{ name.__class__ }}",
        "{{ name.format(1) }}",
        "{{ heat / 0 }}",
    ],
)
def test_texts_are_bounded_and_located(game: Attack, text: str) -> None:
    fields = "fields: {heat: {type: integer, default: 1}}"
    game.folder.write("games/ember/game.yaml", f'{HEADER}kinds: {{brave: {{{fields}, text: "{text}"}}}}\n')
    fails_quickly(game, PLACE)


def test_all_cards_share_the_work_of_texts(game: Attack) -> None:
    text = "{% for a in range(900) %}{% for b in range(100) %}{{ a }}{% endfor %}{% endfor %}"
    game.folder.write("games/ember/game.yaml", f'{HEADER}kinds: {{brave: {{text: "{text}"}}}}\n')
    cards = "".join(f"- name: Ash {number}\n" for number in range(200))
    game.folder.write("cards/ash.yaml", f"game: ember\nkind: brave\ncards:\n{cards}")
    fails_quickly(game, PLACE + "(all expressions together take|an expression takes)")


def test_a_file_that_is_no_file(game: Attack) -> None:
    path = game.folder.root / "games/ember/game.yaml"
    path.unlink()
    path.mkdir()
    game.fails(r"games/ember/game\.yaml: error\[CG001\]: the file cannot be read")


def test_links_are_not_followed(game: Attack, outside: object) -> None:
    path = game.folder.root / "games/ember/game.yaml"
    path.unlink()
    path.symlink_to(game.folder.root.parent / "outside/secret.yaml")
    assert "Sentinel" not in game.fails(r"games/ember/game\.yaml: error\[CG023\]: the link points outside")


@pytest.mark.parametrize("name", ["templates", "sheets"])
def test_folders_of_a_game_are_not_followed(game: Attack, outside: object, name: str) -> None:
    (game.folder.root / "games/ember" / name).symlink_to(game.folder.root.parent / "outside")
    if name == "templates":
        game.fails(r"games/ember/templates: error\[CG023\]")
    else:
        game.folder.write("games/ember/game.yaml", HEADER + KIND + "sheets: [sheets/secret.yaml]\n")
        game.fails(PLACE + ".*points outside")


def test_templates_of_a_game_cannot_be_linked_out(game: Attack, outside: object) -> None:
    templates = game.folder.root / "games/ember/templates"
    templates.mkdir()
    (templates / "brave.svg.j2").symlink_to(game.folder.root.parent / "outside/secret.svg.j2")
    game.fails(r"brave\.svg\.j2: error\[CG023\]")


def test_templates_of_a_game_run_on_their_own(game: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.face.template.engine.TIME_LIMIT", 0.2)
    monkeypatch.setattr("cardgen.face.template.report._TIME_LIMIT", 0.2)
    game.folder.write("games/ember/templates/brave.svg.j2", "{% for a in range(100000) %}" * 3 + "{% endfor %}" * 3)
    fails_quickly(game, r"brave\.svg\.j2:1:1: error\[CG511\]: the template took longer than 0\.2 seconds")


def test_a_game_that_is_wrong_is_read_once_for_all_sheets(game: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook can have 1,000 sheets, and reading a large game with mistakes takes seconds."""
    game.folder.write("games/ember/game.yaml", HEADER + KIND.replace("integer", "intger"))
    book = Workbook()
    book.remove(book.active)
    for number in range(5):
        book.create_sheet(f"S{number}").append(["name"])
    book.save(game.folder.root / "cards.xlsx")
    sheets = ", ".join(f"S{number}: {{kind: brave}}" for number in range(5))
    game.folder.write("cardgen.yaml", f"game: ember\ntables: {{cards.xlsx: {{{sheets}}}}}\n")
    (game.folder.root / "cards/ash.yaml").unlink()
    reads, read = list[str](), loader.read_game

    def spy(document: Document, folder: Path) -> GameContext:
        reads.append(document.file)
        return read(document, folder)

    monkeypatch.setattr(loader, "read_game", spy)
    game.fails(PLACE + ".*intger")
    assert len(reads) <= 2
