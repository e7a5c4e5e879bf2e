"""Paragraphs of templates, whose lines can end with tags."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader

from cardgen.sandbox.environment import Sandbox
from cardgen.sandbox.expression import TextTemplate, keep_paragraphs


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("One{% if true %} two{% endif %}\n\nThree", "One two\n\nThree"),
        ("{% for n in (1, 2) %}{{ n }}{% endfor %}\n\nThree", "12\n\nThree"),
        ("One {# note #}\n  \nThree", "One \n  \nThree"),
        ("One{% if true %} two{% endif %}\nthree", "One twothree"),
        ("One\n{% if true %}\n\nTwo\n{% endif %}\nThree", "One\n\nTwo\nThree"),
    ],
)
def test_a_blank_line_after_a_line_with_text_ends_its_paragraph(source: str, text: str) -> None:
    assert Sandbox(DictLoader({})).from_string(source).render() == text
    assert TextTemplate(source).render({}) == text


def test_lines_keep_their_numbers_and_long_sources_take_no_time() -> None:
    source = "a {% b " * 100_000 + "%}\n\n" + "x{% endif %}\n\n" * 10_000
    assert keep_paragraphs(source).count("\n") == source.count("\n")
