"""Translations beside the source: found, put in its place, and told apart from it."""

from __future__ import annotations

import pytest

from cardgen.deck.deck import load_deck
from cardgen.deck.translated import State, translated_texts
from cardgen.diagnostic import CardgenError
from cardgen.model.card import Entry
from cardgen.runtime.workspace import Workspace
from tests.projects import Folder


@pytest.fixture
def project(folder: Folder) -> Folder:
    return folder.translated()


def cards(language: str, only: tuple[str, ...] = ()) -> tuple[Entry, ...]:
    return load_deck((), only, workspace=Workspace(language=language))[1].cards


def problems(language: str) -> list[str]:
    with pytest.raises(CardgenError) as caught:
        cards(language)
    return str(caught.value).splitlines()


def test_texts_are_those_of_the_nearest_language_and_else_of_the_source(project: Folder) -> None:
    project.write("cards/a.de-AT.yaml", "translations: {ember: {text: Es brennt.}}\n")
    found = {tag: [(each.card.name, each.card.text) for each in cards(tag)] for tag in ("", "en", "de", "de-AT", "fr")}
    source = [("Ash", "Deal 2 wounds."), ("Ember", "Burn."), ("Gull", "It flies.")]
    german = [("Asche", "Füge 2 Wunden zu."), ("Glut", "Burn."), ("Möwe", "Sie fliegt.")]
    assert found == {
        "": source,
        "en": source,
        "de": german,
        "de-AT": [german[0], ("Glut", "Es brennt."), german[2]],
        "fr": [*source[:2], ("Mouette", "It flies.")],
    }
    assert [(each.card.id, each.card.language) for each in cards("fr")] == [
        ("ash", "en"),
        ("ember", "en"),
        ("gull", "fr"),
    ]
    assert [str(each.place(("name",))) for each in cards("de")] == [
        "cards/a.de.yaml:3:11",
        "cards/a.de.yaml:7:11",
        "cards/gulls.csv:2:6",
    ]


def test_each_text_knows_the_source_it_was_made_from(project: Folder) -> None:
    states = {(each.entry.card.id, each.field): each.state for each in translated_texts(cards("de"))}
    assert states == {
        ("ash", "name"): State.TRANSLATED,
        ("ash", "text"): State.STALE,
        ("ember", "name"): State.TRANSLATED,
        ("ember", "text"): State.MISSING,
        ("gull", "name"): State.TRANSLATED,
        ("gull", "text"): State.TRANSLATED,
    }
    # The sources of columns are recorded in the file.
    project.write("cards/gulls.de.yaml", "translations: {gull: {source: {text: It swims.}}}\n")
    assert [each.state for each in translated_texts(cards("de", ("gull",)))] == [State.TRANSLATED, State.STALE]


def test_cards_are_selected_and_referred_to_by_the_names_of_both_languages(project: Folder) -> None:
    assert [each.card.id for name in ("Asche", "ash", "Ash") for each in cards("de", (name,))] == ["ash"] * 3
    project.write("cards/band.yaml", "kind: warband\nname: Band\nminions: [{minion: Ash}, {minion: Ember}]\n")
    (band,) = cards("de", ("band",))
    assert sorted(each.card.name for each in band.links.values()) == ["Asche", "Glut"]


def test_mistakes_are_at_their_place(project: Folder) -> None:
    project.write(
        "cards/a.de.yaml",
        "translations:\n  ash: {txt: Asche, stats/M: zwei, qty: drei, name: 7}\n  asch: {name: Asche}\n",
    )
    assert problems("de") == ["cards/a.de.yaml:2:53: error[CG103]: 'name' must be text or a map, not 7"]
    project.write(
        "cards/a.de.yaml",
        f"translations:\n  ash: {{txt: Asche, stats/M: zwei, name: {'A' * 99}}}\n  asch: {{name: Asche}}\n",
    )
    assert problems("de") == [
        "cards/a.de.yaml:2:14: error[CG107]: card 'ash' has no text 'txt'; did you mean 'text'?",
        "cards/a.de.yaml:2:30: error[CG107]: card 'ash' has no text 'stats/M'",
        "cards/a.de.yaml:2:42: error[CG107]: the text has 99 characters, and 'name' can have 80",
    ]
    assert problems("it")[0] == "--language: error[CG520]: the project has no translations into 'it'"


def test_a_column_that_the_settings_name_is_what_they_say(project: Folder) -> None:
    table = "cards/gulls.csv: {kind: minion, columns: {name.fr: motto}}"
    project.write("cardgen.yaml", f"languages: [de, fr]\ntables: {{{table}}}\n")
    (gull,) = cards("", ("gull",))
    assert gull.card.motto == "Mouette"


def test_a_column_in_a_language_that_the_project_does_not_have(project: Folder) -> None:
    project.write("cardgen.yaml", "languages: [de]\ntables: {cards/gulls.csv: {kind: minion}}\n")
    assert problems("") == ["cards/gulls.csv:1:14: error[CG101]: the project has no translations into 'fr'"]
