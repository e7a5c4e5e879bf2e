from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.svg.chunks import BoxElement, parse, read_plain_box
from cardgen.svg.tree import SvgError

ATTRIBUTES = (
    ' x="1"', ' x="2"', " style=\"a'b\"", ' width="é"', ' field="a/0"', " path='arc'", ' size="&amp;"',
    ' nonsense="1"',
)  # fmt: skip
WORDS = (
    "words", "&amp;", "&#39;", "&lt;b&gt;", "&#233;", "&nbsp;", "&", "]]>", "<!-- -->", "<![CDATA[a]]>", "\n", "\t",
    "\r", "\x0b", "\x7f", "\ufffe", "\uffff", "\ud7ff", "é", " ",
)  # fmt: skip
TAGS = ("<text", "<cg:text", "<g", "</text>", "</cg:text>", "</g>", ">", "/>")
BOX = st.tuples(
    st.sampled_from(["text", "cg:text"]), st.lists(st.sampled_from(ATTRIBUTES)), st.lists(st.sampled_from(WORDS))
)
SOURCES = st.lists(st.sampled_from((*TAGS, *ATTRIBUTES, *WORDS)), max_size=12).map("".join) | BOX.map(
    lambda box: f"<{box[0]}{''.join(box[1])}>{''.join(box[2])}</{box[0]}>"
)


def parsed(source: bytes) -> object:
    """What the parser makes of a child of the root."""
    try:
        return parse(b"<svg>" + source + b"</svg>")
    except SvgError:
        return None


@settings(max_examples=1000)
@given(SOURCES)
def test_a_box_that_is_read_is_the_one_that_the_parser_reads(text: str) -> None:
    source = text.encode()
    box = read_plain_box(text)
    if box:
        pieces = parse(b"<svg>" + source + b"</svg>")
        assert (pieces.items, pieces.definitions, pieces.style, pieces.elements) == ((box,), {}, b"", 2)


def test_the_boxes_of_templates_are_read() -> None:
    source = '\n<cg:text x="1.5" style="body" field="stats/W">Keeper&#39;s **&lt;oath&gt;** é</cg:text>'
    attributes = {"x": "1.5", "style": "body", "field": "stats/W"}
    assert read_plain_box(source) == BoxElement("cg:text", attributes, "Keeper's **<oath>** é", (1, 0, 0, 1, 0, 0))


@pytest.mark.parametrize(
    "source",
    [
        '<cg:text x="1" x="2">a</cg:text>',
        '<cg:text x="1" nonsense="2">a</cg:text>',
        "<rect/>",
        '<text x="1">a</text> ',
        '<cg:text x="1">a\r</cg:text>',
        '<cg:text x="1">]]></cg:text>',
        '<cg:text x="1">\uffff</cg:text>',
        f'<text x="{"1" * 200_001}">a</text>',
    ],
)
def test_all_else_is_left_to_the_parser(source: str) -> None:
    assert read_plain_box(source) is None
