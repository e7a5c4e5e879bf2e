from __future__ import annotations

import pytest

from cardgen.svg.subset import PROPERTIES, style_fault
from tests.cases import each_case


@each_case(
    ("text", "message"),
    [
        ("fill: red; stroke-width: 2 /* wide */;", None),
        ("fill: url(#leaf)", None),
        ("fill: url('#leaf')", None),
        ("fill: url(file:///etc/passwd)", "url(file:///etc/passwd) can refer only to a part"),
        ("fill: url( 'https://example.com/a' )", "url(https://example.com/a) can refer only to a part"),
        ("fill: UR/**/L(x)", "the function 'l()' is not supported"),
        ("mask: image-set('https://example.org/a' 1x)", "the function 'image-set()' is not supported"),
        ("mask: -webkit-Image-Set('a' 1x)", "the function '-webkit-image-set()' is not supported"),
        ("mask: url(#a), image('a')", "the function 'image()' is not supported"),
        ("mask: cross-fade('a', 'b')", "the function 'cross-fade()' is not supported"),
        ("mask: element(#a)", "the function 'element()' is not supported"),
        ("mask: paint(a)", "the function 'paint()' is not supported"),
        ("clip-path: src('https://example.org/a')", "the function 'src()' is not supported"),
        ("fill: rgb(from image('a') r g b)", "the function 'image()' is not supported"),
        ("fill: [attr(a)]", "the function 'attr()' is not supported"),
        ("fill: RGB(1, 2, 3); stroke: hsl(1 2% 3% / 0.5); color: #fff icc-color(a, 1)", None),
        ("fill: [url(x)]", "url(x) can refer only to a part"),
        ("fill: url(x", "url(x) can refer only to a part"),
        ("fill: url('x", "url(x) can refer only to a part"),
        ("""fill:"/*";href:file:x;stroke:"*/\"""", "the property 'href' is not supported"),
        ("""fill:"/*";fill:url(x);stroke:"*/\"""", "url(x) can refer only to a part"),
        ("href: file:x", "the property 'href' is not supported"),
        ("fill: red;; filter: blur(1px)", "the property 'filter' is not supported"),
        ("fill: var(--ink)", "CSS variables are not supported"),
        ("--ink: red", "the property '--ink' is not supported"),
        ("f\\69ll: red", "a style sheet cannot contain backslashes"),
        ("fill", "a style cannot be read"),
        (f"fill: {'(' * 5000}", "a style is nested too deeply"),
        (f"fill: {'9' * 5000}", "a number in a style has too many digits"),
        ("fill: red; } x { href: x", "the property 'href' is not supported"),
    ],
)
def test_style_attributes(text: str, message: str | None) -> None:
    found = style_fault(text, PROPERTIES, is_attribute=True)
    assert found is None if message is None else found is not None and message in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".a { fill: red } /* } */ rect, .b > path { stroke: url(#leaf) }", None),
        (".a { fill: url(x) }", "url(x) can refer only to a part"),
        (".a { mask: image-set('https://example.org/a' 1x) }", "the function 'image-set()' is not supported"),
        (".a:not(.b):nth-child(2) { fill: rgb(1, 2, 3) }", None),
        (".a { href: x }", "the property 'href' is not supported"),
        ("@import 'x';", "a style sheet cannot contain @-rules"),
        (".a { fill: '@' }", None),
        (".a { .b { href: x } }", "the property 'href' is not supported"),
        ("""a[title="{"] { href: x }""", "the property 'href' is not supported"),
        (""".a { fill: "/*" } .b { href: file:x; stroke: "*/" }""", "the property 'href' is not supported"),
        ("fill: red", "a style cannot be read"),
    ],
)
def test_style_sheets(text: str, message: str | None) -> None:
    found = style_fault(text, PROPERTIES, is_attribute=False)
    assert found is None if message is None else found is not None and message in found
