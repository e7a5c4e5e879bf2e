from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.hyphenation import hyphen_points


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
