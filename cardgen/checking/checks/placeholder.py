"""A placeholder in a text that is printed, such as TODO or "lorem ipsum".

Why is this bad?
    The placeholder would be printed. Give an unfinished card the key `draft: true`: it is checked, but not printed. The
    check doesn't report the Spanish word 'todo', or XXX in names.

Example
    kind: relic
    name: Sun Stone
    motto: "TODO: something about the dawn"  # CG207: 9
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    motto: It was cold once.
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Card
from cardgen.model.card_values import card_values
from cardgen.source import Document
from cardgen.tables.table import TableDocument
from cardgen.validation.base import Aspect

CODE, NAME = "CG207", "placeholder"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Card

# Words that stand for a missing text: in any case if no language has them, or else in capitals or with a colon.
_IN_ANY_CASE = re.compile(
    r"\b(?:tbd|fix[ _]?me|lorem ipsum)\b|\b(?:todo|placeholder)(?=:)"
    r"|\b(?:add|enter|insert|write|your)(?: \w+){0,2} here\b(?=\W*\Z)"
    r"|(?<!\S)\?{3,}(?!\S)|\A\W?(?:placeholder|\?{2,})\W?\Z",
    re.IGNORECASE,
)
_IN_CAPITALS = re.compile(r"\b(?:TODO|TBA|TBC|PLACEHOLDER|CHANGE[ _]?ME|XXXX+|xxx+)\b")
_NUMERAL = re.compile(r"(?<![\w'’-])XXX(?![\w'’-])")
_PART = re.compile(r"todo|tb[acd]|placeholder|change.?me|xxx|fix.?me|lorem|here\b|\?\?", re.IGNORECASE)
_UNPRINTED = frozenset({"tags"})


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield the first placeholder of each printed text."""
    entry = context.entry
    if entry is None or card.draft or not context.scope.memory(_Suspicion).is_about(entry.document):
        return
    for value in card_values(entry, lambda _: ""):
        text, key_path = value.value, value.key_path
        if not isinstance(text, str) or value.aspect is Aspect.LOOKS or key_path[0] in _UNPRINTED:
            continue
        if match := _placeholder(text, is_name=key_path[-1] == "name"):
            advice = "write the text, or mark the card with 'draft: true' until it is finished"
            yield Finding(f"placeholder '{match[0]}'", key_path, advice, match.span())


def _placeholder(text: str, *, is_name: bool) -> re.Match[str] | None:
    """Return the first placeholder of a text."""
    found = _IN_ANY_CASE.search(text)
    if found is None and not (text.isupper() and " " in text.strip() and ":" not in text):
        found = _IN_CAPITALS.search(text)
    if found is None and not is_name and (numeral := _NUMERAL.search(text)):
        before = text[: numeral.start()].split()
        found = None if before and before[-1][0].isupper() else numeral  # as in 'Legion XXX'
    return found


class _Suspicion:
    """Files that contain a part of a placeholder anywhere, so that most cards need no look."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def is_about(self, document: Document) -> bool:
        if document.file not in self._known:
            text = str(document.cards) if isinstance(document, TableDocument) else document.line_index.text
            self._known[document.file] = _PART.search(text) is not None
        return self._known[document.file]
