"""Attacks in general, played out exactly: what an attack does to a card that stands for all, and what one suffers.

Both stand alone, at the weapon's full Range and in the open. What may be used once a battle is left unused, and what
may be used once a turn is used, for each attack is in a turn of its own. Relics belong to no card.
"""

from __future__ import annotations

from fractions import Fraction

from cardgen.referee.die import Die
from cardgen.referee.odds import odds
from cardgen.rulesets.warniris.kinds import Character, Stats, Weapon
from cardgen.rulesets.warniris.procedures.attack import strike
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.fighter import Fighter
from cardgen.rulesets.warniris.procedures.policy import POLICIES
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.rulings import RULINGS

# So many that no attack takes all of them.
MANY = 30
_RULINGS = {ruling.id: ruling.default for ruling in RULINGS}
_POLICY = {policy.id: policy.default for policy in POLICIES}


def inflicted(attacker: Character, weapon: Weapon, target: Stats) -> Fraction:
    """The mean number of Wounds that an attack with one of its weapons takes off a Character with these numbers."""
    return _losses(attacker, weapon, _stand_in(target), MANY).mean(int)


def suffered(target: Character, wounds: int, attacker: Stats, weapon: Weapon) -> Die[int]:
    """How many Wounds a Character with so many left loses to an attack with this weapon; none is regained."""
    return _losses(_stand_in(attacker, weapon), weapon, target, wounds)


def _losses(attacker: Character, weapon: Weapon, target: Character, wounds: int) -> Die[int]:
    pair = (Fighter("attacker", _alone(attacker)), Fighter("target", _alone(target)))
    table = Table(pair, (0, 1), _RULINGS, _POLICY, distance=weapon.range)
    start = table.start((attacker.stats.wounds, wounds))

    def lost(state: State) -> int:
        return max(0, wounds - state.wounds(1))

    return odds(strike, table, start, Blow(0, 1, weapon.name, weapon.range)).map(lost)


def _alone(card: Character) -> Character:
    """The card without what it can use once a battle only."""
    kept = tuple(ability for ability in card.abilities if ability.once is not True)
    return card.model_copy(update={"abilities": kept})


def _stand_in(stats: Stats, *weapons: Weapon) -> Character:
    return Character(name="stand-in", stats=stats.model_copy(update={"wounds": MANY}), weapons=weapons)
