from __future__ import annotations

import pytest

from cardgen.releases.errata_sheet import word_diff


def marked(old: str, new: str) -> str:
    """The parts of a diff, the old ones in brackets, and the new ones in angle brackets."""
    frames = {"": "{}", "old": "[{}]", "new": "<{}>"}
    return "".join(frames[part.mark.value].format(part.text) for part in word_diff(old, new))


@pytest.mark.parametrize(
    ("old", "new", "result"),
    [
        ("Hits within 8 cm.", "Hits within 10 cm.", "Hits within [8] <10> cm."),
        ("Heals 1.", "Heals **two wounds**.", "Heals [1] <two wounds>."),
        ("one two three four", "one five six four", "one [two three] <five six> four"),
        ("Test {body}.", "Test {mind}.", "Test [{body}] <{mind}>."),
        ("", "All new.", "<All new.>"),
        ("All gone.", "", "[All gone.]"),
        ("It is still.", "It is very still.", "It is <very> still."),
        ("12.5 cm", "12.7 cm", "[12.5] <12.7> cm"),
        ("Same\n\ntext", "Same text", "Same text"),
    ],
)
def test_words_and_numbers_are_compared(old: str, new: str, result: str) -> None:
    assert marked(old, new) == result


def test_texts_of_any_length_are_compared_quickly() -> None:
    assert marked("a " * 5000, "b " * 5000).startswith("[a a")


def test_long_texts_of_few_words_are_replaced_as_a_whole() -> None:
    """Comparing them word by word takes minutes."""
    old, new = "a b c " * 600, "b a c " * 600
    assert marked(old, new) == f"[{old.strip()}] <{new.strip()}>"
