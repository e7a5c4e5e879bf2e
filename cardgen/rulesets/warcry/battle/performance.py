"""Changes that a rule makes in a battle: whom it picks, what it rolls, and what happens then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from cardgen.game import SIDES, Log, Measurement, Procedure, Roll, choose, choose_one, confirm, quantity, select
from cardgen.rulesets.warcry.battle.table import NOBODY, Combatant, Effect, Fall, Side, Table, is_near_objective
from cardgen.rulesets.warcry.cards import Ability, Rule, Trait
from cardgen.rulesets.warcry.changes import DEEDS, KEPT, NUMBERS, Change
from cardgen.rulesets.warcry.effective import changes_of, is_of_value, needs_players, passive_rules, price_of
from cardgen.rulesets.warcry.referee.attack import MOST_DAMAGE, counted, faces_against, resolve_amount, roll_amount
from cardgen.rulesets.warcry.referee.fighter import impact_damage, weapons_for
from cardgen.rulesets.warcry.referee.initiative import SET_NAMES, DiceSet
from cardgen.rulesets.warcry.selections import CONDITION_STATES, GROUP_STATES, Condition, Group, is_in, shows
from cardgen.rulesets.warcry.wording.sentences import (
    condition_phrase,
    describe,
    given,
    many_phrase,
    pick_phrase,
    sentences,
    sentences_of,
)
from cardgen.rulesets.warcry.words import GROUP, ONE


def candidates(
    table: Table, who: Combatant, group: Group, picked: Iterable[Combatant], value: int, *, is_reaction: bool = False,
    is_of_warband: bool = False, rule: str = "",
) -> list[Combatant]:  # fmt: skip
    """Return the fighters that may belong to a group of a rule, as far as is known.

    With `is_of_warband`, it is the whole warband that uses the rule, and not one of its fighters.

    Abilities that others in its warband use do not affect an exhausted fighter (battleplan Endless Struggle).
    """
    exhausted = None if is_reaction else table.notes.exhausted
    spared = exhausted if exhausted is not None and exhausted is not who and exhausted.side == who.side else None
    used = {each for side, name, each in table.picks if group.unused and (side, name) == (who.side, rule)}
    others = _of_side(table, who, group, is_of_warband=is_of_warband)
    able = (each for each in others if each is not spared and each not in used)
    return [each for each in able if _may_belong(table, who, each, group, [*picked], value)]


def _of_side(table: Table, who: Combatant, group: Group, *, is_of_warband: bool) -> list[Combatant]:
    if group.down or group.reserve or group.gone:
        sides = {"enemy": (1 - who.side,), "friend": (who.side,), "fighter": (0, 1)}[group.side]
        absent = (each for each in table.combatants if each.side in sides and not each.stands)
        state = "is_down" if group.down else "is_in_reserve" if group.reserve else "has_left"
        return [each for each in absent if getattr(each, state) and (group.down or not each.is_down)]
    is_left_out = group.another or group.visible or table.rulings["friendly-user"] == "others"
    is_left_out = is_left_out and not is_of_warband
    own = [] if is_left_out else [who] * who.stands
    friends, enemies = [*own, *table.friends(who)], table.enemies(who)
    return {"enemy": enemies, "friend": friends, "fighter": [*friends, *enemies]}[group.side]


def _may_belong(
    table: Table, who: Combatant, one: Combatant, group: Group, picked: list[Combatant], value: int
) -> bool:
    inches = value if group.within == "value" else group.within
    centers = picked if group.to == "picked" else [who]
    near = (
        inches is None
        or group.to not in ("self", "picked")
        or any(center is one or table.distances.is_within(center, one, inches) is not False for center in centers)
    )
    is_lower = group.lower is None or getattr(one.stats, group.lower) < getattr(who.stats, group.lower)
    facts = [_OF_GROUPS[key](table, one, wanted) for key, wanted in given(group).items() if key in _OF_GROUPS]
    is_so = not facts or not is_decided(group) or any(facts) if group.one_of else all(facts)
    return near and is_lower and not (group.unpicked and one in picked) and is_so


def _any_within(table: Table, who: Combatant, others: Iterable[Combatant], inches: int, least: int = 1) -> bool | None:
    """Return whether at least some of others are within a distance, None if that is not known."""
    answers = [table.distances.is_within(who, other, inches) for other in others]
    if answers.count(True) >= least:
        return True
    return None if len(answers) - answers.count(False) >= least else False


def _none_within(table: Table, who: Combatant, others: Iterable[Combatant], inches: int) -> bool | None:
    answer = _any_within(table, who, others, inches)
    return None if answer is None else not answer


def _took_down(table: Table, who: Combatant, by: str) -> bool | None:
    falls = [fall for fall in table.notes.falls[table.notes.earlier_falls :] if fall.victim.side != who.side]
    if any(fall.attacker is who for fall in falls):
        return True if by in ("any", "attack") else None
    return None if by == "any" and any(fall.attacker is None for fall in falls) else False


def _leads(table: Table, who: Combatant) -> bool | None:
    is_known = any(each.is_leader for each in table.combatants if each.side == who.side)
    return who.is_leader if is_known else None


def _more_down(table: Table, who: Combatant, whose: str) -> bool:
    own, other = len(table.down(who.side)), len(table.down(1 - who.side))
    return own > other if whose == "friend" else other > own


# What the tracker knows of a fighter, by keys of groups and conditions; None if the players have to say.
Answer = Callable[[Table, Combatant, Any], bool | None]
_OF_BOTH: Mapping[str, Answer] = {
    "damaged": lambda table, who, least: who.damage >= least,
    "unhurt": lambda table, who, _: who.damage == 0,
    "wounds_left": lambda table, who, most: who.stats.wounds - who.damage <= most,
    "half_wounds": lambda table, who, _: 2 * who.damage >= who.stats.wounds,
    "down": lambda table, who, _: who.is_down,
    "fresh": lambda table, who, _: who.is_fresh,
    "activated": lambda table, who, _: who.has_activated,
    "cost": lambda table, who, most: who.points <= most,
}
_OF_GROUPS: Mapping[str, Answer] = {
    **_OF_BOTH,
    "runemarks": lambda table, who, marks: who.card.marks.issuperset(marks),
    "any_runemarks": lambda table, who, marks: not who.card.marks.isdisjoint(marks),
    "wounds": lambda table, who, least: who.stats.wounds >= least,
    "most_wounds": lambda table, who, most: who.stats.wounds <= most,
    "toughness": lambda table, who, least: who.stats.toughness >= least,
    "most_toughness": lambda table, who, most: who.stats.toughness <= most,
}
_OF_ONE: Mapping[str, Answer] = {
    **_OF_BOTH,
    "runemarks": lambda table, who, marks: not who.card.marks.isdisjoint(marks),
    "standing": lambda table, who, _: not who.is_down,
    "moved": lambda table, who, _: who.has_moved,
    "still": lambda table, who, _: not who.has_moved,
    "attacked": lambda table, who, _: who.has_attacked,
    "took_down": _took_down,
    "leader": lambda table, who, _: _leads(table, who),
    "initiative": lambda table, who, _: table.initiative == who.side,
    "outnumbered": lambda table, who, _: len(table.standing(who.side)) < len(table.standing(1 - who.side)),
    "more_down": _more_down,
    "felled": lambda table, who, _: who.has_felled,
    "rounds": lambda table, who, rounds: is_in(table.round, rounds),
    "half_down": lambda table, who, _: table.is_half_down(who.side),
    "ones": lambda table, who, least: table.rolled and table.rolled.ones >= least,
    "misses": lambda table, who, least: table.rolled and table.rolled.misses >= least,
    "hits": lambda table, who, least: table.rolled and table.rolled.hits + table.rolled.criticals >= least,
    "criticals": lambda table, who, least: table.rolled and table.rolled.criticals >= least,
    "any_called": lambda table, who, name: any(name.casefold() in each.called for each in table.enemies(who)),
    "present": lambda table, who, _: bool(table.standing(who.side)),
    "enemy_within": lambda table, who, near: _any_within(table, who, table.enemies(who), *near),
    "friend_within": lambda table, who, near: _any_within(table, who, table.friends(who), *near),
    "sees_enemy_within": lambda table, who, inches: _any_within(table, who, table.enemies(who), inches) and None,
    "no_enemy_within": lambda table, who, inches: _none_within(table, who, table.enemies(who), inches),
    "no_friend_within": lambda table, who, inches: _none_within(table, who, table.friends(who), inches),
}
# The others that are known of a group are about its size, or about the fighter that uses the rule.
GROUP_STATES.require_all(
    {*_OF_GROUPS, "side", "another", "count", "up_to", "lower", "unpicked", "unused", "gone"},
    lambda state: state.known & GROUP,
)
CONDITION_STATES.require_all(_OF_ONE, lambda state: state.known & ONE)


def is_decided(group: Group) -> bool:
    """Return whether the tracker knows who belongs to a group."""
    return all(GROUP_STATES[key].known & GROUP for key in given(group))


def question(group: Group) -> str:
    """Return what to ask for: 'pick a visible enemy within 6"', or 'pick up to 2 visible enemies within 6"'."""
    return f"pick {pick_phrase(group)}"


# Names in a text about values: those of the rules that it is for.
_NAMES = re.compile(r"\*([^*]+)\*|['\"‘“]([^'\"’”]+)['\"’”]")


def values_of(table: Table, who: Combatant, rule: str, value: int) -> tuple[int, int]:
    """Return the lowest and the highest value that a rule may have if its dice show `value`.

    Other rules of its side raise it. They differ if the players know, or decide, whether one does, or it has only text.
    """
    side = table.side_of(who)
    low = high = value
    for each in (*side.rules, *passive_rules(side.trait)):
        changes, text = changes_of(each), each.text or ""
        for change in changes:
            state = _raises(table, who, change, rule) if is_of_value(change) else False
            least = change.lowest_value or change.ability_value or 0
            if state is not False:
                high = max(high + change.raise_value, least)
            if state is True and not price_of(each):
                low = max(low + change.raise_value, least)
        if not changes and not price_of(each) and "value" in text and "points value" not in text:
            names = [(one or other).casefold() for one, other in _NAMES.findall(text)]
            high = SIDES if not names or rule.casefold() in names else high
    return min(low, SIDES), min(high, SIDES)


def _raises(table: Table, who: Combatant, change: Change, rule: str) -> bool | None:
    """Return whether a change of the value of abilities is for a rule now; None if the players say so."""
    states: list[bool | None] = [None] if change.may else []
    if isinstance(change.of, Group):
        is_member = who in candidates(table, who, change.of, (), SIDES)
        states.append(is_member if is_decided(change.of) or not is_member else None)
    for each in (change.condition, change.during):
        if each and each.of != "self":
            states.append(None)
        elif each:
            states.append(not each.uses or rule.casefold() == each.uses.casefold())
            name = each.targets.casefold() if each.targets else ""
            states.append(None if name and any(name in enemy.called for enemy in table.enemies(who)) else not name)
            states.append(known_state(table, who, each.model_copy(update={"uses": None, "targets": None})))
    return False if False in states else None if None in states else True


def known_state(
    table: Table, who: Combatant, condition: Condition, rule: str = "", value: int = 0, raised: int = 0
) -> bool | None:
    """Return whether a condition of a rule of some value, which may be `raised`, holds; None if the players say so."""
    least = {"enemy_within": condition.enemies, "friend_within": condition.friends}
    answers = [
        _OF_ONE[key](table, who, (wanted, least[key]) if key in least else wanted) if key in _OF_ONE else None
        for key, wanted in given(condition).items()
        if key not in ("of", "least_value") and not CONDITION_STATES[key].detail_of
    ]
    if condition.least_value:
        is_open = not value or value < condition.least_value <= value + raised
        answers.append(None if is_open else value >= condition.least_value)
    if condition.once and rule:
        answers.append(not table.was_used(who, rule, condition) and None)
    if condition.one_of:
        return True if True in answers else None if None in answers else False
    return False if False in answers else None if None in answers else True


def is_ruled_out(table: Table, who: Combatant, rule: Ability | Rule, value: int = 0) -> bool:
    """Return whether a fighter is known not to be allowed to use a rule now, with a value if that is known."""
    uses = [
        (condition, wanted)
        for change in changes_of(rule)
        for condition, wanted in ((change.only_if, True), (change.not_if, False))
        if condition is not None and condition.of == "self"
    ]
    raised = values_of(table, who, rule.name, value)[1] - value if value else 0
    return any(
        known_state(table, who, condition, rule.name, value, raised) is (not wanted) for condition, wanted in uses
    )


def is_one_of(table: Table, side: Side, one: Combatant, group: Group) -> Procedure[bool]:
    """Return whether a fighter belongs to a group; ask for what the tracker does not know."""
    answers = {
        key: _leads(table, one)
        if key == "leader"
        else _OF_GROUPS[key](table, one, wanted)
        if key in _OF_GROUPS
        else None
        for key, wanted in given(group).items()
        if key not in ("side", "one_of", "another")
    }
    known = [*answers.values()]
    is_enough = True in known if group.one_of else False not in known and None not in known
    if not known or is_enough or (None not in known if group.one_of else False in known):
        return not known or is_enough
    return (yield from confirm("condition", side.name, f"{one.name} is one of: {many_phrase(group)}"))


def condition_holds(
    table: Table, who: Combatant, condition: Condition, one: Combatant | None = None, value: int = 0
) -> Procedure[bool]:
    """Return whether a condition holds for a fighter; ask for what the tracker does not know.

    The fighter is the one that uses the rule, or `one`.
    """
    about = one or who
    known = known_state(table, about, condition, value=value) if condition.of != "leader" else None
    if known is None:
        own = condition.model_copy(update={"of": "self"}) if condition.of != "leader" else condition
        known = yield from confirm("condition", table.side_of(who).name, plain_text(condition_phrase(own, about.name)))
    return known


def leave_rest(rule: Ability | Rule, now: tuple[Change, ...]) -> Procedure[None]:
    """Show the words of what happens later than some changes of a rule, if anything does."""
    if rest := " ".join(sentences(changes_of(rule))[len(now) :]):
        yield Log("{} is for the players to apply then: {}", (rule.name, rest))


@dataclass(eq=False, slots=True)
class Performance:
    """A rule that is used: by whom, with which value, and whom it has picked and rolled for.

    `other` is the enemy that a reaction answers, or of a moment. With `is_of_warband`, the whole warband uses it.
    `begun` are the effects that it has put in force, and `lacks_pick` says that somebody had to be picked last, and
    nobody was. `removals` are what a battle trait still takes off the damage points that it removes from fighters, and
    `returned` those that fighters had when it returned them.
    """

    table: Table
    who: Combatant
    name: str
    value: int = 0
    other: Combatant | None = None
    picked: list[Combatant] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    rolled_for: dict[Combatant, list[int]] = field(default_factory=dict)
    is_of_warband: bool = False
    lacks_pick: bool = False
    begun: list[tuple[Combatant, Effect]] = field(default_factory=list)
    removals: dict[Combatant, int] = field(default_factory=dict)
    returned: dict[Combatant, int] = field(default_factory=dict)

    @property
    def side(self) -> str:
        """The name of the side that decides."""
        return self.table.side_of(self.who).name

    def prepare(self, change: Change) -> Procedure[None]:
        """Pick fighters and roll dice; none that follow a pick of somebody if there is nobody."""
        if change.pick:
            is_needed = yield from self._pick_in_turn(change, change.pick)
            self.lacks_pick = is_needed and not self.picked
        elif not (change.roll or change.roll_each):
            self.lacks_pick = self.lacks_pick and change.of == "picked"
        if self.lacks_pick:
            self.faces, self.rolled_for = [], {}
            return
        if change.roll:
            yield from self._roll(change.roll)
        if change.roll_each:
            yield from self._roll_for_each(change.roll_each, int(resolve_amount(change.dice_each, self.value)))

    def _pick_in_turn(self, change: Change, group: Group) -> Procedure[bool]:
        """Pick a fighter, once for each die that the pick needs; return whether somebody has to be picked."""
        is_allowed = yield from self._allows(change)
        picks = self._matches(self.faces, change.on_roll, self.who) if is_allowed else 0
        picked: list[Combatant] = []
        for _ in range(picks):
            picked += yield from self._pick(group, is_optional=change.may)
        self.picked = picked
        self.table.picks += [(self.who.side, self.name, each) for each in picked]
        return picks > 0 and not (change.may or group.up_to)

    def _pick(self, group: Group, *, is_optional: bool) -> Procedure[list[Combatant]]:
        able = self._candidates(group)
        nobody = NOBODY if is_optional or group.up_to or not is_decided(group) else ""
        picked: list[Combatant] = []
        most = {"one": min(BATTLE_GROUPS, len(able)), "all": len(able)}.get(group.each_group or "", group.count)
        while able and len(picked) < most:
            number = f" ({len(picked) + 1} of {most})" if most > 1 else ""
            one = yield from choose_one("pick", self.side, f"{question(group)}{number}", able, nobody)
            if one is None:
                break
            picked.append(one)
            able = [each for each in able if each is not one]
        for each in picked:
            self._claim(each, group)
        return picked

    def _candidates(self, group: Group) -> list[Combatant]:
        return candidates(
            self.table, self.who, group, self.picked, self.value,
            is_reaction=self.other is not None, is_of_warband=self.is_of_warband, rule=self.name,
        )  # fmt: skip

    def _claim(self, target: Combatant, group: Group) -> None:
        """Remember that whoever is picked is that near."""
        if group.within is not None and group.to == "self" and target is not self.who:
            self.table.distances.claim(self.who, target, 0, self.value if group.within == "value" else group.within)

    def _roll(self, count: int | str) -> Procedure[None]:
        is_sum = count == "2d6"
        number = 2 if is_sum else int(resolve_amount(count, self.value))
        self.faces = []
        for _ in range(number):
            face = yield Roll("ability", self.who.name, self.name)
            self.faces.append(int(face))
        if is_sum:
            self.faces = [sum(self.faces)]

    def _roll_for_each(self, whom: Group | str, number: int) -> Procedure[None]:
        if whom == "sets":  # The players apply what becomes of each set.
            for dice in self.table.side_of(self.who).sets:
                face = yield Roll("ability", self.who.name, f"{self.name}: {dice}")
                yield Log("{}: {}", (str(dice), face))
            return
        if whom == "tokens":
            count = yield Measurement("tokens", self.side, f"{self.name}: tokens on the battlefield", 0, MOST_COUNT)
            yield from self._roll(int(count))
            return
        group = (yield from self._everyone(whom)) if isinstance(whom, Group) else self.picked
        self.rolled_for = {}
        for each in group:
            self.rolled_for[each] = []
            for _ in range(number):
                face = yield Roll("ability", self.who.name, f"{self.name}: {each.name}")
                self.rolled_for[each].append(int(face))

    def _everyone(self, group: Group) -> Procedure[list[Combatant]]:
        """Return the fighters of a group; ask which of those that may be in it are."""
        able = self._candidates(group)
        if is_decided(group) and group.within is None:
            return able
        members = yield from select("group", self.side, many_phrase(group), able)
        for each in members:
            self._claim(each, group)
        return members

    def times_for(self, change: Change) -> Procedure[dict[Combatant, int]]:
        """Return how often a change happens to whom: by its dice, its condition, and its counts."""
        if (change.of == "picked" and not (self.picked or self.other)) or (
            change.of == "rolled" and not self.rolled_for
        ):
            return {}  # Without anybody, its condition is not asked for.
        if not (yield from self._allows(change)):
            return {}
        if change.of == "rolled":
            faces = dict(self.rolled_for)
        else:
            dice = [*self.faces, *chain(*self.rolled_for.values())]
            faces = dict.fromkeys((yield from self._parties(change.of)), dice)
        matches = {each: self._matches(rolled, change.on_roll, each) for each, rolled in faces.items()}
        times = yield from self._those_allowed(change, {each: count for each, count in matches.items() if count})
        if change.of == "picked":
            times = {each: count * max(1, self.picked.count(each)) for each, count in times.items()}
        if change.per and any(times.values()):
            most = len(self._candidates(change.per)) if isinstance(change.per, Group) else MOST_COUNT
            what = f"{self.name}: how many times"
            number = int((yield Measurement("count", self.side, what, 0, most))) if most else 0
            times = {each: count * number for each, count in times.items()}
        return {each: count for each, count in times.items() if count}

    def _allows(self, change: Change) -> Procedure[bool]:
        """Return whether the conditions of a change hold that are not about each fighter that it is for."""
        for condition, wanted in ((change.condition, True), (change.unless, False)):
            if condition is None or _is_of_each(condition, change):
                continue
            for one in (yield from self._parties(condition.of)) or [self.who]:
                if (yield from condition_holds(self.table, self.who, condition, one, self.value)) is not wanted:
                    return False
        return True

    def _those_allowed(self, change: Change, times: dict[Combatant, int]) -> Procedure[dict[Combatant, int]]:
        """Return the fighters that a change is for, without those for which its condition does not hold."""
        allowed = dict(times)
        for condition, wanted in ((change.condition, True), (change.unless, False)):
            if condition is None or not _is_of_each(condition, change):
                continue
            for each in [*allowed]:
                if (yield from condition_holds(self.table, self.who, condition, each, self.value)) is not wanted:
                    del allowed[each]
        return allowed

    def _parties(self, of: str | Group) -> Procedure[list[Combatant]]:
        if isinstance(of, Group):
            return (yield from self._everyone(of))
        other = [self.other] if self.other else []
        rolled = [*self.rolled_for]
        named = {"picked": self.picked or other, "attacker": other, "target": other, "rolled": rolled}
        return named.get(of, [self.who])

    def _matches(self, faces: Iterable[int], wanted: str | None, whom: Combatant) -> int:
        """Return how many dice show one of the faces that a change for a fighter needs; 1 if it needs none."""
        if not wanted:
            return 1
        needed = faces_against(wanted, counted(whom.stats.toughness, self.table.rulings), self.value)
        return sum(shows(face, needed) for face in faces)

    def apply(self, change: Change) -> Procedure[None]:
        """Let a change happen that is not a bonus action; ask for one that is optional, unless its pick was."""
        times = (yield from self.times_for(change)) if change.has(DEEDS) else {}
        for each, count in times.items():
            on = "" if self.is_of_warband and each is self.who else f" on {each.name}"
            is_asked = change.may and not change.pick
            if is_asked and not (yield from confirm("use", self.side, f"{self.name} is used{on}")):
                continue
            yield from self._apply_to(each, change, count)

    def _apply_to(self, target: Combatant, change: Change, count: int) -> Procedure[None]:
        if change.set_up or change.redeploys or change.returns:
            if target.is_down:
                self.returned[target] = target.damage
            yield from _put_back(self.table, target, " ".join(sentences_of(change)))
        if change.save_wild:
            side = self.table.side_of(target)
            side.wild += change.save_wild * count
            yield Log("{} has {}", (side.name, quantity(side.wild, "saved wild die", "saved wild dice")))
        if not target.stands:
            return
        if change.called:
            target.called.add(change.called.casefold())
            yield Log("{} is the {} of {}", (target.name, change.called, self.side))
        if change.leaves:
            yield from _leave(self.table, target)
        for _ in range(count if change.deal is not None else 0):
            yield from allocate(self.table, target, (yield from self._amount(change.deal or 0)))
        if change.heal is not None:
            yield from self._heal(target, change.heal, count)
        if change.taken_down:
            yield from allocate(self.table, target, MOST_DAMAGE)
        yield from self._begin_effect(target, change, count)

    def end_chance(self, *acts: str) -> None:
        """End the effects for some acts, now that the chance for them is over."""
        for who, effect in self.begun:
            if effect.span in acts:
                who.effects = [each for each in who.effects if each is not effect]

    def _amount(self, amount: int | str) -> Procedure[int]:
        if amount == "rolled":
            return sum(self.faces)
        return (yield from roll_amount(amount, self.who.name, self.value))

    def _heal(self, target: Combatant, amount: int | str, count: int) -> Procedure[None]:
        """Remove damage points, some number of times; all together are one total, from which a battle trait takes off.

        The ruling `removal-total` says whether those that the rule has removed before belong to the same total.
        """
        points = 0
        if amount == "all":
            target.damage = points = target.damage or self.returned.get(target, 0)
        for _ in range(0 if amount == "all" else count):
            points += yield from self._amount(amount)
        less = self.removals.get(target, removal_change(self.table, target))
        if self.table.rulings["removal-total"] == "rule":
            self.removals[target] = min(0, points + less)
        yield from remove_damage(self.table, target, points, less)

    def _begin_effect(self, target: Combatant, change: Change, count: int) -> Procedure[None]:
        """Put an effect in force; show the words of what the tracker cannot apply."""
        if change.has(NUMBERS) or change.has(KEPT):
            lasting = change.for_fighter(self.value)
            if change.can_be_kept:
                during = change.during
                about = target if during and during.of != "self" else self.who
                weapon = ""
                if change.weapon.startswith("one"):
                    names = {each.name: each.name for each in weapons_for(target.stats.weapons, [change])}
                    if not names:
                        return
                    weapon = yield from choose("weapon", target.name, f"weapon for {self.name}", names)
                effect = Effect((lasting,), ends_of(change), weapon, change.span or "", during, about)
                target.effects += [effect] * count
                self.begun.append((target, effect))
                if target.is_down:
                    yield from _fall_down(self.table, target)
                return
        if needs_players(change):
            words = " ".join(sentences_of(change))
            if self.is_of_warband and target is self.who:
                yield Log("{}: {}", (self.name, words))
            else:
                yield Log("{} applies to {}: {}", (self.name, target.name, words))


def _is_of_each(condition: Condition, change: Change) -> bool:
    """Return whether a condition is about each fighter that a change is for, and not about all of them."""
    return condition.of == "each" or (condition.of == change.of and condition.of in ("picked", "rolled"))


# The battle groups of a warband: dagger, hammer, and shield.
BATTLE_GROUPS = 3
# More than any attack has hit rolls, or a rule allocates damage points.
MOST_COUNT = 12


def ends_of(change: Change) -> str:
    """Return when an effect ends: with an attack, an activation, or a battle round."""
    if change.next == "attack":
        return "own attack"
    return "own move" if change.next == "move" else change.span or "battle"


# The distance at which a fall counts for Mystic Glade and for objectives.
NEAR = 3
# The rule of Raze to the Ground, in which only the first fall near an objective scores.
FIRST_FALL = "fall-near-objective"


def allocate(table: Table, who: Combatant, points: int, attacker: Combatant | None = None) -> Procedure[None]:
    """Allocate damage points one by one; the rest is lost once the fighter is taken down.

    `attacker` is the fighter whose attack allocates them, if it is an attack.
    """
    if not points or who.is_down:
        return
    allocated = who.allocate(points)
    if who.is_down:
        yield from _fall_down(table, who, attacker)
    else:
        table.harmed.append(who)
        yield Log("{}: +{} damage, {} of {} Wounds", (who.name, allocated, who.damage, who.stats.wounds))


def _fall_down(table: Table, who: Combatant, attacker: Combatant | None = None) -> Procedure[None]:
    yield Log("{} is taken down", (who.name,))
    who.fall()
    table.harmed.append(who)
    yield from _record_fall(table, Fall(who, attacker))
    table.distances.forget(who)


def end_effects(table: Table, people: Iterable[Combatant], *ends: str) -> Procedure[None]:
    """End the effects on some fighters that last until then.

    Whoever has as many damage points as the Wounds that are left is taken down.
    """
    for who in people:
        was_down = who.is_down
        who.end_effects(*ends)
        if who.is_down and not was_down:
            yield Log("{} has {} Wounds again, and {} damage", (who.name, who.stats.wounds, who.damage))
            yield from _fall_down(table, who)


def falls_compete(table: Table) -> bool:
    """Return whether only the next fall near an objective scores, so that the order of two matters."""
    return table.plan.secondary.rule == FIRST_FALL and not table.notes.near_objective


def _record_fall(table: Table, fall: Fall) -> Procedure[None]:
    """Record a fall, and whether it is near an objective; it may make the attacker bloodgifted (Mystic Glade)."""
    table.notes.falls.append(fall)
    rule, losses, victim, attacker = table.plan.secondary.rule, table.notes.near_objective, fall.victim, fall.attacker
    is_open = falls_compete(table) or (
        rule == "enemy-falls-near-objective" and not any(each.side == victim.side and each.is_down for each in losses)
    )
    if is_open and (yield from is_near_objective(table, victim)):
        losses.append(victim)
    if rule == "bloodgifted" and attacker and not table.notes.bloodgifted:
        near = table.distances.is_within(victim, attacker, NEAR)
        if near is None:
            near = yield from confirm("near", attacker.name, f'within {NEAR}" of {victim.name}')
        if near:
            table.notes.bloodgifted = attacker
            yield Log("{} is bloodgifted", (attacker.name,))


def _leave(table: Table, who: Combatant) -> Procedure[None]:
    """Take a fighter off the battlefield, until it is set up again."""
    who.has_left = True
    table.distances.forget(who)
    yield Log("{} leaves the battlefield", (who.name,))


def _put_back(table: Table, who: Combatant, words: str = "") -> Procedure[None]:
    """Put a fighter on the battlefield where the players set it up; if it was taken down, without damage points."""
    table.distances.forget(who)
    if who.stands:
        yield Log("{}: {}", (who.name, words))
        return
    who.damage = 0 if who.is_down else who.damage
    who.has_left = who.is_in_reserve = False
    yield Log("{} returns{}", (who.name, f": {words}" if words else ""))


def removal_change(table: Table, who: Combatant) -> int:
    """Return what the enemies' battle trait adds to the damage points that are removed from a fighter."""
    rules = passive_rules(table.sides[1 - who.side].trait)
    return sum(each.healing for rule in rules for each in changes_of(rule) if each.of == Group(side="enemy"))


def remove_damage(table: Table, who: Combatant, points: int, change: int | None = None) -> Procedure[None]:
    """Remove damage points from a fighter, with the `change` by its enemies' battle trait, unless that is forbidden."""
    points = points if table.rulings["removal-excess"] == "said" else min(points, who.damage)
    points = max(0, points + (removal_change(table, who) if change is None else change))
    if "heal" in who.bans:
        yield Log("{} cannot have damage points removed", (who.name,))
        return
    removed = who.remove(points)
    yield Log("{} removes {} damage, {} of {} Wounds", (who.name, removed, who.damage, who.stats.wounds))


def suffer_impact(table: Table, who: Combatant) -> Procedure[None]:
    """Roll the impact damage of a fighter that falls, with the enemies' battle trait, unless that is forbidden."""
    table.distances.forget(who)
    if "impact" in who.bans:
        yield Log("{} cannot suffer impact damage", (who.name,))
        return
    enemy = table.sides[1 - who.side]
    changes = enemy.changes if table.enemies(who) else ()
    low = table.rulings["impact-table"] == "low"
    points = yield from impact_damage(who.name, sum(change.impact for change in changes), low_is_worse=low)
    if not points:
        yield Log("{} lands unharmed", (who.name,))
    yield from allocate(table, who, points)


# Marks and icons in the text of a card, which a terminal does not show.
MARKS = re.compile(r"\{[a-z0-9-]+\} ?|\*+")
DONE, SEVERAL = "nothing to note", "several of these"
NEW_SET, NO_SET = "none; a set is gained", "no set; it is lost"
Step = Callable[[Table, Side, str], Procedure[None]]


def plain_words(rule: Ability | Rule | Trait) -> str:
    """Return the printed text of a rule for a terminal."""
    return plain_text(describe(rule))


def plain_text(text: str) -> str:
    """Return a text without the marks and icons of cards."""
    return MARKS.sub("", text)


def note_effects(table: Table, side: Side, rule: str) -> Procedure[None]:
    """Ask for the effect of a rule in words; those of several are asked for until nothing else is to note."""
    what = f"effect of '{rule}'"
    step = yield from choose("effect", side.name, what, {**_steps(table), SEVERAL: _note_several})
    if step:
        yield from step(table, side, rule)


def _note_several(table: Table, side: Side, rule: str) -> Procedure[None]:
    while step := (yield from choose("effect", side.name, f"effect of '{rule}'", _steps(table))):
        yield from step(table, side, rule)


def note_event(table: Table, side: Side) -> Procedure[None]:
    """Ask for something else that happens: a fall, or the effect of a rule in words."""
    falls = _on_fighter("who falls", lambda who: who.stands, suffer_impact)
    options: dict[str, Step | None] = {"a fighter falls": falls, **_steps(table)}
    step = yield from choose("event", side.name, "what else happens", options)
    if step:
        yield from step(table, side, "an event")


def _steps(table: Table) -> dict[str, Step | None]:
    """Return the effects that are possible, by label."""
    is_possible = {
        "damage points are removed": any(each.stands and each.damage for each in table.combatants),
        "a fighter returns": any(each.is_down or each.has_left for each in table.combatants),
    }
    return {label: step for label, step in _STEPS.items() if is_possible.get(label, True)}


def _on_fighter(
    what: str, is_able: Callable[[Combatant], object], act: Callable[[Table, Combatant], Procedure[None]]
) -> Step:
    """Return the step that asks for one of the fighters that it is possible for, and does it."""

    def step(table: Table, side: Side, rule: str) -> Procedure[None]:
        who = yield from choose_one("fighter", side.name, what, [each for each in table.combatants if is_able(each)])
        if who:
            yield from act(table, who)

    return step


def _ask_points(who: Combatant, most: int) -> Procedure[int]:
    return 1 if most == 1 else int((yield Measurement("points", who.name, "damage points", 1, most)))


def _allocate(table: Table, who: Combatant) -> Procedure[None]:
    yield from allocate(table, who, (yield from _ask_points(who, who.stats.wounds - who.damage)))


def _remove(table: Table, who: Combatant) -> Procedure[None]:
    yield from remove_damage(table, who, (yield from _ask_points(who, who.damage)))


def _move(table: Table, who: Combatant) -> Procedure[None]:
    table.distances.forget(who)
    yield from ()


def _save_wild_die(table: Table, side: Side, rule: str) -> Procedure[None]:
    owner = yield from choose("owner", side.name, "who saves a wild die", {each.name: each for each in table.sides})
    owner.wild += 1
    yield Log("{} has {} saved wild {}", (owner.name, owner.wild, "die" if owner.wild == 1 else "dice"))


def _change_dice(table: Table, side: Side, rule: str) -> Procedure[None]:
    """Replace a set of ability dice by another, or gain or lose one."""
    owner = yield from choose(
        "owner", side.name, "whose ability dice change", {each.name: each for each in table.sides}
    )
    own: dict[str, DiceSet | None] = {str(each): each for each in owner.sets}
    every: dict[str, DiceSet | None] = {
        str(each): each for each in (DiceSet(value, size) for size in SET_NAMES for value in range(1, SIDES + 1))
    }
    old = yield from choose("old set", side.name, "set that changes", {NEW_SET: None, **own})
    new = yield from choose("new set", side.name, "it becomes", {NO_SET: None, **every})
    if old:
        owner.sets.remove(old)
    if new:
        owner.sets.append(new)
    yield Log("{}: {}", (owner.name, ", ".join(map(str, owner.sets)) or "no sets"))


_STEPS: Mapping[str, Step | None] = {
    DONE: None,
    "damage points are allocated": _on_fighter("who is allocated damage points", lambda who: who.stands, _allocate),
    "damage points are removed": _on_fighter("who loses damage points", lambda who: who.stands and who.damage, _remove),
    "a fighter returns": _on_fighter("who returns", lambda who: who.is_down or who.has_left, _put_back),
    "a fighter is moved": _on_fighter("who is moved", lambda who: who.stands, _move),
    "a fighter leaves the battlefield": _on_fighter("who leaves the battlefield", lambda who: who.stands, _leave),
    "a wild die is saved": _save_wild_die,
    "ability dice change": _change_dice,
}
