"""What the cards of a collection add up to."""

from __future__ import annotations

import re

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.releases.write import write_release
from cardgen.target.web.collection import curve
from cardgen.target.web.fields import Field
from tests.projects import STATS, Folder
from tests.target.web.pages import Page, harbor, write_page

RANGE = Field("points", "Points", "number")


def rows(page: Page, caption: str) -> list[list[str]]:
    """Return the cells of the table with a caption, without its bars."""
    (table,) = re.findall(rf"<caption[^>]*>{caption}</caption>(.*?)</table>", page.text, re.DOTALL)
    cells = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
    ]
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row if "<svg" not in cell and cell] for row in cells]


def test_bars_of_whole_numbers_are_numbers_or_ranges_without_gaps() -> None:
    few = curve(RANGE, [1.0, 1.0, 3.0])
    assert [(bar.label, bar.cards, bar.length) for bar in few.bars] == [("1", 2, 100), ("2", 0, 0), ("3", 1, 50)]
    assert few.bars[0].address == "#f.points=1..1"
    many = curve(RANGE, [5.0 * number for number in range(20, 60)])
    assert [bar.label for bar in many.bars[:2]] == ["100 to 119", "120 to 139"]
    assert sum(bar.cards for bar in many.bars) == 40
    assert len(many.bars) <= 24
    shares = curve(RANGE, [0.1, 0.25, 0.9])
    assert shares.bars[0].label == "0 to under 0.2"
    assert sum(bar.cards for bar in shares.bars) == 3


def test_cards_are_counted_by_field_with_their_mean_cost(folder: Folder) -> None:
    page, _ = write_page(harbor(folder))
    assert rows(page, "Crew of") == [
        ["Value", "Cards", "Mean cost"],
        ["Harbor Guard", "2", "16.0"],
        ["Smugglers", "1", "10.0"],
    ]
    assert rows(page, "Credit") == [["Value", "Cards", "Mean cost"], ["Ada", "2", "15.0"], ["Bo", "1", "12.0"]]
    assert ["Price", "3", "10", "12", "14", "20"] in rows(page, "Numbers")
    assert rows(page, "Price")[0] == ["Value", "Cards"]
    assert 'href="#f.credit=Ada"' in page.text


def test_any_number_can_be_the_cost(folder: Folder) -> None:
    page, _ = write_page(harbor(folder), {"cost": "hull"})
    assert rows(page, "Crew of") == [
        ["Value", "Cards", "Mean cost"],
        ["Harbor Guard", "2", "4.5"],
        ["Smugglers", "1", "2.0"],
    ]
    assert rows(page, "Hull")[0] == ["Value", "Cards"]
    with pytest.raises(CardgenError, match="no card has a number 'hul'; did you mean 'hull'"):
        write_page(folder, {"cost": "hul"})


def test_the_trend_counts_the_changes_from_release_to_release(folder: Folder) -> None:
    harbor(folder)
    assert "Releases" not in write_page(folder)[0].text
    write_release("v1")
    assert [row[0] for row in rows(write_page(folder)[0], "Releases")] == ["Release", "v1"]
    boats = (folder.root / "cards" / "boats.yaml").read_text(encoding="utf-8")
    folder.write(
        "cards/boats.yaml",
        boats.replace("points: 10", "points: 16").replace("سفينة", "Nova").replace("points: 12", "points: 13"),
    )
    table = rows(write_page(folder)[0], "Releases")
    assert len(table) == 3
    assert table[2][:5] == ["working tree", "3", "1", "1", "1"]
    assert (table[1][-1], table[2][-1]) == ("14.0", "16.3")


def test_the_balance_is_that_of_the_game(folder: Folder) -> None:
    strong, weapons = STATS.replace("W: 1", "W: 9"), "weapons: [{Axe: CW R1 D1}]"
    cards = (
        f"  - {{name: {name}, stats: {stats}, {weapons}}}\n" for name, stats in (("Strong", strong), ("Weak", STATS))
    )
    folder.plain().write("cards/minions.yaml", "kind: minion\ncards:\n" + "".join(cards))
    page, _ = write_page(folder, {"balance": True})
    table = rows(page, "Balance: Warniris, 2nd edition")
    assert [row[:2] for row in table[1:]] == [["1", "Strong"], ["2", "Weak"]]
    assert 'href="#minion.strong"' in page.text
    assert "Balance" not in write_page(folder)[0].text


def test_checks_of_numbers_name_the_outliers(folder: Folder) -> None:
    harbor(folder)
    boats = "".join(f"  - {{name: Cog {number}, crew: smugglers, points: 30, hull: 2}}\n" for number in range(6))
    best = "  - {name: Galleon, crew: smugglers, points: 30, hull: 9, guns: 9}\n"
    game = (folder.root / "games/harbor/game.yaml").read_text(encoding="utf-8")
    guns = "      guns: {type: integer, min: 0, max: 9, default: 1}\n      swift:"
    folder.write("games/harbor/game.yaml", game.replace("      swift:", guns))
    folder.write("cards/boats.yaml", f"game: harbor\nkind: boat\ncards:\n{boats}{best}")
    page, _ = write_page(folder, {"balance": True})
    found = re.findall(r'<li><a href="(.*?)" dir="auto">(.*?)</a>: (.*?)</li>', page.text)
    assert [each[:2] for each in found] == [("#boat.galleon", "Galleon")]
    assert found[0][2].startswith("no card of 6 that cost as much is better in any number")
    assert "Outliers found by checks" not in write_page(folder)[0].text
