from __future__ import annotations

import random
from itertools import combinations, pairwise
from math import inf, isclose

from cardgen.sheet.columns import NEVER, Column, ColumnGrid, ColumnItem
from cardgen.sheet.columns import balance_columns as arranged
from tests.cases import each_case


def strips(*heights: float, cost: float = 0.0, gap: float = 0.0, give: float = 0.0) -> list[ColumnItem[int]]:
    return [ColumnItem(number, height, gap, give, cost) for number, height in enumerate(heights)]


def arrange(pieces: list[ColumnItem[int]], frame: ColumnGrid) -> tuple[Column[int], ...] | None:
    """The columns alone."""
    found = arranged(pieces, frame)
    return found.columns if found else None


def shown(columns: tuple[Column[int], ...] | None) -> list[list[int]]:
    assert columns is not None
    return [[placed.item.content for placed in column.items] for column in columns]


def test_columns_are_balanced() -> None:
    assert shown(arrange(strips(*[10] * 6), ColumnGrid(3, lambda _: 50, 3))) == [[0, 1], [2, 3], [4, 5]]


def test_gaps_are_dropped_at_the_top_of_a_column() -> None:
    columns = arrange(strips(10, 10, 10, 10, gap=5), ColumnGrid(2, lambda _: 25, 2))
    assert columns is not None
    assert [[placed.y for placed in column.items] for column in columns] == [[0, 15], [0, 15]]


def test_what_does_not_fit_has_no_arrangement() -> None:
    assert arrange(strips(10, 10, 10), ColumnGrid(1, lambda _: 25, 1)) is None
    assert arrange(strips(30), ColumnGrid(1, lambda _: 25)) is None


def test_no_column_begins_where_that_is_forbidden() -> None:
    three = [ColumnItem(0, 10), ColumnItem(1, 10, break_penalty=NEVER), ColumnItem(2, 10)]
    assert shown(arrange(three, ColumnGrid(2, lambda _: 30, 2))) == [[0, 1], [2]]


def test_a_strip_can_ask_for_a_new_column_or_page() -> None:
    pieces = [ColumnItem(0, 10), ColumnItem(1, 10, break_before="column"), ColumnItem(2, 10, break_before="page")]
    columns = arrange(pieces, ColumnGrid(3, lambda _: 100))
    assert columns is not None
    assert [column.number for column in columns] == [0, 1, 3]


def test_the_head_of_a_broken_table_is_repeated() -> None:
    head = ColumnItem(99, 5)
    rows = [ColumnItem(n, 10, repeat_header=head) for n in range(4)]
    assert shown(arrange([head, *rows], ColumnGrid(2, lambda _: 27, 2))) == [[99, 0, 1], [99, 2, 3]]


def test_columns_of_a_page_end_on_one_line() -> None:
    pieces = [
        ColumnItem(0, 10),
        ColumnItem(1, 10, space_above=2, stretch=4),
        ColumnItem(2, 13, break_penalty=0),
        ColumnItem(3, 10, space_above=2, stretch=4),
    ]
    columns = arrange(pieces, ColumnGrid(2, lambda _: 25, 2))
    assert columns is not None
    assert isclose(columns[0].depth, columns[1].depth)
    assert columns[0].items[1].space_above == 5


def test_gaps_never_grow_further_than_they_may() -> None:
    pieces = [ColumnItem(0, 10), ColumnItem(1, 5, space_above=1, stretch=2), ColumnItem(2, 24, break_before="column")]
    columns = arrange(pieces, ColumnGrid(2, lambda _: 25, 2))
    assert columns is not None
    assert columns[0].items[1].space_above == 3


def test_the_gaps_above_the_sections_of_a_page_are_equal() -> None:
    pieces = [
        ColumnItem(0, 10),
        ColumnItem(1, 10, space_above=2, stretch=8, starts_section=True),
        ColumnItem(2, 10, break_before="column"),
        ColumnItem(3, 6, space_above=2, stretch=8, starts_section=True),
        ColumnItem(4, 2, space_above=1, stretch=2),
    ]
    columns = arrange(pieces, ColumnGrid(2, lambda _: 26, 2))
    assert columns is not None
    assert [column.items[1].space_above for column in columns] == [6, 6]
    assert [column.depth for column in columns] == [26, 26], "the other gaps stretch until the feet are aligned"


def test_the_gaps_of_a_full_page_stay_as_they_are() -> None:
    pieces = [
        ColumnItem(0, 10),
        ColumnItem(1, 14, space_above=2, stretch=8, starts_section=True),
        ColumnItem(2, 10, break_before="column"),
        ColumnItem(3, 6, space_above=2, stretch=8, starts_section=True),
    ]
    columns = arrange(pieces, ColumnGrid(2, lambda _: 26, 2))
    assert columns is not None
    assert [column.items[1].space_above for column in columns] == [2, 2]


def cheapest(pieces: list[ColumnItem[int]], room: float, columns: int) -> float:
    """By trying every way to break."""
    best = inf
    for number in range(columns):
        for breaks in combinations(range(1, len(pieces)), number):
            edges = (0, *breaks, len(pieces))
            cost = sum(pieces[at].break_penalty for at in breaks) + (columns - number - 1) * 100
            for start, end in pairwise(edges):
                depth = sum(p.height + (p.space_above if at else 0) for at, p in enumerate(pieces[start:end]))
                cost += inf if depth > room + 1e-6 else 100 * ((room - depth) / room) ** 2
            best = min(best, cost)
    return best


@each_case("seed", range(40))
def test_it_is_as_cheap_as_the_best_of_all_ways(seed: int) -> None:
    dice = random.Random(seed)
    pieces = [
        ColumnItem(n, dice.randint(2, 12), dice.randint(0, 3), 0.0, dice.choice([0.0, 0.5, 2.0, NEVER]))
        for n in range(9)
    ]
    best = cheapest(pieces, 30, 3)
    columns = arrange(pieces, ColumnGrid(3, lambda _: 30, 3))
    if columns is None:
        assert best == inf
        return
    firsts = [column.items[0].item for column in columns[1:]]
    breaks = sum(strip.break_penalty for strip in firsts)
    found = arranged(pieces, ColumnGrid(3, lambda _: 30, 3))
    assert found is not None
    assert isclose(found.cost, breaks)
    cost = breaks + (3 - len(columns)) * 100
    cost += sum(100 * ((30 - column.depth) / 30) ** 2 for column in columns)
    assert isclose(cost, best)
    assert [content for column in shown(columns) for content in column] == list(range(9))
