"""A result that dice can never show, or always show.

Why is this bad?
    A D6 shows 1 to 6, and 2D6 show 2 to 12. A rule for any other result never or always applies. The number of dice or
    the result is probably a typo.

Example
    kind: relic
    name: Bone Dice
    once: false
    text: Roll 1D6. On a 7, nothing happens.  # CG205: 22

Example
    kind: relic
    name: Bone Dice
    once: false
    text: Roll 2D6. On a 1, nothing happens.  # CG205: 22

Use instead
    kind: relic
    name: Bone Dice
    once: false
    text: Roll 2D6. On a 7 or more, nothing happens.
"""

from collections.abc import Iterator

from cardgen.checking.check import CheckContext, Confidence, Finding, FreeText
from cardgen.diagnostic import Severity
from cardgen.referee.die import misfits

CODE, NAME = "CG205", "impossible-roll"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = FreeText


def find(free_text: FreeText, context: CheckContext) -> Iterator[Finding]:
    """Yield the results in rules texts that their dice never show, or always."""
    dice = context.scope.dice.get(context.entry.game) if context.entry else None
    for each in misfits(free_text.text, dice) if free_text.is_rules_text else ():
        yield Finding(each.message, help=each.help, text_range=each.span)
