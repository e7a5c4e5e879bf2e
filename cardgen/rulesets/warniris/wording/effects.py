"""Sentences for effects: trigger, condition, duration, then the consequences.

The order is fixed: trigger, condition, duration, recurring moment, then the consequences for each party.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cardgen.game import centimetres, die_faces, join_clauses
from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.wording.consequences import Subject, consequence_clause, wounds_phrase

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
    """A verb and the preposition before its opponent: 'loses a Wound' (to)."""

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
    """Return '{subject} Attacks a Minion with a CW from over 12 cm'.

    `opponent` replaces the opponent from the condition.
    """
    verbs = {"P": POWER_VERBS, None: ATTACK_VERBS}.get(condition.weapon, WEAPON_VERBS)
    verb = verbs.get(event, ATTACK_VERBS[event])
    names_weapon = condition.weapon == "P" and event in POWER_VERBS
    opponent = opponent or (f"a {OPPONENTS[condition.against]}" if condition.against else "")
    parts = [subject, verb.verb, f"{verb.preposition}{opponent}" if opponent else ""]
    parts += [WITH_WEAPON[condition.weapon] if condition.weapon and not names_weapon else "", _from_distance(condition)]
    return " ".join(part for part in parts if part)


def trigger_clause(event: str, attacker: str, condition: Condition | None = None, *, is_repeated: bool = False) -> str:
    """Return the clause of a moment, or '' for always; `is_repeated` if it recurs."""
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
    """Return the attacker as a subject: 'whoever Attacks or Channels at the bearer'."""
    subject = f"any {OPPONENTS[condition.against]} that" if condition.against else "whoever"
    return attack_clause("attacking", subject, condition, opponent="{b}")


def condition_clause(effect: Effect) -> str:
    """Return the condition of an effect outside an attack, unless its subject includes it."""
    condition = effect.condition
    if effect.active_at in STRIKES:
        return ""
    using = WITH_WEAPON[condition.weapon] if condition.weapon else ""
    against = f"against {OPPONENTS[condition.against]}s" if condition.against and not effect.enemies else ""
    distance = "" if effect.friends or effect.enemies else distance_phrase(condition)
    return " ".join(part for part in (using, against, distance) if part)


def distance_phrase(condition: Condition) -> str:
    """Return 'within 10 cm' or 'over 12 cm away'."""
    over, within = condition.range_over, condition.range_within
    if over is None:
        return "" if within is None else f"within {centimetres(within)}"
    return f"over {centimetres(over)} away" if within is None else f"over {over} but within {centimetres(within)}"


def _from_distance(condition: Condition) -> str:
    distance = distance_phrase(condition).removesuffix(" away")
    return f"from {distance}" if distance else ""


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, bearer: str, attacker: str = "{B}") -> str:
    """Return one marked-up sentence for an effect.

    `bearer` names the bearer ('the bearer'), and `attacker` names who attacks ('it' for a weapon).
    """
    one_point = effect.active_at == "damaged"
    consequences = "; ".join(
        consequence_clause(_subject(effect, name), deeds, one_point=one_point) for name, deeds in effect.deeds
    )
    ending = f" until {DURATION_ENDS[effect.span]}" if effect.span and not _duration_leads(effect) else ""
    return join_clauses([*_leading_clauses(effect, attacker), consequences + ending], bearer)


def _leading_clauses(effect: Effect, attacker: str) -> list[str]:
    """Return all clauses before the consequences."""
    conditions = _start_conditions(effect.condition)
    end = DURATION_ENDS[effect.span] if effect.span and _duration_leads(effect) else ""
    until = f"until {end}" if end else ""
    is_repeated = bool(effect.during)
    trigger = (
        ""
        if _attacker_is_subject(effect)
        else trigger_clause(effect.active_at, attacker, effect.condition, is_repeated=is_repeated)
    )
    circumstances = [trigger, condition_clause(effect)]
    if not is_repeated:
        return [*circumstances, *conditions, until]
    if effect.when in TURN_EVENTS and not conditions:
        return [f"from {TURN_EVENTS[effect.when]} to {end}", *circumstances]
    return [trigger_clause(effect.when, attacker), *conditions, until, *circumstances]


def _start_conditions(condition: Condition) -> list[str]:
    """Return the conditions at the start; the die roll comes last, before its results."""
    clauses = []
    if condition.wounds_at_most:
        wounds_words = (
            "only 1 Wound" if condition.wounds_at_most == 1 else f"{wounds_phrase(condition.wounds_at_most)} or fewer"
        )
        clauses.append(f"if {{B}} has {wounds_words} left")
    if condition.roll:
        clauses.append(f"roll 1D6: on a {die_faces(condition.roll)}")
    return clauses


def _duration_leads(effect: Effect) -> bool:
    """Return whether the duration comes first: for recurring moments or several subjects."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """Return whether 'whoever Attacks the bearer' is the only subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    return attacker_only and (bool(effect.during) or not _start_conditions(effect.condition))


def _subject(effect: Effect, name: str) -> Subject:
    """Return the subject for a party of the effect."""
    is_constant = effect.when == "always" and not effect.span
    change_verb = "has" if is_constant else "gets"
    if _attacker_is_subject(effect):
        return Subject(
            attacker_subject(effect.condition), change_verb, names_event=bool(effect.during or not effect.span)
        )
    if name in ("friends", "enemies"):
        return Subject(_group_noun(effect, name), change_verb, plural=True, may_choose=name == "friends")
    if name == "bearer":
        names_opponent = effect.condition.against and effect.active_at in STRIKES
        return Subject("{the}" if names_opponent else "{B}", change_verb, may_choose=True)
    return Subject(f"the {name}", change_verb)


def _group_noun(effect: Effect, name: str) -> str:
    """Return friends or enemies, limited by the condition outside an attack."""
    if effect.active_at in STRIKES:
        return name
    condition = effect.condition
    foes = f"enemy {OPPONENTS[condition.against]}s" if condition.against else name
    return f"{foes if name == 'enemies' else name} {distance_phrase(condition)}".strip()
