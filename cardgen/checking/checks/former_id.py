"""A reference that uses an earlier id or name of a card.

Why is this bad?
    The reference works, because the card lists the old id under `formerly`, but a reader would look for a card with
    that name in vain. `cardgen check --fix` writes the new id or name.

Example
    cards:
      - kind: character
        name: Void Singer
        formerly: warp-channeler
        stats: {M: 3, B: 2, S: 2, W: 5, Mo: 10}
        weapons: [Staff: CW R1 P1 D1]
      - kind: warband
        name: Few
        members: [{character: warp-channeler}]  # CG132: 27

Use instead
    cards:
      - kind: character
        name: Void Singer
        formerly: warp-channeler
        stats: {M: 3, B: 2, S: 2, W: 5, Mo: 10}
        weapons: [Staff: CW R1 P1 D1]
      - kind: warband
        name: Few
        members: [{character: void-singer}]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding
from cardgen.diagnostic import Fix, Severity, slugify
from cardgen.model.card import Card
from cardgen.model.deck import find_links

CODE, NAME = "CG132", "former-id"
SEVERITY, CONFIDENCE = Severity.NOTE, Confidence.CERTAIN
LOOKS_AT = Card

# What means the same text everywhere in YAML.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z][A-Za-z0-9]*)*")


def find(card: Card, context: CheckContext) -> Iterator[Finding]:
    """Yield the references of a card to cards that have other ids and names now."""
    entry = context.entry
    for link in find_links(card) if entry else ():
        linked = entry.links.get((link.kind, link.name)) if entry else None
        former = slugify(link.name)
        if entry is None or linked is None or link.name in (linked.card.id, linked.card.name):
            continue
        if former in linked.card.formerly:
            new = linked.card.id if link.name == former else linked.card.name
            place = entry.place(link.key_path)
            can_edit = _PLAIN.fullmatch(new) and place.source_line.count(link.name) == 1
            yield Finding(
                f"the card '{link.name}' is now called '{new}'",
                link.key_path,
                help=f"write '{new}'",
                word=link.name,
                fix=Fix(new, safe=True) if can_edit else None,
            )
