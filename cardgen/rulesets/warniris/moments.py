"""How the moments of an effect and the circumstances of an attack are said."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.grammar import centimetres

TURN_EVENTS = {
    "battle_start": "the start of the battle",
    "turn_start": "the start of each turn",
    "activation_start": "the start of {B's} Activation",
    "activation_end": "the end of {B's} Activation",
    "turn_end": "the end of each turn",
}
DURATION_ENDS = {
    "action": "the end of the Action",
    "activation": "the end of the Activation",
    "turn": "the end of the turn",
    "battle": "the end of the battle",
}
OPPONENTS = {"character": "Character", "minion": "Minion"}
WITH_WEAPON = {"CW": "with a CW", "RW": "with an RW", "P": "with a Power"}


class VerbPhrase(NamedTuple):
    """A verb and what stands before its opponent: 'loses a Wound' (to)."""

    verb: str
    preposition: str = ""


OTHER_VERBS = {"moving": "Moves", "eliminated": "is eliminated"}
ATTACK_VERBS = {
    "attacking": VerbPhrase("Attacks or Channels", "at "),
    "attacked": VerbPhrase("is Attacked or Channelled at", "by "),
    "hit": VerbPhrase("hits"),
    "damaging": VerbPhrase("deals Damage", "to "),
    "damaged": VerbPhrase("loses a Wound", "to "),
    "reacting": VerbPhrase("Reacts", "to "),
}
WEAPON_VERBS = {"attacking": VerbPhrase("Attacks"), "attacked": VerbPhrase("is Attacked", "by ")}
POWER_VERBS = {"attacking": VerbPhrase("Channels", "at "), "attacked": VerbPhrase("is Channelled at", "by ")}
ATTACKER_EVENTS = {"attacking", "hit", "damaging"}


def attack_clause(event: str, subject: str, condition: Condition, opponent: str = "") -> str:
    """'{who} Attacks a Minion with a CW from over 12 cm'; `foe` stands for the opponent of the condition."""
    verbs = {"P": POWER_VERBS, None: ATTACK_VERBS}.get(condition.weapon, WEAPON_VERBS)
    verb = verbs.get(event, ATTACK_VERBS[event])
    names_weapon = condition.weapon == "P" and event in POWER_VERBS
    opponent = opponent or (f"a {OPPONENTS[condition.against]}" if condition.against else "")
    parts = [subject, verb.verb, f"{verb.preposition}{opponent}" if opponent else ""]
    parts += [WITH_WEAPON[condition.weapon] if condition.weapon and not names_weapon else "", _from_distance(condition)]
    return " ".join(part for part in parts if part)


def trigger_clause(event: str, attacker: str, condition: Condition | None = None, *, is_repeated: bool = False) -> str:
    """The clause of a moment, '' for always. `again` says that it comes more than once."""
    if event == "always":
        return ""
    if event in TURN_EVENTS:
        return f"at {TURN_EVENTS[event]}"
    word = "whenever" if is_repeated or event == "damaged" else "when"
    subject = attacker if event in ATTACKER_EVENTS else "{B}"
    clause = (
        attack_clause(event, subject, condition or Condition())
        if event in STRIKES
        else f"{subject} {OTHER_VERBS[event]}"
    )
    return f"{word} {clause}"


def attacker_subject(condition: Condition) -> str:
    """The attacker as a subject: 'whoever Attacks or Channels at the bearer from over 12 cm'."""
    subject = f"any {OPPONENTS[condition.against]} that" if condition.against else "whoever"
    return attack_clause("attacking", subject, condition, opponent="{b}")


def condition_clause(effect: Effect) -> str:
    """What an effect outside an attack asks of weapon, opponent and distance, unless a group's name says it."""
    condition = effect.condition
    if effect.active_at in STRIKES:
        return ""
    using = WITH_WEAPON[condition.weapon] if condition.weapon else ""
    against = f"against {OPPONENTS[condition.against]}s" if condition.against and not effect.enemies else ""
    distance = "" if effect.friends or effect.enemies else distance_phrase(condition)
    return " ".join(part for part in (using, against, distance) if part)


def distance_phrase(condition: Condition) -> str:
    """'within 10 cm', 'over 12 cm away'."""
    over, within = condition.range_over, condition.range_within
    if over is None:
        return "" if within is None else f"within {centimetres(within)}"
    return f"over {centimetres(over)} away" if within is None else f"over {over} but within {centimetres(within)}"


def _from_distance(condition: Condition) -> str:
    distance = distance_phrase(condition).removesuffix(" away")
    return f"from {distance}" if distance else ""
