"""Measurements of distance, sight, and line (section 6: Attack, Cover)."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game import Decision, MarkedMeasurement, Measurement, Procedure, Selection, number_in_words
from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, group_by_kind, weapon_of
from cardgen.rulesets.warniris.referee.battle.table_notes import NO_ROOM, Marks, SightLine, Span
from cardgen.rulesets.warniris.referee.game import Game, State

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
COVERS = (PARTLY_HIDDEN, THROUGH_GAP, THROUGH_ANY_GAP, HIDDEN_SIGHT)
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
