from __future__ import annotations

from typing import NamedTuple

import pytest

from cardgen.referee.parameters import find_by_name, missing_part, numbered_names


class Lamp(NamedTuple):
    name: str


def test_names_of_several_are_numbered() -> None:
    assert numbered_names(["Brute", "Sage", "Brute"]) == ("Brute 1", "Sage", "Brute 2")
    assert numbered_names([]) == ()


def test_names_are_found_in_capitals_or_not() -> None:
    lamps = [Lamp("Old Lamp"), Lamp("OLD LAMP")]
    assert find_by_name(lamps, "old lamp") is lamps[0]
    assert find_by_name(lamps, "new lamp") is None
    assert find_by_name(["Axe", "Bow"], "bow", str) == "Bow"


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        (None, (), "Ash has no bow for shooting"),
        ("Long Bow", (), "Ash has no bow for shooting"),
        ("Longbow", ("Long Bow", "Sling"), "Ash has no bow 'Longbow' for shooting; did you mean 'Long Bow'?"),
        ("Spoon", ("Long Bow", "Sling"), "Ash has no bow 'Spoon' for shooting; it has Long Bow, Sling"),
    ],
)
def test_a_part_that_a_piece_does_not_have(name: str | None, names: tuple[str, ...], message: str) -> None:
    assert missing_part("Ash", "bow", name, names, " for shooting") == message
