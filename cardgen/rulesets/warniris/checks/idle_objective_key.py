"""A key of a Mission's `earn` that means nothing for its event.

Why is this bad?
    The tracker ignores the key, but the card prints it. Only an elimination by a Reaction can stop an Attack, for
    example, and only Attacks have a weapon, a Range, or a place that they come from. `in: move` is about what happens
    in a single Move: passing through enemies.

Example
    kind: mission
    cards:
      - {name: Rescue, vp: 2, earn: {event: damage, rescue: true}}  # WN318: 57
      - {name: Raid, vp: 2, earn: {event: raid, weapon: RW}}  # WN318: 53
      - {name: Sweep, vp: 2, earn: {event: attack, count: 2, in: move}}  # WN318: 62

Use instead
    kind: mission
    cards:
      - {name: Rescue, vp: 2, earn: {event: eliminate, rescue: true}}
      - {name: Raid, vp: 2, earn: {event: raid}}
      - {name: Sweep, vp: 2, earn: {event: attack, count: 2, in: turn}}
"""

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, join_words
from cardgen.rulesets.warniris.cards import MEANINGFUL_KEYS, Earn, meaningless_keys

CODE, NAME = "WN318", "idle-objective-key"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Earn


def find(goal: Earn, context: CheckContext) -> Findings:
    """Yield the keys that the tracker ignores."""
    for key in meaningless_keys(goal):
        events = [event for event, keys in MEANINGFUL_KEYS.items() if key in keys]
        message = f"'{key}' means nothing for the event '{goal.event}'"
        yield Finding(message, (key,), help=f"remove it; it is for {join_words(events, 'and')}")
    if goal.within == "move" and goal.event != "pass":
        message = f"'in: move' means nothing for the event '{goal.event}'"
        yield Finding(message, ("in",), help="write turn or battle; move is for pass")
