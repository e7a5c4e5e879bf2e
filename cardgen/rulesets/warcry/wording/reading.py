"""What sentences of rules mean: the clauses of a sentence as changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from cardgen.game import Features, Meaning, Series
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import FACES, HIGH_FACES

STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
SELF, PICKED, ROLLED, IT = "self", "picked", "rolled", "it"
# What lasts for a while, or is for the next action only.
_NESTED = frozenset(("change", "attacks", "lowest", "action", "ban"))
LASTING = ("stats", "halve", "cannot", "flies")
DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
ENEMY_EVENTS = ("enemy-move", "enemy-disengage", "enemy-wait", "takes-down")
OWN_ATTACKS = ("takes-down", "attacks")
ATTACKER_EVENTS, TARGET_EVENTS = ("targeted", "totaled", "resolved"), ("attacks",)
Data = dict[str, Any]


class UnclearError(ValueError):
    """Clauses that do not go together."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the sentences before say: who is 'it' and 'that fighter', and which dice were rolled.

    `is_known` is false if a sentence before was not read.
    """

    subject: str = SELF
    has_subject: bool = True
    picked: str = ""
    has_rolled_each: bool = False
    dice: int | str = 0
    event: str = ""
    is_known: bool = True
    price: str = ""


@dataclass(slots=True)
class Draft:
    """A sentence in progress: its changes, and what is for those that follow."""

    context: Context
    changes: list[Data] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    frame: Data = field(default_factory=dict)
    is_loose: bool = False
    has_condition: bool = False
    has_end: bool = False
    leads_on: bool = False
    last_end: str = ""
    span: Data = field(default_factory=dict)


def plain(meaning: Meaning) -> Any:
    """Return a meaning as plain data."""
    if isinstance(meaning, Features):
        return {key: plain(value) for key, value in meaning}
    if isinstance(meaning, Series):
        return [plain(each) for each in meaning]
    return meaning


def amount(data: Any) -> Any:
    """Return an amount: a number, a multiple of the value, or dice."""
    if not isinstance(data, dict):
        return data
    die = str(data["die"]).removeprefix("1")
    return f"{die}+{data['plus']}" if "plus" in data else die


def faces(data: Mapping[str, int]) -> str:
    """Return the faces of a die as text."""
    if "plus" in data:
        text = f"{data['plus']}+"
    elif "from" in data:
        text = f"{data['from']}-{data['to']}"
    else:
        text = str(data["exact"])
    text = {"5-6": "5+", "4-6": "4+", "3-6": "3+", "2-6": "2+", "6+": "6"}.get(text, text)
    if text not in FACES:
        raise UnclearError("no such faces")
    return text


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
    whose = _resolve(draft, part.pop("whose", SELF))
    if whose != SELF and not (whose == PICKED and draft.context.event.startswith("enemy")):
        raise UnclearError("whose end")
    if part.get("for") == "same":
        part = {"for": draft.last_end}
    before = [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind in LASTING and not part.keys() & change.keys()
    ]
    if not _consequences(draft):
        before = [draft.span]
    if not before or draft.span.keys() & part.keys():
        raise UnclearError("nothing lasts")
    for each in before:
        each |= part
    draft.last_end = part.get("for", draft.last_end)
    draft.has_end |= bool(_consequences(draft))


def _lasting(draft: Draft) -> list[Data]:
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind in LASTING or ("when" in change and kind not in ("reacts",))
    ]


def _add_condition(draft: Draft, kind: str, part: Data) -> None:
    who = part["is"].pop("who", ())
    if "rounds" in part["is"]:
        part["is"]["rounds"] = part["is"]["rounds"]["rounds"]
    if draft.context.subject != SELF and IT in who:
        raise UnclearError("whose condition")
    if kind in draft.frame:
        raise UnclearError("two conditions")
    draft.frame[kind] = part["is"]
    if (number := len(_consequences(draft))) and not draft.leads_on:
        if number > 1:
            raise UnclearError("condition of several")
        draft.changes[-1][kind] = draft.frame.pop(kind)
        draft.has_condition = True


def _add_moment(draft: Draft, kind: str, part: Data) -> None:
    if draft.changes or kind in draft.frame:
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
    picked = _group(draft, part["pick"])
    draft.context = replace(draft.context, subject=PICKED, has_subject=True, picked=picked["side"])
    _append(draft, kind, {**part, "pick": picked})


def _add_roll(draft: Draft, kind: str, part: Data) -> None:
    if kind == "roll_each":
        if part.pop("n", 1) not in (1, "1d6"):
            raise UnclearError("several dice each")
        if part["roll_each"] == PICKED and not draft.context.picked:
            raise UnclearError("nobody to roll for")
        draft.context = replace(draft.context, subject=ROLLED, has_subject=True, has_rolled_each=True, dice=1)
        _append(
            draft,
            kind,
            part if isinstance(part["roll_each"], str) else {**part, "roll_each": _group(draft, part["roll_each"])},
        )
        return
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    if isinstance(number, str) and number not in DICE_COUNTS:
        raise UnclearError("other dice")
    draft.context = replace(draft.context, dice=number)
    _append(draft, kind, {**part, "roll": number})


def _add_lowest(draft: Draft, kind: str, part: Data) -> None:
    if not draft.kinds or draft.kinds[-1] not in ("stats", "impact", "healing"):
        raise UnclearError("lowest of what")
    draft.changes[-1] |= part["is"]


def _add_per(draft: Draft, kind: str, part: Data) -> None:
    if not draft.kinds or draft.kinds[-1] not in ("stats", "deal", "heal", "save_wild"):
        raise UnclearError("what for each")
    per = part["per"]
    draft.changes[-1]["per"] = per if isinstance(per, str) else _group(draft, per)


def _add_consequence(draft: Draft, kind: str, part: Data) -> None:
    if draft.has_condition:
        raise UnclearError("a condition between consequences")
    if "of" in part:
        part["of"] = _party(draft, part["of"])
    elif kind == "bonus":
        part["of"] = draft.context.subject
    _append(draft, _KINDS.get(kind, kind), _data(kind, part))


_KINDS = {"add": "stats", "subtract": "stats"}


def _append(draft: Draft, kind: str, data: Data) -> None:
    data = {key: value for key, value in data.items() if (key, value) != ("of", SELF)}
    draft.changes.append({**draft.frame, **data})
    draft.kinds.append(kind)
    draft.frame.pop("when", None)


def _resolve(draft: Draft, who: str) -> str:
    """Return whom 'it' or 'that fighter' stands for."""
    if who == IT:
        draft.is_loose |= not draft.context.has_subject
        return draft.context.subject
    if who == "attacker" and draft.context.event in OWN_ATTACKS:
        return SELF
    if who.startswith(PICKED) and not draft.context.picked and draft.context.has_rolled_each:
        return ROLLED
    return who


def _party(draft: Draft, who: Any) -> Any:
    """Return whom a consequence is for, and remember it as the one that 'it' stands for."""
    if isinstance(who, dict) and "chosen" in who:
        if _group(draft, who["chosen"]) == {"side": "fighter"}:
            raise UnclearError("any fighter")
        _add_pick(draft, "pick", {"pick": who["chosen"]})
        who = PICKED
    if isinstance(who, dict):
        return _group(draft, who)
    who = _resolve(draft, who)
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


def _group(draft: Draft, data: Data) -> Data:
    """Return the data of a group; 'within 1" of it' is measured to whom 'it' stands for."""
    if data.get("to") == IT:
        data = {**data, "to": draft.context.subject}
    if data.get("to") == PICKED and not draft.context.picked:
        raise UnclearError("nobody to measure to")
    return {key: value for key, value in data.items() if (key, value) not in (("count", 1), ("to", SELF))}


def _data(kind: str, part: Data) -> Data:
    if kind == "stats":
        return _stats(part, part.pop("numbers"), None)
    if kind in ("add", "subtract"):
        by = amount(part.pop("by"))
        sign = -1 if kind == "subtract" else 1
        if isinstance(by, str) and not by.endswith("value"):
            raise UnclearError("a characteristic that is rolled")
        number = by if isinstance(by, int) else 1
        return _stats(part, [sign * number] * len(part["stats"]), by if isinstance(by, str) else None)
    if kind == "halve":
        return {"halve": part.pop("stats"), **part}
    if kind in ("only_for", "not_for"):
        return {kind: part[kind]["marks"]}
    if kind == "spares":
        return {kind: part[kind]["names"]}
    if kind in ("leaves", "returns", "swap_places"):
        return {kind: True, **part}
    if kind in ("sets", "lends"):
        return {key: value for key, value in part.items() if key in ("sets", "of")} if kind == "sets" else part
    if kind in ("flies", "taken_down", "activates"):
        return {kind: True, **part}
    return {
        key: amount(value) if key in ("deal", "heal", "bonus_move", "shift") else value for key, value in part.items()
    }


def _stats(part: Data, numbers: list[int], times: str | None) -> Data:
    names = part.pop("stats")
    if len(set(names)) < len(names):
        raise UnclearError("the same characteristic twice")
    if "weapon" in part and not part.get("incoming") and not {*names} <= {*Change.WEAPON_FIELDS}:
        raise UnclearError("not a characteristic of a weapon")
    data = {**part, **dict(zip(names, numbers, strict=True)), **({"times": times} if times else {})}
    return {key: value for key, value in data.items() if (key, value) != ("weapon", "any")}


def _consequences(draft: Draft) -> list[Data]:
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind not in ("pick", "roll", "roll_each")
    ]


def _finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    if not draft.changes or (draft.frame.keys() - {"on_roll"} and not _consequences(draft)):
        raise UnclearError("nothing happens")
    lasting = _lasting(draft)
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
    "roll_each": _add_roll,
    "lowest": _add_lowest,
    "per": _add_per,
}
