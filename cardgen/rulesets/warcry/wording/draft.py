"""A sentence in progress: what its clauses have said so far, and what the sentences before say."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.rulesets.warcry.wording.values import Data, UnclearError

SELF, PICKED, ROLLED, IT = "self", "picked", "rolled", "it"
# What lasts for a while, or is for the next action only.
LASTING = ("stats", "halve", "reroll", "cannot", "flies")
# The owner of 'that attack': the attacker if the moment is an attack on the fighter.
THAT_ATTACK = "that_attack"
ATTACKER_EVENTS = ("targeted", "totaled", "resolved")
OWN_ATTACKS = ("takes-down", "attacks")


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


def append(draft: Draft, kind: str, data: Data) -> None:
    """Add a change to a sentence, with what its clauses have said so far."""
    data = {key: value for key, value in data.items() if (key, value) != ("of", SELF)}
    draft.changes.append({**draft.frame, **data})
    draft.kinds.append(kind)
    draft.frame.pop("when", None)


def resolve(draft: Draft, who: str) -> str:
    """Return whom 'it' or 'that fighter' stands for."""
    if who == IT:
        draft.is_loose |= not draft.context.has_subject
        return draft.context.subject
    if who == THAT_ATTACK:
        return "attacker" if draft.context.event in ATTACKER_EVENTS else SELF
    if who == "attacker" and draft.context.event in OWN_ATTACKS:
        return SELF
    if who.startswith(PICKED) and not draft.context.picked and draft.context.has_rolled_each:
        return ROLLED
    return who


def resolve_group(draft: Draft, data: Data) -> Data:
    """Return the data of a group; 'within 1" of it' is measured to whom 'it' stands for."""
    if data.get("to") == IT:
        data = {**data, "to": draft.context.subject}
    if data.get("to") == PICKED and not draft.context.picked:
        raise UnclearError("nobody to measure to")
    return {key: value for key, value in data.items() if (key, value) not in (("count", 1), ("to", SELF))}


def consequences(draft: Draft) -> list[Data]:
    """Return the changes that are more than a pick or a roll."""
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind not in ("pick", "roll", "roll_each")
    ]


def lasting_changes(draft: Draft) -> list[Data]:
    """Return the changes that last for a while, and those that wait for a moment."""
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind in LASTING or ("when" in change and kind not in ("reacts",))
    ]
