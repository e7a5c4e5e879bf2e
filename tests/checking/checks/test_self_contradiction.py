"""Texts that take back what they give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.harness import checked

CARD = 'kind: relic\nname: Sun Stone\ntext: "{}"\n'


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Its bearer gains +1 Spirit. Its bearer loses 1 Spirit.", True),
        ("Its bearer gets +2 Body and -2 body.", True),
        ("Its bearer gains +1 Spirit and loses 2 Spirit.", False),
        ("Its bearer gains +1 Spirit and loses 1 Mind.", False),
        ("Its bearer gains +1 Spirit, and the enemy loses 1 Spirit.", False),
        ("Its bearer gains +1 Spirit and loses 1 Spirit if it is hit.", False),
        ("Its bearer gains +1 Spirit until it loses 1 Spirit.", False),
    ],
)
def test_the_same_of_the_same(text: str, is_found: bool, tmp_path: Path) -> None:
    codes = {one.check.code for one in checked(tmp_path, CARD.format(text)).findings}
    assert ("CG206" in codes) is is_found
