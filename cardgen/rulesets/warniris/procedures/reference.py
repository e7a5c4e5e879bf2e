"""Attacks in general, played out exactly: what an attack does to a card that stands for all, and what one suffers.

Both stand alone, at the weapon's full Range and in the open. What may be used once a battle is left unused, and what
may be used once a turn is used, for each attack is in a turn of its own. Relics belong to no card.
"""

from __future__ import annotations

from fractions import Fraction

from cardgen.referee.die import Die
from cardgen.referee.odds import Odds
from cardgen.rulesets.warniris.kinds import Character, Stats, Weapon
from cardgen.rulesets.warniris.procedures.attack import strike
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.fighter import Fighter
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.rulings import RULINGS

# So many that no attack takes all of them.
MANY = 30
_RULINGS = {ruling.id: ruling.default for ruling in RULINGS}
_POLICY = {policy.id: policy.default for policy in POLICIES}


def inflicted(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    """The mean number of Wounds that an attack with one of its weapons takes off a Character with these numbers."""
    return Attacks(attacker, weapon, _stand_in(target)).losses(MANY).mean(int)


def suffered(target: Character, hits: int, weapon: Weapon) -> Attacks:
    """The attacks on a Character with this weapon by somebody whose attribute to hit is `hits`."""
    stats = target.stats.model_copy(update={"mind": hits, "spirit": hits})
    return Attacks(_stand_in(stats, weapon), weapon, target)


class Attacks:
    """One attack after the other with the same weapon."""

    def __init__(self, attacker: Character, weapon: Weapon, target: Character) -> None:
        pair = (Fighter("attacker", _alone(attacker)), Fighter("target", _alone(target)))
        self._table = Table(pair, (0, 1), _RULINGS, _POLICY, distance=weapon.range)
        self._blow = Blow(0, 1, weapon.name, weapon.range)
        self._odds = Odds()

    def losses(self, wounds: int) -> Die[int]:
        """How many Wounds the target loses that has so many left; none is regained."""
        start = self._table.start((self._table.fighters[0].wounds, wounds))
        after = self._odds.of(strike, self._table, start, self._blow)
        return after.map(lambda state: max(0, wounds - state.wounds(1)))


def _alone(card: Character) -> Character:
    """The card without what it can use once a battle only."""
    kept = tuple(ability for ability in card.abilities if ability.once is not True)
    return card.model_copy(update={"abilities": kept})


def _stand_in(stats: Stats, *weapons: Weapon) -> Character:
    return Character(name="stand-in", stats=stats.model_copy(update={"wounds": MANY}), weapons=weapons)
