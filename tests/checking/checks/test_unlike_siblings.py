"""Words and numbers that are almost those of the other cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardgen
from cardgen.project_checks.run import CheckRequest
from tests.checking.harness import checked, found_marks

HEADER = "game: skirmish\n"
REST = "w: 1, i: 3, a: 1, ld: 7"
STATS = "ws: 3\n    bs: 3\n    s: 3\n    t: 3\n    w: 1\n    i: 3\n    a: 1\n    ld: 7"


def warriors(points: list[int], races: list[str]) -> str:
    cards = (
        f"  - name: Guard {chr(65 + number)}\n    race: {race}\n    m: 4\n    {STATS}\n    points: {cost}\n"
        for number, (cost, race) in enumerate(zip(points, races, strict=True))
    )
    return f"kind: warrior\ncards:\n{''.join(cards)}"


@pytest.mark.parametrize(
    ("points", "races", "found"),
    [
        ([10, 12, 14, 16, 9, 11, 400], ["Ferrymen"] * 7, ["'points' is 400, but all other cards have 5 to 60"]),
        ([10, 12, 14, 16, 9, 11, 30], ["Ferrymen"] * 7, []),
        ([10, 12, 110], ["Ferrymen"] * 3, []),
        (
            [10, 12, 14, 16],
            [*["Ferrymen"] * 3, "Ferymen"],
            ["only this card has 'Ferymen', and 3 others have 'Ferrymen'"],
        ),
        ([10, 12, 14, 16], [*["Ferrymen"] * 3, "Weirfolk"], []),
        ([10, 12, 14, 16], ["Ferrymen", "Ferrymen", "Ferymen", "Ferymen"], []),
    ],
)
def test_only_what_is_far_from_all_others_and_near_them_by_a_slip_is_found(
    points: list[int], races: list[str], found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cardgen.yaml").write_text(HEADER, "utf-8")
    (tmp_path / "cards/a.yaml").write_text(warriors(points, races), "utf-8")
    monkeypatch.chdir(tmp_path)
    told = [each for each in cardgen.check() if each.code == "CG137"]
    assert [each.message for each in told] == found
    assert [each.place.span.line for each in told if each.place.span] == [
        2 + 12 * len(points) - (10 if "race" in each or "only this card" in each else 0) for each in found
    ]


def test_a_number_of_a_card_that_is_unlike_the_others_in_three_is_meant(tmp_path: Path) -> None:
    usual, unusual = "m: 4, ws: 3, bs: 3, s: 3, t: 3", "m: 9, ws: 7, bs: 3, s: 3, t: 3"
    for stats, found in ((usual, 1), (unusual, 0)):
        cards = [f"{{kind: warrior, name: Guard {each}, {usual}, {REST}, points: 1{each}}}" for each in range(7)]
        cards += [f"{{kind: warrior, name: Giant, {stats}, {REST}, points: 400}}"]
        text = "game: skirmish\ncards:\n" + "".join(f"  - {card}\n" for card in cards)
        (tmp_path / "cardgen.yaml").write_text(HEADER, "utf-8")
        marks = found_marks(checked(tmp_path, text, request=CheckRequest(select=("CG137",))))
        assert len(marks) == found
