"""A sentence in progress: what its clauses have said so far, and what the sentences before say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cardgen.rulesets.warcry.wording.values import Data, UnclearError

SELF, PICKED, ROLLED, IT = "self", "picked", "rolled", "it"
# The friend that a moment is about.
SUBJECT = "subject"
PICKED_ENEMY, TARGET = "picked-enemy", "target"
# The picked fighter if there is one, or else the target of an attack.
EITHER_TARGET = "either-target"
# In an ability, the fighter that uses it; in a battle trait, the player.
YOU = "you"
# Whom 'it' and 'they' stand for after a group, and after several parties.
GROUP, SEVERAL = "group", "several"
# What lasts for a while, or is for the next action only.
LASTING = (
    "stats", "halve", "double", "fixes", "reroll", "critical_face", "no_cover", "ward", "passes", "counts_as", "cannot",
    "flies", "gains_cover", "climbs", "half_damage",
    "adds_mark",
)  # fmt: skip
# The owner of 'that attack': the attacker if the moment is an attack on the fighter.
THAT_ATTACK = "that_attack"
ATTACKER_EVENTS = ("targeted", "totaled", "resolved")
# Moments with an attacker, or somebody else who took the fighter down.
HAVE_ATTACKER = (*ATTACKER_EVENTS, "taken-down")
OWN_ATTACKS = ("takes-down", "attacks")


@dataclass(frozen=True, slots=True)
class Context:
    """What the sentences before say: who is 'it' and 'that fighter', and which dice were rolled.

    `group` are the fighters that 'they' and 'one of them' stand for. `near_enemy` is the distance of 'an enemy' in a
    condition before, or 0. `picked_on` are the faces for which a fighter was picked, or ''. `action` is 'move' or
    'attack' after a bonus action, and `end` how long the changes of the sentence before last. `is_of_friend` is true if
    a moment is about another fighter than the one that uses the rule, and `is_of_enemy` if it names the enemy that
    'that fighter' stands for. `rolls_sets` is true if a die was rolled for each set of ability dice.
    `is_known` is false if a sentence before was not read,
    and `names_fighter` is true if one named a fighter at all.
    """

    subject: str = SELF
    has_subject: bool = True
    picked: str = ""
    has_rolled_each: bool = False
    rolls_sets: bool = False
    dice: int | str = 0
    event: str = ""
    is_known: bool = True
    price: str = ""
    group: Data = field(default_factory=dict)
    faces: str = ""
    rolls_hits: bool = False
    condition: Data = field(default_factory=dict)
    near_enemy: int = 0
    picked_on: str = ""
    action: str = ""
    end: str = ""
    is_of_friend: bool = False
    is_of_enemy: bool = False
    names_fighter: bool = False


@dataclass(slots=True)
class Draft:
    """A sentence in progress: its changes, and what is for those that follow.

    `waiting` is the key of a condition whose fighter is named by the clause that follows: 'while in cover, …'.
    `needs_end` says that a consequence is for a while only, `is_elided` that one names no fighter, and
    `goes_on` that what has no end has that of the sentence before. `is_after` says that the next clause is about what
    happens after an action, and `awaits_end` that it must say for how long: 'this lasts until …'.
    """

    context: Context
    changes: list[Data] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    frame: Data = field(default_factory=dict)
    is_loose: bool = False
    has_condition: bool = False
    has_end: bool = False
    leads_on: bool = False
    last_end: str = ""
    waiting: str = ""
    has_open_frame: bool = False
    span: Data = field(default_factory=dict)
    scope: Data = field(default_factory=dict)
    per: Data = field(default_factory=dict)
    measured: Data | str = ""
    is_nothing: bool = False
    needs_end: bool = False
    is_elided: bool = False
    goes_on: bool = False
    is_after: bool = False
    awaits_end: bool = False


def append(draft: Draft, kind: str, data: Data) -> None:
    """Add a change to a sentence, with what its clauses have said so far."""
    data = {key: value for key, value in data.items() if (key, value) != ("of", SELF)}
    draft.changes.append({**draft.frame, **data})
    draft.kinds.append(kind)
    draft.frame.pop("when", None)
    draft.has_open_frame = False
    if kind == "bonus":
        keys = [key for key in ("bonus_move", "bonus_attack") if key in data]
        draft.context = replace(draft.context, action=keys[0].removeprefix("bonus_") if len(keys) == 1 else "")


def resolve(draft: Draft, who: str) -> str:
    """Return whom 'it' or 'that fighter' stands for."""
    if who == IT:
        if draft.context.subject == SEVERAL:
            raise UnclearError("which of them")
        require_subject(draft)
        return draft.context.subject
    if who == YOU:
        return _user(draft)
    if who == THAT_ATTACK:
        if draft.context.event not in ("", *ATTACKER_EVENTS, *OWN_ATTACKS):
            raise UnclearError("which attack")
        return "attacker" if draft.context.event in ATTACKER_EVENTS else _of_moment(draft)
    if who in ("attacker", "responsible") and draft.context.event in OWN_ATTACKS:
        return _of_moment(draft)
    if who == "responsible" and draft.context.event == "taken-down":
        return "attacker"
    if who == PICKED_ENEMY and not draft.context.picked and draft.context.event in ATTACKER_EVENTS:
        return "attacker"
    return _resolve_picked(draft, who)


def _resolve_picked(draft: Draft, who: str) -> str:
    """Return whom a word for fighters that were picked, or rolled for, stands for."""
    if draft.context.is_of_friend and who in (PICKED, "picked-friend", SUBJECT):
        return SUBJECT
    if who == SUBJECT:
        return "picked-friend"
    if who == "those":
        return GROUP if draft.context.subject == GROUP and not draft.context.picked else resolve(draft, PICKED)
    if who == "fighter":
        return _only_fighter(draft)
    if who.startswith(PICKED) and not draft.context.picked and draft.context.has_rolled_each:
        return ROLLED
    return who


def _of_moment(draft: Draft) -> str:
    """Return the fighter that the moment is about."""
    return SUBJECT if draft.context.is_of_friend else SELF


def _user(draft: Draft) -> str:
    """Return whom 'you' stands for: the fighter that uses the ability."""
    if not draft.context.price:
        raise UnclearError("a player")
    return SELF


def _only_fighter(draft: Draft) -> str:
    """Return whom 'the fighter' stands for, where nobody else was named."""
    if draft.context.subject != SELF or draft.context.picked:
        raise UnclearError("which fighter")
    require_subject(draft)
    return SELF


def require_subject(draft: Draft) -> None:
    """Raise UnclearError for 'it' if it could be a fighter of the sentence before, which was not read."""
    if not draft.context.has_subject:
        raise UnclearError("who was named in the sentence before")


def resolve_group(draft: Draft, data: Data) -> Data:
    """Return the data of a group; 'within 1" of it' is measured to whom 'it' stands for."""
    if data.get("trait"):
        data = {key: value for key, value in data.items() if key != "trait"}
        data["side"] = "friend" if data["side"] == "fighter" else data["side"]
    if isinstance(data.get("any_runemarks"), dict):
        data = _with_marks(data, data["any_runemarks"]["marks"])
    if data.get("visible") == IT:
        if draft.context.subject != SELF:
            raise UnclearError("visible to whom")
        data = {**data, "visible": True}
    if data.get("to") == IT:
        data = {**data, "to": resolve(draft, IT)}
        if data["to"] not in (SELF, PICKED, SUBJECT):
            raise UnclearError("nobody to measure to")
    if data.get("to") in (PICKED, PICKED_ENEMY, SUBJECT, TARGET, EITHER_TARGET):
        data = {**data, "to": _center(draft, data["to"])}
    return {key: value for key, value in data.items() if (key, value) not in (("count", 1), ("to", SELF))}


def _center(draft: Draft, who: str) -> str:
    """Return whom a distance is measured to: the picked fighter, or the friend that the moment is about."""
    if who in (TARGET, EITHER_TARGET):
        return PICKED if who == EITHER_TARGET and draft.context.picked else _target(draft)
    name, _, side = resolve(draft, who).partition("-")
    if name == PICKED and (not draft.context.picked or side not in ("", draft.context.picked)):
        raise UnclearError("nobody to measure to")
    return name


def _target(draft: Draft) -> str:
    """Return the target of the attack before."""
    is_of_attack = any(kind in ("stats", "reroll") for kind in draft.kinds) or draft.context.event == "attacks"
    if not is_of_attack and draft.context.action != "attack":
        raise UnclearError("the target of what")
    return TARGET


def _with_marks(data: Data, marks: list[str]) -> Data:
    """Return a group with one of some runemarks, or with the only one."""
    others = {key: value for key, value in data.items() if key != "any_runemarks"}
    if len(marks) > 1:
        return {**others, "any_runemarks": marks}
    return {**others, "runemarks": [*others.get("runemarks", ()), *marks]}


def group_again(draft: Draft, side: str) -> Data:
    """Return the group that 'one of them', 'one of those enemies', or 'one of those friends' belongs to."""
    near = draft.context.near_enemy
    group = {"side": "enemy", "within": near} if near else draft.context.group
    if side != "fighter" and group.get("side") != side:
        raise UnclearError("one of whom")
    if near:
        return group
    if draft.context.subject not in (GROUP, PICKED) or not group or not draft.context.has_subject:
        raise UnclearError("one of whom")
    return group


def consequences(draft: Draft) -> list[Data]:
    """Return the changes that are more than a pick, a roll, or when the rule can be used."""
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind not in ("pick", "roll", "roll_each", "only_if", "not_if", "reacts")
    ]


def lasting_changes(draft: Draft) -> list[Data]:
    """Return the changes that last for a while, and those that wait for a moment."""
    return [
        change
        for change, kind in zip(draft.changes, draft.kinds, strict=True)
        if kind in LASTING or ("when" in change and kind not in ("reacts",))
    ]
