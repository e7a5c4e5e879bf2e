from __future__ import annotations

from fractions import Fraction

from cardgen.export.charts import Bar, bar_chart, heat_map

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_a_bar_chart_shows_its_notes_above_its_bars() -> None:
    drawn = bar_chart([("A", [("half", HALF)])], ["a " * 60, "b"])
    *lines, title = [label for label in drawn.labels if label.anchor == "start"][:4]
    assert [label.text for label in lines] == ["a " * 44 + "a", "a " * 14 + "a", "b"]
    assert [label.y for label in lines] == sorted(label.y for label in lines)
    assert lines[-1].y < title.y < drawn.bars[0].y
    assert drawn.height == bar_chart([("A", [("half", HALF)])]).height + 66


def test_a_bar_chart_holds_every_figure() -> None:
    drawn = bar_chart([("A & B", [("<x>", THIRD), ("never", Fraction(0))])])
    assert {label.text for label in drawn.labels} == {"A & B", "<x>", "33.33 %", "never", "0.00 %"}
    assert [bar.width for bar in drawn.bars] == [126.7, 0]
    assert all(bar.x + bar.width < drawn.width and bar.y + bar.height < drawn.height for bar in drawn.bars)


def test_a_heat_map_shows_its_notes_above_its_title_and_cells() -> None:
    names, cells = ["a", "b"], [[None, HALF], [HALF, None]]
    plain, drawn = heat_map("t", names, cells), heat_map("t", names, cells, ["a " * 60, "b"])
    *lines, title = drawn.labels[:4]
    assert [label.text for label in lines] == ["a " * 44 + "a", "a " * 14 + "a", "b"]
    assert max(label.y for label in lines) + title.size < title.y < min(bar.y for bar in drawn.bars)
    assert drawn.height == plain.height + 82
    assert drawn.width > max(7 * len(label.text) for label in lines)
    assert [bar.y - 82 for bar in drawn.bars] == [bar.y for bar in plain.bars]


def test_a_heat_map_holds_every_pair_in_its_color() -> None:
    drawn = heat_map("t", ["a", "b"], [[None, Fraction(1, 4)], [Fraction(3, 4), None]])
    assert [bar.fill for bar in drawn.bars] == ["#ffbcbc", "#bcbcff"]
    assert isinstance(drawn.bars[0], Bar)
    assert sorted(label.text for label in drawn.labels if not label.bold) == ["25", "75", "a", "a", "b", "b"]
    assert sum(label.turned for label in drawn.labels) == 2
