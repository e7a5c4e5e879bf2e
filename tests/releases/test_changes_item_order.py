"""Items of lists that moved, are new, or are gone."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest

from cardgen.deck.release_file import Release, ReleasedCard
from cardgen.model.card_values import Scalar
from cardgen.releases.changes import ChangedCard, compare
from cardgen.releases.report import value_texts

Values = dict[str, Scalar]
RIFLE: Values = {"name": "Rifle", "damage": 2}
KNIFE: Values = {"name": "Knife", "damage": 1}


def listed(name: str, *items: Values | Scalar) -> Values:
    """Return the items of a list by pointer."""
    rows = [(index, item if isinstance(item, dict) else {"": item}) for index, item in enumerate(items)]
    return {f"{name}/{index}/{key}".rstrip("/"): value for index, item in rows for key, value in item.items()}


def card(values: Values, name: str = "Ash") -> ReleasedCard:
    texts = {key: value for key, value in values.items() if key.endswith("/name") or key.startswith("lines")}
    rules = {key: value for key, value in values.items() if key not in texts}
    return ReleasedCard("g", "fighter", name.lower(), name, 1, repr(rules), repr(texts), {}, rules, texts)


def changed(old: Values, new: Values) -> ChangedCard:
    others = (card({}, "Bo"), card({}, "Cy"))
    changes = compare(Release("v1", {}, (card(old), *others)), Release("v2", {}, (card(new), *others)))
    return changes.cards[0]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        pytest.param(RIFLE, KNIFE, id="weapons"),
        pytest.param({"character": "bo", "qty": 2}, {"character": "cy"}, id="members"),
        pytest.param("cover", "swift", id="keywords"),
    ],
)
def test_another_order_is_another_look(one: Values | Scalar, two: Values | Scalar) -> None:
    change = changed(listed("items", one, two), listed("items", two, one))
    assert (change.changes, change.values, change.look) == (("looks",), (), ("order",))


@pytest.mark.parametrize(
    ("one", "two", "change"),
    [
        pytest.param({"heal": 1}, {"roll": 2}, "rules", id="effects"),
        pytest.param(1, 2, "rules", id="numbers"),
    ],
)
def test_the_order_of_what_happens_in_turn_is_rules(one: Values | Scalar, two: Values | Scalar, change: str) -> None:
    assert changed(listed("items", one, two), listed("items", two, one)).change == change


def test_the_order_of_free_texts_is_words() -> None:
    assert changed(listed("lines", "a", "b"), listed("lines", "b", "a")).change == "words"


def test_items_keep_their_names_when_others_come_and_go() -> None:
    added = changed(listed("weapons", RIFLE, KNIFE), listed("weapons", {"name": "Bow", "damage": 3}, RIFLE, KNIFE))
    assert list(value_texts(added)) == [("weapons Bow damage", "none", "3"), ("weapons 1 name", "none", "Bow")]
    gone = changed(listed("weapons", RIFLE, KNIFE), listed("weapons", {**KNIFE, "damage": 4}))
    assert [line for line in value_texts(gone) if "name" not in line[0]] == [
        ("weapons Knife damage", "1", "4"),
        ("weapons Rifle damage", "2", "none"),
    ]
    assert gone.look == added.look == ()


def _names(start: int) -> Iterator[tuple[str, str]]:
    return ((f"items/{index}/name", f"{index % 7}") for index in range(start, 60_000))


def test_long_forged_lists_take_little_time() -> None:
    old, new = (dict[str, Scalar](_names(start)) for start in (0, 1))
    started = process_time()
    changed(old, new)
    assert process_time() - started < 20
