"""The menu of an action: everything that a miniature may do now, one answer each where they are few."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Decision, Procedure
from cardgen.rulesets.warniris.referee import movement
from cardgen.rulesets.warniris.referee.attack_action import AttackAction, available_weapons
from cardgen.rulesets.warniris.referee.crowd import group_by_kind
from cardgen.rulesets.warniris.referee.effect_conditions import is_hurt
from cardgen.rulesets.warniris.referee.effects import usable_effects
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.reaction_offers import late_option
from cardgen.rulesets.warniris.weapon_line import Profile

MOVE, ATTACK, DONE = "Move", "Attack or Channel", "done"
# With more attacks than this, the weapon is chosen first and the target after it.
MAX_LISTED_ATTACKS = 12


class Plan(NamedTuple):
    """What a miniature is about to do: a kind of action, with its weapon and target."""

    kind: str
    weapon: str = ""
    target: int = -1
    times: int = 1
    passes_enemies: bool = False
    effects: tuple[int, ...] = ()


USE, REACT = "use", "react"
END = Plan(DONE)


def choose_plan(
    game: Game, state: State, who: int, actions: int, taken: tuple[str, ...] = (), people: str = ""
) -> Procedure[Plan]:
    """Ask what a miniature does after the actions that it has taken, or several (`people`) that are alike do."""
    barred = taken if game.rulings["same-action"] == "different" else ()
    attacks = {} if ATTACK in barred else _attacks(game, state, who)
    is_short = sum(map(len, attacks.values())) <= MAX_LISTED_ATTACKS
    used = {} if people or taken else usable_effects(game, state, who, "activation_start")
    options: dict[str, Plan] = {f"use {name}": Plan(USE, effects=numbers) for name, numbers in used.items()}
    options |= {} if people else {words: Plan(REACT) for words in late_option(game, state)}
    options |= {} if MOVE in barred else _moves(game, state, who, actions - len(taken), people)
    options |= _listed(attacks) if is_short else {f"{words} …": Plan(ATTACK, words) for words in attacks}
    options[DONE] = END
    what = f"action {len(taken) + 1} of {actions}"
    chosen = options[(yield Decision("action", people or game.name(who), what, tuple(options)))]
    if chosen.kind == ATTACK and chosen.target < 0:
        targets = attacks[chosen.weapon]
        return targets[(yield Decision("target", people or game.name(who), "at whom", tuple(targets)))]
    return chosen


def _moves(game: Game, state: State, who: int, left: int, people: str) -> dict[str, Plan]:
    distance = movement.expected_movement(game, state, who)
    options = {f"{MOVE} up to {distance} cm": Plan(MOVE)}
    if left > 1 and game.rulings["same-action"] == "allowed":
        options[f"{MOVE} twice, up to {distance} cm each"] = Plan(MOVE, times=2)
    most = movement.expected_movement(game, state, who, at_most=True)
    if not people and any(game.notes.span(who, other).low <= most for other in game.enemies(state, who)):
        options[f"{MOVE} through enemies"] = Plan(MOVE, passes_enemies=True)
    return options


def _attacks(game: Game, state: State, who: int) -> dict[str, dict[str, Plan]]:
    """Return every target by the words for it, by the words for the weapon."""
    attacks = {}
    for profile in available_weapons(game, state, who).values():
        targets = [other for other in range(len(game.miniatures)) if _may_attack(game, state, who, other, profile)]
        kinds = group_by_kind(game, state, targets)
        if kinds:
            plans = {words: Plan(ATTACK, profile.name, members[0]) for words, members in kinds.items()}
            attacks[f"{profile.name} ({profile.type} {profile.numbers})"] = plans
    return attacks


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
