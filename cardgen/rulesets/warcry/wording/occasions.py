"""Moments: when a reaction can be made, and when something happens."""

from __future__ import annotations

from dataclasses import replace

from cardgen.rulesets.warcry.wording.draft import (
    GROUP,
    IT,
    PICKED,
    SELF,
    SEVERAL,
    SUBJECT,
    Draft,
    consequences,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.values import Data, UnclearError

ENEMY_EVENTS = (
    "enemy-move",
    "enemy-disengage",
    "enemy-wait",
    "enemy-activation",
    "enemy-ability",
    "enemy-falls",
    "takes-down",
)
# Moments of the battle: they are about no fighter, so 'it' is still whoever was named before them.
PHASES = ("battle-start", "deployment", "initiative", "next-round", "round-start", "round-end")


def add_moment(draft: Draft, kind: str, part: Data) -> None:
    """Add when a reaction can be made, or when something happens."""
    is_late = not {*draft.kinds} <= {"only_if", "not_if"}
    if kind in draft.frame or (is_late and not _can_wait(draft, kind)):
        raise UnclearError("late moment")
    part = part["is"]
    is_of_group = part.get("of") == IT and draft.context.subject == GROUP
    if part.get("of") == IT:
        part["of"] = _moment_subject(draft, is_late=is_late)
    part = _moment_data(draft, part)
    if is_late:
        _add_late(draft, part, is_of_group=is_of_group)
        return
    if kind == "reacts" and not draft.context.price:
        draft.context = replace(draft.context, price="reaction")
    _set_context(draft, part)
    if kind == "reacts" or (kind == "when" and draft.context.price == "reaction"):
        draft.changes.append({"reacts": part})
        draft.kinds.append("reacts")
    else:
        draft.frame["when"] = part


def _moment_data(draft: Draft, part: Data) -> Data:
    """Return the data of a moment; 'the first time' needs to be in an activation or battle round."""
    if part.get("first") == "ever":
        if not draft.span:
            raise UnclearError("the first time of which")
        part["first"] = True
    if part.pop("visible", False):
        part["enemy"] = {**part["enemy"], "visible": True}
    if "rounds" in part:
        part["rounds"] = part["rounds"]["rounds"]
    if "near" in part:
        part["enemy"] = {**part["enemy"], **part.pop("near")}
    part |= {key: resolve_group(draft, part[key]) for key in ("enemy", "of") if isinstance(part.get(key), dict)}
    if part.get("enemy") == {"side": "enemy"}:
        del part["enemy"]
    if "for" in part:
        draft.span["for"] = part.pop("for")
    return part


def _set_context(draft: Draft, moment: Data) -> None:
    """Set who is 'it' and 'that enemy' after a moment."""
    event = moment["event"]
    if event in PHASES:  # Who belongs to a group, or was meant by 'it' of two, may have changed until then.
        subject = SEVERAL if draft.context.subject == GROUP else draft.context.subject
        draft.context = replace(draft.context, subject=subject, event=event, is_of_friend=False, is_of_enemy=False)
        return
    subject = PICKED if event.startswith("enemy") and event != "enemy-falls" else SELF
    is_of_friend = moment.get("of", SELF) != SELF
    if subject == SELF and draft.context.picked:  # 'It' is the one of the moment, or the one picked before.
        subject = SEVERAL
    if is_of_friend:  # In an ability, 'it' is that friend, or the user.
        subject = SEVERAL if draft.context.price else SUBJECT
    picked = "enemy" if event in ENEMY_EVENTS or "enemy" in moment else ""
    draft.context = replace(
        draft.context, subject=subject, has_subject=True, picked=picked, event=event, is_of_friend=is_of_friend
    )
    draft.context = replace(draft.context, is_of_enemy=subject == PICKED)


def _add_late(draft: Draft, part: Data, *, is_of_group: bool) -> None:
    """Add a moment after its consequence; that of 'they' is about each of them, and so is the consequence."""
    change = draft.changes[-1]
    change["when"] = part
    if is_of_group:
        change["of"] = SUBJECT
    draft.has_condition = True


def _moment_subject(draft: Draft, *, is_late: bool) -> str | Data:
    """Return whom 'when it takes down an enemy' is about: the user, or the group of the consequence before."""
    if draft.context.subject == SELF:
        return SELF
    group = draft.context.group
    if not is_late or draft.context.subject != GROUP or group.get("side") != "friend":
        raise UnclearError("whose moment")
    return "friend" if group == {"side": "friend"} else group


def _can_wait(draft: Draft, kind: str) -> bool:
    """Return whether a moment can follow the only consequence of its sentence: 'it heals 1 when it takes down …'."""
    is_only = len(draft.kinds) == len(consequences(draft)) == 1
    is_free = is_only and "when" not in draft.changes[0]
    return kind == "when" and is_free and not draft.leads_on and draft.context.price != "reaction"
