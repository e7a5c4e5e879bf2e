"""Whom a clause is for, and the fighters that a condition is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardgen.rulesets.warcry.selections import State
from cardgen.rulesets.warcry.wording.draft import (
    GROUP,
    HAVE_ATTACKER,
    IT,
    PICKED,
    ROLLED,
    SELF,
    SEVERAL,
    SUBJECT,
    Draft,
    append,
    consequences,
    group_again,
    resolve,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.values import Data, UnclearError

TARGET_EVENTS = ("attacks",)
# A condition whose fighter is left out: 'while in cover'.
ELIDED = "elided"
LEADER = "leader"
# Each fighter of a group, as one that a condition is about.
EACH = "each"
# What a group can say of its fighters.
_OF_GROUPS = frozenset((*State.model_fields, "within", "aura", "to", "to_mark"))


def add_pick(draft: Draft, picked: Data, **others: Any) -> None:
    """Add a pick; the fighter picked is the one that 'it' stands for."""
    draft.context = replace(
        draft.context,
        subject=PICKED,
        has_subject=True,
        names_fighter=True,
        picked=picked["side"],
        group={},  # 'One of them' is one that was picked, which no change can say.
        near_enemy=0,
        picked_on=draft.frame.get("on_roll", ""),
        is_of_friend=False,
        is_of_enemy=False,
    )
    append(draft, "pick", {**others, "pick": picked})


def party_of(draft: Draft, who: Any) -> Any:
    """Return whom a consequence is for, and remember it as the one that 'it' stands for."""
    if isinstance(who, dict) and "same" in who:
        add_pick(draft, group_again(draft, who["same"]))
        return PICKED
    if isinstance(who, dict) and "chosen" in who:
        picked = resolve_group(draft, who["chosen"])
        if picked == {"side": "fighter"}:
            raise UnclearError("any fighter")
        add_pick(draft, picked)
        return PICKED
    if isinstance(who, dict):
        group = resolve_group(draft, who)
        if "another" in group and consequences(draft) and draft.context.subject == GROUP:
            draft.is_loose |= group != draft.context.group  # Other than those, or than the user.
        draft.context = replace(draft.context, subject=GROUP, has_subject=True, names_fighter=True, group=group)
        return group
    return _named(draft, who)


def _named(draft: Draft, who: str) -> Any:
    """Return a party that is named by a word, or the group that 'they' stands for."""
    if who == "picked-enemy" and draft.context.near_enemy and not draft.context.picked:
        settle(draft, SELF)
        add_pick(draft, {"side": "enemy", "within": draft.context.near_enemy})
        return PICKED
    who, _, side = resolve(draft, who).partition("-")
    if who == LEADER:
        return party_of(draft, {"side": "friend", "leader": True})
    if who == GROUP:
        return draft.context.group
    _require(draft, who, side)
    draft.context = replace(draft.context, subject=who, has_subject=True, names_fighter=True)
    return who


def _require(draft: Draft, who: str, side: str = "") -> None:
    """Raise UnclearError if nobody was named that a word refers to; it may be in a sentence that was not read."""
    faces = draft.frame.get("on_roll", "")
    if who == PICKED and draft.context.picked_on and faces not in ("", draft.context.picked_on):
        raise UnclearError("picked on other faces")
    allowed = {
        SELF: True,
        LEADER: True,
        SUBJECT: draft.context.is_of_friend,
        PICKED: side in ("", draft.context.picked) if draft.context.picked else False,
        ROLLED: draft.context.has_rolled_each,
        "attacker": draft.context.event in HAVE_ATTACKER,
        "target": draft.context.event in TARGET_EVENTS,
    }
    if not allowed.get(who):
        if draft.context.is_known:
            raise UnclearError("nobody that it refers to")
        draft.is_loose = True


def parties_of(draft: Draft, who: Any) -> list[Any]:
    """Return the parties of a clause: one, or each of 'this fighter and each friendly fighter'."""
    if not (isinstance(who, dict) and "all" in who):
        return [party_of(draft, who)]
    parties = [party_of(draft, each) for each in who["all"]]
    if SELF in parties:  # 'This fighter and each friend' are not twice the same.
        parties = [_except_self(party) for party in parties]
    if PICKED in parties:  # Nor are 'that enemy and each enemy within 2" of it'.
        parties = [_except_picked(party) for party in parties]
    if draft.waiting:
        raise UnclearError("condition of several")
    if len({str(party) for party in parties}) < len(parties):
        raise UnclearError("the same party twice")
    draft.context = replace(draft.context, subject=SEVERAL, group={})
    return parties


def _except_self(party: Any) -> Any:
    """Return a group without the fighter that uses the rule."""
    return {**party, "another": True} if isinstance(party, dict) and party["side"] != "enemy" else party


def _except_picked(party: Any) -> Any:
    """Return a group around the picked fighter without that fighter."""
    return {**party, "unpicked": True} if isinstance(party, dict) and party.get("to") == PICKED else party


def condition_party(draft: Draft, kind: str, who: list[str]) -> str:
    """Return whom a condition is about; one that is still to come sets `waiting` of the draft."""
    if len(set(who)) > 1:
        raise UnclearError("conditions of several")
    is_first = not consequences(draft) and not draft.waiting
    name = who[0] if who else SELF
    if name == ELIDED and not is_first:
        name = IT
    if name in (ELIDED, EACH) or (name == IT and is_first and draft.context.subject == SELF):
        if not is_first:
            return EACH
        draft.waiting = kind
        return EACH if name == EACH else SELF
    party, _, side = resolve(draft, name).partition("-")
    if party != GROUP:
        _require(draft, party, side)
    return party


def narrow_last(draft: Draft, state: Data, kind: str) -> None:
    """Add a condition to the group of the consequence before it: 'enemies cannot move while they are in cover'."""
    last = draft.changes[-1] if consequences(draft) else {}
    if draft.leads_on or len(consequences(draft)) != 1 or not isinstance(last.get("of"), dict) or kind in last:
        raise UnclearError("condition of several")
    if _can_narrow(last["of"], state, kind):
        last["of"] = {**last["of"], **state}
    else:
        last[kind] = state_of(state, EACH)
    draft.context = replace(draft.context, group=last["of"])
    draft.has_condition = True


def settle(draft: Draft, party: Any) -> Any:
    """Return a party with the condition that waited for it, or give the condition that party."""
    if not draft.waiting:
        return party
    key, draft.waiting = draft.waiting, ""
    state = draft.frame[key]
    if not isinstance(party, dict):
        if state.get("of") == EACH:
            raise UnclearError("the fighter of no group")
        draft.frame[key] = state_of(state, party)
        return party
    draft.has_condition = True
    if not _can_narrow(party, state, key):
        draft.frame[key] = state_of(state, EACH)
        return party
    group = {**party, **draft.frame.pop(key)}
    draft.context = replace(draft.context, group=group)
    return group


def state_of(state: Data, party: str) -> Data:
    """Return a condition of a party."""
    if party == SELF and "within" in state:
        raise UnclearError("within which distance of itself")
    named = {"of": party} if party != SELF else {}
    return {**{key: value for key, value in state.items() if key != "aura"}, **named}


def _can_narrow(group: Data, state: Data, kind: str) -> bool:
    """Return whether a group can say a condition of its fighters."""
    return kind != "unless" and not group.keys() & state.keys() and state.keys() <= _OF_GROUPS
