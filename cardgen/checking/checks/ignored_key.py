"""A picture, charge, text, motto, or unknown key that no template of the card prints.

Why is this bad?
    It is silently missing from the printed card. Not every kind has a place for each of these keys. A mission, for
    example, shows no picture. Kinds with `unknown_keys: allow` keep unknown keys.

Example
    kind: mission
    name: Hold the Bridge
    art: art/bridge.png  # CG126: 6
    vp: 3
    text: "Have a Miniature within 5 cm of the centre at the end of the battle."

Files
    art/bridge.png

Use instead
    kind: mission
    name: Hold the Bridge
    vp: 3
    text: "Have a Miniature within 5 cm of the centre at the end of the battle."
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Severity, join_words
from cardgen.model.card import Card
from cardgen.units import with_article
from cardgen.validation.base import model_keys, reachable_models

CODE, NAME = "CG126", "ignored-key"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = Card

# What a template contains if it prints a key.
_PRINTED_BY = {
    "art": re.compile(
        r"<cg:art\b(?!(?:(?!<cg:art\b)[^>])*\b(?:file=|href=|field_picture\(card, '(?!art')))"
        r"|\b(?:file|href)=[\"']\{\{\s*+card\.art\b"
    ),
    "blazon": re.compile(r"\.blazon\b|[\"']blazon[\"']\s*[])]"),
    "text": re.compile(r"\.text\b|\bdescribe\(\s*card\b|[\"']text[\"']\s*[]),]"),
    "motto": re.compile(r"\.motto\b|[\"']motto[\"']\s*[]),]"),
}


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield the keys of a card that its templates do not print."""
    keys = [key for key in _PRINTED_BY if getattr(card, key)]
    entry = context.entry
    if not (keys or card.model_extra) or entry is None:
        return
    source = context.scope.services.template_source(entry)
    for key in keys if source else ():
        if not _is_printed(key, source):
            homes = [f"'{name}'" for name, part in reachable_models((type(card),)) if name and key in model_keys(part)]
            advice = (
                f"write it in {join_words(homes)}"
                if homes
                else "remove it, or choose a 'template' that has a place for it"
            )
            yield Finding(f"'{key}' of {with_article(entry.kind)} is not printed", (key,), help=advice)
    is_generic = not context.scope.services.has_template(entry, card.template or entry.kind)
    if source or is_generic:  # Otherwise, it is uncertain which templates print the card.
        yield from _unread_keys(card, entry.kind, source)


def _unread_keys(card: Card, kind: str, source: str) -> Iterator[Finding]:
    """Yield the unknown keys that a kind keeps for templates, and that none reads."""
    for key in card.model_extra or ():
        if not re.search(rf"\b{re.escape(key)}\b", source):
            advice = f"remove it, or let a template read it: {{{{ card.{key} }}}}"
            yield Finding(
                f"unknown key '{key}' of {with_article(kind)} is not printed", (key,), help=advice, at_key=True
            )


@lru_cache(maxsize=256)
def _is_printed(key: str, source: str) -> bool:
    """Return whether templates print a key; all cards of a kind have the same templates."""
    return bool(_PRINTED_BY[key].search(source))
