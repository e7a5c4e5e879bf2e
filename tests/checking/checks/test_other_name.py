"""Texts that were copied from another card with its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked
from tests.projects import Folder

RELICS = "kind: relic\ncards:\n  - {name: Sun Stone, text: Shine.}\n  - {name: The Old Bell, text: Ring.}\n"
DISK = "kind: disk, disk: small, faction: order, cost: 3, attack: 1, counter: 2, toughness: 3, movement: 3"
OWN_GAME = """game: pond
name: Pond
prefix: PN
kinds:
  frog: {fields: {croak: {type: text, aspect: rules}}, example: {croak: Loud.}}
"""


def found(folder: Path, cards: str) -> list[str]:
    result = checked(folder, cards, request=CheckRequest(select=("CG209",)))
    return [each.diagnostic.message for each in result.findings]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Sun Stone heals 1 Wound.", "Sun Stone"),
        ("When the *Sun Stone* is lost, heal 1 Wound.", "Sun Stone"),
        ("Heal 1 Wound. Sun Stone's light fades.", "Sun Stone"),
        ("Whenever The Old Bell rings, heal 1 Wound.", "The Old Bell"),
        ("Friends of Sun Stone heal 1 Wound.", ""),
        ("If Sun Stone is in your Warband, heal 1 Wound.", ""),
        ("Sun Stone and Ash Whistle heal 1 Wound.", ""),
        ("Sun Stone hears the whistle.", ""),
        ("Sun Stones heal 1 Wound.", ""),
        ("Moon Stone heals 1 Wound.", ""),
    ],
)
def test_a_clause_about_another_card(text: str, other: str, tmp_path: Path) -> None:
    said = [f"this text is about '{other}', another relic, and does not mention 'Ash Whistle'"] if other else []
    assert found(tmp_path, f'{RELICS}  - {{name: Ash Whistle, text: "{text}"}}\n') == said


def test_a_motto_and_cards_of_another_kind_may_be_named(tmp_path: Path) -> None:
    cards = f"""game: diskwars
cards:
  - {{{DISK}, name: Slab Walker}}
  - {{{DISK}, name: Rubble Golem, motto: Slab Walker is slow.}}
  - {{kind: command, name: Hold, strategy: steady, activation: 2, text: Slab Walker takes 1 physical damage.}}
"""
    assert found(tmp_path, cards) == []


def test_parts_of_cards_are_read(tmp_path: Path) -> None:
    golem = 'name: Rubble Golem, ability: "When it rolls chaos, the Slab Walker takes 1 physical damage."'
    cards = f"game: diskwars\ncards:\n  - {{{DISK}, name: Slab Walker}}\n  - {{{DISK}, {golem}}}\n"
    assert found(tmp_path, cards) == [
        "this text is about 'Slab Walker', another disk, and does not mention 'Rubble Golem'"
    ]


def test_own_games(folder: Folder) -> None:
    folder.write("games/pond/game.yaml", OWN_GAME)
    folder.write("cardgen.yaml", "game: pond\n")
    cards = "kind: frog\ncards:\n  - {name: Old Green, croak: Loud.}\n  - {name: Fat Tom, croak: Old Green jumps.}\n"
    assert found(folder.root, cards) == ["this text is about 'Old Green', another frog, and does not mention 'Fat Tom'"]
