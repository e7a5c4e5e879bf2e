"""When things happen, and for how long: the clauses around the consequences of a sentence."""

from __future__ import annotations

from dataclasses import replace

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import HIGH_FACES
from cardgen.rulesets.warcry.wording.again import MULTIPLES, OF_ATTACKS, aim_at, amend
from cardgen.rulesets.warcry.wording.draft import (
    ATTACKER_EVENTS,
    GROUP,
    IT,
    LASTING,
    OWN_ATTACKS,
    PICKED,
    ROLLED,
    SELF,
    SEVERAL,
    SUBJECT,
    Draft,
    consequences,
    resolve,
)
from cardgen.rulesets.warcry.wording.parties import EACH, condition_party, narrow_last, party_of, state_of
from cardgen.rulesets.warcry.wording.preparation import add_roll
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, amount, faces, other_faces

PARTIES = (SELF, PICKED, ROLLED, SUBJECT, "attacker", "target")
STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS


def add_until(draft: Draft, kind: str, part: Data) -> None:
    """Add how long something lasts: for what follows, or at the end, for what came before."""
    whose = resolve(draft, part.pop("whose", SELF))
    if whose not in (SELF, SUBJECT) and not (whose == PICKED and draft.context.event.startswith("enemy")):
        raise UnclearError("whose end")
    if part.get("for") == "same":
        part = {"for": draft.last_end}
    if part.get("for") in ("move", "action"):
        part = {"for": _action_before(draft, part["for"])}
    before = [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind in LASTING and not part.keys() & change.keys()
    ]
    if not consequences(draft):
        before = [draft.span]
    if not before or draft.span.keys() & part.keys():
        raise UnclearError("nothing lasts")
    for each in before:
        each |= part
    draft.last_end = part.get("for", draft.last_end)
    draft.has_end |= bool(consequences(draft))


def _action_before(draft: Draft, wanted: str) -> str:
    """Return whether 'that action' is an attack or a move."""
    is_attack = draft.context.event in (*ATTACKER_EVENTS, *OWN_ATTACKS)
    action = draft.context.action or ("attack" if is_attack else "")
    if not action or wanted not in ("action", action):
        raise UnclearError("which action")
    return action


def add_condition(draft: Draft, kind: str, part: Data) -> None:
    """Add a condition: of what follows, or at the end, of what came before."""
    state, kind = _state(part["is"], kind)
    if "felled" in state and (draft.context.action != "attack" or kind != "if"):
        raise UnclearError("which attack")
    party = condition_party(draft, kind, part["is"].get("who", []))
    if party == SELF and "visible" in state:
        raise UnclearError("visible to itself")
    if party == GROUP:
        narrow_last(draft, state, kind)
        return
    if kind in draft.frame or ("down" in state and party not in (PICKED, ROLLED, "attacker", "target")):
        raise UnclearError("two conditions, or a moment")
    is_open = draft.waiting and party == SELF
    if kind == "if" and party == SELF:
        draft.context = replace(draft.context, near_enemy=state.get("enemy_within", 0))
    draft.frame[kind] = state if is_open else state_of(state, party)
    draft.has_open_frame = True
    if consequences(draft) and not draft.leads_on:
        _add_late_condition(draft, kind)
    elif part["is"].get("who") and party != draft.context.subject and party in PARTIES:
        draft.context = replace(draft.context, subject=SEVERAL)  # 'It' is the one of the condition, or the one before.


def _add_late_condition(draft: Draft, kind: str) -> None:
    """Add a condition to the only consequence before it, or to several changes of numbers of the same fighter."""
    before = consequences(draft)
    is_of_one = {*draft.kinds} == {"stats"} and all(each.get("of") == before[0].get("of") for each in before)
    if len(before) > 1 and (not is_of_one or any(kind in each for each in before)):
        raise UnclearError("condition of several")
    condition = draft.frame.pop(kind)
    for each in before:
        each[kind] = condition
    draft.has_condition, draft.has_open_frame = True, False


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
        if len(state) > 1 or kind == "while" or (part.get("not") and kind == "unless"):
            raise UnclearError("not all of it")
        kind = "unless"
    return state, kind


def add_instead(draft: Draft, kind: str, part: Data) -> None:
    """Add what happens instead of the consequence before, under a condition: '+1 Strength, or +2 if …'."""
    state, key = _state(part["is"], "if")
    party = condition_party(draft, "if", part["is"].get("who", []))
    if key != "if" or len(state) > 1:
        raise UnclearError("instead of what")
    amend(draft, state_of(state, EACH if party == GROUP else party), amount(part["n"]))


def add_use(draft: Draft, kind: str, part: Data) -> None:
    """Add when an ability can be used."""
    if draft.has_open_frame or draft.waiting or (draft.leads_on and consequences(draft)):
        raise UnclearError("a use between")
    if part.get("rule", "rule") == ("ability" if draft.context.price == "reaction" else "reaction"):
        raise UnclearError("another rule")
    who = {resolve(draft, each) for each in part["is"].get("who", []) if each != "elided"}
    state, _ = _state(part["is"], kind)
    if part["is"].get("not") or "within" in state or not who <= {SELF}:
        raise UnclearError("not of the user")
    draft.changes.append({kind: state})
    draft.kinds.append(kind)


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
    if dice != "2d6" and wanted in HIGH_FACES:
        raise UnclearError("no such faces")
    draft.context = replace(draft.context, faces=wanted)
    if consequences(draft) and not draft.leads_on and "on_roll" not in draft.changes[-1]:
        _add_faces_before(draft, wanted)
        return
    if draft.has_open_frame:
        raise UnclearError("faces for nothing")
    draft.frame["on_roll"] = wanted
    draft.has_open_frame = True


def _roll_first(draft: Draft, part: Data) -> None:
    """Add the roll that a consequence with faces leaves out: 'each enemy within 3" suffers D3 damage on a 4+'."""
    last = draft.changes[-1] if len(consequences(draft)) == 1 else {}
    if not {"deal", "heal"} & last.keys() or "when" in last or draft.frame or part.get("each") or draft.leads_on:
        raise UnclearError("no dice")
    of = last.get("of")
    draft.changes.insert(-1, {"roll_each": of} if isinstance(of, dict) else {"roll": 1})
    draft.kinds.insert(-1, "roll_each" if isinstance(of, dict) else "roll")
    if isinstance(of, dict):
        last["of"] = ROLLED
        draft.context = replace(draft.context, subject=ROLLED, has_rolled_each=True)
    draft.context = replace(draft.context, dice=1)


def _add_otherwise(draft: Draft) -> bool:
    """Turn the condition of the last consequence round: 'if …, it has +1 Move; otherwise it has −1 Move'."""
    before = draft.changes[-1].get("if") if consequences(draft) else draft.context.condition
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
            draft.measured = party_of(draft, draft.measured)
        return str(part.get("compare") or f"{part['than']}-toughness")
    if "compare" in part:
        return str(part["compare"])
    return other_faces(draft.context.faces) if part["face"] == "other" else faces(part["face"])


def _add_faces_before(draft: Draft, wanted: str) -> None:
    """Add faces to the consequence before them; nothing may follow."""
    if len(consequences(draft)) > 1:
        raise UnclearError("faces for several")
    draft.changes[-1]["on_roll"] = wanted
    draft.has_condition = True


def add_scope(draft: Draft, kind: str, part: Data) -> None:
    """Add the attacks that a change of characteristics is for: 'when it attacks an enemy in cover'."""
    if draft.scope:
        raise UnclearError("two attacks")
    if part["of"] == "owner":
        part["of"] = draft.changes[-1].get("of", SELF) if consequences(draft) else SELF
    if consequences(draft) and isinstance(part["of"], dict):
        _add_late_scope(draft, part)
    elif consequences(draft):
        _add_late_scope(draft, {**part, "of": resolve(draft, part["of"])})
    else:
        draft.scope = {**part, "of": party_of(draft, part["of"])}


def _add_late_scope(draft: Draft, scope: Data) -> None:
    """Add the attacks that the only change before is for: '… each time it makes a melee attack'."""
    last = draft.changes[-1]
    names = {*(last.keys() & {*STATS}), *(name for key in MULTIPLES for name in last.get(key, ()))}
    is_for_attacks = names <= {*Change.WEAPON_FIELDS}
    named = {key for key, value in scope.items() if (key, value) != ("weapon", "any")} - {"of"}
    is_open = not {"target", "incoming", *named} & last.keys()
    if len(consequences(draft)) > 1 or draft.kinds[-1] not in OF_ATTACKS or draft.leads_on:
        raise UnclearError("late attack")
    if not (is_for_attacks and is_open) or last.get("of", SELF) != scope["of"]:
        raise UnclearError("not of that attack")
    aim_at(last, {key: value for key, value in scope.items() if key != "of"})
