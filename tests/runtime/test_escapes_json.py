"""JSON text: safe to show, and the same data."""

from __future__ import annotations

import json

from cardgen.runtime.escapes import dump_json

NAME = "Sen\u202etinel \x9b2J \x1b[2J é 🂡 \udcff"


def test_control_characters_are_escaped() -> None:
    text = dump_json({"name": NAME})
    assert not {"\u202e", "\x9b", "\x1b", "\udcff"} & set(text)
    assert "é 🂡" in text
    assert text.endswith("}\n")


def test_the_data_stays_the_same() -> None:
    assert json.loads(dump_json([NAME])) == [NAME]


def test_one_line() -> None:
    assert dump_json({"a": [1, 2]}, indent=None) == '{"a": [1, 2]}\n'


def test_other_values() -> None:
    assert dump_json({"a": 1 + 2j}, indent=None, default=str) == '{"a": "(1+2j)"}\n'
