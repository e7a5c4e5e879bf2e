from __future__ import annotations

import pytest

from cardgen import diagnostic
from cardgen.diagnostic import closest, did_you_mean, join_words


@pytest.mark.parametrize(
    ("word", "found"), [("nmae", "name"), ("NAME", "name"), ("tag", "tags"), ("xyz", ""), ("", "")]
)
def test_closest(word: str, found: str) -> None:
    assert closest(word, ("name", "tags", "weapons")) == found


def test_the_question() -> None:
    assert did_you_mean("nmae", ("name",)) == "; did you mean 'name'?"
    assert did_you_mean("xyz", ("name",)) == ""


MOMENTS = ("always", "turn_start", "activation_start", "activation_end", "attacking", "moving")


@pytest.mark.parametrize(
    ("word", "question"),
    [
        ("on_activation", "; did you mean 'activation_start' or 'activation_end'?"),
        ("start_of_turn", "; did you mean 'turn_start'?"),
        ("When Attacking", "; did you mean 'attacking'?"),
        ("atacking", "; did you mean 'attacking'?"),
        ("end_of_the_battle", ""),
        ("_", ""),
    ],
)
def test_the_question_about_a_word_with_the_same_parts(word: str, question: str) -> None:
    assert did_you_mean(word, MOMENTS) == question


def test_a_part_that_too_many_words_have_offers_none() -> None:
    assert did_you_mean("red_cloak", ("cloak_of_ash", "cloak_of_oak", "cloak_of_ice", "cloak_of_fog")) == ""


def test_lists() -> None:
    assert [join_words(words) for words in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a or b", "a, b, or c"]


def test_thousands_of_unknown_names_are_not_all_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The product of unknown and known names would take hours."""
    now = 100.0
    monkeypatch.setattr("cardgen.diagnostic.monotonic", lambda: now)
    patience = diagnostic._Patience()
    monkeypatch.setattr(diagnostic, "_PATIENCE", patience)
    names = [f"guard {number:04}" for number in range(1_000)]
    per_call = sum(map(len, names)) * len("gaurd 0000")
    monkeypatch.setattr(patience, "MOST", 3 * per_call)
    calls = [did_you_mean("gaurd 0007", names) for _ in range(10)]
    assert calls[0] == "; did you mean 'guard 0007'?"
    assert calls[9] == "" == closest("gaurd 0007", names)
    now += 3 * per_call / patience.PER_SECOND
    assert did_you_mean("gaurd 0007", names) == calls[0], "what comes later is compared again"
