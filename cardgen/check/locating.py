"""From a finding to its place: routes become lines and columns, at last."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.check.check import Check
from cardgen.check.finding import Finding, Fix, Part
from cardgen.check.table import Scene
from cardgen.diagnostic import Diagnostic, Place, Span
from cardgen.model.entry import Entry
from cardgen.source import Route


class Found(NamedTuple):
    """A diagnostic, the check that it comes from, and how it can be mended; `anchor` is where an ignore may stand."""

    diagnostic: Diagnostic
    check: Check
    fix: Fix | None = None
    anchor: Place | None = None


def located(finding: Finding, check: Check, scene: Scene) -> Found:
    """The finding of a check with its places. Raises LookupError for one that names neither a card nor a place.

    Where a part of a text cannot be told from the rest, all of it is the place, and there is nothing to mend.
    """
    related = tuple((_place(scene, other.entry, other.route), other.word) for other in finding.related)
    whole = finding.place or _place(scene, finding.entry, finding.route, at_key=finding.at_key)
    part = _passage(scene, finding.route, finding.part) if finding.part else whole
    place = _narrowed(part or whole, finding.word) if finding.word else part or whole
    diagnostic = Diagnostic(check.code, finding.message, place, finding.help, check.severity, related)
    anchor = _place(scene, None, finding.route, at_key=True) if finding.part else None
    return Found(diagnostic, check, finding.fix if part else None, anchor)


def _place(scene: Scene, other: Entry | None, route: Route, *, at_key: bool = False) -> Place:
    entry = other or scene.entry
    if entry is None:
        raise LookupError("a finding must name the card that it stands in, or a place")
    return entry.place(route if other else (*scene.route, *route), key=at_key)


def _passage(scene: Scene, route: Route, part: Part) -> Place | None:
    """Where some characters of a card's text stand."""
    if scene.entry is None:
        return None
    full = (*scene.route, *route)
    text: object = scene.entry.card
    for step in full:
        text = getattr(text, step) if isinstance(step, str) else text[step]  # type: ignore[index]
    return scene.entry.document.passage(scene.entry.origin.written(full), str(text), *part)


def _narrowed(place: Place, word: str) -> Place:
    """The place of a word in a place that lies on one line, or else the place itself."""
    span = place.span
    if span is None or span.line != span.end_line:
        return place
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", place.excerpt[span.column - 1 : span.end_column - 1])
    if found is None:
        return place
    start, end = (span.column + index for index in found.span())
    return place._replace(span=Span(span.line, start, span.line, end))
