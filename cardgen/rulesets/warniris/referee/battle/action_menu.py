"""The menu of an action: everything that a miniature may do now, one answer each where they are few."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Decision, Procedure, Selection
from cardgen.rulesets.warniris.referee.battle import movement
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, available_weapons
from cardgen.rulesets.warniris.referee.battle.crowd import group_by_kind
from cardgen.rulesets.warniris.referee.effects.conditions import is_hurt
from cardgen.rulesets.warniris.referee.effects.effects import usable_effects
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.reaction_offers import late_option
from cardgen.rulesets.warniris.referee.state import State
from cardgen.rulesets.warniris.weapon_line import Profile

MOVE, ATTACK, USE, REACT = "Move", "Attack or Channel", "use", "react"
# With more attacks than this, the weapon is chosen first and the target after it.
MAX_LISTED_ATTACKS = 12


class Plan(NamedTuple):
    """What a miniature is about to do: a kind of action, with its weapon and target."""

    kind: str
    weapon: str = ""
    target: int = -1
    passes_enemies: bool = False
    effects: tuple[int, ...] = ()


def choose_plans(
    game: Game, state: State, who: int, actions: int, taken: tuple[str, ...] = (), people: str = ""
) -> Procedure[list[Plan]]:
    """Ask what a miniature does next, or several (`people`) that are alike do: one action, or all that are left.

    An empty list ends the activation.
    """
    barred = taken if game.rulings["same-action"] == "different" else ()
    attacks = {} if ATTACK in barred else _attacks(game, state, who)
    is_short = sum(map(len, attacks.values())) <= MAX_LISTED_ATTACKS
    free: dict[str, Plan] = {} if people else {words: Plan(REACT) for words in late_option(game, state)}
    if not (people or taken):
        used = usable_effects(game, state, who, "activation_start")
        free |= {f"use {name}": Plan(USE, effects=numbers) for name, numbers in used.items()}
    options = free | ({} if MOVE in barred else _moves(game, state, who, people))
    options |= _listed(attacks) if is_short else {f"{words} …": Plan(ATTACK, words) for words in attacks}
    left = actions - len(taken)
    what = f"action {len(taken) + 1} of {actions}" if left == 1 else f"actions {len(taken) + 1} to {actions}"
    most, once = left + len(free), tuple(free)
    chosen = yield Selection("action", people or game.name(who), what, tuple(options), most, once)
    plans: list[Plan] = []
    for words in chosen:
        plan = yield from _aim(people or game.name(who), options[words], attacks)
        plans.append(plan)
    return plans


def _aim(people: str, plan: Plan, attacks: dict[str, dict[str, Plan]]) -> Procedure[Plan]:
    """Return a plan, with its target if only the weapon was chosen."""
    if plan.kind != ATTACK or plan.target >= 0:
        return plan
    targets = attacks[plan.weapon]
    return targets[(yield Decision("target", people, "at whom", tuple(targets)))]


def is_possible(game: Game, state: State, who: int, plan: Plan, taken: tuple[str, ...]) -> bool:
    """Whether a plan that was made before an action can still be followed after it."""
    if plan.kind in taken and game.rulings["same-action"] == "different":
        return False
    if plan.kind != ATTACK:
        return True
    profile = available_weapons(game, state, who).get(plan.weapon)
    return profile is not None and _may_attack(game, state, who, plan.target, profile)


def _moves(game: Game, state: State, who: int, people: str) -> dict[str, Plan]:
    distance = movement.expected_movement(game, state, who)
    options = {f"{MOVE} up to {distance} cm": Plan(MOVE)}
    most = movement.expected_movement(game, state, who, at_most=True)
    if not people and any(game.notes.span(who, other).low <= most for other in game.enemies(state, who)):
        options[f"{MOVE} through enemies, up to {distance} cm"] = Plan(MOVE, passes_enemies=True)
    return options


def _attacks(game: Game, state: State, who: int) -> dict[str, dict[str, Plan]]:
    """Return every target by the words for it, by the words for the weapon."""
    attacks = {}
    for profile in available_weapons(game, state, who).values():
        targets = [other for other in range(len(game.miniatures)) if _may_attack(game, state, who, other, profile)]
        if targets:
            words_of = _targets_by_words(game, state, who, targets)
            plans = {words: Plan(ATTACK, profile.name, other) for words, other in words_of.items()}
            attacks[f"{profile.name} ({profile.type} {profile.numbers})"] = plans
    return attacks


def _targets_by_words(game: Game, state: State, who: int, targets: list[int]) -> dict[str, int]:
    """Return one target for each words; a Minion that was measured in this activation is told apart by that."""
    by_words: dict[str, int] = {}
    for words, members in group_by_kind(game, state, targets).items():
        for other in members:
            span = game.notes.span(who, other)
            is_measured = game.miniatures[other].is_minion and span.low == span.high
            by_words.setdefault(f"{words}, {span.low} cm away" if is_measured else words, other)
    return by_words


def _may_attack(game: Game, state: State, who: int, other: int, profile: Profile) -> bool:
    """Whether a target is legal, may be in Range and in sight as far as is noted, and gains something from healing."""
    attack = AttackAction(who, other, profile.name)
    if movement.objection(game, state, attack) or not movement.may_reach(game, state, attack):
        return False
    if not profile.needs_test and not getattr(profile, "effects", ()) and not is_hurt(game, state, other):
        return False
    line = game.notes.line(who, other)
    is_hidden = line is not None and line.is_hidden
    return not is_hidden or movement.has_free_move(game, attack, profile.type)


def _listed(attacks: dict[str, dict[str, Plan]]) -> dict[str, Plan]:
    """Return 'Rifle (RW R15 P1 D1) at Brute' for every weapon and target."""
    return {f"{weapon} at {words}": plan for weapon, targets in attacks.items() for words, plan in targets.items()}
