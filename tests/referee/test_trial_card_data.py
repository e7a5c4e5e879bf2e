from __future__ import annotations

from typing import ClassVar

import pytest

from cardgen.model.card import Card
from cardgen.referee.trial import card_data, card_of_kind, in_words_only, optional_card


class Lamp(Card):
    """A card for these tests."""

    KIND: ClassVar[str] = "lamp"

    rules: tuple[str, ...] = ()


class Wick(Card):
    """Another one."""

    KIND: ClassVar[str] = "wick"


def test_a_card_comes_back_from_its_data() -> None:
    lamp = Lamp(name="Old Lamp", rules=("shines",))
    assert card_of_kind(card_data(lamp), Lamp) == lamp
    assert card_of_kind(card_data(lamp), Wick, Lamp) == lamp
    assert optional_card(None, Lamp) is None
    assert optional_card(card_data(lamp), Lamp) == lamp


def test_fields_of_a_project_are_left_out() -> None:
    assert card_of_kind({**card_data(Lamp(name="Old Lamp")), "price": 10}, Lamp) == Lamp(name="Old Lamp")


def test_a_card_of_another_kind_is_refused() -> None:
    data = card_data(Wick(name="Wick"))
    with pytest.raises(ValueError, match="card must be of kind 'lamp', not 'wick'"):
        card_of_kind(data, Lamp)
    with pytest.raises(ValueError, match="card must be of kind 'lamp' or 'wick', not 'x'"):
        card_of_kind({"kind": "x"}, Lamp, Wick)


def test_texts_without_rules_are_not_simulated() -> None:
    lamps = [Lamp(name="A", text="It shines."), Lamp(name="B", text="It shines.", rules=("shines",)), Lamp(name="C")]
    assert list(in_words_only(((lamp.name, lamp) for lamp in lamps), "rules")) == ["'A' has only text"]
