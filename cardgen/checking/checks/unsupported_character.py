"""A character that no font has.

Why is this bad?
    The card cannot be printed. If a text's font lacks a character, cardgen takes it from the project's folder `fonts`,
    or from its extras `fonts` (Hebrew, Hindi, Japanese, Korean, and Simplified Chinese) and `scripts` (Arabic and
    Thai). They may lack rare symbols and most emojis.

Example
    kind: relic
    name: Sun Stone
    text: "The bearer sees the \U00012031 of the sun."  # CG135: 28

Use instead
    kind: relic
    name: Sun Stone
    text: "The bearer sees the {sun} of the sun."
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity
from cardgen.units import quantity

CODE, NAME = "CG135", "unsupported-character"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the characters of a text that cannot be printed, each once, and those of one script together."""
    if free_text.text.isascii() or context.entry is None:
        return
    prints = context.scope.services.prints
    missing = [character for character in dict.fromkeys(free_text.text) if not prints(character)]
    if not missing:
        return
    # loaded here because most texts can be printed
    from cardgen.text.fonts import extra_advice
    from cardgen.text.harfbuzz import script_of

    groups: dict[str, list[str]] = {}
    for character in missing:
        groups.setdefault(script_of(character) or character, []).append(character)
    for first, *others in groups.values():
        at = free_text.text.index(first)
        more = f" and {quantity(len(others), 'other character')} of its script" if others else ""
        advice = "use another character or an icon, or put a font that has it into the folder 'fonts'"
        message = f"no font has '{first}' (U+{ord(first):04X}){more}"
        yield Finding(message, help=f"{advice}{extra_advice(first)}", text_range=(at, at + 1))
