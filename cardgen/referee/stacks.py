"""Models that lie on each other: who lies on whom, and groups of contacts from the top down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from cardgen.referee.battlefield import Battlefield, BattleModel
from cardgen.referee.choice import select
from cardgen.referee.decks import DeckCard, Player
from cardgen.referee.requests import Log, Procedure
from cardgen.referee.rounds import eliminate

S = TypeVar("S", bound="StackModel")
# A model, and one on which it lies.
Contact: TypeAlias = tuple[S, S]
RESERVE, FIELD, CASUALTIES = "reserve", "field", "casualties"


@dataclass(eq=False, kw_only=True)
class StackModel(BattleModel):
    """A model that can lie on others, which are `beneath` it, and overlap terrain, which is its `ground`."""

    place: str = RESERVE
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

    `terrain` are the pieces of terrain in play, each with its name, and `shared` the scenario of all players. Players
    without models are eliminated once all are deployed.
    """

    players: list[Player[Any]]
    order: list[Player[Any]] = field(default_factory=list)
    terrain: list[Any] = field(default_factory=list)
    shared: list[DeckCard] = field(default_factory=list)
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
        grounds = {each.name: each for each in self.terrain}
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
