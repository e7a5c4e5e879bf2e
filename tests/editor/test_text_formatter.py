"""Formatting changes neither the data nor the comments."""

from __future__ import annotations

from cardgen.editor.text import format_text
from tests.cases import each_case

FORMATTED = {
    "spaces at the end of lines": ("kind: relic  \nname: A\t\n", "kind: relic\nname: A\n"),
    "the last line": ("kind: relic", "kind: relic\n"),
    "blank lines": ("a: 1\n\n\n\n\n\nb: 2\n\n\n", "a: 1\n\n\nb: 2\n"),
    "comments": ("#x\na: 1 # y\n#: z\n", "# x\na: 1 # y\n#: z\n"),
    "line ends": ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
    "a text of several lines": ("a: |\n  x  \n\n\n\n\n  y\nb: 2  \n", "a: |\n  x  \n\n\n\n\n  y\nb: 2\n"),
    "a quoted text": ('a: "x\n\n\n\n\n  y"\n', 'a: "x\n\n\n\n\n  y"\n'),
    "a hash in a text": ("a: b#c\nd: '#e'\n", "a: b#c\nd: '#e'\n"),
    "a file that cannot be read": ("a: [1  \n", "a: [1  \n"),
    "a repeated key": ("a: 1  \na: 2\n", "a: 1  \na: 2\n"),
    "an empty file": ("", ""),
}


@each_case(("before", "after"), FORMATTED.values(), ids=FORMATTED)
def test_format(before: str, after: str) -> None:
    assert format_text(before) == after
    assert format_text(after) == after
