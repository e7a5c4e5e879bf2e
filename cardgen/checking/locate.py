"""Translates symbolic places of findings to lines and columns."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.checking.check import Check, Finding, Fix, TextRange
from cardgen.checking.context import CheckContext
from cardgen.diagnostic import Diagnostic, Place, Span
from cardgen.model.entry import Entry
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.source import KeyPath


class LocatedFinding(NamedTuple):
    """A diagnostic with its check and fix.

    `anchor` is a second place whose line a suppression comment can be on.
    """

    diagnostic: Diagnostic
    check: Check
    fix: Fix | None = None
    anchor: Place | None = None


def locate(finding: Finding, check: Check, context: CheckContext) -> LocatedFinding:
    """Return the finding of a check with its places.

    If the part of a text cannot be located, the place is the whole text, and there is no fix. Raises LookupError for
    a finding with neither a card nor a place.
    """
    related = tuple((_place_of(context, other.entry, other.route), other.label) for other in finding.related)
    whole = finding.place or _place_of(context, finding.entry, finding.route, at_key=finding.at_key)
    text_place = _text_place(context, finding.route, finding.text_range) if finding.text_range else whole
    place = _narrow_to_word(text_place or whole, finding.word) if finding.word else text_place or whole
    diagnostic = Diagnostic(check.code, finding.message, place, finding.help, check.severity, related)
    anchor = _place_of(context, None, finding.route, at_key=True) if finding.text_range else None
    fix = finding.fix if text_place and is_editable(place) else None
    return LocatedFinding(diagnostic, check, fix, anchor)


def is_editable(place: Place) -> bool:
    """Return whether a fix can be applied at a place; tables are left to the programs that write them."""
    return not place.file.lower().endswith(TABLE_SUFFIXES)


def _place_of(context: CheckContext, other: Entry | None, route: KeyPath, *, at_key: bool = False) -> Place:
    entry = other or context.entry
    if entry is None:
        raise LookupError("a finding needs a card or a place")
    return entry.place(route if other else (*context.route, *route), key=at_key)


def _text_place(context: CheckContext, route: KeyPath, text_range: TextRange) -> Place | None:
    """Return the place of some characters of a card's text."""
    if context.entry is None:
        return None
    full = (*context.route, *route)
    text: object = context.entry.card
    for step in full:
        text = getattr(text, step) if isinstance(step, str) else text[step]  # type: ignore[index]
    return context.entry.document.place_of_substring(context.entry.source_map.source_path(full), str(text), *text_range)


def _narrow_to_word(place: Place, word: str) -> Place:
    """Narrow a place within one line to a word, if possible."""
    span = place.span
    if span is None or span.line != span.end_line:
        return place
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", place.source_line[span.column - 1 : span.end_column - 1])
    if match is None:
        return place
    start, end = (span.column + index for index in match.span())
    return place._replace(span=Span(span.line, start, span.line, end))
