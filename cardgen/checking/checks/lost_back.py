"""A custom template without a back, for a kind that has one.

Why is this bad?
    The card is printed with an empty back, so it can be told apart from the other cards of its kind when face down. A
    `template` called `golden` has the back `golden.back.svg.j2`. To keep the back of the kind, set it with `back`.

Example
    kind: relic
    name: Sun Stone
    template: blank  # CG127: 11
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    template: mission
    back: relic
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Card

CODE, NAME = "CG127", "lost-back"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Card


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield a finding if the card's own template takes its back away."""
    name, entry, exists = card.template, context.entry, context.scope.services.has_template
    if not name or card.back or entry is None or context.scope.services.settings_back(entry):
        return
    if exists(entry, name) and exists(entry, f"{entry.kind}.back") and not exists(entry, f"{name}.back"):
        advice = f"add 'back: {entry.kind}', or create templates/{entry.game}/{name}.back.svg.j2"
        yield Finding(f"the template '{name}' has no back", ("template",), help=advice)
