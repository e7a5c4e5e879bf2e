from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from cardgen.referee.situation import Parameter, check_values


@dataclass(frozen=True)
class Lighting:
    """A situation for these tests."""

    lamp: Annotated[dict[str, Any], Parameter("card", "The lamp.", ("lamp",))]


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "lamp", "name": None},
        {"kind": 3, "name": "Old Lamp"},
        {"kind": "lamp", "name": "Old Lamp", "wicks": [{"kind": "wick", "name": ["Wick"]}]},
        {"name": "Old Lamp"},
        "Old Lamp",
    ],
)
def test_card_data_without_a_text_as_name_is_refused(data: object) -> None:
    assert check_values(Lighting, {"lamp": data}) == "'lamp' must be card data"
    assert check_values(Lighting, {"lamp": {"kind": "lamp", "name": "Old Lamp", "oil": {"kind": 1}}}) == ""
