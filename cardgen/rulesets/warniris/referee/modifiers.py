"""Tests and their modifiers: every change with its reason, re-rolls, policies, and who may react."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from cardgen.game import Decision, Modifier, Procedure, Roll, Test
from cardgen.rulesets.warniris.referee.conditions import (
    NO,
    YES,
    AppliedEffect,
    AttackAction,
    ModifierContext,
    can_pay,
    effects_now,
    effects_on,
    has_freedom,
    is_unused,
    mark_used,
    pay_cost,
    sure_effects_now,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect, more_reactions
from cardgen.rulesets.warniris.rulebook import MAX_ATTRIBUTE, MIN_ATTRIBUTE
from cardgen.rulesets.warniris.weapon_line import Profile

T = TypeVar("T")

GAP_PENALTY = -1

_BEFORE_HIT = frozenset({"attacking"})
_AFTER_HIT = frozenset({"attacking", "hit"})
_DAMAGING = frozenset({"attacking", "hit", "damaging"})
_ATTACKED = frozenset({"attacked"})
_REACTING = frozenset({"reacting"})
_MOVING = frozenset({"moving"})


def hit_context(attack: AttackAction) -> ModifierContext:
    """The moment of the test to hit."""
    return ModifierContext(_BEFORE_HIT | _REACTING if attack.reaction else _BEFORE_HIT, _ATTACKED, attack)


def resist_context(attack: AttackAction) -> ModifierContext:
    """The moment of the test to resist."""
    return ModifierContext(_AFTER_HIT | _REACTING if attack.reaction else _AFTER_HIT, _ATTACKED, attack)


def move_context(who: int) -> ModifierContext:
    """The moment of a Move."""
    return ModifierContext(_MOVING, mover=who)


def timing_context(game: Game, attack: AttackAction) -> ModifierContext:
    """The moment of the timing test: what hinders an attack counts only by the ruling `reaction-cloak`."""
    hindered = game.rulings["reaction-cloak"] == "hindered"
    return ModifierContext(_REACTING, _ATTACKED if hindered else frozenset(), attack)


def modifiers_on(game: Game, state: State, who: int, field: str, context: ModifierContext) -> list[Modifier]:
    """What changes a number of somebody now."""
    return _changes(effects_on(game, state, who, context), field)


def _changes(applied: Iterable[AppliedEffect], field: str) -> list[Modifier]:
    changes = ((each.effect.name, getattr(each.deeds, field)) for each in applied)
    return [Modifier(what, change) for what, change in changes if change]


def modified(base: int, modifiers: Iterable[Modifier]) -> int:
    """A number after its changes, never under 0."""
    return max(0, base + sum(reason.amount for reason in modifiers))


def clamp(value: int) -> int:
    """Within 1 and 5 (section 1: Mind, Body, Spirit)."""
    return min(max(value, MIN_ATTRIBUTE), MAX_ATTRIBUTE)


def attribute_test(
    game: Game,
    key: str,
    who: int,
    purpose: str,
    attribute: str,
    attribute_modifiers: list[Modifier],
    penetration: list[Modifier] | None = None,
) -> Test:
    """A test of an attribute with all its changes (section 4; ruling `clamp-order`).

    `attribute_modifiers` change the attribute, and `penetration` comes off it after them.
    """
    miniature = game.miniatures[who]
    base = getattr(miniature.card.stats, attribute)
    order = game.rulings["clamp-order"]
    unclamped = base + sum(reason.amount for reason in attribute_modifiers)
    clamped = clamp(unclamped) if order != "once" else unclamped
    after_penetration = clamped + sum(reason.amount for reason in penetration or ())
    need = after_penetration if order == "before" else clamp(after_penetration)
    modifiers = [
        *attribute_modifiers,
        *_clamp_modifier(clamped - unclamped),
        *(penetration or ()),
        *_clamp_modifier(need - after_penetration),
    ]
    return Test(key, miniature.name, purpose, need, f"{attribute.capitalize()} {base}", tuple(modifiers))


def _clamp_modifier(change: int) -> list[Modifier]:
    return [Modifier(f"to stay between {MIN_ATTRIBUTE} and {MAX_ATTRIBUTE}", change)] if change else []


def hit_attribute(profile: Profile) -> str:
    """Mind for a weapon, Spirit for a power (section 4: Attack, Channel)."""
    return "spirit" if profile.type == "P" else "mind"


def resist_attribute(profile: Profile) -> str:
    """Body against a weapon, Spirit against a power."""
    return "spirit" if profile.type == "P" else "body"


def hit_test(game: Game, state: State, attack: AttackAction) -> Test:
    """The test to hit (section 4: Attack, Channel)."""

    def compute() -> Test:
        name = hit_attribute(weapon_of(game, state, attack))
        reasons = modifiers_on(game, state, attack.attacker, name, hit_context(attack))
        gap = gap_modifier(game, state, attack, hit_context(attack))
        return attribute_test(game, "hit", attack.attacker, "to hit", name, [*reasons, *gap])

    return cached(game, state, ("hit", attack), compute)


def between_test(game: Game, state: State, attack: AttackAction, key: str) -> Test:
    """The test for a miniature in between.

    Section 4: Miniatures in between; rulings `interference-cover` and `penalty-scope`.
    """
    name, free = hit_attribute(weapon_of(game, state, attack)), game.rulings["penalty-scope"] == "free"
    reasons = [
        Modifier(each.effect.name, getattr(each.deeds, name))
        for each in effects_on(game, state, attack.attacker, hit_context(attack))
        if getattr(each.deeds, name) and not (free and each.owner == attack.target)
    ]
    counts = game.rulings["interference-cover"] == "counts"
    gap = gap_modifier(game, state, attack, hit_context(attack)) if counts else []
    return attribute_test(game, key, attack.attacker, "past a miniature in between", name, [*reasons, *gap])


def gap_modifier(game: Game, state: State, attack: AttackAction, context: ModifierContext) -> list[Modifier]:
    """The penalty for shooting through a gap (section 4: Cover), unless an effect ignores it."""
    if not attack.gap:
        return []
    if has_freedom(game, state, attack.attacker, "gaps", context):
        return []
    return [Modifier("gap", GAP_PENALTY)]


def resist_test(game: Game, state: State, attack: AttackAction) -> Test:
    """The test of the target to resist (section 4: Attack, Channel)."""

    def compute() -> Test:
        profile, moment = weapon_of(game, state, attack), resist_context(attack)
        name = resist_attribute(profile)
        reasons = modifiers_on(game, state, attack.target, name, moment)
        weaker = modifiers_on(game, state, attack.attacker, "penetration", moment)
        pierce = modified(profile.penetration, weaker)
        penetration = [Modifier("Penetration", -pierce)] if pierce else []
        return attribute_test(game, "resist", attack.target, "to resist", name, reasons, penetration)

    return cached(game, state, ("resist", attack), compute)


def timing_test(game: Game, state: State, attack: AttackAction) -> Test:
    """The test to time a reaction (section 6: Reaction; rulings `reaction-test` and `reaction-cloak`)."""
    is_hindered = game.rulings["reaction-cloak"] == "hindered"
    hindrance = gap_modifier(game, state, attack, timing_context(game, attack)) if is_hindered else []

    def test_of(name: str) -> Test:
        reasons = modifiers_on(game, state, attack.attacker, name, timing_context(game, attack))
        return attribute_test(game, "timing", attack.attacker, "to time the Reaction", name, [*reasons, *hindrance])

    def compute() -> Test:
        if game.rulings["reaction-test"] == "higher":
            return max(map(test_of, ("mind", "spirit")), key=lambda test: test.need)
        return test_of(hit_attribute(weapon_of(game, state, attack)))

    return cached(game, state, ("timing", attack), compute)


def body_test(game: Game, state: State, who: int, key: str) -> Test:
    """The test to move through an enemy (section 6: Move)."""
    reasons = modifiers_on(game, state, who, "body", move_context(who))
    return attribute_test(game, key, who, "to Move through an enemy", "body", reasons)


def attack_damage(game: Game, state: State, attack: AttackAction) -> int:
    """The points that an unresisted attack deals; a reaction deals 1 at most (section 6: Reaction)."""

    def compute() -> int:
        profile = weapon_of(game, state, attack)
        moment = ModifierContext(_DAMAGING, _ATTACKED, attack)
        points = modified(profile.damage, modifiers_on(game, state, attack.attacker, "damage", moment))
        return min(points, 1) if attack.reaction else points

    return cached(game, state, ("damage", attack), compute)


def attack_range(game: Game, state: State, attack: AttackAction) -> int:
    """The Range of an attack in cm, with everything that changes it."""
    profile = weapon_of(game, state, attack)
    applied = sure_effects_now(game, state, attack.attacker, hit_context(attack))
    return modified(profile.range, _changes(applied, "range"))


def move_distance(game: Game, state: State, who: int) -> int:
    """How many cm a miniature may go in one Move, or in the one that has begun."""
    base = game.miniatures[who].card.stats.movement
    distance = modified(base, modifiers_on(game, state, who, "movement", move_context(who)))
    return -(-distance // 2) if has_freedom(game, state, who, "halved", move_context(who)) else distance


def crosses_freely(game: Game, state: State, who: int) -> bool:
    """Whether an effect lets a miniature Move through enemies without Tests."""
    return has_freedom(game, state, who, "crossing", move_context(who))


def extra_actions(game: Game, state: State, who: int) -> int:
    """How many more actions effects allow in an activation."""
    if "actions" not in game.freedoms:
        return 0
    return sum(each.deeds.actions for each in effects_on(game, state, who, ModifierContext(frozenset())))


def cached(game: Game, state: State, key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """What was reckoned before for this mode; wounds count as far as effects look at them."""
    if game.is_interactive:
        return compute()
    cache_key = (key, state.mode, game.wound_key(state) if game.asks_wounds else game.standing(state))
    value: T | None = game.cache.get(cache_key)
    if value is None:
        value = game.cache[cache_key] = compute()
    return value


def should_use(game: Game, state: State, who: int, effect: BoundEffect) -> bool:
    """Whether the policy uses a thing for once only now."""
    if game.policy["relics"] == "never":
        return False
    return all(
        _wounds_lost(game, state, who, party) >= deeds.most_healed for party, deeds in effect.deeds if deeds.most_healed
    )


def _wounds_lost(game: Game, state: State, who: int, party: str) -> int:
    """How many Wounds those concerned have lost; the most of any."""
    parties = {"bearer": (who,), "friends": game.friends(state, who), "enemies": game.enemies(state, who)}
    return max((game.miniatures[i].wounds - state.wounds(i) for i in parties.get(party, (who,))), default=0)


def take_test(
    game: Game, state: State, test: Test, who: int, kind: str, context: ModifierContext
) -> Procedure[tuple[State, bool]]:
    """Take a test (section 4), and once more where an effect says so; a die is re-rolled once at most.

    `kind` is hit, resist, timing, between, or move; effects can also name the attribute. Friends may
    re-roll a failure; an enemy's effect forces a success again.
    """
    succeeded = yield test
    if game.has_rerolls:
        for each in reroll_effects(game, state, who, reroll_kinds(test, kind), context):
            if (game.sides[each.owner] == game.sides[who]) != succeeded:
                state, rerolls = yield from _decide_reroll(game, state, each)
                if rerolls:
                    return state, (yield replace(test, key=f"{test.key} again", what=f"{test.what}, again"))
    return state, succeeded


def reroll_kinds(test: Test, kind: str) -> frozenset[str]:
    """Return the names by which effects can re-roll a test: its kind, and its attribute."""
    return frozenset({"any", kind, test.basis.partition(" ")[0].lower()})


def reroll_effects(
    game: Game, state: State, who: int, kinds: frozenset[str], context: ModifierContext
) -> Iterator[AppliedEffect]:
    """The effects that re-roll this die: those that bear, and those whose moment this is.

    What lasts has been used, and its die rolled, when it started.
    """
    for each in effects_now(game, state, who, context):
        if each.deeds.reroll in kinds and (each.effect.span or _can_use(game, state, each)):
            yield each


def _can_use(game: Game, state: State, each: AppliedEffect) -> bool:
    return can_pay(state, each.owner, each.effect) and is_unused(game, state, each.owner, each.effect)


def _decide_reroll(game: Game, state: State, each: AppliedEffect) -> Procedure[tuple[State, bool]]:
    """Whether the die is re-rolled: what is used up by it, or costs Wounds, is worth a question."""
    effect, owner = each.effect, each.owner
    if effect.span:
        return state, True
    if effect.once:
        advised = YES if should_use(game, state, owner, effect) else NO
        what = f"re-roll by {effect.name}"
        if (yield Decision(what, game.name(owner), what, (YES, NO), advised)) == NO:
            return state, False
    state, is_paid = yield from pay_cost(game, state, owner, effect)
    if not is_paid:
        return state, False
    state = mark_used(game, state, owner, effect)
    if effect.condition.roll and not effect.is_constant:
        starts = yield Roll(effect.name, game.name(owner), effect.name, wins=effect.condition.roll)
        if not starts:
            return state, False
    attribute = effect.condition.test
    if attribute and not effect.is_constant:
        reasons = modifiers_on(game, state, owner, attribute, ModifierContext(frozenset()))
        what = f"for {effect.name}"
        return state, (yield attribute_test(game, what, owner, what, attribute, reasons))
    return state, True


def may_react(game: Game, state: State, who: int) -> bool:
    """Whether a miniature has a reaction left, and no effect forbids it.

    Effects may allow more reactions, to Minions too. An effect that adds up with itself still allows no more than one
    more in a turn.
    """
    if not state.stands(who):
        return False
    allowed = game.own_reactions(who)
    if "reactions" in game.freedoms:
        applied = list(effects_on(game, state, who, ModifierContext(frozenset())))
        if any(each.deeds.reactions == "none" for each in applied):
            return False
        more = more_reactions(game.sides, who)
        allowed += len({(each.owner, each.effect) for each in applied if each.deeds.reactions in more})
    return reactions_used(game, state, who) < allowed


def reactions_used(game: Game, state: State, who: int) -> int:
    """How many reactions a miniature has made in this turn."""
    return game.most_reactions[who] - state.counters[game.reaction_counter(who)]


def is_unanswerable(game: Game, state: State, actor: int, attack: AttackAction | None) -> bool:
    """Whether an effect keeps enemies from reacting to an attack, or to a Move if there is none."""
    if "answered" not in game.freedoms:
        return False
    context = hit_context(attack) if attack else move_context(actor)
    return any(each.deeds.answered for each in sure_effects_now(game, state, actor, context))


def reaction_objection(game: Game, state: State, attack: AttackAction) -> str:
    """Return why the target of an attack cannot react to it, or ''."""
    if not may_react(game, state, attack.target):
        is_minion = game.miniatures[attack.target].is_minion
        return f"{game.name(attack.target)} {'is a Minion, and Minions never react' if is_minion else 'cannot react'}"
    is_free = is_unanswerable(game, state, attack.attacker, attack)
    return f"nobody can react to {game.name(attack.attacker)}" if is_free else ""
