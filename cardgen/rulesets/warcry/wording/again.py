"""Clauses that say more of what the consequence before them says: 'and its critical hits', 'but −1 Toughness'."""

from __future__ import annotations

from dataclasses import replace

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.draft import SELF, Draft, append, consequences, party_of, resolve, resolve_group
from cardgen.rulesets.warcry.wording.values import Data, UnclearError, amount, consequence_data, other_faces
from cardgen.rulesets.warcry.wording.values import faces as faces_of

STATS = Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS
_ACTIONS = frozenset(("bonus_move", "bonus_attack", "bonus_disengage"))
# What is for some attacks.
OF_ATTACKS = ("stats", "reroll", "critical_face", "no_cover", "halve", "double", "fixes")
MULTIPLES = ("halve", "double", "fixes")
# What 'its critical hits' and 'that attack' take over from the attacks before.
_ATTACK_KEYS = ("of", "weapon", "reach", "target", "beyond", "next", "for")


def attack_before(draft: Draft) -> Data:
    """Return the attacks that the change before is for, as in 'and its critical hits'."""
    if not consequences(draft) or draft.kinds[-1] not in ("stats", "reroll"):
        return {}
    last = draft.changes[-1]
    if not {*Change.WEAPON_FIELDS, "reroll"} & last.keys():
        return {}
    return {"of": SELF, **{key: last[key] for key in _ATTACK_KEYS if key in last}}


def add_again(draft: Draft, kind: str, part: Data) -> None:
    """Add more of what the consequence before is: '+1 Move, but −1 Toughness', or 'a bonus move and a bonus attack'."""
    is_stats = kind == "stats_again"
    last = draft.changes[-1] if consequences(draft) and draft.kinds[-1] == ("stats" if is_stats else "bonus") else None
    if last is None or draft.has_condition or draft.has_end:
        raise UnclearError("more of what")
    keys = {"of", "on_roll", "if", "unless", "while"} if is_stats else {"of", "may", "on_roll"}
    if is_stats and {*part["stats"]} <= {*Change.WEAPON_FIELDS}:
        keys |= {"reach", "target", "beyond", "incoming", "next"} | ({"weapon"} if "weapon" not in part else set())
    data = consequence_data("stats" if is_stats else "bonus", part)
    data |= {key: last[key] for key in keys if key in last and key not in draft.frame}
    if is_stats and last.keys() - {*STATS, *draft.frame, "when"} == data.keys() - {*STATS}:
        _merge_numbers(last, data)
    elif draft.frame.keys() <= last.keys() and _follows_move(last, data):
        last |= data
    else:
        append(draft, "stats" if is_stats else "bonus", data)


def _follows_move(move: Data, attack: Data) -> bool:
    """Return whether a bonus attack follows a bonus move of the same fighter, which is the order of one change."""
    is_one_each = "bonus_move" in move and attack.keys() & _ACTIONS == {"bonus_attack"}
    return is_one_each and move.keys() - attack.keys() == {"bonus_move"} and not {"bonus_attack", "when"} & move.keys()


def add_aim(draft: Draft, kind: str, part: Data) -> None:
    """Add the targets or weapons of the only consequence before: '… against enemies in cover', '… in melee'."""
    if not consequences(draft) and "made" in part and not draft.scope:
        draft.scope = {**part["made"], "of": party_of(draft, part["made"]["of"])}
        return
    last = draft.changes[-1] if len(consequences(draft)) == 1 and draft.kinds[-1] in OF_ATTACKS else {}
    names = {*(last.keys() & {*STATS}), *(name for key in MULTIPLES for name in last.get(key, ()))}
    is_of_weapons = names <= {*Change.WEAPON_FIELDS} and "incoming" not in last
    if not last or not is_of_weapons or draft.leads_on or part.keys() & last.keys():
        raise UnclearError("what is aimed")
    if "made" in part:
        part = part["made"]
        owner = party_or_self(draft, part["of"])
        part = {key: value for key, value in part.items() if key != "of" and (key, value) not in last.items()}
        if owner != last.get("of", SELF) or part.keys() & last.keys():
            raise UnclearError("attacks of another")
    if isinstance(part.get("target"), dict):
        part["target"] = resolve_group(draft, part["target"])
    aim_at(last, part)


def aim_at(change: Data, attacks: Data) -> None:
    """Let a change be for some attacks only."""
    named = {key: value for key, value in attacks.items() if (key, value) != ("weapon", "any")}
    if "no_cover" in change and "weapon" in named:
        change["no_cover"] = named.pop("weapon")
    change |= named


def party_or_self(draft: Draft, who: str | Data) -> str | Data:
    """Return whom the owner of some attacks stands for."""
    return resolve_group(draft, who) if isinstance(who, dict) else resolve(draft, who)


def _merge_numbers(change: Data, data: Data) -> None:
    """Add numbers to a change of the same fighters or attacks."""
    if change.keys() & data.keys() & {*STATS}:
        raise UnclearError("the same characteristic twice")
    change |= data


def add_bonus_with(draft: Draft, kind: str, part: Data) -> None:
    """Add how the bonus attack before differs: 'a bonus attack with −1 Attacks'."""
    last = draft.changes[-1] if consequences(draft) else {}
    if not last.get("bonus_attack") or draft.has_condition:
        raise UnclearError("with what")
    change = {**part["change"], "for": "attack"}
    if not {*change["stats"]} <= {*Change.WEAPON_FIELDS}:
        raise UnclearError("not of an attack")
    data = consequence_data(change.pop("kind", "stats"), change)
    append(draft, "stats", {**data, **{key: last[key] for key in ("of", "on_roll", "if", "unless") if key in last}})


def add_to_bonus(draft: Draft, kind: str, part: Data) -> None:
    """Add what is true of the bonus action before: 'a bonus move; enemies cannot react to it'."""
    flag = part["flag"]
    is_bonus = bool(consequences(draft)) and draft.kinds[-1] == "bonus"
    if not is_bonus or (flag == "engaged" and "bonus_move" not in draft.changes[-1]):
        raise UnclearError("which action")
    draft.changes[-1][flag] = True


def add_spared_user(draft: Draft, kind: str, part: Data) -> None:
    """Exclude the fighter that uses the rule from the groups before: 'it does not affect this fighter'."""
    groups = [change["of"] for change in consequences(draft) if isinstance(change.get("of"), dict)]
    if not groups or len(groups) < len(consequences(draft)) or any(each["side"] == "enemy" for each in groups):
        raise UnclearError("affects nobody else")
    for change in consequences(draft):
        change["of"] = {**change["of"], "another": True}


def require_numbers(draft: Draft, sign: int) -> None:
    """Raise UnclearError if a number cannot be another one of the clause before: 'add 1 to its Move and 2 to …'."""
    last = draft.changes[-1] if consequences(draft) and draft.kinds[-1] == "stats" else {}
    numbers = [last[name] for name in STATS if name in last]
    if not numbers or not draft.leads_on or numbers[0] * sign < 0:
        raise UnclearError("add to what")


def share_attacks(change: Data, attacks: Data) -> None:
    """Let a change of weapons without an owner be for the attacks that the clause after it names."""
    if change.keys() & {*Change.WEAPON_FIELDS}:
        if attacks.get("of") != change.get("of"):
            raise UnclearError("attacks of another")
        change |= {key: attacks[key] for key in _ATTACK_KEYS if key in attacks and key not in ("of", "for")}


def amend(draft: Draft, state: Data, number: int | str) -> None:
    """Add another amount for a condition: '+1 Strength, or +2 if …'; without it, the amount before applies."""
    last = draft.changes[-1] if consequences(draft) else {}
    names = [name for name in (*STATS, "deal", "heal") if name in last]
    is_signed = bool(names) and names[0] in STATS
    if not names or {"if", "unless", "times"} & {*last, *draft.frame} or draft.has_condition:
        raise UnclearError("what instead")
    if is_signed and (not isinstance(number, int) or len({last[name] for name in names}) > 1):
        raise UnclearError("which number instead")
    sign = -1 if is_signed and last[names[0]] < 0 else 1
    new = sign * abs(number) if is_signed and isinstance(number, int) else number
    if new == last[names[0]] or (sign > 0 and isinstance(number, int) and number < 0):
        raise UnclearError("the same amount, or one of the other sign")
    draft.changes.append({**last, **dict.fromkeys(names, new), "if": state})
    draft.kinds.append(draft.kinds[-1])
    last["unless"] = state


def add_other_amount(draft: Draft, kind: str, part: Data) -> None:
    """Add the amount for the other faces: 'it suffers 6 damage, otherwise 2'."""
    last = draft.changes[-1] if consequences(draft) else {}
    key = next((key for key in ("deal", "heal") if key in last), "")
    if not key or "on_roll" not in last or draft.has_condition:
        raise UnclearError("another amount of what")
    faces = faces_of(part["face"]) if "face" in part else other_faces(last["on_roll"])
    if faces == last["on_roll"]:
        raise UnclearError("the same faces twice")
    draft.changes.append({**last, "on_roll": faces, key: amount(part["n"])})
    draft.kinds.append(key)
    draft.context = replace(draft.context, faces=faces)
