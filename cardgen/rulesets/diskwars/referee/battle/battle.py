"""A whole battle of two to four armies: set-up, five rounds, and victory points (seed: Setup; Winning the Game)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from cardgen.game import (
    CardData,
    Contact,
    DeckCard,
    FieldDecks,
    FieldRules,
    LiveScoreboard,
    Log,
    Parameter,
    Player,
    PreparedTrial,
    Procedure,
    RoundsResult,
    RulesConfig,
    cards_of,
    choose,
    choose_face_down,
    choose_one,
    contact_groups,
    in_scope,
    lay_deployed,
    line_up,
    numbered_names,
    plain_data,
    play_field,
    quantity,
    rounds_lines,
    select,
    set_up_field,
    side_names,
    topmost,
)
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.referee.battle.correction import CORRECTS, correct, table_texts, texts_in_force
from cardgen.rulesets.diskwars.referee.battle.table import (
    DEPLOYED,
    NOBODY,
    Piece,
    Table,
    act,
    gifts,
    receive,
    reinforce,
    scout,
    use_battle_ability,
)
from cardgen.rulesets.diskwars.referee.disk import OPEN, RESULTS, RULING, candidates, disk_of, end_round
from cardgen.rulesets.diskwars.referee.melee import Engagement, fight
from cardgen.rulesets.diskwars.referee.order import not_simulated, resolution_order

ROUNDS, TERRAIN_CARDS, MOST_DISKS = 5, 4, 400
ARMIES = ("army",)
# Rulings that the players apply when they measure and deploy, and what three or four of them observe with their cards.
SHOWN = ("zone-depth", "zone-number", "reinforce-zone", "sight-at-terrain", "high-ground-sight", "range-edge")
EDGES = {
    3: "Beside the middle player: deployment cards within long range of the corner away from that player",
    4: "No deployment card within medium range of a corner",
}


@dataclass(frozen=True, slots=True)
class BattleSituation:
    """A battle of two to four armies."""

    a: Annotated[CardData, Parameter("card", "First army.", ARMIES)]
    b: Annotated[CardData, Parameter("card", "Second army.", ARMIES)]
    c: Annotated[CardData | None, Parameter("card", "Third army.", ARMIES)] = None
    d: Annotated[CardData | None, Parameter("card", "Fourth army.", ARMIES)] = None
    rounds: Annotated[int, Parameter("number", "Rounds.", low=1, high=20)] = ROUNDS
    deployed: Annotated[bool, Parameter("flag", "All disks are on the field; A goes first.")] = False
    scenarios: Annotated[tuple[CardData, ...], Parameter("library", "Scenario cards.", ("scenario",))] = ()
    deployments: Annotated[tuple[CardData, ...], Parameter("library", "Deployment cards.", ("deployment",))] = ()
    terrain: Annotated[tuple[CardData, ...], Parameter("library", "Terrain cards.", ("terrain",))] = ()


def set_up_battle(situation: BattleSituation, config: RulesConfig) -> PreparedTrial:
    """Set up a battle. Raises ValueError for armies that cannot meet, and for too few deployment cards."""
    if situation.d and not situation.c:
        raise ValueError("a fourth army needs a third one")
    armies = [each for each in (situation.a, situation.b, situation.c, situation.d) if each]
    names, regiments = side_names(*armies), sum(len(each["regiments"]) for each in armies)
    if regiments > len(situation.deployments) and not situation.deployed:
        raise ValueError(f"{regiments} regiments need as many deployment cards, not {len(situation.deployments)}")
    cards = [each.card for each in pieces_of(armies)]
    scenarios = [each for each in situation.scenarios if not each.get("special")]
    decks = FieldDecks(scenarios, situation.deployments, situation.terrain, regiments, TERRAIN_CARDS)

    def start() -> Procedure[RoundsResult]:
        for line in not_alike(names, armies):
            yield Log("{}", (line,))
        hands = [cards_of(each.get("commands", ())) for each in armies]
        players = [Player(index=place, name=name, hand=hands[place]) for place, name in enumerate(names)]
        table = Table(sides=names, models=pieces_of(armies), settings=config.rulings, players=players)
        return (yield from play_battle(table, situation, decks, [*map(unspent_points, armies)]))

    commands = [card for each in armies for card in each.get("commands", ())]
    title, notes = " against ".join(names), tuple(not_simulated(*cards, *commands, plays_effects=True))
    return PreparedTrial(title, start, partial(rounds_lines, names), plain_data, None, notes, has_secrets=True)


def pieces_of(armies: list[CardData]) -> list[Piece]:
    """Return the disks of armies in reserve, each with a name of its own. Raises ValueError for too many."""
    number = sum(
        1 + sum(unit.get("copies", 1) for unit in regiment.get("units", ()))
        for army in armies
        for regiment in army["regiments"]
    )
    if number > MOST_DISKS:
        raise ValueError(f"a battle has at most {MOST_DISKS} disks, not {number}")
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
        costs = sum(unit.get("copies", 1) * unit["unit"].get("cost", 0) for unit in each.get("units", ()))
        points += max(0, each["hero"].get("recruitment", 0) - costs)
    return points


def not_alike(names: Sequence[str], armies: Sequence[CardData]) -> Iterator[str]:
    """Yield a sentence about armies of different sizes, and one about each army without command cards."""
    counts = [len(each["regiments"]) for each in armies]
    if len({*counts}) > 1:
        sizes = (f"{name} has {quantity(count, 'regiment')}" for name, count in zip(names, counts, strict=True))
        yield f"{', '.join(sizes)}: the rules want the same number"
    for name, army in zip(names, armies, strict=True):
        if not army.get("commands"):
            yield f"{name} has no command cards, so it can activate no disks"


def play_battle(
    table: Table, situation: BattleSituation, decks: FieldDecks, unspent: list[int]
) -> Procedure[RoundsResult]:
    """Play a battle on a new table to its end."""
    yield LiveScoreboard(table.scoreboard)
    if table.settings[RULING] == OPEN:
        twice = max(RESULTS, key=candidates(OPEN)[0].count)
        yield Log("Nobody knows which result the battle die has twice; dice rolled here have {} twice", (twice,))
    if situation.deployed:
        table.order, pieces = [*table.players], {each["name"]: each for each in situation.terrain}
        names = yield from select("terrain", "", "terrain on the field", pieces)
        table.terrain = [table.terrain_of(pieces[name]) for name in names]
        yield Log(
            "No scenario, objectives, or deployment cards are in play; after the last round, initiative order decides"
        )
        for each in table.models:
            each.place = "field"
        for player in table.order[::-1]:
            yield from in_scope("set-up", lay_deployed(table, player))
    else:
        yield from in_scope("set-up", _set_up(table, decks, unspent))
    for line in table_texts(table):
        yield Log("not adjudicated: {}", (line,))
    phases = {"activation": activation_phase, "melee": melee_phase, "end": end_phase}
    steps = {name: partial(phase, table) for name, phase in phases.items()}
    return (yield from play_field(table, situation.rounds, steps, shares=table.says("objectives", "both")))


def _set_up(table: Table, decks: FieldDecks, unspent: list[int]) -> Procedure[None]:
    """Set up the field; then scouts move."""
    for ruling in RULESET.rulings:
        if ruling.id in SHOWN:
            yield Log("{} {}", (ruling.question, ruling.settings[table.settings[ruling.id]]))
    if len(table.players) in EDGES:
        yield Log(EDGES[len(table.players)])
    is_strict, is_exact = table.says("hero-held-back", "forbidden"), table.says("zone-number", "exact")

    def fits(player: Player[Any], cards: Sequence[DeckCard]) -> bool:
        disks = sum(each.side == player.index for each in table.models)
        return not is_exact or sum(each.data["value"] for each in cards) <= disks

    rules = FieldRules(
        table.terrain_of, lambda who: who.is_hero and is_strict, fits, all_again=table.says("initiative-tie", "all")
    )
    yield from set_up_field(table, decks, unspent, rules)
    for who in table.present:
        yield from receive(who, gifts(table.zones[who.side][who.zone], DEPLOYED))
    yield from move_scouts(table)


def move_scouts(table: Table) -> Procedure[None]:
    """Let scouts move in initiative order."""
    for each in [each for player in table.order for each in table.of_player(player)]:
        may_move = table.says("scout-pinned", "moves") or not table.is_pinned(each)
        if "scout" in each.disk.keywords and each.is_present and may_move:
            yield Log("{} scouts", (each.name,))
            yield from scout(table, each)


def activation_phase(table: Table) -> Procedure[None]:
    """Let players choose and resolve command cards until nobody can go on."""
    while any(map(table.ready, table.active)):
        hands = [each.hand for each in table.active]
        if not any(hands) or (table.says("loop-end", "ends") and not all(hands)):
            return
        players = yield from choose_face_down(table.active, "command card")
        for each in players:
            if each.cards[0].data.get("passive"):
                yield Log("{}: {}", (each.name, each.cards[0].data["passive"]))
        for each in (yield from _in_order(table, players)):
            yield from _resolve(table, each)
        for each in players:
            each.discard()
        table.resolved.clear()


def _in_order(table: Table, players: list[Player[Any]]) -> Procedure[list[Player[Any]]]:
    """Return the players in the order of their cards, which they correct if a text can decide on equal ones."""
    strategies = [each.cards[0].data["strategy"] for each in players]
    left = [players[place] for place in resolution_order(strategies, table.rules)]
    if len({*strategies}) == len(strategies) or not any(table_texts(table)):
        return left
    order: list[Player[Any]] = []
    while left:
        what = f"whose card is next (by the rules without the texts: {left[0].name})"
        next_one = yield from choose("resolved", table.first, what, {each.name: each for each in left})
        left.remove(next_one)
        order.append(next_one)
    return order


def _resolve(table: Table, player: Player[Any]) -> Procedure[None]:
    """Activate disks with a command card, and use its battle ability once."""
    card = player.cards[0].data
    left, is_unused, is_whole = card["activation"], bool(card.get("battle")), True
    table.resolved.add(player.index)
    while not player.is_out:
        ability = partial(_use_battle_ability, table, player)
        ready = table.ready(player) if left else []
        late = table.of_player(player, "reserve") if left and (ready or table.says("reserve-late", "allowed")) else []
        options: dict[str, Any] = {str(each): partial(act, table, each) for each in ready}
        options |= {str(each): partial(reinforce, table, each) for each in late}
        if is_unused and (is_whole or not left or table.says("battle-moment", "between")):
            options["battle ability"] = ability
        if not options:
            return
        if any(texts_in_force(table)):
            options[CORRECTS] = partial(correct, table, player.name)
        what = f"who acts with {card['name']}, {quantity(left, 'activation')} left" if left else (
            f"the battle ability of {card['name']}, after its activations")  # fmt: skip
        step = yield from choose("acts", player.name, what, {**options, NOBODY: None})
        if step is None:
            if "battle ability" in options or not is_unused:
                return
            left = 0
        elif step is ability:
            is_unused = False
        elif step is not options.get(CORRECTS):
            left, is_whole = left - 1, False
        if step:
            yield from step()


def _use_battle_ability(table: Table, player: Player[Any]) -> Procedure[None]:
    user = yield from choose_one("user", player.name, "disk that uses the battle ability", table.of_player(player))
    if user:
        yield from use_battle_ability(table, user, player.cards[0].data)


def melee_phase(table: Table) -> Procedure[None]:
    """Resolve the engagements that exist now, scrums from the top down, in an order that the first player chooses."""
    present = table.present
    contacts = [(each, lower) for each in present for lower in table.pinned_by(each)]
    mixed = [
        pair for pair in contacts if any((pair[0], low) in contacts and (pair[1], low) in contacts for low in present)
    ]
    groups = contact_groups([pair for pair in contacts if pair not in mixed], by_upper=table.says("two-pinned", "one"))
    groups += [[pair] for pair in mixed if table.says("mixed-sides", "overlap")]
    may_correct = True
    while groups:
        options: dict[str, list[Contact[Piece]] | None] = {_words(each): each for each in topmost(groups) or groups}
        if may_correct and any(texts_in_force(table)):
            options[CORRECTS] = None
        group = yield from choose("engagement", table.first, "next engagement", options)
        if group:
            groups.remove(group)
            yield from _fight(table, group)
        may_correct = bool(group) or (yield from correct(table, table.first))
        groups = [left for each in groups if (left := _standing(each))]

    over = {"ends the melee phase": False, CORRECTS: True}
    while may_correct and any(texts_in_force(table)):
        is_wrong = yield from choose("melee", table.first, "all engagements are over", over)
        may_correct = is_wrong and (yield from correct(table, table.first))


def _standing(group: list[Contact[Piece]]) -> list[Contact[Piece]]:
    """Return the contacts of an engagement that casualties of others have left."""
    return [pair for pair in group if pair[0].is_present and pair[1] in pair[0].beneath]


def _words(group: list[Contact[Piece]]) -> str:
    uppers, lowers = ({pair[place].name: None for pair in group} for place in (0, 1))
    return f"{', '.join(uppers)} on {', '.join(lowers)}"


def _fight(table: Table, group: list[Contact[Piece]]) -> Procedure[None]:
    """Resolve an engagement of disks that lie on each other; players choose in initiative order."""
    uppers = {up for up, _ in group}
    if table.says("frenzy-friends", "all"):
        frantic = [each for each in uppers if "frenzy" in each.disk.keywords]
        group += [(each, low) for each in frantic for low in table.pinned_by(each, is_enemy=False)]
    order = [each.index for each in table.order]
    pieces, count, pins = line_up(group, order)
    sides, disks = tuple(order.index(each.side) for each in pieces), tuple(map(table.profile, pieces))
    yield Log("{}", (_words(group),))
    engagement = Engagement(disks, count, table.rules, pins=pins, sides=sides, first=table.first)
    healths = yield from fight(engagement, tuple(each.health for each in pieces))
    for each, health in zip(pieces, healths, strict=True):
        each.health = health
        yield Log("{}: {}", (each.name, health))
    yield from table.hurt(())


def end_phase(table: Table) -> Procedure[None]:
    """Take all tokens but wounds off the disks, and return discard piles; heroes that are late become casualties."""
    for each in table.present:
        each.health = end_round(table.profile(each), each.health, table.rules)
    yield from table.hurt(())
    for player in table.players:
        player.take_back()
    late = [each for each in table.models if table.turn == 1 and each.place == "reserve" and each.is_hero]
    if late and table.says("late-hero", "able"):
        late = yield from select("able", "", "heroes that could have reinforced", late)
    yield from table.remove(late)
