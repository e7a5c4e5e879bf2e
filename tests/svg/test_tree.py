"""The tree of an SVG file: names, places, limits, and what is refused."""

from __future__ import annotations

import pytest

from cardgen.svg.tree import ART, DRAWING, TEMPLATE, Dialect, SvgError, apply_styles, parse_colour, read_tree
from tests.cases import each_case

NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)
DIALECTS = [ART, DRAWING, TEMPLATE]


def error_of(source: str | bytes, dialect: Dialect) -> SvgError:
    content = source if isinstance(source, bytes) else source.encode()
    with pytest.raises(SvgError) as caught:
        read_tree(content, dialect)
    return caught.value


def test_an_element_knows_its_place_and_its_content() -> None:
    source = b"<svg>\n<g id='a'><rect/>one<!-- two --> three</g>\n</svg>"
    root, group, rect = read_tree(source, TEMPLATE).elements
    assert [each.tag for each in root.walk()] == ["svg", "g", "rect"]
    assert (group.line, group.start, group.last, rect.parent) == (2, source.index(b"<g"), 2, group)
    assert source[group.close :].startswith(b"</g>")
    assert (group.text, str(group), str(rect)) == ("one three", "'a'", "'rect'")


def test_the_first_of_several_elements_with_one_id_counts() -> None:
    tree = read_tree(b"<svg><g id='a'/><path id='a'/></svg>", ART)
    assert tree.ids["a"].tag == "g"


@pytest.mark.parametrize("dialect", [ART, DRAWING])
def test_elements_and_attributes_of_other_namespaces_are_left_out(dialect: Dialect) -> None:
    source = f'<svg {NAMESPACES} inkscape:version="1"><inkscape:grid><g/></inkscape:grid><rect xlink:href="#a"/></svg>'
    root, rect = read_tree(source.encode(), dialect).elements
    assert (root.attributes, [*rect.attributes.values()]) == ({}, ["#a"])


def test_the_attribute_of_svg_has_priority_over_that_of_another_namespace() -> None:
    for attributes in ('xlink:href="#a" href="#b"', 'href="#b" xlink:href="#a"'):
        tree = read_tree(f"<svg {NAMESPACES}><use {attributes}/></svg>".encode(), ART)
        assert tree.elements[1].attributes == {"href": "#b"}


def test_names_of_templates_are_as_written() -> None:
    root, box = read_tree(b'<svg xmlns:cg="a"><cg:text xlink:href="#a"/></svg>', TEMPLATE).elements
    assert (root.attributes, box.tag, box.attributes) == ({"xmlns:cg": "a"}, "cg:text", {"xlink:href": "#a"})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_limits_hold(dialect: Dialect) -> None:
    small = dialect._replace(elements=3, depth=2, value=5)
    assert read_tree(b'<svg><g><g id="12345"/></g></svg>', small).elements[2].tag == "g"
    assert "at most 3 elements" in str(error_of("<svg><g/><g/>\n<g/></svg>", small))
    assert "nested more than 2 levels deep" in str(
        error_of("<svg><g><g><g/></g></g></svg>", small._replace(elements=9))
    )
    assert "attribute 'id' of <g> is longer than 5" in str(error_of('<svg><g id="123456"/></svg>', small))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "subset", ["[<!ENTITY a 'b'>]", "[<!ENTITY e SYSTEM 'file:///etc/passwd'>]", "[<!ENTITY % p 'b'>]"]
)
def test_entities_are_refused(dialect: Dialect, subset: str) -> None:
    error = error_of(f"<!DOCTYPE svg {subset}>\n<svg>&a;</svg>", dialect)
    assert "DOCTYPE" in str(error)
    assert error.line == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_has_its_place(dialect: Dialect) -> None:
    error = error_of("<svg>\n<g>\n</svg>", dialect)
    assert str(error) == "the SVG is not well-formed: mismatched tag; </g> is missing"
    assert (error.line, error.culprit) == (3, "</svg>")
    assert "must be <svg>, not <html>" in str(error_of("<html/>", dialect))


def test_the_elements_before_an_error_are_there_if_wanted() -> None:
    tree = read_tree(b"<svg><g/><rect", TEMPLATE, partial=True)
    assert [each.tag for each in tree.elements] == ["svg", "g"]
    assert "not well-formed" in str(tree.error)
    with pytest.raises(SvgError, match="not well-formed"):
        read_tree(b"<", TEMPLATE, partial=True)


def test_art_declares_its_encoding() -> None:
    source = '<?xml version="1.0" encoding="{}"?><svg id="é"/>'
    assert read_tree(source.format("latin-1").encode("latin-1"), ART).root.attributes == {"id": "é"}
    assert "save it as UTF-8" in str(error_of(source.format("klingon"), ART))


@each_case("selector", [":has()", "[*|a]", "[*|a=b]", ":lang()", ":nth-child(2 of)"])
def test_a_rule_whose_selector_no_program_knows_has_no_effect(selector: str) -> None:
    css = f"{selector} {{ fill: red }} rect {{ stroke: red }}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><style>{css}</style><rect width="1" height="1"/></svg>'
    tree = read_tree(svg.encode(), ART)
    apply_styles(tree)
    style = next(each.style for each in tree.elements if each.tag == "rect")
    assert (style.get("stroke"), style.get("fill")) == ("red", None)


_DIGITS = "9" * 5_000


@each_case(
    "content",
    [
        f'<rect style="stroke-width: {_DIGITS}"/>',
        f"<style>rect {{ stroke-width: {_DIGITS} }}</style><rect/>",
        f"<style>rect:nth-child({_DIGITS}) {{ fill: red }}</style><rect/>",
    ],
)
def test_a_number_of_thousands_of_digits_is_an_error_with_its_line(content: str) -> None:
    tree = read_tree(f'<svg xmlns="http://www.w3.org/2000/svg">\n{content}</svg>'.encode(), ART)
    with pytest.raises(SvgError, match="too many digits") as caught:
        apply_styles(tree)
    assert caught.value.line


def test_a_color_of_thousands_of_digits_is_none() -> None:
    with pytest.raises(ValueError, match="is not a valid color"):
        parse_colour(f"rgb({_DIGITS}, 1, 1)")


@pytest.mark.parametrize("name", ["clip-path", "mask", "filter"])
def test_a_value_that_a_property_cannot_have_is_ignored(name: str) -> None:
    source = f'<svg><g {name}="false"/><g style="{name}: 0"/><g {name}="url(#a)"/><g {name}="none"/></svg>'
    tree = read_tree(source.encode(), ART)
    apply_styles(tree)
    assert [each.style.get(name) for each in tree.elements[1:]] == [None, None, "url(#a)", "none"]
