"""The trials of attacks and activations: exact odds, or one of them rolled."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, odds
from cardgen.referee.requests import Procedure
from cardgen.rulesets.adjudication import OddsTable, PreparedTrial, RulesConfig
from cardgen.rulesets.warcry.procedures.activation import ActivationPlan, ActivationState, activate, both_standing
from cardgen.rulesets.warcry.procedures.attack import Damage, PreparedAttack, Tally, resolve_attack, roll_hits
from cardgen.rulesets.warcry.procedures.bearing import AttackSetup, attack_setup, attack_with
from cardgen.rulesets.warcry.procedures.profile import not_simulated
from cardgen.rulesets.warcry.procedures.situations import ActivationSituation, AttackActionSituation


def set_up_attack(situation: AttackActionSituation, config: RulesConfig) -> PreparedTrial:
    """One attack action. Raises ValueError where it may not be made."""
    setup = attack_setup(situation, config)
    weapon = setup.weapon
    if situation.distance is not None and not weapon.in_range(situation.distance):
        reach = f"{weapon.name} reaches from {weapon.min_range} to {weapon.max_range} inches"
        raise ValueError(f"{reach}, and the target is {situation.distance} away")
    attack = attack_with(situation, setup, weapon, situation.reaction or "", config)
    return PreparedTrial(
        f"{attack.attacker}: {weapon.name} at {attack.target}",
        lambda: resolve_attack(attack),
        lambda harm: _outcome_lines(harm, setup, situation),
        lambda harm: harm._asdict(),
        lambda: _odds_tables(attack, setup, situation),
        _not_simulated(situation),
    )


def _not_simulated(situation: AttackActionSituation) -> tuple[str, ...]:
    cards = (situation.ability, situation.blessing, situation.trait)
    return not_simulated(*cards, situation.target_blessing, situation.target_trait, situation.target_ability)


def _outcome_lines(damage: Damage, setup: AttackSetup, situation: AttackActionSituation) -> tuple[str, ...]:
    lines = [_fate_line(setup.target.name, setup.target.wounds, situation.target_damage, damage.target)]
    if damage.attacker:
        lines.append(_fate_line(setup.attacker.name, setup.attacker.wounds, situation.damage, damage.attacker))
    return tuple(lines)


def _fate_line(name: str, wounds: int, before: int, points: int) -> str:
    """Points are allocated one by one; at Wounds the fighter is taken down, and the rest is lost."""
    after = min(wounds, before + points)
    end = "is taken down" if after == wounds else f"has {after} damage points of {wounds}"
    return f"{name}: {points} damage, {end}"


def _odds_tables(attack: PreparedAttack, setup: AttackSetup, situation: AttackActionSituation) -> tuple[OddsTable, ...]:
    die = odds(resolve_attack, attack)
    rolls: Die[Tally] = odds(roll_hits, attack.weapon.attacks, attack.hit_face, attack.attacker)
    left = setup.target.wounds - situation.target_damage
    down = die.chance(lambda harm: harm.target >= left)
    chances = [(f"{attack.target} is taken down", down), ("any damage", die.chance(lambda harm: harm.target > 0))]
    means = [
        ("mean damage", die.mean(lambda harm: harm.target)),
        ("mean hits", rolls.mean(lambda tally: tally.hits)),
        ("mean critical hits", rolls.mean(lambda tally: tally.criticals)),
    ]
    title = (
        f"{attack.attacker}: {attack.weapon.name} at {attack.target}, {attack.weapon.attacks} dice, {attack.hit_face}+"
    )
    tables = [
        OddsTable(title, chances=tuple(chances), means=tuple(means)),
        _damage_table("Damage", die, lambda h: h.target),
    ]
    if attack.reaction == "counter":
        fall = setup.attacker.wounds - situation.damage
        tables.append(
            OddsTable(
                f"Counter: damage to {attack.attacker}",
                _distribution_rows(die.map(lambda harm: harm.attacker)),
                ((f"{attack.attacker} is taken down", die.chance(lambda harm: harm.attacker >= fall)),),
                (("mean", die.mean(lambda harm: harm.attacker)),),
            )
        )
    return tuple(tables)


def _damage_table(title: str, die: Die[Damage], value: Callable[[Damage], int]) -> OddsTable:
    """The distribution of a number, and the chance of that much or more."""
    points = die.map(value)
    reached = tuple((f"{n} or more", points.chance(lambda p, n=n: p >= n)) for n in sorted(points.weights) if n)  # type: ignore[misc]
    return OddsTable(title, _distribution_rows(points), reached)


def _distribution_rows(die: Die[int]) -> tuple[tuple[str, Fraction], ...]:
    chances = dict(die)
    return tuple((str(value), chances[value]) for value in sorted(chances))


def set_up_activation(situation: ActivationSituation, config: RulesConfig) -> PreparedTrial:
    """Activations against one target. Raises ValueError where an attack or the ability may not be made."""
    plans = _plans(situation, config)
    distance = plans[0].unanswered_attacks[0].weapon.max_range if situation.distance is None else situation.distance
    start = ActivationState(situation.target_damage, situation.damage, distance)
    who, target = plans[0].name, plans[0].target

    def procedure() -> Procedure[ActivationState]:
        scene = start
        for plan in plans:
            if both_standing(scene, plan):
                scene = yield from activate(plan, scene, situation.reactions)
        return scene

    def outcome_lines(scene: ActivationState) -> tuple[str, ...]:
        return tuple(
            f"{name}: taken down" if points >= wounds else f"{name}: {points} damage points of {wounds}"
            for name, points, wounds in (
                (target, scene.target, plans[-1].target_wounds),
                (who, scene.attacker, plans[-1].wounds),
            )
        )

    def odds_tables() -> tuple[OddsTable, ...]:
        return _taken_down_tables(plans, start, situation.reactions)

    title = f"{who} against {target}: {len(plans)} {'activation' if len(plans) == 1 else 'activations'}"
    return PreparedTrial(
        title, procedure, outcome_lines, lambda scene: scene._asdict(), odds_tables, _not_simulated(situation)
    )


def _taken_down_tables(
    plans: tuple[ActivationPlan, ...], start: ActivationState, reactions: int
) -> tuple[OddsTable, ...]:
    """Who is taken down by the end of each activation, and the target's damage after the last."""
    reader = OddsSolver()
    die: Die[ActivationState] = Die.constant(start)
    down, lost = [], []
    for count, plan in enumerate(plans, 1):
        after = {
            scene: reader.distribution(activate, plan, scene, reactions)
            if both_standing(scene, plan)
            else Die.constant(scene)
            for scene in die.weights
        }
        die = die.flat_map(lambda scene, after=after: after[scene])  # type: ignore[misc]
        words = f"within {count} activation{'' if count == 1 else 's'}"
        down.append((f"{plan.target} {words}", die.chance(lambda s, plan=plan: s.target >= plan.target_wounds)))  # type: ignore[misc]
        lost.append((f"{plan.name} {words}", die.chance(lambda s, plan=plan: s.attacker >= plan.wounds)))  # type: ignore[misc]
    tables = [OddsTable("Taken down", chances=(*down, *(each for each in lost if each[1])))]
    points = die.map(lambda scene: scene.target)
    tables.append(
        OddsTable(
            f"Damage points of {plans[0].target}", _distribution_rows(points), means=(("mean", points.mean(int)),)
        )
    )
    return tuple(tables)


def _plans(situation: ActivationSituation, config: RulesConfig) -> tuple[ActivationPlan, ...]:
    """What the attacker does in each activation: the ability in the first, or in all of them."""
    first = _plan(situation, config, ability=True)
    later = first if situation.again else _plan(situation, config, ability=False)
    return (first, *[later] * (situation.activations - 1))


def _plan(situation: ActivationSituation, config: RulesConfig, *, ability: bool) -> ActivationPlan:
    setup = attack_setup(situation, config, ability=ability)
    weapons = (
        setup.weapon,
        *(arm for arm in setup.attacker.weapons if arm != setup.weapon and situation.weapon is None),
    )
    unanswered = tuple(attack_with(situation, setup, arm, "", config) for arm in weapons)
    answered = tuple(_attack_with_reaction(situation, setup, arm, config) for arm in weapons)
    return ActivationPlan(
        setup.attacker.name,
        setup.target.name,
        setup.attacker.move,
        answered,
        unanswered,
        setup.attacker.wounds,
        setup.target.wounds,
        setup.amount("heal"),
        setup.amount("bonus_move"),
        any(change.bonus_attack for change in setup.ability_changes),
    )


def _attack_with_reaction(
    situation: ActivationSituation, setup: AttackSetup, weapon: Any, config: RulesConfig
) -> PreparedAttack:
    """The blow with the target's reaction; a reaction to attacks of the other sort leaves it plain."""
    reaction = situation.reaction or ""
    if reaction and (reaction == "counter") != weapon.melee:
        reaction = ""
    return attack_with(situation, setup, weapon, reaction, config)
