"""The cards of the battlepack, against a table of facts; and the two warbands of this project's own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from cardgen.model.card import Card
from cardgen.model.deck import Deck, read_deck
from cardgen.project.project import Project
from cardgen.rulesets.ruleset import Ruleset, ruleset
from cardgen.rulesets.warcry.cards import Ability, Battleplan, Blessing, Fighter, Trait, Warband
from cardgen.rulesets.warcry.limits import ALLIANCES, FACTIONS, FACTIONS_OF, SHAPES, BattleMap, Settings, name_of
from cardgen.text.lines import to_plain_text

CARDS = Path(__file__).parents[3] / "cards" / "warcry"
RULES = ruleset("warcry")
assert isinstance(RULES, Ruleset)


@cache
def deck() -> Deck:
    assert isinstance(RULES, Ruleset)
    games = {"warcry": {name: kind.model for name, kind in RULES.kinds.items()}}
    found = read_deck(Project(CARDS), sorted(CARDS.glob("*.yaml")), games, "warcry")
    assert not found.diagnostics
    return found


def all_of(kind: type[Card]) -> dict[str, Card]:
    return {entry.card.name: entry.card for entry in deck().cards if isinstance(entry.card, kind)}


def said(card: Card) -> str:
    assert isinstance(RULES, Ruleset)
    return (
        to_plain_text(RULES.describe(card))
        .replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        .replace("\N{MINUS SIGN}", "-")
    )


BLESSINGS = {
    "Swiftness": (15, 25, "This fighter has +1 Move."),
    "Resilience": (15, 20, "This fighter has +1 Toughness."),
    "Fortitude": (20, 20, "This fighter has +4 Wounds."),
    "Ferocity": (30, 40, "One of this fighter's melee weapons has +1 Attacks."),
    "Might": (15, 20, "One of this fighter's weapons has +1 Strength."),
    "Brutality": (30, 40, "One of this fighter's melee weapons has +1 Damage for hits."),
    "Savagery": (10, 10, "One of this fighter's melee weapons has +1 Damage for critical hits."),
    "Heroism": (10, 10, "This fighter may use Inspiring Presence as if it had the hero Hero runemark."),
    "Spite": (30, 30, ""),
    "Destiny": (40, 40, "You start the battle with 1 extra wild die."),
}

UNIVERSAL = {
    "Rush": "double",
    "Respite": "double",
    "Onslaught": "triple",
    "Inspiring Presence": "triple",
    "Reckoning": "quad",
    "Counter": "reaction",
    "Take Cover": "reaction",
    "Strike Them Down": "reaction",
}

TRAITS = {
    "order": {
        "Courageous Defenders": "order",
        "Dawnbringer Zealots": "cities-of-sigmar",
        "Jubilant Bloodletting": "daughters-of-khaine",
        "Runic Momentum": "fyreslayers",
        "Hidden Hunters": "hunters-of-huanchi",
        "Power of the Tides": "idoneth-deepkin",
        "Swarming Shadows": "khainite-shadowstalkers",
        "A Good Deal": "kharadron-overlords",
        "Aetherquartz Reserves": "lumineth-realm-lords",
        "Coalesced or Starborne": "seraphon",
        "Heroes Without Limits": "stormcast-eternals-questor",
        "Scions of the Storm": "stormcast-eternals",
        "Spirit Pathways": "sylvaneth",
        "Ravaged by Corruption": "twistweald",
        "Point-blank Volley": "wildercorps-hunters",
        "Reborn in Flame": "vulkyn-flameseekers",
        "The River Winds Its Way": "ydrilan-riverblades",
    },
    "chaos": {
        "Aspire to Glory": "chaos",
        "Beastman Ambush": "beasts-of-chaos",
        "Blood Calls To Blood": "blades-of-khorne-daemons",
        "No Respite": "blades-of-khorne-bloodbound",
        "Master Manipulators": "chaos-legionnaires",
        "No Claw Unbloodied": "claws-of-karanak",
        "Plunging Killers": "corvus-cabal",
        "Matchless Acrobats": "cypher-lords",
        "Warp Destiny": "disciples-of-tzeentch-daemons",
        "Warp Fate": "disciples-of-tzeentch-arcanites",
        "Seeking Glory": "darkoath-savagers",
        "Lure of the Missing God": "hedonites-of-slaanesh-daemons",
        "Pain-fuelled Rapture": "hedonites-of-slaanesh-sybarites",
        "A Realm of Fire and Ash": "horns-of-hashut",
        "We Make War": "iron-golem",
        "Infection Vectors": "maggotkin-of-nurgle-daemons",
        "Disease-ridden": "maggotkin-of-nurgle-rotbringers",
        "Waiting for Lord Leech": "rotmire-creed",
        "Seared Wounds": "scions-of-the-flame",
        "There are Always More": "skaven",
        "For the Glory of the Dark Gods": "slaves-to-darkness",
        "Entertain Me!": "spire-tyrants",
        "Weapons Dripping with Poison": "splintered-fang",
        "Eightfold Allies": "tarantulos-brood",
        "Blessings of the Speaker": "the-jade-obelisk",
        "Shared Bliss": "the-unmade",
        "Worthy Prey": "untamed-beasts",
    },
    "death": {
        "Deathless Minions": "death",
        "Worthy Draught": "askurgan-trueblades",
        "Form a Lance": "flesh-eater-courts",
        "Wave of Terror": "nighthaunt",
        "Ranks Unbroken By Dissent": "ossiarch-bonereapers",
        "Pyres of Victory": "pyregheists",
        "The Hounds Bay": "royal-beastflayers",
        "Sanguine Glory": "soulblight-gravelords",
        "Predatory Outriders": "teratic-cohort",
    },
    "destruction": {
        "Relentless Destroyers": "destruction",
        "Primal Beliefs": "bonesplitterz",
        "Da Bad Moon Rises": "gloomspite-gitz",
        "Ravenous Gorging": "gorger-mawpack",
        "Enough Messin'": "ironjawz",
        "Stick 'Em Good and Quick": "kruleboyz",
        "'Orrible Trap": "kruleboyz-monsta-killaz",
        "Devour Corpse": "ogor-mawtribes",
    },
}
ONCE = {
    "A Good Deal": "round",
    "Aspire to Glory": "round",
    "Deathless Minions": "round",
    "Entertain Me!": "round",
    "Point-blank Volley": "round",
    "Stick 'Em Good and Quick": "round",
    "Weapons Dripping with Poison": "round",
    "Aetherquartz Reserves": "battle",
    "Blessings of the Speaker": "battle",
    "Eightfold Allies": "battle",
    "Shared Bliss": "battle",
    "Spirit Pathways": "battle",
}

# Name: secondary, twist, and what the primary condition gives.
BATTLEPLANS = {
    "Lightning Raid": ("Devastate their Ranks", "Glittering Hoard", 3),
    "Raze to the Ground": ("Held in a Bloody Fist", "Raze to the Ground", 3),
    "Mystic Glade": ("Might Makes Right", "Pulsing Power", 3),
    "A Tithe of Blades": ("Take Their Measure", "Grim Resolve", 4),
    "Endless Struggle": ("Flickering Shrines", "Suffer No Weakness", 4),
    "Brutal Encounter": ("Control Ground", "Tangled Roots", 4),
    "A Reckoning for the Ages": ("Battlefield Supremacy", "Worthless Ruin", 4),
    "Uncompromising Slaughter": ("Control Ground", "No Quarter", 4),
    "Blood on the Forest Floor": ("Half the Battle", "No Half Measures", 4),
    "Plundered Spoils": ("What's Yours Should Be Mine", "Desperate Strength", 4),
    "A War Over Nothing": ("It's Ours!", "It Ain't Worth It", 3),
    "Running Out of Time": ("A Worthy Foe", "Nothing Left Worth Looting", 3),
}


def test_the_blessings_are_those_of_the_battlepack() -> None:
    blessings = all_of(Blessing)
    assert list(blessings) == list(BLESSINGS)
    for name, (regular, elite, text) in BLESSINGS.items():
        blessing = blessings[name]
        assert isinstance(blessing, Blessing)
        assert (blessing.points.regular, blessing.points.elite) == (regular, elite)
        assert said(blessing) == text or not text


def test_the_universal_abilities_and_reactions_are_those_of_the_battlepack() -> None:
    found = {name: card for name, card in all_of(Ability).items() if "universal" in card.tags}
    assert {name: card.price for name, card in found.items() if isinstance(card, Ability)} == UNIVERSAL
    assert said(found["Rush"]) == "This fighter has +1 Move until the end of its activation."
    assert said(found["Onslaught"]) == "This fighter's melee attacks have +1 Attacks until the end of its activation."


@pytest.mark.parametrize("alliance", sorted(ALLIANCES))
def test_the_traits_are_those_of_the_battlepack(alliance: str) -> None:
    found = {
        card.name: card.runemark
        for card in all_of(Trait).values()
        if isinstance(card, Trait) and card.alliance == alliance
    }
    assert found == TRAITS[alliance]
    assert {*found.values()} == {alliance, *FACTIONS_OF[alliance]}, "each faction has a trait"


def test_traits_for_once_only_are_those_of_the_battlepack() -> None:
    traits = [card for card in all_of(Trait).values() if isinstance(card, Trait)]
    assert len(traits) == 61
    assert {card.name: card.once for card in traits if card.once} == ONCE


def test_seraphon_have_a_choice_and_two_traits_bring_something_of_their_own() -> None:
    traits = all_of(Trait)
    choices = {name: [rule.name for rule in card.choices] for name, card in traits.items() if card.choices}  # type: ignore[attr-defined]
    assert choices == {"Coalesced or Starborne": ["Coalesced", "Starborne"]}
    grants = {name: [(r.price, r.runemarks) for r in card.grants] for name, card in traits.items() if card.grants}  # type: ignore[attr-defined]
    assert grants == {
        "Reborn in Flame": [("triple", ("berserker",))],
        "Devour Corpse": [("action", ("brute", "agile"))],
    }


def test_the_battleplans_are_those_of_the_battlepack() -> None:
    plans = {n: c for n, c in all_of(Battleplan).items() if isinstance(c, Battleplan) and "own" not in c.tags}
    found = {n: (c.secondary.name, c.twist.name, len(c.primary.scores)) for n, c in plans.items()}
    assert found == BATTLEPLANS
    assert all(score.vp == 1 for plan in plans.values() for score in plan.primary.scores)
    assert all(plan.motto and plan.victory is None for plan in plans.values())
    maps = {name: plan.map for name, plan in plans.items() if plan.map}
    assert maps == dict.fromkeys(("Brutal Encounter", "Uncompromising Slaughter"), BattleMap(quarters=True))
    assert [n for n, c in plans.items() if "Deployment" in {s.name for s in c.sections}] == ["A War Over Nothing"]


def test_two_warbands_use_every_shape_of_weapon() -> None:
    fighters = [card for card in all_of(Fighter).values() if isinstance(card, Fighter)]
    assert {weapon.shape for fighter in fighters for weapon in fighter.weapons} == set(SHAPES)
    assert {fighter.elite for fighter in fighters} == {True, False}
    assert {fighter.alliance for fighter in fighters} == {"order", "chaos"}
    warbands = [card for card in all_of(Warband).values() if isinstance(card, Warband)]
    assert {warband.name: warband.points for warband in warbands} == {"The Last Lanterns": 975, "The Ember Choir": 995}
    named = {member.fighter for warband in warbands for member in warband.members}
    assert named == {fighter.id for fighter in fighters}


def test_factions_have_one_alliance_and_a_name() -> None:
    assert len(FACTIONS) == 57 == sum(map(len, FACTIONS_OF.values()))
    alliance_of = Settings().alliance_of
    assert alliance_of("iron-golem") == alliance_of("chaos") == "chaos"
    assert alliance_of("circus") == ""
    assert (name_of("icon-bearer"), name_of("dog-walker")) == ("Icon Bearer", "Dog Walker")


def test_an_alternative_is_chosen_by_name_or_id() -> None:
    members = ({"fighter": "asha"},)
    assert Warband.model_validate({"name": "A", "members": members, "choice": "Red Blood"}).choice_id == "red-blood"
    assert Warband.model_validate({"name": "A", "members": members}).choice_id == ""
    trait = Trait.model_validate({"name": "T", "runemark": "chaos", "choices": [{"name": "Red Blood", "text": "It."}]})
    assert trait.choices[0].id == "red-blood"
