from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pyphen
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text import line_breaks
from cardgen.text.line_breaks import LEFT_MIN, RIGHT_MIN, hyphen_points, hyphenation_language, reads_as_english
from tests.cases import each_case


def hyphenated(word: str, language: str = "en_GB") -> str:
    points = [0, *hyphen_points(word, language), len(word)]
    return "-".join(word[start:stop] for start, stop in pairwise(points))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("penetration", "pen-et-ra-tion"),
        ("miniature", "mini-ature"),
        ("aggressive", "ag-gress-ive"),
        ("Spirit", "Spirit"),
        ("PENETRATION", "PEN-ET-RA-TION"),
    ],
)
def test_syllables(word: str, expected: str) -> None:
    assert hyphenated(word) == expected


def test_other_languages() -> None:
    assert hyphenated("Silbentrennung", "de") == "Sil-ben-tren-nung"
    with pytest.raises(ValueError, match="no hyphenation patterns for language 'xx'"):
        hyphen_points("penetration", "xx")


@given(st.text(alphabet="abcdeinorst", min_size=1, max_size=14))
def test_two_letters_stay_before_and_three_behind(word: str) -> None:
    assert all(2 <= point <= len(word) - 3 for point in hyphen_points(word, "en_GB"))


WORDS = "Silbentrennung backen Zucker opposite antidisestablishmentarianism l'amour cooperation naïve Übermut x"


@pytest.mark.parametrize("language", ["en_GB", "en_US", "fr", "cs", "uk", "lv", "af", "eo", "ro"])
def test_patterns_that_are_parsed_late_give_the_same_points(language: str) -> None:
    path = pyphen.LANGUAGES[language]
    complete = pyphen.Pyphen(lang=language, left=LEFT_MIN, right=RIGHT_MIN, cache=False)
    samples = list(complete.hd.patterns)[:: max(1, len(complete.hd.patterns) // 300)]
    words = [*WORDS.split(), *(sample.strip(".") * 2 for sample in samples)]
    expected = [tuple(int(point) for point in complete.positions(word) if not point.data) for word in words]
    line_breaks._patterns.cache_clear()
    pyphen.hdcache.pop(path, None)
    assert [hyphen_points.__wrapped__(word, language) for word in words] == expected
    assert isinstance(pyphen.hdcache[path].patterns, line_breaks._LatePatterns)


def test_patterns_that_change_letters_are_left_to_pyphen(tmp_path: Path) -> None:
    for number, line in enumerate(("a1b\n.x2y", "schif1fahrt/ff=f,5,2", "a1^^e9")):
        path = tmp_path / f"{number}.dic"
        path.write_text(f"UTF-8\n% = /\nLEFTHYPHENMIN 2\n{line}\n", encoding="utf-8")
        patterns = line_breaks._late_patterns(pyphen, path)
        assert (patterns is None) == bool(number)
        complete = pyphen.HyphDict(path)
        for letters in ("ab", ".xy", "b"):
            assert patterns is None or patterns.get(letters) == complete.patterns.get(letters)


@each_case(
    "text",
    [
        "Das Fleisch darf nicht für den Transport zu den anderen Häusern verwendet werden.",
        "Zahle 2 Gold. Rindfleischetikettierung",
        "De tegenstander mag een kaart van de stapel nemen en legt deze op tafel.",
        "Le joueur pioche deux cartes et les place devant lui, face visible.",
        "El jugador roba dos cartas de la mazo y las pone en la mesa.",
        "O jogador compra duas cartas e as coloca na mesa.",
        "Il giocatore pesca due carte e le mette sul tavolo.",
        "Gracz dobiera dwie karty z talii i kładzie je na stole.",
        "Hráč si vezme dvě karty a položí je na stůl.",
        "Spelaren drar två kort och lägger dem på bordet.",
        "Oyuncu iki kart çeker ve masaya koyar.",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
        "Halberd",
        "",
    ],
)
def test_other_languages_and_names_do_not_read_as_english(text: str) -> None:
    assert not reads_as_english(text)
    assert hyphenation_language(text, "") is None
    assert hyphenation_language(text, "de") == "de"


@pytest.mark.parametrize(
    "text",
    [
        "When the bearer attacks, it may re-roll one die.",
        "Pick an enemy fighter within 6 inches. Allocate 3 damage points to it.",
        "It cannot climb. The enemy gains +1 Spirit until the end of the turn.",
        "El Capitán may move any friend of the Compañía de la Muerte within 4cm.",
    ],
)
def test_english_is_recognized(text: str) -> None:
    assert hyphenation_language(text, "") == "en_GB"
