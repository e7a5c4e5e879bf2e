"""What sentences of rules mean: the clauses of a sentence as changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import ValidationError

from cardgen.game import Meaning
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.again import (
    OF_ATTACKS,
    add_again,
    add_aim,
    add_bonus_with,
    add_other_amount,
    attack_before,
    require_numbers,
)
from cardgen.rulesets.warcry.wording.draft import (
    HAVE_ATTACKER,
    IT,
    PICKED,
    ROLLED,
    SELF,
    THAT_ATTACK,
    YOU,
    Context,
    Draft,
    append,
    consequences,
    lasting_changes,
    resolve,
)
from cardgen.rulesets.warcry.wording.frames import (
    add_condition,
    add_faces,
    add_instead,
    add_scope,
    add_until,
    add_use,
)
from cardgen.rulesets.warcry.wording.occasions import add_moment
from cardgen.rulesets.warcry.wording.parties import EACH, parties_of, settle
from cardgen.rulesets.warcry.wording.preparation import (
    COUNTED,
    add_lowest,
    add_named_pick,
    add_per,
    add_roll,
    add_rolls,
    count_last,
)
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, consequence_data, plain

STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
# Parts of a clause that are its own when it is read.
_NESTED = frozenset(("change", "attacks", "lowest", "action", "ban"))
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


def _add_consequence(draft: Draft, kind: str, part: Data) -> None:
    if draft.has_condition:
        raise UnclearError("a condition between consequences")
    if part.pop("same_attack", False) and part["of"] in (IT, "fighter"):
        part |= attack_before(draft)
    if part.pop("bare", False):
        _add_bare(draft, kind, part)
        return
    if part.pop("needs_attack", False) and not draft.scope:
        part |= _attack_of(draft)
    part = _resolved(draft, kind, _with_faces(draft, part))
    kind, written = _KINDS.get(kind, kind), kind
    if part.get("of") == YOU:
        part["of"] = _yours(draft, kind, part)
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


def _attack_of(draft: Draft) -> Data:
    """Return the attacks of the change before, which 'the target' is a target of."""
    attack = attack_before(draft)
    if not attack or draft.has_condition:
        raise UnclearError("which attack")
    return attack


def _yours(draft: Draft, kind: str, part: Data) -> str | Data:
    """Return whom 'you' stands for: the fighter that uses the ability, or the fighters of a battle trait's player."""
    if not draft.context.price and "weapon" in part:
        return {"side": "friend"}
    if kind == "reroll" and draft.context.subject != SELF:
        raise UnclearError("whose hit rolls")
    return YOU


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
    known = {PICKED: draft.context.picked, "attacker": draft.context.event in HAVE_ATTACKER}
    if not known.get(party):
        raise UnclearError("which target")
    return party


def _add_more(draft: Draft, kind: str, part: Data) -> None:
    """Add more of what the consequence before is, or what happens to whoever the sentence is about: '+1 Move'."""
    if consequences(draft):
        add_again(draft, kind, part)
    else:
        _add_bare(draft, kind.removesuffix("_again"), part)


def _add_more_numbers(draft: Draft, kind: str, part: Data) -> None:
    """Add another number to characteristics, or take it from them: 'add 1 to its Move and 2 to its Toughness'."""
    sign = part.pop("sign")
    require_numbers(draft, sign)
    for key in _NESTED & part.keys():
        part |= part.pop(key)
    _add_consequence(draft, "add" if sign > 0 else "subtract", part)


def _add_bare(draft: Draft, kind: str, part: Data) -> None:
    """Add a consequence without a subject: for the fighter that was picked, or the one that uses the ability."""
    is_picked = draft.context.subject == PICKED and not draft.context.event
    if not is_picked and not (draft.context.subject == SELF and draft.context.price):
        raise UnclearError("for whom")
    good = [number > 0 for number in part.get("numbers", ())]
    if is_picked and (not good or (draft.context.picked == "enemy") == any(good)):
        raise UnclearError("for the picked fighter, or the one that picks it")
    _add_consequence(draft, kind, {**part, "of": IT})


def _append(draft: Draft, kind: str, data: Data) -> None:
    if draft.per:
        if kind not in COUNTED:
            raise UnclearError("what for each")
        data = {**data, **draft.per}
        draft.per = {}
    append(draft, kind, data)


def _in_scope(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause for the attacks that 'when it attacks' names."""
    if not draft.scope:
        return part
    if kind not in OF_ATTACKS or part.get("of") not in (IT, SELF, THAT_ATTACK) or part.get("incoming"):
        raise UnclearError("not of that attack")
    if not {*part.get("stats", ())} <= {*Change.WEAPON_FIELDS} or part.get("weapon", "any") != "any":
        raise UnclearError("not of that attack")
    others = {key: value for key, value in part.items() if key not in ("of", "weapon", "for")}
    return {**others, **draft.scope}


_KINDS = {"add": "stats", "subtract": "stats"}


def _finish(draft: Draft) -> list[Data]:
    """Return the changes with the duration; a frame or duration must be for something."""
    if draft.has_open_frame or draft.waiting:
        raise UnclearError("a condition of nothing")
    if draft.per:
        count_last(draft, draft.per)
    needs_consequence = draft.frame.keys() & {"while", "when"} or draft.scope
    if not draft.changes or (needs_consequence and not consequences(draft)):
        raise UnclearError("nothing happens")
    _end_with_attack(draft)
    lasting = lasting_changes(draft)
    if draft.span and not lasting:
        raise UnclearError("nothing lasts")
    for change in lasting:
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


_ADD = {
    "until": add_until,
    "next": add_until,
    "if": add_condition,
    "unless": add_condition,
    "while": add_condition,
    "reacts": add_moment,
    "when": add_moment,
    "only_if": add_use,
    "not_if": add_use,
    "on_roll": add_faces,
    "scope": add_scope,
    "pick": add_named_pick,
    "roll": add_roll,
    "roll_each": add_rolls,
    "lowest": add_lowest,
    "per": add_per,
    "other_amount": add_other_amount,
    "instead": add_instead,
    "add_more": _add_more_numbers,
    "bonus_with": add_bonus_with,
    "stats_again": _add_more,
    "bonus_again": _add_more,
    "aimed": add_aim,
}
