"""Effects to sentences. Every field leaves its own trace, so that different effects never read the same.

The order is fixed: when it starts, if what holds, for how long, while what, and what happens to whom.
"""

from __future__ import annotations

from functools import lru_cache

from cardgen.rulesets.warniris.deeds import Subject, consequence_clause, wounds_phrase
from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.grammar import die_faces, join_clauses
from cardgen.rulesets.warniris.moments import (
    DURATION_ENDS,
    OPPONENTS,
    TURN_EVENTS,
    attacker_subject,
    condition_clause,
    distance_phrase,
    trigger_clause,
)


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, bearer: str, attacker: str = "{B}") -> str:
    """One sentence for an effect, marked up.

    `bearer` is what the sentence calls its bearer ('the bearer'), `striker` who deals its blows (a weapon's is 'it').
    """
    one_point = effect.active_at == "damaged"
    consequences = "; ".join(
        consequence_clause(_subject(effect, name), deeds, one_point=one_point) for name, deeds in effect.deeds
    )
    ending = f" until {DURATION_ENDS[effect.span]}" if effect.span and not _duration_leads(effect) else ""
    return join_clauses([*_leading_clauses(effect, attacker), consequences + ending], bearer)


def _leading_clauses(effect: Effect, attacker: str) -> list[str]:
    """All clauses before the statements."""
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
    """What must hold at the start; the die comes last, so that it decides over what follows."""
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
    """True where the duration stands in front: for what comes again, and for more than one subject."""
    return bool(effect.during) or len(effect.deeds) > 1


def _attacker_is_subject(effect: Effect) -> bool:
    """True where only the attacker is concerned, so that 'whoever attacks the bearer' is the subject."""
    attacker_only = [name for name, _ in effect.deeds] == ["attacker"] and effect.active_at == "attacked"
    return attacker_only and (bool(effect.during) or not _start_conditions(effect.condition))


def _subject(effect: Effect, name: str) -> Subject:
    """Who is concerned."""
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
    """Friends or enemies; outside an attack the condition chooses among them."""
    if effect.active_at in STRIKES:
        return name
    condition = effect.condition
    foes = f"enemy {OPPONENTS[condition.against]}s" if condition.against else name
    return f"{foes if name == 'enemies' else name} {distance_phrase(condition)}".strip()
