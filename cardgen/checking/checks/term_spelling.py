"""A game term whose capitalization differs from the rulebook.

Why is this bad?
    The capital letter tells players that a word is a game term: "Move" is an Action, "move" is any movement. Terms with
    the correct capitals are printed in bold. The capital can change what the card does ("may not move" forbids more
    than "may not Move"), so `--fix` adds it only with `--unsafe-fixes`, and to a lowercase word only where it must be
    the term: after a number or an article, or as a form of a verb such as "Attacked". In "the song wounds somebody", it
    is not the term.

Example
    kind: relic
    name: Sun Stone
    text: "The bearer gets +1 spirit until it takes DAMAGE."  # CG203: 27, CG203: 49

Use instead
    kind: relic
    name: Sun Stone
    text: "The bearer gets +1 Spirit until it takes Damage."
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText, Glossary
from cardgen.diagnostic import Fix, Severity

CODE, NAME = "CG203", "term-spelling"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText
# What comes before a noun, and so before a term that is not another word.
_BEFORE_TERM = re.compile(
    r"(?:\d(?:\s*cm)?|['’]s|\b(?:an?|the|its|his|her|their|your|no|any|all|each|every|of|more|fewer|lost))\s+[*]*$",
    re.IGNORECASE,
)


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield terms with the wrong capitals."""
    if not free_text.is_rules_text:
        return
    forms, verbs, pattern = _spellings(context.glossary)
    for match in pattern.finditer(free_text.text):
        form = forms[match[0].casefold()]
        if match[0] != form and not (form in context.glossary.everyday and match[0].islower()):
            before = free_text.text[max(0, match.start() - 20) : match.start()]
            is_term = not match[0].islower() or form in verbs or _BEFORE_TERM.search(before)
            advice = f"write '{form}' if this is the term, and another word if it is not"
            yield Finding(
                f"term must be written '{form}', not '{match[0]}'",
                help=advice,
                text_range=match.span(),
                fix=Fix(form) if is_term else None,
            )


@lru_cache(maxsize=64)
def _spellings(glossary: Glossary) -> tuple[dict[str, str], frozenset[str], re.Pattern[str]]:
    """Return terms by casefolded spelling, those that are verbs, which have a past, and a longest-match pattern."""
    forms = {form.casefold(): form for form in sorted(glossary.forms)}
    words = "|".join(map(re.escape, sorted(forms, key=lambda form: (-len(form), form)))) or r"(?!)"
    stems = {form.removesuffix(ending) for form in forms.values() if form.endswith("ed") for ending in ("d", "ed")}
    verbs = {form for form in forms.values() if form.endswith("ed") or {form, form.removesuffix("s")} & stems}
    return forms, frozenset(verbs), re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
