"""Which words are right, with and without a dictionary."""

from __future__ import annotations

import pytest

from cardgen.text import dictionary
from cardgen.text.dictionary import Spelling

ENGLISH = Spelling("en-GB", frozenset({"gloamwood"}))
needs_dictionary = pytest.mark.skipif(not ENGLISH.has_dictionary, reason="the extra 'spelling' is not installed")


@needs_dictionary
@pytest.mark.parametrize(
    "word",
    [
        "color",
        "colour",
        "centre",
        "realise",
        "travelled",
        "Bearer's",
        "bearers’",
        "doesn’t",
        "Reroll",
        "half-dead",
        "Gloamwood",
        "undead",
    ],
)
def test_right_words(word: str) -> None:
    assert ENGLISH.knows(word)


@needs_dictionary
@pytest.mark.parametrize(
    ("word", "meant"),
    [("beaerer", "bearer"), ("Teh", "the"), ("canot", "cannot"), ("dont", "done"), ("gloamwod", ""), ("half-daed", "")],
)
def test_wrong_words(word: str, meant: str) -> None:
    assert not ENGLISH.knows(word)
    if meant:
        assert ENGLISH.suggestion(word)
    assert ENGLISH.suggestion(word) in (meant, "don't", "half-dead", "")


@needs_dictionary
@pytest.mark.parametrize("language", ["de", "en", "eu"])
def test_words_are_found_without_loading_the_dictionary(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    words = [*(dictionary._dictionary(language) or ())][::97]
    monkeypatch.setattr(dictionary, "_dictionary", None)
    found = Spelling(language)
    # Words with quotes, such as the Basque 'blues"eko', are left to the dictionary.
    assert [word for word in words if not found.finds(word) and '"' not in word and "-" not in word] == []
    wrong = [f"{word}{end}" for word in words for end in ("zq", ",", "\n")]
    assert [word for word in wrong if found.finds(word) and "-" not in word] == []


@needs_dictionary
def test_each_language_has_its_words() -> None:
    assert Spelling("de").knows("Zauber")
    assert Spelling("de").knows("Größer")
    assert Spelling("de").knows("auszuspielen")
    assert not Spelling("de").knows("auszuspeilen")
    assert not Spelling("de").knows("beautiful")
    assert not Spelling("de").knows("reroll")


@needs_dictionary
def test_words_may_follow_one_that_lost_its_vowel() -> None:
    french, italian = Spelling("fr"), Spelling("it")
    assert all(map(french.knows, ("n’en", "s'il", "L’ours", "jusqu’au", "qu'une")))
    assert not any(map(french.knows, ("n’enn", "x’ours")))
    assert italian.knows("dell’acqua")


@pytest.mark.parametrize("language", ["", "xx", "ja"])
def test_nobody_knows_the_words_of_other_languages(language: str) -> None:
    other = Spelling(language, frozenset({"ash"}))
    assert not other.has_dictionary
    assert other.knows("Ash")
    assert not other.knows("bearer")
    assert other.suggestion("beaerer") == ""


@needs_dictionary
def test_words_of_games_are_those_that_dictionaries_lack() -> None:
    words = dictionary._dictionary("en")
    assert words is not None
    assert [word for word in sorted(dictionary._game_words()) if word in words] == []
