"""Measurements of distance, sight, and line; legal targets, Moves, and charges (section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.game import Decision, Log, MarkedMeasurement, Measurement, Procedure, Selection, number_in_words
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.conditions import (
    AttackAction,
    group_by_kind,
    is_within,
    log_move,
    may_start,
    meets_weapon,
    sure_effects_now,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.effects import start_acts, start_effects
from cardgen.rulesets.warniris.referee.game import NO_ROOM, ActiveEffect, Game, Marks, SightLine, Span, State
from cardgen.rulesets.warniris.rulebook import TABLE_DIAGONAL
from cardgen.rulesets.warniris.words import STRIKES

CLEAR_SIGHT, PARTLY_HIDDEN, HIDDEN_SIGHT = "in clear sight", "partly hidden (-1)", "wholly hidden"
THROUGH_GAP, THROUGH_ANY_GAP = "through a gap of 1 cm or more (-1)", "through a gap (-1)"
PAST_OTHERS, THROUGH_GAP_PAST_OTHERS = "with miniatures in between", "through a gap, with miniatures in between"
THROUGH_ENEMIES, STOPS_SHORT = "only after Moving through enemies", "not in Range"
MEASURE_AGAIN, INSIST = "measure again", "it is right"
GAP, PARTLY, HIDDEN, BETWEEN, THROUGH = "gap", "partly", "hidden", "between", "through"
MARKS: dict[str, Marks] = {
    CLEAR_SIGHT: (),
    PARTLY_HIDDEN: (PARTLY,),
    THROUGH_GAP: (GAP,),
    THROUGH_ANY_GAP: (GAP,),
    PAST_OTHERS: (BETWEEN,),
    THROUGH_GAP_PAST_OTHERS: (GAP, BETWEEN),
    HIDDEN_SIGHT: (HIDDEN,),
}
# At most this many Minions of one kind are offered as miniatures in between.
MAX_ALIKE_BETWEEN = 3


def measure_distance(
    game: Game, state: State, attack: AttackAction, limits: Iterable[int], *, may_charge: bool = False
) -> Procedure[tuple[AttackAction, Marks | None]]:
    """Return an attack with its distance in cm, and the marks of the line if they were given with it.

    Of a distance that is known as far as the limits matter, the greatest possible one is taken without a question.
    """
    span, marks = game.notes.span(*attack.pair), None
    shift = int(game.rulings["distance"] == "short")
    if not span.decides(limit - shift for limit in limits):
        distance, marks = yield from _ask_distance(game, state, attack, may_charge=may_charge)
        span = Span(distance, distance)
        game.notes.set_span(*attack.pair, span)
    return attack._replace(distance=span.high), marks


def _ask_distance(
    game: Game, state: State, attack: AttackAction, *, may_charge: bool
) -> Procedure[tuple[int, Marks | None]]:
    """Ask for a distance until it is possible, or until the player insists on it."""
    while True:
        distance, marks = yield from _measure(game, state, attack, may_charge=may_charge)
        span = game.notes.span(*attack.pair)
        # Nothing tells Minions apart, so what is noted of one may be true of another.
        is_alike = any(game.miniatures[who].is_minion for who in attack.pair)
        if is_alike or span.low <= distance <= span.high:
            return distance, marks
        what = f"{distance} cm to {game.name(attack.target)} does not fit: it was {span}, by zones, Moves, and answers"
        if (yield Decision("misfit", game.name(attack.attacker), what, (MEASURE_AGAIN, INSIST))) == INSIST:
            return distance, marks


def _measure(
    game: Game, state: State, attack: AttackAction, *, may_charge: bool
) -> Procedure[tuple[int, Marks | None]]:
    who, what = game.name(attack.attacker), f"distance to {game.name(attack.target)}"
    if game.notes.line(*attack.pair):
        return (yield Measurement("distance", who, what, 0, TABLE_DIAGONAL, "cm")), None
    words = line_marks(game, state, attack)
    kinds = group_by_kind(game, state, _others(game, state, attack))
    names = [name for name, (who, *_) in kinds.items() if name in (game.name(who), game.miniatures[who].card.name)]
    if BETWEEN in words and len(names) == len(_others(game, state, attack)):
        words = tuple(word for word in words if word != BETWEEN)
    marks = (*words, *((THROUGH,) if may_charge else ()), *(names if words[0] != HIDDEN else ()))
    hint = _mark_hint(marks, may_charge=may_charge)
    distance, *given = yield MarkedMeasurement("distance", who, what, 0, TABLE_DIAGONAL, "cm", marks, hint)
    return distance, tuple(given)


def _mark_hint(marks: Marks, *, may_charge: bool) -> str:
    """Return '+ gap, hidden, through, names in between', as far as these marks can matter."""
    words = [str(mark) for mark in marks if mark in (GAP, PARTLY, HIDDEN)]
    words += [THROUGH] if may_charge else []
    words += ["names in between"] if GAP in marks and len(marks) > len(words) else []
    return f"+ {', '.join(words)}"


def line_marks(game: Game, state: State, attack: AttackAction) -> tuple[str, ...]:
    """Return the marks that can matter: without a Test to hit, only that the target is hidden."""
    if not weapon_of(game, state, attack).needs_test:
        return (HIDDEN,)
    partly = (PARTLY,) if game.rulings["partial-cover"] == "hindered" else ()
    between = (BETWEEN,) if _others(game, state, attack) else ()
    return (GAP, *partly, HIDDEN, *between)


def _others(game: Game, state: State, attack: AttackAction) -> list[int]:
    """Who else stands, and may be in the line."""
    if game.notes.span(*attack.pair).high <= NO_ROOM:
        return []
    return [who for who in range(len(game.miniatures)) if state.stands(who) and who not in attack.pair]


def measure_sight(
    game: Game, state: State, attack: AttackAction, marks: Marks | None = None
) -> Procedure[tuple[AttackAction, str]]:
    """Return an attack with cover and line, and why it is not possible or ''.

    A line in which nothing has changed is not asked.
    """
    line = game.notes.line(*attack.pair)
    if line is None and marks is None:
        line = yield from _ask_line(game, state, attack, line_marks(game, state, attack))
    elif line is None:
        line = yield from marked_line(game, state, attack, marks or ())
    game.notes.set_line(*attack.pair, line)
    if line.is_hidden:
        return attack, f"{game.name(attack.target)} is wholly hidden"
    between = tuple(who for who in line.between if state.stands(who))
    return attack._replace(gap=line.is_gap, between=between), ""


def measure_cover(
    game: Game, state: State, attack: AttackAction, marks: Marks | None = None
) -> Procedure[tuple[AttackAction, str]]:
    """Return an attack with its cover, whoever is in between, and why it is not possible or ''.

    Section 6: Cover; rulings `partial-cover` and `small-gaps`.
    """
    if marks is None:
        possible = tuple(mark for mark in line_marks(game, state, attack) if mark != BETWEEN)
        line = yield from _ask_line(game, state, attack, possible)
    else:
        line = _line_of(marks)
    if line.is_hidden:
        return attack, f"{game.name(attack.target)} is wholly hidden"
    return attack._replace(gap=line.is_gap), ""


def _line_of(marks: Marks, between: tuple[int, ...] = ()) -> SightLine:
    is_hidden = HIDDEN in marks
    return SightLine(is_hidden, bool({GAP, PARTLY} & set(marks)), () if is_hidden else between)


def _ask_line(game: Game, state: State, attack: AttackAction, marks: tuple[str, ...]) -> Procedure[SightLine]:
    """Ask for everything in the line at once: cover, and miniatures in between from the attacker outward."""
    covers = {
        words: needed for words, needed in MARKS.items() if words in line_options(game, marks) and len(needed) == 1
    }
    covers.pop(PAST_OTHERS, None)
    between = _candidates(game, state, attack) if BETWEEN in marks else {}
    what = f"what is in the line to {game.name(attack.target)}"
    chosen = yield Selection("sight", game.name(attack.attacker), what, (*covers, *between))
    given = tuple(mark for words in chosen for mark in covers.get(words, ()))
    return _line_of(given, tuple(between[words] for words in chosen if words in between))


def marked_line(game: Game, state: State, attack: AttackAction, marks: Marks) -> Procedure[SightLine]:
    """Return the line that marks describe; who is in between is asked if they do not name all of them."""
    names = group_by_kind(game, state, _others(game, state, attack))
    named = tuple(names[mark][0] for mark in marks if isinstance(mark, str) and mark in names)
    if BETWEEN not in marks or HIDDEN in marks:
        return _line_of(marks, named)
    candidates = _candidates(game, state, attack)
    if len(candidates) == 1:
        return _line_of(marks, tuple(candidates.values()))
    what = f"who is in between, from {game.name(attack.attacker)} outward"
    chosen = yield Selection("between", game.name(attack.attacker), what, tuple(candidates))
    return _line_of(marks, tuple(candidates[words] for words in chosen))


def _candidates(game: Game, state: State, attack: AttackAction) -> dict[str, int]:
    """Return who may be in between, by the words for them (ruling `between-order`)."""
    candidates = {}
    for words, members in group_by_kind(game, state, _others(game, state, attack)).items():
        for count, who in enumerate(members[:MAX_ALIKE_BETWEEN], 1):
            candidates[words if count == 1 else f"{words}, {number_in_words(count)} of them"] = who
    return candidates


def line_options(game: Game, marks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words for every line that these marks can describe."""
    other_gap = THROUGH_ANY_GAP if game.rulings["small-gaps"] == "blocked" else THROUGH_GAP
    return tuple(words for words, needed in MARKS.items() if words != other_gap and set(needed) <= set(marks))


def ask_arrival(game: Game, state: State, attack: AttackAction, *, may_cross: bool) -> Procedure[Marks | None]:
    """Ask how the target is seen where a free Move ends; return the marks, or None where it ends out of Range."""
    through = (THROUGH_ENEMIES,) if may_cross else ()
    options = (*line_options(game, line_marks(game, state, attack)), *through, STOPS_SHORT)
    what = f"sees {game.name(attack.target)} where its Move ends"
    chosen = yield Decision("arrival", game.name(attack.attacker), what, options)
    return None if chosen == STOPS_SHORT else MARKS.get(chosen, (THROUGH,))


def note_arrival(game: Game, state: State, attack: AttackAction, marks: Marks, farthest: int) -> Procedure[None]:
    """Note the distance in cm of an attacker from its target, and what is in the line."""
    game.notes.set_span(*attack.pair, Span(0, farthest))
    game.notes.set_line(*attack.pair, (yield from marked_line(game, state, attack, marks)))


def ask_crossed(game: Game, who: int, most: int) -> Procedure[int]:
    """Ask how many enemies a Move passes through, at least one."""
    if most <= 1:
        return most
    crossed = yield Measurement("enemies in the way", game.name(who), "enemies that it Moves through", 1, most)
    return int(crossed)


def objection(game: Game, state: State, attack: AttackAction) -> str:
    """Return why an attack is not legal, or ''."""
    attacker, target = game.name(attack.attacker), game.name(attack.target)
    if not state.stands(attack.attacker):
        return f"{attacker} is eliminated"
    if not state.stands(attack.target):
        return f"{target} is eliminated"
    profile = weapon_of(game, state, attack)
    if attack.attacker == attack.target and profile.needs_test:
        return f"{attacker} cannot attack itself"
    if attack.attacker == attack.target and profile.healing and game.rulings["heal-target"] == "others":
        return f"{attacker} cannot use {attack.weapon} on itself"
    is_friend = game.sides[attack.attacker] == game.sides[attack.target]
    if is_friend and profile.needs_test and game.rulings["attack-friends"] == "forbidden":
        return f"{target} is a friend of {attacker}"
    if game.sides[attack.attacker] != game.sides[attack.target] and not profile.needs_test:
        return f"{attack.weapon} only heals or protects, and {target} is an enemy"
    return out_of_range(game, state, attack)


def out_of_range(game: Game, state: State, attack: AttackAction) -> str:
    """Return why a target is out of Range, or ''.

    Range includes its limit (ruling `distance`).
    """
    if is_barred(game, state, attack):
        return f"{game.name(attack.target)} cannot be chosen as a target"
    if attack.distance is None:
        return ""
    reach = modifiers.attack_range(game, state, attack)
    if is_within(game, attack.distance, reach):
        return ""
    return f"{game.name(attack.target)} is {_distance_words(game, attack)} away, and {attack.weapon} reaches {reach} cm"


def _distance_words(game: Game, attack: AttackAction) -> str:
    """Return a distance, or its bounds if nobody has measured it."""
    span = game.notes.span(*attack.pair)
    is_known = not game.is_interactive or span.low == span.high
    return f"{attack.distance} cm" if is_known else str(span)


def is_barred(game: Game, state: State, attack: AttackAction) -> bool:
    """Return whether an effect keeps the target from being chosen; a distance that nobody knows yet does not."""
    if "targeted" not in game.freedoms:
        return False
    is_unknown = game.is_interactive and attack.distance is None
    return any(
        each.deeds.targeted and not (is_unknown and each.effect.depends_on_distance)
        for each in sure_effects_now(game, state, attack.target, modifiers.hit_context(attack))
    )


def cross_enemies(game: Game, state: State, who: int, enemies: int) -> Procedure[tuple[State, int]]:
    """Test Body for each enemy in the way, unless an effect spares that; return how many were passed."""
    if modifiers.crosses_freely(game, state, who):
        return state, enemies
    context = modifiers.move_context(who)
    for count in range(1, enemies + 1):
        test = modifiers.body_test(game, state, who, f"through {count}")
        state, succeeded = yield from modifiers.take_test(game, state, test, who, "move", context)
        if not succeeded:
            yield Log("{} stops in front of that enemy", (game.name(who),))
            return state, count - 1
    return state, enemies


def expected_movement(game: Game, state: State, who: int, *, at_most: bool = False) -> int:
    """Return how far a Move may go that has not begun, in cm.

    It counts what will apply to it, and with `at_most` also what may be used or be rolled for.
    """
    miniature = game.miniatures[who]
    upcoming = [
        ActiveEffect(who, number, (("bearer", (who,)),), "move")
        for number in miniature.triggered_effects.get("moving", ())
        if (at_most or miniature.effects[number].is_certain) and may_start(game, state, who, number, None)
    ]
    return modifiers.move_distance(game, state.add_effects(*upcoming), who)


def has_free_move(game: Game, attack: AttackAction, weapon_type: str) -> bool:
    """Return whether a weapon brings a free Move.

    A combat weapon does; in a reaction only by the ruling `reaction-cw-move`.
    """
    return weapon_type == "CW" and (not attack.reaction or game.rulings["reaction-cw-move"] == "allowed")


def out_of_charge_range(game: Game, state: State, attack: AttackAction) -> str:
    """Return why a target cannot be reached, even with a free Move, or ''."""
    problem = out_of_range(game, state, attack)
    if not problem or attack.distance is None:
        return problem
    if not has_free_move(game, attack, weapon_of(game, state, attack).type):
        return problem
    movement, end = free_movement(game, state, attack.attacker), charge_end(game, state, attack)
    if attack.distance - movement <= end and not is_barred(game, state, attack._replace(distance=end)):
        return ""
    return f"{problem}, even after a Move of {movement} cm"


def free_movement(game: Game, state: State, who: int) -> int:
    """Return how far a free Move may go at most, in cm (ruling `free-move-counts`)."""
    if game.rulings["free-move-counts"] == "counted":
        return expected_movement(game, state, who, at_most=True)
    return modifiers.move_distance(game, state, who)


def charge_end(game: Game, state: State, attack: AttackAction) -> int:
    """The distance at which a free Move ends that nobody measures: the farthest within Range."""
    reach = modifiers.attack_range(game, state, attack)
    return reach if is_within(game, reach, reach) else reach - 1


def measure_attack(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Measure an attack; return it, and why it is not possible or ''.

    Sight and line wait for a combat weapon's free Move where the target is out of Range.
    """
    if attack.attacker == attack.target:
        return attack, ""
    limits = (*range_limits(game, state, attack), *distance_limits(game, state, attack))
    may_cross = game.rulings["cw-path"] == "tested" and len(game.enemies(state, attack.attacker)) > 1
    may_charge = may_cross and has_free_move(game, attack, weapon_of(game, state, attack).type)
    attack, marks = yield from measure_distance(game, state, attack, limits, may_charge=may_charge)
    problem = out_of_charge_range(game, state, attack)
    if problem:
        return attack, problem
    if out_of_range(game, state, attack):
        if marks is not None:
            game.notes.expect_arrival(*attack.pair, marks)
        return attack, ""
    return (yield from measure_sight(game, state, attack, marks))


def range_limits(game: Game, state: State, attack: AttackAction) -> tuple[int, int]:
    """Return the Range of an attack, and how far it reaches with a free Move, in cm."""
    reach = modifiers.attack_range(game, state, attack)
    if not has_free_move(game, attack, weapon_of(game, state, attack).type):
        return reach, reach
    return reach, charge_end(game, state, attack) + free_movement(game, state, attack.attacker)


def distance_limits(game: Game, state: State, attack: AttackAction) -> Iterator[int]:
    """Yield the distances in cm at which an effect of one of the two, or a mission, differs."""
    yield from game.mission_limits
    for effect in (effect for who in attack.pair for effect in game.miniatures[who].effects):
        condition = effect.condition
        is_aura = effect.is_constant and any(party == "enemies" for party, _ in effect.deeds)
        if not (is_aura or effect.when in STRIKES or effect.active_at in STRIKES):
            continue
        if meets_weapon(condition, weapon_of(game, state, attack)):
            yield from (limit for limit in (condition.range_over, condition.range_within) if limit is not None)


def may_reach(game: Game, state: State, attack: AttackAction, approach: int = 0) -> bool:
    """Whether a target may be in Range, as noted, after one of the two has come nearer by a distance in cm."""
    if attack.attacker == attack.target:
        return True
    nearest = max(0, game.notes.span(*attack.pair).low - approach)
    return not out_of_charge_range(game, state, attack._replace(distance=nearest))


def measure_diverted(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[AttackAction, str]]:
    """Measure an attack that a miniature in between takes; return why it ends, or '' (ruling `diverted-sight`)."""
    is_in_line = game.rulings["diverted-sight"] == "line"
    reach = () if is_in_line else (modifiers.attack_range(game, state, attack),)
    attack, marks = yield from measure_distance(game, state, attack, (*distance_limits(game, state, attack), *reach))
    if is_in_line:
        return attack, ""
    problem = out_of_range(game, state, attack)
    return (attack, problem) if problem else (yield from measure_cover(game, state, attack, marks))


def charge(
    game: Game, state: State, attack: AttackAction, enemies: int = 0
) -> Procedure[tuple[State, AttackAction | None]]:
    """Make the free Move of a combat weapon; return the attack after it.

    None stands for an attack that is not possible (section 6: Attack; rulings `cw-path` and `free-move-counts`).
    Players say how the Move ends. Where nobody measures, it passes through `enemies` and ends at the limit
    of Range; a failed Body test stops it out of Range.
    """
    yield Log("{} Moves at {} first", (game.name(attack.attacker), game.name(attack.target)))
    if game.rulings["free-move-counts"] == "counted":
        state = yield from start_effects(game, state, "moving", (attack.attacker,))
    if game.is_interactive:
        return (yield from _charge_at_table(game, state, attack))
    if game.rulings["cw-path"] == "free":
        enemies = 0
    state, passed = yield from cross_enemies(game, state, attack.attacker, enemies)
    stops = passed < enemies
    state = _log_free_move(game, state, attack.attacker, passed, failed=stops)
    movement = modifiers.move_distance(game, state, attack.attacker)
    state = state.end_window("move")
    reach = charge_end(game, state, attack)
    falls_short = attack.distance is not None and attack.distance - movement > reach
    if not (stops or falls_short):
        state = state.at_distance(reach)
    state = yield from start_acts(game, state, "enemy_moved", attack.attacker)
    is_there = state.stands(attack.attacker) and not (stops or falls_short)
    return state, attack._replace(distance=reach) if is_there else None


def _charge_at_table(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction | None]]:
    """Ask where a free Move ends; return the attack after it, or None."""
    moved = modifiers.move_distance(game, state, attack.attacker)
    falls_short = game.notes.span(*attack.pair).low - moved > charge_end(game, state, attack)
    game.notes.move(attack.attacker, moved)
    problem = f"{game.name(attack.target)} is out of Range" if falls_short else ""
    if not falls_short:
        state, problem = yield from _ask_path(game, state, attack)
    else:
        state = _log_free_move(game, state, attack.attacker, 0, failed=False)
    state = yield from start_acts(game, state.end_window("move"), "enemy_moved", attack.attacker)
    if not state.stands(attack.attacker):
        return state, None
    if not problem:
        attack, problem = yield from measure_attack(game, state, attack)
        problem = problem or out_of_range(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
    return state, None if problem else attack


def _log_free_move(game: Game, state: State, who: int, passed: int, *, failed: bool) -> State:
    """The state with a free Move on record, if it counts (ruling `free-move-counts`)."""
    if game.rulings["free-move-counts"] != "counted":
        return state
    return log_move(game, state, who, passed, failed=failed)


def _ask_path(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, str]]:
    """Ask how a free Move comes into Range; return why it does not, or ''. A failed Body test leaves that open."""
    others = len(game.enemies(state, attack.attacker)) - 1
    tested = others > 0 and game.rulings["cw-path"] == "tested"
    expected = game.notes.take_arrival(*attack.pair)
    marks = expected
    if marks is None:
        marks = yield from ask_arrival(game, state, attack, may_cross=tested)
    crossed = passed = 0
    if marks and THROUGH in marks:
        crossed = yield from ask_crossed(game, attack.attacker, others)
        state, passed = yield from cross_enemies(game, state, attack.attacker, crossed)
    state = _log_free_move(game, state, attack.attacker, passed, failed=passed < crossed)
    if passed < crossed:
        return state, ""
    if marks and THROUGH in marks:
        marks = tuple(mark for mark in marks if mark != THROUGH)
        marks = (yield from ask_arrival(game, state, attack, may_cross=False)) if expected is None else marks
    if marks is None:
        return state, f"{game.name(attack.target)} is out of Range"
    yield from note_arrival(game, state, attack, marks, charge_end(game, state, attack))
    return state, ""
