"""Edits of a form, of random values of all sample cards: each says what it should, and loses no comment."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.editor.form.edits import EditError, add_key, insert_item, move_item, remove_value, set_value
from cardgen.source import Data, KeyPath, parse_document
from tests.cases import each_case

# Edits of each file; every one is read again several times.
CASES = max(3, int(os.environ.get("FUZZ_CASES", "100")) // 50)
ROOT = Path(__file__).parents[2]
FILES = sorted((*ROOT.glob("cards/*/*.yaml"), *ROOT.glob("examples/*/cards/*.yaml")))
TEXTS = ("plain", "with, a comma", "colon: and # mark", "'quotes\"", "two\nlines", "no", "12", "{icon}", "", " spaces ")

VALUES: tuple[Data, ...] = (1, "x\ny", [1], {"k": "v"})


def _values(data: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield all values of some data with their paths, the outermost first."""
    yield path, data
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        yield from _values(value, (*path, step))


def _edited(text: str, path: KeyPath, value: Any, chance: random.Random) -> str:
    if isinstance(value, dict):
        return add_key(text, path, "another key", [{"name": chance.choice(TEXTS)}], list(value)[:1])
    if isinstance(value, list) and len(value) > 1 and chance.random() < 0.5:
        return move_item(text, path, chance.randrange(len(value)), chance.randrange(len(value)))
    if isinstance(value, list):
        return insert_item(text, path, chance.randint(0, len(value)), {"name": chance.choice(TEXTS), "n": 1})
    return set_value(text, path, chance.choice((*TEXTS, 3, 0.5, True)))


@each_case("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_edits_lose_no_comment(file: Path) -> None:
    chance = random.Random(file.stem)
    text = file.read_text(encoding="utf-8")
    comments = [comment.text for comment in parse_document(text, "").comments()]
    values = list(_values(parse_document(text, "").data))
    for path, value in chance.sample(values, min(len(values), CASES)):
        after = _edited(text, path, value, chance)
        document = parse_document(after, "")
        assert not document.diagnostics
        assert sorted(comment.text for comment in document.comments()) == sorted(comments)
        if path:
            shorter = remove_value(text, path)
            assert not parse_document(shorter, "").diagnostics


@pytest.mark.parametrize("text", ["a: [", "- x\n- y", "", "a: &b 1\nc: *b\n", "\ufeffa: 1\n", "a: 1\n---\nb: 2\n"])
def test_any_text_is_edited_or_refused(text: str) -> None:
    for path in ((), ("a",), ("a", 0), (0,), ("c", "d", "e")):
        for value in VALUES:
            try:
                set_value(text, path, value)
            except EditError:
                continue
