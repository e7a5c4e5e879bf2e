"""Words that change what a sentence means, in all forms of the tables of clauses.

Each form is compared with the others of its meaning. Where one of them lacks such a word, or has the opposite word in
its place, the word is not needed for the meaning: `same_meaning.yaml` lists these forms with the reason why they mean
the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.grammar.clauses import SIGNIFICANT, Slot, Wording
from cardgen.grammar.grammar import Grammar
from cardgen.rulesets.warcry.wording.values import GRAMMAR
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.reader import MISSION_CLAUSES as OBJECTIVES

GRAMMARS = {"warniris": CLAUSES, "warniris-missions": OBJECTIVES, "warcry": GRAMMAR}
SAME: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("same_meaning.yaml").read_text(encoding="utf-8")
)
# Of two opposites, one cannot stand for the other.
OPPOSITES = [
    *(("until", "before"), ("before", "after"), ("when", "before"), ("when", "after"), ("first", "last")),
    *(("next", "last"), ("minimum", "maximum"), ("min", "max"), ("either", "both"), ("if", "unless")),
    *(("when", "unless"), ("while", "until"), ("not", "only"), ("each", "1"), ("all", "1"), ("every", "1")),
    *(("another", "1"), ("another", "same"), ("other", "same"), ("other", "any"), ("least", "most"), ("more", "fewer")),
    *(("more", "less"), ("within", "over"), ("may", "cannot"), ("may", "must"), ("once", "twice"), ("half", "double")),
    *(("and", "or"), ("start", "end"), ("friend", "enemy"), ("friends", "enemies"), ("only", "also"), ("no", "any")),
]
Forms = dict[str, list[set[tuple[str, ...]]]]


def forms_of(grammar: Grammar) -> Forms:
    """Return by symbol the forms of each meaning, as words and slots."""
    forms: dict[str, dict[object, set[tuple[str, ...]]]] = defaultdict(lambda: defaultdict(set))
    for symbol, clauses in grammar.table.clauses.items():
        for clause in clauses:
            for form in clause.forms:
                forms[symbol][clause.meaning] |= {tuple(words(grammar, each)) for each in form.sequences}
    return {symbol: [*of_meaning.values()] for symbol, of_meaning in forms.items()}


def words(grammar: Grammar, sequence: Wording) -> Iterator[str]:
    for element in sequence:
        yield from (f"{{{element.symbol}}}",) if isinstance(element, Slot) else grammar._literals(element)


def optional(forms: Forms) -> Iterator[tuple[str, str]]:
    """Yield each word that can be left out, with the symbol of the form."""
    for symbol, same in ((symbol, same) for symbol, meanings in forms.items() for same in meanings):
        for form in same:
            for index, word in enumerate(form):
                if (word in SIGNIFICANT or word in ("1", "2")) and form[:index] + form[index + 1 :] in same:
                    yield word, symbol


def exchanged(forms: Forms) -> Iterator[tuple[str, str]]:
    """Yield 'one/other' for opposites that can stand for each other, with the symbol of the form."""
    for symbol, same in ((symbol, same) for symbol, meanings in forms.items() for same in meanings):
        for form in same:
            for index, word in enumerate(form):
                for one, other in OPPOSITES:
                    if word == one and (*form[:index], other, *form[index + 1 :]) in same:
                        yield f"{one}/{other}", symbol


@pytest.mark.parametrize("game", GRAMMARS)
@pytest.mark.parametrize(("kind", "find"), [("optional", optional), ("exchanged", exchanged)])
def test_a_word_that_changes_the_meaning_is_needed_unless_it_is_declared(game: str, kind: str, find: Any) -> None:
    forms = forms_of(GRAMMARS[game])
    assert sum(len(same) for meanings in forms.values() for same in meanings) > 60
    declared = {(word, symbol) for each in SAME[kind] for word in each["words"] for symbol in each.get(game, ())}
    assert set(find(forms)) == declared


def test_each_declaration_has_a_reason() -> None:
    assert all(len(each["reason"]) > 20 for kind in SAME.values() for each in kind)
