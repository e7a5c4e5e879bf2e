"""Cards in another language in the studio, and the translations of their texts."""

from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.studio.engine.answers import TranslatedField
from cardgen.studio.engine.remote import Engine
from tests.projects import IN_GERMAN, SOURCE, Folder

ASH, EMBER, GULL = "warniris/minion/ash", "warniris/minion/ember", "warniris/minion/gull"


@pytest.fixture
def engine(folder: Folder) -> Engine:
    return Engine(str(folder.translated().root))


def changed(engine: Engine, key: str, field: str, text: str) -> str:
    (file,) = engine.translations.change(key, "de", field, text).files
    assert file.file == "cards/a.de.yaml"
    return str(file.text)


def test_texts_have_their_translations_and_states(engine: Engine) -> None:
    assert engine.translations.fields(ASH, "de") == (
        TranslatedField("name", "Ash", "Asche", "translated"),
        TranslatedField("text", "Deal 2 wounds.", "Füge 2 Wunden zu.", "stale", "Deal 1 wound."),
    )
    assert engine.translations.fields(EMBER, "de")[1] == TranslatedField("text", "Burn.", "", "missing")
    assert engine.translations.fields(ASH, "en-XA") == ()
    assert engine.translations.fields(ASH, "") == ()


def test_gaps_are_counted_by_card_and_language(engine: Engine) -> None:
    gaps = engine.translations.gaps()
    assert gaps[ASH] == {"de": (1, 0), "de-AT": (0, 2), "fr": (0, 2)}
    assert "de" not in gaps[GULL]
    state = engine.project()
    assert (state.language, state.languages) == ("en", ("de", "de-AT", "fr"))


def test_a_translation_is_written_with_its_source(engine: Engine, folder: Folder) -> None:
    text = changed(engine, EMBER, "text", " Brenne. ")
    assert text.endswith("  ember:\n    name: Glut\n    text: Brenne.\n    source:\n      text: Burn.\n")
    assert (folder.root / "cards/a.de.yaml").read_text(encoding="utf-8") == IN_GERMAN  # the engine writes nothing
    # The same text again says that a stale translation is still right.
    assert "text: Deal 2 wounds.\n" in changed(engine, ASH, "text", "Füge 2 Wunden zu.")
    removed = changed(engine, ASH, "text", "")
    assert "Füge" not in removed
    assert "Deal" not in removed
    (new,) = engine.translations.change(EMBER, "fr", "name", "Braise").files
    assert (new.file, new.digest) == ("cards/a.fr.yaml", "")


def test_the_last_translation_leaves_a_file_that_can_be_read(engine: Engine, folder: Folder) -> None:
    folder.write("cards/a.de.yaml", "translations:\n  ember: {name: Glut}\n")
    assert changed(engine, EMBER, "name", "") == "translations: {}\n"


def test_a_source_that_is_not_saved_counts(engine: Engine) -> None:
    engine.write("cards/a.yaml", SOURCE.replace("Burn.", "Burn brightly."))
    assert engine.translations.fields(EMBER, "de")[1].source == "Burn brightly."
    assert "text: Burn brightly.\n" in changed(engine, EMBER, "text", "Brenne hell.")


def test_what_cannot_be_a_translation_is_refused(engine: Engine) -> None:
    for key, field, text, message in (
        (ASH, "name", "Asche" * 200, "the text has 1000 characters"),
        (ASH, "texts", "Asche", "the card has changed"),
        ("warniris/minion/nobody", "name", "Niemand", "the card has changed"),
        (GULL, "name", "Seemöwe", "is in a table"),
    ):
        with pytest.raises(CardgenError, match=message):
            engine.translations.change(key, "de", field, text)
    with pytest.raises(CardgenError, match="no translations into 'it'"):
        engine.translations.change(ASH, "it", "name", "Cenere")


def test_a_card_is_drawn_in_each_language(engine: Engine, folder: Folder) -> None:
    pictures = [engine.draw(ASH, language=each).svg for each in ("", "de", "fr", "en-XA", "ar-XB")]
    assert len(dict.fromkeys(pictures)) == 4  # there is no French yet
    assert pictures[0] == pictures[2]
    assert all(pictures)
    folder.write("cards/a.fr.yaml", "translations:\n  ash: {name: Cendre}\n")
    engine.forget(("cards/a.fr.yaml",))
    assert engine.draw(ASH, language="fr").svg != pictures[0]
    assert engine.draw(ASH, language="it").problem.endswith("the project has no translations into 'it'")
