"""A sentence in progress: what its clauses have said so far, and what the sentences before say."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, get_args

from cardgen.rulesets.warcry.changes import with_facts
from cardgen.rulesets.warcry.selections import Multiple, State
from cardgen.rulesets.warcry.wording.values import Data, amount, unclear_if
from cardgen.rulesets.warcry.words import EVENTS, Fact

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
# Whom 'it' stands for where it could be either of two that a clause names: 'this fighter makes an attack against that
# enemy'. A clause without a subject shares that of the one before.
EITHER = "either"
# Clauses of what lasts for a while, or is for the next action only.
LASTING = ("stats", *with_facts(Fact.ENDS))
# The owner of 'that attack': the attacker if the moment is an attack on the fighter.
THAT_ATTACK = "that_attack"
ATTACKER_EVENTS, OWN_ATTACKS = EVENTS.where(lambda it: it.is_attacked), EVENTS.where(lambda it: it.is_own_attack)
# Moments with an attacker, or somebody else who took the fighter down.
HAVE_ATTACKER = EVENTS.where(lambda it: it.has_attacker)


@dataclass(frozen=True, slots=True)
class Context:
    """What the sentences before say: who is 'it' and 'that fighter', and which dice were rolled.

    `group` are the fighters that 'they' and 'one of them' stand for. `near_enemy` is the distance of 'an enemy' in a
    condition before, or 0. `faces` are those that the clauses since the roll name. `picks_several` is true if more than
    one fighter was picked. `picked_on` are the faces for which a fighter was picked, or ''. `action` is 'move' or
    'attack' after a bonus action, and `end` how long the changes of the sentence before last. `is_of_friend` is true if
    a moment is about another fighter than the one that uses the rule, and `is_of_enemy` if it names the enemy that
    'that fighter' stands for. `rolled` is the side of those that dice were rolled for, if nobody was picked since, and
    `actors` who makes 'that attack' and 'that move', as bonus actions. `is_of_other_activation` says that 'that
    activation' is that of another fighter. `rolls_sets` is true if a die was rolled for each set of ability dice.
    `is_known` is false if a sentence before was not read, and `names_fighter` is true if one named a fighter at all.
    `has_choice` is true if the player chooses whether what follows happens.
    """

    subject: str = SELF
    has_subject: bool = True
    picked: str = ""
    picks_several: bool = False
    has_rolled_each: bool = False
    rolls_sets: bool = False
    dice: int | str = 0
    event: str = ""
    is_known: bool = True
    price: str = ""
    group: Data = field(default_factory=dict)
    faces: tuple[str, ...] = ()
    rolls_hits: bool = False
    condition: Data = field(default_factory=dict)
    near_enemy: int = 0
    picked_on: str = ""
    action: str = ""
    actors: Data = field(default_factory=dict)
    rolled: str = ""
    is_of_other_activation: bool = False
    end: str = ""
    is_of_friend: bool = False
    is_of_enemy: bool = False
    names_fighter: bool = False
    has_choice: bool = False


@dataclass(slots=True)
class Draft:
    """A sentence in progress: its changes, and what is for those that follow.

    `waiting` is the key of a condition whose fighter is named by the clause that follows: 'while in cover, …'.
    `needs_end` says that a consequence is for a while only, `is_elided` that one names no fighter, and
    `goes_on` that what has no end has that of the sentence before. `is_after` says that the next clause is about what
    happens after an action, and `awaits_end` that it must say for how long: 'this lasts until …'. `is_of_now` says
    that a condition is checked once, and `narrowed` is one that a group says. `is_during_attack` says that a moment
    may stand for the whole of an attack, which it only begins or ends. `has_order` says that the attacker goes first.
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
    is_during_attack: bool = False
    is_of_now: bool = False
    narrowed: Data = field(default_factory=dict)
    has_order: bool = False

    def know(self, **facts: Any) -> None:
        """Change what the sentences and clauses so far say."""
        self.context = replace(self.context, **facts)

    @property
    def last(self) -> Data:
        """The change before, if it is a consequence, or {}."""
        return self.changes[-1] if consequences(self) else {}


def append(draft: Draft, kind: str, data: Data) -> None:
    """Add a change to a sentence, with what its clauses have said so far."""
    data = {key: value for key, value in data.items() if (key, value) != ("of", SELF)}
    draft.changes.append({**draft.frame, **data})
    draft.kinds.append(kind)
    draft.frame.pop("when", None)
    draft.has_open_frame = False
    if kind == "bonus":
        note_actions(draft, data)
    of = data.get("of")
    if "activates" in data or (isinstance(of, dict) and of.get("aura") == "activation"):
        draft.know(is_of_other_activation=True)


def note_actions(draft: Draft, bonus: Data) -> None:
    """Remember which bonus actions come before, and who makes them."""
    names = [name for name in ("move", "attack") if f"bonus_{name}" in bonus]
    actors = draft.context.actors | dict.fromkeys(names, bonus.get("of", SELF))
    draft.know(action=names[0] if len(names) == 1 else "", actors=actors)


def party_before(draft: Draft) -> Any:
    """Return whom the consequence before is for, or whom 'it' stands for if there is none."""
    return draft.last.get("of", SELF) if consequences(draft) else resolve(draft, IT)


def resolve(draft: Draft, who: str) -> str:
    """Return whom 'it' or 'that fighter' stands for."""
    if who == IT:
        unclear_if(draft.context.subject in (SEVERAL, EITHER), "which of them")
        require_subject(draft)
        return draft.context.subject
    if who == YOU:
        unclear_if(not draft.context.price, "a player")
        return SELF
    if who == THAT_ATTACK:
        return _attacker_of_that(draft)
    if who in ("attacker", "responsible") and draft.context.event in OWN_ATTACKS:
        return _of_moment(draft)
    if who == "responsible" and draft.context.event == "taken-down":
        return "attacker"
    if who == PICKED_ENEMY and not draft.context.picked and draft.context.event in ATTACKER_EVENTS:
        return "attacker"
    return _resolve_picked(draft, who)


def _attacker_of_that(draft: Draft) -> str:
    """Return who makes 'that attack': the bonus attack before it, or that of the moment."""
    if maker := draft.context.actors.get("attack"):
        unclear_if(not isinstance(maker, str) or maker == EITHER, "which of those attacks")
        return str(maker)
    unclear_if(draft.context.event not in ("", *ATTACKER_EVENTS, *OWN_ATTACKS), "which attack")
    unclear_if(not (draft.context.event or draft.context.is_known), "an attack of a sentence that was not read")
    return "attacker" if draft.context.event in ATTACKER_EVENTS else _of_moment(draft)


def _resolve_picked(draft: Draft, who: str) -> str:
    """Return whom a word for fighters that were picked, or rolled for, stands for."""
    if draft.context.is_of_friend and who in (PICKED, "picked-friend", SUBJECT):
        return SUBJECT
    if who == SUBJECT:
        return "picked-friend"
    if who == "those":
        return GROUP if draft.context.subject == GROUP and not draft.context.picked else resolve(draft, PICKED)
    if who == "fighter":
        unclear_if(draft.context.subject != SELF or draft.context.picked, "which fighter")
        require_subject(draft)
        return SELF
    if who.startswith(PICKED) and draft.context.rolled:
        side, sides = who.partition("-")[2], {PICKED: draft.context.picked, ROLLED: draft.context.rolled}
        found = [name for name, each in sides.items() if each and (not side or side == each)]
        unclear_if(len(found) > 1, "the one that was picked, or the one rolled for")
        return ROLLED if found == [ROLLED] else who
    return who


def _of_moment(draft: Draft) -> str:
    """Return the fighter that the moment is about."""
    return SUBJECT if draft.context.is_of_friend else SELF


def require_subject(draft: Draft) -> None:
    """Raise UnclearError for 'it' if it could be a fighter of the sentence before, which was not read."""
    unclear_if(not draft.context.has_subject, "who was named in the sentence before")


def resolve_group(draft: Draft, data: Data) -> Data:
    """Return the data of a group; 'within 1" of it' is measured to whom 'it' stands for."""
    if data.get("trait"):
        data = {key: value for key, value in data.items() if key != "trait"}
        data["side"] = "friend" if data["side"] == "fighter" else data["side"]
    if isinstance(data.get("any_runemarks"), dict):
        data = _with_marks(data, data["any_runemarks"]["marks"])
    if data.get("visible") == IT:
        unclear_if(draft.context.subject != SELF, "visible to whom")
        data = {**data, "visible": True}
    if data.get("to") == IT:
        data = {**data, "to": resolve(draft, IT)}
        unclear_if(data["to"] not in (SELF, PICKED, SUBJECT), "nobody to measure to")
    if data.get("to") in (PICKED, PICKED_ENEMY, SUBJECT, TARGET, EITHER_TARGET):
        data = {**data, "to": _center(draft, data["to"])}
    return {key: value for key, value in data.items() if (key, value) not in (("count", 1), ("to", SELF))}


def _center(draft: Draft, who: str) -> str:
    """Return whom a distance is measured to: the picked fighter, or the friend that the moment is about."""
    if who in (TARGET, EITHER_TARGET):
        return PICKED if who == EITHER_TARGET and draft.context.picked else _target(draft)
    name, _, side = resolve(draft, who).partition("-")
    unclear_if(
        name == PICKED and (not draft.context.picked or side not in ("", draft.context.picked)), "nobody to measure to"
    )
    return name


def _target(draft: Draft) -> str:
    """Return the target of the attack before."""
    is_of_attack = any(kind in ("stats", "reroll") for kind in draft.kinds) or draft.context.event == "attacks"
    unclear_if(not is_of_attack and draft.context.action != "attack", "the target of what")
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
    unclear_if(side != "fighter" and group.get("side") != side, "one of whom")
    if near:
        return group
    unclear_if(
        draft.context.subject not in (GROUP, PICKED) or not group or not draft.context.has_subject, "one of whom"
    )
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


# A condition whose fighter is left out: 'while in cover'.
ELIDED = "elided"
LEADER = "leader"
# Each fighter of a group, as one that a condition is about.
EACH = "each"
# What a group can say of its fighters.
_OF_GROUPS = frozenset((*State.model_fields, "within", "aura", "to", "to_mark"))


def add_pick(draft: Draft, picked: Data, **others: Any) -> None:
    """Add a pick; the fighter picked is the one that 'it' stands for."""
    draft.know(
        subject=PICKED,
        has_subject=True,
        names_fighter=True,
        picked=picked["side"],
        picks_several=picked.get("count", 1) > 1,
        group={},  # 'One of them' is one that was picked, which no change can say.
        near_enemy=0,
        picked_on=draft.frame.get("on_roll", ""),
        is_of_friend=False,
        is_of_enemy=False,
        rolled="",
        actors={name: EITHER if who == PICKED else who for name, who in draft.context.actors.items()},
    )
    append(draft, "pick", {**others, "pick": picked})


def party_of(draft: Draft, who: Any) -> Any:
    """Return whom a consequence is for, and remember it as the one that 'it' stands for."""
    if isinstance(who, dict) and "same" in who:
        add_pick(draft, group_again(draft, who["same"]))
        return PICKED
    if isinstance(who, dict) and "chosen" in who:
        picked = resolve_group(draft, who["chosen"])
        unclear_if(picked == {"side": "fighter"}, "any fighter")
        add_pick(draft, picked)
        return PICKED
    if isinstance(who, dict):
        group = resolve_group(draft, who)
        if "another" in group and consequences(draft) and draft.context.subject == GROUP:
            draft.is_loose |= group != draft.context.group  # Other than those, or than the user.
        draft.know(subject=GROUP, has_subject=True, names_fighter=True, group=group)
        return group
    return _named(draft, who)


def _named(draft: Draft, who: str) -> Any:
    """Return a party that is named by a word, or the group that 'they' stands for."""
    if who == "picked-enemy" and draft.context.near_enemy and not draft.context.picked:
        settle(draft, SELF)
        add_pick(draft, {"side": "enemy", "within": draft.context.near_enemy})
        return PICKED
    who, _, side = resolve(draft, who).partition("-")
    if who == LEADER:
        return party_of(draft, {"side": "friend", "leader": True})
    if who == GROUP:
        return draft.context.group
    _require(draft, who, side)
    draft.know(subject=who, has_subject=True, names_fighter=True)
    return who


def _require(draft: Draft, who: str, side: str = "") -> None:
    """Raise UnclearError if nobody was named that a word refers to; it may be in a sentence that was not read."""
    faces = draft.frame.get("on_roll", "")
    unclear_if(
        who == PICKED and draft.context.picked_on and faces not in ("", draft.context.picked_on),
        "picked on other faces",
    )
    allowed = {
        SELF: True,
        LEADER: True,
        SUBJECT: draft.context.is_of_friend,
        PICKED: side in ("", draft.context.picked) if draft.context.picked else False,
        ROLLED: draft.context.has_rolled_each,
        "attacker": draft.context.event in HAVE_ATTACKER,
        "target": EVENTS[draft.context.event].has_target if draft.context.event else False,
    }
    if not allowed.get(who):
        unclear_if(draft.context.is_known, "nobody that it refers to")
        draft.is_loose = True


def parties_of(draft: Draft, who: Any) -> list[Any]:
    """Return the parties of a clause: one, or each of 'this fighter and each friendly fighter'."""
    if not (isinstance(who, dict) and "all" in who):
        return [party_of(draft, who)]
    parties = [party_of(draft, each) for each in who["all"]]
    if SELF in parties:  # 'This fighter and each friend' are not twice the same.
        parties = [
            ({**party, "another": True} if isinstance(party, dict) and party["side"] != "enemy" else party)
            for party in parties
        ]
    if PICKED in parties:  # Nor are 'that enemy and each enemy within 2" of it'.
        parties = [
            ({**party, "unpicked": True} if isinstance(party, dict) and party.get("to") == PICKED else party)
            for party in parties
        ]
    unclear_if(draft.waiting, "condition of several")
    unclear_if(len({str(party) for party in parties}) < len(parties), "the same party twice")
    draft.know(subject=SEVERAL, group={})
    return parties


def condition_party(draft: Draft, kind: str, who: list[str]) -> str:
    """Return whom a condition is about; one that is still to come sets `waiting` of the draft."""
    who = [each for each in who if each != ELIDED] or who
    who = [each for each in who if each != ELIDED] or who
    unclear_if(len(set(who)) > 1, "conditions of several")
    is_first = not consequences(draft) and not draft.waiting
    name = who[0] if who else SELF
    if name == ELIDED and not is_first:
        name = IT
    if name in (ELIDED, EACH) or (name == IT and is_first and draft.context.subject == SELF):
        if not is_first:
            return EACH
        draft.waiting = kind
        return EACH if name == EACH else SELF
    party, _, side = resolve(draft, name).partition("-")
    if party != GROUP:
        _require(draft, party, side)
    return party


def narrow_last(draft: Draft, state: Data, kind: str) -> None:
    """Add a condition to the group of the consequence before it: 'enemies cannot move while they are in cover'."""
    last = draft.last
    unclear_if(
        draft.leads_on or len(consequences(draft)) != 1 or not isinstance(last.get("of"), dict) or kind in last,
        "condition of several",
    )
    if _can_narrow(last["of"], state, kind):
        last["of"], draft.narrowed = {**last["of"], **state}, state
    else:
        last[kind] = state_of(state, EACH)
    draft.know(group=last["of"])
    draft.has_condition = True


def settle(draft: Draft, party: Any) -> Any:
    """Return a party with the condition that waited for it, or give the condition that party."""
    if not draft.waiting:
        return party
    key, draft.waiting = draft.waiting, ""
    state = draft.frame[key]
    if not isinstance(party, dict):
        unclear_if(state.get("of") == EACH, "the fighter of no group")
        draft.frame[key] = state_of(state, party)
        return party
    draft.has_condition = True
    if not _can_narrow(party, state, key):
        draft.frame[key] = state_of(state, EACH)
        return party
    draft.narrowed = draft.frame.pop(key)
    group = {**party, **draft.narrowed}
    draft.know(group=group)
    return group


def state_of(state: Data, party: str) -> Data:
    """Return a condition of a party."""
    unclear_if(party == SELF and "within" in state, "within which distance of itself")
    named = {"of": party} if party != SELF else {}
    return {**{key: value for key, value in state.items() if key != "aura"}, **named}


def _can_narrow(group: Data, state: Data, kind: str) -> bool:
    """Return whether a group can say a condition of its fighters."""
    return kind != "unless" and not group.keys() & state.keys() and state.keys() <= _OF_GROUPS


DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
# What allocates or removes the damage points that are counted.
POINTS = {"dealt": "deal", "healed": "heal"}
# What can have a lowest result.
LOWERED = ("stats", *with_facts(Fact.LOWERED))
# What can happen once for each of something.
COUNTED = ("stats", *with_facts(Fact.COUNTED))


def require_no_condition(draft: Draft) -> None:
    """Raise UnclearError after a condition that follows its consequence: it may be for what comes next."""
    unclear_if(draft.has_condition, "a condition between consequences")


def add_named_pick(draft: Draft, kind: str, part: Data) -> None:
    """Add a pick of a fighter that a clause names."""
    require_no_condition(draft)
    settle(draft, SELF)
    unclear_if(
        part.pop("bare", False) and (draft.changes or draft.frame or not draft.context.price),
        "a fighter without a clause",
    )
    pick = part.pop("pick")
    add_pick(draft, group_again(draft, pick["same"]) if "same" in pick else resolve_group(draft, pick), **part)


def add_roll(draft: Draft, kind: str, part: Data) -> None:
    """Add a roll of dice, whose faces the clauses that follow name."""
    require_no_condition(draft)
    settle(draft, SELF)
    if "pick" in part:
        add_named_pick(draft, "pick", {"pick": part.pop("pick")})
    unclear_if(part.pop("picked", False) and draft.context.subject != PICKED, "for whom")
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    unclear_if(isinstance(number, str) and number not in DICE_COUNTS, "other dice")
    draft.know(dice=number, faces=())
    append(draft, kind, {**part, "roll": number})


def add_rolls(draft: Draft, kind: str, part: Data) -> None:
    """Add a die for each fighter of a group, for each one that was picked, or for each set of ability dice."""
    require_no_condition(draft)
    settle(draft, SELF)
    whom = part["roll_each"]
    number = amount(part.pop("n", 1))
    number = 1 if number == "1d6" else number
    unclear_if(
        (isinstance(number, str) and number not in get_args(Multiple)) or (whom == PICKED and not draft.context.picked),
        "other dice, or nobody to roll for",
    )
    if whom in ("hits", "criticals", "misses"):
        draft.know(rolls_hits=True, dice=1, faces=())
        append(draft, kind, {**part, "roll_each": whom})
        return
    group = whom if isinstance(whom, str) else resolve_group(draft, whom)
    is_of_others = bool(draft.context.picked) and whom != PICKED
    draft.know(
        subject=EITHER if is_of_others else ROLLED,
        has_subject=True,
        has_rolled_each=True,
        picked=draft.context.picked if is_of_others else "",
        rolled=group["side"] if isinstance(group, dict) else draft.context.picked if whom == PICKED else "",
        dice=number,
        faces=(),
        rolls_sets=whom == "sets",
    )
    several = {"dice_each": number} if number != 1 else {}
    append(draft, kind, {**part, "roll_each": group, **several})


def add_lowest(draft: Draft, kind: str, part: Data) -> None:
    """Add the lowest result of the change before."""
    unclear_if(not draft.kinds or draft.kinds[-1] not in LOWERED, "lowest of what")
    draft.changes[-1] |= part["is"]


def add_per(draft: Draft, kind: str, part: Data) -> None:
    """Add what is counted, for the change before or the one that follows."""
    per = part["per"] if isinstance(part["per"], str) else resolve_group(draft, part["per"])
    data = {"per": per, **({"per_points": part["points"]} if "points" in part else {})}
    unclear_if(draft.kinds and draft.kinds[-1] == "roll", "dice for each")
    counts_points = isinstance(per, str) and per in POINTS and bool(draft.kinds) and draft.kinds[-1] == POINTS[per]
    if not consequences(draft) or draft.leads_on or counts_points:
        draft.per = data
    else:
        count_last(draft, data)


def count_last(draft: Draft, data: Data) -> None:
    """Let the last change happen once for each of something."""
    unclear_if(not consequences(draft) or draft.kinds[-1] not in COUNTED or "per" in draft.changes[-1], "what for each")
    draft.changes[-1] |= data
    draft.per = {}
