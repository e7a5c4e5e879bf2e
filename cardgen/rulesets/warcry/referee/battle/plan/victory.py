"""Victory points of a battleplan: primary and secondary victory conditions, and the winner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from cardgen.game import Log, Measurement, Procedure, choose_one, confirm
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.plan.control import held_by
from cardgen.rulesets.warcry.referee.battle.table import Side, Table
from cardgen.rulesets.warcry.sections import Score, Section

MOST_VP = 20
SECONDARY_VP = 2
NEAR_OBJECTIVE = "an enemy taken down near an objective"
Count = Callable[[Table, int], int]
Rule = Callable[[Table], Procedure[None]]


def _losses(table: Table) -> list[Combatant]:
    """Return the fighters taken down in this battle round, each once; those that returned by the ruling `returned`."""
    victims = dict.fromkeys(fall.victim for fall in table.notes.falls)
    return [who for who in victims if who.is_down or table.rulings["returned"] == "counted"]


def _rival_losses(table: Table, side: int) -> list[Combatant]:
    """Return the enemies taken down in this battle round that count for the primary victory condition."""
    return [who for who in _losses(table) if who.side != side and who is not table.notes.ignored_fighter]


def _down_with(table: Table, side: int, *marks: str) -> int:
    """Count the enemies taken down with one of some runemarks, in this battle round or before."""
    down = (each for each in table.down(1 - side) if each is not table.notes.ignored_fighter)
    return sum(not each.card.marks.isdisjoint(marks) for each in down)


def _more(count: Callable[[Table, int], int], table: Table, side: int) -> bool:
    return count(table, side) > count(table, 1 - side)


def _held_count(table: Table, side: int) -> int:
    return len(held_by(table, side))


def _holds_mark(table: Table, side: int, mark: str, *, red: bool) -> bool:
    return (side == table.red_side) == red and f"objective {mark}" in held_by(table, side)


# How often each condition scores.
CONDITIONS: Mapping[str, Count] = MappingProxyType({
    "any-objective": lambda table, side: _held_count(table, side) >= 1,
    "two-objectives": lambda table, side: _held_count(table, side) >= 2,
    "more-objectives": lambda table, side: _more(_held_count, table, side),
    "red-holds-b": lambda table, side: _holds_mark(table, side, "B", red=True),
    "blue-holds-a": lambda table, side: _holds_mark(table, side, "A", red=False),
    "any-taken-down": lambda table, side: bool(_rival_losses(table, side)),
    "more-taken-down": lambda table, side: _more(lambda t, s: len(_rival_losses(t, s)), table, side),
    "each-hero": lambda table, side: _down_with(table, side, "hero"),
    "each-ally-or-monster": lambda table, side: _down_with(table, side, "ally", "monster"),
})  # fmt: skip

REASONS: Mapping[str, str] = MappingProxyType({
    "any-objective": "control of an objective",
    "two-objectives": "control of two objectives or more",
    "more-objectives": "control of more objectives",
    "red-holds-b": "control of objective B",
    "blue-holds-a": "control of objective A",
    "any-taken-down": "an enemy was taken down",
    "more-taken-down": "more enemies than friends were taken down",
    "each-hero": "Heroes among the enemies taken down",
    "each-ally-or-monster": "Allies and Monsters among the enemies taken down",
})  # fmt: skip


def score_section(table: Table, section: Section, default: str) -> Procedure[None]:
    """Score a victory condition: by its rule, by its conditions, or by asking the players."""
    name = section.name or default
    if rule := SECONDARY_RULES.get(section.rule or ""):
        yield from rule(table)
    elif section.scores:
        for score in section.scores:
            for side in table.sides:
                yield from _score(table, side, score)
    else:
        for side in table.sides:
            points = yield Measurement("points", side.name, f"victory points for {name}", 0, MOST_VP)
            yield from table.score(side.index, int(points), name)


def _score(table: Table, side: Side, score: Score) -> Procedure[None]:
    """Count a condition, or ask for it if the match tracker cannot."""
    if score.when:
        times = int(CONDITIONS[score.when](table, side.index))
        reason = REASONS[score.when]
    else:
        times = int((yield from confirm("scores", side.name, score.text.rstrip("."))))
        reason = score.text.rstrip(".")
    yield from table.score(side.index, times * (score.vp or 1), reason)


def _to_leader(count: Count, reason: str) -> Rule:
    """Return the rule that gives the side with the higher number 2 victory points."""

    def rule(table: Table) -> Procedure[None]:
        for side in (0, 1):
            if _more(count, table, side):
                yield from table.score(side, SECONDARY_VP, reason)

    return rule


def _devastation(table: Table, side: int) -> int:
    return sum(each.profile.wounds for each in table.down(1 - side))


def _active_count(table: Table, side: int) -> int:
    return sum(place in table.active for place in held_by(table, side))


def _first_fall_near_objective(table: Table) -> Procedure[None]:
    """Score the first fall near an objective, which a return does not undo."""
    for who in table.notes.near_objective:
        yield from table.score(1 - who.side, SECONDARY_VP, NEAR_OBJECTIVE)


def _losses_near_objectives(table: Table) -> Procedure[None]:
    """Score for each side that lost a fighter near an objective; the ruling `returned` says which count."""
    losses = _losses(table)
    for side in {who.side: None for who in table.notes.near_objective if who in losses}:
        yield from table.score(1 - side, SECONDARY_VP, NEAR_OBJECTIVE)


def _bloodgifted(table: Table) -> Procedure[None]:
    """Score for the bloodgifted fighter within 1 inch of an objective that its side controls."""
    who = table.notes.bloodgifted
    if who is None or not who.stands or not held_by(table, who.side):
        return
    what = f'{who.name} is within 1" of {" or ".join(held_by(table, who.side))}'
    if (yield from confirm("bloodgifted", table.side_of(who).name, what)):
        yield from table.score(who.side, SECONDARY_VP, f"{who.name} is bloodgifted")


def _new_objectives(table: Table) -> Procedure[None]:
    for side in (0, 1):
        gained = sum(table.notes.held_before.get(place) != side for place in held_by(table, side))
        yield from table.score(side, gained, "objectives not controlled at the start of the battle round")


def _extra_objective(table: Table) -> Procedure[None]:
    """Score for the objective placed in this battle round, and remove it."""
    holder = table.control.pop(table.notes.extra_objective, None)
    if holder is not None:
        yield from table.score(holder, SECONDARY_VP, table.notes.extra_objective)


def _worthy_foe(table: Table) -> Procedure[None]:
    """Score for last round's most expensive fighters that fell, and determine the next ones."""
    for who in _losses(table):
        if who in table.worthy:
            points = -(-who.points // 100)
            yield from table.score(1 - who.side, points, f"a worthy foe, {who.name}")
    table.worthy = []
    for side in table.sides if table.round < table.rounds else ():
        most = max((each.points for each in table.standing(side.index)), default=0)
        dearest = [each for each in table.standing(side.index) if each.points == most]
        rival = table.sides[1 - side.index].name
        foe = yield from choose_one("worthy", rival, f"the worthy foe of {side.name}", dearest)
        if foe:
            table.worthy.append(foe)
            yield Log("{} is the worthy foe of {}", (foe.name, side.name))


SECONDARY_RULES: Mapping[str, Rule] = MappingProxyType({
    "devastation": _to_leader(_devastation, "higher devastation total"),
    "fall-near-objective": _first_fall_near_objective,
    "enemy-falls-near-objective": _losses_near_objectives,
    "bloodgifted": _bloodgifted,
    "new-objectives": _new_objectives,
    "worthy-foe": _worthy_foe,
    "extra-objective": _extra_objective,
    "active-objectives": _to_leader(_active_count, "more active objectives"),
    "more-quarters": _to_leader(_held_count, "more table quarters"),
    "more-halves": _to_leader(_held_count, "more table halves"),
    "more-places-of-power": _to_leader(_held_count, "more places of power"),
})  # fmt: skip


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
