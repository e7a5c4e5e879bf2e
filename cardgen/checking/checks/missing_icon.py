"""An icon that does not exist.

Why is this bad?
    The card cannot be drawn, and builds fail.
    A name in braces is an icon: one from Font Awesome, or a file in the project's folder `icons`.

Example
    kind: relic
    name: Sun Stone
    text: "Roll a {dice-won}: its bearer regains all that it lost."  # CG123: 15

Use instead
    kind: relic
    name: Sun Stone
    text: "Roll a {dice-one}: its bearer regains all that it lost."
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity
from cardgen.text.lines import Icon, parse_markup

CODE, NAME = "CG123", "missing-icon"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the unknown icons of a text."""
    if "{" not in free_text.text or context.entry is None:
        return
    icons = context.scope.services.icons(context.entry.game)
    names = {part.name for paragraph in parse_markup(free_text.text) for part in paragraph if isinstance(part, Icon)}
    for name in sorted(names):
        # the check of icon files says whether a file can be drawn
        if not icons.is_project_icon(name) and icons.find(name) is None:
            at = free_text.text.index(f"{{{name}}}")
            yield Finding(f"unknown icon '{name}'", help=icons.advice(name), text_range=(at, at + len(name) + 2))
