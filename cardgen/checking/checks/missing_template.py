"""A template that does not exist.

Why is this bad?
    The card cannot be drawn, and builds fail. `template` refers to the file `templates/GAME/NAME.svg.j2`, and `back`
    refers to the file `templates/GAME/NAME.back.svg.j2`, in the project or among the built-in templates.

Example
    kind: relic
    name: Sun Stone
    template: golden  # CG121: 11
    back: plain  # CG121: 7
    effects: [{when: turn_start, bearer: {heal: 1}}]

Use instead
    kind: relic
    name: Sun Stone
    template: mission
    effects: [{when: turn_start, bearer: {heal: 1}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Card
from cardgen.project.project import is_picture

CODE, NAME = "CG121", "missing-template"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = Card


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield the templates that the card names and that do not exist."""
    back = None if card.back and is_picture(card.back) else card.back
    for key, name, suffix in (("template", card.template, ""), ("back", back, ".back")):
        if name and context.entry and not context.scope.services.has_template(context.entry, f"{name}{suffix}"):
            file = f"templates/{context.entry.game}/{name}{suffix}.svg.j2"
            yield Finding(f"unknown template '{name}'", (key,), help=f"create {file}, or remove '{key}'")
