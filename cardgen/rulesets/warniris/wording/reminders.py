"""Clauses that repeat what the rules say anyway: they must belong to an effect that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.rulesets.warniris.wording.effect_keys import PARTIES, ContradictionError, Outline

# The keys of an effect's deeds that a reminder is about.
_TOPICS: Mapping[str, tuple[str, ...]] = {
    "is_free": ("free_move", "move"),
    "is_placed": ("free_move", "move"),
    "stacks": ("mind", "body", "spirit", "movement", "range", "penetration", "damage"),
    "is_bounded": ("mind", "body", "spirit"),
    "is_capped": ("heal",),
    "no_healing": ("wounds",),
}
_ONCE_A_TURN = ("turn_start", "turn_end", "activation_start", "activation_end")


def require_topics(facts: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise ContradictionError for a reminder about something else, and for a choice without a moment."""
    keys = {key for party in PARTIES for key in data.get(party, {})}
    misplaced = any(facts.get(fact) and not keys & {*topics} for fact, topics in _TOPICS.items())
    excludes = facts.get("excluded") and not {"friends", "friend"} & data.keys()
    has_no_moment = facts.get("chosen") is not None and data["when"] == "always"
    if misplaced or excludes or has_no_moment or (facts.get("if_done") and not facts.get("offer")):
        raise ContradictionError


def is_once_a_turn(data: Mapping[str, Any]) -> bool:
    """Return whether an effect can start once in a turn at most, whoever is eliminated."""
    return data["when"] in _ONCE_A_TURN and "while" not in data


def is_unclear_move(outline: Outline) -> bool:
    """Return whether a miniature 'may move' without a note that this is not an Action."""
    return not outline.facts.get("is_free") and any(each.get("deeds").get("plain") for each in outline.consequences)
