"""What may be done (section 6: Attack, Channel; ruling `heal-target`)."""

from __future__ import annotations

from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.blow import AttackAction
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game


def objection(game: Game, state: State, attack: AttackAction) -> str:
    """Why an attack may not be made, or '' when it may."""
    attacker, target = game.name(attack.attacker), game.name(attack.target)
    if not state.stands(attack.attacker):
        return f"{attacker} is eliminated"
    if not state.stands(attack.target):
        return f"{target} is eliminated"
    profile = reckoning.weapon_of(game, state, attack)
    if attack.attacker == attack.target and profile.needs_test:
        return f"{attacker} cannot attack itself"
    if game.sides[attack.attacker] == game.sides[attack.target] and profile.needs_test:
        return f"{target} is a friend of {attacker}"
    if game.sides[attack.attacker] != game.sides[attack.target] and not profile.needs_test:
        return f"{attack.weapon} only heals, and {target} is an enemy"
    return out_of_range(game, state, attack)


def out_of_range(game: Game, state: State, attack: AttackAction) -> str:
    """Why a target is too far away, or '' (Range includes its limit, ruling `distance`)."""
    reach = reckoning.attack_range(game, state, attack)
    if attack.distance is None or attack.distance <= reach:
        return ""
    return f"{game.name(attack.target)} is {attack.distance} cm away, and {attack.weapon} reaches {reach} cm"
