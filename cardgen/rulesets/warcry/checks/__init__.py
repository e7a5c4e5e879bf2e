"""Checks of Warcry as rows, and manual pages of its fixed limits."""

from collections.abc import Mapping
from typing import Any

from cardgen.game import CheckContext, join_words
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.pack import resolve_roster


def _roster(warband: Warband, context: CheckContext) -> Mapping[str, Any]:
    """Return what rows about warbands use of a roster."""
    roster = resolve_roster(warband, context.scope)
    trait, shared = roster.trait, roster.shared_runemarks
    return {
        "points": roster.points,
        "is_complete": roster.is_complete,
        "trait": trait,
        "choices": join_words([alternative.name for alternative in trait.choices], "or")
        if trait and trait.choices
        else "",
        "shared_runemarks": sorted(shared),
        "shared_names": ", ".join(sorted(map(trait.settings.name_of, shared))) or "none" if trait else "",
    }


NAMES = {"roster": _roster}
