"""Policies: switches for choices that no player is asked for."""

from __future__ import annotations

from cardgen.game import Ruling
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.state import State

POLICIES: tuple[Ruling, ...] = (
    Ruling(
        "relics",
        "When is a thing for once only used?",
        {
            "prompt": "As soon as nothing of it is wasted; what heals N waits until N Wounds are lost.",
            "never": "Never.",
        },
    ),
    Ruling(
        "reactions",
        "When does a miniature react?",
        {"first": "To the first enemy Action of each turn that it can reach.", "never": "Never."},
    ),
    Ruling(
        "moment",
        "At which moment does a timed Reaction happen?",
        {
            "before": "Before the Action's first die.",
            "hit": "When the Action has hit.",
            "resist": "When it was not resisted.",
        },
    ),
    Ruling(
        "weapon",
        "Which weapon or Power is used?",
        {
            "best": "The one in Range with the highest mean Damage against the target as it is at first; of "
            "equal ones, the one with the highest Damage, then Penetration, then Range.",
            "first": "The first in Range on the card.",
        },
    ),
)


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
