"""Battle traits in a battle: what happens by itself at its moment, and what counts in an attack or a battle round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.game import Log, Procedure, choose, confirm
from cardgen.rulesets.warcry.battle.performance import (
    Performance,
    condition_holds,
    is_one_of,
    note_effects,
    plain_words,
)
from cardgen.rulesets.warcry.battle.table import Combatant, Effect, RuleUse, Side, Table
from cardgen.rulesets.warcry.cards import Rule, Trait
from cardgen.rulesets.warcry.changes import Change, with_facts
from cardgen.rulesets.warcry.effective import (
    LEFT,
    changes_of,
    conditions_of,
    in_battle,
    is_by_chance,
    is_conditional,
    is_of_value,
    is_simple,
    limit_of,
    needs_players,
    passive_rules,
    why_not,
)
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.fighter import weapons_for
from cardgen.rulesets.warcry.referee.initiative import roll_off
from cardgen.rulesets.warcry.selections import Condition, Moment, is_in, is_settled
from cardgen.rulesets.warcry.words import Fact

_BONUS = with_facts(Fact.BONUS)
ATTACKS, REACTION = ("melee", "missile"), "reaction"
ROUND_START = "round-start"
# What may take a fighter down, or put it elsewhere.
_SCORING = ("deal", "taken_down", "shift", "set_up", "leaves", "returns", "swap_places", *_BONUS)


def blocks(rule: Trait | Rule) -> list[tuple[Moment, tuple[Change, ...]]]:
    """Return the moments of a rule, each with the changes that happen then."""
    changes = changes_of(rule)
    starts = [(place, change.when) for place, change in enumerate(changes) if change.when]
    ends = [*(place for place, _ in starts[1:]), len(changes)]
    return [(moment, changes[start:end]) for (start, moment), end in zip(starts, ends, strict=False)]


def after_damage(
    table: Table, by: Combatant | None = None, cause: str = "", rule: str = "", whom: Combatant | None = None
) -> Procedure[None]:
    """Let happen what battle traits do for the fighters that were just allocated damage points or taken down.

    `by` is the fighter that did it, `cause` the type of its attack, or REACTION, and `rule` the name of the rule that
    it used. With `whom`, the others have to wait.
    """
    harmed = [each for each in dict.fromkeys(table.harmed) if whom in (None, each)]
    table.harmed = [each for each in table.harmed if each not in harmed]
    fallen = [each for each in harmed if each.is_down]  # Others may fall by what happens now, which `by` has not done.
    for who in harmed:
        yield from happens(table, "taken-down" if who in fallen else "allocated", who, by, cause, rule)
    for who in fallen:
        if by is not None and by.side != who.side:
            yield from happens(table, "takes-down", by, who, cause, rule)


def happens(
    table: Table,
    event: str,
    who: Combatant | None = None,
    other: Combatant | None = None,
    cause: str = "",
    rule_used: str = "",
) -> Procedure[None]:
    """Let the battle traits happen for which this is the moment, or that wait for it.

    `who` is the fighter that the moment is about, which is an enemy at moments that are about enemies, and `other` the
    one on the other side. `cause` is the type of the attack, or REACTION, and `rule_used` the name of what was used.
    """
    is_enemys = event.startswith("enemy-")
    sides = [table.sides[table.initiative], table.sides[1 - table.initiative]]
    if who is None and (yield from _second_is_first(table, sides, event)):
        sides.reverse()
    waiting, table.later = (table.later, []) if event == ROUND_START else ([], table.later)
    for side in sides:
        for use, _, rule, block in (each for each in waiting if each[1] is side):
            yield from _play(use, side, rule, block)
        if who is not None and (side.index == who.side) is is_enemys:
            continue
        user = who if who is not None and not is_enemys else _somebody(table, side.index)
        for rule in passive_rules(side.trait) if user else ():
            later = [*blocks(rule)]
            while later:
                moment, block = later.pop(0)
                if moment.event != event or user is None or not _is_such(moment, cause, rule_used):
                    continue
                is_over = _is_over(table, side, rule, moment, block, user)
                is_open = not (why_not(rule, user.card.marks) or is_over)
                if not is_open or not (yield from _is_meant(table, side, moment, who, other)):
                    continue
                use = Performance(table, user, rule.name, is_of_warband=user is not who)
                use.other = who if is_enemys else other
                use.picked = [who] if who and is_enemys else []
                yield from _play(use, side, rule, block)
                if use.picked and later and later[0][0].event == "next-round":
                    table.later.append((use, side, rule, later[0][1]))


def _second_is_first(table: Table, sides: Sequence[Side], event: str) -> Procedure[bool]:
    """Return whether the battle trait of the second of two sides is resolved before that of the first.

    If both traits are due, the players roll off, and the winner chooses (battlepack: Battle Traits). Nobody rolls for a
    trait of both warbands that says who goes first.
    """
    due = [_due(table, side, event) for side in sides]
    if not all(due) or (any(change.goes_first for change in due[0]) and sides[0].trait == sides[1].trait):
        return False
    winner = yield from roll_off((table.sides[0].name, table.sides[1].name))
    options = {f"{side.trait.name if side.trait else ''} of {side.name}": side for side in sides}
    first = yield from choose("order", table.sides[winner].name, "battle trait that is resolved first", options)
    return first is sides[1]


def _due(table: Table, side: Side, event: str) -> tuple[Change, ...]:
    """Return the changes of the battle trait of a side that happen at a moment that is about no fighter."""
    rules = passive_rules(side.trait) if _somebody(table, side.index) else ()
    found = ((rule, moment, block) for rule in rules for moment, block in blocks(rule) if moment.event == event)
    now = [block for rule, moment, block in found if not _is_over(table, side, rule, moment, block)]
    waiting = [block for _, its, _, block in table.later if its is side and event == ROUND_START]
    return tuple(change for block in (*now, *waiting) for change in block)


def may_change_score(table: Table, event: str) -> bool:
    """Return whether a battle trait that is due may take a fighter down, or put one elsewhere."""
    due = (change for side in table.sides for change in _due(table, side, event))
    return any(change.has(_SCORING) or needs_players(change) for change in due)


def _somebody(table: Table, side: int) -> Combatant | None:
    """Return a fighter of a side for the rules of its warband: one on the battlefield, or else any.

    Battle traits count on when the whole warband is taken down, and can bring fighters back.
    """
    away = sorted((each for each in table.combatants if each.side == side), key=lambda each: not each.has_left)
    return next(iter([*table.standing(side), *away]), None)


def _is_over(
    table: Table,
    side: Side,
    rule: Trait | Rule,
    moment: Moment,
    block: tuple[Change, ...],
    who: Combatant | None = None,
) -> bool:
    """Return whether a rule cannot be used at this moment any more, or is of no use against the other warband.

    `who` is the fighter that would use it, if the moment is about one.
    """
    limit = moment.first if isinstance(moment.first, str) else None
    used = [use for use in table.uses if use.rule == rule.name and use.who.side == side.index]
    is_used = any(limit == "battle" or use.round == table.round for use in used) if limit else False
    mine, other = side.trait, table.sides[1 - side.index].trait
    spares = {name.casefold() for change in changes_of(rule) for name in change.spares}
    is_spared = bool(spares) and mine is not None and other is not None and other.name.casefold() in {*spares, mine.id}
    is_same = bool(spares) and mine is not None and other is not None and other.id == mine.id
    is_early = bool(moment.rounds) and not is_in(table.round, moment.rounds)
    is_shown = any(change.lends for change in block)  # The lent reaction has its own moment.
    return is_used or is_early or is_spared or is_same or is_shown or is_spent(table, side, rule, who)


def is_limited(side: Side, rule: Trait | Rule) -> bool:
    """Return whether a rule of the battle trait can be used once in a while only."""
    return limit_of(side.trait, rule) is not None


def is_spent(table: Table, side: Side, rule: Trait | Rule, who: Combatant | None) -> bool:
    """Return whether a rule of limited use has been used; `who` uses it if each fighter can."""
    limit = limit_of(side.trait, rule)
    if limit is None:
        return False
    if side.trait and side.trait.once:
        return side.is_trait_spent
    user = who or (None if limit.by_fighter else _somebody(table, side.index))
    return user is not None and table.was_used(user, rule.name, limit)


def _is_such(moment: Moment, cause: str, rule_used: str) -> bool:
    """Return whether a moment is about such an attack, or about whatever else did it."""
    if moment.uses and moment.uses.casefold() != rule_used.casefold():
        return False
    if moment.by_attack:
        return cause in (*ATTACKS, REACTION)
    if moment.event == "takes-down" and moment.attack == "any":
        return cause in ATTACKS
    return moment.attack in ("any", "anything", cause)


def _is_meant(
    table: Table, side: Side, moment: Moment, who: Combatant | None, other: Combatant | None
) -> Procedure[bool]:
    """Return whether a moment is about these fighters; ask for what the tracker does not know."""
    enemy = who if moment.event.startswith("enemy-") else other
    for group, one in ((moment.of, who), (moment.enemy, enemy)):
        if group and not isinstance(group, str) and one and not (yield from is_one_of(table, side, one, group)):
            return False
    return True


def _play(use: Performance, side: Side, rule: Trait | Rule, block: tuple[Change, ...]) -> Procedure[None]:
    """Let the changes of a moment happen; ask for the effect of those that the tracker cannot apply."""
    yield Log("{}: {}", (rule.name, plain_words(rule)))
    other = use.table.sides[1 - side.index].trait
    if not (other and side.trait and other.id == side.trait.id):
        block = tuple(change for change in block if not change.goes_first)
    block = tuple(change for change in block if not is_of_value(change))  # It counts when an ability is used.
    doer = None if use.is_of_warband else use.who
    for change in block:
        is_choice = change.chooses or (change.may and (change.roll or change.roll_each) and not change.pick)
        if is_choice and not (yield from confirm("use", side.name, f"{rule.name} is used")):
            return
        yield from use.prepare(change)
        if change.pick and not use.picked:
            return
        if is_choice:
            change = change.model_copy(update={"may": False})
        if change.has(_BONUS):
            yield from _move(use, change)
        elif change.incoming and use.other and not (change.answers and change.span == "round"):
            given = change.for_fighter().model_copy(update={"incoming": False})
            use.other.effects.append(Effect((given,), "attack"))
        else:
            yield from use.apply(change)
        yield from after_damage(use.table, doer)
    spend(use.table, side, rule, use.who)
    if any(needs_players(change) and not change.incoming for change in block):
        yield from note_effects(use.table, side, rule.name)
        yield from after_damage(use.table, doer)


def spend(table: Table, side: Side, rule: Trait | Rule, who: Combatant) -> None:
    """Remember that a rule of a battle trait was used."""
    side.note_trait_use()
    table.uses.append(RuleUse(who, rule.name, table.round, table.activations))


def _move(use: Performance, change: Change) -> Procedure[None]:
    """Make a bonus move; other bonus actions are for the players."""
    for who in (yield from use.times_for(change)):
        if isinstance(change.bonus_move, int) and who.stands and not use.table.is_beside_enemy(who):
            yield Log('{} may make a bonus move of up to {}"', (who.name, change.bonus_move))
            use.table.distances.move(who, change.bonus_move)


def _conditional(side: Side, who: Combatant) -> Iterator[tuple[Trait | Rule, Change, list[tuple[Condition, bool]]]]:
    """Yield the changes of a fighter's numbers by its battle trait that need no moment, and do not always apply."""
    for rule in passive_rules(side.trait):
        is_late = False
        for change in changes_of(rule) if not (why_not(rule, who.card.marks) or is_by_chance(rule)) else ():
            is_late = is_late or change.when is not None
            conditions = conditions_of(change)
            always = is_simple(change) and not is_limited(side, rule)
            if is_conditional(change) and conditions is not None and not (is_late or always):
                yield rule, change, conditions


def _is_for_round(side: Side, rule: Trait | Rule, change: Change, conditions: list[tuple[Condition, bool]]) -> bool:
    """Return whether a change depends on the battle round alone, so that it is in force until its end."""
    is_same = all(is_settled(each.model_fields_set) for each, _ in conditions)
    return is_same and bool(conditions) and not change.incoming and not is_limited(side, rule)


def begin_round(table: Table) -> Procedure[None]:
    """Put the changes in force that depend on the battle round."""
    for who in table.combatants:
        side = table.side_of(who)
        for rule, change, conditions in _conditional(side, who):
            if _is_for_round(side, rule, change, conditions) and (yield from _all_hold(table, who, conditions)):
                who.effects.append(Effect((change.for_fighter(),), "round"))
    for side in table.sides:
        for rule in passive_rules(side.trait):
            is_shown = any(what == LEFT[0] for _, what in in_battle(rule, is_limited=is_limited(side, rule)))
            if is_shown and not is_spent(table, side, rule, None):
                yield Log("{}: {}", (rule.name, plain_words(rule)))


def _all_hold(
    table: Table, who: Combatant, conditions: list[tuple[Condition, bool]], cover: bool | None = None
) -> Procedure[bool]:
    for condition, wanted in conditions:
        if condition.cover and cover is not None:
            if cover is not wanted:
                return False
            continue
        if (yield from condition_holds(table, who, condition, who)) is not wanted:
            return False
    return True


class FirstCritical(NamedTuple):
    """A rule of a battle trait about the first critical hit that is in force in an attack, and its fighter."""

    side: Side
    rule: Trait | Rule
    who: Combatant


def begin_attack(
    table: Table, attacker: Combatant, target: Combatant, weapon: Weapon, cover: bool | None
) -> Procedure[list[FirstCritical]]:
    """Put in force what the battle traits of both change in an attack; return what a critical hit uses up."""
    firsts: list[FirstCritical] = []
    for who in (attacker, target):
        side, now = table.side_of(who), dict[str, bool]()
        for rule, change, conditions in _conditional(side, who):
            is_for_round = _is_for_round(side, rule, change, conditions)
            is_own = change.toughness != 0 and not change.incoming
            is_used = now.get(rule.name, False)
            is_over = not is_used and is_spent(table, side, rule, who) and (attacker, target) not in table.challenges
            if is_for_round or is_over or (change.incoming or is_own) is not (who is target):
                continue
            if not weapons_for([weapon], [change]) or not (yield from _all_hold(table, who, conditions, cover)):
                continue
            if is_limited(side, rule) and not change.first_critical:
                if rule.name not in now:
                    now[rule.name] = yield from _is_used(table, side, rule, who, target)
                if not now[rule.name]:
                    continue
            given = change.for_fighter().model_copy(update={"incoming": False, "target": None})
            (target if is_own else attacker).effects.append(Effect((given,), "attack"))
            firsts += [FirstCritical(side, rule, who)] * bool(change.first_critical)
    return firsts


def _is_used(table: Table, side: Side, rule: Trait | Rule, who: Combatant, target: Combatant) -> Procedure[bool]:
    """Ask whether a battle trait of limited use is used in an attack; a target that it picks is picked for good."""
    picks = any(change.target == "picked" for change in changes_of(rule))
    if picks and (who, target) in table.challenges:
        return True
    if picks and table.distances.is_within(who, target, 1) is False:
        return False
    words = f"{rule.name} is used by {who.name}{f' on {target.name}' if picks else ''}"
    if not (yield from confirm("use", side.name, words)):
        return False
    spend(table, side, rule, who)
    table.challenges += [(who, target)] * picks
    return True
