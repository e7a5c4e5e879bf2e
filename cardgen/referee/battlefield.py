"""Models on a battlefield: what each has done in a turn, contact, stacks, deployment, and effects of abilities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from cardgen.referee.requests import (
    Log,
    Measurement,
    Procedure,
    Scoreboard,
    SideStatus,
    UnitStatus,
    choose,
    choose_in_turn,
    choose_one,
    select,
)
from cardgen.referee.rounds import DeckCard, NamedCard, Player, eliminate

M = TypeVar("M", bound="BattleModel")


@dataclass(eq=False, kw_only=True)
class BattleModel:
    """A model in a battle.

    `acts` is what it has done or suffered in this turn, such as 'ran'. `contacts` are the enemies that it touches, and
    `rounds` the rounds of its combat so far. `exit` is the table edge by which it has left, if it chose to.
    """

    side: int
    acts: set[str] = field(default_factory=set)
    contacts: set[BattleModel] = field(default_factory=set)
    rounds: int = 0
    is_leader: bool = False
    exit: str = ""

    @property
    def name(self) -> str:
        """Its name, which no other model has."""
        return ""

    @property
    def status(self) -> str:
        """How it stands, in words; a screen shows them beside its name."""
        return ""

    @property
    def is_lost(self) -> bool:
        """Whether it is out of the battle for good."""
        return False

    @property
    def is_present(self) -> bool:
        """Whether it is on the table."""
        return not self.is_lost and not self.exit

    @property
    def is_fit(self) -> bool:
        """Whether it is on the table and can act."""
        return self.is_present

    @property
    def points(self) -> int:
        """Its cost."""
        return 0

    def has_acted(self, *acts: str) -> bool:
        """Return whether it has done any of these things in this turn."""
        return not self.acts.isdisjoint(acts)

    def touch(self, enemy: BattleModel) -> None:
        """Bring two models into contact."""
        self.contacts.add(enemy)
        enemy.contacts.add(self)

    def leave_combat(self) -> None:
        """Break all contacts; whoever has none left is no longer in combat."""
        for enemy in self.contacts:
            enemy.contacts.discard(self)
            enemy.rounds = enemy.rounds if enemy.contacts else 0
        self.contacts, self.rounds = set(), 0


@dataclass(eq=False, kw_only=True)
class Battlefield(Generic[M]):
    """The models of the sides, the rulings in force by id, and the scenario as plain data.

    `turns` is the limit of each side, and `side` the one whose turn it is. `marks` counts the markers of a letter that
    a side has carried off or destroyed, and `loser` is a side that has lost at once.
    """

    sides: tuple[str, ...]
    models: list[M]
    settings: Mapping[str, str]
    scenario: Mapping[str, Any] = field(default_factory=dict)
    turns: int = 1
    turn: int = 0
    side: int = 0
    marks: dict[tuple[int, str], int] = field(default_factory=dict)
    loser: int | None = None

    @property
    def conditions(self) -> Sequence[Mapping[str, Any]]:
        """The conditions of victory of the scenario."""
        conditions: Sequence[Mapping[str, Any]] = self.scenario.get("victory", ())
        return conditions

    @property
    def time(self) -> str:
        """The time, in words."""
        return f"Turn {self.turn} of {self.sides[self.side]}" if self.turn else "Set-up"

    def scoreboard(self) -> Scoreboard:
        """Return how all models stand."""
        return Scoreboard(self.time, tuple(self._side_status(place) for place in range(len(self.sides))))

    def _side_status(self, side: int) -> SideStatus:
        own = (each for each in self.models if each.side == side)
        units = (UnitStatus(each.name, each.status, each.is_lost or bool(each.exit)) for each in own)
        return SideStatus(self.sides[side], "", tuple(units))

    def count_mark(self, side: int, mark: str) -> None:
        """Count one more marker that a side has carried off or destroyed."""
        self.marks[side, mark] = self.marks.get((side, mark), 0) + 1

    @property
    def rules(self) -> frozenset[tuple[str, str]]:
        """The rulings in force as pairs."""
        return frozenset(self.settings.items())

    def says(self, ruling: str, setting: str) -> bool:
        """Return whether a ruling has a setting."""
        return self.settings[ruling] == setting

    def of(self, side: int, test: Callable[[M], bool] = lambda _: True) -> list[M]:
        """Return the models of a side on the table that pass a test."""
        return [each for each in self.models if each.side == side and each.is_present and test(each)]

    def enemies(self, who: M) -> list[M]:
        """Return the enemies of a model on the table."""
        return [each for each in self.models if each.side != who.side and each.is_present]


def combats(models: Sequence[M]) -> list[list[M]]:
    """Return the groups of models that touch each other, directly or through others."""
    groups: list[list[M]] = []
    for model in models:
        if model.contacts and not any(model in group for group in groups):
            group = [model]
            for each in group:
                group += [other for other in models if other in each.contacts and other not in group]
            groups.append([each for each in models if each in group])
    return groups


S = TypeVar("S", bound="StackModel")
# A model, and one on which it lies.
Contact: TypeAlias = tuple[S, S]
RESERVE, FIELD, CASUALTIES = "reserve", "field", "casualties"


@dataclass(eq=False, kw_only=True)
class StackModel(BattleModel):
    """A model that can lie on others, which are `beneath` it, and overlap terrain, which is its `ground`.

    `zone` is the zone in which it was deployed.
    """

    place: str = RESERVE
    zone: str = ""
    beneath: list[StackModel] = field(default_factory=list)
    ground: list[Any] = field(default_factory=list)

    @property
    def is_lost(self) -> bool:
        """Whether it is a casualty."""
        return self.place == CASUALTIES

    @property
    def is_present(self) -> bool:
        """Whether it is on the field."""
        return self.place == FIELD

    def __str__(self) -> str:
        return self.name

    def rests_on(self, other: StackModel) -> bool:
        """Return whether it lies on a model, directly or on others between them."""
        return any(each is other or each.rests_on(other) for each in self.beneath)

    def touches(self, other: StackModel) -> bool:
        """Return whether it lies on a model, and on nothing that lies on that model."""
        return other in self.beneath and not any(each.rests_on(other) for each in self.beneath)


@dataclass(eq=False, kw_only=True)
class StackField(Battlefield[S]):
    """A battlefield of two to four players with reserves; `order` is the initiative order.

    `terrain` are the pieces of terrain in play, each with its name, and `shared` is the scenario of all players.
    `zones` has the cards of the zones of each player. Players without models are eliminated once all are deployed.
    """

    players: list[Player[Any]]
    order: list[Player[Any]] = field(default_factory=list)
    terrain: list[Any] = field(default_factory=list)
    shared: list[DeckCard] = field(default_factory=list)
    zones: dict[int, dict[str, list[DeckCard]]] = field(default_factory=dict)
    is_deployed: bool = False

    @property
    def time(self) -> str:
        """The round, in words."""
        return f"Round {self.turn}" if self.turn else "Set-up"

    @property
    def active(self) -> list[Player[Any]]:
        """The players who are not eliminated, in initiative order."""
        return [each for each in self.order if not each.is_out]

    @property
    def present(self) -> list[S]:
        """All models on the field."""
        return [each for each in self.models if each.is_present]

    def of_player(self, player: Player[Any], place: str = FIELD) -> list[S]:
        """Return the models of a player at a place."""
        return [each for each in self.models if each.side == player.index and each.place == place]

    def owner(self, who: S) -> Player[Any]:
        """Return the player of a model."""
        return self.players[who.side]

    def lay(self, who: S, models: Iterable[S], what: str = "what it overlaps now") -> Procedure[None]:
        """Ask on which models and terrain a model lies now."""
        things = {each.name: each for each in models if each is not who and not each.rests_on(who)}
        grounds = {f"{each.name} (terrain)" if each.name in things else each.name: each for each in self.terrain}
        names = yield from select("on", who.name, what, [*things, *grounds])
        who.beneath = [things[name] for name in names if name in things]
        who.ground = [grounds[name] for name in names if name in grounds]

    def leave(self, who: S) -> Procedure[None]:
        """Lift a model, and ask what lies on the models beneath it now."""
        lower, who.beneath, who.ground = [each for each in who.beneath if each.is_present], [], []
        for upper in [each for each in self.present if who in each.beneath]:
            upper.beneath.remove(who)
            names = {each.name: each for each in lower if each not in upper.beneath}
            falls = yield from select("falls", upper.name, f"what it lies on without {who.name}", names)
            upper.beneath += [names[name] for name in falls]

    def remove(self, fallen: Sequence[S]) -> Procedure[None]:
        """Remove casualties at once, and eliminate players without models."""
        for who in fallen:
            who.place = CASUALTIES
            yield Log("{} becomes a casualty", (who.name,))
        for who in fallen:
            yield from self.leave(who)
        if fallen and self.is_deployed:
            yield from eliminate(self.order, lambda player: bool(self.of_player(player)))


def contact_groups(contacts: Sequence[Contact[S]], *, by_upper: bool = True) -> list[list[Contact[S]]]:
    """Return groups of contacts that share the lower model, or, with `by_upper`, the upper one."""
    groups: list[list[Contact[S]]] = []
    for upper, lower in contacts:
        same = [each for each in groups if any(low is lower or (by_upper and up is upper) for up, low in each)]
        groups = [each for each in groups if each not in same]
        groups.append([*(contact for each in same for contact in each), (upper, lower)])
    return groups


def topmost(groups: Sequence[list[Contact[S]]]) -> list[list[Contact[S]]]:
    """Return the groups none of whose upper models is a lower one in another group."""

    def is_above(one: list[Contact[S]], other: list[Contact[S]]) -> bool:
        return any(low is up for _, low in one for up, _ in other)

    return [each for each in groups if not any(other is not each and is_above(other, each) for other in groups)]


def line_up(group: Sequence[Contact[S]], order: Sequence[int]) -> tuple[list[S], int, frozenset[tuple[int, int]]]:
    """Return the models of a group, the upper ones first, and each part by the order of sides.

    Those of a side keep their order, so that names make no difference. Also return the number of upper ones, and the
    contacts by place.
    """
    uppers, lowers = (
        sorted(dict.fromkeys(contact[part] for contact in group), key=lambda each: order.index(each.side))
        for part in (0, 1)
    )
    models = [*uppers, *lowers]
    return models, len(uppers), frozenset((uppers.index(up), len(uppers) + lowers.index(low)) for up, low in group)


C = TypeVar("C", bound=NamedCard)
ALONE = "no other card"


def form_zones(who: str, cards: Sequence[C]) -> Procedure[list[list[C]]]:
    """Ask which cards of a player lie next to each other, and so form one zone; a card can join two zones."""
    zones: list[list[C]] = []
    for card in cards:
        names = {" and ".join(each.name for each in zone): [zone] for zone in zones}
        both = {f"both {one} and {other}": [*names[one], *names[other]] for one, other in combinations(names, 2)}
        beside = yield from choose("zone", who, f"{card.name} lies next to", {ALONE: [], **names, **both})
        joined = [*(each for zone in beside for each in zone), card]
        place = zones.index(beside[0]) if beside else len(zones)
        zones = [each for each in zones if each not in beside]
        zones.insert(place, joined)
    return zones


def deploy(
    table: StackField[S], player: Player[C], zones: Sequence[tuple[str, int]], is_compulsory: Callable[[S], bool]
) -> Procedure[None]:
    """Ask which models of a player are in each zone, exactly as many as it is for; the others stay in reserve.

    Compulsory models are in one of the zones if there is room.
    """
    count, room = len(table.of_player(player, RESERVE)), sum(size for _, size in zones)
    if count < room:
        yield Log("{} has {} for {} places", (player.name, count, room))
    yield from _fill(table, player, zones)
    late = [each for each in table.of_player(player, RESERVE) if is_compulsory(each)]
    if late and any(not is_compulsory(each) for each in table.of_player(player)):
        yield Log("{} must be deployed", (", ".join(each.name for each in late),))
        for each in table.of_player(player):
            each.place = RESERVE
        yield from deploy(table, player, zones, is_compulsory)


def _fill(table: StackField[S], player: Player[C], zones: Sequence[tuple[str, int]]) -> Procedure[None]:
    for name, size in zones:
        left = table.of_player(player, RESERVE)
        count, chosen = min(size, len(left)), left
        while len(left) > count and len(chosen) != count:
            chosen = yield from select("deploy", player.name, f"{count} in the zone of {name}", left, (count, count))
            if len(chosen) != count:
                yield Log("choose {}, not {}", (count, len(chosen)))
        for each in chosen:
            each.place, each.zone = FIELD, name


Effect: TypeAlias = Mapping[str, Any]
# Asks whether an ability strikes its user, too.
Backlash: TypeAlias = Callable[[], Procedure[bool]]
SEVERAL, NOBODY, MOST = ("friends", "enemies", "all"), "nobody", 20


class EffectRules(NamedTuple, Generic[M]):
    """What a game does with effects.

    `is_allowed` says whether an effect can target a model, and `strike` lets it strike some. `kinds` are the effects
    that players can report, each with the fields that they are asked for: numbers, or one of several words.
    """

    is_allowed: Callable[[M, Effect], bool]
    strike: Callable[[M, Effect, Sequence[M]], Procedure[None]]
    kinds: Mapping[str, Mapping[str, Sequence[str]]]


def apply_text(
    table: Battlefield[M],
    user: M,
    text: str,
    effects: Sequence[Effect],
    rules: EffectRules[M],
    *,
    backlash: Backlash | None = None,
) -> Procedure[None]:
    """Apply an ability of a model: its effects if it has any, or else what the players report.

    `backlash` says whether it strikes its user, too.
    """
    yield Log("{}: {}", (user, text))
    if effects:
        yield from affect(table, user, effects, rules, backlash)
        return
    if backlash:
        yield from backlash()
    report = partial(_report, table, user, rules)
    yield from choose_in_turn("report", table.sides[user.side], "what it does", lambda: rules.kinds, report)


def _report(table: Battlefield[M], user: M, rules: EffectRules[M], kind: str) -> Procedure[None]:
    """Ask for the fields of an effect that players report, and apply it."""
    effect, who = {"name": kind, "do": kind, "whom": "all", "within": "any"}, table.sides[user.side]
    for name, words in rules.kinds[kind].items():
        if words:
            effect[name] = yield from choose(name, who, f"{name} of {kind}", {word: word for word in words})
        else:
            effect[name] = yield Measurement(name, who, f"{name} of {kind}", 1, MOST)
    yield from affect(table, user, [effect], rules)


def affect(
    table: Battlefield[M],
    user: M,
    effects: Sequence[Effect],
    rules: EffectRules[M],
    backlash: Backlash | None = None,
) -> Procedure[None]:
    """Let the effects of an ability strike their targets, and perhaps its user, too.

    `backlash` is asked once there is a target; without any, the ability strikes nobody.
    """
    hurts_user = False
    for effect in effects:
        targets = yield from _choose_targets(table, user, effect, rules)
        if targets and backlash:
            hurts_user, backlash = (yield from backlash()), None
        more = [user] if hurts_user and user not in targets and user.is_present else []
        yield from rules.strike(user, effect, [*targets, *more])


def _choose_targets(table: Battlefield[M], user: M, effect: Effect, rules: EffectRules[M]) -> Procedure[list[M]]:
    whom, within, who = effect["whom"], effect["within"], table.sides[user.side]
    if whom == "self":
        return [user] if user.is_present and rules.is_allowed(user, effect) else []
    sides = {"enemy": (False,), "enemies": (False,), "any": (True, False), "all": (True, False)}.get(whom, (True,))
    models = [each for each in table.models if each.is_present and (each.side == user.side) in sides]
    options = [each for each in models if rules.is_allowed(each, effect) and not (whom == "other" and each is user)]
    where = "" if within == "any" else f" in sight within {within} range"
    if whom in SEVERAL:
        return (yield from select("targets", who, f"{effect['name']}: targets{where}", options))
    target = yield from choose_one("target", who, f"{effect['name']}: target{where}", options, NOBODY)
    return [target] if target else []
