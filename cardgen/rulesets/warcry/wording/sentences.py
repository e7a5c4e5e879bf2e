"""Sentences for changes: the moment, the dice, and the condition, then what happens, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.game import APOSTROPHE, join_words
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import OTHER_COMPARISONS, Group
from cardgen.rulesets.warcry.wording.phrases import (
    amount_meaning,
    condition_phrase,
    each_phrase,
    faces_phrase,
    features,
    loan_phrase,
    many_phrase,
    marks_phrase,
    moment_phrase,
    one_phrase,
    party_phrase,
    pick_phrase,
    place_phrase,
    set_phrase,
    write,
)

SELF = "self"
HIT_STATS = ("damage", "critical")
# Groups of characteristics that one sentence can change, alone or as a multiple of the value.
TOGETHER = (Change.FIGHTER_FIELDS, Change.WEAPON_FIELDS)
TOGETHER_IN_MULTIPLES = (Change.FIGHTER_FIELDS, ("attacks", "strength"), HIT_STATS)
FOR_ONE = ("leaves", "returns", "taken_down", "activates")
FOR_WARBAND = ("take_cover", "no_cover", "wild_dice", "initiative", "impact", "goes_first", "ability_value")


def sentences_of(change: Change, dice: int | str = 1) -> Iterator[str]:
    """Yield the sentences for a change; `dice` is the number of dice that were rolled before."""
    for parts in _sentences(change, change.roll or (1 if change.roll_each else dice)):
        text = ", ".join(parts).replace("'", APOSTROPHE)
        yield f"{text[0].upper()}{text[1:]}."


def _sentences(change: Change, dice: int | str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each sentence; the first that happens names the moment."""
    if change.only_if:
        yield (_clause("only_if", "is", c=condition_phrase(change.only_if, "it")),)
    if change.reacts:
        yield (_clause("reacts", "is", m=moment_phrase(change.reacts)),)
    moment = (moment_phrase(change.when),) if change.when else ()
    if picks := [*_picks(change)]:
        yield (*moment, f"{'you may ' if change.may else ''}{join_words(picks, 'and', serial_comma=False)}")
        moment = ()
    conditions = _conditions(change, dice)
    for words in _consequences(change):
        yield (*moment, *conditions, words)
        moment = ()


def _clause(kind: str, slots: str = "", style: str = "", /, **values: Any) -> str:
    """Return the words of a clause.

    `slots` are the keys whose words are given, as `p=…`; the other values belong to the meaning.
    """
    words = {key: value for key, value in values.items() if len(key) == 1}
    data = {key: value for key, value in values.items() if len(key) > 1}
    return write("part", features({"kind": kind, **dict.fromkeys(slots.split(), ""), **data}), style, **words)


def _picks(change: Change) -> Iterator[str]:
    if change.pick:
        yield f"pick {pick_phrase(change.pick)}"
    if change.roll:
        yield f"roll {write('dice_count', change.roll)}"
    if change.roll_each:
        yield f"roll a die for {_rolled_for(change.roll_each)}"


def _rolled_for(whom: str | Group) -> str:
    if isinstance(whom, Group):
        return each_phrase(whom)
    return "each of them" if whom == "picked" else "each of your doubles, triples, and quads"


def _conditions(change: Change, dice: int | str) -> tuple[str, ...]:
    on_roll = _faces_condition(change, dice) if change.on_roll else ""
    condition = f"if {condition_phrase(change.condition)}" if change.condition else ""
    unless = f"unless {condition_phrase(change.unless)}" if change.unless else ""
    return tuple(filter(None, (on_roll, condition, unless)))


def _faces_condition(change: Change, dice: int | str) -> str:
    """Return 'on a 4+', or 'for each roll of 4+' for several dice."""
    faces = change.on_roll or ""
    if faces in OTHER_COMPARISONS:
        owner = write("owner", "each" if isinstance(change.of, Group) else change.of)
        is_one = dice in (1, "2d6")
        return _clause("on_roll", "whose", compare=faces, p=owner, **({} if is_one else {"each": True}))
    phrase = faces_phrase(faces)
    return f"on {phrase}" if dice in (1, "2d6") else f"for each roll of {phrase.partition(' ')[2]}"


def _consequences(change: Change) -> Iterator[str]:
    for names in TOGETHER_IN_MULTIPLES if change.times else TOGETHER:
        if changed := change.nonzero(names):
            words = _multiple(change, changed) if change.times else _signed(change, changed)
            yield "".join((words, *_ends(change)))
    yield from _actions(change)
    for name in FOR_WARBAND:
        if (value := getattr(change, name)) not in (None, 0):
            yield "".join((_clause(name, **{name: value}), *(_ends(change) if name == "impact" else ())))


def _ends(change: Change) -> Iterator[str]:
    """Yield how often, the lowest result, and how long it lasts."""
    yield _per(change)
    if change.at_least is not None:
        yield f" {write('lowest', features({'at_least': change.at_least}))}"
    if change.next == "move":
        yield f" {_clause('next', next='move')}"
    if change.during:
        yield f" while {condition_phrase(change.during)}"
    if change.span == "activation" and change.of != SELF:
        yield " until the end of this activation"
    elif change.span:
        yield f" {write('part', features({'kind': 'until', 'for': change.span}), 'own')}"


def _per(change: Change) -> str:
    """Return ' for each of your fighters within 1"', or ''."""
    if change.per is None:
        return ""
    if isinstance(change.per, Group):
        return f" {_clause('per', 'per', g=one_phrase(change.per))}"
    return f" {_clause('per', per=change.per)}"


def _signed(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'this fighter has +1 Move', or 'its melee attacks have +1 Attacks and +1 Strength'."""
    stats = [write("signed_stats", features({"stats": [name], "numbers": [by]})) for name, by in changed]
    words = join_words(stats, "and", serial_comma=False)
    if changed[0][0] in Change.WEAPON_FIELDS:
        if change.weapon.startswith("one"):
            return _clause("stats", "change", of=SELF, weapon=change.weapon, s=words)
        return _clause("stats", "attacks change", "next" if change.next else "", t=_attacks_phrase(change), s=words)
    if change.incoming:
        against: dict[str, Any] = {"weapon": change.weapon, "incoming": True}
        return _clause("stats", "of change", p=party_phrase(change.of), s=words, **against)
    return _clause("stats", "of change", p=party_phrase(change.of), s=words)


def _multiple(change: Change, changed: tuple[tuple[str, int], ...]) -> str:
    """Return 'add the value of this ability to the Strength of this fighter's melee attacks'."""
    is_hit = changed[0][0] in HIT_STATS
    names = [write("hits" if is_hit else "stat", name) for name, _ in changed]
    kind = "add" if changed[0][1] > 0 else "subtract"
    comma = "," if change.times == "half-value" else ""
    words = {"n": f"{write('amount', change.times)}{comma}", "s": join_words(names, "and", serial_comma=False)}
    if changed[0][0] in Change.FIGHTER_FIELDS:
        return _clause(kind, "by of change", p=party_phrase(change.of), **words)
    return _clause(kind, "by attacks change", "hits" if is_hit else "", t=_attacks_phrase(change), **words)


def _attacks_phrase(change: Change) -> str:
    """Return 'this fighter's next melee attack against enemies with at least 15 Wounds'."""
    data: dict[str, Any] = {"weapon": change.weapon, "of": ""}
    is_group, of = isinstance(change.of, Group), change.of
    owner = many_phrase(of) if isinstance(of, Group) else write("owner", of)
    if change.incoming:
        data |= {"incoming": True}
        owner = many_phrase(of) if isinstance(of, Group) else write("party", of)
    elif change.next == "attack":
        data |= {"next": "attack"}
    posts = [write("attack_post", features({"reach": change.reach}))] if change.reach else []
    if change.target:
        posts.append(f"against {many_phrase(change.target)}")
    return " ".join((write("attacks", features(data), "group" if is_group else "", p=owner), *posts))


def _actions(change: Change) -> Iterator[str]:
    """Yield what happens besides changes of numbers."""
    who = party_phrase(change.of)
    yield from _damage(change, who)
    may = {"may": True} if change.may else {}
    yield from (_clause("bonus", "of action", p=who, b=words, **may) for words in _bonus_actions(change))
    yield from _lasting(change, who)
    yield from _places(change, who)
    yield from _permits(change)
    yield from _dice(change, who)


def _damage(change: Change, who: str) -> Iterator[str]:
    for name in ("deal", "heal"):
        if (amount := getattr(change, name)) is not None:
            may = {"may": True} if change.may and name == "heal" else {}
            words = _clause(name, f"of {name}", p=who, n=write("damage", amount_meaning(amount)), **may)
            yield f"{words}{_per(change)}"


def _lasting(change: Change, who: str) -> Iterator[str]:
    """Yield halved characteristics, actions that are not possible, and flight, with their end."""
    ends = "".join(_ends(change))
    yield from _halves(change, who)
    if change.reroll:
        yield f"{_clause('reroll', 'attacks', reroll=change.reroll, t=_attacks_phrase(change))}{ends}"
    if change.cannot:
        bans = join_words([write("ban", ban) for ban in change.cannot], "or", serial_comma=False)
        yield f"{_clause('cannot', 'of ban', p=who, b=bans)}{ends}"
    if change.flies:
        yield f"{_clause('flies', 'of', p=who)}{ends}"
    if change.healing:
        yield f"{_clause('healing', 'of', healing=change.healing, p=who)}{ends}"


def _halves(change: Change, who: str) -> Iterator[str]:
    """Yield a clause for the fighter's halved characteristics, and one for those of its weapons."""
    end = f",{''.join(_ends(change))}" if change.span else ""
    for names in TOGETHER:
        stats = [write("stat", name) for name in change.halve if name in names]
        halved = join_words(stats, "and", serial_comma=False) if stats else ""
        if halved and names is Change.WEAPON_FIELDS:
            yield f"{_clause('halve', 'attacks change', t=_attacks_phrase(change), s=halved)}{end}"
        elif halved:
            yield f"{_clause('halve', 'of change', p=who, s=halved)}{end}"


def _places(change: Change, who: str) -> Iterator[str]:
    if change.shift is not None:
        yield _clause("shift", "of shift", direction=change.direction, p=who, n=_inches(change.shift))
    if change.set_up:
        may = {"may": True} if change.may else {}
        yield _clause("set_up", "of set_up", p=who, l=place_phrase(change.set_up), **may)
    yield from (_clause(name, "of", p=who) for name in FOR_ONE if getattr(change, name))
    if change.swap_places:
        yield _clause("swap_places")


def _permits(change: Change) -> Iterator[str]:
    """Yield who may use the rule, and whom it does not affect."""
    for name in ("only_for", "not_for"):
        if marks := getattr(change, name):
            yield _clause(name, name, m=marks_phrase(marks))
    if change.spares:
        names = [f"*{name}*" for name in change.spares]
        yield _clause("spares", "spares", s=join_words(names, "or", serial_comma=False))


def _dice(change: Change, who: str) -> Iterator[str]:
    if change.lends:
        yield _clause("lends", "of lends", p=who, l=loan_phrase(change.lends))
    if change.sets:
        yield set_phrase(change.sets)
    if change.save_wild:
        yield f"{_clause('save_wild', save_wild=change.save_wild)}{_per(change)}"


def _bonus_actions(change: Change) -> list[str]:
    """Return the bonus actions, in one phrase if only one of them is made."""
    actions = []
    if change.bonus_move is not None:
        data = {"bonus_move": change.bonus_move, **({"closer": True} if change.closer else {})}
        far = _inches(change.bonus_move)
        actions.append(write("action", features(data), n=far))
    if change.bonus_attack:
        actions.append(write("action", features({"bonus_attack": change.bonus_attack})))
    if change.bonus_disengage:
        actions.append(write("action", features({"bonus_disengage": True})))
    return [" or ".join(actions)] if change.either and actions else actions


def _inches(amount: int | str) -> str:
    if amount == "rolled":
        return "that many inches"
    if isinstance(amount, str) and amount.endswith("value"):
        return f"{write('amount', amount_meaning(amount))} in inches"
    return f'{write("amount", amount_meaning(amount))}"' if amount != "move" else ""
