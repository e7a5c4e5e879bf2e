"""The sample cards use everything that the game has, and say that they are invented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.army import Settings

CARDS = Path(__file__).parents[3] / "cards" / "diskwars"
PLAIN = {"flank", "flying", "frenzy", "mobile", "relentless", "scout", "strider"}
TERRAIN = {"blocks-sight", "cover", "fortified", "high-ground", "rough"}
STATES = {
    "First Player", "Initiative 2", "Initiative 3", "Initiative 4", "Activation", "Battle Ability", "Damage", "Wound",
    "Empowerment",
}  # fmt: skip


def cards(kind: str) -> Iterator[dict[str, Any]]:
    for path in sorted(CARDS.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield from (card for card in data["cards"] if card.get("kind", data.get("kind")) == kind)


def test_every_keyword_is_on_a_disk() -> None:
    disks = list(cards("disk"))
    assert {word for disk in disks for word in disk.get("keywords", [])} == PLAIN
    for key in ("impact", "magic", "immune", "resistant", "stamina", "focus", "ability", "ranged"):
        assert any(disk.get(key) for disk in disks), key
    for key in ("swift", "slow"):
        assert {disk[key] for disk in disks if key in disk} == {"attack", "counter", "both"}
    shots = " ".join(str(line) for disk in disks for shot in disk.get("ranged", []) for line in shot.values())
    assert all(word in shots.split() for word in ("short", "medium", "long", "siege", "d6", "arcane", "true-damage"))
    assert {disk["disk"] for disk in disks} == {"small", "medium", "large"}
    assert {disk.get("mark") for disk in disks} == {None, "unique", "elite"}


def test_commands_and_terrain_use_everything() -> None:
    commands, terrain = list(cards("command")), list(cards("terrain"))
    assert {card["strategy"] for card in commands} == {"bold", "steady", "devious", "slow"}
    assert all(any(card.get(key) for card in commands) for key in ("passive", "battle", "unstable", "faction"))
    assert {word for card in terrain for word in card.get("keywords", [])} == TERRAIN
    assert {card["dangerous"] for card in terrain if "dangerous" in card} == {"physical", "arcane"}
    assert any("defensive" in card for card in terrain)
    assert {card["terrain"] for card in cards("piece")} == {card["name"] for card in terrain}
    assert len({card["outline"] for card in cards("piece")}) == 6


def test_every_state_has_a_token_and_every_army_two_regiments() -> None:
    assert {card["name"] for card in cards("token")} == STATES
    armies = list(cards("army"))
    assert [len(army["regiments"]) for army in armies] == [2, 2]
    named = {unit if isinstance(unit, str) else next(iter(unit)) for army in armies for regiment in army["regiments"]
             for unit in (regiment["hero"], *regiment["units"])}  # fmt: skip
    assert named == {disk["name"] for disk in cards("disk")}


def test_files_say_that_their_cards_are_our_own() -> None:
    for path in CARDS.glob("*.yaml"):
        head = path.read_text(encoding="utf-8").splitlines()[0]
        assert "own" in head or "invented" in path.read_text(encoding="utf-8") or "Tokens" in head


def test_every_open_point_is_a_ruling_or_a_setting() -> None:
    """Open point 9, the lengths and diameters, is a setting; rulings answer the other 45, some of them several, and
    eight more what scouts do that are pinned by a friend or mobile, how damage of or to several disks counts, how often
    two resistances halve it, which of several slow cards is last, whom a hero without a race recruits, and whether
    abilities move disks onto enemies.
    """
    assert len(RULESET.rulings) == 70
    assert all(len(ruling.settings) >= 2 for ruling in RULESET.rulings)
    assert RULESET.settings is Settings


@pytest.mark.parametrize("block", [{"short": 200}, {"long": 100}, {"medium": 5}])
def test_ranges_are_in_order(block: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(block)
