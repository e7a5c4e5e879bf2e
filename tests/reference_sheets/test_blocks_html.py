from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from cardgen.project_checks.looks import contrast
from cardgen.reference.document_tree import Callout, DefinitionList, Document, RichText, TextBlock
from cardgen.reference.resolve import rich_text
from cardgen.reference_sheets import blocks as html
from cardgen.text.lines import Phrase
from tests.reference_sheets.sheets import FONTS, ICONS, callout, document, points, prose, table, terms, theme

VOID = {"meta", "br", "link", "img"}


class Reader(HTMLParser):
    """Reads a page: its elements with their attributes, and whether they are nested as they must be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


def whole() -> Document:
    linked = TextBlock(RichText(((Phrase("See "), Phrase("Section 1", italic=True, link="s1")),)))
    gone = TextBlock(RichText(((Phrase("nothing", link="gone"),),)))
    return document((prose(10), points(3), linked, gone), (table(3), callout(10)), (terms(3),))


def page(found: Document | None = None, name: str = "default") -> str:
    return html.write(found or whole(), theme(name), theme(), FONTS, ICONS).decode()


def test_it_is_one_file_that_needs_no_other() -> None:
    text = page()
    assert not re.search(r"https?://|@import|<script|<link", text)
    assert set(re.findall(r"url\((.{5})", text)) == {"data:"}


def test_spans_have_the_looks_of_the_theme() -> None:
    text = page(document((TextBlock(RichText(((Phrase("now", spans="hot underline"),),))),)))
    assert '<span class="span-hot span-underline">now</span>' in text
    assert ".span-underline { text-decoration-line: underline }" in text
    assert "span-" not in page()


def test_elements_are_nested_and_ids_are_unique() -> None:
    reader = Reader(page())
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    assert len(ids) == len(set(ids)) > 3


def test_every_link_leads_somewhere() -> None:
    reader = Reader(page())
    ids = {attributes["id"] for _, attributes in reader.elements if "id" in attributes}
    links = {attributes["href"] for attributes in reader.all("a")}
    assert "#s1" in links
    assert all(link and link.startswith("#") and link[1:] in ids for link in links)


def test_it_says_its_language_and_title_and_can_be_walked_through() -> None:
    reader = Reader(page())
    assert reader.all("html") == [{"lang": "en-GB"}]
    assert "<title>A test</title>" in page()
    assert len(reader.all("main")) == len(reader.all("nav")) == len(reader.all("header")) == 1
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert levels == [1, 2, 2, 2]


def test_tables_have_headings_of_rows_and_columns() -> None:
    reader = Reader(page())
    assert {attributes["scope"] for attributes in reader.all("th")} == {"col", "row"}
    assert reader.all("svg")
    assert all(attributes["aria-hidden"] == "true" for attributes in reader.all("svg"))


def test_what_stands_in_a_text_is_no_markup() -> None:
    wicked = replace(document((TextBlock(rich_text("<script>alert(1)</script> & so on")),)), title="<b>&")
    text = page(wicked)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; so on" in text
    assert "<title>&lt;b&gt;&amp;</title>" in text


def test_numbers_keep_their_units() -> None:
    assert "within 12\u00a0cm of it" in page(document((TextBlock(rich_text("within 12 cm of it")),)))


@pytest.mark.parametrize("name", ["default", "low-ink"])
@pytest.mark.parametrize("night", [False, True])
def test_text_can_be_read_in_light_and_in_dark(name: str, night: bool) -> None:
    """At least 4.5 to 1, as the accessibility guidelines (WCAG 2, AA) ask of text."""
    found = re.findall(r":root \{ (.*?) \}", page(name=name))[int(night)]
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", found))
    for text, ground in (
        ("ink", "ground"), ("ink", "panel"), ("soft", "ground"), ("accent", "ground"), ("accent", "panel"),
        ("on-plaque", "plaque"),
    ):  # fmt: skip
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)


def test_values_are_escaped_wherever_they_stand_and_are_never_code() -> None:
    hostile = "<b>&\"'{{7*7}}{%raw%}"
    text = rich_text(hostile)
    blocks = (TextBlock(text), Callout("note", hostile, (TextBlock(text),)), DefinitionList(((hostile, text),)))
    written = page(replace(document(blocks), title=hostile, subtitle=hostile, credit=hostile))
    assert "<b>" not in written
    assert written.count("{{7*7}}{%raw%}") == written.count("&lt;b&gt;&amp;") == 10
    Reader(written)
