"""Sentences for the objectives of missions."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.game import centimetres, join_clauses, number_in_words
from cardgen.rulesets.warniris.earn import Earn

ENEMY_NOUNS = {
    "enemy": ("enemy", "enemies"),
    "character": ("enemy Character", "enemy Characters"),
    "minion": ("enemy Minion", "enemy Minions"),
}
OWN_NOUNS = {"enemy": "miniatures", "character": "Characters", "minion": "Minions"}
WEAPON_NOUNS = {"CW": "a CW", "RW": "an RW", "P": "a Power", "ruling": "a weapon of the type that you agreed on"}
TIME_CLAUSES = {
    "move": "in one Move",
    "turn": "in one turn",
    "battle": "",
    "survive turn": "at the end of a turn",
    "survive battle": "at the end of the battle",
    "control turn": "at the end of a turn",
}
# The verb for you, and for one of your Characters.
EVENT_VERBS = {
    "eliminate": ("eliminate", "eliminates"),
    "damage": ("Damage", "Damages"),
    "attack": ("Attack", "Attacks"),
    "resist": ("resist the Penetration of", "resists the Penetration of"),
    "pass": ("pass through", "passes through"),
    "control": ("Control the center of the battle zone", "Controls the center of the battle zone"),
    "raid": (
        "Move a Character into the enemy’s deployment zone and out of it again",
        "Moves into the enemy’s deployment zone and out of it again",
    ),
    "retreat": (
        "Move a Character from inside the Range of {} to outside it, and it is not hit",
        "Moves from inside the Range of {} to outside it, and is not hit",
    ),
}
PLACES = {"zone": "from your own deployment zone", "cover": "from cover"}


def goal_sentence(goal: Earn, weapon_types: Sequence[str] = ()) -> str:
    """Return one sentence for the objective of a mission.

    The weapon types, if any, are those that a ruling allows; they take the place of the one that the objective names.
    """
    clause = " ".join([_event_clause(goal), *_qualifiers(goal, weapon_types)])
    return join_clauses([_time_clause(goal), clause, _move_clause(goal)])


def _time_clause(goal: Earn) -> str:
    """Return in what time it happens."""
    time = TIME_CLAUSES.get(f"{goal.event} {goal.within}", TIME_CLAUSES[goal.within])
    if goal.turns == 1 or goal.within != "turn":
        return time
    several = f"{number_in_words(goal.turns)} turns in a row"
    return f"at the end of each of {several}" if time.startswith("at the end") else f"in each of {several}"


def _event_clause(goal: Earn) -> str:
    """Return who does what to whom."""
    alone = goal.by == "one"
    if goal.event == "survive":
        who = f"{number_in_words(goal.count)} or more of your {_different_word(goal)}{OWN_NOUNS[goal.of]}"
        return f"{who} still stand{' thanks to one of them' if alone else ''}"
    who, verb = "one of your Characters" if alone else "you", EVENT_VERBS[goal.event][alone]
    if goal.event in ("control", "raid", "retreat"):
        return f"{who} {verb.format(_weapon_object(goal))}{_times(goal)}"
    return f"{who} {verb} {_attack_object(goal) if goal.event == 'resist' else _enemy_object(goal)}"


def _different_word(goal: Earn) -> str:
    return "different " if goal.different else ""


def _enemy_object(goal: Earn) -> str:
    """Return 'an enemy', 'three or more different enemies', or 'enemies three or more times'."""
    one, several = ENEMY_NOUNS[goal.of]
    if goal.count == 1 and not goal.different:
        return f"an {one}"
    if goal.different or goal.event in ("eliminate", "pass"):
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


def _weapon_object(goal: Earn) -> str:
    return f"an {ENEMY_NOUNS[goal.of][0]}{' weapon' if goal.of == 'enemy' else '’s weapon'}"


def _times(goal: Earn) -> str:
    """Return how often something happens that players report, and on whose account."""
    who = "" if goal.of == "enemy" or goal.event == "retreat" else f" against {ENEMY_NOUNS[goal.of][1]}"
    if goal.count == 1 and not goal.different:
        return who
    return f"{who} {number_in_words(goal.count)} or more {_different_word(goal)}times"


def _qualifiers(goal: Earn, weapon_types: Sequence[str]) -> list[str]:
    """Return by how many, with what, from where, and before whom."""
    parts = []
    if goal.attackers > 1:
        then = " in that turn" if goal.within == "turn" else ""
        parts.append(f"that {number_in_words(goal.attackers)} or more of your Characters have Attacked{then}")
    if goal.weapon:
        parts.append(f"with {' or '.join(WEAPON_NOUNS[each] for each in weapon_types or (goal.weapon,))}")
    if goal.origin:
        parts.append(PLACES[goal.origin])
    parts += _distances(goal)
    if goal.rescue:
        parts.append("with a Reaction that stops its Attack on another of your Characters")
    if goal.event == "pass":
        parts.append("without failing a Test")
    if goal.turns > 1 and goal.within != "turn":
        parts.append(f"in each of {number_in_words(goal.turns)} turns in a row")
    if goal.first:
        parts.append("before the other side does")
    return parts


def _distances(goal: Earn) -> list[str]:
    """Return how far away the target is, or the center."""
    place = "the center" if goal.event == "control" else "the attacker"
    over, within = (None if cm is None else centimetres(cm) for cm in (goal.range_over, goal.range_within))
    parts = [f"more than {over} away from {place}"] if over else []
    if within and goal.event == "control":
        return [*parts, f"with a Character within {within} of it"]
    return [*parts, f"within {within} of {place}"] if within else parts


def _move_clause(goal: Earn) -> str:
    """Return where the attacker Moves afterward."""
    return f"then Move{'s' if goal.by == 'one' else ''} back into {goal.then}" if goal.then else ""
