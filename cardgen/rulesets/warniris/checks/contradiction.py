"""A text that contradicts the effects of the same card.

Why is this bad?
    Players read the text, but the referee plays by the effects and calculates the odds from them.
    The check compares the numbers and the terms that numbers belong to.

Example
    kind: relic
    name: Sun Stone
    text: At the start of each turn, the bearer regains 2 Wounds.  # WN204: 53
    effects: [{when: turn_start, bearer: {heal: 3}}]

Use instead
    kind: relic
    name: Sun Stone
    text: At the start of each turn, the bearer regains 3 Wounds.
    effects: [{when: turn_start, bearer: {heal: 3}}]
"""

import re

from cardgen.game import NUMBER_WORDS, Finding, Findings, Related, rule
from cardgen.rulesets.warniris.cards import Ability, Mission, Relic
from cardgen.rulesets.warniris.effect import Weapon

_NUMBER = re.compile(rf"(?<![\w.])(?:(\d+)(?![\w.]*[Dd]\d)|({'|'.join(NUMBER_WORDS[2:])}))(?!\w)", re.IGNORECASE)
_TERM = re.compile(r"\b(?:Mind|Body|Spirit|Movement|Range|Penetration)\b")


@rule("WN204", "warning", "likely")
def find(thing: Ability | Mission | Relic | Weapon) -> Findings:
    """Yield numbers and terms that occur in the text but not in the effects, or vice versa."""
    if thing.text is None:
        return
    from cardgen.rulesets.warniris.wording import sentences  # loaded here because few cards have texts

    effects_text = " ".join(sentences(thing))
    if not effects_text:
        return
    numbers, terms = {_in_figures(match) for match in _NUMBER.finditer(effects_text)}, set(_TERM.findall(effects_text))
    numbers_in_text = [(match, _in_figures(match), "number") for match in _NUMBER.finditer(thing.text)]
    terms_in_text = [(match, match[0], "term") for match in _TERM.finditer(thing.text)]
    related = (Related("these effects", ("earn",) if isinstance(thing, Mission) else ("effects",)),)
    wrong = [
        each
        for each in (*numbers_in_text, *terms_in_text)
        if each[1] not in (numbers if each[2] == "number" else terms)
    ]
    advice = f"the effects say: {effects_text}"
    for match, value, sort in wrong:
        yield Finding(
            f"the {sort} {value} is in the text, but not in the effects",
            ("text",),
            help=advice,
            text_range=match.span(),
            related=related,
        )
    missing = sorted((numbers | terms) - {value for _, value, _ in (*numbers_in_text, *terms_in_text)} - {"1"})
    if missing and not wrong:
        yield Finding(
            f"the effects say {', '.join(missing)}, but the text does not", ("text",), help=advice, related=related
        )


def _in_figures(match: re.Match[str]) -> str:
    """Return the number in digits, whether it is a word or already in digits."""
    return match[1] or str(NUMBER_WORDS.index(match[2].lower()))
