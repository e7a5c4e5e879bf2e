"""Actions of a disk: moves, ranged attacks, focus abilities, and what abilities do (seed: Resolve Command Cards)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cardgen.game import (
    Log,
    Measurement,
    Procedure,
    Roll,
    choose,
    choose_in_turn,
    choose_one,
    choose_targets,
    confirm,
    select,
)
from cardgen.rulesets.diskwars.referee.battle.movement import move
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from cardgen.rulesets.diskwars.referee.battle_die import CHAOS, RULING, battle_die, candidates
from cardgen.rulesets.diskwars.referee.disk import (
    ARCANE,
    DAMAGE_TYPES,
    MAGIC,
    PHYSICAL,
    RANGED,
    RANGES,
    Disk,
    Harm,
    Health,
    Strength,
)
from cardgen.rulesets.diskwars.referee.harm import names_harm
from cardgen.rulesets.diskwars.referee.shot import Shot, ShotEnd, shoot

PASS, NOBODY, MOST_DAMAGE = "passes", "nobody", 20
# What effects do to tokens.
TOKENS = {"empower": {"is_empowered": True}, "refresh": {"is_activated": False}, "exhaust": {"is_activated": True}}
Step = Callable[[], Procedure[None]]


def act(table: Table, who: Piece) -> Procedure[None]:
    """Take one action with an activated disk; a mobile one can add a shot or focus ability to its move."""
    steps = _steps(table, who)
    moves: dict[str, Step] = (
        {"moves": partial(move, table, who, table.profile(who).movement)} if who.disk.movement else {}
    )
    options: dict[str, Sequence[Step]] = {name: (step,) for name, step in {**moves, **steps}.items()}
    if "mobile" in who.disk.keywords and moves:
        options |= {f"{name}, then moves": (step, moves["moves"]) for name, step in steps.items()}
        options |= {f"moves, then {name}": (moves["moves"], step) for name, step in steps.items()}
    for step in (yield from choose("action", who.name, "action", {**options, PASS: ()})):
        has_stopped = bool(table.pinned_by(who)) and table.says("mobile-pin", "forbidden")
        if who.is_present and not (has_stopped and step in steps.values() and "moved" in who.acts):
            who.acts |= {"moved"} if step in moves.values() else set()
            yield from step()
    who.acts.discard("moved")
    who.health = who.health._replace(is_activated=True)


def _steps(table: Table, who: Piece) -> dict[str, Step]:
    """Return the ranged attacks and focus abilities of a disk."""
    steps: dict[str, Step] = {}
    if not (table.pinned_by(who) and table.says("pinning-shot", "target")):
        steps |= {f"shoots with {each.name}": partial(_shoot, table, who, each) for each in who.disk.ranged}
    if who.disk.magic:
        effect = {"name": "Magic", "do": "damage", "whom": "enemy", "within": "medium", "amount": who.disk.magic}
        steps["uses Magic"] = partial(affect, table, who, [{**effect, "damage": ARCANE, "source": MAGIC}])
    if who.card.get("focus"):
        step = partial(apply_text, table, who, who.card["focus"], who.card.get("focus_effects", ()))
        steps["uses its focus ability"] = step
    return steps


def _shoot(table: Table, who: Piece, attack: Any) -> Procedure[None]:
    """Choose a target, and shoot."""
    probe = Harm(1, attack.damage, RANGED)
    targets = [
        each for each in table.present if each is not who and not names_harm(each.disk.immune, probe, table.rules)
    ]
    if table.says("own-targets", "enemies"):
        targets = [each for each in targets if each.side != who.side]
    if table.says("pinning-shot", "shooter"):
        targets = [each for each in targets if not table.pinned_by(each)]
    what = f"target in sight, within {attack.range} range"
    target = yield from choose_one("target", who.name, what, targets, NOBODY)
    if target is None:
        return
    reaches = RANGES[: RANGES.index(attack.range) + 1]
    distance = yield from choose("range", who.name, f"range of {target.name}", {each: each for each in reaches})
    more = table.bonus(who, "shots") + table.bonus(target, "shelter", is_far=distance != RANGES[0])
    faces = candidates(table.settings[RULING])[0]
    attack = attack._replace(missile=max(1, attack.missile + more))
    has_cover = any("cover" in each.keywords for each in target.ground)
    shot = Shot(who.name, attack, table.profile(target), faces, table.rules, None, distance == RANGES[-1], has_cover)
    struck: list[Piece] = []
    end: ShotEnd = yield from shoot(shot, target.health, None, partial(_seek, table, who, target, probe, struck))
    for piece, each in zip((target, *struck), end, strict=False):
        if each:
            piece.health = each.health
            yield Log("{}: {}", (piece.name, each.health))
    yield from table.hurt(())


def _seek(
    table: Table, who: Piece, target: Piece, probe: Harm, struck: list[Piece]
) -> Procedure[tuple[Disk, Health] | None]:
    """Ask which disk scatter hits: the nearest to the target within short range."""
    own = [who] if not table.says("scatter-target", "anyone") else []
    others = [each for each in table.present if each is not target and each not in own]
    if table.says("scatter-target", "enemies"):
        others = [each for each in others if each.side != who.side]
    if table.says("immune-scatter", "next"):
        others = [each for each in others if not names_harm(each.disk.immune, probe, table.rules)]
    sight = ", in sight" if table.says("scatter-sight", "needed") else ""
    near = yield from select("scatter", who.name, f"disks nearest to {target.name} within short range{sight}", others)
    if len(near) > 1 and table.says("scatter-tie", "random"):
        near = [near[(yield Roll("tie", who.name, "which of them", len(near))) - 1]]
    piece = yield from choose_one("nearest", who.name, "which of them", near)
    if piece is None:
        return None
    struck.append(piece)
    return table.profile(piece), piece.health


def apply_text(
    table: Table, user: Piece, text: str, effects: Sequence[Any], *, unstable: bool = False
) -> Procedure[None]:
    """Apply an ability: its effects if they are structured, or else what the players report."""
    yield Log("{}: {}", (user.name, text))
    strikes_user = False
    if unstable:
        result = yield battle_die(candidates(table.settings[RULING])[0], user.name, "unstable")
        is_known = table.says("unstable-result", CHAOS)
        strikes_user = (
            result == CHAOS if is_known else (yield from confirm("unstable", "", f"{result} strikes the user"))
        )
    if effects:
        yield from affect(table, user, effects, strikes_user=strikes_user)
    else:
        reports = {each: each for each in ("damage", "empower", "refresh", "exhaust", "move")}
        yield from choose_in_turn("report", user.name, "what it does", lambda: reports, partial(_report, table, user))


def _report(table: Table, user: Piece, what: str) -> Procedure[None]:
    """Ask whom an effect that the players report strikes, and how much."""
    effect = {"name": what, "do": what, "whom": "all", "within": "any", "amount": 1}
    if what in ("damage", "move"):
        effect["amount"] = yield Measurement("amount", user.name, f"amount of {what}", 1, MOST_DAMAGE)
    if what == "damage":
        effect["damage"] = yield from choose("type", user.name, "type of damage", {each: each for each in DAMAGE_TYPES})
    yield from affect(table, user, [effect])


def affect(table: Table, user: Piece, effects: Sequence[Any], *, strikes_user: bool = False) -> Procedure[None]:
    """Apply the structured effects of an ability that a disk uses."""
    for effect in effects:
        harm = _harm_of(effect)

        def is_allowed(who: Piece, harm: Harm | None = harm) -> bool:
            return harm is None or not names_harm(who.disk.immune, harm, table.rules)

        targets = yield from choose_targets(table, user, effect, is_allowed)
        targets += [user] if strikes_user and user not in targets else []
        yield from _strike(table, user, effect, targets, harm)


def _harm_of(effect: Any) -> Harm | None:
    """Return the kind of damage that an effect deals, or None."""
    return Harm(0, effect.get("damage", PHYSICAL), effect.get("source", "")) if effect["do"] == "damage" else None


def _strike(table: Table, user: Piece, effect: Any, targets: Sequence[Piece], harm: Harm | None) -> Procedure[None]:
    """Let an effect strike disks."""
    number = yield from Strength.read(effect.get("amount", 0)).amount(user.name, effect["name"])
    if harm:
        yield from table.hurt([(each, harm._replace(amount=number)) for each in targets])
        return
    for each in targets:
        each.health = each.health._replace(**TOKENS.get(effect["do"], {}))
        yield Log("{}: {}", (effect["name"], each))
        if effect["do"] == "move":
            yield from move(table, each, number, may_fight=False)
