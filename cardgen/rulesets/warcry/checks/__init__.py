"""Checks of Warcry as rows, and manual pages of its fixed limits."""

from types import SimpleNamespace

from cardgen.game import CheckContext, cheapest_way_back, join_words
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.pack import resolve_roster


def _roster(warband: Warband, context: CheckContext) -> SimpleNamespace:
    """Return what rows about warbands use of a roster."""
    roster = resolve_roster(warband, context.scope)
    trait, shared = roster.trait, roster.shared_runemarks
    choices = [alternative.name for alternative in trait.choices] if trait else []
    return SimpleNamespace(
        points=roster.points,
        way_back=cheapest_way_back(
            [
                (place.fighter.name, place.points / place.member.qty, place.member.qty)
                for place in roster.entries
                if place.fighter and not place.member.leader
            ],
            roster.points - warband.limit,
        ),
        is_complete=roster.is_complete,
        trait=trait,
        choices=join_words(choices, "or") if choices else "",
        shared_runemarks=shared,
        alliances=roster.alliances,
        shared_names=", ".join(sorted(map(trait.settings.name_of, shared))) or "none" if trait else "",
    )


NAMES = {"roster": _roster}
