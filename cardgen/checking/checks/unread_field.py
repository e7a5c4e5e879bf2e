"""A field that the project adds to a kind, but that no template reads.

Why is this bad?
    The values of this field are not printed. Usually the template lacks it or uses another name for it. cardgen skips
    templates that load a file with a computed name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.checking.check import CheckContext, CheckScope, Confidence, Finding
from cardgen.diagnostic import Severity
from cardgen.model.card import Card, Entry
from cardgen.units import with_article

CODE, NAME = "CG129", "unread-field"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = CheckScope


def find(scope: CheckScope, context: CheckContext) -> Iterator[Finding]:
    """Yield the free fields that no template reads, in checks of the whole project."""

    def names() -> Iterator[Sequence[str]]:
        yield from scope.own.said(template_names, scope)
        yield from (template_names(entry, scope) for entry in scope.other_cards.of((Card,)))

    for unread in scope.services.unread_fields(names) if scope.is_whole else ():
        advice = f"print it in a template of the kind, such as {{{{ card.{unread.field} }}}}, or remove it"
        yield Finding(
            f"no template reads '{unread.field}' of {with_article(unread.kind)}", help=advice, place=unread.place
        )


def template_names(entry: Entry, scope: CheckScope) -> list[str]:
    """Return the game and kind of a card, and the names of the templates of its front and back."""
    front = entry.card.template or entry.kind
    return [entry.game, entry.kind, front, entry.card.back or front]
