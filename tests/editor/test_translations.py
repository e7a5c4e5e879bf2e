"""What an editor knows of files of translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.editor.session import check_all, check_fit
from tests.editor.harness import HERO, RELIC, WARBAND, Editor

SETTINGS = "game: warniris\nlanguage: en\nlanguages: [de, fr]\n"
MOTTO = HERO.replace("stats", "motto: 'Slow, but sure.'\nstats")
GERMAN = """\
# Translated by Ida.
translations:
  old-gravel:  # the hero
    name: Alter Kies
    motto: Langsam.
    source:
      name: Old Gravel
      motto: Slow.
"""
FILE = "cards/gravel.de.yaml"


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    cards = {"cards/cloak.yaml": RELIC, "cards/oath.yaml": WARBAND, "cards/gravel.yaml": MOTTO}
    return Editor(
        tmp_path, {"cardgen.yaml": SETTINGS, FILE: GERMAN, "cards/oath.fr.yaml": "translations: {}\n", **cards}
    )


def test_a_translation_shows_its_source_and_its_state(editor: Editor) -> None:
    text = editor.hover(FILE, GERMAN.replace("Alter", "Al|ter"))
    assert text
    assert text.markdown == "**Old Gravel** · name · translated\n\nSource: Old Gravel"
    text = editor.hover(FILE, GERMAN.replace("    motto: L", "    mo|tto: L"))
    assert text
    assert text.markdown.endswith("motto · stale\n\nSource: Slow, but sure.\n\nTranslated from: Slow.")
    assert text.card
    card = editor.hover(FILE, GERMAN.replace("old-gravel", "old-|gravel"))
    assert card
    assert "**Old Gravel** · character" in card.markdown


def test_a_key_of_a_map_is_no_markup(tmp_path: Path) -> None:
    key = "[click](https:evil.example)<img src=x>&lt;"
    german = f'translations:\n  sun:\n    "facts/{key}": ein F|akt\n'
    kind = "prefix: TY\nkinds: {thing: {fields: {facts: {type: map, items: {type: text}}}}}\n"
    cards = f'game: toy\nkind: thing\nname: Sun\nfacts:\n  "{key}": A fact.\n'
    settings = "game: toy\nlanguage: en\nlanguages: [de]\n"
    files = {"cardgen.yaml": settings, "games/toy/game.yaml": f"game: toy\nname: Toy\n{kind}", "cards/a.yaml": cards}
    text = Editor(tmp_path, {**files, "cards/a.de.yaml": german.replace("|", "")}).hover("cards/a.de.yaml", german)
    assert text
    assert r"facts/\[click\](https:evil.example)\<img src=x\>\&lt;" in text.markdown


def test_ids_and_texts_are_completed(editor: Editor) -> None:
    assert editor.labels("cards/oath.fr.yaml", "translations:\n  |") == ["the-oath-e"]
    added = GERMAN + "  |"
    assert editor.labels(FILE, added) == []
    found = {each.label: each for each in editor.completions(FILE, GERMAN.replace("    source", "    |\n    source"))}
    assert [*found] == ["weapons/0/name"]
    assert found["weapons/0/name"].detail == "missing"
    assert found["weapons/0/name"].help == "Fist"
    assert editor.labels(FILE, GERMAN + "      weapons/0/name: |") == ["Fist"]
    assert "sailboat" in " ".join(editor.labels(FILE, GERMAN.replace("Langsam.", "Langsam {s|")))


def test_a_text_that_cannot_be_read_yet_is_completed(editor: Editor) -> None:
    marked = GERMAN.replace("    source", "    wea|\n    source")
    editor.write(FILE, marked)
    assert editor.labels(FILE, marked) == ["weapons/0/name"]


def test_the_definition_of_a_translation_is_its_source(editor: Editor) -> None:
    at_text = editor.definitions(FILE, GERMAN.replace("Langsam", "Lang|sam"))
    assert [(each.path.name, each.span.line) for each in at_text] == [("gravel.yaml", 3)]
    at_id = editor.definitions(FILE, GERMAN.replace("old-gravel", "old|-gravel"))
    assert [(each.path.name, each.span.line) for each in at_id] == [("gravel.yaml", 2)]
    files = [each.path.name for each in editor.references("cards/gravel.yaml", MOTTO.replace("Old G", "Ol|d G"))]
    assert files == ["gravel.yaml", "oath.yaml", "oath.yaml", "gravel.de.yaml"]


def test_translations_follow_the_id_of_their_card(editor: Editor) -> None:
    changed = editor.rename("cards/gravel.yaml", MOTTO.replace("Old Gravel", "Old |Gravel"), "Young Gravel")
    assert changed[FILE] == GERMAN.replace("old-gravel:", "young-gravel:")
    own_id = MOTTO.replace("name: Old Gravel", "name: Old Gravel\nid: old-gravel")
    changed = editor.rename("cards/gravel.yaml", own_id.replace("Old Gravel", "Old |Gravel"), "Young Gravel")
    assert FILE not in changed


def test_a_file_of_translations_has_problems(editor: Editor) -> None:
    path = editor.path(FILE)
    editor.session.set_text(path, GERMAN.replace("name: Alter", "nam: Alter"))
    messages = [each.diagnostic.message for each in check_all(editor.session)[path]]
    assert [each.partition(" (")[0] for each in messages] == [
        "card 'old-gravel' has no text 'nam'; did you mean 'name'?",
        "'motto' of 'Old Gravel' has changed since its translation",
    ]
    editor.session.set_text(path, GERMAN.replace("Langsam", "Sehr langsam, und immer weiter, " * 30))
    assert [each.diagnostic.code for each in check_fit(editor.session, path)] == ["CG507"]
    long_name = GERMAN.replace("name: Alter", "name: " + "W" * 60 + " Alter")
    editor.session.set_text(path, long_name)
    assert [each.diagnostic.code for each in check_fit(editor.session, path)] == ["CG501", "CG507"]


def test_translations_are_no_reason_to_read_the_cards_again(editor: Editor) -> None:
    before = editor.session.ask(lambda loaded: loaded.deck.cards)
    editor.session.set_text(editor.path(FILE), GERMAN.replace("Langsam", "Gemach"))
    after = editor.session.ask(lambda loaded: loaded.deck.cards)
    assert [each.document for each in before] == [each.document for each in after]
    assert "Gemach" in str(editor.session.text(editor.path(FILE)))
