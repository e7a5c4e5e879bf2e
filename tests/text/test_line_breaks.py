from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.line_breaks import (
    _HYPHEN_PENALTY,
    _LONE_WORD_PENALTY,
    _SHORT_LAST_LINE,
    balanced_breaks,
    greedy_breaks,
)

SPACE = 2.0
WIDTHS = st.lists(st.integers(1, 12), min_size=1, max_size=9)


def row(widths: list[int]) -> tuple[list[float], list[float]]:
    """Words of these widths with a space between them."""
    begins, ends, pen = [], [], 0.0
    for width in widths:
        begins.append(pen)
        ends.append(pen + width)
        pen += width + SPACE
    return begins, ends


def all_ways(count: int) -> Iterator[list[int]]:
    """Every way to break a row of items: the last item of each line."""
    for breaks in range(count):
        for chosen in combinations(range(count - 1), breaks):
            yield [*chosen, count - 1]


def line_widths(begins: list[float], ends: list[float], lasts: list[int]) -> list[float]:
    firsts = [0, *(last + 1 for last in lasts)]
    return [ends[last] - begins[first] for first, last in zip(firsts, lasts, strict=False)]


def cost(
    begins: list[float], ends: list[float], hyphens: list[bool], width: float, lasts: list[int], *, all_lines: bool
) -> tuple[int, float]:
    """What is to be small: the number of lines, and then unevenness and hyphens."""
    *body, final = line_widths(begins, ends, lasts)
    short = width if all_lines else width * _SHORT_LAST_LINE
    uneven = sum((width - line) ** 2 for line in body) + max(0.0, short - final) ** 2
    if body and final < short < width and (all(hyphens[lasts[-2] + 1 : -1]) or final < short / 2):
        uneven += _LONE_WORD_PENALTY * width * width
    return len(lasts), uneven + sum(hyphens[last] for last in lasts[:-1]) * _HYPHEN_PENALTY * width * width


@given(WIDTHS, st.integers(12, 40), st.data(), st.booleans())
def test_no_breaking_is_better(widths: list[int], width: int, data: st.DataObject, all_lines: bool) -> None:
    begins, ends = row(widths)
    hyphens = data.draw(st.lists(st.booleans(), min_size=len(widths), max_size=len(widths)))
    possible = [ways for ways in all_ways(len(widths)) if max(line_widths(begins, ends, ways)) <= width]
    best = min(cost(begins, ends, hyphens, width, ways, all_lines=all_lines) for ways in possible)
    found = balanced_breaks(begins, ends, hyphens, width, balance_last_line=all_lines)
    assert found in possible
    lines, uneven = cost(begins, ends, hyphens, width, found, all_lines=all_lines)
    assert lines == best[0]
    assert abs(uneven - best[1]) < 1e-3


@given(WIDTHS, st.integers(12, 40))
def test_packing_makes_the_fewest_lines(widths: list[int], width: int) -> None:
    begins, ends = row(widths)
    fewest = min(len(ways) for ways in all_ways(len(widths)) if max(line_widths(begins, ends, ways)) <= width)
    assert len(greedy_breaks(begins, ends, width)) == fewest


@given(WIDTHS, st.integers(1, 12))
def test_a_word_that_is_too_wide_stands_alone(widths: list[int], width: int) -> None:
    begins, ends = row(widths)
    lasts = greedy_breaks(begins, ends, width)
    assert lasts[-1] == len(widths) - 1
    for line, first, last in zip(line_widths(begins, ends, lasts), [-1, *lasts], lasts, strict=False):
        assert line <= width or last - first == 1
    if max(widths) > width:
        assert balanced_breaks(begins, ends, [False] * len(widths), width) == lasts


@given(st.lists(st.floats(0.1, 5, allow_nan=False), min_size=1, max_size=60), st.floats(5, 30, allow_nan=False))
def test_odd_numbers_break_too(widths: list[float], width: float) -> None:
    begins, ends, pen = [], [], 0.0
    for word in widths:
        begins.append(pen)
        pen += word
        ends.append(pen)
    found = balanced_breaks(begins, ends, [False] * len(widths), width)
    assert len(found) == len(greedy_breaks(begins, ends, width))
    assert max(line_widths(begins, ends, found)) <= width + 1e-5


def test_a_short_last_line_is_filled_from_above() -> None:
    begins, ends = row([8, 8, 8, 8, 4])
    assert line_widths(begins, ends, greedy_breaks(begins, ends, 38)) == [38, 4]
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 5, 38)) == [28, 14]


def test_a_last_line_is_no_lone_short_word_if_the_line_above_stays_fair() -> None:
    begins, ends = row([10, 10, 10, 7])
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 4, 36)) == [22, 19]
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False, False, True, False], 36)) == [22, 19]
    begins, ends = row([10, 10, 10, 2, 2])
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 5, 36)) == [22, 18]
    begins, ends = row([4, 30, 9])
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 3, 36)) == [36, 9]


def test_centred_lines_are_alike() -> None:
    begins, ends = row([8, 8, 8, 12])
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 4, 28)) == [28, 12]
    assert line_widths(begins, ends, balanced_breaks(begins, ends, [False] * 4, 28, balance_last_line=True)) == [18, 22]
