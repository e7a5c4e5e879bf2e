"""Models that lie on each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from cardgen.referee.battlefield import FIELD, StackField, StackModel, contact_groups, line_up, topmost
from cardgen.referee.play import LogEntry, play
from cardgen.referee.rounds import BattleEndError, Player


@dataclass(eq=False, kw_only=True, repr=False)
class Tile(StackModel):
    title: str = ""

    @property
    def name(self) -> str:
        return self.title


def tile(name: str, side: int = 0, *beneath: Tile) -> Tile:
    return Tile(title=name, side=side, beneath=[*beneath], place=FIELD)


def field_of(*tiles: Tile) -> StackField[Tile]:
    players: list[Player[Any]] = [Player(index=place, name=name) for place, name in enumerate("AB")]
    return StackField(sides=("A", "B"), models=[*tiles], settings={}, players=players, order=players, is_deployed=True)


def run(procedure: Any, *answers: Any) -> list[LogEntry]:
    log: list[LogEntry] = []
    given = iter(answers)
    play(procedure, lambda path, question: next(given), log.append)
    return log


def names(groups: Any) -> list[list[str]]:
    return [["".join(each.name for each in contact) for contact in group] for group in groups]


def test_contact_ends_at_a_model_between() -> None:
    low = tile("c")
    middle = tile("b", 0, low)
    top = tile("a", 0, middle, low)
    assert top.rests_on(low)
    assert top.touches(middle)
    assert not top.touches(low)
    assert not low.rests_on(top)


def test_groups_share_models_and_go_from_the_top() -> None:
    c, d = tile("c"), tile("d")
    b = tile("b", 0, c)
    a, e = tile("a", 0, b), tile("e", 0, c)
    contacts = [(b, c), (a, b), (e, c), (e, d)]
    groups = contact_groups(contacts)
    assert sorted(names(groups)) == [["ab"], ["bc", "ec", "ed"]]
    assert names(topmost(groups)) == [["ab"]]
    assert sorted(names(contact_groups(contacts, by_upper=False))) == [["ab"], ["bc", "ec"], ["ed"]]


def test_a_group_lines_up_by_the_order_of_players() -> None:
    low = tile("z", 0)
    group = [(tile("a", 1, low), low), (tile("b", 2, low), low)]
    models, uppers, contacts = line_up(group, (2, 1, 0))
    assert [each.name for each in models] == ["b", "a", "z"]
    assert uppers == 2
    assert contacts == {(0, 2), (1, 2)}


def test_what_lay_on_a_casualty_falls() -> None:
    low = tile("c", 1)
    middle = tile("b", 1, low)
    top = tile("a", 0, middle)
    field = field_of(top, middle, low)
    run(field.remove([middle]), ("c",))
    assert top.beneath == [low]
    assert middle.is_lost


def test_players_without_models_are_eliminated_together() -> None:
    one, other = tile("a", 0), tile("b", 1)
    field = field_of(one, other)
    with pytest.raises(BattleEndError):
        run(field.remove([one, other]))
    assert field.active == []


def test_no_model_lies_on_what_lies_on_it() -> None:
    low = tile("b")
    top = tile("a", 0, low)
    asked: list[Any] = []

    def answer(path: str, question: Any) -> Any:
        asked.append(question)
        return ()

    field = field_of(top, low, tile("c"))
    play(field.lay(low, field.models), answer, list[LogEntry]().append)
    assert asked[0].options == ("c",)
