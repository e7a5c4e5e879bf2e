"""Copies of cards with their comments, cards that leave their files, and what is tied to a card."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import MAX_NAME_LENGTH
from cardgen.editor.cards import CardEditError, TakenNames, require_text, ties_of, with_copy, without_cards
from cardgen.editor.references import Names
from cardgen.model.card import Entry
from cardgen.source import KeyPath, parse_document
from tests.cases import each_case
from tests.editor.harness import RELIC, WARBAND, Editor

LAMPS = """\
kind: relic
# All lamps.
cards:
  # The first lamp.
  - name: Calm Lamp  # calm
    id: lamp
    formerly: [old-lamp]
    text: It shines.

  # The second.
  - {name: Storm Lamp, text: It burns.}
"""
COPY = """\

  # The first lamp.
  - name: Second Lamp  # calm
    id: second-lamp
    text: It shines.
"""
NAMES = Names("Second Lamp", "second-lamp")


def editor(root: Path, files: dict[str, str]) -> Editor:
    return Editor(root, {f"cards/{name}.yaml": text for name, text in files.items()})


def card(opened: Editor, name: str) -> Entry:
    return opened.session.ask(lambda loaded: next(each for each in loaded.deck.cards if each.card.name == name))


@pytest.fixture(autouse=True)
def in_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_copy_is_below_its_card_with_comments_and_without_earlier_ids() -> None:
    assert with_copy(LAMPS, ("cards", 0), NAMES) == LAMPS.replace(
        "    text: It shines.\n", f"    text: It shines.\n{COPY}", 1
    )


@each_case(
    ("text", "path", "copied"),
    [
        (RELIC, (), RELIC.replace("Test Cloak", "Second Lamp")),
        (
            "kind: relic\ncards: [{name: A, text: x}, {name: B, text: y}]  # all\n",
            ("cards", 0),
            "kind: relic\ncards: [{name: A, text: x}, {name: Second Lamp, text: x}, {name: B, text: y}]  # all\n",
        ),
        (
            "kind: relic\ncards:\n- name: A\n  text: x",
            ("cards", 0),
            "kind: relic\ncards:\n- name: A\n  text: x\n- name: Second Lamp\n  text: x\n",
        ),
    ],
)
def test_a_copy_is_written_like_its_card(text: str, path: KeyPath, copied: str) -> None:
    assert with_copy(text, path, NAMES) == copied


def test_a_card_leaves_its_file_with_its_comments() -> None:
    assert without_cards(LAMPS, [("cards", 0)]) == (
        "kind: relic\n# All lamps.\ncards:\n\n  # The second.\n  - {name: Storm Lamp, text: It burns.}\n"
    )
    assert without_cards(LAMPS, [("cards", 0), ("cards", 1)]) is None
    assert without_cards(RELIC, [()]) is None


def test_copies_have_names_and_ids_that_no_card_has(tmp_path: Path) -> None:
    long = "Very " * 30
    opened = editor(
        tmp_path,
        {"lamps": LAMPS, "copy": RELIC.replace("Test Cloak", "Calm Lamp (copy)"), "x": f"kind: relic\nname: {long}\n"},
    )
    taken = opened.session.ask(lambda loaded: TakenNames(loaded, "warniris"))
    lamp, storm = card(opened, "Calm Lamp"), card(opened, "Storm Lamp")
    assert taken.take(storm) == Names("Storm Lamp (copy)", "storm-lamp-copy")
    assert taken.take(storm) == Names("Storm Lamp (copy 2)", "storm-lamp-copy-2")
    assert taken.take(lamp) == Names("Calm Lamp (copy 2)", "lamp-copy-2")
    assert taken.take(card(opened, "Calm Lamp (copy)")) == Names("Calm Lamp (copy 3)", "calm-lamp-copy-3")
    assert taken.take(lamp, "Night Lamp") == Names("Night Lamp", "night-lamp")
    with pytest.raises(CardEditError, match="another card has the name 'Old Gravel'"):
        taken.take(lamp, "Old Gravel")  # that of a built-in card
    with pytest.raises(CardEditError, match="choose another name"):
        taken.take(lamp, "Old Lamp")  # an earlier id that references still follow


def test_a_copy_of_a_long_name_is_not_too_long(tmp_path: Path) -> None:
    name = ("Lamp " * 40)[:MAX_NAME_LENGTH].strip()
    opened = editor(tmp_path, {"lamp": f"kind: relic\nname: {name}\ntext: It shines.\n"})
    taken = opened.session.ask(lambda loaded: TakenNames(loaded, "warniris"))
    names = {taken.take(card(opened, name)) for _ in range(3)}
    assert len({each.id for each in names}) == len({each.name for each in names}) == 3
    assert all(len(each.name) <= MAX_NAME_LENGTH for each in names)


def test_the_cards_that_refer_to_a_card_are_tied_to_it(tmp_path: Path) -> None:
    opened = editor(tmp_path, {"cloak": RELIC, "oath": WARBAND})
    cloak, oath = card(opened, "Test Cloak"), card(opened, "The Oath 🎲 é")
    assert opened.session.ask(lambda loaded: ties_of(loaded, cloak)) == (("The Oath 🎲 é",), "")
    assert opened.session.ask(lambda loaded: ties_of(loaded, cloak, [cloak, oath])) == ((), "")


def test_rows_of_tables_are_left_to_the_program_that_writes_them(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("game: warniris\ntables: {relics.csv: {kind: relic}}\n", encoding="utf-8")
    (tmp_path / "relics.csv").write_text("name,text\nPaper Lamp,It shines.\n", encoding="utf-8")
    opened = Editor(tmp_path, {"cardgen.yaml": "game: warniris\ntables: {relics.csv: {kind: relic}}\n"})
    with pytest.raises(CardEditError, match=r"'Paper Lamp' is a row of relics\.csv"):
        require_text(card(opened, "Paper Lamp"))


def test_the_last_card_of_a_list_is_copied_below_it() -> None:
    assert parse_document(with_copy(LAMPS, ("cards", 1), NAMES), "").data == {
        "kind": "relic",
        "cards": [
            {"name": "Calm Lamp", "id": "lamp", "formerly": ["old-lamp"], "text": "It shines."},
            {"name": "Storm Lamp", "text": "It burns."},
            {"name": "Second Lamp", "text": "It burns."},
        ],
    }
