"""Changes of lists, which are found in little time, whatever they repeat."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from cardgen.source.list_changes import ListChanges
from tests.cases import each_case

MANY = 60_000
REPEATED = [f"#{number * 7 % 149}" for number in range(MANY)]
UNIQUE = [str(number) for number in range(MANY)]


def changed(old: Sequence[str], new: Sequence[str]) -> list[tuple[Sequence[str], Sequence[str]]]:
    """Return what was replaced by what; all else must be equal, and nothing may be left out."""
    at = now = 0
    found = []
    for tag, start, end, first, last in ListChanges(old, new).get_opcodes():
        assert (start, first) == (at, now)
        assert (old[start:end] == new[first:last]) == (tag == "equal")
        found += [(old[start:end], new[first:last])] if tag != "equal" else []
        at, now = end, last
    assert (at, now) == (len(old), len(new))
    return found


def test_what_changed_is_found() -> None:
    assert changed("abcdef", "abxdefg") == [("c", "x"), ("", "g")]
    assert changed("", "a") == [("", "a")]
    assert changed("same", "same") == []


def test_changes_far_from_each_other_are_found_alone() -> None:
    new = [*UNIQUE[:9], "x", *UNIQUE[10:40_000], *UNIQUE[40_002:], "end"]
    assert changed(UNIQUE, new) == [(["9"], ["x"]), (["40000", "40001"], []), ([], ["end"])]


def test_nothing_is_left_out_of_any_list() -> None:
    chance = random.Random(1)
    for _ in range(300):
        letters = chance.choice(("ab", "abcdefgh", "".join(map(chr, range(48, 600)))))
        old = [chance.choice(letters) for _ in range(chance.randrange(200))]
        new = [each for each in old if chance.random() < 0.9]
        new.insert(chance.randrange(len(new) + 1), "new")
        changed(old, new)


@each_case("name", ["repeated", "unique", "alike"])
def test_it_takes_little_time(name: str) -> None:
    old = {"repeated": REPEATED, "unique": UNIQUE, "alike": ["a"] * MANY}[name]
    started = time.process_time()
    changed(old, ["x" if number % 2 else each for number, each in enumerate(old)])
    changed(old, random.Random(1).sample(old, MANY))
    changed(old, old[::-1])
    assert time.process_time() - started < 20
