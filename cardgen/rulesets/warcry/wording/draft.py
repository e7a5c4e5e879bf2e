"""A sentence in progress: what its clauses have said so far, and what the sentences before say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from cardgen.game import unclear_if
from cardgen.rulesets.warcry.changes import with_facts
from cardgen.rulesets.warcry.selections import Multiple, State
from cardgen.rulesets.warcry.wording.values import Data, amount
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
    `has_choice` is true if the player chooses whether what follows happens, and `is_trait` if the text says that it is
    that of a battle trait.
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
    is_trait: bool = False


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
        return self.changes[-1] if self.consequences else {}

    def last_of(self, *kinds: str) -> Data:
        """Return the change before, if it is a consequence of some kinds, or {}."""
        return self.last if self.kinds and self.kinds[-1] in kinds else {}

    @property
    def pairs(self) -> list[tuple[Data, str]]:
        """Its changes, each with its kind."""
        return [*zip(self.changes, self.kinds, strict=True)]

    def put(self, kind: str, change: Data) -> None:
        """Add a change as it is."""
        self.changes.append(change)
        self.kinds.append(kind)

    def append(self, kind: str, data: Data) -> None:
        """Add a change to a sentence, with what its clauses have said so far."""
        data = {key: value for key, value in data.items() if (key, value) != ("of", SELF)}
        self.put(kind, {**self.frame, **data})
        self.frame.pop("when", None)
        self.has_open_frame = False
        if kind == "bonus":
            self.note_actions(data)
        of = data.get("of")
        if "activates" in data or (isinstance(of, dict) and of.get("aura") == "activation"):
            self.know(is_of_other_activation=True)

    def note_actions(self, bonus: Data) -> None:
        """Remember which bonus actions come before, and who makes them."""
        names = [name for name in ("move", "attack") if f"bonus_{name}" in bonus]
        actors = self.context.actors | dict.fromkeys(names, bonus.get("of", SELF))
        self.know(action=names[0] if len(names) == 1 else "", actors=actors)

    @property
    def party_before(self) -> Any:
        """Return whom the consequence before is for, or whom 'it' stands for if there is none."""
        return self.last.get("of", SELF) if self.consequences else self.resolve(IT)

    def resolve(self, who: str) -> str:
        """Return whom 'it' or 'that fighter' stands for."""
        if who == IT:
            unclear_if(self.context.subject in (SEVERAL, EITHER), "which of them")
            unclear_if(not self.context.has_subject, _UNREAD)
            return self.context.subject
        if who == YOU:
            unclear_if(not self.context.price, "a player")
            return SELF
        of_moment = SUBJECT if self.context.is_of_friend else SELF
        if who == THAT_ATTACK:
            # Who makes 'that attack': the bonus attack before it, or that of the moment.
            if maker := self.context.actors.get("attack"):
                unclear_if(not isinstance(maker, str) or maker == EITHER, "which of those attacks")
                return str(maker)
            unclear_if(self.context.event not in ("", *ATTACKER_EVENTS, *OWN_ATTACKS), "which attack")
            unclear_if(not (self.context.event or self.context.is_known), "an attack of a sentence that was not read")
            return "attacker" if self.context.event in ATTACKER_EVENTS else of_moment
        if who in ("attacker", "responsible") and self.context.event in OWN_ATTACKS:
            return of_moment
        if who == "responsible" and self.context.event == "taken-down":
            return "attacker"
        if who == PICKED_ENEMY and not self.context.picked and self.context.event in ATTACKER_EVENTS:
            return "attacker"
        if self.context.is_of_friend and who in (PICKED, "picked-friend", SUBJECT):
            return SUBJECT
        if who == SUBJECT:
            return "picked-friend"
        if who == "those":
            return GROUP if self.context.subject == GROUP and not self.context.picked else self.resolve(PICKED)
        if who == "fighter":
            unclear_if(self.context.subject != SELF or self.context.picked, "which fighter")
            unclear_if(not self.context.has_subject, _UNREAD)
            return SELF
        if who.startswith(PICKED) and self.context.rolled:
            side, sides = who.partition("-")[2], {PICKED: self.context.picked, ROLLED: self.context.rolled}
            found = [name for name, each in sides.items() if each and (not side or side == each)]
            unclear_if(len(found) > 1, "the one that was picked, or the one rolled for")
            return ROLLED if found == [ROLLED] else who
        return who

    def resolve_group(self, data: Data) -> Data:
        """Return the data of a group; 'within 1" of it' is measured to whom 'it' stands for."""
        if data.get("trait"):
            data = {key: value for key, value in data.items() if key != "trait"}
            data["side"] = "friend" if data["side"] == "fighter" else data["side"]
        if isinstance(data.get("any_runemarks"), dict):
            marks = data["any_runemarks"]["marks"]
            data = {key: value for key, value in data.items() if key != "any_runemarks"}
            is_one = len(marks) == 1  # One of a single runemark is that one.
            data |= {"runemarks": [*data.get("runemarks", ()), *marks]} if is_one else {"any_runemarks": marks}
        if data.get("visible") == IT:
            unclear_if(self.context.subject != SELF, "visible to whom")
            data = {**data, "visible": True}
        if data.get("to") == IT:
            data = {**data, "to": self.resolve(IT)}
            unclear_if(data["to"] not in (SELF, PICKED, SUBJECT), "nobody to measure to")
        if data.get("to") in (PICKED, PICKED_ENEMY, SUBJECT, TARGET, EITHER_TARGET):
            data = {**data, "to": self._center(data["to"])}
        return {key: value for key, value in data.items() if (key, value) not in (("count", 1), ("to", SELF))}

    def _center(self, who: str) -> str:
        """Return whom a distance is measured to: a picked fighter, the target, or the friend of the moment."""
        if who == TARGET or (who == EITHER_TARGET and not self.context.picked):
            is_of_attack = {"stats", "reroll"} & {*self.kinds} or self.context.event == "attacks"
            unclear_if(not is_of_attack and self.context.action != "attack", "the target of what")
            return TARGET
        name, _, side = (PICKED, "", "") if who == EITHER_TARGET else self.resolve(who).partition("-")
        is_picked = bool(self.context.picked) and side in ("", self.context.picked)
        unclear_if(name == PICKED and not is_picked, "nobody to measure to")
        return name

    def group_again(self, side: str) -> Data:
        """Return the group that 'one of them', 'one of those enemies', or 'one of those friends' belongs to."""
        near, subject = self.context.near_enemy, self.context.subject
        group = {"side": "enemy", "within": near} if near else self.context.group
        is_named = near or (subject in (GROUP, PICKED) and group and self.context.has_subject)
        unclear_if(not is_named or side not in ("fighter", group.get("side")), "one of whom")
        return group

    @property
    def consequences(self) -> list[Data]:
        """Return the changes that are more than a pick, a roll, or when the rule can be used."""
        others = ("pick", "roll", "roll_each", "only_if", "not_if", "reacts")
        return [change for change, kind in self.pairs if kind not in others]

    @property
    def lasting_changes(self) -> list[Data]:
        """Return the changes that last for a while, and those that wait for a moment."""
        return [change for change, kind in self.pairs if kind in LASTING or ("when" in change and kind != "reacts")]

    def add_pick(self, picked: Data, **others: Any) -> None:
        """Add a pick; the fighter picked is the one that 'it' stands for."""
        self.know(
            subject=PICKED,
            has_subject=True,
            names_fighter=True,
            picked=picked["side"],
            picks_several=picked.get("count", 1) > 1,
            group={},  # 'One of them' is one that was picked, which no change can say.
            near_enemy=0,
            picked_on=self.frame.get("on_roll", ""),
            is_of_friend=False,
            is_of_enemy=False,
            rolled="",
            actors={name: EITHER if who == PICKED else who for name, who in self.context.actors.items()},
        )
        self.append("pick", {**others, "pick": picked})

    def party_of(self, who: Any) -> Any:
        """Return whom a consequence is for, and remember it as the one that 'it' stands for."""
        if isinstance(who, dict) and {"same", "chosen"} & who.keys():
            picked = self.group_again(who["same"]) if "same" in who else self.resolve_group(who["chosen"])
            unclear_if("chosen" in who and picked == {"side": "fighter"}, "any fighter")
            self.add_pick(picked)
            return PICKED
        if isinstance(who, dict):
            group = self.resolve_group(who)
            if "another" in group and self.consequences and self.context.subject == GROUP:
                self.is_loose |= group != self.context.group  # Other than those, or than the user.
            self.know(subject=GROUP, has_subject=True, names_fighter=True, group=group)
            return group
        if who == PICKED_ENEMY and self.context.near_enemy and not self.context.picked:
            self.settle(SELF)
            self.add_pick({"side": "enemy", "within": self.context.near_enemy})
            return PICKED
        who, _, side = self.resolve(who).partition("-")
        if who == LEADER:
            return self.party_of({"side": "friend", "leader": True})
        if who == GROUP:
            return self.context.group
        self._require(who, side)
        self.know(subject=who, has_subject=True, names_fighter=True)
        return who

    def _require(self, who: str, side: str = "") -> None:
        """Raise UnclearError if nobody was named that a word refers to; it may be in a sentence that was not read."""
        faces = self.frame.get("on_roll", "")
        unclear_if(
            who == PICKED and self.context.picked_on and faces not in ("", self.context.picked_on),
            "picked on other faces",
        )
        allowed = {
            SELF: True,
            LEADER: True,
            SUBJECT: self.context.is_of_friend,
            PICKED: side in ("", self.context.picked) if self.context.picked else False,
            ROLLED: self.context.has_rolled_each,
            "attacker": self.context.event in HAVE_ATTACKER,
            "target": EVENTS[self.context.event].has_target if self.context.event else False,
        }
        if not allowed.get(who):
            unclear_if(self.context.is_known, "nobody that it refers to")
            self.is_loose = True

    def parties_of(self, who: Any) -> list[Any]:
        """Return the parties of a clause: one, or each of 'this fighter and each friendly fighter'."""
        if not (isinstance(who, dict) and "all" in who):
            return [self.party_of(who)]
        parties = [self.party_of(each) for each in who["all"]]
        has_self, has_picked = SELF in parties, PICKED in parties
        for number, group in enumerate(parties):
            if isinstance(group, dict) and has_self and group["side"] != "enemy":
                parties[number] = {**group, "another": True}  # 'This fighter and each friend' are not twice the same.
            if isinstance(group, dict) and has_picked and group.get("to") == PICKED:
                parties[number] = {**parties[number], "unpicked": True}  # Nor 'that enemy and each enemy near it'.
        unclear_if(self.waiting, "condition of several")
        unclear_if(len({str(party) for party in parties}) < len(parties), "the same party twice")
        self.know(subject=SEVERAL, group={})
        return parties

    def condition_party(self, kind: str, who: list[str]) -> str:
        """Return whom a condition is about; one that is still to come sets `waiting` of the self."""
        who = [each for each in who if each != ELIDED] or who
        unclear_if(len(set(who)) > 1, "conditions of several")
        is_first = not self.consequences and not self.waiting
        name = who[0] if who else SELF
        if name == ELIDED and not is_first:
            name = IT
        if name in (ELIDED, EACH) or (name == IT and is_first and self.context.subject == SELF):
            if not is_first:
                return EACH
            self.waiting = kind
            return EACH if name == EACH else SELF
        party, _, side = self.resolve(name).partition("-")
        if party != GROUP:
            self._require(party, side)
        return party

    def narrow_last(self, state: Data, kind: str) -> None:
        """Add a condition to the group of the consequence before it: 'enemies cannot move while they are in cover'."""
        last = self.last
        is_of_group = len(self.consequences) == 1 and isinstance(last.get("of"), dict)
        unclear_if(self.leads_on or not is_of_group or kind in last, "condition of several")
        if _can_narrow(last["of"], state, kind):
            last["of"], self.narrowed = {**last["of"], **state}, state
        else:
            last[kind] = state_of(state, EACH)
        self.know(group=last["of"])
        self.has_condition = True

    def settle(self, party: Any) -> Any:
        """Return a party with the condition that waited for it, or give the condition that party."""
        if not self.waiting:
            return party
        key, self.waiting = self.waiting, ""
        state = self.frame[key]
        if not isinstance(party, dict):
            unclear_if(state.get("of") == EACH, "the fighter of no group")
            self.frame[key] = state_of(state, party)
            return party
        self.has_condition = True
        if not _can_narrow(party, state, key):
            self.frame[key] = state_of(state, EACH)
            return party
        self.narrowed = self.frame.pop(key)
        group = {**party, **self.narrowed}
        self.know(group=group)
        return group

    def require_no_condition(self) -> None:
        """Raise UnclearError after a condition that follows its consequence: it may be for what comes next."""
        unclear_if(self.has_condition, "a condition between consequences")

    def count_last(self, data: Data) -> None:
        """Let the last change happen once for each of something."""
        unclear_if(not self.consequences or self.kinds[-1] not in COUNTED or "per" in self.changes[-1], "what for each")
        self.changes[-1] |= data
        self.per = {}


# A condition whose fighter is left out: 'while in cover'.
ELIDED = "elided"
# 'It' may be a fighter of the sentence before, which was not read.
_UNREAD = "who was named in the sentence before"
LEADER = "leader"
# Each fighter of a group, as one that a condition is about.
EACH = "each"
# What a group can say of its fighters.
_OF_GROUPS = frozenset((*State.model_fields, "within", "aura", "to", "to_mark"))


def state_of(state: Data, party: str) -> Data:
    """Return a condition of a party."""
    unclear_if(party == SELF and "within" in state, "within which distance of itself")
    named = {"of": party} if party != SELF else {}
    return {**{key: value for key, value in state.items() if key != "aura"}, **named}


def _can_narrow(group: Data, state: Data, kind: str) -> bool:
    """Return whether a group can say a condition of its fighters."""
    return kind != "unless" and not group.keys() & state.keys() and state.keys() <= _OF_GROUPS


Handler = Callable[[Draft, str, Data], None]
# What adds clauses of a kind to a draft, unless they are consequences.
ADD: dict[str, Handler] = {}


def adds(*kinds: str) -> Callable[[Handler], Handler]:
    """Declare that a function adds the clauses of some kinds to a draft."""

    def declare(add: Handler) -> Handler:
        ADD.update(dict.fromkeys(kinds, add))
        return add

    return declare


DICE_COUNTS = ("value", "half-value", "double-value", "2d6")
# What allocates or removes the damage points that are counted.
POINTS = {"dealt": "deal", "healed": "heal"}
# What can have a lowest result.
LOWERED = ("stats", *with_facts(Fact.LOWERED))
# What can happen once for each of something.
COUNTED = ("stats", *with_facts(Fact.COUNTED))


@adds("pick")
def add_named_pick(draft: Draft, kind: str, part: Data) -> None:
    """Add a pick of a fighter that a clause names."""
    draft.require_no_condition()
    draft.settle(SELF)
    unclear_if(
        part.pop("bare", False) and (draft.changes or draft.frame or not draft.context.price),
        "a fighter without a clause",
    )
    pick = part.pop("pick")
    draft.add_pick(draft.group_again(pick["same"]) if "same" in pick else draft.resolve_group(pick), **part)


@adds("roll")
def add_roll(draft: Draft, kind: str, part: Data) -> None:
    """Add a roll of dice, whose faces the clauses that follow name."""
    draft.require_no_condition()
    draft.settle(SELF)
    if "pick" in part:
        add_named_pick(draft, "pick", {"pick": part.pop("pick")})
    unclear_if(part.pop("picked", False) and draft.context.subject != PICKED, "for whom")
    number = amount(part["roll"])
    number = 1 if number == "1d6" else number
    unclear_if(isinstance(number, str) and number not in DICE_COUNTS, "other dice")
    draft.know(dice=number, faces=())
    draft.append(kind, {**part, "roll": number})


@adds("roll_each")
def add_rolls(draft: Draft, kind: str, part: Data) -> None:
    """Add a die for each fighter of a group, for each one that was picked, or for each set of ability dice."""
    draft.require_no_condition()
    draft.settle(SELF)
    whom = part["roll_each"]
    number = amount(part.pop("n", 1))
    number = 1 if number == "1d6" else number
    unclear_if(
        (isinstance(number, str) and number not in get_args(Multiple)) or (whom == PICKED and not draft.context.picked),
        "other dice, or nobody to roll for",
    )
    if whom in ("hits", "criticals", "misses"):
        draft.know(rolls_hits=True, dice=1, faces=())
        draft.append(kind, {**part, "roll_each": whom})
        return
    group = whom if isinstance(whom, str) else draft.resolve_group(whom)
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
    draft.append(kind, {**part, "roll_each": group, **several})


@adds("lowest")
def add_lowest(draft: Draft, kind: str, part: Data) -> None:
    """Add the lowest result of the change before."""
    unclear_if(not draft.kinds or draft.kinds[-1] not in LOWERED, "lowest of what")
    draft.changes[-1] |= part["is"]


@adds("per")
def add_per(draft: Draft, kind: str, part: Data) -> None:
    """Add what is counted, for the change before or the one that follows."""
    per = part["per"] if isinstance(part["per"], str) else draft.resolve_group(part["per"])
    data = {"per": per, **({"per_points": part["points"]} if "points" in part else {})}
    unclear_if(draft.kinds and draft.kinds[-1] == "roll", "dice for each")
    counts_points = isinstance(per, str) and per in POINTS and bool(draft.kinds) and draft.kinds[-1] == POINTS[per]
    if not draft.consequences or draft.leads_on or counts_points:
        draft.per = data
    else:
        draft.count_last(data)
