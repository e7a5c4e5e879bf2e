"""What sentences of rules mean: the clauses of a sentence as changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import ValidationError

from cardgen.game import Meaning
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.again import add_again, add_aim, add_bonus_with, add_other_amount, attack_before
from cardgen.rulesets.warcry.wording.draft import (
    ATTACKER_EVENTS,
    IT,
    PICKED,
    ROLLED,
    SELF,
    THAT_ATTACK,
    Context,
    Draft,
    append,
    consequences,
    group_again,
    lasting_changes,
    resolve,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.frames import (
    add_condition,
    add_faces,
    add_moment,
    add_scope,
    add_until,
    add_use,
)
from cardgen.rulesets.warcry.wording.parties import EACH, add_pick, parties_of, settle
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, amount, consequence_data, plain

STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
# Parts of a clause that are its own when it is read.
_NESTED = frozenset(("change", "attacks", "lowest", "action", "ban"))
DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
# What allocates or removes the damage points that are counted.
POINTS = {"dealt": "deal", "healed": "heal"}
# What is true until the battle ends has no other end.
BATTLE = "battle"


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
        yield changes, replace(draft.context, condition=_last_condition(draft)), draft.is_loose


def _last_condition(draft: Draft) -> Data:
    """Return the condition of the last consequence, for 'otherwise' in the next sentence."""
    last: Data = draft.changes[-1].get("if", {}) if consequences(draft) else {}
    return last


def _add(draft: Draft, part: Data) -> None:
    kind = part.pop("kind", "")
    if kind not in _ADD or kind.endswith("_again"):
        for key in _NESTED & part.keys():
            part |= part.pop(key)
    if kind:
        _ADD.get(kind, _add_consequence)(draft, kind, part)


def _add_pick(draft: Draft, kind: str, part: Data) -> None:
    settle(draft, SELF)
    pick = part.pop("pick")
    add_pick(draft, group_again(draft) if "same" in pick else resolve_group(draft, pick), **part)


def _add_roll(draft: Draft, kind: str, part: Data) -> None:
    settle(draft, SELF)
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    if isinstance(number, str) and number not in DICE_COUNTS:
        raise UnclearError("other dice")
    draft.context = replace(draft.context, dice=number, faces="")
    append(draft, kind, {**part, "roll": number})


def _add_rolls(draft: Draft, kind: str, part: Data) -> None:
    """Add a die for each fighter of a group, for each one that was picked, or for each set of ability dice."""
    settle(draft, SELF)
    whom = part["roll_each"]
    if part.pop("n", 1) not in (1, "1d6") or (whom == PICKED and not draft.context.picked):
        raise UnclearError("several dice each, or nobody to roll for")
    if whom in ("hits", "criticals"):
        draft.context = replace(draft.context, rolls_hits=True, dice=1, faces="")
        append(draft, kind, {**part, "roll_each": whom})
        return
    draft.context = replace(draft.context, subject=ROLLED, has_subject=True, has_rolled_each=True, dice=1, faces="")
    append(draft, kind, {**part, "roll_each": whom if isinstance(whom, str) else resolve_group(draft, whom)})


def _add_lowest(draft: Draft, kind: str, part: Data) -> None:
    if not draft.kinds or draft.kinds[-1] not in ("stats", "impact", "healing"):
        raise UnclearError("lowest of what")
    draft.changes[-1] |= part["is"]


def _add_per(draft: Draft, kind: str, part: Data) -> None:
    per = part["per"] if isinstance(part["per"], str) else resolve_group(draft, part["per"])
    data = {"per": per, **({"per_points": part["points"]} if "points" in part else {})}
    if draft.kinds and draft.kinds[-1] == "roll":
        raise UnclearError("dice for each")
    counts_points = isinstance(per, str) and per in POINTS and bool(draft.kinds) and draft.kinds[-1] == POINTS[per]
    if not consequences(draft) or draft.leads_on or counts_points:
        draft.per = data
    else:
        _count_last(draft, data)


def _count_last(draft: Draft, data: Data) -> None:
    """Let the last change happen once for each of something."""
    if not consequences(draft) or draft.kinds[-1] not in _COUNTED or "per" in draft.changes[-1]:
        raise UnclearError("what for each")
    draft.changes[-1] |= data
    draft.per = {}


def _add_consequence(draft: Draft, kind: str, part: Data) -> None:
    if draft.has_condition:
        raise UnclearError("a condition between consequences")
    if part.pop("same_attack", False) and part["of"] in (IT, "fighter"):
        part |= attack_before(draft)
    part = _resolved(draft, kind, _with_faces(draft, part))
    kind, written = _KINDS.get(kind, kind), kind
    part = _in_scope(draft, kind, part)
    if "of" not in part and kind == "bonus":
        part["of"] = IT
    if "of" not in part:
        settle(draft, SELF)
        _append(draft, kind, consequence_data(written, part))
        return
    for party in parties_of(draft, part.pop("of")):
        of = settle(draft, party)
        whose = EACH if isinstance(of, dict) else of
        if draft.measured not in ("", of, whose) and not (draft.measured == IT and whose in (EACH, SELF)):
            raise UnclearError("the Toughness of another")
        draft.measured = draft.measured and whose
        _append(draft, kind, consequence_data(written, {**part, "of": of}))


def _resolved(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause with the targets that it names; what it refers to must have been named."""
    if kind == "turns" and not draft.context.rolls_hits:
        raise UnclearError("which hit")
    if part.get("direction", "").endswith("-picked") and not draft.context.picked:
        raise UnclearError("toward whom")
    named = [key for key in ("target", "against") if isinstance(part.get(key), str)]
    return {**part, **{key: _target_of(draft, part[key]) for key in named}}


def _with_faces(draft: Draft, part: Data) -> Data:
    """Return a clause without the faces that it names itself: 'each that rolls a 5+ suffers 1 damage'."""
    of = part.get("of")
    if isinstance(of, dict) and "moves_within" in of:
        add_moment(draft, "when", {"is": {"event": "enemy-move", "within": of["moves_within"]}})
        return {**part, "of": PICKED}
    if isinstance(of, dict) and "face" in of:
        add_faces(draft, "on_roll", {**of, "each": draft.context.dice != 1})
        return {**part, "of": ROLLED}
    if "face" in part:
        if of == IT and draft.context.subject == SELF:
            raise UnclearError("to whom")
        add_faces(draft, "on_roll", part)
        return {key: value for key, value in part.items() if key not in ("face", "each")}
    return part


def _target_of(draft: Draft, who: str) -> str:
    """Return the target of a bonus attack."""
    party: str = resolve(draft, who).partition("-")[0]
    known = {PICKED: draft.context.picked, "attacker": draft.context.event in ATTACKER_EVENTS}
    if not known.get(party):
        raise UnclearError("which target")
    return party


def _append(draft: Draft, kind: str, data: Data) -> None:
    if draft.per:
        if kind not in _COUNTED:
            raise UnclearError("what for each")
        data = {**data, **draft.per}
        draft.per = {}
    append(draft, kind, data)


def _in_scope(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause for the attacks that 'when it attacks' names."""
    if not draft.scope:
        return part
    if kind not in ("stats", "reroll") or part.get("of") not in (IT, SELF, THAT_ATTACK) or part.get("incoming"):
        raise UnclearError("not of that attack")
    if not {*part.get("stats", ())} <= {*Change.WEAPON_FIELDS} or part.get("weapon", "any") != "any":
        raise UnclearError("not of that attack")
    others = {key: value for key, value in part.items() if key not in ("of", "weapon", "for")}
    return {**others, **draft.scope}


_KINDS = {"add": "stats", "subtract": "stats"}
_COUNTED = ("stats", "deal", "heal", "save_wild")


def _finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    if draft.has_open_frame or draft.waiting:
        raise UnclearError("a condition of nothing")
    if draft.per:
        _count_last(draft, draft.per)
    needs_consequence = draft.frame.keys() & {"while", "when"} or draft.scope
    if not draft.changes or (needs_consequence and not consequences(draft)):
        raise UnclearError("nothing happens")
    _end_with_attack(draft)
    lasting = lasting_changes(draft)
    if draft.span and not lasting:
        raise UnclearError("nothing lasts")
    for change in lasting:
        if draft.span.keys() & change.keys() or (draft.has_end and "for" not in change):
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


_ADD = {
    "until": add_until,
    "next": add_until,
    "if": add_condition,
    "unless": add_condition,
    "while": add_condition,
    "reacts": add_moment,
    "when": add_moment,
    "only_if": add_use,
    "on_roll": add_faces,
    "scope": add_scope,
    "pick": _add_pick,
    "roll": _add_roll,
    "roll_each": _add_rolls,
    "lowest": _add_lowest,
    "per": _add_per,
    "other_amount": add_other_amount,
    "bonus_with": add_bonus_with,
    "stats_again": add_again,
    "bonus_again": add_again,
    "aimed": add_aim,
}
