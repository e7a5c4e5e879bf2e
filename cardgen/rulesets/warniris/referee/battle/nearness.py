"""Who is within the distance of an effect: from the notes, and as a question for everybody else at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cardgen.game import Decision, Measurement, Procedure, Selection
from cardgen.rulesets.warniris.condition import Condition
from cardgen.rulesets.warniris.referee.battle.attack_action import meets_distance
from cardgen.rulesets.warniris.referee.battle.crowd import group_by_kind
from cardgen.rulesets.warniris.referee.battle.table_notes import Span
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.state import State

NEAR, FAR = "yes", "no"


def ask_near(
    game: Game, state: State, owner: int, candidates: Sequence[int], effect: BoundEffect
) -> Procedure[tuple[int, ...]]:
    """Return who is as near to the owner of an effect as it asks; ask only about those whose distance may matter."""
    known = {other: _known_nearness(game, owner, other, effect.condition) for other in candidates}
    unknown = [other for other in candidates if known[other] is None]
    near = yield from _ask_unknown(game, state, owner, unknown, effect)
    for other in unknown:
        _note_nearness(game, owner, other, effect.condition, is_near=other in near)
    return tuple(other for other in candidates if known[other] or other in near)


_QUESTIONS = {
    "friend_within": ("a friend within {} cm", True, True),
    "enemy_within": ("an enemy within {} cm", False, True),
    "friend_over": ("no friend within {} cm", True, False),
    "enemy_over": ("no enemy within {} cm", False, False),
}
PLACES = {
    "cover": "in cover",
    "terrain": "touching terrain",
    "own-zone": "in its own deployment zone",
    "enemy-zone": "in the enemy deployment zone",
    "unseen": "out of sight of all enemies",
}


def ask_table(game: Game, state: State, owner: int, effect: BoundEffect) -> Procedure[bool]:
    """Ask whether the bearer stands as an effect asks, unless the notes tell."""
    condition = effect.condition
    for key, (words, is_friend, is_wanted) in _QUESTIONS.items():
        limit = getattr(condition, key)
        if limit is None:
            continue
        group = game.friends(state, owner) if is_friend else game.enemies(state, owner)
        near = [_known_nearness(game, owner, other, Condition(range_within=limit)) for other in group]
        known = True in near if (True in near or None not in near) else None
        if known is not None and known != is_wanted:
            return False
        if known is None and not (yield from _ask_yes(game, owner, effect, f"has {words.format(limit)}")):
            return False
    return not condition.place or (yield from _ask_yes(game, owner, effect, f"is {PLACES[condition.place]}"))


def _ask_yes(game: Game, owner: int, effect: BoundEffect, what: str) -> Procedure[bool]:
    name = game.name(owner)
    return bool((yield Decision(what, name, f"{effect.name}: {name} {what}", (NEAR, FAR))) == NEAR)


def _known_nearness(game: Game, owner: int, other: int, condition: Condition) -> bool | None:
    """Whether the noted distance fits a condition; None if only a measurement tells."""
    span, shift = game.notes.span(owner, other), int(game.rulings["distance"] == "short")
    limits = [limit - shift for limit in (condition.range_over, condition.range_within) if limit is not None]
    return meets_distance(game, condition, span.high) if span.decides(limits) else None


def _note_nearness(game: Game, owner: int, other: int, condition: Condition, *, is_near: bool) -> None:
    """Note what an answer says about a distance, unless the condition has two limits."""
    within, over = condition.range_within, condition.range_over
    if game.miniatures[other].is_minion or (within is not None and over is not None):
        return
    limit = within if within is not None else over
    if limit is None:
        return
    edge = limit - int(game.rulings["distance"] == "short")
    bounds = Span(high=edge) if is_near == (within is not None) else Span(low=edge + 1)
    game.notes.set_span(owner, other, game.notes.span(owner, other).narrowed(*bounds))


def _ask_unknown(
    game: Game, state: State, owner: int, unknown: Sequence[int], effect: BoundEffect
) -> Procedure[tuple[int, ...]]:
    where = f"{effect.distance_words} of {game.name(owner)}"
    kinds = group_by_kind(game, state, unknown)
    crowds = {words: members for words, members in kinds.items() if len(members) > 1}
    singles = {words: members[0] for words, members in kinds.items() if len(members) == 1}
    near = list((yield from _ask_singles(game, owner, singles, effect.name, where)))
    for words, members in crowds.items():
        what = f"{effect.name}: how many ({words}) are {where}"
        count = yield Measurement(f"near {words}", game.name(owner), what, 0, len(members))
        near += members[:count]
    return tuple(near)


def _ask_singles(game: Game, owner: int, singles: dict[str, int], name: str, where: str) -> Procedure[Iterable[int]]:
    """Ask about one with yes or no, about several with a selection."""
    if len(singles) == 1:
        ((words, other),) = singles.items()
        answer = yield Decision(f"near {words}", game.name(owner), f"{name}: is {words} {where}", (NEAR, FAR))
        return (other,) if answer == NEAR else ()
    chosen = yield Selection("near", game.name(owner), f"{name}: who is {where}", tuple(singles))
    return [singles[words] for words in chosen]
