"""Clauses of attacks: 'Attacks a Minion with a CW from over 12 cm', and the distances of effects."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Features, italic_name
from cardgen.rulesets.warniris.condition import Condition
from cardgen.rulesets.warniris.wording.clauses import CLAUSES


class VerbPhrase(NamedTuple):
    """The clause of a verb, and the preposition before its opponent: 'damaged' (to)."""

    verb: str
    preposition: str = ""


# The verbs of clauses, and the prepositions before an opponent.
ATTACK_VERBS = {
    "attacking": VerbPhrase("attacking", "at"),
    "attacked": VerbPhrase("attacked", "by"),
    "hit": VerbPhrase("hit"),
    "damaging": VerbPhrase("damaging", "to"),
    "damaged": VerbPhrase("damaged", "to"),
    "reacting": VerbPhrase("reacting", "to"),
    "resisting": VerbPhrase("resisting"),
    "missed": VerbPhrase("missed"),
    "resisted": VerbPhrase("resisted", "by"),
    "missing": VerbPhrase("missing"),
    "struck": VerbPhrase("struck", "by"),
    "attack_end": VerbPhrase("attack_end", "at"),
    "eliminated": VerbPhrase("eliminated", "by"),
    "eliminating": VerbPhrase("eliminating"),
}
_NAMED_ACTIONS = ("attacking", "attacked", "attack_end")
WEAPON_VERBS = {
    "attacking": VerbPhrase("attacking-weapon"),
    "attacked": VerbPhrase("attacked-weapon", "by"),
    "attack_end": VerbPhrase("attack_end-weapon"),
}
POWER_VERBS = {event: ATTACK_VERBS[event]._replace(verb=f"{event}-power") for event in _NAMED_ACTIONS}
# The verbs that already say what is used.
_BARE_VERBS = {"P": tuple(POWER_VERBS.values()), "CW/RW": tuple(WEAPON_VERBS.values())}
TAKEN_POINT = VerbPhrase("point", "from")


def attack_verb(event: str, condition: Condition) -> VerbPhrase:
    """Return the verb for a moment of an attack with the weapon of a condition."""
    if condition.weapon_name:
        return ATTACK_VERBS[event]
    verbs = {"P": POWER_VERBS, None: ATTACK_VERBS}.get(condition.weapon, WEAPON_VERBS)
    return verbs.get(event, ATTACK_VERBS[event])


def attack_clause(
    verb: VerbPhrase, subject: str, condition: Condition, opponent: str = "", symbol: str = "verb"
) -> str:
    """Return '{subject} Attacks a Minion with a CW from over 12 cm'.

    `opponent` replaces the opponent from the condition.
    """
    details = circumstances(verb, condition, opponent)
    return " ".join(part for part in (subject, CLAUSES.write(symbol, verb.verb), details) if part)


def kill_clause(event: str, subject: str, condition: Condition) -> str:
    """Return '{subject} eliminates a Minion with a CW'; a distance is not part of it."""
    attack = condition.model_copy(update={"range_over": None, "range_within": None})
    names_kind = event == "eliminating" and condition.against
    verb = VerbPhrase("eliminating-kind") if names_kind else ATTACK_VERBS[event]
    clause = attack_clause(verb, subject, attack)
    return clause if event == "eliminating" else f"{clause}, before it is removed"


def nearby_clause(event: str, condition: Condition) -> str:
    """Return 'an enemy Minion within 6 cm is eliminated' or 'an enemy Channels'."""
    side, _, verb = event.partition("_")
    against = condition.against if side == "enemy" else None
    whose = Features(sorted({"who": side, **({"foes": against} if against else {})}.items()))
    attack = condition if verb == "attacking" else Condition()
    attack = attack.model_copy(update={"range_over": None, "range_within": None, "against": None})
    phrase = attack_verb(verb, attack) if verb == "attacking" else VerbPhrase(verb)
    act = attack_clause(phrase, "", attack)
    return " ".join(filter(None, (CLAUSES.write("somebody", whose), distance_phrase(condition), act)))


def circumstances(verb: VerbPhrase, condition: Condition, opponent: str = "") -> str:
    """Return 'by a Minion with a CW from over 12 cm'."""
    words = {"preposition": verb.preposition}
    against = f"{verb.preposition} {opponent}" if opponent else ""
    if condition.against and not opponent:
        against = CLAUSES.write("circumstance", Features.of(against=condition.against), words)
    names_weapon = verb in _BARE_VERBS.get(condition.weapon or "", ())
    weapon = "" if names_weapon else weapon_phrase("circumstance", condition)
    return " ".join(part.strip() for part in (against, weapon, _from_distance(condition)) if part)


def weapon_phrase(symbol: str, condition: Condition) -> str:
    """Return 'with a CW', 'with *Hex Staff*', or ''."""
    kind = CLAUSES.write(symbol, Features.of(weapon=condition.weapon)) if condition.weapon else ""
    if not condition.weapon_name:
        return kind
    words = {"weapon_name": italic_name(condition.weapon_name)}
    return f"{kind} {CLAUSES.write(symbol, Features.of(weapon_name=condition.weapon_name), words)}".strip()


def distance_phrase(condition: Condition) -> str:
    """Return 'within 10 cm' or 'over 12 cm away'."""
    limits = distance_limits(condition)
    return CLAUSES.write("distance", limits, style="away") if limits else ""


def distance_limits(condition: Condition) -> Features:
    """Return the limits of the distance that are set."""
    keys = ("range_over", "range_within")
    return Features((key, value) for key in keys if (value := getattr(condition, key)) is not None)


def _from_distance(condition: Condition) -> str:
    limits = distance_limits(condition)
    return CLAUSES.write("circumstance", limits) if limits else ""
