"""What a sentence prepares: fighters that are picked, dice that are rolled, and how often something happens."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from cardgen.rulesets.warcry.selections import Multiple
from cardgen.rulesets.warcry.wording.draft import (
    PICKED,
    ROLLED,
    SELF,
    Draft,
    append,
    consequences,
    group_again,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.parties import add_pick, settle
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, amount

DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
# What allocates or removes the damage points that are counted.
POINTS = {"dealt": "deal", "healed": "heal"}
# What can have a lowest result.
LOWERED = ("stats", "halve", "half_damage", "impact", "healing")
# What can happen once for each of something.
COUNTED = ("stats", "deal", "heal", "save_wild")


def require_no_condition(draft: Draft) -> None:
    """Raise UnclearError after a condition that follows its consequence: it may be for what comes next."""
    if draft.has_condition:
        raise UnclearError("a condition between consequences")


def add_named_pick(draft: Draft, kind: str, part: Data) -> None:
    """Add a pick of a fighter that a clause names."""
    require_no_condition(draft)
    settle(draft, SELF)
    if part.pop("bare", False) and (draft.changes or draft.frame or not draft.context.price):
        raise UnclearError("a fighter without a clause")
    pick = part.pop("pick")
    add_pick(draft, group_again(draft, pick["same"]) if "same" in pick else resolve_group(draft, pick), **part)


def add_roll(draft: Draft, kind: str, part: Data) -> None:
    """Add a roll of dice, whose faces the clauses that follow name."""
    require_no_condition(draft)
    settle(draft, SELF)
    if "pick" in part:
        add_named_pick(draft, "pick", {"pick": part.pop("pick")})
    if part.pop("picked", False) and draft.context.subject != PICKED:
        raise UnclearError("for whom")
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    if isinstance(number, str) and number not in DICE_COUNTS:
        raise UnclearError("other dice")
    draft.context = replace(draft.context, dice=number, faces="")
    append(draft, kind, {**part, "roll": number})


def add_rolls(draft: Draft, kind: str, part: Data) -> None:
    """Add a die for each fighter of a group, for each one that was picked, or for each set of ability dice."""
    require_no_condition(draft)
    settle(draft, SELF)
    whom = part["roll_each"]
    number = amount(part.pop("n", 1))
    number = 1 if number == "1d6" else number
    if (isinstance(number, str) and number not in get_args(Multiple)) or (whom == PICKED and not draft.context.picked):
        raise UnclearError("other dice, or nobody to roll for")
    if whom in ("hits", "criticals", "misses"):
        draft.context = replace(draft.context, rolls_hits=True, dice=1, faces="")
        append(draft, kind, {**part, "roll_each": whom})
        return
    draft.context = replace(
        draft.context, subject=ROLLED, has_subject=True, has_rolled_each=True, picked="", dice=number, faces="",
        rolls_sets=whom == "sets",
    )  # fmt: skip
    several = {"dice_each": number} if number != 1 else {}
    append(draft, kind, {**part, "roll_each": whom if isinstance(whom, str) else resolve_group(draft, whom), **several})


def add_lowest(draft: Draft, kind: str, part: Data) -> None:
    """Add the lowest result of the change before."""
    if not draft.kinds or draft.kinds[-1] not in LOWERED:
        raise UnclearError("lowest of what")
    draft.changes[-1] |= part["is"]


def add_per(draft: Draft, kind: str, part: Data) -> None:
    """Add what is counted, for the change before or the one that follows."""
    per = part["per"] if isinstance(part["per"], str) else resolve_group(draft, part["per"])
    data = {"per": per, **({"per_points": part["points"]} if "points" in part else {})}
    if draft.kinds and draft.kinds[-1] == "roll":
        raise UnclearError("dice for each")
    counts_points = isinstance(per, str) and per in POINTS and bool(draft.kinds) and draft.kinds[-1] == POINTS[per]
    if not consequences(draft) or draft.leads_on or counts_points:
        draft.per = data
    else:
        count_last(draft, data)


def count_last(draft: Draft, data: Data) -> None:
    """Let the last change happen once for each of something."""
    if not consequences(draft) or draft.kinds[-1] not in COUNTED or "per" in draft.changes[-1]:
        raise UnclearError("what for each")
    draft.changes[-1] |= data
    draft.per = {}
