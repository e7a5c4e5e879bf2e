from __future__ import annotations

import pytest
from jinja2 import TemplateRuntimeError

from cardgen.face.template.engine import meaning_function
from cardgen.rulesets.ruleset import GlossaryTerm

TERMS = (
    GlossaryTerm("Cover", "Shots have one die fewer.", ("Cover",)),
    GlossaryTerm("Rough", "A move ends.", ("Rough",)),
)


def test_a_meaning_is_the_definition_in_the_glossary() -> None:
    meaning = meaning_function(lambda: TERMS)
    assert meaning("Cover") == meaning("cover") == "Shots have one die fewer."


def test_an_unknown_term_gets_a_suggestion() -> None:
    with pytest.raises(TemplateRuntimeError, match="unknown term 'cower'; did you mean 'Cover'"):
        meaning_function(lambda: TERMS)("cower")
