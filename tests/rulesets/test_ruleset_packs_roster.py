"""Lookups of the cards that a list names, in links and among the cards that a check may look at."""

from __future__ import annotations

from pathlib import Path

from cardgen.deck.deck import load_deck
from cardgen.rulesets.ruleset import count_tokens, finder_of_links
from cardgen.rulesets.warcry.cards import Blessing, Fighter, Trait
from cardgen.rulesets.warcry.pack import linked_roster, pack_items

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


def test_a_blessing_adds_wound_tokens_and_the_ability_that_it_lends(tmp_path: Path) -> None:
    """A token of 1 or 5 for each damage point of 13 rather than 9; Inspiring Presence for a warband without a Hero."""
    (tmp_path / "asha.yaml").write_text(
        "game: warcry\ncards:\n"
        "  - {kind: fighter, name: Asha, faction: chaos, stats: {M: 5, T: 4, W: 10}, points: 70,\n"
        "     weapons: [{Axe: axe R1 A3 S4 D1/4}]}\n"
        "  - {kind: blessing, name: Fortitude, points: {regular: 20, elite: 20}, changes: [{wounds: +4}]}\n"
        "  - {kind: blessing, name: Heroism, points: {regular: 10, elite: 10}, text: As a Hero.}\n"
        "  - {kind: ability, name: Inspiring Presence, price: triple, runemarks: [hero], text: Go.}\n"
        "  - {kind: ability, name: Another Presence, price: triple, runemarks: [hero], text: Go.}\n"
        "  - {kind: warband, name: Plain, members: [{fighter: Asha}]}\n"
        "  - {kind: warband, name: Tough, members: [{fighter: Asha, blessing: Fortitude}]}\n"
        "  - {kind: warband, name: Grand, members: [{fighter: Asha, blessing: Heroism}]}\n",
        encoding="utf-8",
    )
    _, deck = load_deck((tmp_path,))
    cards = {entry.card.name: entry for entry in deck.cards}
    presences = [cards["Inspiring Presence"].card, cards["Another Presence"].card]
    for name, wounds, usable in (("Plain", 10, []), ("Tough", 14, []), ("Grand", 10, presences[:1])):
        items = [*pack_items(cards[name])]
        (tokens,) = (item.qty for item in items if item.name == "wounds")
        assert tokens == count_tokens(wounds - 1, 5)
        (abilities,) = (item.where for item in items if item.where)
        assert [each for each in presences if abilities(each)] == usable
