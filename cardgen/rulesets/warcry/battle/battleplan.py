"""Battleplans: control of objectives, twists, and victory points.

The words of a battleplan that the tracker plays are rows of tables: what they do, and what they are called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from cardgen.game import Log, Measurement, Procedure, choose, choose_one, confirm, join_words
from cardgen.rulesets.warcry.battle.performance import note_effects, plain_text
from cardgen.rulesets.warcry.battle.table import (
    ANY_OBJECTIVE,
    NEITHER,
    NOBODY,
    Combatant,
    Effect,
    Side,
    Table,
    near_objective,
)
from cardgen.rulesets.warcry.cards import Battleplan
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of, is_declared, passive_rules
from cardgen.rulesets.warcry.limits import Section
from cardgen.rulesets.warcry.words import SCORES, SECONDARIES
from cardgen.rulesets.warcry.words import TWISTS as TWIST_WORDS

QUARTERS = ("upper left quarter", "upper right quarter", "lower left quarter", "lower right quarter")
HALVES = ("red half", "blue half")
AREAS = {"more-quarters": QUARTERS, "more-halves": HALVES}
PLACE_RULE = "more-places-of-power"
MOST_PLACES = 12
MARKS = ("A", "B")


def needs_objectives(plan: Battleplan) -> bool:
    """Return whether the match tracker has to know who holds which objective."""
    scores = (*plan.primary.scores, *plan.secondary.scores)
    is_held = any(score.when and SCORES[score.when].needs for score in scores)
    return is_held or plan.secondary.rule in ("new-objectives", "active-objectives", "bloodgifted")


def has_red_and_blue(plan: Battleplan) -> bool:
    """Return whether it matters who deploys at the red points."""
    return any(score.when in ("red-holds-b", "blue-holds-a") for score in plan.primary.scores)


def find_places(table: Table) -> Procedure[list[str]]:
    """Return the names of everything that can be held, from the card or by asking."""
    plan, rule = table.plan, table.plan.secondary.rule
    if rule in AREAS:
        return [*AREAS[rule]]
    if rule != PLACE_RULE and not needs_objectives(plan):
        return []
    if rule != PLACE_RULE and plan.map and plan.map.objectives:
        return [f"objective {each.mark or number}" for number, each in enumerate(plan.map.objectives, 1)]
    what, name = ("places of power", "place of power") if rule == PLACE_RULE else ("objectives", "objective")
    marks = MARKS if rule != PLACE_RULE and has_red_and_blue(plan) else ()
    count = yield Measurement("places", "", f"{what} on the battlefield", len(marks) or 1, MOST_PLACES)
    return [f"{name} {mark}" for mark in (*marks, *range(len(marks) + 1, int(count) + 1))]


def determine_control(table: Table) -> Procedure[None]:
    """Ask who holds each place at the end of a battle round.

    Objectives and places of power stay with whoever held them until the other player has more fighters there; quarters
    and halves do not. An inactive objective can be controlled only by the ruling `inactive-objectives`.
    """
    areas = table.plan.secondary.rule in AREAS
    is_limited = table.plan.secondary.rule == "active-objectives" and table.rulings["inactive-objectives"] == "not"
    texts = (section.text for section in (*table.plan.sections, *table.plan.main_sections.values()))
    is_one_each = any(_ONE_EACH.search(text or "") for text in texts)
    used = [0, 0]
    for place in (*(table.active if is_limited else table.places), *filter(None, [table.notes.extra_objective])):
        is_ignored = place == table.notes.ignored_place and areas
        holder = None if is_ignored else (yield from _ask_holder(table, place, used, wholly=areas))
        if holder is not None and (areas or is_one_each):
            used[holder] += _least_for(table, place, holder)
        if holder is not None:
            table.control[place] = holder
        elif areas:
            table.control.pop(place, None)
    for side in table.sides:
        if held := [place for place, holder in table.control.items() if holder == side.index]:
            yield Log("{} controls {}", (side.name, join_words(held, "and")))


# A fighter that controls an objective controls no other one.
_ONE_EACH = re.compile(r"only (?:one|1) objective|more than (?:one|1) objective", re.IGNORECASE)


def _least_for(table: Table, place: str, side: int) -> int:
    """Return how many fighters a side needs at least to have more than none at a place: two if they are halved."""
    return 2 if table.notes.halved == (place, side) else 1


def _counts_more(table: Table) -> bool:
    """Return whether a fighter may count as several, by a rule of either side or by one that was not read."""
    rules = [rule for side in table.sides for rule in (*side.rules, *passive_rules(side.trait))]
    return any(
        any(change.counts_as or not is_declared(change) for change in changes)
        if (changes := changes_of(rule))
        else "count" in (rule.text or "")
        for rule in rules
    )


def _ask_holder(table: Table, place: str, used: list[int], *, wholly: bool) -> Procedure[int | None]:
    """Ask which side has more fighters at a place, among those that can: `used` are the fighters that are elsewhere.

    Those that cannot control objectives, by a twist or by an effect, do not count, nor do those known to be elsewhere.
    """
    standing = [] if wholly else [each for each in table.combatants if each.stands]
    barred = [each for each in standing if each is table.notes.barred or "control" in each.bans]
    there = [
        [near_objective(table, each, place) for each in table.standing(side) if each not in barred] for side in (0, 1)
    ]
    most = [min(len(facts) - used[side], sum(fact is not False for fact in facts)) for side, facts in enumerate(there)]
    least = [sum(fact is True for fact in facts) for facts in there] if not _counts_more(table) else [0, 0]
    by = [_least_for(table, place, side) for side in (0, 1)]
    most, least = ([count // by[side] for side, count in enumerate(counts)] for counts in (most, least))
    able = [each for each in table.sides if most[each.index] > least[1 - each.index]]
    if not able:
        return None
    if len(able) == 1 and least[able[0].index] > most[1 - able[0].index]:
        return able[0].index
    where = f"wholly within the {place}" if wholly else f'within 3" of {place}'
    but = f", without {join_words([each.name for each in barred], 'and')}" if barred else ""
    half, halved = table.notes.halved
    if half == place:
        but = f", with half of {table.sides[halved].name} rounded down"
    options: dict[str, int | None] = {**{side.name: side.index for side in able}, NEITHER: None}
    return (yield from choose("control", "", f"more fighters {where}{but}", options))


def held_by(table: Table, side: int) -> list[str]:
    """Return the places that a side holds and that count in this battle round."""
    counting = {*table.places} - {table.notes.ignored_place}
    return [place for place, holder in table.control.items() if holder == side and place in counting]


def remove_place(table: Table, place: str) -> Procedure[None]:
    """Remove an objective from the battlefield, or a place that nobody can hold any more."""
    table.places.remove(place)
    table.distances.forget_fact(ANY_OBJECTIVE)
    table.control.pop(place, None)
    if place in table.active:
        table.active.remove(place)
    yield Log("{} is out of play", (place.capitalize(),))


EXHAUSTION = 2
LEAST_TO_LOOT = 4
LOOT = "remove-two-objectives"
NONE = "none"
EXTRA_OBJECTIVE = "the extra objective"
MORE_WILD_DICE = "more-wild-dice"
Twist = Callable[[Table, Side], Procedure[None]]


def extra_wild_dice(table: Table) -> tuple[int, int]:
    """Return the wild dice that Pulsing Power gives for one initiative phase."""
    behind = table.behind
    if table.plan.twist.rule != MORE_WILD_DICE or behind is None:
        return 0, 0
    gap = abs(table.sides[0].vp - table.sides[1].vp)
    return (gap, 0) if behind.index == 0 else (0, gap)


def play_twist(table: Table) -> Procedure[None]:
    """Play the twist after an initiative phase, and a secondary rule that works like one.

    Without a player behind, only Nothing Left Worth Looting does anything.
    """
    for section in (table.plan.secondary, table.plan.twist):
        twist = TWISTS.get(section.rule or "")
        if twist and table.behind and (section.rule != LOOT or len(table.places) >= LEAST_TO_LOOT):
            yield Log("{} is behind: {}", (table.behind.name, section.name or "twist"))
            yield from twist(table, table.behind)
        elif section.rule == LOOT and not table.behind and len(table.places) >= LEAST_TO_LOOT:
            # With equal victory points, each player removes an objective that they control.
            for side in table.sides:
                if own := [place for place in table.places if table.control.get(place) == side.index]:
                    yield from remove_place(table, (yield from _pick(table, side, "objective to remove", own)))
    twist_card = table.plan.twist
    if table.behind and twist_card.rule not in (*TWISTS, MORE_WILD_DICE):
        name = twist_card.name or "twist"
        yield Log("{} is behind: {}: {}", (table.behind.name, name, plain_text(twist_card.text or "")))
        yield from note_effects(table, table.behind, name)


def _pick(table: Table, side: Side, what: str, places: list[str], *, may_refuse: bool = False) -> Procedure[str]:
    """Ask for a place; return '' if there is none."""
    options = {NONE: ""} if may_refuse or not places else {}
    return (yield from choose("twist", side.name, what, {**options, **{place: place for place in places}}))


def _pick_enemy(table: Table, side: Side, what: str) -> Procedure[Combatant | None]:
    """Ask for an enemy that is not taken down; it may be in reserve, and arrive in this battle round."""
    enemies = [each for each in table.combatants if each.side != side.index and not each.is_down]
    return (yield from choose_one("twist", side.name, what, enemies))


def _prize(table: Table, side: Side) -> Procedure[None]:
    table.notes.prize = yield from _pick(table, side, "objective worth 1 more victory point", table.places)


def _remove(table: Table, side: Side) -> Procedure[None]:
    if place := (yield from _pick(table, side, "objective to remove", table.places, may_refuse=True)):
        yield from remove_place(table, place)


def _strengthen(table: Table, side: Side) -> Procedure[None]:
    place = yield from _pick(table, side, "objective near which attacks have +1 Strength", table.places)
    table.notes.strength = (place, side.index)


def _ignore(table: Table, side: Side) -> Procedure[None]:
    table.notes.ignored_place = yield from _pick(table, side, "objective that does not count", table.places)


def _ignore_quarter(table: Table, side: Side) -> Procedure[None]:
    table.notes.ignored_place = yield from _pick(table, side, "table quarter that does not count", [*QUARTERS])


def _loot(table: Table, side: Side) -> Procedure[None]:
    """Remove any objective and one that the opponent controls."""
    yield from remove_place(table, (yield from _pick(table, side, "objective to remove", table.places)))
    if rival := [place for place in table.places if table.control.get(place) == 1 - side.index]:
        second = yield from _pick(table, side, "objective of the opponent to remove", rival)
        yield from remove_place(table, second)


def _ignore_fighters(table: Table, side: Side) -> Procedure[None]:
    """Pick a friend that does not count as taken down, an enemy that controls nothing, or both.

    The ruling `grim-resolve` says whether the friend has to be on the battlefield.
    """
    is_any = table.rulings["grim-resolve"] == "any"
    friends = [each for each in table.combatants if each.side == side.index and (is_any or each.stands)]
    what = "friend that does not count for the primary victory condition"
    table.notes.ignored_fighter = yield from choose_one("twist", side.name, what, friends, NOBODY)
    if table.notes.extra_objective or table.places:
        enemies, what = table.standing(1 - side.index), "enemy that cannot control objectives"
        table.notes.barred = yield from choose_one("twist", side.name, what, enemies, NOBODY)


def _exhaust(table: Table, side: Side) -> Procedure[None]:
    table.notes.exhausted = who = yield from _pick_enemy(table, side, "enemy that is exhausted")
    if who:
        who.effects.append(Effect((Change(toughness=-EXHAUSTION),), "round"))


def _silence(table: Table, side: Side) -> Procedure[None]:
    table.notes.silenced = yield from _pick_enemy(table, side, "enemy that cannot use abilities")


def _halve(table: Table, side: Side) -> Procedure[None]:
    half = yield from _pick(table, side, "half in which only half of the opponent's fighters count", [*HALVES])
    table.notes.halved = (half, 1 - side.index)


def _place_objective(table: Table, side: Side) -> Procedure[None]:
    table.notes.extra_objective = EXTRA_OBJECTIVE
    for name in (EXTRA_OBJECTIVE, ANY_OBJECTIVE):
        table.distances.forget_fact(name)
    yield Log("{} places an objective", (side.name,))


def _activate_objective(table: Table, side: Side) -> Procedure[None]:
    inactive = [place for place in table.places if place not in table.active]
    if place := (yield from _pick(table, side, "objective that becomes active", inactive)):
        table.active.append(place)


TWISTS: Mapping[str, Twist] = {
    "prize-objective": _prize,
    "remove-objective": _remove,
    "strength-near-objective": _strengthen,
    "ignore-objective": _ignore,
    LOOT: _loot,
    "ignore-fighters": _ignore_fighters,
    "exhaust-enemy": _exhaust,
    "silence-enemy": _silence,
    "ruin-place-of-power": _remove,
    "ignore-quarter": _ignore_quarter,
    "halve-half": _halve,
    "extra-objective": _place_objective,
    "active-objectives": _activate_objective,
}
# Two of them are secondary rules that work like one, and wild dice are those of the initiative phase.
TWIST_WORDS.require_all({*TWISTS, MORE_WILD_DICE} - {"extra-objective", "active-objectives"})


MOST_VP = 20
SECONDARY_VP = 2
Count = Callable[[Table, int], int]
Rule = Callable[[Table], Procedure[None]]


def _losses(table: Table) -> list[Combatant]:
    """Return the fighters taken down in this battle round, each once; those that returned by the ruling `returned`."""
    victims = dict.fromkeys(fall.victim for fall in table.notes.falls)
    return [who for who in victims if who.is_down or table.rulings["returned"] == "counted"]


def _rival_losses(table: Table, side: int) -> int:
    """Count the enemies taken down in this battle round, for the primary victory condition."""
    return sum(who.side != side and who is not table.notes.ignored_fighter for who in _losses(table))


def _down_with(table: Table, side: int, *marks: str) -> int:
    """Count the enemies taken down with one of some runemarks, in this battle round or before."""
    down = (each for each in table.down(1 - side) if each is not table.notes.ignored_fighter)
    return sum(not each.card.marks.isdisjoint(marks) for each in down)


def _more(count: Count, table: Table, side: int) -> bool:
    return count(table, side) > count(table, 1 - side)


def _held_count(table: Table, side: int) -> int:
    return len(held_by(table, side))


# How often each condition scores.
CONDITIONS: Mapping[str, Count] = {
    "any-objective": lambda table, side: _held_count(table, side) >= 1,
    "two-objectives": lambda table, side: _held_count(table, side) >= 2,
    "more-objectives": lambda table, side: _more(_held_count, table, side),
    "red-holds-b": lambda table, side: side == table.red_side and "objective B" in held_by(table, side),
    "blue-holds-a": lambda table, side: side != table.red_side and "objective A" in held_by(table, side),
    "any-taken-down": lambda table, side: _rival_losses(table, side) > 0,
    "more-taken-down": lambda table, side: _more(_rival_losses, table, side),
    "each-hero": lambda table, side: _down_with(table, side, "hero"),
    "each-ally-or-monster": lambda table, side: _down_with(table, side, "ally", "monster"),
}
SCORES.require_all(CONDITIONS)


def score_section(table: Table, section: Section, default: str) -> Procedure[None]:
    """Score a victory condition: by its rule, by its conditions, or by asking the players."""
    name = section.name or default
    if rule := SECONDARY_RULES.get(section.rule or ""):
        yield from rule(table)
    elif section.scores:
        for score in section.scores:
            for side in table.sides:
                reason = score.text.rstrip(".")
                if score.when:
                    times, reason = int(CONDITIONS[score.when](table, side.index)), SCORES[score.when].help
                else:
                    times = int((yield from confirm("scores", side.name, reason)))
                yield from table.score(side.index, times * (score.vp or 1), reason)
    else:
        for side in table.sides:
            points = yield Measurement("points", side.name, f"victory points for {name}", 0, MOST_VP)
            yield from table.score(side.index, int(points), name)


def _to_leader(count: Count, word: str) -> Rule:
    """Return the rule that gives the side with the higher number 2 victory points."""

    def rule(table: Table) -> Procedure[None]:
        for side in (0, 1):
            if _more(count, table, side):
                yield from table.score(side, SECONDARY_VP, SECONDARIES[word].help)

    return rule


def _first_fall_near_objective(table: Table) -> Procedure[None]:
    """Score the first fall near an objective, which a return does not undo."""
    for who in table.notes.near_objective:
        yield from table.score(1 - who.side, SECONDARY_VP, SECONDARIES["enemy-falls-near-objective"].help)


def _losses_near_objectives(table: Table) -> Procedure[None]:
    """Score for each side that lost a fighter near an objective; the ruling `returned` says which count."""
    losses = _losses(table)
    for side in {who.side: None for who in table.notes.near_objective if who in losses}:
        yield from table.score(1 - side, SECONDARY_VP, SECONDARIES["enemy-falls-near-objective"].help)


def _bloodgifted(table: Table) -> Procedure[None]:
    """Score for the bloodgifted fighter within 1 inch of an objective that its side controls."""
    who = table.notes.bloodgifted
    if who is not None and who.stands and (held := held_by(table, who.side)):
        what = f'{who.name} is within 1" of {" or ".join(held)}'
        if (yield from confirm("bloodgifted", table.side_of(who).name, what)):
            yield from table.score(who.side, SECONDARY_VP, f"{who.name} is bloodgifted")


def _new_objectives(table: Table) -> Procedure[None]:
    for side in (0, 1):
        gained = sum(table.notes.held_before.get(place) != side for place in held_by(table, side))
        yield from table.score(side, gained, SECONDARIES["new-objectives"].help)


def _extra_objective(table: Table) -> Procedure[None]:
    """Score for the objective placed in this battle round, and remove it."""
    holder = table.control.pop(table.notes.extra_objective, None)
    if holder is not None:
        yield from table.score(holder, SECONDARY_VP, table.notes.extra_objective)


def _worthy_foe(table: Table) -> Procedure[None]:
    """Score for last round's most expensive fighters that fell, and determine the next ones."""
    for who in _losses(table):
        if who in table.worthy:
            yield from table.score(1 - who.side, -(-who.points // 100), f"a worthy foe, {who.name}")
    table.worthy = []
    for side in table.sides if table.round < table.rounds else ():
        most = max((each.points for each in table.standing(side.index)), default=0)
        dearest = [each for each in table.standing(side.index) if each.points == most]
        rival = table.sides[1 - side.index].name
        if foe := (yield from choose_one("worthy", rival, f"the worthy foe of {side.name}", dearest)):
            table.worthy.append(foe)
            yield Log("{} is the worthy foe of {}", (foe.name, side.name))


SECONDARY_RULES: Mapping[str, Rule] = {
    "devastation": _to_leader(
        lambda table, side: sum(each.profile.wounds for each in table.down(1 - side)), "devastation"
    ),
    "fall-near-objective": _first_fall_near_objective,
    "enemy-falls-near-objective": _losses_near_objectives,
    "bloodgifted": _bloodgifted,
    "new-objectives": _new_objectives,
    "worthy-foe": _worthy_foe,
    "extra-objective": _extra_objective,
    "active-objectives": _to_leader(
        lambda table, side: sum(place in table.active for place in held_by(table, side)), "active-objectives"
    ),
    "more-quarters": _to_leader(_held_count, "more-quarters"),
    "more-halves": _to_leader(_held_count, "more-halves"),
    "more-places-of-power": _to_leader(_held_count, "more-places-of-power"),
}
SECONDARIES.require_all(SECONDARY_RULES)


def score_round(table: Table) -> Procedure[None]:
    """Score a battle round: primary, secondary, and what the twist adds."""
    yield from score_section(table, table.plan.primary, "the primary victory condition")
    yield from score_section(table, table.plan.secondary, "the secondary victory condition")
    holder = table.control.get(table.notes.prize)
    if holder is not None:
        yield from table.score(holder, 1, f"the prize, {table.notes.prize}")
    exhausted = table.notes.exhausted
    if exhausted and not exhausted.is_down:
        yield from table.score(exhausted.side, 1, f"{exhausted.name} endured exhaustion")


def leader(table: Table) -> int | None:
    """Return the side with more victory points, or None for a draw."""
    one, other = (side.vp for side in table.sides)
    return None if one == other else int(other > one)
