from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from cardgen.export.reference.pagination import SheetFormat
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.reference.catalog import SheetCatalog, load_reference
from cardgen.pipeline.reference.make_sheets import SheetRequest, list_sheets, make_sheets, sheet_documents
from cardgen.project import Project
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    Section,
    Table,
    TextBlock,
)
from cardgen.rulesets.ruleset import Ruleset
from cardgen.units import PAPER_SIZES
from tests.export.reference.sheets import is_heading, pages
from tests.pipeline.projects import Folder
from tests.rulesets.warniris.reference.facts import FACTS, SECTIONS

SHEETS = ("booklet", "last-stand", "play-reference", "rules-summary", "warband")


def words(blocks: tuple[Block, ...]) -> Iterator[str]:
    """The words of some blocks in reading order."""
    for block in blocks:
        match block:
            case TextBlock(text=prose):
                yield prose.plain_text
            case ItemList():
                for item in block.items:
                    yield from words(item)
            case Table():
                yield block.caption
                yield from (cell.plain_text for row in (block.head, *block.rows) for cell in row)
            case DefinitionList():
                yield from (f"{word} {prose.plain_text}" for word, prose in block.entries)
            case Callout():
                yield block.title
                yield from words(block.blocks)


def text(section: Section) -> str:
    """A section's words, with those of all below it, in small letters and with single spaces."""
    below = (text(each) for each in section.sections)
    return " ".join(" ".join((section.title, *words(section.blocks), *below)).split()).casefold()


def texts(document: Document) -> list[str]:
    """The words of each section of a document; what stands at its foot is a section too."""
    return [*map(text, document.sections), document.credit.casefold()]


def sheet(name: str, **more: str) -> Document:
    return sheet_documents(SheetRequest(sheets=(name,), **more))[0]  # type: ignore[arg-type]


@cache
def told() -> tuple[str, ...]:
    """What summary and booklet tell, section by section."""
    return tuple(each for name in ("rules-summary", "booklet") for each in texts(sheet(name)))


def test_all_sections_of_the_rulebook_have_facts() -> None:
    assert len(SECTIONS) == 8
    assert len(FACTS) == sum(map(len, SECTIONS)) > 80


@pytest.mark.parametrize("fact", FACTS)
def test_every_fact_is_told(fact: str, folder: Folder) -> None:
    assert any(all(re.search(pattern, text) for pattern in FACTS[fact]) for text in told()), fact


@pytest.mark.parametrize("fact", FACTS)
def test_no_fact_is_told_by_whatever_stands_there(fact: str, folder: Folder) -> None:
    assert any(not all(re.search(pattern, text) for pattern in FACTS[fact]) for text in told())


def test_the_sheets_are_there(folder: Folder) -> None:
    assert tuple(name for name, _, _ in list_sheets()) == SHEETS


def game() -> Ruleset:
    return require_game("warniris")


TURNABLE = [(each.id, setting) for each in game().rulings for setting in [*each.settings][1:]]


@cache
def untouched() -> tuple[str, ...]:
    """The booklet under the rulings as they are by default."""
    return tuple(without_list(sheet("booklet")))


def without_list(document: Document) -> list[str]:
    """The words of a document, without its list of rulings and its cards."""
    return [text(section) for section in document.sections if section.id != "rulings"]


@pytest.mark.parametrize(("ruling", "setting"), TURNABLE)
def test_the_booklet_tells_every_ruling_as_it_is_set(ruling: str, setting: str, folder: Folder) -> None:
    """Mission 14 says in its own words what its ruling is about."""
    before = untouched()
    folder.write("cardgen.yaml", f"rulings: {{{ruling}: {setting}}}\n")
    after = sheet("booklet")
    answer = next(each for each in game().rulings if each.id == ruling).settings[setting]
    list_of_rulings = next(text(section) for section in after.sections if section.id == "rulings")
    assert f"{answer} (turned over)".casefold().replace("'", "’") in list_of_rulings.replace("‘", "’")
    assert (before != tuple(without_list(after))) == (ruling != "mission-14-type")


def test_an_overturned_ruling_changes_the_last_stand(folder: Folder) -> None:
    assert "a minion up to 2" in " ".join(texts(sheet("last-stand")))
    folder.write("cardgen.yaml", "rulings: {horde-actions: three}\n")
    assert "a minion up to 3" in " ".join(texts(sheet("last-stand")))


def test_a_changed_minion_changes_its_odds(folder: Folder) -> None:
    folder.write("cards/guard.yaml", "kind: minion\nname: Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n"
                 "weapons: [Halberd: CW R2 P1 D2]\n")  # fmt: skip
    before = " ".join(texts(sheet("last-stand")))
    assert "halberd guard 28 % 28 % 22 % 17 % 11 %" in before
    folder.write("cards/guard.yaml", "kind: minion\nname: Guard\nstats: {M: 4, B: 3, S: 2, W: 1, Mo: 10}\n"
                 "weapons: [Halberd: CW R2 P1 D2]\n")  # fmt: skip
    assert "halberd guard 56 % 56 % 44 % 33 % 22 %" in " ".join(texts(sheet("last-stand")))


def test_the_figures_of_the_rulebook_are_the_referees(folder: Folder) -> None:
    """A Sentinel's rifle against Body 3 wounds in 2 of 9; Spirit 5 with +1, clamped once, resists P2 in 4 of 6."""
    folder.write("cardgen.yaml", "rulings: {clamp-order: once}\n")
    booklet = " ".join(texts(sheet("booklet")))
    assert "it is wounded 2 in 9 (22 %)" in booklet
    assert "she resists 2 in 3 (67 %)" in booklet
    folder.write("cardgen.yaml", "rulings: {clamp-order: twice}\n")
    assert "she resists 1 in 2 (50 %)" in " ".join(texts(sheet("booklet")))


def test_a_warbands_sheet_has_its_own_cards_and_words_only(folder: Folder) -> None:
    document = sheet("warband", of="The Ashen Oath")
    oath = " ".join(texts(document))
    assert "halvane doru" in oath
    assert "iron halo" in oath
    assert "queen ysolve" not in oath
    assert "warp channeler" not in oath
    explained = {
        word for block in document.sections[-1].blocks if isinstance(block, DefinitionList) for word, _ in block.entries
    }
    assert {"Mind", "Wounds", "Ranged Weapon"} <= explained
    assert not {"Reaction", "Minion", "Horde", "Mission"} & explained


def test_a_horde_has_no_characters(folder: Folder) -> None:
    ids = [section.id for section in sheet("warband", of="The Grey Levy").sections]
    assert "minions" in ids
    assert not {"characters", "relics", "abilities"} & set(ids)


@pytest.mark.parametrize(("theme", "paper"), [("default", "a4"), ("low-ink", "letter"), ("default", "a5")])
def test_every_sheet_fits_every_paper(theme: str, paper: str, folder: Folder) -> None:
    made = make_sheets(SheetRequest(theme=theme, paper=paper))
    assert len(made.files) == 4 + 3
    assert made.pages >= len(made.files)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("name", SHEETS)
def test_its_pages_are_as_they_should_be(name: str, paper: str, folder: Folder) -> None:
    """No column is overfull or ends with a heading, and the body has 7.5 points or more."""
    rules = game()
    (found,) = SheetCatalog(Project.find(), rules, load_reference(rules)).sheets([name])
    written = found.model
    fewest, most = written.pages if isinstance(written.pages, tuple) else (None, written.pages)
    meant = written.paper or PAPER_SIZES["a4"]
    form = SheetFormat(PAPER_SIZES[paper], written.columns, most, written.body, found.place(), fewest).adapted_from(
        meant
    )
    for document in sheet_documents(SheetRequest(sheets=(name,))):
        set_pages = pages(document, form)
        assert set_pages.typography.size >= 7.5
        assert set_pages.sections.keys() == {section.id for _, section in document.walk()}
        for column in set_pages.columns:
            assert column.depth <= form.height(column.number) + 1e-6
            assert not is_heading(column.items[-1])
