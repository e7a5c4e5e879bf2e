"""Damage and wounds: immune, resistant, toughness, and stamina (seed: Melee Phase; Ability Reference)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.rulesets.diskwars.referee.disk import IMPACT, IMPACT_DAMAGE, TRUE_DAMAGE, Disk, Harm, Health, Rules


def names_harm(names: frozenset[str], harm: Harm, rules: Rules) -> bool:
    """Return whether immune or resistant to these names applies to some damage."""
    if harm.damage == TRUE_DAMAGE:
        return False
    if harm.source == IMPACT and IMPACT_DAMAGE in names:
        return True
    return harm.damage in names or (harm.source in names and ("immune-to", "sources") in rules)


def damage_taken(disk: Disk, harm: Harm, rules: Rules) -> int:
    """Return the damage that a disk takes from one source: none if immune, half of it rounded up if resistant."""
    if names_harm(disk.immune, harm, rules):
        return 0
    return -(-harm.amount // 2) if names_harm(disk.resistant, harm, rules) else harm.amount


def suffer(disk: Disk, health: Health, harm: Harm, rules: Rules) -> Health:
    """Return the health of a disk after damage of one source."""
    return suffer_at_once(disk, health, (harm,), rules)


def suffer_at_once(disk: Disk, health: Health, harms: Iterable[Harm], rules: Rules) -> Health:
    """Return the health of a disk after damage of several sources at the same moment.

    Each is halved on its own, and all tokens are placed before they are compared with the toughness. Damage as high as
    that causes a single wound, which takes all damage off a disk with stamina left. By the ruling `true-damage`, every
    true damage does, or true damage ignores stamina.
    """
    taken = [(harm, amount) for harm in harms if (amount := damage_taken(disk, harm, rules))]
    if health.is_out or not taken:
        return health
    is_true = any(harm.damage == TRUE_DAMAGE for harm, _ in taken)
    damage = health.damage + sum(amount for _, amount in taken)
    if damage < disk.toughness + health.is_empowered and not (is_true and ("true-damage", "toughness") in rules):
        return health._replace(damage=damage)
    if health.wounds < disk.stamina and not (is_true and ("true-damage", "further") in rules):
        return health._replace(damage=0, wounds=health.wounds + 1)
    return health._replace(damage=0, is_out=True)


def suffer_all(disk: Disk, health: Health, harms: Iterable[Harm], rules: Rules) -> Health:
    """Return the health after damage of several sources, one after another."""
    for harm in harms:
        health = suffer(disk, health, harm, rules)
    return health


def suffer_hits(disk: Disk, health: Health, hits: Iterable[Harm], rules: Rules) -> Health:
    """Return the health after the hits of one shot: one after another, or by the ruling `shot-hits` at once."""
    return (suffer_at_once if ("shot-hits", "together") in rules else suffer_all)(disk, health, hits, rules)


def packets(disk: Disk, harm: Harm, count: int, rules: Rules) -> Iterator[Harm]:
    """Yield the damage of the hits of one shot.

    Each counts on its own, unless their sum is halved by the ruling `packets`.
    """
    if ("packets", "sum") in rules and names_harm(disk.resistant, harm, rules):
        yield harm._replace(amount=count * harm.amount)
    else:
        yield from (harm for _ in range(count))


def end_round(disk: Disk, health: Health, rules: Rules) -> Health:
    """Return the health after the end phase, in which all tokens but wounds come off.

    By the ruling `token-order`, the empowerment may come off first, and cause a wound.
    """
    if health.is_out:
        return health
    is_hurt = health.is_empowered and health.damage >= disk.toughness
    if is_hurt and ("token-order", "empowerment") in rules:
        return Health(wounds=min(health.wounds + 1, disk.stamina), is_out=health.wounds >= disk.stamina)
    return Health(wounds=health.wounds)
