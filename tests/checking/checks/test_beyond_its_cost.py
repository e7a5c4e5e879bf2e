"""Cards whose numbers are beyond those of all cards of their cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.harness import checked

CARDS = """\
game: skirmish
kind: warrior
cards:
  - {name: Ash, m: 4, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 5}
  - {name: Birch, m: 4, ws: 3, bs: 4, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 6, points: 5}
  - {name: Cedar, m: 4, ws: 4, bs: 3, s: 3, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 6}
  - {name: Elder, m: 5, ws: 3, bs: 3, s: 3, t: 3, w: 1, i: 4, a: 1, ld: 6, points: 5}
  - {name: Fir, m: 4, ws: 3, bs: 3, s: 4, t: 3, w: 1, i: 3, a: 1, ld: 7, points: 6}
"""
GIANT = "  - {name: Giant, m: 6, ws: 5, bs: 4, s: 5, t: 5, w: 3, i: 5, a: 3, ld: 9, points: 5}\n"


@pytest.mark.parametrize(
    ("edit", "is_found"),
    [(("", ""), True), (("points: 5", "points: 12"), False), (("ld: 9", "ld: 5"), False)],
)
def test_a_card_that_is_better_in_all(edit: tuple[str, str], is_found: bool, tmp_path: Path) -> None:
    found = [one for one in checked(tmp_path, CARDS + GIANT.replace(*edit)).findings if one.check.code == "CG134"]
    messages = [one.diagnostic.message for one in found]
    assert [each for each in messages if not each.startswith("it costs ")] == [
        "no card of 7 that cost as much is better in any number: w 3 (others up to 1), a 3 (others up to 1), "
        "and t 5 (others up to 3)"
    ] * is_found


def test_a_few_cards_are_not_compared(tmp_path: Path) -> None:
    few = "".join(CARDS.splitlines(keepends=True)[:-3]) + GIANT
    assert "is better in any number" not in str([one.diagnostic.message for one in checked(tmp_path, few).findings])


OWN_GAME = """\
game: inn
name: Inn
prefix: IN
kinds:
  guest:
    fields:
      purse: {type: integer, label: Purse}
      thirst: {type: integer, label: Thirst}
      price: {type: integer, label: Price}
    example: {purse: 3, thirst: 2, price: 5}
"""
GUESTS = "".join(
    f"  - {{name: Guest {n}, purse: {n + n % 2}, thirst: {n + 1}, price: {5 * n}}}\n" for n in range(1, 10)
)


@pytest.mark.parametrize(
    ("guest", "message"),
    [
        ("purse: 9, thirst: 9, price: 10", "it costs 10, and by its numbers about"),
        ("purse: 12, thirst: 12, price: 35", "no card of 3 that cost as much or more is better in any number: "),
        ("purse: 9, thirst: 9, price: 30", ""),
    ],
)
def test_a_card_of_an_own_game_with_a_price(guest: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "games" / "inn").mkdir(parents=True)
    (tmp_path / "games" / "inn" / "game.yaml").write_text(OWN_GAME, "utf-8")
    (tmp_path / "cardgen.yaml").write_text("game: inn\n", "utf-8")
    cards = f"kind: guest\ncards:\n{GUESTS}  - {{name: Prince, {guest}}}\n"
    found = [one for one in checked(tmp_path, cards).findings if one.check.code == "CG134"]
    assert [one.diagnostic.message.startswith(message) for one in found] == [True] * bool(message)


@pytest.mark.parametrize(("points", "is_found"), [(5, True), (12, True), (45, False)])
def test_a_card_that_is_far_too_cheap(points: int, is_found: bool, tmp_path: Path) -> None:
    """One of its numbers is lower than others, so that it is not better in all; the cards of the kit tell its cost."""
    hero = f"  - {{name: Hero, m: 3, ws: 5, bs: 4, s: 4, t: 4, w: 3, i: 5, a: 3, ld: 9, points: {points}}}\n"
    found = [
        one for one in checked(tmp_path, CARDS[: CARDS.index("  - ")] + hero).findings if one.check.code == "CG134"
    ]
    assert ["by its numbers about" in one.diagnostic.message for one in found] == [True] * is_found
