"""The space of changes: random rules, and the smallest changes that they consist of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

from cardgen.rulesets.warcry.changes import Change, Rolled
from cardgen.rulesets.warcry.selections import FACES, HIGH_FACES, HitRoll, Multiple
from cardgen.rulesets.warcry.words import BANS, EVENTS

Data = dict[str, Any]
AMOUNTS = (*range(1, 7), *get_args(Multiple), *get_args(Rolled))
MARKS = ("hero", "beast", "icon-bearer", "skaven")
STATS = {"fighter": ("move", "toughness", "wounds"), "weapon": ("range", "attacks", "strength", "damage", "critical")}
SETS = (
    {"value": 6},
    {"value": "rolled", "either": True},
    {"swap": True},
    {"add": 2},
    {"gain": "quad", "value": 1},
    {"lift": True},
)
# What belongs to each sentence of a change, and what only some consequences have.
FRAME = ("of", "condition", "unless", "on_roll")
LASTING = ("span", "during", "at_least", "per", "per_points", "direction", "exact")
WITH_ENDS = (
    "cannot", "flies", "halve", "double", "fixes", "fixed_at", "survives", "gains_cover", "climbs", "ward", "passes",
    "counts_as", "deal", "heal", "save_wild", "shift", "healing", "impact", "adds_mark",
)  # fmt: skip
# What is for attacks, without being a characteristic.
OF_ATTACKS = (
    "half_damage", "reroll", "critical_face", "no_cover", "first_critical", "min_range", "matches_toughness",
)  # fmt: skip
# What is about no fighter.
OF_WARBANDS = {
    "sets", "save_wild", "goes_first", "not_for", "raise_value", "chooses", "lowest_value", "ability_range",
    "adds_to_roll",
}  # fmt: skip
PREPARATION = ("pick", "roll", "roll_each")
BONUS = ("bonus_move", "bonus_attack", "bonus_disengage")


class ChangeSpace:
    """Random rules: lists of changes that refer to each other as those of cards do."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.has_dice = True

    def _maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def group(self, *, side: str = "", is_pick: bool = False) -> Data:
        """Return a group, to pick from or not."""
        data: Data = {"side": side or self.random.choice(("enemy", "friend", "fighter"))}
        if self._maybe(0.7):
            data["within"] = self.random.choice((1, 3, 6, "value") if is_pick else (1, 3, 6))
        data |= {key: True for key in ("cover", "carries", "half_wounds") if self._maybe(0.05)}
        data |= {
            key: self.random.randint(1, 9)
            for key in ("objective_within", "damaged", "wounds", "beyond", "most_toughness", "wounds_left")
            if self._maybe(0.1)
        }
        if self._maybe(0.5):
            data["visible"] = True
        if data.get("within") == 3 and self._maybe(0.2):
            data |= {"to": "friends", "to_mark": "icon-bearer"}
        if data["side"] == "friend" and self._maybe(0.3):
            data["another"] = True
        if self._maybe(0.2):
            data["runemarks"] = self.random.sample(MARKS, self.random.choice((1, 2)))
        if self._maybe(0.1):
            data |= self.random.choice((
                {"any_runemarks": list(MARKS[:2])}, {"no_friend_within": 3}, {"lower": "toughness"}, {"reserve": True},
                {"gone": True}, {"unused": True}, {"struck": True},
            ))  # fmt: skip
        if is_pick and self._maybe(0.3):
            data |= self.random.choice(({"nearest": True}, {"count": 2}, {"count": 3, "up_to": True}))
        return data

    def condition(self) -> Data:
        """Return a condition of one or two things."""
        keys = {
            "took_down": self.random.choice(("attack", "melee", "any")),
            "moved": True, "still": True, "half_down": True, "damaged": 3, "half_wounds": True,
            "cover": True, "carries": True, "objective_within": 3, "obstacle_within": 1, "enemy_within": 1,
            "no_enemy_within": 3, "sees_enemy_within": 6, "friend_within": 3, "rounds": [2, 3], "ones": 1, "misses": 2,
            "present": True, "once": "battle", "unhurt": True, "attacked": True, "more_down": "enemy",
            "outnumbered": True, "initiative": True, "fresh": True,
            "activated": True,
            "runemarks": ["hero", "beast"], "no_friend_within": 3, "least_value": 4, "cost": 100,
            "ended_near": 1,
            "dropped": 2, "hits": 2, "criticals": 1, "terrain_within": 1, "on_floor": True, "uses": "Stone Skin",
            "uses_mark": "skaven", "enemy_mark": "beast", "targets": "Worthy Prey", "any_called": "Worthy Prey",
        }  # fmt: skip
        data = {key: keys[key] for key in self.random.sample([*keys], self.random.choice((1, 1, 2)))}
        details = {
            "enemy_within": ("enemies", 2),
            "friend_within": ("friends", 3),
            "objective_within": ("wholly", True),
            "once": ("by_fighter", True),
        }
        detail = details.get(next(iter(data)))
        return {**data, **({detail[0]: detail[1]} if detail and self._maybe(0.3) else {})}

    def condition_of(self, party: Any) -> Data:
        """Return a condition of the fighter that a change is for, or of the one that uses the rule."""
        if party == "self" or self._maybe(0.4):
            return self.condition()
        whom = "each" if isinstance(party, dict) else party
        states: Data = self.random.choice(
            ({"cover": True}, {"attacked": True}, {"visible": True}, {"unhurt": True, "enemy_within": 3})
        )
        if whom == "picked" and self._maybe(0.2):
            states = {"down": True}
        return {"of": whom, **states, **({"within": 3} if self._maybe(0.3) else {})}

    def moment(self) -> Data:
        """Return a moment with keys that go with its event."""
        event = self.random.choice([*EVENTS])
        values: Data = {
            "attack": self.random.choice(("any", "melee", "missile")), "of": self.random.choice(("self", "friend")),
            "within": 3, "deadly": True, "by_attack": True, "uses": "Stone Skin", "rounds": [1, 3],
            "enemy": self.group(side="enemy"),
            "first": self.random.choice((True, "round", "battle")) if event == "takes-down" else True,
        }  # fmt: skip
        keys = EVENTS[event].keys.split()
        return {"event": event, **{key: values[key] for key in keys if key in values and self._maybe(0.6)}}

    def numbers(self) -> Data:
        """Return changes of characteristics."""
        kind = self.random.choice(("fighter", "weapon"))
        names = self.random.sample(STATS[kind], self.random.choice((1, 2)))
        data: Data = {name: self.random.choice((-2, -1, 1, 3)) for name in names}
        if self._maybe(0.3):
            data = {
                **dict.fromkeys(names, self.random.choice((1, -1))),
                "times": self.random.choice(get_args(Multiple)),
            }
        if kind == "weapon":
            data |= self.random.choice((
                {}, {"weapon": "melee"}, {"target": {"side": "enemy", "within": 1, "to": "others"}},
                {"per": {"side": "friend", "within": 3, "to": "target"}},
                {"weapon": "missile", "reach": 6}, {"target": self.group()},
                {"incoming": True}, {"incoming": True, "beyond": 8}, {"weapon": "melee", "next": "attack"},
            ))  # fmt: skip
        if "per" not in data and self._maybe(0.2):
            data["at_least"] = 1
        return {**data, "for": self.random.choice(("attack", "activation", "round", "next-activation"))}

    def consequence(self) -> Data:
        """Return something that happens."""
        amount = self.random.choice([each for each in AMOUNTS if self.has_dice or each != "rolled"])
        options: list[Data] = [
            self.numbers(), self.numbers(), {"deal": amount},
            {"heal": amount, "may": True}, {"heal": amount, "per": self.random.choice(get_args(HitRoll))},
            {"attacks": 1, "weapon": "melee", "per": "healed", "per_points": 2, "for": "round"},
            {"deal": 1, "per": "dealt"},
            {"bonus_move": "move", "bonus_attack": True, "either": True}, {"bonus_move": amount, "may": True},
            {"bonus_move": "move", "closer": True}, {"bonus_move": 3, "engaged": True, "may": True},
            {"bonus_disengage": True, "unanswered": True},
            {"bonus_attack": "melee"}, {"bonus_disengage": True},
            {"cannot": self.random.sample([*BANS], 2), "for": "round"}, {"flies": True, "for": "activation"},
            {"reroll": "ones", "weapon": "melee", "for": "round"},
            {"halve": ["move", "toughness"], "for": "round"}, {"shift": amount, "direction": "away"},
            {"activates": True}, {"lends": {"ability": "Stone Skin", "free": True, "runemark": "hero"}},
            {"set_up": {"edge": 3, "wholly": True, "enemies": 6, "floor": True}, "may": True},
            {"leaves": True}, {"returns": True},
            {"taken_down": True}, {"becomes_target": True, "may": True},
            {"healing": -1, "at_least": 0}, {"becomes_target": True},
            {"reroll": "one", "for": "attack"}, {"double": ["move", "wounds"], "for": "round"},
            {"double": ["strength"], "weapon": "melee", "for": "round"}, {"ward": 5, "for": "round"},
            {"critical_face": 5, "weapon": "missile", "for": "activation"}, {"critical_face": "hit", "for": "round"},
            {"counts_as": 2, "for": "round"},
            {"no_cover": "missile", "next": "attack", "for": "activation"}, {"passes": "fighters", "for": "activation"},
            {"fixes": ["toughness"], "fixed_at": 6, "for": "round"}, {"survives": 1},
            {"fixes": ["attacks"], "fixed_at": 2, "weapon": "melee", "for": "next-activation"},
            {"climbs": True, "for": "activation"}, {"matches_toughness": True, "weapon": "melee", "for": "round"},
            {"first_critical": "hit", "weapon": "missile", "incoming": True}, {"first_critical": 2, "for": "round"},
            {"many_abilities": True}, {"redeploys": True}, {"called": "Worthy Prey"},
            {"min_range": 1, "weapon": "missile", "next": "attack", "for": "activation"},
            {"gains_cover": True, "for": "round"}, {"half_damage": "up", "weapon": "melee", "incoming": True},
            {"half_damage": "down", "at_least": 1, "for": "round"},
            {"bonus_attack": "melee", "twice": True}, {"shift": 3, "direction": "any"},
            {"shift": 2, "exact": True, "direction": "away"}, {"shift": 2, "exact": True, "may": True},
            {"adds_mark": "icon-bearer", "for": "round"}, {"heal": "all"},
        ]  # fmt: skip
        return self.random.choice(options)

    def rule(self) -> tuple[Change, ...]:
        """Return the changes of a rule."""
        changes: list[Data] = []
        parties: list[Any] = ["self", self.group()]
        if self._maybe(0.3):
            changes.append({self.random.choice(("only_if", "only_if", "not_if")): self.condition()})
        first: Data = {"when": self.moment()} if not changes and self._maybe(0.3) else {}
        if self._maybe(0.5):
            first["pick"] = self.group(is_pick=True)
            parties.append("picked")
        elif first.get("when", {}).get("of") == "friend":
            parties += ["subject", {"side": "enemy", "within": 3, "to": "subject"}]
        has_dice = self.has_dice = self._maybe(0.5)
        if has_dice and "pick" not in first and self._maybe(0.3):
            first |= {"roll_each": self.group(), "dice_each": self.random.choice((1, 2, "value"))}
            parties.append("rolled")
        elif has_dice:
            first["roll"] = self.random.choice((1, 2, 6, *get_args(Multiple)))
        if first.keys() - {"when"}:
            if "roll" not in first and self._maybe(0.2):
                first["if"] = self.condition()
            changes.append(first)
            first = {}
        for _ in range(self.random.choice((1, 2))):
            changes.append({**first, **self._happening(parties, has_dice=has_dice)})
            first = {}
        return tuple(Change.model_validate(each) for each in changes)

    def _happening(self, parties: list[Any], *, has_dice: bool) -> Data:
        data = (
            self.consequence()
            if self._maybe(0.9)
            else self.random.choice(
                (
                    {"sets": self.random.choice(SETS)},
                    {"save_wild": 2},
                    {"raise_value": 1},
                    {"chooses": True},
                    {"lowest_value": 3},
                    {"ability_range": 1},
                    {"adds_to_roll": 2},
                    {"save_wild": 1, "may": True},
                    {"goes_first": "attacker"},
                    {"not_for": ["hero"]},
                )
            )
        )
        if not data.keys() & OF_WARBANDS:
            party = self.random.choice(parties)
            if "shift" in data and "picked" not in parties:
                party = parties[1]  # Nobody moves toward itself.
            data = {**data, **({"of": party} if party != "self" else {})}
            if self._maybe(0.15):
                state = self.condition_of(party)
                unless = {"of": state.get("of", "self"), **_one_of(state)}
                data |= {"unless": unless} if self._maybe(0.3) else {"if": state}
        if has_dice and self._maybe(0.6):
            return {"on_roll": self.random.choice([face for face in FACES if face not in HIGH_FACES]), **data}
        return data


def _one_of(state: Data) -> Data:
    """Return one thing that a condition says, with what says more about it."""
    details = {"enemies", "friends", "wholly", "of"}
    first = next(key for key in state if key not in details)
    return {first: state[first]}


def atoms(changes: tuple[Change, ...]) -> list[Data]:
    """Return the smallest changes that do the same, one for each clause."""
    return [atom for change in changes for atom in _atoms(change)]


def _atoms(change: Change) -> Iterator[Data]:
    data = {name: getattr(change, name) for name in type(change).model_fields}
    data = {name: value for name, value in data.items() if value != type(change).model_fields[name].default}
    when = {"when": data.pop("when")} if "when" in data else {}
    for keys in _clauses(data):
        atom = {key: data[key] for key in keys if key in data}
        if any(key in data and key not in FRAME + LASTING for key in keys):
            yield {**when, **atom}
            when = {}


def _clauses(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield the keys of each clause that a change may have."""
    is_only = not data.keys() - {*PREPARATION, "condition", "may"}
    yield from (
        ("only_if",),
        ("not_if",),
        ("reacts",),
        *((*(["condition"] if is_only else []), key) for key in PREPARATION),
    )
    numbers = (*FRAME, *LASTING, "weapon", "reach", "target", "beyond", "incoming", "times", "next")
    together = (
        (STATS["fighter"], ("range", "attacks", "strength"), ("damage", "critical"))
        if "times" in data
        else STATS.values()
    )
    for names in together:
        if data.keys() & set(names):
            yield (*FRAME, *numbers, *names)
    if "either" in data:
        yield (*FRAME, "may", "twice", "unanswered", "engaged", "either", "closer", *BONUS)
    else:
        yield from (
            (*FRAME, "may", "twice", "unanswered", *(("closer", "engaged") if key == "bonus_move" else ()), key)
            for key in BONUS
            if key in data
        )
    others = data.keys() - {*FRAME, *LASTING, *BONUS, *PREPARATION, *numbers, *STATS["fighter"], *STATS["weapon"]}
    yield from ((*numbers, key) for key in OF_ATTACKS if key in data)
    for key in sorted(
        others
        - {*OF_ATTACKS, "only_if", "not_if", "reacts", "may", "either", "closer", "twice", "unanswered", "engaged"}
    ):
        may = ("may",) if key in ("set_up", "heal", "save_wild", "shift", "becomes_target") else ()
        yield (*FRAME, *(LASTING if key in WITH_ENDS else ()), *may, key)
