"""A text that waits for a result of battle dice that nobody can roll.

Why is this bad?
    Battle dice show hits, critical hits, scatter, misses, and chaos, but no numbers, and a disk rolls them only for
    ranged attacks, unless a text calls for a die. The effect never happens, or the players argue about it.

Example
    game: diskwars
    kind: command
    name: Lucky Six
    strategy: bold
    activation: 1
    battle: "Roll a battle die: on a 6, empower this disk."  # DW355: 17

Example
    game: diskwars
    cards:
      - {kind: disk, name: Fen Witch, disk: small, faction: order, race: Marshfolk, cost: 5, attack: 1, counter: 1,
         toughness: 2, movement: 4, magic: 1, ability: "When it rolls chaos, it takes 1 damage."}  # DW355: 53

Use instead
    game: diskwars
    kind: command
    name: Lucky Six
    strategy: bold
    activation: 1
    battle: "Roll a d6: on a 6, empower this disk."
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, split_sentences
from cardgen.rulesets.diskwars import DISK, RULESET
from cardgen.rulesets.diskwars.wording import GRAMMAR

CODE, NAME = "DW355", "no-such-roll"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.LIKELY
LOOKS_AT = tuple(RULESET.kinds[kind].model for kind in ("disk", "command", "terrain", "scenario", "deployment"))

_TEXTS = ("focus", "battle", "passive", "ability", "objective")
# Words by which 'it' can be another disk, or the die one that the text itself calls for.
_OTHERS = frozenset(("enemy", "disk", "target", "friendly", "shoot", "die", "battle", "hero", "unit"))


def find(card: Any, _: CheckContext) -> Findings:
    """Yield the numbers on battle dice, and results of the ranged attacks of a disk that has none."""
    has_shots = not isinstance(card, DISK) or bool(getattr(card, "ranged", ()))
    for key in _TEXTS:
        text = getattr(card, key, None) or ""
        for number, start, end in GRAMMAR.occurrences("numbered", text):
            message = f"a battle die does not show {number}"
            advice = "use hit, critical hit, scatter, miss, or chaos, or roll a d6"
            yield Finding(message, (key,), advice, text_range=(start, end))
        words: set[str] = set()  # of this sentence and of those before it
        for sentence in split_sentences(text) if not has_shots else ():
            words |= {token.word for token in GRAMMAR.tokenize(sentence.text)}
            for result, start, end in GRAMMAR.occurrences("shown", sentence.text) if not words & _OTHERS else ():
                place = sentence.start + start, sentence.start + end
                message, advice = f"it has no ranged attack that rolls {result}", "add one to 'ranged'"
                yield Finding(message, (key,), advice, text_range=place)
