"""Actions of a disk: moves, ranged attacks, focus abilities, and what abilities do (seed: Resolve Command Cards)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from cardgen.game import (
    Effect,
    EffectRules,
    Log,
    Procedure,
    Roll,
    affect,
    apply_text,
    choose,
    choose_one,
    confirm,
    select,
)
from cardgen.rulesets.diskwars.referee.battle.movement import move
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from cardgen.rulesets.diskwars.referee.battle_die import CHAOS, RULING, battle_die, candidates
from cardgen.rulesets.diskwars.referee.disk import ARCANE, DAMAGE_TYPES, MAGIC, RANGED, RANGES, Harm, Strength
from cardgen.rulesets.diskwars.referee.harm import names_harm
from cardgen.rulesets.diskwars.referee.shot import Shot, ShotEnd, shoot

PASS, NOBODY = "passes", "nobody"
# What effects do to tokens.
TOKENS = {"empower": {"is_empowered": True}, "refresh": {"is_activated": False}, "exhaust": {"is_activated": True}}
# What players can report of abilities that have only text, and what they are asked for.
REPORTS: dict[str, dict[str, tuple[str, ...]]] = {
    "damage": {"amount": (), "damage": DAMAGE_TYPES}, "move": {"amount": ()}, **{each: {} for each in TOKENS}
}  # fmt: skip
# Whom effects strike among whom are enemies.
_ENEMIES = ("enemy", "any", "enemies", "all")
Step = Callable[[], Procedure[None]]


def act(table: Table, who: Piece) -> Procedure[None]:
    """Take one action with an activated disk; a mobile one can add a shot or focus ability to its move."""
    steps = _steps(table, who)
    movement = table.profile(who).movement
    moves: dict[str, Step] = {"moves": partial(move, table, who, movement)} if movement else {}
    options: dict[str, Sequence[Step]] = {name: (step,) for name, step in {**moves, **steps}.items()}
    if "mobile" in who.disk.keywords and moves:
        options |= _with_move(moves["moves"], steps)
    for step in (yield from choose("action", who.name, "action", {**options, PASS: ()})):
        has_stopped = bool(table.pinned_by(who)) and table.says("mobile-pin", "forbidden")
        if who.is_present and not (has_stopped and step in steps.values() and "moved" in who.acts):
            who.acts |= {"moved"} if step in moves.values() else set()
            yield from step()
    who.acts.discard("moved")
    who.health = who.health._replace(is_activated=True)


def _with_move(moves: Step, steps: Mapping[str, Step]) -> dict[str, Sequence[Step]]:
    """Return what a mobile disk can do with its move: one of the steps before it, or after it."""
    return {
        **{f"{name}, then moves": (step, moves) for name, step in steps.items()},
        **{f"moves, then {name}": (moves, step) for name, step in steps.items()},
    }


def scout(table: Table, who: Piece) -> Procedure[None]:
    """Make the free move of a scout, which lies on no enemy afterwards and gets no activation token.

    By the ruling `scout-mobile`, a mobile one can use its focus ability, unless that is known to damage enemies.
    """
    moves, focus = partial(move, table, who, table.profile(who).movement, may_fight=False), _focus(table, who)
    options: dict[str, Sequence[Step]] = {"moves": (moves,)}
    strikes = any(each["do"] == "damage" and each["whom"] in _ENEMIES for each in who.card.get("focus_effects", ()))
    if "mobile" in who.disk.keywords and not strikes and table.says("scout-mobile", "allowed"):
        options |= _with_move(moves, focus)
    steps = (yield from choose("scouts", who.name, "free move", options)) if len(options) > 1 else options["moves"]
    for step in steps:
        if who.is_present:
            yield from step()


def _focus(table: Table, who: Piece) -> dict[str, Step]:
    """Return the focus ability that a disk prints."""
    if not (text := who.card.get("focus")):
        return {}
    effects = who.card.get("focus_effects", ())
    return {"uses its focus ability": partial(apply_text, table, who, text, effects, _effect_rules(table))}


def _steps(table: Table, who: Piece) -> dict[str, Step]:
    """Return the ranged attacks and focus abilities of a disk."""
    steps: dict[str, Step] = {}
    rules = _effect_rules(table)
    if not (table.pinned_by(who) and table.says("pinning-shot", "target")):
        steps |= {f"shoots with {each.name}": partial(_shoot, table, who, each) for each in who.disk.ranged}
    if who.disk.magic:
        effect = {"name": "Magic", "do": "damage", "whom": "enemy", "within": "medium", "amount": who.disk.magic}
        steps["uses Magic"] = partial(affect, table, who, [{**effect, "damage": ARCANE, "source": MAGIC}], rules)
    return {**steps, **_focus(table, who)}


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
    is_far = distance != RANGES[0]
    more = table.bonus(who, "shots", is_far=is_far) + table.bonus(target, "shelter", is_far=is_far)
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


def _seek(table: Table, who: Piece, target: Piece, probe: Harm, struck: list[Piece]) -> Procedure[Any]:
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


def use_battle_ability(table: Table, user: Piece, card: Any) -> Procedure[None]:
    """Use the battle ability of a command card; an unstable one can strike its user, too."""
    hurts_user = False
    if card.get("unstable"):
        result = yield battle_die(candidates(table.settings[RULING])[0], user.name, "unstable")
        is_known = table.says("unstable-result", CHAOS)
        hurts_user = result == CHAOS if is_known else (yield from confirm("unstable", "", f"{result} strikes its user"))
    effects, rules = card.get("battle_effects", ()), _effect_rules(table)
    yield from apply_text(table, user, card["battle"], effects, rules, hurts_user=hurts_user)


def _effect_rules(table: Table) -> EffectRules[Piece]:
    def is_allowed(who: Piece, effect: Effect) -> bool:
        if effect["do"] == "empower":
            return not who.health.is_empowered
        return effect["do"] != "damage" or not names_harm(who.disk.immune, _harm_of(effect, 1), table.rules)

    return EffectRules(is_allowed, partial(_strike, table), REPORTS)


def _harm_of(effect: Effect, amount: int) -> Harm:
    return Harm(amount, effect.get("damage", DAMAGE_TYPES[0]), effect.get("source", ""))


def _strike(table: Table, user: Piece, effect: Effect, targets: Sequence[Piece]) -> Procedure[None]:
    """Let an effect strike disks."""
    number = yield from Strength.read(effect.get("amount", 0)).amount(user.name, effect["name"])
    if effect["do"] == "damage":
        yield from table.hurt([(each, _harm_of(effect, number)) for each in targets])
        return
    for each in targets:
        each.health = each.health._replace(**TOKENS.get(effect["do"], {}))
        yield Log("{}: {}", (effect["name"], each))
        if effect["do"] == "move":
            yield from move(table, each, number, may_fight=False)
