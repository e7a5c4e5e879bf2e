"""The activation, melee, and end phases of a round (seed: Game Round)."""

from __future__ import annotations

from functools import partial
from typing import Any

from cardgen.game import (
    Contact,
    Log,
    Player,
    Procedure,
    choose,
    choose_face_down,
    choose_one,
    contact_groups,
    line_up,
    quantity,
    select,
    topmost,
)
from cardgen.rulesets.diskwars.referee.battle.actions import NOBODY, act, use_battle_ability
from cardgen.rulesets.diskwars.referee.battle.movement import reinforce
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from cardgen.rulesets.diskwars.referee.harm import end_round
from cardgen.rulesets.diskwars.referee.melee import Engagement, fight
from cardgen.rulesets.diskwars.referee.order import resolution_order


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
        for place in resolution_order([each.cards[0].data["strategy"] for each in players], table.rules):
            yield from _resolve(table, players[place])
        for each in players:
            each.discard()
        table.resolved.clear()


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
        what = f"who acts with {card['name']}, {quantity(left, 'activation')} left"
        step = yield from choose("acts", player.name, what, {**options, NOBODY: None})
        if step is None and not (left and is_unused):
            return
        is_unused = is_unused and step is not ability
        left = left - (step is not ability) if step else 0
        is_whole = is_whole and step is ability
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
    while groups:
        options = {_words(each): each for each in topmost(groups) or groups}
        group = yield from choose("engagement", table.first, "next engagement", options)
        groups.remove(group)
        yield from _fight(table, group)


def _words(group: list[Contact[Piece]]) -> str:
    uppers, lowers = ({pair[place].name: None for pair in group} for place in (0, 1))
    return f"{', '.join(uppers)} on {', '.join(lowers)}"


def _fight(table: Table, group: list[Contact[Piece]]) -> Procedure[None]:
    """Resolve an engagement of the disks that still lie on each other; players choose in initiative order."""
    group = [pair for pair in group if pair[0].is_present and pair[1] in pair[0].beneath]
    if not group:
        return
    uppers = {up for up, _ in group}
    if table.says("frenzy-friends", "all"):
        frantic = [each for each in uppers if "frenzy" in each.disk.keywords]
        group += [(each, low) for each in frantic for low in table.pinned_by(each, is_enemy=False)]
    order = [each.index for each in table.order]
    pieces, count, pins = line_up(group, order)
    sides, disks = tuple(order.index(each.side) for each in pieces), tuple(map(table.profile, pieces))
    yield Log("{}", (_words(group),))
    engagement = Engagement(disks, count, table.rules, False, pins, sides)
    healths = yield from fight(engagement, tuple(each.health for each in pieces))
    for each, health in zip(pieces, healths, strict=True):
        each.health = health
        yield Log("{}: {}", (each.name, health))
    yield from table.hurt(())


def end_phase(table: Table) -> Procedure[None]:
    """Take all tokens but wounds off the disks, and return discard piles; heroes that are late become casualties."""
    for each in table.present:
        each.health = end_round(each.disk, each.health, table.rules)
    yield from table.hurt(())
    for player in table.players:
        player.take_back()
    late = [each for each in table.models if table.turn == 1 and each.place == "reserve" and each.is_hero]
    if late and table.says("late-hero", "able"):
        late = yield from select("able", "", "heroes that could have reinforced", late)
    yield from table.remove(late)
