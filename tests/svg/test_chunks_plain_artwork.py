from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.svg.chunks import parse, read_plain_artwork
from cardgen.svg.tree import TEMPLATE, SvgError
from tests.cases import each_case

ATTRIBUTES = (
    ' fill="red"', ' fill="reed"', ' d="M0 0H1"', " d='M0 0'", ' id="a"', ' id="1"', ' transform="scale(2)"',
    ' transform="scale(a)"', ' class="é"', ' x="&amp;"', ' x="1"', ' x="1"', ' nonsense="1"', ' href="#a"',
    ' href="a"', ' clip-path="url(#a)"', ' style="fill:red"', ' xml:space="preserve"', ' x = "1"', 'x="1"',
)  # fmt: skip
BETWEEN = ("", " ", "\n", "words", "<!-- -->", "\ufffe", "\x0b", "<cg:text>a</cg:text>", "<title>a</title>", "</g>")
OPENERS = ("<g", "<g", "<path", "<rect", "<use", "<defs", "<clipPath", "<gg", "<é", "< g")
ENDS = ("/>", "/>", " />", "></path>", "></g>", "></rect>", "></rect >", ">")
SHAPES = st.tuples(
    st.sampled_from(BETWEEN), st.sampled_from(OPENERS), st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
    st.sampled_from(ENDS),
).map(lambda parts: f"{parts[0]}{parts[1]}{''.join(parts[2])}{parts[3]}")  # fmt: skip
GROUPS = st.tuples(st.lists(st.sampled_from(ATTRIBUTES), max_size=2), st.lists(SHAPES, max_size=3)).map(
    lambda parts: f"<g{''.join(parts[0])}>{''.join(parts[1])}</g>"
)


def parsed(source: bytes) -> object:
    """What the parser makes of a child of the root."""
    try:
        return parse(b"<svg>" + source + b"</svg>")
    except SvgError:
        return None


@settings(max_examples=1000, derandomize=True)
@given(SHAPES | GROUPS)
def test_artwork_that_is_read_is_the_same_that_the_parser_reads(text: str) -> None:
    source = text.encode()
    pieces = read_plain_artwork(text)
    assert pieces is None or pieces == parsed(source)


@pytest.mark.parametrize(
    "source",
    [
        '<path d="M0 0" fill="#123456"/>',
        '\n<g transform="translate(1 2)" clip-path="url(#shield)"><path d="M0 0"/>\n<g><rect x="1"></rect></g></g>',
        '<g id="a"><g/><use href="#b"/></g>',
        '<circle r="1" class="é" />',
    ],
)
def test_groups_and_shapes_are_read(source: str) -> None:
    pieces = read_plain_artwork(source)
    assert pieces is not None
    assert pieces == parsed(source.encode())


@each_case(
    "source",
    [
        "",
        "words",
        "<g/>",
        "</g>",
        "<g><path/>",
        "<g><path/></path>",
        "<path/><path/>",
        "<path/> ",
        '<path d="1" d="1"/>',
        '<path nonsense="1"/>',
        '<path fill="reed"/>',
        '<path d="\uffff"/>',
        '<g transform="nonsense"><path/></g>',
        "<g>words<path/></g>",
        "<defs><path/></defs>",
        '<clipPath id="a"><path/></clipPath>',
        "<g>" * TEMPLATE.depth + "<path/>" + "</g>" * TEMPLATE.depth,
        f'<path d="{"1" * 50_000}"/>',
    ],
)
def test_all_else_is_left_to_the_parser(source: str) -> None:
    assert read_plain_artwork(source) is None
