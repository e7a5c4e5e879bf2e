"""Lookups of the cards that a list names, in links and among the cards that a check may look at."""

from __future__ import annotations

from pathlib import Path

from cardgen.deck.deck import load_deck
from cardgen.rulesets.ruleset import finder_of_links
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Trait
from cardgen.rulesets.warcry.pack import linked_roster

KIT = Path(__file__).parents[2] / "cards" / "warcry"


def test_links_are_looked_up_by_model_and_name() -> None:
    _, deck = load_deck((KIT,))
    warband = next(entry for entry in deck.cards if entry.card.id == "the-last-lanterns")
    find = finder_of_links(warband)
    fighter = find(Fighter, "wick-boy")
    assert fighter and fighter.name == "Wick Boy"
    trait = find(Trait, "dawnbringer-zealots")
    assert trait and trait.name == "Dawnbringer Zealots"
    assert find(Blessing, "wick-boy") is None
    assert find(Blessing, None) is None
    assert find(Fighter, "coal-whelp") is None


def test_a_warband_costs_as_much_by_its_links_as_its_author_says() -> None:
    _, deck = load_deck((KIT,))
    warbands = [entry for entry in deck.cards if entry.kind == "warband"]
    assert len(warbands) == 2
    for warband in warbands:
        roster = linked_roster(warband)
        assert roster.is_complete
        assert roster.points == warband.card.points  # type: ignore[attr-defined]
