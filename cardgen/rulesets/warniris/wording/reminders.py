"""Clauses that repeat what the rules say anyway: they must belong to an effect that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.rulesets.warniris.moments import STRIKES
from cardgen.rulesets.warniris.wording.effect_keys import PARTIES, ContradictionError, Outline

# The keys of an effect's deeds that a reminder is about.
_TOPICS: Mapping[str, tuple[str, ...]] = {
    "is_free": ("free_move", "move"),
    "is_placed": ("free_move", "move"),
    "stacks": ("mind", "body", "spirit", "movement", "range", "penetration", "damage"),
    "is_bounded": ("mind", "body", "spirit"),
    "is_capped": ("heal", "heal_die"),
    "is_floored": ("penetration", "damage", "movement", "range"),
    "rerolled_once": ("reroll",),
    "third_only": ("actions",),
    "each_move": ("movement", "crossing"),
    "second_reaction": ("reactions",),
    "any_test": ("reroll",),
    "stops": ("push", "pull", "move"),
    "others_answered": ("answered",),
    "still_hidden": ("gaps",),
    "no_healing": ("wounds",),
}
# Moments without Actions, so that a Move at them is none.
_APART = ("battle_start", "turn_start", "turn_end")
_ONCE_A_TURN = ("turn_start", "turn_end", "activation_start", "activation_end")


def require_topics(facts: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Raise ContradictionError for a reminder about something else, and for a choice without a moment."""
    keys = {key for party in PARTIES for key in data.get(party, {})}
    misplaced = any(facts.get(fact) and not keys & {*topics} for fact, topics in _TOPICS.items())
    misplaced = misplaced or _is_about_others(facts, data)
    excludes = facts.get("excluded") and not {"friends", "friend"} & data.keys()
    has_no_moment = facts.get("chosen") is not None and data["when"] == "always"
    if misplaced or excludes or has_no_moment or (facts.get("if_done") and not facts.get("offer")):
        raise ContradictionError


def _is_about_others(facts: Mapping[str, Any], data: Mapping[str, Any]) -> bool:
    """Return whether a reminder excludes what the effect concerns anyway, or is about another moment."""
    condition = data.get("if", {})
    named = {condition.get("weapon"), condition.get("against")} - {None}
    concerned = {part for name in named for part in name.split("/")}
    spared = facts.get("spares", ())
    spares_some = spared and (not concerned or concerned & {*spared} or not _is_of_one_kind(spared, concerned))
    return bool(
        spares_some
        or (facts.get("survives") and data["when"] != "damaged")
        or (facts.get("this_attack") and not (data["when"] in STRIKES and "for" not in data))
        or (facts.get("is_rounded") and "half" not in (condition.get("wounds_at_most"), *_halved(data)))
        or (facts.get("stays_near") and (data["when"] != "always" or "range_within" not in condition))
        or (facts.get("chance_spent") and not (facts.get("once") and "roll" in condition))
    )


def _halved(data: Mapping[str, Any]) -> tuple[str, ...]:
    return ("half",) if any("halved" in data.get(party, {}) for party in PARTIES) else ()


def _is_of_one_kind(spared: Any, concerned: set[str]) -> bool:
    """Return whether all names are of weapons, or all of opponents."""
    kinds = {"character", "minion"}
    return len({name in kinds for name in (*spared, *concerned)}) == 1


def is_once_a_turn(data: Mapping[str, Any]) -> bool:
    """Return whether an effect can start once in a turn at most, whoever is eliminated."""
    return data["when"] in _ONCE_A_TURN and "while" not in data


def is_unclear_move(outline: Outline) -> bool:
    """Return whether a miniature 'may move' without a note that this is not an Action."""
    if outline.facts.get("is_free") or any(each.get("at") in _APART for each in outline.triggers):
        return False
    return any(each.get("deeds").get("plain") for each in outline.consequences)
