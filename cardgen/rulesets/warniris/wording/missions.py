"""Sentences for the objectives of missions."""

from __future__ import annotations

from cardgen.game import centimetres, join_clauses, number_in_words
from cardgen.rulesets.warniris.cards import Earn

ENEMY_NOUNS = {
    "enemy": ("enemy", "enemies"),
    "character": ("enemy Character", "enemy Characters"),
    "minion": ("enemy Minion", "enemy Minions"),
}
OWN_NOUNS = {"enemy": "miniatures", "character": "Characters", "minion": "Minions"}
WITH_WEAPON = {"CW": "with a CW", "RW": "with an RW", "P": "with a Power"}
TIME_CLAUSES = {
    "turn": "in one turn",
    "battle": "",
    "survive turn": "at the end of a turn",
    "survive battle": "at the end of the battle",
}
# The verb for you, and for one of your Characters.
EVENT_VERBS = {
    "eliminate": ("eliminate", "eliminates"),
    "damage": ("Damage", "Damages"),
    "attack": ("Attack", "Attacks"),
    "resist": ("resist the Penetration of", "resists the Penetration of"),
}


def goal_sentence(goal: Earn) -> str:
    """Return one sentence for the objective of a mission."""
    time = TIME_CLAUSES.get(f"{goal.event} {goal.within}", TIME_CLAUSES[goal.within])
    return join_clauses([time, " ".join([_event_clause(goal), *_qualifiers(goal)])])


def _event_clause(goal: Earn) -> str:
    """Return who does what to whom."""
    alone = goal.by == "one"
    if goal.event == "survive":
        who = f"{number_in_words(goal.count)} or more of your {_different_word(goal)}{OWN_NOUNS[goal.of]}"
        return f"{who} still stand{' thanks to one of them' if alone else ''}"
    verb = EVENT_VERBS[goal.event][alone]
    whom = _attack_object(goal) if goal.event == "resist" else _enemy_object(goal)
    return f"{'one of your Characters' if alone else 'you'} {verb} {whom}"


def _different_word(goal: Earn) -> str:
    return "different " if goal.different else ""


def _enemy_object(goal: Earn) -> str:
    """Return 'an enemy', 'three or more different enemies', or 'enemies three or more times'."""
    one, several = ENEMY_NOUNS[goal.of]
    if goal.count == 1 and not goal.different:
        return f"an {one}"
    if goal.different or goal.event == "eliminate":
        return f"{number_in_words(goal.count)} or more {_different_word(goal)}{several}"
    return f"{several} {number_in_words(goal.count)} or more times"


def _attack_object(goal: Earn) -> str:
    """Return 'an enemy Attack', 'two or more Attacks by enemy Characters', and so on."""
    one, several = ENEMY_NOUNS[goal.of]
    if goal.count == 1 and not goal.different:
        return "an enemy Attack" if goal.of == "enemy" else f"an Attack by an {one}"
    if goal.of == "enemy" and not goal.different:
        return f"{number_in_words(goal.count)} or more enemy Attacks"
    return f"{number_in_words(goal.count)} or more Attacks by {_different_word(goal)}{several}"


def _qualifiers(goal: Earn) -> list[str]:
    """Return by how many, with what, from what distance, and before whom."""
    parts = []
    if goal.attackers > 1:
        parts.append(f"that {number_in_words(goal.attackers)} or more of your Characters have Attacked")
    if goal.weapon:
        parts.append(WITH_WEAPON[goal.weapon])
    if goal.range_over is not None:
        parts.append(f"more than {centimetres(goal.range_over)} away")
    if goal.first:
        parts.append("before the other side does")
    return parts
