"""Two sides of a battle: their names, and their members."""

from __future__ import annotations

import pytest

from cardgen.referee.battles import MOST_RECRUITS, recruits, side_names


def test_members_have_names_of_their_own() -> None:
    one = {"members": [{"card": {"name": "Ash"}, "qty": 2}, {"card": {"name": "Elm"}}]}
    other = {"members": [{"card": {"name": "Ash"}}]}
    found = recruits((one, other), "card")
    assert [(each.side, each.name) for each in found] == [(0, "Ash 1"), (0, "Ash 2"), (0, "Elm"), (1, "Ash 3")]
    assert found[2].member == {"card": {"name": "Elm"}}
    assert recruits(({"name": "Empty"},), "card") == ()


def test_a_list_cannot_fight_itself() -> None:
    assert side_names({"name": "A"}, {"name": "B"}) == ("A", "B")
    with pytest.raises(ValueError, match="A cannot fight itself"):
        side_names({"name": "A"}, {"name": "A"})


def test_a_battle_has_so_many_models() -> None:
    member = {"card": {"kind": "warrior", "name": "Ox"}, "qty": 200}
    assert len(recruits([{"members": [member, member]}], "card")) == MOST_RECRUITS
    with pytest.raises(ValueError, match="at most 400 models, not 600"):
        recruits([{"members": [member]}, {"members": [member, member]}], "card")
