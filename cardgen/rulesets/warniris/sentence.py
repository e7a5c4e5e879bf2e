"""Effects to sentences. Every field leaves its own trace, so that different effects never read the same.

The order is fixed: when it starts, if what holds, for how long, while what, and what happens to whom.
"""

from __future__ import annotations

from functools import lru_cache

from cardgen.rulesets.warniris.deeds import Subject, statement, wounds
from cardgen.rulesets.warniris.effect import STRIKES, Condition, Effect
from cardgen.rulesets.warniris.grammar import faces, joined
from cardgen.rulesets.warniris.moments import ENDS, FOES, POINTS, away, circumstances, moment, whoever


@lru_cache(maxsize=1 << 9)
def effect_sentence(effect: Effect, bearer: str, striker: str = "{B}") -> str:
    """One sentence for an effect, marked up.

    `bearer` is what the sentence calls its bearer ('the bearer'), `striker` who deals its blows (a weapon's is 'it').
    """
    point = effect.bears == "damaged"
    said = "; ".join(statement(_subject(effect, name), deeds, point=point) for name, deeds in effect.deeds)
    ending = f" until {ENDS[effect.span]}" if effect.span and not _span_leads(effect) else ""
    return joined([*_opening(effect, striker), said + ending], bearer)


def _opening(effect: Effect, striker: str) -> list[str]:
    """All clauses before the statements."""
    start = _starts_if(effect.condition)
    end = ENDS[effect.span] if effect.span and _span_leads(effect) else ""
    until = f"until {end}" if end else ""
    again = bool(effect.during)
    here = "" if _by_whoever(effect) else moment(effect.bears, striker, effect.condition, again=again)
    bears = [here, circumstances(effect)]
    if not again:
        return [*bears, *start, until]
    if effect.when in POINTS and not start:
        return [f"from {POINTS[effect.when]} to {end}", *bears]
    return [moment(effect.when, striker), *start, until, *bears]


def _starts_if(condition: Condition) -> list[str]:
    """What must hold at the start; the die comes last, so that it decides over what follows."""
    clauses = []
    if condition.wounds_at_most:
        few = "only 1 Wound" if condition.wounds_at_most == 1 else f"{wounds(condition.wounds_at_most)} or fewer"
        clauses.append(f"if {{B}} has {few} left")
    if condition.roll:
        clauses.append(f"roll 1D6: on a {faces(condition.roll)}")
    return clauses


def _span_leads(effect: Effect) -> bool:
    """True where the duration stands in front: for what comes again, and for more than one subject."""
    return bool(effect.during) or len(effect.deeds) > 1


def _by_whoever(effect: Effect) -> bool:
    """True where only the attacker is concerned, so that 'whoever attacks the bearer' is the subject."""
    alone = [name for name, _ in effect.deeds] == ["attacker"] and effect.bears == "attacked"
    return alone and (bool(effect.during) or not _starts_if(effect.condition))


def _subject(effect: Effect, name: str) -> Subject:
    """Who is concerned."""
    standing = effect.when == "always" and not effect.span
    changed = "has" if standing else "gets"
    if _by_whoever(effect):
        return Subject(whoever(effect.condition), changed, acting=bool(effect.during or not effect.span))
    if name in ("friends", "enemies"):
        return Subject(_group(effect, name), changed, plural=True, free=name == "friends")
    if name == "bearer":
        another = effect.condition.against and effect.bears in STRIKES
        return Subject("{the}" if another else "{B}", changed, free=True)
    return Subject(f"the {name}", changed)


def _group(effect: Effect, name: str) -> str:
    """Friends or enemies; outside an attack the condition chooses among them."""
    if effect.bears in STRIKES:
        return name
    condition = effect.condition
    foes = f"enemy {FOES[condition.against]}s" if condition.against else name
    return f"{foes if name == 'enemies' else name} {away(condition)}".strip()
