"""A whole battle of two to four armies: set-up, five rounds, and victory points (seed: Setup; Winning the Game)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cardgen.game import (
    CardData,
    DeckCard,
    Log,
    Measurement,
    Parameter,
    Player,
    PreparedTrial,
    Procedure,
    RoundsResult,
    RulesConfig,
    assign_order,
    choose_unseen,
    deal,
    deal_secret,
    deploy,
    form_zones,
    in_scope,
    numbered_names,
    pick_in_turn,
    plain_data,
    play_rounds,
    roll_initiative,
    rounds_lines,
    select,
    side_names,
)
from cardgen.rulesets.diskwars.referee.attack_trials import not_simulated
from cardgen.rulesets.diskwars.referee.battle.movement import move
from cardgen.rulesets.diskwars.referee.battle.phases import activation_phase, end_phase, melee_phase
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from cardgen.rulesets.diskwars.referee.disk import disk_of, terrain_of

ROUNDS, TERRAIN_CARDS, MOST_POINTS = 5, 4, 30
ARMIES = ("army",)


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """A battle of two to four armies."""

    a: Annotated[CardData, Parameter("card", "First army.", ARMIES)]
    b: Annotated[CardData, Parameter("card", "Second army.", ARMIES)]
    c: Annotated[CardData | None, Parameter("card", "Third army.", ARMIES)] = None
    d: Annotated[CardData | None, Parameter("card", "Fourth army.", ARMIES)] = None
    rounds: Annotated[int, Parameter("number", "Rounds.", low=1, high=20)] = ROUNDS
    deployed: Annotated[bool, Parameter("flag", "Begin with all disks on the field, and A as the first player.")] = (
        False
    )
    scenarios: Annotated[tuple[CardData, ...], Parameter("library", "Scenario cards.", ("scenario",))] = ()
    deployments: Annotated[tuple[CardData, ...], Parameter("library", "Deployment cards.", ("deployment",))] = ()
    terrain: Annotated[tuple[CardData, ...], Parameter("library", "Terrain cards.", ("terrain",))] = ()


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle. Raises ValueError for armies that cannot meet, and for too few deployment cards."""
    armies = [each for each in (situation.a, situation.b, situation.c, situation.d) if each]
    names = side_names(*armies)
    regiments = sum(len(each["regiments"]) for each in armies)
    if regiments > len(situation.deployments) and not situation.deployed:
        raise ValueError(f"{regiments} regiments need as many deployment cards, not {len(situation.deployments)}")
    pieces_of(armies)

    def start() -> Procedure[RoundsResult]:
        players = [Player(index=place, name=name, hand=_cards(each.get("commands", ())))
                   for place, (name, each) in enumerate(zip(names, armies, strict=True))]  # fmt: skip
        table = Table(sides=names, models=pieces_of(armies), settings=config.rulings, players=players)
        return play_battle(table, situation, [*map(unspent_points, armies)])

    notes = dict.fromkeys(not_simulated(*(each.card for each in pieces_of(armies))))
    title = " against ".join(names)
    return PreparedTrial(title, start, partial(rounds_lines, names), plain_data, None, tuple(notes), has_secrets=True)


def _cards(data: Any, *told: str) -> list[DeckCard]:
    return [DeckCard(each["name"], each, told) for each in data]


def pieces_of(armies: list[CardData]) -> list[Piece]:
    """Return the disks of armies in reserve, each with a name of its own."""
    cards = [(side, card) for side, army in enumerate(armies) for regiment in army["regiments"]
             for unit in ({"unit": regiment["hero"]}, *regiment.get("units", ()))
             for card in [unit["unit"]] * unit.get("copies", 1)]  # fmt: skip
    names = numbered_names([card["name"] for _, card in cards])
    return [
        Piece(side=side, disk=disk_of(card, name), card=card) for name, (side, card) in zip(names, cards, strict=True)
    ]


def unspent_points(army: CardData) -> int:
    """Return the recruitment points that the heroes of an army have left."""
    points = 0
    for each in army["regiments"]:
        units = each.get("units", ())
        points += each["hero"].get("recruitment", 0)
        points -= sum(unit.get("copies", 1) * unit["unit"].get("cost", 0) for unit in units)
    return max(0, points)


def play_battle(table: Table, situation: BattleSituation, unspent: list[int]) -> Procedure[RoundsResult]:
    """Play a battle on a new table to its end."""
    if situation.deployed:
        table.order, table.terrain = [*table.players], [*map(terrain_of, situation.terrain)]
        for each in table.models:
            each.place = "field"
    else:
        yield from in_scope("set-up", _set_up(table, situation, unspent))
    table.is_deployed = True

    def count_lost(side: int) -> int:
        return sum(each.is_lost for each in table.models if each.side == side)

    return (
        yield from play_rounds(
            table.order, situation.rounds, partial(_play_round, table), partial(_score, table), count_lost
        )
    )


def _set_up(table: Table, situation: BattleSituation, unspent: list[int]) -> Procedure[None]:
    """Set up the initiative order, scenario, objectives, deployment cards, terrain, and disks."""
    winner = yield from roll_initiative(table.sides, unspent)
    table.order = yield from assign_order(table.players, table.sides[winner])
    backward = table.order[::-1]
    scenarios = _cards([each for each in situation.scenarios if not each.get("special")], "ability", "objective")
    if len(scenarios) > len(backward):
        two = yield from deal(scenarios, 2, "scenario", backward[0].name, is_hidden=True)
        table.scenario_card = yield from choose_unseen("scenario", backward[0].name, "active scenario", two)
        yield Log("active scenario: {}", (table.scenario_card,))
        scenarios += [each for each in two if each is not table.scenario_card]
        for player in table.order:
            yield from deal_secret(scenarios, player, "objective", "secret objective: {}")
    deployments = yield from deal(
        _cards(situation.deployments, "ability"), len(unspent) and _regiments(situation), "deployment"
    )
    taken = yield from pick_in_turn(backward, deployments, "deployment", "deployment card")
    terrain = yield from deal(_cards(situation.terrain), TERRAIN_CARDS, "terrain")
    for cards in (yield from pick_in_turn(backward, terrain, "terrain", "terrain to place")):
        table.terrain += [terrain_of(each.data) for each in cards]
    for player in backward:
        yield from _deploy(table, player, taken[player.index])
    for player in table.order:
        for each in table.of_player(player):
            if "scout" in each.disk.keywords and not table.is_pinned(each):
                yield Log("{} scouts", (each.name,))
                yield from move(table, each, each.disk.movement, may_fight=False)


def _regiments(situation: BattleSituation) -> int:
    return sum(len(each["regiments"]) for each in (situation.a, situation.b, situation.c, situation.d) if each)


def _deploy(table: Table, player: Player[DeckCard], cards: list[DeckCard]) -> Procedure[None]:
    """Deploy the disks of a player in zones; some lie on others, or overlap terrain."""
    zones = yield from form_zones(player.name, cards)
    sizes = [(" and ".join(each.name for each in zone), sum(each.data["value"] for each in zone)) for zone in zones]

    def is_compulsory(who: Piece) -> bool:
        return who.card.get("role") == "hero" and table.says("hero-held-back", "forbidden")

    yield from deploy(table, player, sizes, is_compulsory)
    own = table.of_player(player)
    for each in (yield from select("stacked", player.name, "disks that lie on others, or overlap terrain", own)):
        yield from table.lay(each, own)


def _play_round(table: Table, number: int) -> Procedure[None]:
    for player in table.active:
        yield Log(
            "{}: {}",
            (
                player.name,
                ", ".join(str(each) for each in table.models if each.side == player.index and not each.is_lost),
            ),
        )
    for name, phase in {"activation": activation_phase, "melee": melee_phase}.items():
        yield from in_scope(name, phase(table))
    yield from end_phase(table, number)


def _score(table: Table) -> Procedure[dict[int, int]]:
    """Make casualties of the reserves, and ask for the victory points of the objectives, which are shown now."""
    yield from table.remove([each for each in table.models if each.place == "reserve"])
    points: dict[int, int] = {}
    for player in table.active:
        shared = [table.scenario_card] if table.scenario_card and table.says("objectives", "both") else []
        for card in (*player.secrets, *shared):
            what = f"victory points: {card.data['objective']}"
            scored = yield Measurement("points", player.name, what, 0, card.data["points"])
            points[player.index] = points.get(player.index, 0) + scored
    return points
