"""A character that no font has.

Why is this bad?
    The card cannot be printed, and builds fail. A character that the font of a text lacks is printed in another one:
    in a font of the project's folder `fonts`, or in one that is installed with cardgen or its extra 'fonts'. No font
    may have rare symbols and most emojis.

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

CODE, NAME = "CG135", "unsupported-character"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the characters of a text that cannot be printed, each once."""
    if free_text.text.isascii() or context.entry is None:
        return
    for character in dict.fromkeys(free_text.text):
        if not context.scope.services.prints(character):
            at = free_text.text.index(character)
            advice = "use another character or an icon, or put a font that has it into the folder 'fonts'"
            message = f"no font has '{character}' (U+{ord(character):04X})"
            yield Finding(message, help=advice, text_range=(at, at + 1))
