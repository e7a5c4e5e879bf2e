"""Sentences for effects: trigger, condition, duration, then the consequences.

The order is fixed: trigger, condition, the choice to use it, duration, recurring moment, then the consequences for each
party.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cardgen.game import Features, Meaning, Series, die_faces, join_clauses
from cardgen.rulesets.warniris.cards import Once
from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.consequences import Subject, consequence_clause, has_changes, is_choice

TURN_EVENTS = frozenset({"battle_start", "turn_start", "activation_start", "activation_end", "turn_end"})


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
}
WEAPON_VERBS = {"attacking": VerbPhrase("attacking-weapon"), "attacked": VerbPhrase("attacked-weapon", "by")}
POWER_VERBS = {"attacking": VerbPhrase("attacking-power", "at"), "attacked": VerbPhrase("attacked-power", "by")}
TAKEN_POINT = VerbPhrase("point", "from")
ATTACKER_EVENTS = {"attacking", "hit", "damaging"}
# The moments that can recur before the end of a turn, or of the battle.
RECURRING = {
    "turn": STRIKES | {"moving", "eliminating"},
    "battle": STRIKES | {"moving", "eliminating", "turn_start", "activation_start", "activation_end", "turn_end"},
}
_BEARER, _OWNER = {"bearer": "{B}"}, {"owner": "{B's}"}
_MENTION = re.compile(r"\{[Bb]\}")


class Voice(NamedTuple):
    """The words for the source of an effect.

    `bearer` names its bearer ('the bearer'), `attacker` who attacks ('it' for a weapon), `once` how often it can be
    used, `damaging` what happens at the moment of its Damage, and `constant` when an effect without a moment applies.
    """

    bearer: str
    attacker: str = "{B}"
    once: Once = False
    damaging: VerbPhrase = ATTACK_VERBS["damaging"]
    constant: str = ""


def attack_verb(event: str, condition: Condition) -> VerbPhrase:
    """Return the verb for a moment of an attack with the weapon of a condition."""
    verbs = {"P": POWER_VERBS, None: ATTACK_VERBS}.get(condition.weapon, WEAPON_VERBS)
    return verbs.get(event, ATTACK_VERBS[event])


def attack_clause(verb: VerbPhrase, subject: str, condition: Condition, opponent: str = "") -> str:
    """Return '{subject} Attacks a Minion with a CW from over 12 cm'.

    `opponent` replaces the opponent from the condition.
    """
    circumstances = _circumstances(verb, condition, opponent)
    return " ".join(part for part in (subject, CLAUSES.write("verb", verb.verb), circumstances) if part)


def _circumstances(verb: VerbPhrase, condition: Condition, opponent: str = "") -> str:
    """Return 'by a Minion with a CW from over 12 cm'."""
    words = {"preposition": verb.preposition}
    against = f"{verb.preposition} {opponent}" if opponent else ""
    if condition.against and not opponent:
        against = CLAUSES.write("circumstance", Features.of(against=condition.against), words)
    names_weapon = condition.weapon == "P" and verb in POWER_VERBS.values()
    weapon = "" if names_weapon or not condition.weapon else _with_weapon("circumstance", condition)
    return " ".join(part.strip() for part in (against, weapon, _from_distance(condition)) if part)


def _with_weapon(symbol: str, condition: Condition) -> str:
    return CLAUSES.write(symbol, Features.of(weapon=condition.weapon))


def _trigger_clause(effect: Effect, event: str, voice: Voice, *, is_current: bool) -> str:
    """Return the clause of a moment, or '' for always; `is_current` if the effect applies at it."""
    if event == "always":
        return voice.constant if _is_constant(effect) else ""
    if event in TURN_EVENTS:
        return CLAUSES.write("part", Features.of(at=event), _OWNER, "once" if voice.once is True else "")
    condition = effect.condition if is_current else Condition()
    if event == "damaged" and is_current and _prevents_loss(effect):
        return _point_clause(condition, is_checked=not effect.during)
    is_repeated = bool(effect.during) if is_current else False
    word = "whenever" if is_repeated or (event == "damaged" and not voice.once) else "when"
    return f"{word} {_event_clause(event, condition, voice)}"


def _event_clause(event: str, condition: Condition, voice: Voice) -> str:
    if event not in STRIKES:
        return f"{{B}} {CLAUSES.write('verb', event)}"
    verb = voice.damaging if event == "damaging" else attack_verb(event, condition)
    return attack_clause(verb, voice.attacker if event in ATTACKER_EVENTS else "{B}", condition)


def _prevents_loss(effect: Effect) -> bool:
    """Return whether it ignores points of Damage, which is decided before each is lost."""
    return bool(effect.bearer and effect.bearer.ignore) and effect.active_at == "damaged"


def _point_clause(condition: Condition, *, is_checked: bool) -> str:
    """Return 'for each point of Damage that {B} takes while it has 3 Wounds or fewer left'.

    `is_checked` is true if the Wounds left are checked for each point.
    """
    taken = (
        f"{CLAUSES.write('part', Features.of(point=True), _BEARER)} {_circumstances(TAKEN_POINT, condition)}".rstrip()
    )
    return f"{taken} {_wounds_left(condition, 'while')}" if is_checked and condition.wounds_at_most else taken


def attacker_subject(condition: Condition) -> str:
    """Return the attacker as a subject: 'whoever Attacks or Channels at the bearer'."""
    subject = f"any {CLAUSES.write('kind', condition.against)} that" if condition.against else "whoever"
    return attack_clause(attack_verb("attacking", condition), subject, condition, opponent="{b}")


def condition_clause(effect: Effect) -> str:
    """Return the condition of an effect outside an attack, unless its subject includes it."""
    condition = effect.condition
    if effect.active_at in STRIKES:
        return ""
    using = _with_weapon("whereabout", condition) if condition.weapon else ""
    is_against = condition.against and not effect.enemies
    against = CLAUSES.write("whereabout", Features.of(against=condition.against)) if is_against else ""
    distance = "" if effect.friends or effect.enemies else distance_phrase(condition)
    return " ".join(part for part in (using, against, distance) if part)


def distance_phrase(condition: Condition) -> str:
    """Return 'within 10 cm' or 'over 12 cm away'."""
    limits = _distance(condition)
    return CLAUSES.write("distance", limits, style="away") if limits else ""


def _distance(condition: Condition) -> Features:
    keys = ("range_over", "range_within")
    return Features((key, value) for key in keys if (value := getattr(condition, key)) is not None)


def _from_distance(condition: Condition) -> str:
    limits = _distance(condition)
    return CLAUSES.write("circumstance", limits) if limits else ""


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, voice: Voice) -> str:
    """Return one marked-up sentence for an effect."""
    head, tail = _leading_clauses(effect, voice)
    one_point = effect.active_at == "damaged"
    consequences = "; ".join(
        consequence_clause(_subject(effect, name), deeds, one_point=one_point) for name, deeds in effect.deeds
    )
    tail.append(f"{consequences}{_ending(effect, voice.once)}")
    if _is_offer(effect, voice.once):
        tail = [f"{CLAUSES.write('part', Features.of(offer=True))}: {_name_again(', '.join(filter(None, tail)))}"]
    return join_clauses([*head, *tail], voice.bearer)


def _name_again(clauses: str) -> str:
    """Name the bearer at its first mention, because 'it' could mean the thing in use."""
    return _MENTION.sub("{the}", clauses, count=1)


def _is_offer(effect: Effect, once: Once) -> bool:
    """Return whether the sentence must say that it can be used, because no 'may' of its consequences does."""
    is_limited = bool(once) and not _is_constant(effect)
    return is_limited and not all(is_choice(name, deeds) for name, deeds in effect.deeds)


def _ending(effect: Effect, once: Once) -> str:
    """Return the duration, unless it comes first, and whether uses add up."""
    until = f" {_until(effect.span)}" if effect.span and not _duration_leads(effect) else ""
    return f"{until} {CLAUSES.write('part', Features.of(adds_up=True))}" if _adds_up(effect, once) else until


def _until(span: str) -> str:
    return CLAUSES.write("part", Features.of(span=span))


def _adds_up(effect: Effect, once: Once) -> bool:
    """Return whether it can change the same value several times before it ends."""
    recurs = effect.when in RECURRING.get(effect.span or "", ()) and once is not True
    is_once_now = once == "turn" and effect.span == "turn"
    return recurs and not is_once_now and any(has_changes(deeds) for _, deeds in effect.deeds)


def _leading_clauses(effect: Effect, voice: Voice) -> tuple[list[str], list[str]]:
    """Return the clauses before the choice to use it, and those between it and the consequences."""
    wounds, roll = _wounds_clause(effect), _roll_clause(effect.condition)
    until = _until(effect.span) if effect.span and _duration_leads(effect) else ""
    trigger = "" if _attacker_is_subject(effect) else _trigger_clause(effect, effect.active_at, voice, is_current=True)
    circumstances = [trigger, condition_clause(effect)]
    if not effect.during:
        return [*circumstances, wounds], [roll, until]
    if effect.when in TURN_EVENTS and not (wounds or roll or voice.once):
        moment = CLAUSES.write("moment", effect.when, _OWNER)
        return [f"from {moment} to {CLAUSES.write('span', effect.span)}"], circumstances
    return [_trigger_clause(effect, effect.when, voice, is_current=False), wounds], [roll, until, *circumstances]


def _wounds_clause(effect: Effect) -> str:
    """Return the condition on the Wounds left, unless the trigger includes it."""
    condition = effect.condition
    if not condition.wounds_at_most or (_prevents_loss(effect) and not effect.during):
        return ""
    return _wounds_left(condition, "while" if _is_constant(effect) else "if")


def _wounds_left(condition: Condition, conjunction: str) -> str:
    return CLAUSES.write("part", Features.of(wounds=condition.wounds_at_most), {**_BEARER, "if": conjunction})


def _roll_clause(condition: Condition) -> str:
    if not condition.roll:
        return ""
    return CLAUSES.write("part", Features.of(roll=Series(condition.roll)), {"faces": die_faces(condition.roll)})


def _is_constant(effect: Effect) -> bool:
    return effect.when == "always" and not effect.span


def _duration_leads(effect: Effect) -> bool:
    """Return whether the duration comes first: for recurring moments or several subjects."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """Return whether 'whoever Attacks the bearer' is the only subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    condition = effect.condition
    return attacker_only and (bool(effect.during) or not (condition.wounds_at_most or condition.roll))


def _subject(effect: Effect, name: str) -> Subject:
    """Return the subject for a party of the effect."""
    change_verb = "has" if _is_constant(effect) else "gets"
    if _attacker_is_subject(effect):
        names_event = bool(effect.during or not effect.span)
        return Subject(attacker_subject(effect.condition), change_verb, names_event=names_event)
    if name in ("friends", "enemies"):
        return Subject(_group_noun(effect, name), change_verb, plural=True, is_own=name == "friends")
    if name == "bearer":
        names_opponent = effect.condition.against and effect.active_at in STRIKES
        names_opponent = names_opponent or "eliminating" in (effect.when, effect.during)
        return Subject("{the}" if names_opponent else "{B}", change_verb, is_own=True)
    return Subject(CLAUSES.write("party", Features.of(who=name)), change_verb)


def _group_noun(effect: Effect, name: str) -> str:
    """Return friends or enemies, limited by the condition outside an attack."""
    group: dict[str, Meaning] = {"who": name}
    condition = effect.condition
    if effect.active_at not in STRIKES:
        if condition.against and name == "enemies":
            group["foes"] = condition.against
        if limits := _distance(condition):
            group["near"] = limits
            group |= {"moment": True} if effect.span and not effect.during else {}
    return CLAUSES.write("party", Features(sorted(group.items())), style="away")
