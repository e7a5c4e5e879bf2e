"""A Mission with the number of another Mission.

Why is this bad?
    Missions are listed by number, and rulings refer to them by number: 'mission 14' must be a single Mission.

Example
    kind: mission
    defaults: {vp: 3}
    cards:
      - {name: First Snow, number: 17, earn: {event: damage, count: 2}}
      - {name: Thaw, number: 17, earn: {event: attack, count: 3}}  # WN122: 26

Use instead
    kind: mission
    defaults: {vp: 3}
    cards:
      - {name: First Snow, number: 17, earn: {event: damage, count: 2}}
      - {name: Thaw, number: 18, earn: {event: attack, count: 3}}
"""

from cardgen.game import CheckContext, CheckScope, Confidence, Entry, Finding, Findings, Related, Severity
from cardgen.rulesets.warniris.cards import Mission

CODE, NAME = "WN122", "same-number"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Mission

MAX_NUMBER = 99


def find(mission: Mission, context: CheckContext) -> Findings:
    """Yield a Mission that is not the first with its number."""
    numbered = context.scope.compute_once(first_by_number)
    first = numbered.get(mission.number) if mission.number else None
    if first and first.card is not mission:
        taken = {other.number for other in context.scope.cards_of_type(Mission)}
        free = next((f"write {number}, or " for number in range(1, MAX_NUMBER + 1) if number not in taken), "")
        message = f"duplicate number {mission.number}, already used by '{first.card.name}'"
        related = (Related("the other Mission", ("number",), first),)
        yield Finding(message, ("number",), help=f"{free}remove it", related=related)


def first_by_number(scope: CheckScope) -> dict[int, Entry]:
    """Return the first Mission with each number among the checked cards."""
    first: dict[int, Entry] = {}
    for entry in scope.cards:
        if isinstance(entry.card, Mission) and entry.card.number:
            first.setdefault(entry.card.number, entry)
    return first
