"""What sentences of rules mean: the clauses of a sentence as changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from cardgen.game import Meaning
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import HIGH_FACES
from cardgen.rulesets.warcry.wording.draft import (
    ATTACKER_EVENTS,
    IT,
    LASTING,
    PICKED,
    ROLLED,
    SELF,
    Context,
    Draft,
    append,
    consequences,
    lasting_changes,
    resolve,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, amount, consequence_data, faces, plain

STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
# Parts of a clause that are its own when it is read.
_NESTED = frozenset(("change", "attacks", "lowest", "action", "ban"))
DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
ENEMY_EVENTS = ("enemy-move", "enemy-disengage", "enemy-wait", "takes-down")
TARGET_EVENTS = ("attacks",)


def interpret(
    parts: Iterable[tuple[Meaning, bool]], context: Context
) -> Iterator[tuple[tuple[Change, ...], Context, bool]]:
    """Yield what the clauses of a sentence mean together, the context after it, and whether that is loose.

    Each clause comes with whether a word such as 'and' leads on to it.
    """
    draft = Draft(context)
    try:
        for meaning, leads_on in parts:
            draft.leads_on = leads_on
            _add(draft, plain(meaning))
        changes = tuple(Change.model_validate(each) for each in _finish(draft))
    except (UnclearError, ValidationError):
        return
    if changes:
        yield changes, draft.context, draft.is_loose


def _add(draft: Draft, part: Data) -> None:
    kind = part.pop("kind", "")
    if kind not in _ADD:
        for key in _NESTED & part.keys():
            part |= part.pop(key)
    if kind:
        _ADD.get(kind, _add_consequence)(draft, kind, part)


def _add_until(draft: Draft, kind: str, part: Data) -> None:
    """Add how long something lasts: for what follows, or at the end, for what came before."""
    whose = resolve(draft, part.pop("whose", SELF))
    if whose != SELF and not (whose == PICKED and draft.context.event.startswith("enemy")):
        raise UnclearError("whose end")
    if part.get("for") == "same":
        part = {"for": draft.last_end}
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


def _add_condition(draft: Draft, kind: str, part: Data) -> None:
    who = part["is"].pop("who", ())
    if "rounds" in part["is"]:
        part["is"]["rounds"] = part["is"]["rounds"]["rounds"]
    if draft.context.subject != SELF and IT in who:
        raise UnclearError("whose condition")
    if kind in draft.frame:
        raise UnclearError("two conditions")
    draft.frame[kind] = part["is"]
    if (number := len(consequences(draft))) and not draft.leads_on:
        if number > 1:
            raise UnclearError("condition of several")
        draft.changes[-1][kind] = draft.frame.pop(kind)
        draft.has_condition = True


def _add_moment(draft: Draft, kind: str, part: Data) -> None:
    if any(each != "only_if" for each in draft.kinds) or kind in draft.frame:
        raise UnclearError("late moment")
    part = part["is"]
    if part.pop("visible", False):
        part["enemy"] = {**part["enemy"], "visible": True}
    if "rounds" in part:
        part["rounds"] = part["rounds"]["rounds"]
    if part.get("enemy") == {"side": "enemy"}:
        del part["enemy"]
    event = part["event"]
    subject = PICKED if event.startswith("enemy") else SELF
    draft.context = replace(
        draft.context, subject=subject, has_subject=True, picked="enemy" if event in ENEMY_EVENTS else "", event=event
    )
    if kind == "reacts" or (kind == "when" and draft.context.price == "reaction"):
        kind = "reacts"
        draft.changes.append({"reacts": part})
        draft.kinds.append(kind)
    else:
        draft.frame["when"] = part


def _add_use(draft: Draft, kind: str, part: Data) -> None:
    if draft.changes or draft.frame:
        raise UnclearError("late use")
    part["is"].pop("who", None)
    if "rounds" in part["is"]:
        part["is"]["rounds"] = part["is"]["rounds"]["rounds"]
    draft.changes.append({"only_if": part["is"]})
    draft.kinds.append(kind)


def _add_faces(draft: Draft, kind: str, part: Data) -> None:
    dice = draft.context.dice
    if not dice and draft.context.is_known:
        raise UnclearError("no dice")
    draft.is_loose |= not dice or (dice not in (1, "2d6") and not part.get("each"))
    draft.frame["on_roll"] = faces(part["face"])
    if dice != "2d6" and draft.frame["on_roll"] in HIGH_FACES:
        raise UnclearError("no such faces")


def _add_pick(draft: Draft, kind: str, part: Data) -> None:
    picked = resolve_group(draft, part["pick"])
    draft.context = replace(draft.context, subject=PICKED, has_subject=True, picked=picked["side"])
    append(draft, kind, {**part, "pick": picked})


def _add_roll(draft: Draft, kind: str, part: Data) -> None:
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    if isinstance(number, str) and number not in DICE_COUNTS:
        raise UnclearError("other dice")
    draft.context = replace(draft.context, dice=number)
    append(draft, kind, {**part, "roll": number})


def _add_rolls(draft: Draft, kind: str, part: Data) -> None:
    """Add a die for each fighter of a group, for each one that was picked, or for each set of ability dice."""
    whom = part["roll_each"]
    if part.pop("n", 1) not in (1, "1d6") or (whom == PICKED and not draft.context.picked):
        raise UnclearError("several dice each, or nobody to roll for")
    draft.context = replace(draft.context, subject=ROLLED, has_subject=True, has_rolled_each=True, dice=1)
    append(draft, kind, {**part, "roll_each": whom if isinstance(whom, str) else resolve_group(draft, whom)})


def _add_lowest(draft: Draft, kind: str, part: Data) -> None:
    if not draft.kinds or draft.kinds[-1] not in ("stats", "impact", "healing"):
        raise UnclearError("lowest of what")
    draft.changes[-1] |= part["is"]


def _add_per(draft: Draft, kind: str, part: Data) -> None:
    if not draft.kinds or draft.kinds[-1] not in ("stats", "deal", "heal", "save_wild"):
        raise UnclearError("what for each")
    per = part["per"]
    draft.changes[-1]["per"] = per if isinstance(per, str) else resolve_group(draft, per)


def _add_consequence(draft: Draft, kind: str, part: Data) -> None:
    if draft.has_condition:
        raise UnclearError("a condition between consequences")
    if "of" in part:
        part["of"] = _party(draft, part["of"])
    elif kind == "bonus":
        part["of"] = draft.context.subject
    append(draft, _KINDS.get(kind, kind), consequence_data(kind, part))


_KINDS = {"add": "stats", "subtract": "stats"}


def _party(draft: Draft, who: Any) -> Any:
    """Return whom a consequence is for, and remember it as the one that 'it' stands for."""
    if isinstance(who, dict) and "chosen" in who:
        if resolve_group(draft, who["chosen"]) == {"side": "fighter"}:
            raise UnclearError("any fighter")
        _add_pick(draft, "pick", {"pick": who["chosen"]})
        who = PICKED
    if isinstance(who, dict):
        return resolve_group(draft, who)
    who = resolve(draft, who)
    who, _, side = who.partition("-")
    allowed = {
        SELF: True,
        PICKED: side in ("", draft.context.picked) if draft.context.picked else False,
        ROLLED: draft.context.has_rolled_each,
        "attacker": draft.context.event in ATTACKER_EVENTS,
        "target": draft.context.event in TARGET_EVENTS,
    }
    if not allowed[who]:
        if draft.context.is_known:
            raise UnclearError("nobody that it refers to")
        draft.is_loose = True
    draft.context = replace(draft.context, subject=who, has_subject=True)
    return who


def _finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    if not draft.changes or (draft.frame.keys() - {"on_roll"} and not consequences(draft)):
        raise UnclearError("nothing happens")
    lasting = lasting_changes(draft)
    if draft.span and not lasting:
        raise UnclearError("nothing lasts")
    for change in lasting:
        if draft.span.keys() & change.keys() or (draft.has_end and "for" not in change):
            raise UnclearError("which of them lasts")
        change |= draft.span
    return draft.changes


_ADD = {
    "until": _add_until,
    "next": _add_until,
    "if": _add_condition,
    "while": _add_condition,
    "reacts": _add_moment,
    "when": _add_moment,
    "only_if": _add_use,
    "on_roll": _add_faces,
    "pick": _add_pick,
    "roll": _add_roll,
    "roll_each": _add_rolls,
    "lowest": _add_lowest,
    "per": _add_per,
}
