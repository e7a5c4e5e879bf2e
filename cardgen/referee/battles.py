"""Battles: sides, zones, the order of cards, and conditions of victory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from cardgen.diagnostic import join_words
from cardgen.referee.battlefield import RESERVE, Battlefield, StackField, StackModel, deploy, form_zones
from cardgen.referee.die import Die
from cardgen.referee.parameters import numbered_names
from cardgen.referee.requests import (
    LiveScoreboard,
    Log,
    Measurement,
    Procedure,
    Roll,
    choose,
    confirm,
    in_scope,
    roll_off,
    select,
)
from cardgen.referee.rounds import (
    DeckCard,
    Player,
    RoundsResult,
    assign_order,
    choose_unseen,
    deal,
    deal_secret,
    eliminate,
    pick_in_turn,
    play_rounds,
    roll_initiative,
)
from cardgen.referee.trial import CardData, OddsTable, PreparedTrial, label_table

ATTACKER, DEFENDER, EITHER, NEITHER = "attacker", "defender", "either", "neither"
# Conditions that count after the last turn only.
LAST = ("hold", "survive", "more-out")


class BattleResult(NamedTuple):
    """The winner (0, 1, or None) and why, the turns of each side, and the models lost by each side."""

    winner: int | None
    reason: str
    turns: int
    lost: tuple[int, int]


def play_turns(field: Battlefield[Any], play_turn: Callable[[], Procedure[None]]) -> Procedure[BattleResult]:
    """Play the turns of both sides by turns, until one side wins or the turns are over."""
    yield LiveScoreboard(field.scoreboard)
    order, begins = (ATTACKER, DEFENDER), field.scenario.get("first")
    first = order.index(begins) if begins in order else (yield from roll_off(field.sides, "who begins"))
    winner = None
    for number in range(2 * field.turns):
        field.side, field.turn = (first + number) % 2, number // 2 + 1
        yield Log("Turn {} of {}", (field.turn, field.sides[field.side]))
        name = f"turn {field.turn} of {field.sides[field.side]}"
        yield from in_scope(name, play_turn())
        winner = yield from in_scope(name, winner_now(field, is_last=number == 2 * field.turns - 1))
        if winner:
            break
    side, reason = winner or (None, "turn limit")
    lost = [sum(each.is_lost for each in field.models if each.side == who) for who in (0, 1)]
    return BattleResult(side, reason, field.turn, (lost[0], lost[1]))


def winner_now(field: Battlefield[Any], *, is_last: bool) -> Procedure[tuple[int, str] | None]:
    """Return the side that has won after a turn and why, or None."""
    if field.loser is not None:
        return 1 - field.loser, "rout"
    for side in (0, 1):
        if all(each.is_lost for each in field.models if each.side != side):
            return side, "wiped out"
    for condition in field.conditions:
        if condition["when"] not in LAST or is_last:
            side_now = yield from _who_meets(field, condition)
            if side_now is not None:
                return side_now, condition["when"]
    return None


def _who_meets(field: Battlefield[Any], condition: Mapping[str, Any]) -> Procedure[int | None]:
    """Return the only side that meets a condition."""
    sides = [side for side, name in enumerate((ATTACKER, DEFENDER)) if condition["side"] in (name, EITHER)]
    when, mark = condition["when"], condition.get("mark", "")
    if when == "hold":
        options: dict[str, int | None] = {NEITHER: None, **{field.sides[side]: side for side in sides}}
        return (yield from choose("hold", "", f"most fit models near marker {mark}", options))
    if when == "destroy" and field.side in sides:
        name = field.sides[field.side]
        if (yield from confirm("destroy", name, f"{name} has destroyed marker {mark} in this turn")):
            field.count_mark(field.side, mark)
    met = [side for side in sides if _count(field, side, condition) >= condition.get("count", 1)]
    return met[0] if len(met) == 1 else None


def _count(field: Battlefield[Any], side: int, condition: Mapping[str, Any]) -> int:
    """Return how often a side has done what a condition counts."""
    own, enemies = ([each for each in field.models if each.side == who] for who in (side, 1 - side))
    match condition["when"]:
        case "wiped-out":
            return 0
        case "leader-out":
            return sum(each.is_leader and each.is_lost for each in enemies)
        case "reach-edge":
            return sum(each.exit == condition.get("edge") for each in own)
        case "survive":
            return sum(each.is_fit for each in own)
        case "more-out":
            lost = [sum(each.points for each in models if each.is_lost) for models in (own, enemies)]
            return int(lost[1] > lost[0])
    return field.marks.get((side, condition.get("mark", "")), 0)


def outcome_lines(names: Sequence[str], end: BattleResult) -> tuple[str, ...]:
    """Return the result of a battle in sentences."""
    winner = "a draw" if end.winner is None else f"{names[end.winner]} wins"
    lost = ", ".join(f"{name} {count}" for name, count in zip(names, end.lost, strict=True))
    return (f"{winner} in turn {end.turns}: {end.reason}", f"out of action: {lost}")


S = TypeVar("S", bound=StackModel)
# The scenario cards from which the last player chooses.
CHOICE = 2


@dataclass(frozen=True, slots=True)
class FieldDecks:
    """The cards of a set-up, as plain data, and how many of them are dealt."""

    scenarios: Sequence[CardData]
    zones: Sequence[CardData]
    terrain: Sequence[CardData]
    zone_count: int
    terrain_count: int


def cards_of(data: Sequence[CardData], *told: str) -> list[DeckCard]:
    """Return the cards of a deck; `told` are the fields that players are told about."""
    return [DeckCard(each["name"], each, told) for each in data]


class FieldRules(NamedTuple):
    """What a game does in the set-up.

    `terrain_of` makes a piece of terrain of its card. Compulsory models must be deployed if there is room. `fits` says
    whether a player can have some zone cards. With `all_again`, all players roll for initiative again after a tie.
    """

    terrain_of: Callable[[CardData], Any]
    is_compulsory: Callable[[Any], bool]
    fits: Callable[[Player[DeckCard], Sequence[DeckCard]], bool] = lambda player, cards: True
    all_again: bool = False


def set_up_field(table: StackField[S], decks: FieldDecks, bonuses: Sequence[int], rules: FieldRules) -> Procedure[None]:
    """Set up a battle: the winner of the initiative roll decides the order, the last player begins everything else."""
    winner = yield from roll_initiative(table.sides, bonuses, all_again=rules.all_again)
    table.order = yield from assign_order(table.players, table.sides[winner])
    backward = table.order[::-1]
    yield from _deal_scenarios(table, cards_of(decks.scenarios, "ability"))
    zones = yield from deal(cards_of(decks.zones, "ability"), decks.zone_count, "zone card")
    taken = yield from pick_in_turn(backward, zones, "zone card", "deployment card", rules.fits)
    terrain = yield from deal(cards_of(decks.terrain, "ability"), decks.terrain_count, "terrain")
    for cards in (yield from pick_in_turn(backward, terrain, "terrain", "terrain to place")):
        table.terrain += [rules.terrain_of(each.data) for each in cards]
    for player in backward:
        yield from _deploy(table, player, taken[player.index], rules)


def _deal_scenarios(table: StackField[S], deck: list[DeckCard]) -> Procedure[None]:
    """Let the last player choose the scenario of all players, unseen until then, and deal each a secret objective."""
    last = table.order[-1]
    if len(deck) <= (players := len(table.order)):
        yield Log(
            "{} players need {} scenario cards, not {}: nobody has an objective", (players, players + 1, len(deck))
        )
        return
    few = yield from deal(deck, CHOICE, "scenario", last.name, is_hidden=True)
    active = yield from choose_unseen("scenario", last.name, "active scenario", few)
    yield Log("active scenario: {}", (active,))
    table.shared = [active]
    deck += [each for each in few if each is not active]
    for player in table.order:
        yield from deal_secret(deck, player, "objective", "secret objective: {0.name}: {0.data[objective]}")


def _deploy(
    table: StackField[S], player: Player[DeckCard], cards: list[DeckCard], rules: FieldRules
) -> Procedure[None]:
    """Deploy the models of a player in zones; some lie on others, or overlap terrain."""
    if not rules.fits(player, cards):
        yield Log("{} does not fit its deployment cards", (player.name,))
    zones = {" and ".join(each.name for each in zone): zone for zone in (yield from form_zones(player.name, cards))}
    table.zones[player.index] = zones
    sizes = [(name, sum(each.data["value"] for each in zone)) for name, zone in zones.items()]
    yield from deploy(table, player, sizes, rules.is_compulsory)
    yield from lay_deployed(table, player)


def lay_deployed(table: StackField[S], player: Player[Any]) -> Procedure[None]:
    """Ask which deployed models of a player lie on others of theirs, or overlap terrain, and on what."""
    own = table.of_player(player)
    for each in (yield from select("stacked", player.name, "those that lie on others, or overlap terrain", own)):
        yield from table.lay(each, own)


def play_field(
    table: StackField[S], rounds: int, phases: Mapping[str, Callable[[], Procedure[None]]], *, shares: bool = False
) -> Procedure[RoundsResult]:
    """Play the phases of each round, and score; with `shares`, each player scores the scenario of all, too."""
    table.is_deployed = True

    def play_round(number: int) -> Procedure[None]:
        table.turn = number
        # Models can be lost in the set-up, as by terrain.
        yield from eliminate(table.order, lambda player: bool(table.of_player(player)))
        for player in table.active:
            own = (str(each) for each in table.models if each.side == player.index and not each.is_lost)
            yield Log("{}: {}", (player.name, ", ".join(own)))
        for name, phase in phases.items():
            yield from in_scope(name, phase())

    def count_lost(side: int) -> int:
        return sum(each.is_lost for each in table.models if each.side == side)

    score = partial(_score, table, table.shared if shares else [])
    return (yield from play_rounds(table.order, rounds, play_round, score, count_lost))


def _score(table: StackField[S], shared: Sequence[DeckCard]) -> Procedure[dict[int, int]]:
    """Make casualties of the reserves, and ask for the points of all objectives, which are shown now."""
    yield from table.remove([each for each in table.models if each.place == RESERVE])
    points: dict[int, int] = {}
    for player in table.active:
        for card in (*player.secrets, *shared):
            what = f"points for {card.name}: {card.data['objective']}"
            scored = yield Measurement("points", player.name, what, 0, card.data["points"])
            points[player.index] = points.get(player.index, 0) + scored
    return points


def strategy_order(
    strategies: Sequence[str],
    beats: Mapping[str, str],
    last: str,
    *,
    is_compared: bool = False,
    has_ring: bool = False,
    is_first_last: bool = False,
) -> tuple[int, ...]:
    """Return the players in the order in which their cards are resolved; `beats` is what each strategy comes before.

    With `is_compared`, cards after that of the first player are compared with each other, too. With `has_ring`, three
    different cards are compared with the first of them, and otherwise stay in initiative order. With `is_first_last`,
    that of the first player comes after other cards of the strategy `last`, too.
    """
    quick = [who for who, strategy in enumerate(strategies) if strategy != last]
    slow = [who for who, strategy in enumerate(strategies) if strategy == last]
    if slow[:1] != [0]:
        return (*_around(quick, strategies, beats, is_compared=is_compared), *slow)
    if is_first_last:
        slow = [*slow[1:], 0]
    if not is_ring([strategies[who] for who in quick], beats):
        return (*_compared(quick, strategies, beats), *slow)
    return (*(_around(quick, strategies, beats, is_compared=True) if has_ring else quick), *slow)


def is_ring(strategies: Sequence[str], beats: Mapping[str, str]) -> bool:
    """Return whether no card comes before all others, because all strategies are there."""
    return set(beats) <= set(strategies)


def _around(
    players: Sequence[int], strategies: Sequence[str], beats: Mapping[str, str], *, is_compared: bool
) -> list[int]:
    """Return the order of players by comparison with the card of the first of them."""
    first, *others = players
    before = [who for who in others if beats[strategies[who]] == strategies[first]]
    after = [who for who in others if who not in before]
    return [*before, first, *(_compared(after, strategies, beats) if is_compared else after)]


def _compared(players: Sequence[int], strategies: Sequence[str], beats: Mapping[str, str]) -> list[int]:
    """Return the order of players with at most two strategies; equal ones keep their order."""
    beaten = {beats[strategies[who]] for who in players}
    return sorted(players, key=lambda who: strategies[who] in beaten)


def strategy_trial(
    players: Sequence[str],
    words: Sequence[str],
    draws: Mapping[str, tuple[str, ...]],
    order_of: Callable[[Sequence[str]], Sequence[int]],
) -> PreparedTrial:
    """Return a trial of the order of cards; a word of `draws` stands for one of its strategies, drawn at random."""

    def start() -> Procedure[tuple[str, ...]]:
        strategies = []
        for name, word in zip(players, words, strict=False):
            faces = draws.get(word, ())
            strategies.append((yield Roll("strategy", name, "strategy", len(faces), faces=faces)) if faces else word)
        return tuple(f"{players[who]} ({strategies[who]})" for who in order_of(strategies))

    def tables(die: Die[tuple[str, ...]]) -> Iterator[OddsTable]:
        for place in range(len(words)):
            names = die.map(itemgetter(place)).map(lambda card: str(card).rpartition(" (")[0])
            yield label_table(f"card {place + 1}", names, players)

    return PreparedTrial.of(f"order of {join_words(words, 'and')}", start, lambda cards: cards, tables)


# A table holds fewer; the tracker asks about each.
MOST_RECRUITS = 400


class Recruit(NamedTuple):
    """A member of a side before a battle, as plain data: its side, its own name, and the member."""

    side: int
    name: str
    member: dict[str, Any]


def side_names(*lists: CardData) -> tuple[str, ...]:
    """Return the names of lists.

    Raises ValueError if two are the same.
    """
    names = tuple(each["name"] for each in lists)
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} cannot fight itself; give one of them another name")
    return names


def recruits(lists: Iterable[CardData], key: str) -> tuple[Recruit, ...]:
    """Return all members of some lists, each as often as its `qty`; those that share a name are numbered.

    The card of a member is under `key`. Raises ValueError for more than `MOST_RECRUITS`.
    """
    lists = [*lists]
    number = sum(member.get("qty", 1) for data in lists for member in data.get("members", ()))
    if number > MOST_RECRUITS:
        raise ValueError(f"a battle has at most {MOST_RECRUITS} models, not {number}")
    members = [
        (side, member)
        for side, data in enumerate(lists)
        for member in data.get("members", ())
        for _ in range(member.get("qty", 1))
    ]
    names = numbered_names([member[key]["name"] for _, member in members])
    return tuple(Recruit(side, name, member) for name, (side, member) in zip(names, members, strict=True))
