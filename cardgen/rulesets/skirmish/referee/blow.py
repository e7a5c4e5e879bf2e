"""Blows: rolls to hit, to wound, and to save, critical hits, and injuries."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from cardgen.game import Log, MemoizedCall, Procedure, Roll, at_least
from cardgen.rulesets.skirmish.referee.charts import DOUBLE_NEEDS, NEVER
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, INJURIES, OUT, STUNNED, Health, Rules, worse

SIX, AUTOMATIC = 6, 0


class Blow(NamedTuple):
    """An attack or a shot, with everything that its rolls depend on.

    `hit` is the number to hit, or AUTOMATIC. `save` is the armor save that it leaves, and `foot_save` the one after the
    target has lost its mount. `kind` is 'melee', 'shot', 'spell', or 'fall'. `traits` are the special rules that apply.
    """

    attacker: str
    target: str
    hit: int
    wound: int
    save: int = NEVER
    foot_save: int = NEVER
    ward: int = NEVER
    kind: str = "melee"
    can_be_critical: bool = True
    traits: frozenset[str] = frozenset()
    rules: Rules = frozenset()
    basis: str = ""


# The attacks of a warrior on a target: different ones, and how many of each.
Volley: TypeAlias = tuple[tuple[Blow, int], ...]


class Tally(NamedTuple):
    """What some blows have done to a target so far: Wounds left, injury dice, and mount.

    `has_mount` says that the next wound kills the mount, `lost_mount` that one has. `may_crit` says that the attacker
    can still cause a critical hit, and `is_spent` that further wounds are lost.
    """

    wounds: int
    dice: int = 0
    has_mount: bool = False
    lost_mount: bool = False
    may_crit: bool = True
    is_out: bool = False
    is_spent: bool = False


class Outcome(NamedTuple):
    """The health of a target after some blows, the wounds, and whether the attacker can still cause a critical hit."""

    health: Health
    may_crit: bool = True
    wounds: int = 0


def _roll_to_hit(blow: Blow) -> Procedure[str]:
    """Roll to hit; return 'hit', 'poisoned' if poison wounds without a roll, or ''."""
    what = f"to hit {blow.target} ({blow.basis})"
    if blow.hit in DOUBLE_NEEDS:
        if not (yield at_least("hit", blow.attacker, what, SIX)):
            return ""
        return "hit" if (yield at_least("again", blow.attacker, what, DOUBLE_NEEDS[blow.hit])) else ""
    if blow.hit >= NEVER:
        return ""
    face = yield Roll("hit", blow.attacker, f"{what}, {blow.hit} or more")
    return "poisoned" if face == SIX and "poison" in blow.traits else "hit" if face >= blow.hit else ""


def strike(blow: Blow, tally: Tally) -> Procedure[Tally]:
    """Resolve one attack, except for the injury rolls."""
    hit = "hit" if blow.hit == AUTOMATIC else (yield from _roll_to_hit(blow))
    if not hit and "hatred" in blow.traits:
        hit = yield from _roll_to_hit(blow)
    if not hit or tally.is_out:
        return tally
    is_poisoned = hit == "poisoned"
    can_be_critical = tally.may_crit and (
        blow.can_be_critical or (is_poisoned and ("poison-sixes", "critical") in blow.rules)
    )
    if is_poisoned:
        rolls = can_be_critical and ("poison", "critical") in blow.rules
        face = SIX if rolls and (yield at_least("poison", blow.attacker, "critical hit of poison", SIX)) else 0
    elif blow.wound >= NEVER:
        return tally
    else:
        face = yield Roll("wound", blow.attacker, f"to wound {blow.target}, {blow.wound} or more")
        if face < blow.wound:
            return tally
        if face == SIX and "killing-blow" in blow.traits:
            return tally if (yield from _is_saved(blow, NEVER)) else tally._replace(is_out=True)
    if face == SIX and can_be_critical:
        return (yield from _strike_critically(blow, tally))
    saved = yield from _is_saved(blow, blow.foot_save if tally.lost_mount else blow.save)
    return tally if saved else _wounded(blow, tally)


def _strike_critically(blow: Blow, tally: Tally) -> Procedure[Tally]:
    """Resolve a critical hit by the ruling `critical`."""
    yield Log("{} causes a critical hit", (blow.attacker,))
    tally = tally._replace(may_crit=blow.kind == "shot" and ("critical-shots", "one") not in blow.rules)
    ward = blow.ward if ("critical-ward", "allowed") in blow.rules else NEVER
    wounds = 0
    for number in range(1 if "swarm" in blow.traits and ("swarm-critical", "one") in blow.rules else 2):
        is_rolled = ("critical", "hits") in blow.rules or (number and ("critical", "extra") in blow.rules)
        if is_rolled and (
            blow.wound >= NEVER
            or not (yield at_least("critical", blow.attacker, f"to wound {blow.target}", blow.wound))
        ):
            continue
        wounds += not (yield from _is_saved(blow._replace(ward=ward), NEVER))
    has_two_rolls = wounds == tally.wounds == 2 and ("critical-wounds", "two") in blow.rules
    for _ in range(min(wounds, 1) if tally.has_mount else wounds):
        tally = _wounded(blow, tally)
    return tally._replace(dice=2) if has_two_rolls else tally


def _is_saved(blow: Blow, save: int) -> Procedure[bool]:
    """Roll the armor save and the ward save of a target."""
    if save < NEVER and (yield at_least("save", blow.target, "armor save", save)):
        return True
    return blow.ward < NEVER and (yield at_least("ward", blow.target, "ward save", blow.ward))


def _wounded(blow: Blow, tally: Tally) -> Tally:
    """Return the tally after one more wound, which may kill the mount or need an injury roll."""
    if tally.is_spent:
        return tally
    if "finish" in blow.traits:
        return tally._replace(is_out=True)
    if tally.has_mount:
        return tally._replace(has_mount=False, lost_mount=True, is_spent=("cavalry-critical", "lost") in blow.rules)
    if tally.wounds > 1:
        return tally._replace(wounds=tally.wounds - 1)
    if "swarm" in blow.traits and ("swarms", "none") in blow.rules:
        return tally._replace(wounds=0, is_out=True)
    return tally._replace(wounds=0, dice=tally.dice + 1)


def strike_often(blow: Blow, attacks: int, tally: Tally) -> Procedure[Tally]:
    """Resolve several attacks, one after another, except for the injury rolls."""
    if attacks > 1:
        tally = yield MemoizedCall(strike_often, (blow, attacks - 1, tally))
    tally = yield MemoizedCall(strike, (blow, tally))
    return tally


def resolve(volley: Volley, health: Health, may_crit: bool = True) -> Procedure[Outcome]:
    """Resolve all attacks of a warrior on a target, with their injury rolls.

    By the ruling `own-victim`, they are rolled together, or the rest is lost once the target falls.
    """
    blow = volley[0][0]
    if health.state == STUNNED and blow.kind == "melee" and "parting" not in blow.traits:
        yield Log("{} is stunned, and out of action", (blow.target,))
        return Outcome(health._replace(state=OUT), may_crit, 1)
    batches: tuple[Volley, ...] = (volley,)
    if ("own-victim", "lost") in blow.rules and blow.kind == "melee":
        batches = tuple(((each, 1),) for each, count in volley for _ in range(count))
    end, was = Outcome(health, may_crit), health.state
    for batch in batches:
        if end.health.state == was:
            end = yield from _resolve_batch(batch, end)
    return end


def resolve_more(volley: Volley, health: Health, may_crit: bool = True) -> Procedure[Outcome]:
    """Resolve attacks on an enemy that their model has felled in this phase, such as those of its mount.

    No model fells an enemy and finishes it in one phase (seed: Attacking stunned and downed warriors). The attacks are
    as against a standing enemy, or lost by the ruling `own-victim`, and the worst injury counts.
    """
    blow = volley[0][0]
    if ("own-victim", "lost") in blow.rules:
        return Outcome(health, may_crit)
    standing = health._replace(state=FIT, wounds=0)
    outcome: Outcome = yield MemoizedCall(resolve, (volley, standing, may_crit))
    return outcome._replace(health=outcome.health._replace(state=worse(health.state, outcome.health.state)))


def _resolve_batch(volley: Volley, so_far: Outcome) -> Procedure[Outcome]:
    blow, health = volley[0][0], so_far.health
    has_mount = health.is_mounted and ("cavalry", "mount") in blow.rules
    start = tally = Tally(health.wounds, 0, has_mount, may_crit=so_far.may_crit)
    for each, count in volley:
        tally = yield MemoizedCall(strike_often, (_against(each, health), count, tally))
    state = yield MemoizedCall(injure, (blow, tally.dice, tally.is_out, health.state))
    wounds = start.wounds - tally.wounds + max(0, tally.dice - 1) + tally.lost_mount
    is_calm = health.is_calm or (state != FIT and ("frenzy", "felled") in blow.rules)
    after = Health(tally.wounds, state, health.is_mounted and not tally.lost_mount, is_calm)
    return Outcome(after, tally.may_crit, so_far.wounds + max(wounds, tally.is_out))


def _against(blow: Blow, health: Health) -> Blow:
    """Return the blow against a target in its state: a knocked down one is hit and finished in close combat."""
    if health.state == FIT or "parting" in blow.traits:
        return blow
    if blow.kind == "melee":
        return blow._replace(hit=AUTOMATIC, traits=blow.traits | {"finish"})
    is_finished = health.state == DOWN and ("shot-while-down", "out") in blow.rules
    return blow._replace(traits=blow.traits | {"finish"}) if is_finished else blow


def injure(blow: Blow, dice: int, is_out: bool, state: str) -> Procedure[str]:
    """Roll for injuries, of which the worst counts, and return the state after them."""
    after = OUT if is_out else FIT
    for _ in range(0 if is_out else dice):
        after = worse(after, (yield Roll("injury", blow.attacker, f"injury of {blow.target}", faces=INJURIES)))
    if after == FIT:
        return state
    after = worse(state, after) if ("milder-injury", "worse") in blow.rules else after
    yield Log("{} is {}", (blow.target, after))
    return after
