"""Moments, conditions, and attacks that a sentence names: when something happens, and what is more of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardgen.game import unclear_if
from cardgen.rulesets.warcry.changes import DEEDS, FIGHTER_NUMBERS, NUMBERS, WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.selections import CHANGING, HIGH_FACES, is_settled
from cardgen.rulesets.warcry.wording.draft import (
    ATTACKER_EVENTS,
    EACH,
    GROUP,
    IT,
    LASTING,
    OWN_ATTACKS,
    PICKED,
    ROLLED,
    SELF,
    SEVERAL,
    SUBJECT,
    Context,
    Draft,
    add_roll,
    adds,
    state_of,
)
from cardgen.rulesets.warcry.wording.values import (
    Data,
    amount,
    consequence_data,
    faces,
    other_faces,
)
from cardgen.rulesets.warcry.wording.values import faces as faces_of
from cardgen.rulesets.warcry.words import EVENTS, Fact, Phrase

_ACTIONS = frozenset(with_facts(Fact.BONUS))
# What is for some attacks.
OF_ATTACKS = ("stats", *with_facts(Fact.AIMED))
MULTIPLES = DEEDS.where(lambda deed: deed.says is Phrase.MULTIPLE)
# What 'its critical hits' and 'that attack' take over from the attacks before.
_ATTACK_KEYS = ("of", "weapon", "reach", "target", "beyond", "next", "for")


def attack_before(draft: Draft) -> Data:
    """Return the attacks that the change before is for, as in 'and its critical hits'."""
    last = draft.last
    if not last or draft.kinds[-1] not in ("stats", "reroll") or not {*WEAPON_NUMBERS, "reroll"} & last.keys():
        return {}
    return {"of": SELF, **{key: last[key] for key in _ATTACK_KEYS if key in last}}


def add_again(draft: Draft, kind: str, part: Data) -> None:
    """Add more of what the consequence before is: '+1 Move, but −1 Toughness', or 'a bonus move and a bonus attack'."""
    kind = kind.removesuffix("_again")
    is_stats = kind == "stats"
    last = draft.last_of(kind)
    unclear_if(not last or draft.has_condition or draft.has_end, "more of what")
    keys = {"of", "on_roll", "if", "unless", "while"} if is_stats else {"of", "may", "on_roll"}
    if is_stats and {*part["stats"]} <= {*WEAPON_NUMBERS}:
        keys |= {"reach", "target", "beyond", "incoming", "next"} | ({"weapon"} if "weapon" not in part else set())
    data = consequence_data(kind, part)
    data |= {key: last[key] for key in keys if key in last and key not in draft.frame}
    if is_stats and last.keys() - {*NUMBERS, *draft.frame, "when"} == data.keys() - {*NUMBERS}:
        unclear_if(last.keys() & data.keys() & {*NUMBERS}, "the same characteristic twice")
        last |= data
    elif draft.frame.keys() <= last.keys() and _follows_move(last, data):
        last |= data
        draft.note_actions(last)
    else:
        draft.append(kind, data)


def _follows_move(move: Data, attack: Data) -> bool:
    """Return whether a bonus attack follows a bonus move of the same fighter, which is the order of one change."""
    is_one_each = "bonus_move" in move and attack.keys() & _ACTIONS == {"bonus_attack"}
    return is_one_each and move.keys() - attack.keys() == {"bonus_move"} and not {"bonus_attack", "when"} & move.keys()


def _numbers_of(change: Data) -> set[str]:
    """Return the characteristics that are changed, halved, doubled, or fixed."""
    return {*(change.keys() & {*NUMBERS}), *(name for key in MULTIPLES for name in change.get(key, ()))}


@adds("aimed")
def add_aim(draft: Draft, kind: str, part: Data) -> None:
    """Add the targets or weapons of the only consequence before: '… against enemies in cover', '… in melee'."""
    if not draft.consequences and "made" in part and not draft.scope:
        draft.scope = {**part["made"], "of": draft.party_of(part["made"]["of"])}
        return
    last = draft.last_of(*OF_ATTACKS) if len(draft.consequences) == 1 else {}
    names = _numbers_of(last)
    is_of_weapons = names <= {*WEAPON_NUMBERS} and "incoming" not in last
    unclear_if(not last or not is_of_weapons or draft.leads_on or part.keys() & last.keys(), "what is aimed")
    if "made" in part:
        part = part["made"]
        owner = draft.resolve_group(part["of"]) if isinstance(part["of"], dict) else draft.resolve(part["of"])
        part = {key: value for key, value in part.items() if key != "of" and (key, value) not in last.items()}
        unclear_if(owner != last.get("of", SELF) or part.keys() & last.keys(), "attacks of another")
    if isinstance(part.get("target"), dict):
        part["target"] = draft.resolve_group(part["target"])
    aim_at(last, part)


def aim_at(change: Data, attacks: Data) -> None:
    """Let a change be for some attacks only."""
    named = {key: value for key, value in attacks.items() if (key, value) != ("weapon", "any")}
    if "no_cover" in change and "weapon" in named:
        change["no_cover"] = named.pop("weapon")
    change |= named


@adds("bonus_with")
def add_bonus_with(draft: Draft, kind: str, part: Data) -> None:
    """Add how the bonus attack before differs: 'a bonus attack with −1 Attacks'."""
    last = draft.last
    unclear_if(not last.get("bonus_attack") or draft.has_condition, "with what")
    change = {**part["change"], "for": "attack"}
    unclear_if(not {*change["stats"]} <= {*WEAPON_NUMBERS}, "not of an attack")
    data = consequence_data(change.pop("kind", "stats"), change)
    draft.append("stats", {**data, **{key: last[key] for key in ("of", "on_roll", "if", "unless") if key in last}})


@adds("of_bonus")
def add_to_bonus(draft: Draft, kind: str, part: Data) -> None:
    """Add what is true of the bonus action before: 'a bonus move; enemies cannot react to it'."""
    flag = part["flag"]
    bonus = draft.last_of("bonus")
    unclear_if(not bonus or (flag == "engaged" and "bonus_move" not in bonus), "which action")
    bonus[flag] = True


@adds("spares_user")
def add_spared_user(draft: Draft, kind: str, part: Data) -> None:
    """Exclude the fighter that uses the rule from the groups before: 'it does not affect this fighter'."""
    groups = [change.get("of") for change in draft.consequences]
    is_of_friends = all(isinstance(each, dict) and each["side"] != "enemy" for each in groups)
    unclear_if(not groups or not is_of_friends, "affects nobody else")
    for change in draft.consequences:
        change["of"] = {**change["of"], "another": True}


def require_numbers(draft: Draft, sign: int) -> None:
    """Raise UnclearError if a number cannot be another one of the clause before: 'add 1 to its Move and 2 to …'."""
    last = draft.last_of("stats")
    numbers = [last[name] for name in NUMBERS if name in last]
    unclear_if(not numbers or not draft.leads_on or numbers[0] * sign < 0, "add to what")


def share_attacks(change: Data, attacks: Data) -> None:
    """Let a change of weapons without an owner be for the attacks that the clause after it names."""
    if change.keys() & {*WEAPON_NUMBERS}:
        unclear_if(attacks.get("of") != change.get("of"), "attacks of another")
        change |= {key: attacks[key] for key in _ATTACK_KEYS if key in attacks and key not in ("of", "for")}


def amend(draft: Draft, state: Data, number: int | str) -> None:
    """Add another amount for a condition: '+1 Strength, or +2 if …'; without it, the amount before applies."""
    last = draft.last
    names = [name for name in (*NUMBERS, "deal", "heal") if name in last]
    is_signed = bool(names) and names[0] in NUMBERS
    unclear_if(not names or {"if", "unless", "times"} & {*last, *draft.frame} or draft.has_condition, "what instead")
    is_one = isinstance(number, int) and len({last[name] for name in names}) == 1
    unclear_if(is_signed and not is_one, "which number instead")
    sign = -1 if is_signed and last[names[0]] < 0 else 1
    new = sign * abs(number) if is_signed and isinstance(number, int) else number
    is_of_other_sign = sign > 0 and isinstance(number, int) and number < 0
    unclear_if(new == last[names[0]] or is_of_other_sign, "the same amount, or one of the other sign")
    draft.put(draft.kinds[-1], {**last, **dict.fromkeys(names, new), "if": state})
    last["unless"] = state


@adds("other_amount")
def add_other_amount(draft: Draft, kind: str, part: Data) -> None:
    """Add the amount for the other faces: 'it suffers 6 damage, otherwise 2'."""
    last = draft.last
    key = next((key for key in ("deal", "heal") if key in last), "")
    unclear_if(not key or "on_roll" not in last or draft.has_condition, "another amount of what")
    faces = faces_of(part["face"]) if "face" in part else other_faces(draft.context.faces)
    unclear_if(faces == last["on_roll"], "the same faces twice")
    draft.put(key, {**last, "on_roll": faces, key: amount(part["n"])})
    draft.know(faces=(*draft.context.faces, faces))


ENEMY_EVENTS = EVENTS.where(lambda it: it.has_enemy)
# Moments of the battle: they are about no fighter, so 'it' is still whoever was named before them.
PHASES = EVENTS.where(lambda it: it.is_phase)


@adds("reacts", "when")
def add_moment(draft: Draft, kind: str, part: Data) -> None:
    """Add when a reaction can be made, or when something happens."""
    is_late = not {*draft.kinds} <= {"only_if", "not_if"}
    unclear_if(kind in draft.frame or (is_late and not _can_wait(draft, kind)), "late moment")
    part = part["is"]
    is_of_group = part.get("of") == IT and draft.context.subject == GROUP
    if part.get("of") == IT:
        part["of"] = _moment_subject(draft, is_late=is_late)
    part = _moment_data(draft, part)
    # After a bonus attack, 'if it takes down an enemy' is about that attack, unless it says for how long.
    draft.needs_end |= part["event"] == "takes-down" and draft.context.action == "attack"
    if is_late:
        # It follows its consequence; that of 'they' is about each of them, and so is the consequence.
        change = draft.changes[-1]
        change["when"] = part
        if is_of_group:
            change["of"] = SUBJECT
        draft.has_condition = True
        return
    if kind == "reacts" and not draft.context.price:
        draft.know(price="reaction")
    _set_context(draft, part)
    if kind == "reacts" or (kind == "when" and draft.context.price == "reaction"):
        draft.put("reacts", {"reacts": part})
    else:
        draft.frame["when"] = part


def _moment_data(draft: Draft, part: Data) -> Data:
    """Return the data of a moment; 'the first time' needs to be in an activation or battle round."""
    if part.get("first") == "ever":
        unclear_if(not draft.span, "the first time of which")
        part["first"] = True
    if part.pop("visible", False):
        part["enemy"] = {**part["enemy"], "visible": True}
    if "rounds" in part:
        part["rounds"] = part["rounds"]["rounds"]
    if "near" in part:
        part["enemy"] = {**part["enemy"], **part.pop("near")}
    part |= {key: draft.resolve_group(part[key]) for key in ("enemy", "of") if isinstance(part.get(key), dict)}
    if part.get("enemy") == {"side": "enemy"}:
        del part["enemy"]
    # 'The next time it attacks' is the whole attack, and 'this battle round' ends the wait for it, not what it changes.
    draft.is_during_attack |= part.pop("during", False) or ("for" in part and _is_next_attack_on(part))
    unclear_if(part.pop("whose", "") and draft.context.subject != SELF, "whose activation")
    if "for" in part:
        draft.span["for"] = part.pop("for")
    return part


def _is_next_attack_on(moment: Data) -> bool:
    """Return whether a moment is the next attack on a fighter."""
    return moment.get("first") is True and EVENTS[moment["event"]].is_attacked


def _set_context(draft: Draft, moment: Data) -> None:
    """Set who is 'it' and 'that enemy' after a moment."""
    event = moment["event"]
    if event in PHASES:  # Who belongs to a group, or was meant by 'it' of two, may have changed until then.
        subject = SEVERAL if draft.context.subject == GROUP else draft.context.subject
        draft.know(subject=subject, event=event, is_of_friend=False, is_of_enemy=False)
        return
    subject = PICKED if event.startswith("enemy") and event != "enemy-falls" else SELF
    is_of_friend = moment.get("of", SELF) != SELF
    if subject == SELF and draft.context.picked:  # 'It' is the one of the moment, or the one picked before.
        subject = SEVERAL
    if event == "enemy-falls" and not draft.context.price:  # Nobody of a warband is 'this fighter' then.
        subject = SEVERAL
    if is_of_friend:  # In an ability, 'it' is that friend, or the user.
        subject = SEVERAL if draft.context.price else SUBJECT
    picked = "enemy" if event in ENEMY_EVENTS or "enemy" in moment else ""
    draft.know(subject=subject, has_subject=True, picked=picked, event=event, is_of_friend=is_of_friend)
    draft.know(is_of_enemy=subject == PICKED, actors={}, rolled="")


def _moment_subject(draft: Draft, *, is_late: bool) -> str | Data:
    """Return whom 'when it takes down an enemy' is about: the user, or the group of the consequence before."""
    if draft.context.subject == SELF:
        return SELF
    group = draft.context.group
    unclear_if(not is_late or draft.context.subject != GROUP or group.get("side") != "friend", "whose moment")
    return "friend" if group == {"side": "friend"} else group


def _can_wait(draft: Draft, kind: str) -> bool:
    """Return whether a moment can follow the only consequence of its sentence: 'it heals 1 when it takes down …'."""
    is_only = len(draft.kinds) == len(draft.consequences) == 1
    is_free = is_only and "when" not in draft.changes[0]
    return kind == "when" and is_free and not draft.leads_on and draft.context.price != "reaction"


# What can be as much as a roll before it: 'remove that many damage points'.
_ROLLED_AMOUNTS = ("deal", "heal", "bonus_move", "shift")
# What is true until the battle ends has no other end.
BATTLE = "battle"


def finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    is_open = draft.has_open_frame or draft.waiting or draft.awaits_end
    unclear_if(is_open, "a condition of nothing, or what lasts without an end")
    unclear_if(draft.needs_end and not (draft.span or draft.has_end), "for how long")
    unclear_if(draft.is_during_attack and {*draft.kinds} & {*OF_ATTACKS}, "during that attack, or after it")
    if draft.per:
        draft.count_last(draft.per)
    needs_consequence = draft.frame.keys() & {"while", "when"} or draft.scope
    if draft.is_nothing and not draft.changes:
        return []
    unclear_if(not draft.changes or (needs_consequence and not draft.consequences), "nothing happens")
    _end_with_attack(draft)
    if not draft.context.dice and any(ROLLED in (each.get(key) for key in _ROLLED_AMOUNTS) for each in draft.changes):
        unclear_if(draft.context.is_known, "what was rolled")
        draft.is_loose = True
    lasting = draft.lasting_changes
    has_open = any(not {"next", "for", "when"} & each.keys() for each in lasting)
    unclear_if(has_open and any("next" in each for each in lasting), "for the next attack, or for longer")
    unclear_if(draft.span and not lasting, "nothing lasts")
    _require_actor(draft)
    for change in _go_on(draft, lasting):
        is_left_open = draft.has_end and not {"for", "pick", "roll", "roll_each"} & change.keys()
        unclear_if(draft.span.keys() & change.keys() or is_left_open, "which of them lasts")
        change |= draft.span
    if draft.has_order:
        unclear_if(not draft.changes, "who goes first in nothing")
        draft.put("goes_first", {"goes_first": "attacker"})
    changes = [_checked_later(draft, each) if any(each is one for one in lasting) else each for each in draft.changes]
    return [{key: value for key, value in each.items() if (key, value) != ("for", BATTLE)} for each in changes]


def _require_actor(draft: Draft) -> None:
    """Raise UnclearError for what is said of 'that attack' or 'that move', but of another than who makes it."""
    for change, kind in draft.pairs:
        names = _numbers_of(change)
        act = change.get("for") or draft.span.get("for", "")
        is_of_act = act == "move" or (kind in OF_ATTACKS and not (names and names <= {*FIGHTER_NUMBERS}))
        actor = draft.context.actors.get(act) if is_of_act and kind in LASTING else None
        unclear_if(actor is not None and actor != change.get("of", SELF), "the action of another")


def _checked_later(draft: Draft, change: Data) -> Data:
    """Return a lasting change whose condition is checked at each attack, as 'while' is, if it can change until the end.

    That is clear after 'until the end of the battle round'; before it, the condition may be one of when it begins.
    """
    if {"next", "when"} & change.keys() or change.get("for") in (None, "attack", "move"):
        return change
    if draft.narrowed and not is_settled(draft.narrowed) and "aura" not in draft.narrowed:
        of = change.get("of")
        if not isinstance(of, dict) or not draft.narrowed.items() <= of.items():
            return change
        group = {key: value for key, value in of.items() if key not in draft.narrowed}
        return {**change, "of": group, "while": state_of(draft.narrowed, EACH)}
    of = change.get("of")
    # Those in cover now, or whoever is in cover later: the words say neither.
    draft.is_loose |= isinstance(of, dict) and bool(of.keys() & CHANGING) and not draft.is_of_now
    conditions = [key for key in ("if", "unless") if key in change and not is_settled(change[key])]
    if not conditions or draft.is_of_now:
        return change
    draft.is_loose |= conditions != ["if"] or "while" in change or not draft.span
    if conditions != ["if"] or "while" in change:
        return change
    return {("while" if key == "if" else key): value for key, value in change.items()}


def _end_with_attack(draft: Draft) -> None:
    """End changes of numbers with the attack at whose target they happen; that they do is not said."""
    for change, kind in draft.pairs:
        is_open = not {"for", "next"} & {*change, *draft.span} and not draft.has_end
        if kind == "stats" and draft.context.event == "targeted" and is_open:
            change["for"] = "attack"
            draft.is_loose = True


def _go_on(draft: Draft, lasting: list[Data]) -> list[Data]:
    """Return the changes that the end is for; after 'in addition', it is that of the sentence before."""
    if not (draft.goes_on and draft.context.end) or draft.span or draft.has_end:
        return lasting
    draft.span = {"for": draft.context.end}
    return [each for each in lasting if not {"for", "when"} & each.keys()]


def context_after(draft: Draft, changes: tuple[Change, ...]) -> Context:
    """Return what a sentence says to the next one: its condition, and how long its changes last."""
    ends = {each.span for each in changes if each.span not in (None, "attack", "move")}
    end = ends.pop() if len(ends) == 1 else ""
    condition: Data = draft.changes[-1].get("if", {}) if draft.consequences else {}
    return replace(draft.context, condition=condition, end=end or "")


PARTIES = (SELF, PICKED, ROLLED, SUBJECT, "attacker", "target")


@adds("until", "next")
def add_until(draft: Draft, kind: str, part: Data) -> None:
    """Add how long something lasts: for what follows, or at the end, for what came before."""
    moment = {} if draft.consequences else draft.frame.get("when", {})
    draft.is_during_attack |= part.pop("this", False) and _is_next_attack_on(moment)
    whose = _owner_of_end(draft, part.pop("whose", IT if "next" in part else SELF))
    if "next" in part:
        unclear_if(draft.consequences and whose != draft.party_before, "whose next action")
    else:
        is_of_enemy = whose == PICKED and draft.context.event.startswith("enemy")
        unclear_if(whose not in (SELF, SUBJECT) and not is_of_enemy, "whose end")
    if part.get("for") == "same":
        part = {"for": draft.last_end}
    if part.get("for") in ("move", "action"):
        # Whether 'that action' is an attack or a move.
        is_attack = draft.context.event in (*ATTACKER_EVENTS, *OWN_ATTACKS)
        action = draft.context.action or ("attack" if is_attack else "")
        unclear_if(not action or part["for"] not in ("action", action), "which action")
        part = {"for": action}
    before = [change for change, kind in draft.pairs if kind in LASTING and not part.keys() & change.keys()]
    has_any = any("chooses" not in each for each in draft.consequences)
    if not has_any:
        before = [draft.span]
    unclear_if(not before or draft.span.keys() & part.keys(), "nothing lasts")
    for each in before:
        each |= part
    draft.last_end = part.get("for", draft.last_end)
    draft.has_end |= has_any


def _owner_of_end(draft: Draft, who: Any) -> Any:
    """Return whose activation or action ends something; 'its' is that of the fighter that is affected."""
    if who == "that":
        unclear_if(draft.context.is_of_other_activation, "which activation")
        return SELF
    unclear_if(isinstance(who, dict), "whose of them")
    return draft.party_before if who == IT else draft.resolve(who)


@adds("if", "unless", "while")
def add_condition(draft: Draft, kind: str, part: Data) -> None:
    """Add a condition: of what follows, or at the end, of what came before."""
    draft.is_of_now |= part.pop("now", False)
    state, kind = _state(part["is"], kind)
    unclear_if("felled" in state and (draft.context.action != "attack" or kind != "if"), "which attack")
    party = draft.condition_party(kind, part["is"].get("who", []))
    unclear_if(party == SELF and "visible" in state, "visible to itself")
    if party == GROUP:
        draft.narrow_last(state, kind)
        return
    unclear_if(
        kind in draft.frame or ("down" in state and party not in (PICKED, ROLLED, "attacker", "target")),
        "two conditions, or a moment",
    )
    is_open = draft.waiting and party == SELF
    if kind == "if" and party == SELF:
        draft.know(near_enemy=state.get("enemy_within", 0))
    draft.frame[kind] = state if is_open else state_of(state, party)
    draft.has_open_frame = True
    if draft.consequences and not draft.leads_on:
        before = draft.consequences
        is_of_one = {*draft.kinds} == {"stats"} and all(each.get("of") == before[0].get("of") for each in before)
        unclear_if(len(before) > 1 and (not is_of_one or any(kind in each for each in before)), "condition of several")
        condition = draft.frame.pop(kind)
        for each in before:
            each[kind] = condition
        draft.has_condition, draft.has_open_frame = True, False
    elif part["is"].get("who") and party != draft.context.subject and party in PARTIES:
        draft.know(subject=SEVERAL)  # 'It' is the one of the condition, or the one before.


def _state(part: Data, kind: str) -> tuple[Data, str]:
    """Return what must be true, and the key that says so; what must not be is the 'unless' of one thing."""
    state = {key: value for key, value in part.items() if key not in ("who", "not")}
    if "rounds" in state:
        state["rounds"] = state["rounds"]["rounds"]
    if "runemarks" in state:
        state["runemarks"] = state["runemarks"]["marks"]
    if "within" in state and "to" not in state:
        state["aura"] = "stay"
    if part.get("not") and kind == "while" and state.keys() == {"friend_within"}:
        return {"no_friend_within": state["friend_within"]}, kind
    if part.get("not") or kind == "unless":
        unclear_if(len(state) > 1 or kind == "while" or (part.get("not") and kind == "unless"), "not all of it")
        kind = "unless"
    return state, kind


@adds("instead")
def add_instead(draft: Draft, kind: str, part: Data) -> None:
    """Add what happens instead of the consequence before, under a condition: '+1 Strength, or +2 if …'."""
    state, key = _state(part["is"], "if")
    party = draft.condition_party("if", part["is"].get("who", []))
    unclear_if(key != "if" or len(state) > 1, "instead of what")
    amend(draft, state_of(state, EACH if party == GROUP else party), amount(part["n"]))


@adds("only_if", "not_if")
def add_use(draft: Draft, kind: str, part: Data) -> None:
    """Add when an ability can be used."""
    unclear_if(draft.has_open_frame or draft.waiting or (draft.leads_on and draft.consequences), "a use between")
    unclear_if(
        part.get("rule", "rule") == ("ability" if draft.context.price == "reaction" else "reaction"), "another rule"
    )
    who = {draft.resolve(each) for each in part["is"].get("who", []) if each != "elided"}
    state, _ = _state(part["is"], kind)
    unclear_if(part["is"].get("not") or "within" in state or not who <= {SELF}, "not of the user")
    draft.put(kind, {kind: state})


@adds("on_roll")
def add_faces(draft: Draft, kind: str, part: Data) -> None:
    """Add the faces of the dice for which something happens, or those that are left."""
    if part.pop("rolls", 0) and not draft.context.dice:
        add_roll(draft, "roll", {"roll": 1})
    dice = draft.context.dice
    if part.get("face") == "other" and not draft.context.faces and _add_otherwise(draft):
        return
    if not dice and draft.context.is_known:
        _roll_first(draft, part)
        dice = 1
    draft.is_loose |= not dice or (dice not in (1, "2d6") and not part.get("each"))
    wanted = _wanted(draft, part)
    unclear_if(dice != "2d6" and wanted in HIGH_FACES, "no such faces")
    draft.know(faces=(*draft.context.faces, wanted))
    if draft.consequences and not draft.leads_on and "on_roll" not in draft.changes[-1]:
        unclear_if(len(draft.consequences) > 1, "faces for several")
        draft.changes[-1]["on_roll"] = wanted
        draft.has_condition = True
        return
    unclear_if(draft.has_open_frame, "faces for nothing")
    draft.frame["on_roll"] = wanted
    draft.has_open_frame = True


def _roll_first(draft: Draft, part: Data) -> None:
    """Add the roll that a consequence with faces leaves out: 'each enemy within 3" suffers D3 damage on a 4+'."""
    last = draft.changes[-1] if len(draft.consequences) == 1 else {}
    unclear_if(
        not {"deal", "heal"} & last.keys() or "when" in last or draft.frame or part.get("each") or draft.leads_on,
        "no dice",
    )
    of = last.get("of")
    draft.changes.insert(-1, {"roll_each": of} if isinstance(of, dict) else {"roll": 1})
    draft.kinds.insert(-1, "roll_each" if isinstance(of, dict) else "roll")
    if isinstance(of, dict):
        last["of"] = ROLLED
        draft.know(subject=ROLLED, has_rolled_each=True)
    draft.know(dice=1)


def _add_otherwise(draft: Draft) -> bool:
    """Turn the condition of the last consequence round: 'if …, it has +1 Move; otherwise it has −1 Move'."""
    before = draft.changes[-1].get("if") if draft.consequences else draft.context.condition
    if not before or len(before.keys() - {"of"}) > 1 or draft.frame.keys() - {"if"}:
        return False
    draft.frame = {"unless": before}
    draft.has_condition = False
    return True


def _wanted(draft: Draft, part: Data) -> str:
    """Return the faces of a clause: those that it names, those that are left, or a comparison with a Toughness."""
    if "than" in part and "whose" not in part:
        return f"{part['than']}-value"
    if "whose" in part:
        draft.measured = part["whose"]
        if draft.measured != EACH and (draft.measured != IT or draft.context.subject != SELF):
            draft.measured = draft.party_of(draft.measured)
        return str(part.get("compare") or f"{part['than']}-toughness")
    if "compare" in part:
        return str(part["compare"])
    if part["face"] != "other":
        return faces(part["face"])
    unclear_if(not draft.context.is_known, "faces of a sentence that was not read")
    return other_faces(draft.context.faces)


@adds("scope")
def add_scope(draft: Draft, kind: str, part: Data) -> None:
    """Add the attacks that a change of characteristics is for: 'when it attacks an enemy in cover'."""
    unclear_if(draft.scope, "two attacks")
    unclear_if(isinstance(part["of"], dict) and "chosen" in part["of"], "one of them, or any")
    if part["of"] == "owner":
        part["of"] = draft.changes[-1].get("of", SELF) if draft.consequences else SELF
    if draft.consequences and isinstance(part["of"], dict):
        _add_late_scope(draft, part)
    elif draft.consequences:
        _add_late_scope(draft, {**part, "of": draft.resolve(part["of"])})
    else:
        draft.scope = {**part, "of": draft.party_of(part["of"])}


def _add_late_scope(draft: Draft, scope: Data) -> None:
    """Add the attacks that the only change before is for: '… each time it makes a melee attack'."""
    last = draft.changes[-1]
    names = _numbers_of(last)
    is_for_attacks = names <= {*WEAPON_NUMBERS}
    named = {key for key, value in scope.items() if (key, value) != ("weapon", "any")} - {"of"}
    is_open = not {"target", "incoming", *named} & last.keys()
    unclear_if(len(draft.consequences) > 1 or draft.kinds[-1] not in OF_ATTACKS or draft.leads_on, "late attack")
    unclear_if(not (is_for_attacks and is_open) or last.get("of", SELF) != scope["of"], "not of that attack")
    aim_at(last, {key: value for key, value in scope.items() if key != "of"})
