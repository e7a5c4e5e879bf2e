"""An effect that has no use when it happens.

Why is this bad?
    Without `for`, an effect ends immediately, or at the end of the attack that it belongs to.
    A change then matters only if a Test at that moment uses it. An attacker never tests Body, a target never tests
    Mind, a Wound can only be ignored at the moment it is lost, and there are no Tests at the start of a turn.

Example
    kind: relic
    name: Sun Stone
    effects:
      - {when: activation_start, bearer: {mind: +1}}  # WN303: 45
      - {when: attacking, bearer: {body: +1}}  # WN303: 38
      - {when: attacked, bearer: {reroll: timing}}  # WN303: 39

Use instead
    kind: relic
    name: Sun Stone
    effects:
      - {when: activation_start, for: turn, bearer: {mind: +1}}
      - {when: attacking, bearer: {mind: +1}}
      - {when: reacting, bearer: {reroll: timing}}
"""

from collections.abc import Iterator, Mapping

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity, join_words
from cardgen.rulesets.warniris.effect import Deeds, Effect

CODE, NAME = "WN303", "idle-effect"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect

_ATTACKER_STATS = frozenset({"mind", "spirit", "range", "penetration", "damage", "hit", "between", "gaps", "answered"})
_TARGET_STATS = frozenset({"body", "spirit", "resist", "ignore"})
# What the dice rolled after a moment depend on, by the moment and the party that the effect concerns.
_RELEVANT_STATS: Mapping[tuple[str, str], frozenset[str]] = {
    ("attacking", "bearer"): _ATTACKER_STATS,
    ("attacking", "target"): _TARGET_STATS,
    ("hit", "bearer"): frozenset({"penetration", "damage"}),
    ("hit", "target"): _TARGET_STATS,
    ("attacked", "bearer"): _TARGET_STATS | {"targeted"},
    ("attacked", "attacker"): _ATTACKER_STATS,
    ("struck", "bearer"): _TARGET_STATS,
    ("struck", "attacker"): frozenset({"penetration", "damage"}),
    ("damaged", "bearer"): frozenset({"ignore"}),
    ("reacting", "bearer"): _ATTACKER_STATS | {"timing"},
    ("enemy_attacking", "actor"): _ATTACKER_STATS | {"fails"},
    ("moving", "bearer"): frozenset({"body", "movement", "crossing", "answered", "halved"}),
}
# What else may matter during an attack, such as a change for friends, cannot be determined here.
_ATTACK_TRIGGERS = frozenset({"attacking", "hit", "attacked", "struck", "damaged", "reacting", "enemy_attacking"})
_CHANGE_KEYS = ("mind", "body", "spirit", "movement", "range", "penetration", "damage", "ignore")
_FREEDOMS = {
    "actions": "another Action",
    "between": "ignoring miniatures in between",
    "gaps": "ignoring gaps",
    "crossing": "free crossing",
    "reactions": "a change of Reactions",
    "healing": "forbidding healing",
    "targeted": "forbidding to target it",
    "answered": "forbidding Reactions to it",
    "halved": "halving a value",
    "fails": "the failure of an attack",
}


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield the changes, re-rolls, and ignored losses that no later die roll uses."""
    if effect.span or effect.when == "always":
        return
    for whom, deeds in effect.deeds:
        if effect.when in _ATTACK_TRIGGERS and (effect.when, whom) not in _RELEVANT_STATS:
            continue
        relevant = _RELEVANT_STATS.get((effect.when, whom), frozenset())
        for key, name in _changed_stats(deeds):
            if name not in relevant:
                message = f"{_change_words(key, name)} does nothing at '{effect.when}', and ends immediately"
                yield Finding(message, (whom, key), help=_advice(whom, name))


def _advice(whom: str, name: str) -> str:
    moments = [
        moment for (moment, concerned), relevant in _RELEVANT_STATS.items() if concerned == whom and name in relevant
    ]
    another = f"use it at {join_words(moments)}" if moments else "choose another moment"
    return f"{another}; or set its duration with 'for'"


def _changed_stats(deeds: Deeds) -> Iterator[tuple[str, str]]:
    """Yield the key of each change that needs a die roll, and the value it changes."""
    for key in (*_CHANGE_KEYS, *_FREEDOMS):
        if getattr(deeds, key):
            yield key, key
    if deeds.reroll:
        yield "reroll", deeds.reroll


def _change_words(key: str, name: str) -> str:
    if key == "reroll":
        return f"a re-roll of the {name} Test"
    if key in _FREEDOMS:
        return _FREEDOMS[key]
    return "ignoring a loss" if key == "ignore" else f"a change of {name.capitalize()}"
