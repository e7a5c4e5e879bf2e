from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.svg import chunks
from cardgen.svg.chunks import BoxElement, Chunk, split_svg
from cardgen.svg.tree import SvgError
from tests.cases import each_case


def svg(body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">{body}</svg>'


def shown(body: str) -> list[str]:
    """Chunks as they are, boxes as their tag and content."""
    return [
        item.body.decode() if isinstance(item, Chunk) else f"{item.tag}: {item.content}"
        for item in split_svg(svg(body))
    ]


def test_each_child_of_the_root_is_a_chunk_of_its_own_in_paint_order() -> None:
    assert shown('<rect width="1"/><text x="1">a</text><g><path d="M0 0"/></g> <circle r="2"></circle>') == [
        '<rect width="1"/>',
        "text: a",
        '<g><path d="M0 0"/></g>',
        '<circle r="2"></circle>',
    ]


def test_a_group_is_cut_at_its_boxes_and_wrapped_again() -> None:
    body = '<g id="a"><rect/><g class="b"><path/><cg:text>t</cg:text><circle/></g><line/></g>'
    assert shown(body) == [
        '<g id="a"><rect/><g class="b"><path/></g></g>',
        "cg:text: t",
        '<g id="a"><g class="b"><circle/></g><line/></g>',
    ]


def test_what_paints_nothing_is_no_chunk() -> None:
    assert shown("<g><text>a</text></g><g/><title>Card</title><desc>words</desc>") == ["text: a"]


def test_a_box_carries_the_matrix_of_its_groups() -> None:
    (box,) = split_svg(svg('<g transform="translate(3 4)"><g transform="scale(2)"><text>a</text></g></g>'))
    assert isinstance(box, BoxElement)
    assert box.matrix == (2, 0, 0, 2, 3, 4)


def test_only_those_definitions_travel_that_are_used() -> None:
    definitions = (
        '<defs><linearGradient id="a" xlink:href="#b"/><linearGradient id="b"/><linearGradient id="c"/></defs>'
    )
    assert shown(f'{definitions}<rect fill="url(#a)"/><rect fill="red"/>') == [
        '<defs><linearGradient id="a" xlink:href="#b"/><linearGradient id="b"/></defs><rect fill="url(#a)"/>',
        '<rect fill="red"/>',
    ]


@pytest.mark.parametrize("tag", ["clipPath", "mask", "pattern", "linearGradient"])
def test_a_definition_need_not_be_in_defs(tag: str) -> None:
    definition = f'<{tag} id="d"><path d="M0 0H9V9Z"/></{tag}>' if tag != "linearGradient" else f'<{tag} id="d"/>'
    user = '<g clip-path="url(#d)"><path d="M1 1H5V5Z"/></g>'
    (chunk,) = split_svg(f"<svg>{definition}{user}</svg>")
    assert isinstance(chunk, Chunk)
    assert chunk.body == f"<defs>{definition}</defs>{user}".encode()


def test_a_style_sheet_travels_with_every_chunk() -> None:
    assert shown("<style>.a { fill: #123456 }</style><rect/>") == ["<style>.a { fill: #123456 }</style><rect/>"]


def test_what_stands_on_many_cards_is_the_same_box_on_all() -> None:
    first, second = (
        split_svg(svg(f"<!-- <text> - {n} --><text>{n}</text><!-- </text> -->\n<text>a</text>")) for n in "bc"
    )
    assert [item.content for item in second if isinstance(item, BoxElement)] == ["c", "a"]
    assert second[1] is first[1]


def test_entities_in_texts_become_characters() -> None:
    assert shown("<text>a &amp; &lt;b&gt; &#233;</text>") == ["text: a & <b> é"]


def test_an_attribute_may_hold_an_angle_bracket() -> None:
    assert shown('<g class="a>b"><text>t</text><rect/></g>') == ["text: t", '<g class="a&gt;b"><rect/></g>']


@each_case(
    ("body", "expected"),
    [
        ("<g><!--><img src=x onerror=x()> --><rect/></g>", ["<g><rect/></g>"]),
        ("<!--><img src=x>--><rect/><!--><img src=x>-->", ["<rect/>"]),
        ("<g><?p ><img src=x onerror=x()>?><rect/></g>", ["<g><rect/></g>"]),
        ("<g><text>a</text><!--><img src=x>--><rect/></g>", ["text: a", "<g><rect/></g>"]),
        ("<g><![CDATA[ ]]><rect/></g>", ["<g> <rect/></g>"]),
        ("<g><title><![CDATA[<img src=x onerror=x()>]]></title><rect/></g>", ["<g><rect/></g>"]),
        (
            "<g><desc>&lt;img src=x&gt;</desc><metadata><![CDATA[<img src=x>]]></metadata><rect/></g>",
            ["<g><rect/></g>"],
        ),
        (
            "<g><style><![CDATA[.a{fill:red}/*</style><img src=x>*/]]></style><rect/></g>",
            ["<style>.a{fill:red}/*&lt;/style&gt;&lt;img src=x&gt;*/</style><g><rect/></g>"],
        ),
        (
            "<g><title><style><![CDATA[.a{fill:red}/*</style><img src=x>*/]]></style></title><rect/></g>",
            ["<style>.a{fill:red}/*&lt;/style&gt;&lt;img src=x&gt;*/</style><g><rect/></g>"],
        ),
        ("<style>a[b=']]&gt;'] { fill: red }</style><rect/>", ["<style>a[b=']]&gt;'] { fill: red }</style><rect/>"]),
        (
            """<defs><g id="a"><!--><img src=x>--><path d='M0,0'/></g></defs><use href="#a"/>""",
            ['<defs><g id="a"><path d="M0,0"/></g></defs><use href="#a"/>'],
        ),
        (
            """<g data-a='"&lt;&#10;&amp;>' data-b="&#x27;"><rect/></g>""",
            ["""<g data-a="&quot;&lt;&#10;&amp;&gt;" data-b="&#x27;"><rect/></g>"""],
        ),
    ],
)
def test_artwork_has_nothing_that_html_reads_differently(body: str, expected: list[str]) -> None:
    assert shown(body) == expected


@each_case(
    ("body", "message"),
    [
        ("<image href='a.png'/>", "<image> needs the attribute 'width'"),
        ("<image href='a.png' src='a.png'/>", "unknown attribute 'src' of <image>"),
        ("<foreignObject/>", "<foreignObject> is not supported"),
        ("<filter/>", "<filter> is not supported"),
        ("<rect mix-blend-mode='multiply'/>", "unknown attribute 'mix-blend-mode'"),
        ("<rect onload='x()'/>", "unknown attribute 'onload'"),
        ("<rect style='filter: blur(2px)'/>", "'filter' is not supported"),
        ("<rect fill='var(--ink)'/>", "CSS variables are not supported"),
        ("<rect mask='image-set(&quot;https://example.org/a&quot; 1x)'/>", "the function 'image-set"),
        ("<rect fill='#fff -webkit-image-set(&quot;a&quot; 1x)'/>", "the function '-webkit-image-set"),
        ("<rect clip-path='src(&quot;https://example.org/a&quot;)'/>", "the function 'src"),
        (r"<rect fill='\75rl(https://example.org/a)'/>", r"the function '\\75rl"),
        ("<rect fill='url(\u00a0#a)'/>", "can refer only to a part"),
        ("<rect fill='url(http://example.org/a.svg#b)'/>", "can refer only to a part"),
        ("<use href='file:///etc/passwd'/>", "only to a part of the same template"),
        ("<style>@import 'a.css';</style>", "@-rules"),
        ("<style>rect { mix-blend-mode: multiply }</style>", "'mix-blend-mode' is not supported"),
        ("<text>a<tspan>b</tspan></text>", "<tspan>"),
        ("<text>a<rect/></text>", "can contain only marked-up text"),
        ("<g opacity='0.5'><text>a</text></g>", "cannot be inside <g opacity=…>"),
        ("<g><mask><text>a</text></mask></g>", "cannot be inside <mask>"),
        ("<g transform='turn(3)'><text>a</text></g>", "is not a valid transform"),
        ("<g>" * 100_000, "nested more than 64 levels deep"),
        ("words", "is outside any text box"),
        ("<rect>", "not well-formed"),
        ("<g><rect/>", "not well-formed: mismatched tag; </g> is missing"),
        ("<cg:text colour='red'/>", "unknown attribute 'colour'"),
    ],
)
def test_what_would_not_be_drawn_as_written_is_refused(body: str, message: str) -> None:
    with pytest.raises(SvgError, match=message.replace("(", r"\(")):
        split_svg(svg(body))


def test_a_document_type_is_refused() -> None:
    with pytest.raises(SvgError, match="DOCTYPE"):
        split_svg('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')


def test_the_root_must_be_svg() -> None:
    with pytest.raises(SvgError, match="the root of a template must be <svg>, not <g>"):
        split_svg("<g/>")


def test_what_is_between_children_is_not_left_out() -> None:
    with pytest.raises(SvgError, match="not well-formed"):
        split_svg(svg("<!--<!--<rect/>-->"))


def test_deeply_nested_children_are_read_like_others() -> None:
    body = "<g>" * 20 + "<rect/>" + "</g>" * 20
    assert shown(f"{body}<circle/>") == [body, "<circle/>"]


trees = st.recursive(
    st.sampled_from(["<rect/>", "<text>t</text>", '<path d="M0 0"></path>', "<cg:text>u</cg:text>", " "]),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"<g>{''.join(parts)}</g>"),
    max_leaves=12,
)


def leaves(element: ET.Element) -> Iterator[str]:
    for child in element.iter():
        tag = child.tag.rpartition("}")[2]
        if tag not in ("g", "svg"):
            yield tag


@given(st.lists(trees, max_size=5).map("".join))
def test_nothing_is_lost_doubled_or_reordered(body: str) -> None:
    expected = list(leaves(ET.fromstring(svg(body))))
    found: list[str] = []
    for item in split_svg(svg(body)):
        if isinstance(item, Chunk):
            found.extend(leaves(ET.fromstring(f"<svg>{item.body.decode()}</svg>")))
        else:
            found.append(item.tag.removeprefix("cg:"))
    assert found == expected


_PARTS = st.sampled_from((
    "<g>", "</g>", "<rect/>", "<rect width='1' fill=\"#abc\"/>", '<path d="M0 0">', "</path>", "<text x='1'>",
    "</text>", "<cg:text>", "</cg:text>", "a", " ", "\n", "\u00a0", "&amp;", "&none;", "<", ">", "/>", "'", '"',
    "<!-- a -->", "<!--", "-->", "<![CDATA[<g>]]>", "<?pi?>", '<path id=">"/>', "<path id='</g>'/>", "<defs>",
    "</defs>", '<path id="p"/>',
    '<use href="#p"/>', "<style>", "</style>", "path{fill:#f00}", "<svg>", "</svg>", "<g/ >", "<g / >", "<g x=/>",
    '<g id="a" id="b"/>', "<g\n>", "</g >", "</ g>", "<title>", "</title>", "<g transform='scale(2)'>",
))  # fmt: skip


def _outcome(work: Callable[[], object]) -> object:
    try:
        return work()
    except SvgError as error:
        return str(error), error.culprit


@settings(max_examples=500)
@given(st.lists(_PARTS, max_size=12).map("".join), st.booleans())
def test_children_read_one_by_one_give_what_the_whole_gives(body: str, rooted: bool) -> None:
    source = svg(body) if rooted else body
    whole = _outcome(lambda: tuple(chunks._complete_chunks(chunks.parse(source.encode()))))
    assert _outcome(lambda: split_svg(source)) == whole
