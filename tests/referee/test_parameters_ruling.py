from __future__ import annotations

from cardgen.diagnostic import UnknownName
from cardgen.referee.parameters import POLICY, Ruling, settings_in_force, switch_help

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


def test_the_beginning_of_one_name_means_that_one() -> None:
    assert UnknownName("ruling", "clamp", ("clamp-order", "vp-tie")).help == "did you mean 'clamp-order'?"
    assert UnknownName("ruling", "cla", ("clamp-order", "vp-tie")).help == "available: clamp-order, vp-tie"
    assert UnknownName("ruling", "vp", ("vp-tie", "vp-friend")).help == "available: vp-tie, vp-friend"


def test_a_policy_is_not_taken_for_a_ruling_nor_a_ruling_for_a_policy() -> None:
    policies = (Ruling("targets", "Who is attacked?", {"weak": "The weakest.", "any": "Anybody."}),)
    _, (problem,) = settings_in_force(RULINGS, {"targets": "any"})
    words = "'targets' is a policy: write --policy targets=SETTING, with weak or any as its setting"
    assert switch_help(problem, policies) == words
    _, (problem,) = settings_in_force(policies, {"ties": "draw"}, POLICY)
    assert str(problem) == "unknown policy 'ties'"
    assert switch_help(problem, RULINGS).startswith("'ties' is a ruling: write --ruling ties=SETTING")
    _, (problem,) = settings_in_force(policies, {"targets": "ties"}, POLICY)
    assert switch_help(problem, RULINGS) == "available: weak, any"
