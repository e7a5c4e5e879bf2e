"""A span that the theme does not have.

Why is this bad?
    The card cannot be drawn, and builds fail. `[words]{.name}` gives words the style that the theme defines under
    `spans`. `underline`, `strike`, and `small-caps` are built in, and `left`, `center`, `right`, and `justify` align a
    line.

Example
    kind: relic
    name: Sun Stone
    text: "Its bearer [never]{.underlined} tires."  # CG136: 27

Use instead
    kind: relic
    name: Sun Stone
    text: "Its bearer [never]{.underline} tires."
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity, did_you_mean, join_words
from cardgen.text.lines import parse_markup

CODE, NAME = "CG136", "unknown-span"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the unknown spans of a text."""
    if "]{" not in free_text.text or context.entry is None:
        return
    used = {name for paragraph in parse_markup(free_text.text) for part in paragraph for name in part.spans.split()}
    if not used:
        return
    known = context.scope.services.spans(context.entry.game)
    for name in sorted(used.difference(known)):
        at = free_text.text.index(f".{name}")
        advice = f"use {join_words(sorted(known), 'or')}, or define it under 'spans' in theme.yaml"
        message = f"unknown span '{name}'{did_you_mean(name, known)}"
        yield Finding(message, help=advice, text_range=(at, at + len(name) + 1))
