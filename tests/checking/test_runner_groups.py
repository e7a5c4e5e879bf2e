"""Grouped findings: the same check and message in many places, shown once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.checking.runner import CheckResult, GroupedFinding, group_findings
from tests.checking.harness import checked

MOTTO = "  - name: Stone {0}\n    motto: so so\n    effects: [{{when: turn_start, bearer: {{heal: {0}}}}}]\n"


def relics(folder: Path, count: int) -> CheckResult:
    return checked(folder, "kind: relic\ncards:\n" + "".join(MOTTO.format(number) for number in range(1, count + 1)))


def first_lines(groups: tuple[GroupedFinding, ...]) -> list[int]:
    return [group.finding.diagnostic.place.span.line for group in groups if group.finding.diagnostic.place.span]


@pytest.mark.parametrize(("count", "groups"), [(1, 1), (3, 3), (4, 1), (7, 1)])
def test_more_than_three_places_are_one_group(count: int, groups: int, tmp_path: Path) -> None:
    assert len(group_findings(relics(tmp_path, count).findings)) == groups


def test_a_group_has_its_first_place_and_the_others_in_order(tmp_path: Path) -> None:
    (group,) = group_findings(relics(tmp_path, 7).findings)
    assert first_lines((group,)) == [4]
    assert [place.span.line for place in group.other_places if place.span] == [7, 10, 13, 16, 19, 22]
    assert [place.span.line for place in group.next_places if place.span] == [7, 10]
    assert group.remainder == "and 4 more places"


def test_one_more_place_is_in_the_singular(tmp_path: Path) -> None:
    (group,) = group_findings(relics(tmp_path, 4).findings)
    assert group.remainder == "and 1 more place"


def test_a_single_finding_has_no_other_places(tmp_path: Path) -> None:
    (group,) = group_findings(relics(tmp_path, 1).findings)
    assert (group.other_places, group.remainder) == ((), "")


def test_other_messages_of_the_same_check_stay_apart(tmp_path: Path) -> None:
    text = "kind: relic\ncards:\n" + "".join(MOTTO.format(number) for number in range(1, 6))
    result = checked(tmp_path, text.replace("so so", "no no", 1))
    groups = group_findings(result.findings)
    assert first_lines(groups) == [4, 7]
    assert [len(group.other_places) for group in groups] == [0, 3]


def test_the_summary_counts_groups_and_says_in_how_many_places_they_are(tmp_path: Path) -> None:
    result = relics(tmp_path, 7)
    assert result.summary.startswith("1 warning (in 7 places): 1 file, 7 cards, ")
    assert result._replace(show_all=True).summary.startswith("7 warnings: 1 file, 7 cards, ")
    assert relics(tmp_path, 3).summary.startswith("3 warnings: 1 file, ")


def test_a_comment_suppresses_one_place_of_a_group(tmp_path: Path) -> None:
    text = "kind: relic\ncards:\n" + "".join(MOTTO.format(number) for number in range(1, 6))
    comment = "so so  # cardgen: ignore[doubled-word] the poem has it so"
    (group,) = group_findings(checked(tmp_path, text.replace("so so", comment, 1)).findings)
    assert first_lines((group,)) == [7]
    assert len(group.other_places) == 3
