"""The end of a sentence: what its clauses still need, how long its changes last, and what it says to the next one."""

from __future__ import annotations

from dataclasses import replace

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.draft import Context, Draft, consequences, lasting_changes
from cardgen.rulesets.warcry.wording.preparation import count_last
from cardgen.rulesets.warcry.wording.values import Data, UnclearError

# What is true until the battle ends has no other end.
BATTLE = "battle"


def finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    if draft.has_open_frame or draft.waiting or draft.awaits_end:
        raise UnclearError("a condition of nothing, or what lasts without an end")
    if draft.needs_end and not (draft.span or draft.has_end):
        raise UnclearError("for how long")
    if draft.per:
        count_last(draft, draft.per)
    needs_consequence = draft.frame.keys() & {"while", "when"} or draft.scope
    if draft.is_nothing and not draft.changes:
        return []
    if not draft.changes or (needs_consequence and not consequences(draft)):
        raise UnclearError("nothing happens")
    _end_with_attack(draft)
    lasting = lasting_changes(draft)
    if any("next" in each for each in lasting) and any(not {"next", "for", "when"} & each.keys() for each in lasting):
        raise UnclearError("for the next attack, or for longer")
    if draft.span and not lasting:
        raise UnclearError("nothing lasts")
    for change in _go_on(draft, lasting):
        is_left_open = draft.has_end and not {"for", "pick", "roll", "roll_each"} & change.keys()
        if draft.span.keys() & change.keys() or is_left_open:
            raise UnclearError("which of them lasts")
        change |= draft.span
    return [{key: value for key, value in each.items() if (key, value) != ("for", BATTLE)} for each in draft.changes]


def _end_with_attack(draft: Draft) -> None:
    """End changes of numbers with the attack at whose target they happen; that they do is not said."""
    for change, kind in zip(draft.changes, draft.kinds, strict=True):
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
    condition: Data = draft.changes[-1].get("if", {}) if consequences(draft) else {}
    return replace(draft.context, condition=condition, end=end or "")
