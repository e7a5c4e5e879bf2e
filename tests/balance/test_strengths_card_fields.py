from __future__ import annotations

import pytest

from cardgen.balance.strengths import field_texts
from cardgen.referee.trial import Competitor

CARD = {
    "name": "Ash",
    "stats": {"W": 12},
    "runemarks": ["hero", "brute", "hero"],
    "weapons": [{"type": "RW"}, {}],
    "x": None,
}


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("stats.W", ("12",)),
        ("runemarks", ("hero", "brute")),
        ("weapons.type", ("RW",)),
        ("stats", ()),
        ("stats.W.x", ()),
        ("x", ()),
        ("", ()),
        ("carries", ("Halo",)),
    ],
)
def test_texts_of_a_field(path: str, texts: tuple[str, ...]) -> None:
    assert field_texts(Competitor(CARD, {"name": "Halo"}), path) == texts
