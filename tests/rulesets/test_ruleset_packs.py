"""What all packs have: how many tokens show a number, and the documents."""

from __future__ import annotations

import pytest

from cardgen.model.card import Card
from cardgen.rulesets.ruleset import PackItem, count_tokens, miniature_items, roster_pack


@pytest.mark.parametrize(("wounds", "tokens"), [(1, 0), (2, 1), (3, 2), (4, 2), (6, 3), (7, 3), (30, 11)])
def test_tokens_of_1_and_3_show_every_number_of_wounds(wounds: int, tokens: int) -> None:
    assert count_tokens(wounds - 1, 3) == tokens
    shown = {sum(sides) for count in range(tokens + 1) for sides in _sides(count)}
    assert set(range(wounds)) <= shown


def _sides(count: int) -> list[tuple[int, ...]]:
    return [(1,) * ones + (3,) * (count - ones) for ones in range(count + 1)]


def test_tokens_lie_with_the_cards_and_proxies_and_rosters_have_sheets_of_their_own() -> None:
    pack = roster_pack("crew", ("sailor", "ship"), lambda _: ())
    assert pack.kinds == ("crew",)
    assert dict(pack.documents) == {
        "cards": ("sailor", "ship", "token"),
        "proxies": ("cylinder", "standee"),
        "roster": ("crew",),
    }


def test_a_miniature_is_a_card_with_both_proxies() -> None:
    class Sailor(Card):
        KIND = "sailor"

    items = list(miniature_items(Sailor(name="Jack"), 2))
    assert items == [PackItem(kind, "jack", 2) for kind in ("sailor", "cylinder", "standee")]
