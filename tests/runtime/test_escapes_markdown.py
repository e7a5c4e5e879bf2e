"""Texts in Markdown that try to be more than text."""

from __future__ import annotations

import pytest

from cardgen.runtime import escapes as markdown
from tests.cases import each_case


@each_case(
    ("text", "shown"),
    [
        ("hi @octocat", "hi @&#8203;octocat"),
        ("a/b#12", "a/b\\#&#8203;12"),
        ("GH-12", "GH&#8203;-12"),
        ("https://a.b www.a.b", "https:&#8203;//a.b www&#8203;.a.b"),
        (":smile: a: b", ":&#8203;smile: a: b"),
        ("$x$", "$&#8203;x$&#8203;"),
        ("<b>[a](b)`|", "\\<b\\>\\[a\\]\\(b\\)\\`\\|"),
        ("a\n# b", "a \\# b"),
        ("wounds: 7 → 8", "wounds: 7 → 8"),
        ("a\u202eb\x1b[2J", "a\\\\u202eb\\\\x1b\\[2J"),
    ],
)
def test_markdown_shows_exactly_the_text_without_links(text: str, shown: str) -> None:
    assert markdown.escape_markdown(text) == shown


@pytest.mark.parametrize(("text", "shown"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", "`a\\nb`")])
def test_a_code_span_ends_where_its_text_does(text: str, shown: str) -> None:
    assert markdown.code_span(text) == shown
