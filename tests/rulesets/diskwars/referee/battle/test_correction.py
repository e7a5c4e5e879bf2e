"""Abilities that are always active: the tracker plays those that are data; players correct it for the others."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.rounds import DeckCard
from cardgen.rulesets.diskwars.referee.battle.battle import activation_phase, end_phase, melee_phase
from cardgen.rulesets.diskwars.referee.battle.correction import CORRECTS, correct, table_texts, texts_in_force
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table, act, gifts, receive, reinforce
from cardgen.rulesets.diskwars.referee.disk import Harm, Health, Terrain
from tests.rulesets.diskwars.referee.battle.players import (
    Chance,
    Script,
    battle,
    library,
    piece,
    played,
    run_with,
    table_of,
    texts,
)
from tests.rulesets.diskwars.referee.battle.test_battle_phases import command, with_hands
from tests.rulesets.diskwars.referee.cases import ranged


def card_of(kind: str, name: str) -> DeckCard:
    return next(DeckCard(name, each) for each in library(kind) if each["name"] == name)


def scenario(table: Table, *rules: tuple[str, str, int], ability: str = "Rules.") -> Table:
    bonuses = [{"stat": stat, "whom": whom, "amount": amount} for stat, whom, amount in rules]
    table.shared = [DeckCard("Rules", {"name": "Rules", "ability": ability, "bonuses": bonuses})]
    return table


def test_heroes_of_cut_off_the_head_have_more_toughness() -> None:
    """P5 and S6: the ability of the active scenario is in force."""
    hero, unit = piece(0, "Hero", role="hero", toughness=2), piece(0, "Unit", toughness=2)
    table = table_of(hero, unit, piece(1, "B"))
    table.shared = [card_of("scenario", "Cut Off the Head")]
    run_with(table.hurt([(hero, Harm(2)), (unit, Harm(2))]), Script())
    assert (hero.is_present, unit.is_present) == (True, False)
    assert list(table_texts(table)) == []


def test_a_sentence_that_is_not_read_beside_effects_is_not_adjudicated() -> None:
    """The effects are played; what the sentence says besides is for the players."""
    table = table_of(piece(0, "A"), piece(1, "B"))
    scenario(table, ("counter", "heroes", 1), ability="Heroes have 1 more counter strength. Mist lies everywhere.")
    assert list(table_texts(table)) == ["Rules: Mist lies everywhere."]
    read, unread = "Deal 2 damage to an enemy disk.", "Deal 2 damage to an enemy hero."
    table.shared = []
    for text, left in ((read, []), (unread, [f"Oil: {unread}"])):
        effects = [{"name": "Oil", "do": "damage", "whom": "enemy", "within": "any", "amount": "2"}]
        table.players[0].cards = [DeckCard("Oil", {"name": "Oil", "battle": text, "battle_effects": effects})]
        assert list(texts_in_force(table)) == left


def test_rules_of_a_scenario_change_numbers() -> None:
    hero = piece(0, "Hero", attack="2", counter="d6", role="hero", movement=4)
    hurt = piece(0, "Hurt", attack="1", movement=1, toughness=1, health=Health(wounds=1))
    table = scenario(
        table_of(hero, hurt, piece(1, "B")), ("attack", "heroes", 1), ("counter", "all", -1),
        ("movement", "wounded", -2), ("stamina", "units", 2), ("toughness", "wounded", -3),
    )  # fmt: skip
    profiles = [table.profile(each).at(each.health) for each in (hero, hurt)]
    assert [(each.attack.number, each.counter.number, each.stamina) for each in profiles] == [(3, -1, 0), (1, -1, 2)]
    assert [table.movement(each) for each in (hero, hurt)] == [4, 0]
    assert profiles[0].toughness == 99


@pytest.mark.parametrize("step", [1, -1])
def test_rules_of_a_scenario_are_added_up_in_any_order(step: int) -> None:
    hero = piece(0, "Hero", role="hero", movement=2, stamina=2, toughness=2)
    rules = [(stat, *each) for stat in ("movement", "stamina", "toughness") for each in (("all", -3), ("heroes", 2))]
    table = scenario(table_of(hero, piece(1, "B")), *rules[::step])
    assert (table.movement(hero), table.profile(hero).stamina, table.profile(hero).toughness) == (1, 1, 1)


def test_a_passive_ability_is_added_before_movement_ends_at_0() -> None:
    bird = piece(0, "A", movement=1, keywords={"flying"})
    table = scenario(table_of(bird, piece(1, "B")), ("movement", "all", -3))
    table.players[0].cards = [DeckCard("Wind", {"bonuses": [{"stat": "movement", "amount": 1, "when": "light"}]})]
    assert table.movement(bird) == 0


@pytest.mark.parametrize("is_empowered", [False, True])
def test_any_damage_wounds_a_disk_whose_toughness_a_scenario_takes(is_empowered: bool) -> None:
    """Toughness 1 less 1, and an empowerment token: one damage token is as much as its toughness."""
    who = piece(0, "A", toughness=1, health=Health(is_empowered=is_empowered))
    table = scenario(table_of(who, piece(1, "B")), ("toughness", "units", -1))
    run_with(end_phase(table), Script())
    assert who.is_present
    who.health = Health(is_empowered=is_empowered)
    run_with(table.hurt([(who, Harm(1))]), Script())
    assert who.is_lost


def test_a_wound_counts_from_the_moment_when_it_is_taken() -> None:
    """The swift attacker wounds the disk, which then counters with the strength of a wounded one."""
    lower = piece(1, "B", counter="1", toughness=2, stamina=1)
    upper = piece(0, "A", lower, attack="2", swift={"attack"})
    table = scenario(table_of(upper, lower), ("counter", "wounded", 2))
    run_with(melee_phase(table), Script())
    assert (upper.health.damage, lower.health) == (3, Health(wounds=1))


def test_the_second_hit_of_a_shot_finds_a_wounded_disk() -> None:
    foe = piece(1, "B", toughness=2, stamina=2, health=Health(1))
    table = scenario(table_of(who := piece(0, "A", ranged=(ranged(2, "1"),)), foe), ("toughness", "wounded", -1))
    run_with(act(table, who), Script([1, 1], action="shoots", target="B", range="short"))
    assert foe.health == Health(wounds=2)


def test_a_wound_on_the_way_shortens_a_move() -> None:
    """A disk that has a wound token has 1 less movement, so the wound after its third flip is the end of its move."""
    who = piece(0, "A", movement=4, toughness=2, stamina=1)
    table = scenario(table_of(who, piece(1, "B"), terrain=(Terrain("Fire", frozenset(), "arcane", frozenset()),)),
                     ("movement", "wounded", -1))  # fmt: skip
    script = Script([2], action="moves", flips=[3, 1], on=[("Fire",), ()])
    run_with(act(table, who), script)
    assert who.health == Health(wounds=1, is_activated=True)
    assert [each.high for each in script.of("flips")] == [4]


def test_a_counter_that_is_lowered_below_0_hurts_nobody() -> None:
    upper, lower = piece(0, "A", attack="1"), piece(1, "B")
    upper.beneath = [lower]
    table = scenario(table_of(upper, lower), ("counter", "all", -3))
    run_with(melee_phase(table), Script())
    assert (upper.health.damage, lower.health.damage) == (0, 1)


def test_all_terrain_of_high_water_is_rough() -> None:
    table = table_of(piece(0, "A"), piece(1, "B"))
    table.shared = [card_of("scenario", "High Water")]
    assert table.terrain_of({"kind": "terrain", "name": "Hill", "keywords": ["cover"]}).keywords == {"cover", "rough"}


def late(zone: str, **keys: Any) -> tuple[Table, Piece]:
    """Return a table with a disk in reserve, whose player has a zone without an ability and one of a sample card."""
    who = piece(0, "A", **keys)
    who.place = "reserve"
    table = table_of(who, piece(1, "B"))
    table.zones = {0: {"Vanguard": [card_of("deployment", "Vanguard")], zone: [card_of("deployment", zone)]}}
    return table, who


@pytest.mark.parametrize(
    ("zone", "choice", "health"),
    [
        ("Ferry Landing", "Ferry", Health()),
        ("Ferry Landing", "Vanguard", Health(is_activated=True)),
        ("Reserve Line", "Reserve", Health(is_activated=True, is_empowered=True)),
    ],
)
def test_what_disks_get_that_reinforce_in_a_zone(zone: str, choice: str, health: Health) -> None:
    """S10 and V4."""
    table, who = late(zone)
    script = Script(zone=choice)
    run_with(reinforce(table, who), script)
    assert who.health == health
    assert script.of("zone")[0].options == ("Vanguard", zone)


def test_a_zone_is_only_asked_for_if_it_matters() -> None:
    for table, who, flank in ((*late("Hidden Path"), "no"), (*late("Ferry Landing", keywords={"flank"}), "yes")):
        script = Script(flank=flank)
        run_with(reinforce(table, who), script)
        assert script.of("zone") == []
        assert who.health.is_activated


def test_disks_that_are_deployed_on_the_hidden_path_scout() -> None:
    """S10, K10, and K11: those that reinforce there do not."""
    table, who = late("Hidden Path")
    assert gifts(table.zones[0]["Hidden Path"], "reinforced") == []
    run_with(receive(who, gifts(table.zones[0]["Hidden Path"], "deployed")), Script())
    assert who.disk.keywords == {"scout"}
    path = [each for each in library("deployment") if each["name"] == "Hidden Path"]
    paths = tuple({**path[0], "name": f"Path {number}"} for number in range(4))
    lines = texts(played(battle(deployments=paths, rounds=1), Chance(1))[1])
    deployed = {line.removesuffix(": scout") for line in lines if line.endswith(": scout")}
    assert len(deployed) == 12
    assert {line.removesuffix(" scouts") for line in lines if line.endswith(" scouts")} >= deployed - {"Heron Riders"}


def test_texts_that_are_not_played_are_told_at_the_start() -> None:
    script = Script(terrain=[("Witch Light", "Beacon Hill")])
    lines = texts(played(battle(deployed=True, rounds=1), script)[1])
    told = [line for line in lines if line.startswith("not adjudicated: ")]
    text = "A disk that overlaps the Witch Light can be the target of ranged attacks at any range."
    assert told == [f"not adjudicated: Witch Light: {text}"]
    fog = tuple(
        each for each in library("scenario") if each["name"] in ("Fog on the Fen", "Long Night", "Toll of the Fen")
    )
    dams = tuple({**each, "name": f"Dam {number}"} for number in range(4) for each in library("deployment")
                 if each["name"] == "Narrow Dam")  # fmt: skip
    lines = texts(played(battle(scenarios=fog, deployments=dams, terrain=(), rounds=1), Chance(2))[1])
    told = [line.split(": ")[1] for line in lines if line.startswith("not adjudicated: ")]
    active = next(line for line in lines if line.startswith("active scenario: ")).split(": ")[1].split(".")[0]
    assert sorted(told) == sorted(
        [*([active] if active != "Toll of the Fen" else []), *[f"Dam {number}" for number in range(4)]]
    )


TOWER = Terrain("Tower", frozenset(), "", frozenset(), "Its controller is first.")


@pytest.mark.parametrize(("terrain", "asked"), [((TOWER,), 1), ((TOWER._replace(ability=""),), 0)])
def test_players_say_whose_card_is_first_if_a_text_can_decide(terrain: tuple[Terrain, ...], asked: int) -> None:
    table = with_hands(table_of(piece(0, "A"), piece(1, "B"), terrain=terrain), [command("One")], [command("Two")])
    script = Script(resolved="Blues", action="passes", acts=["A", "B", "A"])
    run_with(activation_phase(table), script)
    assert len(script.of("resolved")) == asked
    for each in script.of("resolved"):
        assert each.what == f"whose card is next (by the rules without the texts: {each.options[0]})"
    assert script.of("acts")[0].who == ("Blues" if asked else "Reds")


def test_no_text_decides_on_cards_of_different_strategies() -> None:
    hands = [command("One")], [command("Two", "bold")]
    script = Script(action="passes")
    run_with(activation_phase(with_hands(table_of(piece(0, "A"), piece(1, "B"), terrain=(TOWER,)), *hands)), script)
    assert script.of("resolved") == []


def corrected(who: Piece, *others: Piece, **answers: Any) -> list[str]:
    return run_with(correct(table_of(who, *others, piece(1, "Foe")), "Reds"), Script(corrected=who.name, **answers))


def test_other_tokens() -> None:
    who = piece(0, "A", toughness=3, stamina=1, health=Health(2))
    answers = {"correction": "other tokens", "tokens": [("empowered",)], "damage": 3, "wounds": 1}
    assert corrected(who, **answers) == ["corrected: A (3 damage, 1 wound, empowered)"]
    assert who.health == Health(3, 1, is_empowered=True)


def test_damage_of_a_casualty_is_no_correction_of_tokens() -> None:
    who, script = piece(0, "A", toughness=3), Script(corrected="A", correction="other tokens")
    run_with(correct(table_of(who, piece(1, "Foe")), "Reds"), script)
    assert {each.who for each in script.asked} == {"Reds"}
    assert [(each.low, each.high) for each in (*script.of("damage"), *script.of("wounds"))] == [(0, 2), (0, 0)]


def test_a_casualty_and_its_return() -> None:
    who, mate = piece(0, "A", toughness=3), piece(0, "B")
    assert corrected(who, mate, correction="is a casualty")[0] == "A becomes a casualty"
    assert not who.is_present
    corrected(who, mate, on=[("B",)], damage=1)
    assert (who.place, who.health, who.beneath) == ("field", Health(1), [mate])


def test_another_place() -> None:
    low, who = piece(0, "B"), piece(0, "A")
    who.beneath = [low]
    corrected(who, low, correction="lies elsewhere", on=[("Foe",)])
    assert [each.name for each in who.beneath] == ["Foe"]


@pytest.mark.parametrize("ability", ["", "Nobody counters."])
def test_corrections_are_offered_while_a_text_is_in_force(ability: str) -> None:
    upper, lower = piece(0, "A", attack="1"), piece(1, "B", counter="1")
    upper.beneath = [lower]
    table = scenario(table_of(upper, lower), ability=ability)
    assert bool(list(texts_in_force(table))) == bool(ability)
    script = Script(
        engagement="A on B", melee=[CORRECTS, "ends"], corrected=["A"], correction="other tokens", damage=0, wounds=0
    )
    run_with(melee_phase(table), script)
    assert upper.health.damage == (0 if ability else 1)
    assert lower.health.damage == 1
    assert len(script.of("melee")) == (2 if ability else 0)


def test_a_text_of_a_disk_or_of_a_card_in_play_can_be_corrected_during_activations() -> None:
    card = command("One", passive="Your disks have 1 more counter strength.")
    table = with_hands(table_of(piece(0, "A"), piece(1, "B")), [card], [])
    script = Script(acts=[CORRECTS, "A"], corrected="A", correction="other tokens", damage=2, action="passes")
    run_with(activation_phase(table), script)
    assert table.models[0].health == Health(2, is_activated=True)
    assert [each.what for each in script.of("acts")] == ["who acts with One, 1 activation left"] * 2
