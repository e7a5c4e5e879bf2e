from __future__ import annotations

import pytest

from cardgen.svg.chunks import check_references
from cardgen.svg.tree import SvgError
from tests.cases import each_case


def use(name: str) -> str:
    return f'<use href="#{name}"/>'


def laughs(levels: int, each: int) -> str:
    """Definitions of which each uses the one before several times."""
    return '<g id="a0"><rect/></g>' + "".join(
        f'<g id="a{level}">{use(f"a{level - 1}") * each}</g>' for level in range(1, levels)
    )


@pytest.mark.parametrize(
    "body",
    [
        "<rect/>",
        f'<g id="leaf"><path/></g>{use("leaf") * 500}',
        '<linearGradient id="a" href="#b"/><linearGradient id="b"/><rect fill="url(#a)"/>',
        use("nowhere"),
        laughs(6, 4) + use("a5"),
    ],
)
def test_what_people_draw_is_let_through(body: str) -> None:
    check_references(body.encode())


@each_case(
    ("body", "message"),
    [
        (f'<g id="a">{use("a")}</g>', "'#a' refers to itself"),
        (f'<g id="a">{use("b")}</g><g id="b">{use("a")}</g>', "refers to itself"),
        ('<pattern id="a"><rect fill="url(#a)"/></pattern>', "'#a' refers to itself"),
        ('<mask id="a"><rect mask="url(\'#a\')"/></mask>', "'#a' refers to itself"),
        ('<linearGradient id="a" xlink:href="#a"/>', "'#a' refers to itself"),
        (f'<g id="a"><defs><path/></defs>{use("a")}</g>', "'#a' refers to itself"),
        (f'<defs><path/></defs><g id="a"><defs/><defs><path/></defs>{use("a")}</g>', "'#a' refers to itself"),
        (f'<defs><g id="a"><!--</defs>-->{use("a")}</g></defs><rect/>', "'#a' refers to itself"),
        (f'<defs><g id="a">{"<path/>" * 4_000}</g></defs>{use("a") * 6}', "more than 20,000 elements"),
        (laughs(12, 10) + use("a11"), "more than 20,000 elements"),
        (laughs(1_000, 1) + use("a999"), "more than 16 references"),
    ],
)
def test_what_would_not_end_is_refused(body: str, message: str) -> None:
    with pytest.raises(SvgError, match=message):
        check_references(body.encode())


def test_a_long_chain_is_refused_from_its_far_end_too() -> None:
    """The far end comes first here, so that Python would have to go down all of it."""
    links = "".join(f'<g id="a{level}">{use(f"a{level + 1}")}</g>' for level in range(5_000))
    with pytest.raises(SvgError, match="of a chain of more than 16 references"):
        check_references((links + "<rect/>").encode())
