"""Missions (section 12): secret hands, scored from the record of the battle and from what players report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import Log, Procedure, Roll, SecretLog, Selection
from cardgen.rulesets.warniris.cards import REPORTED_EVENTS, RULED_TYPE, Earn, Mission
from cardgen.rulesets.warniris.referee.conditions import LogEvent, is_within, opponent_kind
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.wording.effects import goal_sentence

HAND_SIZE = 3


def objective_in_force(mission: Mission) -> Mission:
    """Return a mission with the objective of its text if it has none of its own, and its text was read exactly."""
    if mission.earn or not mission.text:
        return mission
    # loaded here because it is not small, and few missions need it
    from cardgen.rulesets.warniris.wording.reader import objective_of_text

    return mission.model_copy(update={"earn": objective_of_text(mission)})


class MissionHands:
    """The secret hands of both sides, and how often each mission has scored."""

    def __init__(self, cards: tuple[Mission, ...], sides: tuple[str, str]) -> None:
        self._cards, self._sides = cards, sides
        self._hands: tuple[list[Mission], list[Mission]] = ([], [])
        self._scored: dict[tuple[int, str], int] = {}

    def reset(self) -> None:
        """Take all cards back."""
        self._hands, self._scored = ([], []), {}

    def draw(self, game: Game) -> Procedure[None]:
        """Draw three cards for each side, unseen (section 5).

        A hidden die stands for the place of a card in what is left of the deck.
        """
        left = list(self._cards)
        for side, hand in enumerate(self._hands):
            who = self._sides[side]
            for count in range(min(HAND_SIZE, len(left))):
                key = f"mission {side + 1}.{count + 1}"
                place = yield Roll(key, who, "draws a Mission", len(left), is_hidden=True)
                hand.append(left.pop(place - 1))
            hand.sort(key=lambda card: (card.number or 0, card.name))
            for card in hand:
                yield SecretLog(who, f"{_card_label(card)}, {card.vp} VP: {_goal_text(game, card)}")
            yield Log("{} draws {} Missions, unseen", (who, len(hand)))

    def show(self) -> Procedure[None]:
        """Show both hands at the end of the battle."""
        for who, hand in zip(self._sides, self._hands, strict=True):
            yield Log("{} held {}", (who, "; ".join(map(_card_label, hand)) or "no Missions"))

    def score(self, game: Game, state: State, window: str) -> Procedure[State]:
        """Score what was earned by the end of an activation, a turn or the battle (section 6: End of activation)."""
        if window == "turn":
            state = yield from take_reports(game, state, self._sides, reports_of(game, self._open_missions(game)))
        for side in (0, 1):
            for card in self._hands[side]:
                times = _times_scored(game, state, side, card, window)
                state = yield from self._credit(game, state, side, card, times)
        return state

    def _credit(self, game: Game, state: State, side: int, card: Mission, times: int) -> Procedure[State]:
        """Score a mission, at most a given number of times in all (ruling `mission-once`)."""
        if game.rulings["mission-once"] == "once":
            times = min(times, 1)
        scored = self._scored.get((side, card.id), 0)
        if times <= scored:
            return state
        self._scored[side, card.id] = times
        points = card.vp * (times - scored)
        yield Log("{} scores {}: {} VP", (self._sides[side], card.name, points))
        return game.notes.note_counters(state.change_counter(game.vp_counter(side), points))

    def _open_missions(self, game: Game) -> list[Mission]:
        """The missions of the deck that may still score, as far as everybody can know."""
        if game.rulings["mission-once"] != "once":
            return list(self._cards)
        ids = [card.id for card in self._cards]
        return [
            card for card in self._cards if sum((side, card.id) in self._scored for side in (0, 1)) < ids.count(card.id)
        ]


def _times_scored(game: Game, state: State, side: int, card: Mission, window: str) -> int:
    """How often a mission was fulfilled by now; one without `earn`, as often as the players have reported it."""
    if card.earn is not None:
        return times_earned(game, state, side, card.earn, window)
    reported = [each for each in state.mode.events if each.kind == TEXT_EVENT and game.sides[each.actor] == side]
    return sum(_goal_text(game, card) in event.reports for event in reported)


def _card_label(card: Mission) -> str:
    """Return 'Mission 4, Shield Wall'."""
    return f"Mission {card.number}, {card.name}" if card.number else card.name


def _goal_text(game: Game, card: Mission) -> str:
    return card.text or (ruled_sentence(game, card.earn) if card.earn else card.name)


RULED_WEAPONS = {"any": ("CW", "RW"), "cw": ("CW",), "rw": ("RW",)}
CONTROL_CHECKS = {"turn-end": "at the end of the turn", "throughout": "from the beginning to the end of the turn"}


def times_earned(game: Game, state: State, side: int, goal: Earn, window: str) -> int:
    """How often a side has done by now what a mission asks for; `window` is what has just ended."""
    if goal.event == "survive":
        if window != goal.within:
            return 0
        mine = [
            state.stands(who)
            for who, each in enumerate(game.sides)
            if each == side and goal.of in ("enemy", opponent_kind(game, who))
        ]
        return int(sum(mine) >= goal.count and (all(mine) or not goal.everyone))
    events = _earning_events(game, state, side, goal)
    if goal.turns == 1:
        return _times_in(game, events, goal)
    turns = {event.turn for event in events}
    earned = {turn for turn in turns if _times_in(game, [each for each in events if each.turn == turn], goal)}
    # How many runs of a number of consecutive turns there are; no turn belongs to two.
    runs = run = 0
    for turn in range(1, max(earned, default=0) + 1):
        run = run + 1 if turn in earned else 0
        if run == goal.turns:
            runs, run = runs + 1, 0
    return runs


def matching_events(game: Game, state: State, side: int, goal: Earn) -> list[tuple[int, LogEvent]]:
    """The events of a side that a mission speaks of, whatever players must report about them, with their numbers."""
    record = state.mode.events
    return [
        (number, event)
        for number, event in enumerate(record)
        if _matches_goal(game, side, goal, event)
        and (event.reaction or not goal.reaction)
        and not (goal.rescue and not _is_rescue(game, record, number))
        and not (goal.attackers > 1 and _count_attackers(game, state, side, event, goal) < goal.attackers)
        and not (goal.then and not moves_later(record, number))
    ]


def distance_limits(goal: Earn) -> tuple[int, ...]:
    """Return the distances in cm between two miniatures at which an objective differs."""
    limits = () if goal.event == "control" else (goal.range_over, goal.range_within)
    return tuple(limit for limit in limits if limit is not None)


def moves_later(record: Sequence[LogEvent], number: int) -> bool:
    """Whether the actor of an event Moves after it in the same turn."""
    event = record[number]
    return any(each.kind == "move" and (each.actor, each.turn) == event[1::4] for each in record[number + 1 :])


def reported_part(goal: Earn) -> Earn:
    """Return what players report of an objective: one event of it."""
    by = "warband" if goal.event == "control" else "one"
    one = {"count": 1, "different": False, "turns": 1, "first": False, "attackers": 1, "by": by, "within": "battle"}
    return goal.model_copy(update=one)


def report_words(game: Game, goal: Earn) -> str:
    """Return the words by which players report it; an event that was reported keeps them.

    The ruling `mission-2-check` decides how long a side must control the center.
    """
    words = ruled_sentence(game, reported_part(goal)).removesuffix(".")
    if goal.event == "control" and goal.within == "turn":
        return f"{words}, {CONTROL_CHECKS[game.rulings['mission-2-check']]}"
    return words


def ruled_sentence(game: Game, goal: Earn) -> str:
    """Return the sentence of an objective with the weapons that the ruling `mission-14-type` allows."""
    types = RULED_WEAPONS[game.rulings["mission-14-type"]] if goal.weapon == RULED_TYPE else ()
    return goal_sentence(goal, types)


def _earning_events(game: Game, state: State, side: int, goal: Earn) -> list[LogEvent]:
    """The events that count, as far as the players have reported what the record cannot tell."""
    words = report_words(game, goal) if goal.is_reported else ""
    mine, theirs = (
        [each for each in matching_events(game, state, who, goal) if not words or words in each[1].reports]
        for who in (side, 1 - side)
    )
    if goal.first:
        mine = [] if theirs and (not mine or theirs[0][0] < mine[0][0]) else mine[:1]
    if goal.event == "control" and game.rulings["mission-2-contested"] == "contested":
        contested = {event.turn for _, event in theirs}
        mine = [each for each in mine if each[1].turn not in contested]
    return [event for _, event in mine]


def _times_in(game: Game, events: Iterable[LogEvent], goal: Earn) -> int:
    """How often a number of events happen within one Move, one turn, or the battle, by one Character or by all.

    The ruling `mission-scope` may narrow it to one Character.
    """
    alone = goal.by == "one" or (game.rulings["mission-scope"] == "one" and goal.attackers == 1)
    groups: dict[Any, list[LogEvent]] = {}
    for event in events:
        span = {"move": (event.turn, event.move), "turn": event.turn, "battle": 0}[goal.within]
        groups.setdefault((span, event.actor if alone else None), []).append(event)
    return sum(_count_events(group, goal) // goal.count for group in groups.values())


def _count_events(events: list[LogEvent], goal: Earn) -> int:
    return len({event.subject for event in events}) if goal.different else len(events)


def _matches_goal(game: Game, side: int, goal: Earn, event: LogEvent) -> bool:
    """Whether an event is one that a mission speaks of (rulings `channel-is-attack` and `mission-scope`)."""
    if event.kind != goal.event or game.sides[event.actor] != side:
        return False
    if event.subject is None:
        return goal.of != "minion"
    if game.sides[event.subject] == side or (goal.of != "enemy" and opponent_kind(game, event.subject) != goal.of):
        return False
    counted = event._replace(reaction=event.reaction and not goal.reaction)
    if goal.event in ("attack", "resist") and not _is_attack(game, counted, may_channel=bool(goal.weapon)):
        return False
    return _matches_weapon(game, goal, event) and _matches_distance(game, goal, event.distance or 0)


def _is_attack(game: Game, event: LogEvent, *, may_channel: bool = False) -> bool:
    """Whether an event counts as an Attack (rulings `channel-is-attack` and `reaction-counts`)."""
    if event.weapon == "P" and not may_channel and game.rulings["channel-is-attack"] == "apart":
        return False
    return not (event.reaction and game.rulings["reaction-counts"] == "apart")


def _matches_weapon(game: Game, goal: Earn, event: LogEvent) -> bool:
    """Whether the type of the weapon fits (ruling `mission-14-type`)."""
    if goal.weapon == RULED_TYPE:
        return event.weapon in RULED_WEAPONS[game.rulings["mission-14-type"]]
    return goal.weapon in (None, event.weapon)


def _matches_distance(game: Game, goal: Earn, distance: int) -> bool:
    """Whether a distance fits: over is strictly more, within includes the limit (ruling `distance`)."""
    if goal.range_over is not None and is_within(game, distance, goal.range_over):
        return False
    return goal.range_within is None or is_within(game, distance, goal.range_within)


def _is_rescue(game: Game, record: Sequence[LogEvent], number: int) -> bool:
    """Whether an enemy is stopped in its Attack on another one, by a reaction.

    It is stopped if it falls after it has chosen its target, before its Attack is done. An Attack that miniatures in
    between divert is one on them from there on.
    """
    event = record[number]
    deeds = [each for each in record[:number] if each.actor == event.subject and each.kind in ("aim", "hit", "done")]
    actions = [at for at, each in enumerate(deeds) if each.kind in ("aim", "done")]
    if not (event.reaction and actions and deeds[actions[-1]].kind == "aim" and _is_attack(game, deeds[-1])):
        return False
    target = deeds[-1].subject
    return target not in (None, event.actor) and game.sides[target] == game.sides[event.actor]


def _count_attackers(game: Game, state: State, side: int, event: LogEvent, goal: Earn) -> int:
    """How many of a side attacked the one to whom it was done, in the same turn or in the whole battle."""
    attacks = (
        each
        for each in state.mode.events
        if each.kind == "attack" and each.subject == event.subject and game.sides[each.actor] == side
    )
    return len(
        {
            each.actor
            for each in attacks
            if (goal.within == "battle" or each.turn == event.turn) and _is_attack(game, each)
        }
    )


QUESTION = "which of these happened in this turn, whoever may hold the Mission"
TEXT_EVENT = "text"
# An event with its number in the record, or without one if it is new.
NumberedEvent: TypeAlias = tuple[int | None, LogEvent]


class Report(NamedTuple):
    """Something that players may report: a part of an objective, or None for the text of a mission without one.

    `asks_who` is true if it matters who did it.
    """

    goal: Earn | None
    asks_who: bool = False


def reports_of(game: Game, missions: Iterable[Mission]) -> dict[str, Report]:
    """Return the reports that may score one of these missions, by their words; equal ones are merged."""
    reports: dict[str, Report] = {}
    for mission in missions:
        goal = mission.earn
        if goal is None:
            reports[mission.text or mission.name] = Report(None)
        elif goal.is_reported:
            words = report_words(game, goal)
            asks_who = goal.count > 1 or (words in reports and reports[words].asks_who)
            reports[words] = Report(reported_part(goal), asks_who)
    return reports


def take_reports(game: Game, state: State, sides: tuple[str, str], reports: Mapping[str, Report]) -> Procedure[State]:
    """Ask both players at once what has happened in a turn; refuse what the record contradicts."""
    options = {f"{who}: {words}": (side, words) for side, who in enumerate(sides) for words in reports}
    for chosen in (yield Selection("report", "both players", QUESTION, tuple(options))):
        side, words = options[chosen]
        state = yield from _take_report(game, state, side, sides[side], words, reports[words])
    return state


def _take_report(game: Game, state: State, side: int, who: str, words: str, report: Report) -> Procedure[State]:
    possible = possible_events(game, state, side, report.goal)
    if not possible:
        yield Log("refused: {}", (_contradiction(game, who, report.goal),))
        return state
    by_label = _by_label(game, possible)
    labels: tuple[str, ...] = tuple(by_label)[:1]
    if report.asks_who and len(by_label) > 1:
        labels = yield Selection("who", who, f"who was it ({words})", tuple(by_label), bounds=(1, len(by_label)))
    for number, event in map(by_label.__getitem__, labels):
        state = _record(state, number, event._replace(reports=(*event.reports, words)))
    return state


def _record(state: State, number: int | None, event: LogEvent) -> State:
    """The state with a new event, or with a reported one in place of an earlier one."""
    if number is None:
        return state.add_events(event)
    events = state.mode.events
    return State(state.mode._replace(events=(*events[:number], event, *events[number + 1 :])), state.counters)


def _by_label(game: Game, events: Iterable[NumberedEvent]) -> dict[str, NumberedEvent]:
    """Return the events by who did them to whom; those that are alike by how many there were."""
    by_label: dict[str, NumberedEvent] = {}
    for number, event in events:
        at = "" if event.subject is None else f" at {game.name(event.subject)}"
        label = f"{game.name(event.actor)}{at}"
        count = sum(each == label or each.startswith(f"{label}, number ") for each in by_label)
        by_label[f"{label}, number {count + 1}" if count else label] = (number, event)
    return by_label


def possible_events(game: Game, state: State, side: int, goal: Earn | None) -> list[NumberedEvent]:
    """What a report may mean in this turn: events on record with their numbers, and new ones without."""
    turn = state.mode.turn
    if goal is not None and goal.event not in REPORTED_EVENTS:
        return [each for each in matching_events(game, state, side, goal) if each[1].turn == turn]
    kind = goal.event if goal else TEXT_EVENT
    actors = _possible_actors(game, state, side, kind)
    return [(None, LogEvent(kind, who, None, "", None, turn)) for who in actors]


def _possible_actors(game: Game, state: State, side: int, kind: str) -> list[int]:
    """Who of a side may have done in this turn what players report."""
    mine = [who for who, each in enumerate(game.sides) if each == side]
    if kind == TEXT_EVENT:
        return mine[:1]
    if kind == "control":
        return [who for who in mine if state.stands(who)][:1]
    moved = {event.actor for event in _events_of_turn(state, "move")}
    hit = {event.subject for event in _events_of_turn(state, "hit")}
    unhurt = [who for who in mine if kind != "retreat" or (who not in hit and state.stands(who))]
    return [who for who in unhurt if who in moved]


def _events_of_turn(state: State, kind: str) -> list[LogEvent]:
    return [event for event in state.mode.events if event.kind == kind and event.turn == state.mode.turn]


def _contradiction(game: Game, who: str, goal: Earn | None) -> str:
    """Return why the record contradicts a report."""
    event = goal.event if goal else TEXT_EVENT
    if goal is None or event == "control":
        return f"{who} has no Character left"
    if event in REPORTED_EVENTS:
        return f"no Character of {who} has Moved in this turn{' without being hit' if event == 'retreat' else ''}"
    deed = ruled_sentence(game, goal.model_copy(update={"origin": None})).removesuffix(".")
    return f"not on record for {who} in this turn: {deed[0].lower()}{deed[1:]}"
