"""Clauses for what happens besides changes of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from cardgen.game import join_words
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.settings import name_of
from cardgen.rulesets.warcry.wording.ends import attacks_phrase, clause, ends_phrase, per_phrase
from cardgen.rulesets.warcry.wording.phrases import (
    SELF,
    amount_meaning,
    features,
    loan_phrase,
    marks_phrase,
    party_phrase,
    place_phrase,
    set_phrase,
    write,
)

# Groups of characteristics that one sentence can change.
TOGETHER = (Change.FIGHTER_FIELDS, Change.WEAPON_FIELDS)
# Keys whose value is all that their clause says.
VALUES = ("survives", "ward", "passes", "counts_as", "healing")
FOR_ONE = ("leaves", "returns", "taken_down", "activates", "becomes_target")


def deeds_of(change: Change) -> Iterator[str]:
    """Yield what happens besides changes of numbers."""
    who = party_phrase(change.of)
    yield from _damage(change, who)
    may = {"may": True} if change.may else {}
    yield from (
        f"{clause('bonus', 'of action', p=who, b=words, **may)}{''.join(_of_bonus(change, words))}"
        for words in _bonus_actions(change)
    )
    yield from _lasting(change, who)
    yield from _places(change, who)
    yield from _permits(change)
    yield from _dice(change, who)


def _of_bonus(change: Change, action: str) -> Iterator[str]:
    """Yield how often a bonus action is made, and what is true of it."""
    if change.twice:
        yield " twice"
    if change.engaged and "move" in action:
        yield f" {clause('of_bonus', flag='engaged')}"
    if change.unanswered:
        yield f" {clause('of_bonus', flag='unanswered')}"


def _damage(change: Change, who: str) -> Iterator[str]:
    for name in ("deal", "heal"):
        if (amount := getattr(change, name)) is not None:
            may = {"may": True} if change.may and name == "heal" else {}
            words = clause(name, f"of {name}", p=who, n=write("damage", amount_meaning(amount)), **may)
            yield f"{words}{per_phrase(change)}"


def _lasting(change: Change, who: str) -> Iterator[str]:
    """Yield what is true for a while besides changed numbers, with its end."""
    yield from _halves(change, who)
    ends = "".join(ends_phrase(change))
    yield from (f"{words}{ends}" for words in (*_of_attacks(change), *_of_fighters(change, who)))


def _of_attacks(change: Change) -> Iterator[str]:
    """Yield what the hit rolls of attacks mean, and cover against them."""
    if change.critical_face:
        yield clause("critical_face", "attacks", critical_face=change.critical_face, t=attacks_phrase(change))
    if change.no_cover:
        attacks = attacks_phrase(change.model_copy(update={"weapon": change.no_cover}))
        yield clause("no_cover", "attacks", t=attacks)
    if change.half_damage:
        yield clause("half_damage", "attacks", half_damage=change.half_damage, t=attacks_phrase(change))
    if change.reroll:
        yield clause("reroll", "attacks", reroll=change.reroll, t=attacks_phrase(change))


def _of_fighters(change: Change, who: str) -> Iterator[str]:
    """Yield what fighters can do, or not, and what they count as."""
    if change.adds_mark:
        yield clause("adds_mark", "of adds_mark", p=who, m=name_of(change.adds_mark))
    if change.turns:
        yield clause("turns", turns=change.turns)
    for name in VALUES:
        if value := getattr(change, name):
            yield clause(name, "of", p=who, **{name: value})
    if change.cannot:
        bans = join_words([write("ban", ban) for ban in change.cannot], "or", serial_comma=False)
        yield clause("cannot", "of ban", p=who, b=bans)
    for name in ("flies", "gains_cover", "climbs"):
        if getattr(change, name):
            yield clause(name, "of", p=who)


def _halves(change: Change, who: str) -> Iterator[str]:
    """Yield clauses for the halved, doubled, and fixed characteristics of the fighter, and of its weapons."""
    end = "".join(ends_phrase(change))
    for kind, names in product(("halve", "double", "fixes"), TOGETHER):
        stats = [write("stat", name) for name in getattr(change, kind) if name in names]
        words = join_words(stats, "and", serial_comma=False) if stats else ""
        comma = "," if end and kind == "halve" else ""
        more = {"fixed_at": change.fixed_at} if kind == "fixes" else {}
        if words and names is Change.WEAPON_FIELDS:
            yield f"{clause(kind, 'attacks change', t=attacks_phrase(change), s=words, **more)}{comma}{end}"
        elif words:
            yield f"{clause(kind, 'of change', p=who, s=words, **more)}{comma}{end}"


def _places(change: Change, who: str) -> Iterator[str]:
    if change.shift is not None:
        end = "-picked" if change.of == SELF and change.direction != "any" else ""
        exact = {"exact": True} if change.exact else {}
        may = {"may": True} if change.may and change.exact else {}
        direction = f"{change.direction}{end}"
        yield clause("shift", "of shift", direction=direction, p=who, n=_inches(change.shift), **exact, **may)
    if change.set_up:
        may = {"may": True} if change.may else {}
        yield clause("set_up", "of set_up", p=who, l=place_phrase(change.set_up), **may)
    for name in FOR_ONE:
        if getattr(change, name):
            may = {"may": True} if change.may and name == "becomes_target" else {}
            yield clause(name, "of", p=who, **may)
    if change.swap_places and change.of == SELF:
        yield clause("swap_places")
    elif change.swap_places:
        yield clause("swap_places", "of", p=who)


def _permits(change: Change) -> Iterator[str]:
    """Yield who may use the rule, and whom it does not affect."""
    for name in ("only_for", "not_for"):
        if marks := getattr(change, name):
            yield clause(name, name, m=marks_phrase(marks))
    if change.spares:
        names = [f"*{name}*" for name in change.spares]
        yield clause("spares", "spares", s=join_words(names, "or", serial_comma=False))


def _dice(change: Change, who: str) -> Iterator[str]:
    if change.lends:
        yield clause("lends", "of lends", p=who, l=loan_phrase(change.lends))
    if change.sets:
        may = {"may": True} if change.may else {}
        kind, symbol = ("rolled_set", "rolled_set") if change.of == "rolled" else ("sets", "sets")
        yield clause(kind, "sets", s=set_phrase(change.sets, symbol), **may)
    if change.save_wild:
        may = {"may": True} if change.may else {}
        yield f"{clause('save_wild', save_wild=change.save_wild, **may)}{per_phrase(change)}"


def _bonus_actions(change: Change) -> list[str]:
    """Return the bonus actions, in one phrase if only one of them is made."""
    actions = []
    if change.bonus_move is not None:
        data = {"bonus_move": change.bonus_move, **({"closer": True} if change.closer else {})}
        far = _inches(change.bonus_move)
        actions.append(write("action", features(data), n=far))
    if change.bonus_attack:
        target = f" against {write('party', change.against)}" if change.against else ""
        actions.append(f"{write('action', features({'bonus_attack': change.bonus_attack}))}{target}")
    if change.bonus_disengage:
        actions.append(write("action", features({"bonus_disengage": True})))
    return [" or ".join(actions)] if change.either and actions else actions


def _inches(amount: int | str) -> str:
    if amount == "rolled":
        return "that many inches"
    if isinstance(amount, str) and amount.endswith("value"):
        return f"{write('amount', amount_meaning(amount))} in inches"
    return f'{write("amount", amount_meaning(amount))}"' if amount != "move" else ""
