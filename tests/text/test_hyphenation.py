from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pyphen
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text import hyphenation
from cardgen.text.hyphenation import LEFT_MIN, RIGHT_MIN, hyphen_points


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
    hyphenation._patterns.cache_clear()
    pyphen.hdcache.pop(path, None)
    assert [hyphen_points.__wrapped__(word, language) for word in words] == expected
    assert isinstance(pyphen.hdcache[path].patterns, hyphenation._LatePatterns)


def test_patterns_that_change_letters_are_left_to_pyphen(tmp_path: Path) -> None:
    for number, line in enumerate(("a1b\n.x2y", "schif1fahrt/ff=f,5,2", "a1^^e9")):
        path = tmp_path / f"{number}.dic"
        path.write_text(f"UTF-8\n% = /\nLEFTHYPHENMIN 2\n{line}\n", encoding="utf-8")
        patterns = hyphenation._late_patterns(pyphen, path)
        assert (patterns is None) == bool(number)
        complete = pyphen.HyphDict(path)
        for letters in ("ab", ".xy", "b"):
            assert patterns is None or patterns.get(letters) == complete.patterns.get(letters)
