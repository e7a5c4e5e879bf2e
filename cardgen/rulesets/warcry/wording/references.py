"""What a clause refers to: attacks and fighters that were named before, and faces of dice."""

from __future__ import annotations

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.again import OF_ATTACKS, attack_before
from cardgen.rulesets.warcry.wording.draft import (
    HAVE_ATTACKER,
    IT,
    PICKED,
    ROLLED,
    SELF,
    SUBJECT,
    THAT_ATTACK,
    YOU,
    Draft,
    resolve,
    resolve_group,
)
from cardgen.rulesets.warcry.wording.frames import add_faces
from cardgen.rulesets.warcry.wording.occasions import add_moment
from cardgen.rulesets.warcry.wording.values import Data, UnclearError

# What is good for a fighter, and what is not: a clause without a subject is not about an enemy, or a friend.
_GOOD, _BAD = ("heal", "bonus", "add", "double"), ("deal", "subtract", "halve", "cannot")
# What nobody would do to a fighter that was not named.
_HARM = ("deal", "taken_down", "halve")
# Moments of damage, whose attack is that of an enemy.
_DAMAGE = ("allocated", "would-fall")


def attack_of(draft: Draft) -> Data:
    """Return the attacks of the change before, which 'the target' is a target of."""
    attack = attack_before(draft)
    if not attack or draft.has_condition:
        raise UnclearError("which attack")
    return attack


def yours(draft: Draft, kind: str, part: Data) -> str | Data:
    """Return whom 'you' stands for: the fighter that uses the ability, or the fighters of a battle trait's player."""
    if not draft.context.price and "weapon" in part:
        return {"side": "friend"}
    if kind == "reroll" and draft.context.subject != SELF:
        raise UnclearError("whose hit rolls")
    return YOU


def with_attack(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause for 'that attack', which is that of the moment: the one that damages the fighter."""
    if part.get("of") != THAT_ATTACK or draft.context.event not in _DAMAGE:
        return part
    if kind != "half_damage":
        raise UnclearError("whose attack")
    return {**part, "of": SUBJECT if draft.context.is_of_friend else SELF, "incoming": True}


def with_targets(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause with the targets that it names; what it refers to must have been named."""
    if kind == "turns" and not draft.context.rolls_hits:
        raise UnclearError("which hit")
    if part.get("direction", "").endswith("-picked"):
        if not draft.context.picked:
            raise UnclearError("toward whom")
        if draft.context.picked == "enemy" and part["of"] == IT:
            part = {**part, "of": SELF}  # Nobody moves away from itself.
    named = [key for key in ("target", "against") if isinstance(part.get(key), str)]
    groups = [key for key in ("target",) if isinstance(part.get(key), dict)]
    return {
        **part,
        **{key: _target_of(draft, part[key]) for key in named},
        **{key: resolve_group(draft, part[key]) for key in groups},
    }


def with_faces(draft: Draft, part: Data) -> Data:
    """Return a clause without the faces that it names itself: 'each that rolls a 5+ suffers 1 damage'."""
    of = part.get("of")
    if isinstance(of, dict) and "moves_within" in of:
        end = {"for": of["for"]} if "for" in of else {}
        add_moment(draft, "when", {"is": {"event": "enemy-move", "within": of["moves_within"], **end}})
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
    party, _, side = resolve(draft, who).partition("-")
    known = {PICKED: draft.context.picked, "attacker": draft.context.event in HAVE_ATTACKER}
    if not known.get(party) or side not in ("", draft.context.picked):
        raise UnclearError("which target")
    return party


def in_scope(draft: Draft, kind: str, part: Data) -> Data:
    """Return a clause for the attacks that 'when it attacks' names."""
    if not draft.scope:
        return part
    if kind not in OF_ATTACKS or part.get("of") not in (IT, SELF, THAT_ATTACK) or part.get("incoming"):
        raise UnclearError("not of that attack")
    if not {*part.get("stats", ())} <= {*Change.WEAPON_FIELDS} or part.get("weapon", "any") != "any":
        raise UnclearError("not of that attack")
    others = {key: value for key, value in part.items() if key not in ("of", "weapon", "for")}
    return {**others, **draft.scope}


def require_clear_subject(draft: Draft, kind: str, part: Data) -> None:
    """Raise UnclearError for 'it' that is harmed or after an enemy's move, and for the Attacks of an attack or target.

    'It may make a bonus attack' is about the fighter that reacts, and 'Subtract 1 from its Strength' about either.
    """
    is_own = part.get("of") == IT and draft.context.subject == SELF
    if is_own and not draft.context.names_fighter and kind in _HARM:
        raise UnclearError("whom it harms")
    is_enemy = draft.context.is_of_enemy and draft.context.subject == PICKED
    if part.get("of") == IT and is_enemy and is_good(kind, part):
        raise UnclearError("for the enemy, or for the fighter that reacts")
    is_of_attack = {*Change.WEAPON_FIELDS} & {*part.get("stats", ())} and draft.context.event in HAVE_ATTACKER
    if is_of_attack and part.get("of") == IT and draft.context.subject == SELF and not part.get("incoming"):
        if draft.span.get("for") != "attack":
            raise UnclearError("of the attack, or of the fighter that reacts")
        part["of"] = "attacker"


def is_good(kind: str, part: Data) -> bool:
    """Return whether a consequence is good for a fighter."""
    return kind in _GOOD or any(number > 0 for number in part.get("numbers", ()))


def is_bad(kind: str, part: Data) -> bool:
    """Return whether a consequence is bad for a fighter."""
    return kind in _BAD or any(number < 0 for number in part.get("numbers", ()))
