"""Situations of the sample disks that a rules lawyer worked out by hand from the player's reference alone."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.diskwars import RULESET
from tests.cases import each_case
from tests.rulesets.diskwars.referee.battle.players import library
from tests.rulesets.diskwars.referee.cases import F, card, case, figures

OUT, FRESH = "casualty", "0 damage"
HIT, CRITICAL, SCATTER, MISS, CHAOS = ({"battle-die": face} for face in ("hit", "critical", "scatter", "miss", "chaos"))
# Keys of situations that name one card, and those that name several.
ONE = ("attacker", "target", "mover", "caster", "user", "disk", "terrain", "above", "beneath", "a", "b")
SEVERAL = ("attackers", "defenders", "disks", "nearby")
NAMES = {each["name"]: each for kind in ("disk", "terrain") for each in library(kind)}
Situation = tuple[str, dict[str, Any], dict[str, Any], dict[tuple[str, str], Any]]


def _named(word: str) -> dict[str, Any]:
    """Return the only sample card whose name contains a word."""
    (card,) = [card for name, card in NAMES.items() if word in name]
    return card


def _case(trial: str, keys: dict[str, Any], rulings: dict[str, str]) -> Any:
    policy = keys.pop("policy", None)
    values = {key: _named(value) if key in ONE else tuple(map(_named, value)) if key in SEVERAL else value
              for key, value in keys.items()}  # fmt: skip
    return case(trial, rulings, policy, **values)


MELEE: list[Situation] = [
    # Ida is swift, and her 4 remove the brutes before they counter.
    ("melee", {"attackers": ["Ida", "Pikes"], "defenders": ["Brutes"]}, {}, {("Brutes", OUT): 1, ("Ida", FRESH): 1}),
    # Marrow is slow and takes half of 3; his 5 wound her once, and leave no damage.
    ("melee", {"attackers": ["Marrow"], "defenders": ["Ida"]}, {}, {("Marrow", "2 damage"): 1, ("Ida", "1 wound"): 1}),
    # Frenzy strikes all three; the scouts counter with it, and slow Slag after it.
    ("melee", {"attackers": ["Brutes"], "defenders": ["Otter", "Otter", "Slag"]}, {},
     {("Otter Scouts 1", OUT): 1, ("Otter Scouts 2", OUT): 1, ("Slag", "4 damage"): 1, ("Brutes", OUT): 1}),
    ("melee", {"attackers": ["Otter", "Thralls"], "defenders": ["Ida"]}, {},
     {("Otter", OUT): 1, ("Thralls", FRESH): 1, ("Ida", "1 damage"): 1}),
    # 4 and 2 of the same moment are one wound.
    ("melee", {"attackers": ["Brutes", "Rats"], "defenders": ["Ida"], "policy": {"targets": "strongest"}}, {},
     {("Brutes", "3 damage"): 1, ("Rats", FRESH): 1, ("Ida", "1 wound"): 1}),
    # Swift 3 and then 4 remove Slag before her slow counter.
    ("melee", {"attackers": ["Heron", "Brutes"], "defenders": ["Slag"]}, {},
     {("Slag", OUT): 1, ("Heron", FRESH): 1, ("Brutes", FRESH): 1}),
    # Half of 6 + 1, rounded up.
    ("melee", {"attackers": ["Giant"], "defenders": ["Marrow"], "empowered": "attackers"}, {},
     {("Marrow", "4 damage"): 1, ("Giant", "4 damage"): 1}),
    # Each strength is halved on its own: 3 and 2 are a wound.
    ("melee", {"attackers": ["Giant", "Brutes"], "defenders": ["Marrow"]}, {},
     {("Marrow", "1 wound"): 1, ("Brutes", OUT): 1, ("Giant", FRESH): 1}),
    ("melee", {"attackers": ["Vesh"], "defenders": ["Marrow"]}, {},
     {("Marrow", f"{number} damage"): F(1, 3) for number in (1, 2, 3)} | {("Vesh", "1 wound"): 1}),
    ("melee", {"attackers": ["Wisps"], "defenders": ["Brutes"]}, {}, {("Wisps", FRESH): 1, ("Brutes", "1 damage"): 1}),
    # A disk that can deal damage must, so it cannot choose the one that is immune.
    ("melee", {"attackers": ["Giant"], "defenders": ["Wisps", "Pikes"], "policy": {"targets": "any"}}, {},
     {("Pikes", OUT): 1, ("Wisps", FRESH): 1, ("Giant", "4 damage"): 1}),
    # The swift of the chapel cancels slow, so she counters before she leaves.
    ("melee", {"attackers": ["Brutes", "Rats"], "defenders": ["Slag"], "beneath": "Chapel"}, {},
     {("Slag", OUT): 1, ("Rats", OUT): 1, ("Brutes", FRESH): 1}),
    # Two swift counters of 3 remove the slow wagon.
    ("melee", {"attackers": ["Sluice"], "defenders": ["Pikes", "Pikes"]}, {},
     {("Sluice", OUT): 1, ("Reed Pikes 1", FRESH): 1, ("Reed Pikes 2", FRESH): 1}),
    ("melee", {"attackers": ["Wisps"], "defenders": ["Lamm"], "empowered": "both"}, {},
     {("Wisps", FRESH): 1, ("Lamm", "2 damage"): 1}),
    ("melee", {"attackers": ["Heron"], "defenders": ["Otter", "Pikes"]}, {}, {("Otter", OUT): 1, ("Heron", OUT): 1}),
    # Empowered pikes strike first: 4 wound Vesh, whose die needs a 4.
    ("melee", {"attackers": ["Vesh"], "defenders": ["Pikes"], "empowered": "defenders"}, {},
     {("Vesh", "1 wound"): 1, ("Pikes", OUT): F(1, 2)}),
    ("scrum", {"disks": ["Rats", "Pikes", "Thralls"]}, {},
     {("Rats", OUT): 1, ("Pikes", "1 damage"): 1, ("Thralls", "1 damage"): 1}),
    # The brutes leave before they attack; the engagement below them is still fought.
    ("scrum", {"disks": ["Ida", "Brutes", "Otter", "Rats"]}, {},
     {("Brutes", OUT): 1, ("Rats", OUT): 1, ("Otter", "1 damage"): 1, ("Ida", FRESH): 1}),
    ("scrum", {"disks": ["Brutes", "Ida", "Rats"]}, {},
     {("Brutes", "3 damage"): 1, ("Ida", "1 wound"): 1, ("Rats", OUT): 1}),
    ("duel", {"a": "Ida", "b": "Slag"}, {}, {("Ida Fenn goes first", "Mother Slag wins"): 1}),
]  # fmt: skip
SHOTS: list[Situation] = [
    # At siege range only criticals: 5/6 that the d6 is enough for one, 1/6 that two are needed.
    ("attack", {"attacker": "Sluice", "target": "Rats", "weapon": "Great Sling", "distance": "siege"}, HIT,
     {("Rats", OUT): F(157, 432)}),
    ("attack", {"attacker": "Sluice", "target": "Wisps", "weapon": "Grapnel"}, HIT, {("Wisps", OUT): F(1, 2)}),
    ("attack", {"attacker": "Slingers", "target": "Thralls", "cover": True, "distance": "medium"}, CRITICAL,
     {("Thralls", "1 damage"): F(1, 2), ("activation token", "gets a token"): F(1, 3)}),
    # Half of 1, rounded up, is 1.
    ("attack", {"attacker": "Thralls", "target": "Slag"}, HIT,
     {("Slag", FRESH): F(1, 4), ("Slag", "1 damage"): F(1, 2), ("Slag", "2 damage"): F(1, 4)}),
    # 2 damage of 5 and 1 wound of 2; hits of one d6, halved, strike one after another.
    ("attack", {"attacker": "Giant", "target": "Marrow", "damage": 2, "wounds": 1}, MISS,
     {("Marrow", "2 damage, 1 wound"): F(4, 9), ("Marrow", "3 damage, 1 wound"): F(4, 27),
      ("Marrow", "4 damage, 1 wound"): F(5, 27), ("Marrow", "2 wounds"): F(5, 27),
      ("Marrow", "3 damage, 2 wounds"): F(1, 27)}),
    ("attack", {"attacker": "Slingers", "target": "Rats", "nearby": ["Otter"]}, SCATTER,
     {("Otter Scouts, after scatter", OUT): F(1, 81), ("scatter: hits and", "1 or more"): F(17, 81)}),
    ("attack", {"attacker": "Sluice", "target": "Brutes", "weapon": "Great Sling", "distance": "siege",
                "nearby": ["Slag"]}, HIT, {("scatter: hits and", "1 or more"): F(3781, 46656)}),
    ("attack", {"attacker": "Slingers", "target": "Brutes", "empowered": True, "damage": 3}, HIT,
     {("Brutes", OUT): F(1, 4), ("Brutes", "4 damage"): F(1, 2)}),
    # Cover leaves one die; the d6 needs 4 against toughness 3 + 1, and the wound is the last.
    ("attack", {"attacker": "Giant", "target": "Lamm", "cover": True, "empowered": True, "wounds": 1}, HIT,
     {("Lamm", OUT): F(1, 4)}),
    ("unstable", {"user": "Thralls", "target": "Pikes", "damage": 2, "type": "arcane"}, CHAOS,
     {("Thralls", "2 damage"): F(1, 3), ("Pikes", "2 damage"): 1}),
]  # fmt: skip
MOVES: list[Situation] = [
    ("impact", {"mover": "Giant", "target": "Pikes", "flips": 2, "friend": True}, {}, {("", OUT): 1}),
    ("impact", {"mover": "Heron", "target": "Marrow"}, {}, {("", "1 damage"): 1}),
    ("impact", {"mover": "Giant", "target": "Hounds"}, {}, {("", FRESH): 1}),
    ("impact", {"mover": "Giant", "target": "Ida", "terrain": "Dyke Wall"}, {}, {("", FRESH): 1}),
    # Fortified names impact damage, whatever the ruling says of other cards.
    ("impact", {"mover": "Giant", "target": "Ida", "terrain": "Dyke Wall"}, {"immune-to": "types"}, {("", FRESH): 1}),
    ("dangerous", {"disk": "Ida", "terrain": "Quaking"}, {}, {("", "1 wound"): F(1, 2), ("", "3 damage"): F(1, 6)}),
    ("dangerous", {"disk": "Marrow", "terrain": "Quaking", "reinforces": True}, {},
     {("", f"{number} damage"): F(1, 3) for number in (1, 2, 3)}),
    ("dangerous", {"disk": "Hounds", "terrain": "Quaking", "flips": 2}, {}, {("", FRESH): 1}),
    ("dangerous", {"disk": "Hounds", "terrain": "Quaking", "reinforces": True}, {}, {("", OUT): F(5, 6)}),
    ("dangerous", {"disk": "Crows", "terrain": "Witch", "stops": True}, {}, {("", OUT): F(5, 6)}),
    ("dangerous", {"disk": "Crows", "terrain": "Witch", "flips": 2}, {}, {("", FRESH): 1}),
    ("dangerous", {"disk": "Wisps", "terrain": "Quaking", "stops": True}, {}, {("", FRESH): 1}),
    ("magic", {"caster": "Lamm", "target": "Slag"}, {}, {("", "1 damage"): 1}),
    ("magic", {"caster": "Lamm", "target": "Slag", "damage": 4}, {}, {("", OUT): 1}),
    ("magic", {"caster": "Lamm", "target": "Slag", "damage": 4, "empowered": True}, {}, {("", "5 damage"): 1}),
    ("magic", {"caster": "Lamm", "target": "Giant", "damage": 4}, {}, {("", "1 wound"): 1}),
    ("magic", {"caster": "Lamm", "target": "Giant", "damage": 4, "wounds": 1}, {}, {("", OUT): 1}),
    ("impact", {"mover": "Giant", "target": "Pikes", "damage": 1}, {}, {("", OUT): 1}),
    ("impact", {"mover": "Giant", "target": "Pikes", "damage": 1, "empowered": True}, {}, {("", "3 damage"): 1}),
    ("impact", {"mover": "Giant", "target": "Ida", "damage": 2, "wounds": 1}, {}, {("", OUT): 1}),
    ("dangerous", {"disk": "Ida", "terrain": "Quaking", "empowered": True}, {}, {("", "1 wound"): F(1, 3)}),
    ("initiative", {"unspent_a": 3, "unspent_b": 1}, {}, {("", "player A wins"): F(13, 16)}),
]  # fmt: skip


@each_case("situation", [*MELEE, *SHOTS, *MOVES], ids=lambda each: " ".join(map(str, each[1].values())))
def test_odds(situation: Situation) -> None:
    trial, keys, rulings, chances = situation
    table = figures(_case(trial, {**keys}, rulings))
    for (disk, state), chance in chances.items():
        found = {value for (title, words), value in table.items() if words == state and disk in title}
        assert found == {chance}, (disk, state)


@pytest.mark.parametrize(
    ("trial", "keys", "reason"),
    [
        ("attack", {"attacker": "Sluice", "target": "Wisps", "weapon": "Great Sling"}, "immune"),
        ("attack", {"attacker": "Thralls", "target": "Slag", "distance": "medium"}, "reaches short range"),
        ("magic", {"caster": "Wisps", "target": "Lamm"}, "immune"),
        ("impact", {"mover": "Heron", "target": "Rats", "flips": 2}, "not relentless"),
        ("dangerous", {"disk": "Ida", "terrain": "Quaking", "flips": 5}, "movement 4, so it cannot make 5 flips"),
        ("magic", {"caster": "Lamm", "target": "Rats", "damage": 2}, "would be a casualty with 2 damage"),
        ("impact", {"mover": "Heron", "target": "Rats", "wounds": 1}, "would be a casualty with 0 damage and 1 wound"),
    ],
)
def test_what_is_not_allowed_is_refused(trial: str, keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        figures(_case(trial, {**keys}, {}))


@pytest.mark.parametrize(
    ("strategies", "rulings", "order"),
    [
        ("bold devious steady", {}, (1, 0, 2)),
        ("slow slow devious", {}, (2, 1, 0)),
        ("slow slow devious", {"slow-cards": "initiative"}, (2, 0, 1)),
        ("slow slow", {}, (0, 1)),
        ("bold slow slow", {}, (0, 1, 2)),
        ("slow steady slow slow", {}, (1, 2, 3, 0)),
        ("steady bold bold slow", {}, (1, 2, 0, 3)),
        ("devious bold devious steady", {}, (3, 0, 1, 2)),
        ("devious bold devious steady", {"several-cards": "compared"}, (3, 0, 2, 1)),
    ],
)
def test_orders_of_command_cards(strategies: str, rulings: dict[str, str], order: tuple[int, ...]) -> None:
    words: dict[str, Any] = dict(zip(("first", "second", "third", "fourth"), strategies.split(), strict=False))
    table = figures(case("order", rulings, **words))
    players = ("first player", "second player", "third player", "fourth player")
    assert [table[f"card {place}", players[who]] for place, who in enumerate(order, 1)] == [1] * len(order)


@pytest.mark.parametrize(("setting", "chance"), [("strike", F(5, 6)), ("start", F(1, 2))])
def test_when_players_choose_beside_swift_disks(setting: str, chance: F) -> None:
    """A swift d6 removes the first target 2 times in 3; then the other attacker takes the other one, or had chosen.

    Each of the two is the first target half of the time, and is sure to leave then.
    """
    attackers = (card("A", attack="d6", swift="attack"), card("D", attack="3"))
    table = figures(case("melee", {"melee-choice": setting}, attackers=attackers, defenders=(card("B"), card("C"))))
    assert (table["B", OUT], table["C", OUT]) == (chance, chance)


@pytest.mark.parametrize(("setting", "chance"), [("safe", 0), ("hurt", F(1, 2))])
def test_a_strider_that_flies_is_still_a_strider_where_it_stops(setting: str, chance: F) -> None:
    disk = card("A", toughness=4, keywords=("flying", "strider"))
    matter = case("dangerous", {"strider-rest": setting}, disk=disk, terrain=_named("Quaking"), stops=True)
    assert sum(value for (_, state), value in figures(matter).items() if state == OUT) == chance


def test_a_critical_hit_after_scatter_activates_a_disk_that_is_immune() -> None:
    """U42: immune keeps off damage and targeting, and the ruling says what is left."""
    shooter = card("S", ranged=[{"name": "Bow", "missile": 1, "range": "long", "strength": "2"}])
    near = card("C", immune=("physical",))
    table = figures(case("attack", SCATTER, attacker=shooter, target=card("B"), nearby=(near,)))
    assert table["C, after scatter", FRESH] == 1
    assert table["C, after scatter: activation token", "gets a token"] == F(1, 18)
    (ruling,) = (each for each in RULESET.rulings if each.id == "immune-scatter")
    assert "activation token for a critical hit" in ruling.settings["nothing"]


def test_copies_near_the_target_have_names_of_their_own() -> None:
    table = figures(_case("attack", {"attacker": "Slingers", "target": "Rats", "nearby": ["Rats"]}, SCATTER))
    assert table["Tin Rats 1", OUT] == F(1, 9)
    assert table["Tin Rats 2, after scatter", OUT] == F(1, 81)


@pytest.mark.parametrize(("damage", "wounds", "words"), [(0, 1, "0 damage and 1 wound$"), (2, 0, "0 wounds$")])
def test_a_casualty_is_no_target(damage: int, wounds: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        figures(_case("attack", {"attacker": "Slingers", "target": "Rats", "damage": damage, "wounds": wounds}, HIT))


def test_copies_that_act_and_are_acted_on_have_names_of_their_own() -> None:
    """Otherwise, nobody could tell which of the two a result is about."""
    title = _case("attack", {"attacker": "Slingers", "target": "Slingers", "nearby": ["Slingers"]}, SCATTER)
    assert title.title == "Bell Slingers 1 shoots at Bell Slingers 2 with Slings"
    assert ("Bell Slingers 3, after scatter", OUT) in figures(title)
    assert (
        _case("magic", {"caster": "Wisps", "target": "Wisps"}, {}).title
        == "Magic of Lantern Wisps 1 on Lantern Wisps 2"
    )
    assert (
        _case("impact", {"mover": "Heron", "target": "Heron"}, {}).title == "impact of Heron Riders 1 on Heron Riders 2"
    )
