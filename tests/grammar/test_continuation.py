"""What can come next in a sentence, from the table of clauses."""

from __future__ import annotations

import pytest

from cardgen.grammar.continuation import MOST_CONTINUATIONS, continuations
from cardgen.grammar.grammar import Grammar
from tests.cases import each_case
from tests.grammar.test_grammar import TABLE


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> Grammar:
    path = tmp_path_factory.mktemp("grammar") / "clauses.txt"
    path.write_text(TABLE, encoding="utf-8")
    return Grammar(path)


CASES = {
    "a sentence begins with a capital": ("", "", ["Until", "Heals", "Gets"]),
    "a letter selects": ("", "he", ["Heals"]),
    "a slot of numbers offers nothing else": ("Heals ", "", ["1 Wound"]),
    "words after a number": ("Heals 2 ", "", ["Wounds"]),
    "the end of a phrase": ("Until the ", "", ["end of the turn", "end of this turn", "end of that turn"]),
    "an article is not repeated": ("Until the end of the ", "", ["turn", "this turn", "that turn"]),
    "another form is completed": ("Until the end of th", "", []),
    "a sign": ("Gets ", "", ["+1", "-1", "back"]),
    "a name of a value": ("Gets +1 ", "", ["Mind", "Body"]),
    "a clause after a joint": ("Heals 2 Wounds and ", "u", ["until"]),
    "a clause without a joint": ("Gets +1 Mind ", "un", ["until"]),
    "a new sentence": ("Gets +1 Mind. ", "un", ["Until"]),
    "a name before the sentence": ("Stone Skin - ", "un", ["Until"]),
    "words that no clause has": ("The sun shines ", "", []),
}


@each_case(("text", "prefix", "words"), CASES.values(), ids=CASES)
def test_what_can_follow(grammar: Grammar, text: str, prefix: str, words: list[str]) -> None:
    assert [each.text for each in continuations(grammar, text, prefix)] == words


def test_clauses_that_have_begun_come_first(grammar: Grammar) -> None:
    found = continuations(grammar, "Gets +1 Mind until the end of the turn, ")
    assert all(each.begins for each in found)
    assert not any(each.begins for each in continuations(grammar, "Gets "))


def test_any_text_is_answered_in_bounded_time(grammar: Grammar) -> None:
    for text in ("and " * 400, "the " * 3000, "Gets " * 300, "heals 1 wound and " * 90, "🎲 {{ ( [ *x", "\0"):
        assert len(continuations(grammar, text)) <= MOST_CONTINUATIONS
