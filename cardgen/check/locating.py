"""From a finding to its place: routes become lines and columns, at last."""

from __future__ import annotations

import re
from dataclasses import replace

from cardgen.check.check import Check
from cardgen.check.finding import Finding, Part
from cardgen.check.table import Scene
from cardgen.diagnostic import Diagnostic, Place, Span
from cardgen.model.entry import Entry
from cardgen.source import Route


def located(finding: Finding, check: Check, scene: Scene) -> Diagnostic:
    """The finding of a check as a diagnostic. Raises LookupError for one that names neither a card nor a place."""
    related = tuple((_place(scene, other.entry, other.route), other.word) for other in finding.related)
    place = finding.place or _place(scene, finding.entry, finding.route, finding.part, at_key=finding.at_key)
    place = _narrowed(place, finding.word) if finding.word else place
    return Diagnostic(check.code, finding.message, place, finding.help, check.severity, related)


def _place(scene: Scene, other: Entry | None, route: Route, part: Part | None = None, *, at_key: bool = False) -> Place:
    entry = other or scene.entry
    if entry is None:
        raise LookupError("a finding must name the card that it stands in, or a place")
    full = route if other else (*scene.route, *route)
    return passage(entry, full, part) if part else entry.place(full, key=at_key)


def _narrowed(place: Place, word: str) -> Place:
    """The place of a word in a place that lies on one line, or else the place itself."""
    span = place.span
    if span is None or span.line != span.end_line:
        return place
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", place.excerpt[span.column - 1 : span.end_column - 1])
    if found is None:
        return place
    start, end = (span.column + index for index in found.span())
    return replace(place, span=Span(span.line, start, span.line, end))


def passage(entry: Entry, route: Route, part: Part) -> Place:
    """Where some characters of a card's text stand."""
    text: object = entry.card
    for step in route:
        text = getattr(text, step) if isinstance(step, str) else text[step]  # type: ignore[index]
    return entry.document.passage(entry.origin.written(route), str(text), *part)
