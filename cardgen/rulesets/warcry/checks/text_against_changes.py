"""A text that contradicts the changes of the same card.

Why is this bad?
    Players read the text, but the referee plays by the changes and calculates the odds from them. The text may say more
    than the changes, but not something else.

Example
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +1, for: activation}
    text: This fighter has +2 Move until the end of its activation.  # WC322: 24

Example
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +1, for: activation}
    text: This fighter has +1 Move until the end of the battle round.  # WC322: 32

Use instead
    game: warcry
    kind: ability
    name: Dash
    price: double
    changes:
      - {move: +2, for: activation}
    text: This fighter has +2 Move until the end of its activation, and may climb freely.
"""

import re
from collections import defaultdict

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.changes import Change

_NUMBERS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
_SIGNED = re.compile(r"([+\-−]\d+) (Move|Toughness|Wounds|Attacks|Strength|Damage)\b")
_SPAN = re.compile(r"until the end of (?:the |its |their |this )?(activation|battle round)", re.IGNORECASE)
_SPANS = {"activation": "activation", "battle round": "round"}


@rule("WC322", "warning", "likely")
def find(card: Ability | Blessing | Rule | Trait) -> Findings:
    """Yield numbers and durations in the text that are not those of the changes."""
    if not card.text or not card.changes:
        return
    from cardgen.rulesets.warcry.wording import DURATION_PHRASES  # loaded here because few cards have both

    amounts: dict[str, set[int]] = defaultdict(set)
    for change in card.changes:
        for name, by in change.nonzero(_NUMBERS):
            amounts["Damage" if name == "critical" else name.capitalize()].add(by)
    for match in _SIGNED.finditer(card.text):
        expected = amounts[match[2]]
        if expected and int(match[1].replace("−", "-")) not in expected:
            values = " and ".join(f"{by:+}" for by in sorted(expected))
            advice = f"the changes have {values} {match[2]}"
            yield Finding(f"the text and the changes differ in {match[2]}", ("text",), advice, match.span())
    spans = {change.span for change in card.changes if change.span}
    for match in _SPAN.finditer(card.text) if spans else ():
        if _SPANS[match[1].casefold()] not in spans:
            (phrase, *_) = (DURATION_PHRASES[span].strip() for span in sorted(spans))
            advice = f"the changes last {phrase}" if phrase.startswith("until") else f"the changes are {phrase}"
            yield Finding("the text and the changes differ in how long they last", ("text",), advice, match.span())
