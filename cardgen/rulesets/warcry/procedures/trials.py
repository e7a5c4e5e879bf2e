"""The trials of attacks and activations: exact odds, or one of them rolled."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cardgen.referee.die import Die
from cardgen.referee.odds import Odds, odds
from cardgen.referee.requests import Procedure
from cardgen.rulesets.adjudication import Figures, Matter, Terms
from cardgen.rulesets.warcry.procedures.activation import Plan, Scene, activate, standing
from cardgen.rulesets.warcry.procedures.attack import Harm, Swing, Tally, strike, volley
from cardgen.rulesets.warcry.procedures.bearing import Bout, blow, bout
from cardgen.rulesets.warcry.procedures.profile import left_out
from cardgen.rulesets.warcry.procedures.situations import ActivationSituation, AttackSituation


def set_up_attack(situation: AttackSituation, terms: Terms) -> Matter:
    """One attack action. Raises ValueError where it may not be made."""
    found = bout(situation, terms)
    arm = found.arm
    if situation.distance is not None and not arm.in_range(situation.distance):
        message = (
            f"{arm.name} reaches from {arm.near} to {arm.reach} inches, and the target is {situation.distance} away"
        )
        raise ValueError(message)
    ready = blow(situation, found, arm, situation.reaction or "", terms)
    return Matter(
        f"{ready.who}: {arm.name} at {ready.target}",
        lambda: strike(ready),
        lambda harm: _told(harm, found, situation),
        lambda harm: harm._asdict(),
        lambda: _figures(ready, found, situation),
        _left_out(situation),
    )


def _left_out(situation: AttackSituation) -> tuple[str, ...]:
    cards = (situation.ability, situation.blessing, situation.trait)
    return left_out(*cards, situation.target_blessing, situation.target_trait, situation.target_ability)


def _told(harm: Harm, found: Bout, situation: AttackSituation) -> tuple[str, ...]:
    lines = [_fate(found.target.name, found.target.wounds, situation.target_damage, harm.target)]
    if harm.attacker:
        lines.append(_fate(found.attacker.name, found.attacker.wounds, situation.damage, harm.attacker))
    return tuple(lines)


def _fate(name: str, wounds: int, before: int, points: int) -> str:
    """Points are allocated one by one; at Wounds the fighter is taken down, and the rest is lost."""
    after = min(wounds, before + points)
    end = "is taken down" if after == wounds else f"has {after} damage points of {wounds}"
    return f"{name}: {points} damage, {end}"


def _figures(ready: Swing, found: Bout, situation: AttackSituation) -> tuple[Figures, ...]:
    die = odds(strike, ready)
    rolls: Die[Tally] = odds(volley, ready.arm.attacks, ready.need, ready.who)
    left = found.target.wounds - situation.target_damage
    down = die.chance(lambda harm: harm.target >= left)
    chances = [(f"{ready.target} is taken down", down), ("any damage", die.chance(lambda harm: harm.target > 0))]
    means = [
        ("mean damage", die.mean(lambda harm: harm.target)),
        ("mean hits", rolls.mean(lambda tally: tally.hits)),
        ("mean critical hits", rolls.mean(lambda tally: tally.criticals)),
    ]
    title = f"{ready.who}: {ready.arm.name} at {ready.target}, {ready.arm.attacks} dice, {ready.need}+"
    tables = [Figures(title, chances=tuple(chances), means=tuple(means)), _spread("Damage", die, lambda h: h.target)]
    if ready.reaction == "counter":
        fall = found.attacker.wounds - situation.damage
        tables.append(
            Figures(
                f"Counter: damage to {ready.who}",
                _parts(die.map(lambda harm: harm.attacker)),
                ((f"{ready.who} is taken down", die.chance(lambda harm: harm.attacker >= fall)),),
                (("mean", die.mean(lambda harm: harm.attacker)),),
            )
        )
    return tuple(tables)


def _spread(title: str, die: Die[Harm], value: Callable[[Harm], int]) -> Figures:
    """The distribution of a number, and the chance of that much or more."""
    points = die.map(value)
    reached = tuple((f"{n} or more", points.chance(lambda p, n=n: p >= n)) for n in sorted(points.weights) if n)  # type: ignore[misc]
    return Figures(title, _parts(points), reached)


def _parts(die: Die[int]) -> tuple[tuple[str, Fraction], ...]:
    chances = dict(die)
    return tuple((str(value), chances[value]) for value in sorted(chances))


def set_up_activation(situation: ActivationSituation, terms: Terms) -> Matter:
    """Activations against one target. Raises ValueError where an attack or the ability may not be made."""
    plans = _plans(situation, terms)
    distance = plans[0].plain[0].arm.reach if situation.distance is None else situation.distance
    begin = Scene(situation.target_damage, situation.damage, distance)
    who, target = plans[0].name, plans[0].target

    def procedure() -> Procedure[Scene]:
        scene = begin
        for plan in plans:
            if standing(scene, plan):
                scene = yield from activate(plan, scene, situation.reactions)
        return scene

    def told(scene: Scene) -> tuple[str, ...]:
        return tuple(
            f"{name}: taken down" if points >= wounds else f"{name}: {points} damage points of {wounds}"
            for name, points, wounds in (
                (target, scene.target, plans[-1].target_wounds),
                (who, scene.attacker, plans[-1].wounds),
            )
        )

    def figures() -> tuple[Figures, ...]:
        return _downs(plans, begin, situation.reactions)

    title = f"{who} against {target}: {len(plans)} {'activation' if len(plans) == 1 else 'activations'}"
    return Matter(title, procedure, told, lambda scene: scene._asdict(), figures, _left_out(situation))


def _downs(plans: tuple[Plan, ...], begin: Scene, reactions: int) -> tuple[Figures, ...]:
    """Who is taken down by the end of each activation, and the target's damage after the last."""
    reader = Odds()
    die: Die[Scene] = Die.sure(begin)
    down, lost = [], []
    for count, plan in enumerate(plans, 1):
        after = {
            scene: reader.of(activate, plan, scene, reactions) if standing(scene, plan) else Die.sure(scene)
            for scene in die.weights
        }
        die = die.then(lambda scene, after=after: after[scene])  # type: ignore[misc]
        words = f"within {count} activation{'' if count == 1 else 's'}"
        down.append((f"{plan.target} {words}", die.chance(lambda s, plan=plan: s.target >= plan.target_wounds)))  # type: ignore[misc]
        lost.append((f"{plan.name} {words}", die.chance(lambda s, plan=plan: s.attacker >= plan.wounds)))  # type: ignore[misc]
    tables = [Figures("Taken down", chances=(*down, *(each for each in lost if each[1])))]
    points = die.map(lambda scene: scene.target)
    tables.append(Figures(f"Damage points of {plans[0].target}", _parts(points), means=(("mean", points.mean(int)),)))
    return tuple(tables)


def _plans(situation: ActivationSituation, terms: Terms) -> tuple[Plan, ...]:
    """What the attacker does in each activation: the ability in the first, or in all of them."""
    first = _plan(situation, terms, ability=True)
    later = first if situation.again else _plan(situation, terms, ability=False)
    return (first, *[later] * (situation.activations - 1))


def _plan(situation: ActivationSituation, terms: Terms, *, ability: bool) -> Plan:
    found = bout(situation, terms, ability=ability)
    arms = (found.arm, *(arm for arm in found.attacker.arms if arm != found.arm and situation.weapon is None))
    plain = tuple(blow(situation, found, arm, "", terms) for arm in arms)
    answered = tuple(_answered(situation, found, arm, terms) for arm in arms)
    return Plan(
        found.attacker.name,
        found.target.name,
        found.attacker.move,
        answered,
        plain,
        found.attacker.wounds,
        found.target.wounds,
        found.amount("heal"),
        found.amount("bonus_move"),
        any(change.bonus_attack for change in found.bonus),
    )


def _answered(situation: ActivationSituation, found: Bout, arm: Any, terms: Terms) -> Swing:
    """The blow with the target's reaction; a reaction to attacks of the other sort leaves it plain."""
    reaction = situation.reaction or ""
    if reaction and (reaction == "counter") != arm.melee:
        reaction = ""
    return blow(situation, found, arm, reaction, terms)
