"""Who may react, and to what (section 6: Reaction)."""

from __future__ import annotations

from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, ModifierContext, effects_on
from cardgen.rulesets.warniris.referee.effects.conditions import sure_effects_now
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import more_reactions
from cardgen.rulesets.warniris.referee.state import State


def may_react(game: Game, state: State, who: int) -> bool:
    """Whether a miniature has a reaction left, and no effect forbids it.

    Minions never react (section 8), unless an effect allows it. An effect that adds up with itself still allows no more
    than one more reaction in a turn.
    """
    if not state.stands(who):
        return False
    allowed = int(not game.miniatures[who].is_minion)
    if "reactions" in game.freedoms:
        applied = list(effects_on(game, state, who, ModifierContext(frozenset())))
        if any(each.deeds.reactions == "none" for each in applied):
            return False
        more = more_reactions(game.sides, who)
        allowed += len({(each.owner, each.effect) for each in applied if each.deeds.reactions in more})
    return reactions_used(game, state, who) < allowed


def reactions_used(game: Game, state: State, who: int) -> int:
    """How many reactions a miniature has made in this turn."""
    return 1 + game.spare_reactions[who] - state.counters[game.reaction_counter(who)]


def is_unanswerable(game: Game, state: State, actor: int, attack: AttackAction | None) -> bool:
    """Whether an effect keeps enemies from reacting to an attack, or to a Move if there is none."""
    if "answered" not in game.freedoms:
        return False
    context = modifiers.hit_context(attack) if attack else modifiers.move_context(actor)
    return any(each.deeds.answered for each in sure_effects_now(game, state, actor, context))


def reaction_objection(game: Game, state: State, attack: AttackAction) -> str:
    """Return why the target of an attack cannot react to it, or ''."""
    if not may_react(game, state, attack.target):
        is_minion = game.miniatures[attack.target].is_minion
        return f"{game.name(attack.target)} {'is a Minion, and Minions never react' if is_minion else 'cannot react'}"
    is_free = is_unanswerable(game, state, attack.attacker, attack)
    return f"nobody can react to {game.name(attack.attacker)}" if is_free else ""
