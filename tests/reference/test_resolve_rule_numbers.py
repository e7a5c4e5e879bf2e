from __future__ import annotations

import pytest

from cardgen.reference.document_tree import Document, Index, IndexEntry, ItemList, RuleBlock, TextBlock
from cardgen.text.lines import Phrase
from tests.reference.sheets import document, said

SHEET = """
title: Test
number: true
index: true
sections:
  - section: Sight
    content:
      - {id: block, text: A wall blocks sight.}
      - text: "Two ways:"
        points: [Over., Under.]
      - note: Mind the gap.
    sections:
      - section: Cover
        content: [{term: Cover, text: One die fewer.}]
  - section: Set-up
    content:
      - steps: [Sit., {text: Stand., index: [Cover, Rising]}]
      - points: [{term: Ash, text: "See <see block> and <see sight>, or <see cover>."}]
"""


@pytest.fixture(scope="module")
def sheet() -> Document:
    return document(SHEET)


def test_sections_and_their_rules_are_numbered(sheet: Document) -> None:
    sight, setup, index = sheet.sections
    assert [section.heading for section in (sight, setup, index)] == ["1\u2002Sight", "2\u2002Set-up", "3\u2002Index"]
    first, second, note = sight.blocks
    assert isinstance(first, RuleBlock)
    assert isinstance(second, RuleBlock)
    assert (first.mark.number, second.mark.number, first.mark.id) == ("1.1", "1.2", "block")
    assert isinstance(second.blocks[1], ItemList)
    assert second.blocks[1].marks == ()
    assert not isinstance(note, RuleBlock)
    (lower,) = sight.sections
    assert (lower.heading, [block.mark.number for block in lower.blocks if isinstance(block, RuleBlock)]) == (
        "Cover",
        ["1.3"],
    )
    steps, points = setup.blocks
    assert isinstance(steps, ItemList)
    assert isinstance(points, ItemList)
    assert [mark.number for mark in (*steps.marks, *points.marks)] == ["2.1", "2.2", "2.3"]


def test_cross_references_have_numbers(sheet: Document) -> None:
    points = sheet.sections[1].blocks[1]
    assert isinstance(points, ItemList)
    ((passage,),) = points.items
    assert isinstance(passage, TextBlock)
    assert passage.text.plain_text == "Ash\u2002See 1.1 and Sight (1), or Cover (1.3)."
    links = [part.link for part in passage.text.paragraphs[0] if isinstance(part, Phrase) and part.link]
    assert links == ["block", "sight", "cover"]


def test_the_index_is_in_order_and_leads_to_rules(sheet: Document) -> None:
    (index,) = sheet.sections[-1].blocks
    assert index == Index(
        (
            IndexEntry("Ash", "2.3", "rule-ash"),
            IndexEntry("Cover", "1.3", "rule-cover"),
            IndexEntry("", "2.2", "rule-cover-2"),
            IndexEntry("Rising", "2.2", "rule-cover-2"),
        )
    )


def test_without_numbers_there_is_an_index_of_pages_and_its_title_can_be_set() -> None:
    found = document(
        SHEET.replace("number: true", "").replace("<see block>", "it").replace("index: true", "index: Words")
    )
    assert [section.heading for section in found.sections] == ["Sight", "Set-up", "Words"]
    (index,) = found.sections[-1].blocks
    assert isinstance(index, Index)
    assert {entry.number for entry in index.entries} == {""}
    assert isinstance(found.sections[0].blocks[0], RuleBlock)
    assert isinstance(found.sections[0].blocks[1], TextBlock)


def test_an_index_without_terms_is_left_out() -> None:
    found = document("title: T\nindex: true\nsections: [{section: A, content: [B.]}]\n")
    assert [section.title for section in found.sections] == ["A"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- {id: a, note: N}", "only an item with a text can have 'id', 'term', or 'index'"),
        ("- {text: T, points: [{id: b, text: P}]}", "'id' is only allowed for rules"),
        ("- {text: T, points: [{points: [{term: b, text: P}]}]}", "'term' is only allowed for rules"),
        ("- {id: a, text: T}\n      - {id: a, text: U}", "duplicate id 'a'"),
        ("- {id: one, text: T}", "duplicate id 'one'"),
        ("- See <see nowhere>.", "unknown section 'nowhere'"),
    ],
)
def test_mistakes_are_located(line: str, message: str) -> None:
    (found,) = said(f"title: T\nnumber: true\nsections:\n  - section: One\n    content:\n      {line}\n")
    assert message in found
    assert found.startswith("sheet.yaml:")
