"""The game: its miniatures, its state, the rulings in force, and the notes of a battle."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias, TypeVar

from cardgen.rulesets.warniris.effect import Deeds
from cardgen.rulesets.warniris.referee.miniature import BoundEffect, Miniature, spare_reactions, starting_wounds
from cardgen.rulesets.warniris.rulebook import TABLE_DIAGONAL
from cardgen.rulesets.warniris.weapon_line import Profile
from cardgen.rulesets.warniris.words import Meaning

# Players measure to the nearest cm.
ROUNDING = 1
# No miniature fits between two that are so near to each other, in cm.
NO_ROOM = 1
# What players add to a distance: marks of the line, and the names of those in between.
Marks: TypeAlias = tuple[int | str, ...]


class Span(NamedTuple):
    """The least and the greatest distance that two miniatures can have, in cm."""

    low: int = 0
    high: int = TABLE_DIAGONAL

    def __str__(self) -> str:
        if self.high == TABLE_DIAGONAL:
            return f"at least {self.low} cm"
        return f"{self.low} to {self.high} cm" if self.low else f"at most {self.high} cm"

    def decides(self, limits: Iterable[int]) -> bool:
        """Whether every distance of the span is on the same side of each limit."""
        return not any(self.low <= limit < self.high for limit in limits)

    def widened(self, cm: int) -> Span:
        """The span after a Move of up to `cm`."""
        return Span(max(0, self.low - cm - ROUNDING), min(TABLE_DIAGONAL, self.high + cm + ROUNDING))

    def narrowed(self, low: int = 0, high: int = TABLE_DIAGONAL) -> Span:
        """The part of the span within these bounds; the bounds themselves where they contradict it."""
        part = Span(max(self.low, low), min(self.high, high))
        return part if part.low <= part.high else Span(low, high)


class SightLine(NamedTuple):
    """What is in the line between two miniatures; `between` is in order, from the one that looks."""

    is_hidden: bool = False
    is_gap: bool = False
    between: tuple[int, ...] = ()


class _Counted(Protocol):
    """A state with counters."""

    @property
    def counters(self) -> tuple[int, ...]: ...


S = TypeVar("S", bound=_Counted)


class TableNotes:
    """Distances and lines of sight that are still true, and the windows in which a side does not react.

    `mover` is who has just Moved, while enemies may still say that they react to it. `counters` are the latest Wounds
    and VP, for the scoreboard.
    """

    def __init__(self) -> None:
        self._spans: dict[frozenset[int], Span] = {}
        self._lines: dict[tuple[int, int], SightLine] = {}
        self._arrivals: dict[tuple[int, int], Marks] = {}
        self._declined: dict[int, str] = {}
        self.mover: int | None = None
        self.counters: tuple[int, ...] = ()

    def reset(self) -> None:
        """Forget everything."""
        self._spans.clear()
        self._lines.clear()
        self._arrivals.clear()
        self._declined.clear()
        self.mover, self.counters = None, ()

    def note_counters(self, state: S) -> S:
        """Note the counters of a state, and return it."""
        self.counters = state.counters
        return state

    def span(self, who: int, other: int) -> Span:
        """The distances that two miniatures can have."""
        return self._spans.get(frozenset((who, other)), Span())

    def set_span(self, who: int, other: int, span: Span) -> None:
        """Note the distance of two miniatures."""
        self._spans[frozenset((who, other))] = span

    def line(self, who: int, other: int) -> SightLine | None:
        """The line from one miniature to another, or None if it may have changed."""
        return self._lines.get((who, other))

    def set_line(self, who: int, other: int, line: SightLine) -> None:
        """Note a line, in both directions."""
        self._lines[who, other] = line
        self._lines[other, who] = line._replace(between=line.between[::-1])

    def expect_arrival(self, who: int, other: int, marks: Marks) -> None:
        """Note the marks of the line that there will be at the end of a free Move."""
        self._arrivals[who, other] = marks

    def take_arrival(self, who: int, other: int) -> Marks | None:
        """Return the marks that were expected at the end of a free Move, once."""
        return self._arrivals.pop((who, other), None)

    def move(self, who: int, cm: int) -> None:
        """Note a Move of up to `cm`. A miniature that moves may enter or leave any line that it can come near."""
        for pair, span in self._spans.items():
            if who in pair:
                self._spans[pair] = span.widened(cm)
        self._lines = {pair: line for pair, line in self._lines.items() if not self._may_touch(who, pair, line)}

    def _may_touch(self, who: int, pair: tuple[int, int], line: SightLine) -> bool:
        """Whether a miniature that moves may change a line: whoever is in between is nearer than the two ends are."""
        if who in pair or who in line.between:
            return True
        length = self.span(*pair).high
        return length > NO_ROOM and all(self.span(who, end).low <= length for end in pair)

    def forget(self, whom: Iterable[int]) -> None:
        """Forget where these miniatures are."""
        gone = set(whom)
        self._spans = {pair: span for pair, span in self._spans.items() if not pair & gone}
        self._lines = {pair: line for pair, line in self._lines.items() if not gone & {*pair, *line.between}}

    def decline(self, side: int, window: str) -> None:
        """Note that a side does not react until the end of an activation or a turn."""
        self._declined[side] = window

    def declines(self, side: int) -> bool:
        """Whether a side does not react now."""
        return side in self._declined

    def end_window(self, window: str) -> None:
        """Ask again whether sides react that declined until now."""
        ended = ("activation",) if window == "activation" else ("activation", "turn")
        self._declined = {side: until for side, until in self._declined.items() if until not in ended}


ACTIONS_PER_ACTIVATION = 2


@dataclass(frozen=True, eq=False)
class Game:
    """The fighters, the side of each (0 or 1), the rulings in force, and the policy for choices that are not asked.

    `is_interactive` is true where players decide and measure, as in a battle. Elsewhere, `distance` is that of the two
    at first, and `distance_between` that of the miniatures in between, in cm. In a battle, `notes` holds what players
    measured, and `mission_limits` the distances in cm at which missions differ.
    """

    # Section 6: Reaction. `own_reactions` asks for it, and so do races, which are made for 1.
    REACTIONS_PER_TURN: ClassVar[int] = 1

    miniatures: tuple[Miniature, ...]
    sides: tuple[int, ...]
    rulings: Mapping[str, str]
    policy: Mapping[str, str]
    is_interactive: bool = False
    distance: int | None = None
    distance_between: int | None = None
    logs_events: bool = False
    side_names: tuple[str, str] = ("the first side", "the second side")
    mission_limits: tuple[int, ...] = ()
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)
    notes: TableNotes = field(default_factory=TableNotes, repr=False)

    def __hash__(self) -> int:
        return id(self)

    def initial_state(self, wounds: Counters = ()) -> State:
        """The state before anything has happened; `wounds` stand for the printed ones where they are given."""
        full = starting_wounds(self.miniatures, self.sides)
        return State(
            Mode((MiniatureStatus(),) * len(full), distance=self.distance),
            (*(wounds or full), 0, 0, *self.most_reactions, *[1] * len(self.use_counters)),
        )

    @cached_property
    def use_counters(self) -> dict[tuple[int, int], int]:
        """The counter of each thing for once a battle, by fighter and source."""
        things = [
            (who, effect.source)
            for who, fighter in enumerate(self.miniatures)
            for effect in fighter.effects
            if effect.once is True
        ]
        return {thing: 2 * len(self.miniatures) + 2 + at for at, thing in enumerate(dict.fromkeys(things))}

    def vp_counter(self, side: int) -> int:
        """The counter of a side's victory points."""
        return len(self.miniatures) + side

    def standing(self, state: State) -> tuple[bool, ...]:
        """Who stands."""
        if len(self.miniatures) == 2:
            return (state.counters[0] > 0, state.counters[1] > 0)
        return tuple([count > 0 for count in state.counters[: len(self.miniatures)]])

    def reaction_counter(self, who: int) -> int:
        """The counter of a miniature's reactions left."""
        return len(self.miniatures) + 2 + who

    def name(self, who: int) -> str:
        """What a miniature is called."""
        return self.miniatures[who].name

    def enemies(self, state: State, who: int) -> tuple[int, ...]:
        """The enemy miniatures that stand."""
        mine = self.sides[who]
        return tuple(i for i, side in enumerate(self.sides) if side != mine and state.stands(i))

    def friends(self, state: State, who: int) -> tuple[int, ...]:
        """The other miniatures of one's own side that stand."""
        mine = self.sides[who]
        return tuple(i for i, side in enumerate(self.sides) if side == mine and i != who and state.stands(i))

    def is_defeated(self, state: State, side: int) -> bool:
        """True when nobody of a side stands."""
        return not any(state.stands(who) for who in self.members(side))

    def is_over(self, state: State) -> bool:
        """True when nobody of a side stands, unless it is a Horde, which is filled up again."""
        hordes = {side for who, side in enumerate(self.sides) if self.miniatures[who].is_minion}
        return any(self.is_defeated(state, side) for side in {0, 1} - hordes)

    def vp(self, state: State) -> tuple[int, int]:
        """The victory points of both sides."""
        return state.counters[self.vp_counter(0)], state.counters[self.vp_counter(1)]

    def winner(self, state: State) -> int | None:
        """Which side wins, or None for a draw (section 7; rulings `elimination`, `both-eliminated` and `vp-tie`)."""
        defeated = [self.is_defeated(state, side) for side in (0, 1)]
        if defeated[0] != defeated[1] and self.rulings["elimination"] == "wins":
            return defeated.index(False)
        if all(defeated) and self.rulings["both-eliminated"] == "draw":
            return None
        scores = self.vp(state)
        if scores[0] == scores[1] and self.rulings["vp-tie"] == "wounds":
            wounds = [sum(state.wounds(who) for who in self.members(side)) for side in (0, 1)]
            scores = wounds[0], wounds[1]
        return None if scores[0] == scores[1] else int(scores[1] > scores[0])

    def members(self, side: int) -> list[int]:
        """All miniatures of a side."""
        return [who for who, each in enumerate(self.sides) if each == side]

    def restore_reactions(self, state: State) -> State:
        """The state with every miniature's reaction to be had again, at the start of a turn."""
        for who, most in enumerate(self.most_reactions):
            counter = self.reaction_counter(who)
            state = state.change_counter(counter, most - state.counters[counter])
        return state

    def begin_next_turn(self, state: State) -> State:
        """The state in the next turn of a duel; turns are counted only if some effect asks for them."""
        return State(state.mode._replace(turn=state.mode.turn + 1), state.counters) if self.counts_turns else state

    def own_reactions(self, who: int) -> int:
        """How many reactions in a turn a miniature has without effects; Minions never react (section 8)."""
        return 0 if self.miniatures[who].is_minion else self.REACTIONS_PER_TURN

    @cached_property
    def most_reactions(self) -> tuple[int, ...]:
        """How many reactions in a turn each miniature has with all that effects may allow."""
        spare = spare_reactions(self.miniatures, self.sides)
        return tuple([self.own_reactions(who) + more for who, more in enumerate(spare)])

    @cached_property
    def tracks_moves(self) -> bool:
        """True when some effect asks whether its bearer has moved, or may do so."""
        return not self.is_declared or any(effect.condition.unmoved for effect in self.effects)

    @cached_property
    def counts_turns(self) -> bool:
        """True when some effect asks for the turn, or may do so."""
        return not self.is_declared or any(effect.condition.turns for effect in self.effects)

    @cached_property
    def counts_reactions(self) -> bool:
        """True when some effect asks for the second reaction in a turn, or may do so."""
        return not self.is_declared or any(effect.condition.reaction for effect in self.effects)

    @cached_property
    def is_declared(self) -> bool:
        """True when odds know what they depend on; else they take no fast path, and look at the whole state.

        Nobody knows what counters are for that are not those of `initial_state`, or other parts of a Mode.
        """
        named = 2 * len(self.miniatures) + 2 + len(self.use_counters)
        has_known_state = len(self.initial_state().counters) == named and Mode._fields == _MODE_FIELDS
        return has_known_state and all(each.is_declared for each in self.miniatures)

    @cached_property
    def effects(self) -> tuple[BoundEffect, ...]:
        """All effects of all miniatures."""
        return tuple(effect for miniature in self.miniatures for effect in miniature.effects)

    @cached_property
    def deeds(self) -> tuple[Deeds, ...]:
        """Everything that some effect does."""
        return tuple(deeds for effect in self.effects for _, deeds in effect.deeds)

    def has_trigger(self, who: int, trigger: str) -> bool:
        """True when some effect of a fighter starts at that moment, or may bear again at it."""
        fighter = self.miniatures[who]
        return trigger in fighter.triggered_effects or any(effect.during == trigger for effect in fighter.effects)

    @cached_property
    def wound_thresholds(self) -> tuple[tuple[int, int], ...]:
        """The wounds, of which fighters, that some effect asks not to exceed."""
        pairs = {
            (who, limit)
            for who, fighter in enumerate(self.miniatures)
            for effect in fighter.effects
            for limit in (effect.wound_limit, effect.condition.unhurt and fighter.wounds - 1)
            if limit
        }
        return tuple(sorted(pairs))

    def max_wound_threshold(self, who: int, *, is_hurt: bool = True) -> int:
        """The highest of one fighter, or 0; one that is not hurt looks at none that prevents a loss."""
        effects = [effect for effect in self.miniatures[who].effects if is_hurt or not effect.prevents_loss]
        if any(effect.condition.unhurt for effect in effects):
            return self.miniatures[who].wounds
        return max((effect.wound_limit or 0 for effect in effects), default=0)

    @cached_property
    def asks_wounds(self) -> bool:
        """True when numbers may depend on more in the counters than who stands."""
        return bool(self.wound_thresholds) or not self.is_declared

    def wound_key(self, state: State) -> tuple[int, ...]:
        """Everything that numbers may depend on in the counters: who stands, and which thresholds are met."""
        counters = state.counters
        if not self.is_declared:
            return counters
        return (*self.standing(state), *[counters[who] <= wounds for who, wounds in self.wound_thresholds])

    @cached_property
    def lends_weapons(self) -> bool:
        """True when some effect lends a weapon."""
        return any(deeds.weapon for deeds in self.deeds)

    @cached_property
    def lent_weapons(self) -> tuple[dict[str, Profile], ...]:
        """For each miniature, the weapons that effects may lend, by name; those of its own effects come first."""
        lent = [
            {deeds.weapon.name: deeds.weapon for effect in each.effects for _, deeds in effect.deeds if deeds.weapon}
            for each in self.miniatures
        ]
        return tuple(dict(ChainMap(own, *lent)) for own in lent)

    @cached_property
    def has_fixed_weapons(self) -> bool:
        """True when no effect lends weapons or changes how far they reach, so that distance alone decides."""
        changing = Meaning.AIM | Meaning.STRIDE if self.distance else Meaning.AIM
        return self.is_declared and not any(effect.meaning & changing for effect in self.effects)

    @cached_property
    def has_rerolls(self) -> bool:
        """True when some effect re-rolls dice."""
        return any(deeds.reroll for deeds in self.deeds)

    @cached_property
    def freedoms(self) -> frozenset[str]:
        """The keys of effects in play, of which some lift a rule or set one."""
        return frozenset(key for deeds in self.deeds for key in deeds.keys)

    @cached_property
    def triggers(self) -> frozenset[str]:
        """All moments at which some effect starts, or bears again."""
        triggers = {moment for fighter in self.miniatures for moment in fighter.triggered_effects}
        return frozenset(triggers | {effect.during for effect in self.effects if effect.during})


class MiniatureStatus(NamedTuple):
    """The sources of effects that a miniature has used for this turn, and whether it has acted.

    `moved` is 'activation' or 'turn' after a Move in the activation that goes on, or earlier in this turn.
    """

    used_sources: tuple[int, ...] = ()
    has_acted: bool = False
    moved: str = ""


class ActiveEffect(NamedTuple):
    """An effect in force: whose it is, its number, on whom it is, and until the end of what."""

    owner: int
    effect_number: int
    affected: tuple[tuple[str, tuple[int, ...]], ...]
    until: str

    def at_activation(self, who: int) -> Iterator[ActiveEffect]:
        """Yield what is left of it at the start of an activation, apart for those whose activation ends it."""
        if self.until != "own-activation":
            if (self.owner, self.until) != (who, "next-activation"):
                yield self
        elif not self.affected:
            yield self._replace(until="activation") if who == self.owner else self
        else:
            for until, is_own in ((self.until, False), ("activation", True)):
                affected = tuple(
                    (party, tuple(each for each in members if (each == who) == is_own))
                    for party, members in self.affected
                )
                if any(members for _, members in affected):
                    yield self._replace(affected=affected, until=until)


class PendingReaction(NamedTuple):
    """A reaction that waits for its point of the action.

    The points are 'way', 'hit', 'resist', and, when its timing failed, 'end'.
    `distance`, `gap`, and `between` are those at its timing; where players measure, they do so again at its point.
    """

    reactor: int
    weapon: str
    point: str
    distance: int | None = None
    gap: bool = False
    between: tuple[int, ...] = ()
    is_second: bool = False


class Mode(NamedTuple):
    """Everything in a state except its counters.

    `turn` is kept in a battle, and in a duel if some effect asks for it; it is 0 where it is unknown. `events`, what
    was done so far, are kept only in a battle; `distance` is that of the two in a duel, `actor` is the enemy whose act
    is the moment, and `face` that of a die with several results.
    """

    statuses: tuple[MiniatureStatus, ...]
    active_effects: tuple[ActiveEffect, ...] = ()
    pending_reactions: tuple[PendingReaction, ...] = ()
    turn: int = 0
    events: tuple[Any, ...] = ()
    distance: int | None = None
    actor: int | None = None
    face: int = 0


_MODE_FIELDS = (*("statuses", "active_effects", "pending_reactions", "turn", "events", "distance", "actor", "face"),)
# What lasts until the end of the next turn lasts until the end of the turn when that begins.
_SHORTER = {"next-turn": "turn"}
WINDOWS = ("attack", "move", "action", "activation", "turn", "battle")
# Of each miniature: Wounds; of each side: VP; reactions left in this turn, and uses left of things for once (1 or 0).
Counters: TypeAlias = tuple[int, ...]


class State(NamedTuple):
    """The whole of a game between its procedures."""

    mode: Mode
    counters: Counters

    def wounds(self, who: int) -> int:
        """Wounds left."""
        return self.counters[who]

    def stands(self, who: int) -> bool:
        """True while a miniature is not eliminated."""
        return self.counters[who] > 0

    def change_counter(self, counter: int, change: int) -> State:
        """The state with one counter changed."""
        if not change:
            return self
        counters = self.counters
        return State(self.mode, (*counters[:counter], counters[counter] + change, *counters[counter + 1 :]))

    def set_status(self, who: int, status: MiniatureStatus) -> State:
        """The state with other marks beside one card."""
        statuses = self.mode.statuses
        if status == statuses[who]:
            return self
        return State(self.mode._replace(statuses=(*statuses[:who], status, *statuses[who + 1 :])), self.counters)

    def add_events(self, *events: Any) -> State:
        """The state with more events on record."""
        return State(self.mode._replace(events=(*self.mode.events, *events)), self.counters)

    def add_effects(self, *effects: ActiveEffect) -> State:
        """The state with more effects in force, in an order that does not depend on when they started."""
        return State(
            self.mode._replace(active_effects=tuple(sorted((*self.mode.active_effects, *effects)))), self.counters
        )

    def end_window(self, window: str) -> State:
        """The state after the end of a window, such as an attack or a turn: what lasted until then is over."""
        active_effects = self.mode.active_effects
        if not active_effects:
            return self
        ended = WINDOWS[: WINDOWS.index(window) + 1]
        kept = tuple(each for each in active_effects if each.until not in ended)
        if window == "turn":
            kept = tuple(sorted(each._replace(until=_SHORTER.get(each.until, each.until)) for each in kept))
        return State(self.mode._replace(active_effects=kept), self.counters)

    def begin_activation(self, who: int) -> State:
        """The state at the start of an activation: what lasted until then is over."""
        active_effects = self.mode.active_effects
        kept = tuple(sorted(each for active in active_effects for each in active.at_activation(who)))
        return self if kept == active_effects else State(self.mode._replace(active_effects=kept), self.counters)

    def at_distance(self, distance: int) -> State:
        """The state with another distance between the two of a duel, in cm."""
        return State(self.mode._replace(distance=distance), self.counters)

    def with_face(self, face: int) -> State:
        """The state with the face of a die with several results, or with 0 after them."""
        return self if face == self.mode.face else State(self.mode._replace(face=face), self.counters)

    def with_actor(self, who: int | None) -> State:
        """The state at a moment of an enemy, or after it."""
        return State(self.mode._replace(actor=who), self.counters)

    def nested_in(self, outer: State) -> State:
        """The state after an attack within another action, of which nothing is over."""
        lasting = (each for each in self.mode.active_effects if each.until not in WINDOWS[:2])
        interrupted = [each for each in outer.mode.active_effects if each.until in WINDOWS[:2]]
        active_effects = tuple(sorted((*lasting, *interrupted)))
        if active_effects == self.mode.active_effects:
            return self
        return State(self.mode._replace(active_effects=active_effects), self.counters)

    def set_pending(self, *pending: PendingReaction) -> State:
        """The state with these reactions waiting, and no others."""
        if pending == self.mode.pending_reactions:
            return self
        return State(self.mode._replace(pending_reactions=pending), self.counters)
