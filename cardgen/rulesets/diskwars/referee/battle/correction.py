"""What players do about abilities that are always active and have only text: they correct results of the tracker."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Log, Measurement, Procedure, choose, choose_one, select
from cardgen.rulesets.diskwars.referee.battle.table import NOBODY, Piece, Table
from cardgen.rulesets.diskwars.referee.disk import Health
from cardgen.rulesets.diskwars.referee.order import not_simulated, sentences_beside_effects

CORRECTS = "corrects a result"
EMPOWERED, ACTIVATED = "empowered", "activated"


def table_texts(table: Table) -> Iterator[str]:
    """Yield the abilities of the scenario, the zones, and the terrain that the tracker doesn't play."""
    cards = [*table.shared, *(card for zones in table.zones.values() for zone in zones.values() for card in zone)]
    terrain = [{"name": each.name, "ability": each.ability} for each in table.terrain]
    yield from not_simulated(*(each.data for each in cards), *terrain, plays_effects=True, keys=("ability",))


def texts_in_force(table: Table) -> Iterator[str]:
    """Yield the abilities of the table, of disks on it, and of command cards in play that the tracker doesn't play.

    Those of actions without effects are left out: players report what they do.
    """
    yield from table_texts(table)
    cards = [*(each.card for each in table.present), *(card.data for each in table.players for card in each.cards)]
    yield from not_simulated(*cards, plays_effects=True, keys=("ability", "passive"))
    for card in cards:
        for key in ("focus", "battle"):
            yield from sentences_beside_effects(card, key)


def correct(table: Table, asked: str) -> Procedure[bool]:
    """Ask a player for a disk, and for what is different with it; return whether there is one."""
    disks = [each for each in table.models if each.place != "reserve"]
    who = yield from choose_one("corrected", asked, "disk with another result", disks, NOBODY)
    if who is None:
        return False
    if who.is_present:
        steps = {"other tokens": _tokens, "lies elsewhere": _place, "is a casualty": _remove}
    else:
        steps = {"returns to the field": _return}
    yield from (yield from choose("correction", asked, f"result of {who.name}", steps))(table, asked, who)
    yield Log("corrected: {}", (who,))
    return True


def _tokens(table: Table, asked: str, who: Piece) -> Procedure[None]:
    """Ask for the tokens of a disk that is not a casualty after all."""
    words = yield from select("tokens", asked, f"tokens of {who.name}", [EMPOWERED, ACTIVATED])
    disk, is_empowered = table.profile(who), EMPOWERED in words
    most = max(0, disk.at(who.health).toughness + is_empowered - 1)
    damage = yield Measurement("damage", asked, f"damage tokens of {who.name}", 0, most)
    wounds = yield Measurement("wounds", asked, f"wound tokens of {who.name}", 0, max(0, disk.stamina))
    who.health = Health(damage, wounds, is_empowered, ACTIVATED in words)


def _place(table: Table, _: str, who: Piece) -> Procedure[None]:
    yield from table.leave(who)
    yield from table.lay(who, table.present)


def _remove(table: Table, _: str, who: Piece) -> Procedure[None]:
    who.health = Health(is_out=True)
    yield from table.remove([who])


def _return(table: Table, asked: str, who: Piece) -> Procedure[None]:
    who.place, who.health = "field", Health()
    yield from table.lay(who, table.present)
    yield from _tokens(table, asked, who)
