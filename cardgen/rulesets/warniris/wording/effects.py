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
from cardgen.rulesets.warniris.condition import NEIGHBORS, Condition
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.moments import ENEMY_ACTS, KILLS, NEARBY_EVENTS, STRIKES
from cardgen.rulesets.warniris.wording.attack_clauses import (
    ATTACK_VERBS,
    TAKEN_POINT,
    VerbPhrase,
    attack_clause,
    attack_verb,
    circumstances,
    distance_limits,
    distance_phrase,
    kill_clause,
    nearby_clause,
    weapon_phrase,
)
from cardgen.rulesets.warniris.wording.clauses import CLAUSES
from cardgen.rulesets.warniris.wording.consequences import Subject, consequence_clause, has_changes, is_choice

TURN_EVENTS = frozenset({"battle_start", "turn_start", "activation_start", "activation_end", "turn_end"})
ATTACKER_EVENTS = {"attacking", "hit", "damaging", "resisted", "missing", "attack_end"}
# The moments that can recur before the end of a turn, or of the battle.
_DEEDS_OF_A_TURN = STRIKES | NEARBY_EVENTS | {"moving", "eliminating"}
RECURRING = {
    "turn": _DEEDS_OF_A_TURN,
    "battle": _DEEDS_OF_A_TURN | {"turn_start", "activation_start", "activation_end", "turn_end"},
}
# The moments whose clause says how far away somebody is, and those whose clause names somebody else.
_MEASURED_EVENTS = STRIKES | NEARBY_EVENTS
# The conditions that have clauses of their own.
_STATES = ("unmoved", "unhurt", *NEIGHBORS, "place", "reaction", "assisted", "turns")
_ENEMY_EVENTS = ENEMY_ACTS | {"enemy_eliminated"}
_OPPONENT_EVENTS = NEARBY_EVENTS | {"eliminating"}
GROUPS = ("friends", "enemies", "friend", "enemy")
_BEARER, _OWNER, _NEXT = {"bearer": "{B}"}, {"owner": "{B's}"}, {"owner": "{the}’s"}
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
    if event in KILLS:
        return kill_clause(event, "{B}", condition)
    if event in NEARBY_EVENTS:
        return nearby_clause(event, condition)
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
        f"{CLAUSES.write('part', Features.of(point=True), _BEARER)} {circumstances(TAKEN_POINT, condition)}".rstrip()
    )
    return f"{taken} {_wounds_left(condition, 'while')}" if is_checked and condition.wounds_at_most else taken


def attacker_subject(condition: Condition) -> str:
    """Return the attacker as a subject: 'whoever Attacks or Channels at the bearer'."""
    subject = f"any {CLAUSES.write('kind', condition.against)} that" if condition.against else "whoever"
    return attack_clause(attack_verb("attacking", condition), subject, condition, opponent="{b}")


def condition_clause(effect: Effect) -> str:
    """Return the condition of an effect outside an attack, unless its subject includes it."""
    condition, moment = effect.condition, effect.active_at
    if moment in STRIKES:
        return ""
    names_opponent = moment in KILLS or moment in _ENEMY_EVENTS
    using = "" if moment in KILLS or moment == "enemy_attacking" else weapon_phrase("whereabout", condition)
    is_foe = bool(effect.enemies or effect.enemy) and moment not in NEARBY_EVENTS
    is_against = condition.against and not names_opponent and not is_foe
    against = CLAUSES.write("whereabout", Features.of(against=condition.against)) if is_against else ""
    is_measured = moment in NEARBY_EVENTS or any(name in GROUPS for name, _ in effect.deeds)
    distance = "" if is_measured else distance_phrase(condition)
    return " ".join(part for part in (using, against, distance) if part)


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, voice: Voice) -> str:
    """Return one marked-up sentence for an effect."""
    head, tail = _leading_clauses(effect, voice)
    one_point = effect.active_at == "damaged"
    consequences = "; ".join(
        consequence_clause(_subject(effect, name), deeds, one_point=one_point) for name, deeds in effect.deeds
    )
    if _is_untargetable(effect):
        consequences = _untargetable_clause(effect.condition)
    tail.append(f"{consequences}{_ending(effect, voice.once)}")
    if effect.cost:
        cost = CLAUSES.write("part", Features.of(cost=effect.cost), {"bearer": "{the}"})
        tail = [f"{cost}: {_name_again(', '.join(filter(None, tail)))}"]
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
    if not effect.cumulative:
        return f"{until} {CLAUSES.write('part', Features.of(not_again=True))}"
    return f"{until} {CLAUSES.write('part', Features.of(adds_up=True))}" if _adds_up(effect, once) else until


def _until(span: str) -> str:
    return CLAUSES.write("part", Features.of(span=span), _NEXT)


def _adds_up(effect: Effect, once: Once) -> bool:
    """Return whether it can change the same value several times before it ends."""
    recurs = effect.when in RECURRING.get(effect.span or "", ()) and once is not True
    is_once_now = once == "turn" and effect.span == "turn"
    return recurs and not is_once_now and any(has_changes(deeds) for _, deeds in effect.deeds)


def _leading_clauses(effect: Effect, voice: Voice) -> tuple[list[str], list[str]]:
    """Return the clauses before the choice to use it, and those between it and the consequences."""
    state, roll = _state_clauses(effect), _roll_clause(effect.condition)
    until = _until(effect.span) if effect.span and _duration_leads(effect) else ""
    is_elsewhere = _attacker_is_subject(effect) or _is_untargetable(effect)
    trigger = "" if is_elsewhere else _trigger_clause(effect, effect.active_at, voice, is_current=True)
    details = [trigger, condition_clause(effect)]
    if not effect.during:
        return [*details, *state], [roll, until]
    if effect.when in TURN_EVENTS and not (state or roll or voice.once):
        moment = CLAUSES.write("moment", effect.when, _OWNER)
        return [f"from {moment} to {CLAUSES.write('span', effect.span, _NEXT)}"], details
    return [_trigger_clause(effect, effect.when, voice, is_current=False), *state], [roll, until, *details]


def _state_clauses(effect: Effect) -> list[str]:
    """Return the conditions on the Wounds left, unless the trigger includes it, and on Moves."""
    condition = effect.condition
    conjunction = "while" if _is_constant(effect) else "if"
    clauses = []
    if condition.wounds_at_most and not (_prevents_loss(effect) and not effect.during):
        clauses.append(_wounds_left(condition, conjunction))
    words = {**_BEARER, **_OWNER, "if": conjunction}
    named = {key: value for key in _STATES if (value := getattr(condition, key)) is not None}
    if condition.turns:
        named["turns"] = Series(condition.turns)
        words["faces"] = die_faces(condition.turns)
    return [*clauses, *(CLAUSES.write("part", Features.of(**{key: value}), words) for key, value in named.items())]


def _wounds_left(condition: Condition, conjunction: str) -> str:
    return CLAUSES.write("part", Features.of(wounds=condition.wounds_at_most), {**_BEARER, "if": conjunction})


def _roll_clause(condition: Condition) -> str:
    test = CLAUSES.write("part", Features.of(test=condition.test), _BEARER) if condition.test else ""
    if not condition.roll:
        return test
    rolls = CLAUSES.write("part", Features.of(roll=Series(condition.roll)), {"faces": die_faces(condition.roll)})
    return ", ".join(filter(None, [rolls, test]))


def _is_constant(effect: Effect) -> bool:
    return effect.when == "always" and not effect.span


def _duration_leads(effect: Effect) -> bool:
    """Return whether the duration comes first: for recurring moments or several subjects."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """Return whether 'whoever Attacks the bearer' is the only subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    condition = effect.condition
    needs_more = condition.wounds_at_most or condition.takes_chance or _state_clauses(effect)
    return attacker_only and (bool(effect.during) or not needs_more)


def _is_untargetable(effect: Effect) -> bool:
    """Return whether 'cannot be Attacked' is all that the sentence says of an attack."""
    own = effect.bearer if [name for name, _ in effect.deeds] == ["bearer"] else None
    is_all = own is not None and [name for name in type(own).model_fields if getattr(own, name)] == ["targeted"]
    return is_all and effect.active_at == "attacked" and bool(effect.during or not effect.span)


def _untargetable_clause(condition: Condition) -> str:
    """Return '{B} cannot be Attacked by a Minion from over 12 cm'."""
    verb = attack_verb("attacked", condition)
    return attack_clause(verb, "{B}", condition, symbol="barred")


def _subject(effect: Effect, name: str) -> Subject:
    """Return the subject for a party of the effect."""
    change_verb = "has" if _is_constant(effect) else "gets"
    if _attacker_is_subject(effect):
        names_event = bool(effect.during or not effect.span)
        return Subject(attacker_subject(effect.condition), change_verb, names_event=names_event)
    if name in GROUPS:
        is_plural, is_own = name in ("friends", "enemies"), name in ("friends", "friend")
        return Subject(_group_noun(effect, name), change_verb, plural=is_plural, is_own=is_own)
    if name == "bearer":
        names_opponent = effect.condition.against and effect.active_at in STRIKES | KILLS
        names_opponent = names_opponent or bool(_OPPONENT_EVENTS & {effect.when, effect.during})
        names_opponent = names_opponent or any(
            getattr(effect.condition, key) is not None for key in (*NEIGHBORS, "place", "assisted")
        )
        return Subject("{the}" if names_opponent else "{B}", change_verb, is_own=True)
    is_act = name == "actor" and effect.active_at in ENEMY_ACTS
    return Subject(CLAUSES.write("party", Features.of(who="that" if is_act else name)), change_verb)


def _group_noun(effect: Effect, name: str) -> str:
    """Return friends or enemies, limited by the condition outside an attack."""
    group: dict[str, Meaning] = {"who": name}
    condition, moment = effect.condition, effect.active_at
    if moment not in _MEASURED_EVENTS:
        if condition.against and name in ("enemies", "enemy") and moment not in KILLS:
            group["foes"] = condition.against
        if limits := distance_limits(condition):
            group["near"] = limits
            is_lasting = name in ("friends", "enemies") and effect.span and not effect.during
            group |= {"moment": True} if is_lasting else {}
    return CLAUSES.write("party", Features(sorted(group.items())), style="away")
