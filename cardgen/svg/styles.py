"""Style attributes and style sheets, and the style that each element has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any
from xml.etree import ElementTree

from cardgen.svg.tree import Element, SvgError, Tree

INHERITED: Mapping[str, str] = {
    "fill": "black", "fill-rule": "nonzero", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-miterlimit": "4",
    "stroke-dasharray": "none", "stroke-dashoffset": "0", "visibility": "visible", "color": "black",
    "clip-rule": "nonzero", "marker-start": "none", "marker-mid": "none", "marker-end": "none",
    "paint-order": "normal", "font-size": "16px", "color-interpolation": "auto",
}  # fmt: skip
OWN: Mapping[str, str] = {
    "opacity": "1", "clip-path": "none", "mask": "none", "filter": "none", "display": "inline", "overflow": "",
    "stop-color": "black", "stop-opacity": "1", "mix-blend-mode": "normal", "isolation": "auto",
    "mask-type": "luminance", "vector-effect": "none", "transform": "", "transform-origin": "", "transform-box": "",
    "clip": "auto", "backdrop-filter": "none", "d": "",
    "background-color": "",
}  # fmt: skip
# Properties that are attributes with the same values.
_GEOMETRY = frozenset({"x", "y", "cx", "cy", "r", "rx", "ry", "width", "height"})
_NOT_PRESENTATIONAL = frozenset({
    "transform", "mix-blend-mode", "isolation", "backdrop-filter", "d", "background-color",
})  # fmt: skip
_PROPERTIES = INHERITED.keys() | OWN.keys() | _GEOMETRY
_PRESENTATIONAL = (INHERITED.keys() | OWN.keys()) - _NOT_PRESENTATIONAL
_MARKERS = ("marker-start", "marker-mid", "marker-end")
# Rules that change nothing in a picture without text.
_HARMLESS_RULES = frozenset({"charset", "font-face", "namespace"})
# What the libraries raise, which call themselves for each bracket and each part of a selector.
NESTED_TOO_DEEPLY = (RecursionError, MemoryError)
_SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
# A declaration: property, value, and whether it is important.
_Declaration = tuple[str, str, bool]


_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def read_style(text: str) -> dict[str, str]:
    """Return the properties of a style attribute or a description.

    They are written as in 'style: title; align: center'.
    """
    pairs = (part.partition(":") for part in _COMMENT.sub("", text).split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip() and value.strip()}


def apply_styles(tree: Tree) -> None:
    """Set the specified style of all elements.

    Raises SvgError for style sheets that are not supported, and styles that are nested too deeply.
    """
    sheets = [element for element in tree.elements if element.tag == "style"]
    element = sheets[0] if sheets else tree.elements[0]
    try:
        matched = _StyleSheets(sheets).match(tree) if sheets else {}
        for element in tree.elements:
            element.style = _cascade(element, matched.get(element.number, ()))
    except NESTED_TOO_DEEPLY:
        raise SvgError("a style is nested too deeply", line=element.line, feature="nested styles") from None


def computed_style(element: Element, above: Mapping[str, str]) -> dict[str, str]:
    """Return the style of an element below one with the style `above`."""
    own = element.style
    style = {name: _inherit(own.get(name, ""), above[name], initial) for name, initial in INHERITED.items()}
    for name, initial in OWN.items():
        value = own.get(name, initial)
        style[name] = above[name] if value == "inherit" else initial if value in ("initial", "unset") else value
    style["overflow"] = style["overflow"] or ("visible" if own.get("overflow") == "inherit" else "")
    return style


INITIAL = {**INHERITED, **OWN}


def _inherit(value: str, above: str, initial: str) -> str:
    if value in ("", "inherit", "unset"):
        return above
    return initial if value == "initial" else value


def _cascade(element: Element, sheet: Iterable[_Declaration]) -> dict[str, str]:
    attributes = element.attributes
    own = _declarations_of(attributes["style"], element) if "style" in attributes else ()
    present = ((name, attributes[name].strip(), False) for name in attributes.keys() & _PRESENTATIONAL)
    style: dict[str, str] = {}
    important: dict[str, str] = {}
    for name, value, is_important in chain(present, sheet, own):
        target = important if is_important else style
        for each in _MARKERS if name == "marker" else (name,):
            target[each] = value
    style |= important
    for name in style.keys() & _GEOMETRY:
        attributes[name] = style[name]
    return style


def _declarations_of(text: str, element: Element) -> list[_Declaration]:
    import tinycss2

    return list(_declarations(tinycss2.parse_blocks_contents(text, True, True), element.line))


def _declarations(nodes: Iterable[Any], line: int) -> Iterator[_Declaration]:
    """Yield the declarations that matter.

    Unknown properties have no effect in any program.
    """
    import tinycss2

    for node in nodes:
        if node.type != "declaration":
            continue
        value = tinycss2.serialize(node.value).strip()
        if node.lower_name.startswith("--") or "var(" in value:
            message = "CSS variables are not supported; save it as plain SVG"
            raise SvgError(message, line=line, feature="CSS variables")
        if node.lower_name in _PROPERTIES or node.lower_name == "marker":
            yield node.lower_name, value, node.important


class _StyleSheets:
    """The rules of all style sheets of a file."""

    def __init__(self, sheets: Iterable[Element]) -> None:
        import cssselect2

        self._matcher = cssselect2.Matcher()
        for sheet in sheets:
            if sheet.get("type", "text/css") in ("text/css", ""):
                self._add(sheet)

    def _add(self, sheet: Element) -> None:
        import tinycss2

        for rule in tinycss2.parse_stylesheet(sheet.text, True, True):
            line = sheet.line + rule.source_line - 1
            if rule.type == "at-rule" and rule.lower_at_keyword not in _HARMLESS_RULES:
                name = f"@{rule.lower_at_keyword}"
                raise SvgError(f"'{name}' in a style sheet is not supported", line=line, feature=name)
            if rule.type == "qualified-rule":
                self._add_rule(rule, line)

    def _add_rule(self, rule: Any, line: int) -> None:
        import cssselect2
        import tinycss2

        declarations = list(_declarations(tinycss2.parse_blocks_contents(rule.content, True, True), line))
        if not declarations:
            return
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:
            return  # A rule with an invalid selector has no effect.
        for selector in selectors:
            self._matcher.add_selector(selector, declarations)

    def match(self, tree: Tree) -> dict[int, list[_Declaration]]:
        """Return the declarations of each element by its number, in ascending priority."""
        import cssselect2

        matched: dict[int, list[_Declaration]] = {}
        wrapped = cssselect2.ElementWrapper.from_xml_root(_element_tree(tree))
        for element, wrapper in zip(tree.elements, wrapped.iter_subtree(), strict=True):
            for _, _, pseudo, declarations in self._matcher.match(wrapper):
                if pseudo is None:
                    matched.setdefault(element.number, []).extend(declarations)
        return matched


def _element_tree(tree: Tree) -> ElementTree.Element:
    """Return the elements as the library for selectors reads them."""
    copies = [ElementTree.Element(_SVG_NAMESPACE + each.tag, each.attributes) for each in tree.elements]
    for element, copy in zip(tree.elements, copies, strict=True):
        if element.parent:
            copies[element.parent.number].append(copy)
    return copies[0]
