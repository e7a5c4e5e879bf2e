"""Numbers of sections and rules, and the index of a sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, count

from cardgen.reference.document_tree import (
    Block,
    Document,
    Index,
    IndexEntry,
    ItemList,
    RichText,
    RuleBlock,
    RuleMark,
    Section,
    map_texts,
)
from cardgen.text.markup import Icon, Phrase
from cardgen.validation.slug import slugify

INDEX_ID = "index"


def with_numbers(document: Document) -> Document:
    """Return the document with numbered sections and rules, and with these numbers in its cross-references.

    Sections are 1, 2, 3; the rules of section 3 are 3.1, 3.2, 3.3, in its subsections too.
    """
    sections = tuple(_numbered(section, str(number), count(1)) for number, section in enumerate(document.sections, 1))
    numbers = dict(_numbers(sections))
    fill = partial(_with_references, numbers=numbers)
    return replace(document, sections=tuple(_map_section(section, fill) for section in sections))


def _numbered(section: Section, number: str, rules: Iterator[int], *, top: bool = True) -> Section:
    blocks = tuple(_numbered_block(block, number, rules) for block in section.blocks)
    lower = tuple(_numbered(each, number, rules, top=False) for each in section.sections)
    return replace(section, blocks=blocks, sections=lower, number=number if top else "")


def _numbered_block(block: Block, number: str, rules: Iterator[int]) -> Block:
    if isinstance(block, RuleBlock):
        return replace(block, mark=replace(block.mark, number=f"{number}.{next(rules)}"))
    if isinstance(block, ItemList) and block.marks:
        return replace(block, marks=tuple(replace(mark, number=f"{number}.{next(rules)}") for mark in block.marks))
    return block


def _numbers(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """Yield the number of each section and rule by id; a subsection has that of its first rule."""
    for section in sections:
        marks = [mark for _, each in section.walk() for mark in rule_marks(each)]
        yield section.id, section.number or next((mark.number for mark in marks), "")
        yield from ((mark.id, mark.number) for mark in rule_marks(section) if mark.id)
        yield from _numbers(section.sections)


def rule_marks(section: Section) -> Iterator[RuleMark]:
    """Yield the marks of the rules of a section, without those of its subsections."""
    for block in section.blocks:
        if isinstance(block, RuleBlock):
            yield block.mark
        elif isinstance(block, ItemList):
            yield from block.marks


def _with_references(text: RichText, numbers: Mapping[str, str]) -> RichText:
    """Return a text with numbers: 'Cover (7)' for a section, and '7.2' for a rule."""

    def fill(part: Phrase | Icon) -> Phrase | Icon:
        number = numbers.get(part.link, "") if isinstance(part, Phrase) else ""
        if not isinstance(part, Phrase) or not number:
            return part
        return part._replace(text=f"{part.text} ({number})" if part.text != RuleMark.PLACEHOLDER else number)

    return replace(text, paragraphs=tuple(tuple(map(fill, paragraph)) for paragraph in text.paragraphs))


def _map_section(section: Section, fill: partial[RichText]) -> Section:
    blocks = tuple(map_texts(block, fill) for block in section.blocks)
    return replace(section, blocks=blocks, sections=tuple(_map_section(each, fill) for each in section.sections))


def with_index(document: Document, title: str) -> Document:
    """Return the document with an index of the terms of its rules as its last section."""
    used = {section.id for _, section in document.walk()}
    used |= {mark.id for _, section in document.walk() for mark in rule_marks(section)}
    sections = tuple(_with_anchors(section, used) for section in document.sections)
    places: dict[str, list[RuleMark]] = defaultdict(list)
    for top in sections:
        for _, section in top.walk():
            for mark in rule_marks(section):
                for term in mark.terms:
                    places[term].append(mark)
    entries = [
        IndexEntry("" if number else term, mark.number, mark.id)
        for term in sorted(places, key=lambda word: (word.casefold(), word))
        for number, mark in enumerate(places[term])
    ]
    number = str(len(sections) + 1) if any(section.number for section in sections) else ""
    index = Section(_free_id(INDEX_ID, used), title, (Index(tuple(entries)),), number=number)
    return replace(document, sections=(*sections, index)) if entries else document


def _with_anchors(section: Section, used: set[str]) -> Section:
    """Return a section in which every rule with terms has an id."""
    blocks = tuple(_anchored(block, used) for block in section.blocks)
    return replace(section, blocks=blocks, sections=tuple(_with_anchors(each, used) for each in section.sections))


def _anchored(block: Block, used: set[str]) -> Block:
    if isinstance(block, RuleBlock):
        return replace(block, mark=_with_id(block.mark, used))
    if isinstance(block, ItemList):
        return replace(block, marks=tuple(_with_id(mark, used) for mark in block.marks))
    return block


def _with_id(mark: RuleMark, used: set[str]) -> RuleMark:
    if mark.id or not mark.terms:
        return mark
    return replace(mark, id=_free_id(f"rule-{slugify(mark.terms[0])}", used))


def _free_id(wish: str, used: set[str]) -> str:
    name = next(name for name in chain((wish,), (f"{wish}-{number}" for number in count(2))) if name not in used)
    used.add(name)
    return name
