from __future__ import annotations

from cardgen.referee.ruling import Ruling, settings_in_force

RULINGS = (
    Ruling("ties", "What of a tie?", {"again": "Roll again.", "draw": "It is a draw."}),
    Ruling("cover", "Does cover count?", {"counts": "Yes."}),
)


def test_the_first_setting_holds_unless_it_is_turned_over() -> None:
    assert settings_in_force(RULINGS, {}) == ({"ties": "again", "cover": "counts"}, ())
    assert settings_in_force(RULINGS, {"ties": "draw"}) == ({"ties": "draw", "cover": "counts"}, ())


def test_what_is_unknown_changes_nothing_and_comes_back() -> None:
    settings, unknown = settings_in_force(RULINGS, {"tie": "draw", "cover": "count"})
    assert settings == {"ties": "again", "cover": "counts"}
    assert [str(one) for one in unknown] == ["unknown ruling 'tie'", "unknown 'cover' setting 'count'"]
    assert [one.help for one in unknown] == ["did you mean 'ties'?", "did you mean 'counts'?"]
    assert [one.path for one in unknown] == [("tie",), ("cover",)]
