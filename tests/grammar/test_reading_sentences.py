"""Sentences of texts: where they end."""

from __future__ import annotations

from cardgen.grammar.reading import split_sentences


def test_sentences_have_their_places() -> None:
    assert [tuple(each) for each in split_sentences(" Move. (Once a turn.) Roll approx. 2D6!\n\nEnd")] == [
        ("Move.", 1),
        ("(Once a turn.)", 7),
        ("Roll approx. 2D6!", 22),
        ("End", 41),
    ]


def test_the_rest_of_an_enormous_text_is_one_sentence() -> None:
    spans = list(split_sentences("Go. " * 100_000))
    assert len(spans) == 200
    assert spans[-1].text == ("Go. " * (100_000 - 199)).strip()
