from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from cardgen.deck.deck import require_game
from cardgen.project.project import Project
from cardgen.reference.document_tree import (
    Block,
    Callout,
    DefinitionList,
    Document,
    ItemList,
    RuleBlock,
    Section,
    Table,
    TextBlock,
)
from cardgen.reference_sheets.catalog import SheetCatalog, load_reference
from cardgen.reference_sheets.make_sheets import SheetRequest, list_sheets, make_sheets, sheet_documents
from cardgen.reference_sheets.pagination import SheetFormat
from cardgen.rulesets.ruleset import Ruleset
from cardgen.units import PAPER_SIZES
from tests.projects import Folder, pages_of
from tests.reference_sheets.sheets import is_heading, pages
from tests.rulesets.warniris.facts import FACTS, SECTIONS

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
            case RuleBlock():
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
    return tuple(each for name in ("rules-summary", "booklet") for each in texts(untouched()[name]))


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
PRINTED = tuple(name for name in SHEETS if name != "warband")
Documents = Mapping[str, Document]


@cache
def untouched() -> Documents:
    """The sheets under the rulings as they are by default."""
    return dict(zip(PRINTED, sheet_documents(SheetRequest(sheets=PRINTED)), strict=True))


@cache
def turned(ruling: str, setting: str) -> Documents:
    """The sheets under one ruling that is set otherwise; its settings are written into the current folder."""
    Path("cardgen.yaml").write_text(f"rulings: {{{ruling}: {setting}}}\n", encoding="utf-8")
    return dict(zip(PRINTED, sheet_documents(SheetRequest(sheets=PRINTED)), strict=True))


def sheets_under(ruling: str, setting: str) -> Documents:
    return turned(ruling, setting) if (ruling, setting) in TURNABLE else untouched()


def test_defaults_that_are_named_change_nothing(folder: Folder) -> None:
    before = untouched()
    defaults = {each.id: next(iter(each.settings)) for each in game().rulings}
    folder.write("cardgen.yaml", f"rulings: {json.dumps(defaults)}\n")
    assert dict(zip(PRINTED, sheet_documents(SheetRequest(sheets=PRINTED)), strict=True)) == before


def without_list(document: Document) -> list[str]:
    """The words of a document, without its list of rulings and its cards."""
    return [text(section) for section in document.sections if section.id != "rulings"]


@pytest.mark.share(4)
@pytest.mark.parametrize(("ruling", "setting"), TURNABLE)
def test_the_booklet_tells_every_ruling_as_it_is_set(ruling: str, setting: str, folder: Folder) -> None:
    before, after = untouched()["booklet"], turned(ruling, setting)["booklet"]
    answer = next(each for each in game().rulings if each.id == ruling).settings[setting]
    list_of_rulings = next(text(section) for section in after.sections if section.id == "rulings")
    assert f"{answer} (turned over)".casefold().replace("'", "’") in list_of_rulings.replace("‘", "’")
    assert without_list(before) != without_list(after)


# What only one setting of a ruling makes true; under the others, no sheet may say it.
STATEMENTS = {
    "mission-14-type": {
        "any": r"use any weapon, but not a power", "cw": r"use a combat weapon", "rw": r"ranged weapon\.†",
    },
    "clamp-order": {"once": r"(penalties, including|penalties, and) penetration", "before": r"can become impossible"},
    "overkill-vp": {
        "lost": r"only wounds actually lost|each wound actually lost", "all": r"each point dealt|every point dealt",
    },
    "elimination": {"wins": r"whatever the vp|you win at once", "vp": r"and the vp decide"},
    "ignored-vp": {"unscored": r"ignored points do not score", "scored": r"ignored points score"},
    "reaction-cloak": {"free": r"cloaks do not count|a gap, do not", "hindered": r"gaps and cloaks count|apply too"},
    "reaction-when": {"any-point": r"at any moment|partway", "before-dice": r"before the first die"},
    "reaction-cw-move": {"none": r"no free move", "allowed": r"keeps its free move"},
    "last-stand-first": {
        "defenders": r"defenders go first in every turn", "alternate": r"horde goes first in every second",
    },
    "horde-actions": {"two": r"minion (up to )?2†", "three": r"minion (up to )?3†"},
    "channel-is-attack": {"apart": r"channel does not count", "included": r"channel counts"},
    "mission-once": {"once": r"scores only once", "each-time": r"scores every time"},
    "small-gaps": {
        "blocked": r"gap of 1 cm or more|under 1 cm is completely hidden",
        "gap": r"gap of any width|through a gap under 1 cm",
    },
    "between-hit": {"tested": r"test to hit (it )?as usual|continue with the test to hit", "skipped": r"it is hit"},
}  # fmt: skip


def quoted_rulings(name: str) -> list[tuple[str, dict[str, str]]]:
    """Each ruling that a sheet quotes, with its words for the settings."""
    source = (load_reference(game()).sheets / f"{name}.yaml").read_text(encoding="utf-8")
    quotes = (quote.split("|") for quote in re.findall(r"<ruling ([^>]*)>", source))
    return [(ruling.strip(), dict(map(variant, variants))) for ruling, *variants in quotes]


def variant(words: str) -> tuple[str, str]:
    setting, _, said = words.partition(":")
    return setting.strip(), said.strip().replace("*", "").casefold()


def statements(document: Document) -> str:
    """The words of a sheet, without its list of rulings and its cards, whose texts do not know the rulings."""
    kept = [replace(each, blocks=each.blocks[:1]) if each.id == "missions" else each for each in document.sections]
    return " ".join(map(text, (section for section in kept if section.id != "rulings")))


SETTINGS = [(each.id, setting) for each in game().rulings for setting in each.settings]


@pytest.mark.share(2)
@pytest.mark.parametrize(("ruling", "setting"), SETTINGS)
def test_no_sentence_stays_when_its_ruling_is_turned_over(ruling: str, setting: str, folder: Folder) -> None:
    documents = sheets_under(ruling, setting)
    question = next(each.question for each in game().rulings if each.id == ruling)
    question = question.casefold().replace("'", "’").replace("-1", "−1")
    for name in PRINTED:
        said, quotes = (
            statements(documents[name]),
            [words for quoted, words in quoted_rulings(name) if quoted == ruling],
        )
        for words in quotes:
            mine = words.pop(setting, question)
            assert (f"{mine}†" in said) if mine != question else (question in said.replace("‘", "’"))
            assert not [other for other in words.values() if len(other) > 3 and f"{other}†" in said]
        for other, pattern in STATEMENTS.get(ruling, {}).items():
            assert other == setting or not re.search(pattern, said), (name, pattern)


@pytest.mark.parametrize(("ruling", "setting"), [(each, other) for each in STATEMENTS for other in STATEMENTS[each]])
def test_every_statement_is_made_under_its_setting(ruling: str, setting: str, folder: Folder) -> None:
    documents = sheets_under(ruling, setting).values()
    assert any(re.search(STATEMENTS[ruling][setting], statements(document)) for document in documents)


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_a_ruling_is_marked_as_one(name: str, folder: Folder) -> None:
    """Each quote of a ruling ends with the mark that the footer explains."""
    assert untouched()[name].credit.endswith("† A ruling on a question that the rulebook leaves open.")
    assert statements(untouched()[name]).count("†") >= len(quoted_rulings(name)) > 0


# Statements of the rulings that have one setting only, wherever a sheet makes them.
FIXED_STATEMENTS = (
    "on a tie, both roll again.", "may carry the same relic.", "both may be the same.", "continues alone.",
    "draw.", "scores nothing.", "reaction is used up.", "on itself, unless its text says otherwise.",
    "evenly as possible.", "touches the line of sight.",
)  # fmt: skip


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("statement", FIXED_STATEMENTS)
def test_a_fixed_ruling_is_marked_too(name: str, statement: str, folder: Folder) -> None:
    said = statements(untouched()[name])
    assert said.count(statement) == said.count(f"{statement}†")


def test_a_setting_without_words_is_told_with_its_question(folder: Folder) -> None:
    """A sheet stays right when a ruling has a setting that it has no words for."""
    section = "title: T\nsections:\n  - section: S\n    content: ['<ruling overkill-vp | lost: Lost Wounds score.>']\n"
    folder.write("sheets/house.yaml", section)
    assert "lost wounds score.†" in " ".join(texts(sheet("house")))
    folder.write("cardgen.yaml", "rulings: {overkill-vp: all}\n")
    assert "do points of damage beyond the last wound score? yes. every point dealt scores. (turned over)†" in (
        " ".join(texts(sheet("house")))
    )


# What the rulebook says and both sheets had wrong or left out, by sheet.
CORRECTIONS = {
    "the mover takes the Body Test": ("booklet", "the moving miniature takes a body test"),
    "the mover takes the Body Test, in the summary": ("rules-summary", "the moving miniature takes a body test"),
    "the mover takes the Body Test, in play": ("play-reference", "the moving miniature takes a body test"),
    "a free Move may curve": ("booklet", "straight or curved like any move"),
    "a free Move may curve, in the summary": ("rules-summary", "toward the target, straight or curved"),
    "a free Move tests, in play": ("play-reference", "take body tests for enemies you cross"),
    "healing needs no Test, in play": ("play-reference", "nothing but heal or protect, it takes no test"),
    "some Effects apply on a hit": ("booklet", "if you succeed, apply effects that say when it hits"),
    "some Effects apply on a hit, in the summary": ("rules-summary", "on a hit, apply effects that say when it hits"),
    "re-rolls apply to Reactions": ("booklet", "bonuses, penalties, and re-rolls for its tests apply"),
    "a Relic waits for its Activation": ("rules-summary", "when you use it; you choose the activation"),
    "two dice for many Wounds": ("booklet", "two dice for more than 6 wounds"),
    "two dice for many Wounds, in the summary": ("rules-summary", "or two for more than 6"),
    "bases of Minions": ("rules-summary", "round bases of 25 to 30 mm"),
    "friends": ("rules-summary", "friends are other miniatures on the same side"),
    "adding up": ("booklet", "even those of one effect that applies again, unless its text says not cumulative"),
    "shifts": ("booklet", "a shift is not a move"),
    "an elimination": ("booklet", "measure from where the miniature falls"),
}


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_sheets_agree_with_the_rulebook_and_the_referee(correction: str, folder: Folder) -> None:
    name, words = CORRECTIONS[correction]
    assert words in " ".join(texts(untouched()[name]))


def test_an_overturned_ruling_changes_the_last_stand(folder: Folder) -> None:
    assert "a minion up to 2" in " ".join(texts(sheet("last-stand")))
    folder.write("cardgen.yaml", "rulings: {horde-actions: three}\n")
    assert "a minion up to 3" in " ".join(texts(sheet("last-stand")))


@pytest.mark.parametrize("name", ["booklet", "rules-summary", "last-stand"])
def test_a_last_stand_ends_with_the_defenders_only(name: str, folder: Folder) -> None:
    assert "ends only when the last defender is eliminated" in statements(untouched()[name])


@pytest.mark.parametrize("name", ["booklet", "rules-summary", "last-stand"])
def test_who_starts_the_later_turns_of_a_last_stand_is_a_ruling(name: str, folder: Folder) -> None:
    assert "defenders go first in every turn.†" in statements(untouched()[name])


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
    assert "its chance to be wounded is 2 in 9 (22 %)" in booklet
    assert "her chance to resist is 2 in 3 (67 %)" in booklet
    folder.write("cardgen.yaml", "rulings: {clamp-order: twice}\n")
    assert "her chance to resist is 1 in 2 (50 %)" in " ".join(texts(sheet("booklet")))


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


def test_a_warbands_sheet_explains_everyday_words_that_are_terms(folder: Folder) -> None:
    """'shift' and 'friends' are terms although cards print them in lower case."""
    terms = sheet("warband", of="The Drowned Court").sections[-1].blocks
    assert {"Shift", "Friend", "Target"} <= {
        word for each in terms if isinstance(each, DefinitionList) for word, _ in each.entries
    }


def test_a_horde_has_no_characters(folder: Folder) -> None:
    ids = [section.id for section in sheet("warband", of="The Grey Levy").sections]
    assert "minions" in ids
    assert not {"characters", "relics", "abilities"} & set(ids)


def test_only_a_horde_is_told_the_chances_of_its_attackers(folder: Folder) -> None:
    told = {
        name: {section.id for section in sheet("warband", of=name).sections}
        for name in ("The Grey Levy", "The Ashen Oath")
    }
    assert "defenders-attack" in told["The Grey Levy"]
    assert "defenders-attack" not in told["The Ashen Oath"]


def test_every_sheet_fits_its_paper_in_the_other_theme(folder: Folder) -> None:
    """In its own theme, every sheet of every game is made on every paper where their pages are measured."""
    made = make_sheets(SheetRequest(theme="low-ink", paper="letter"))
    assert len(made.files) == 4 + 3
    assert made.pages >= len(made.files)


@cache
def warbands() -> tuple[Document, ...]:
    return tuple(sheet_documents(SheetRequest(sheets=("warband",))))


@pytest.mark.share(3)
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
    for document in (untouched()[name],) if name in PRINTED else warbands():
        set_pages = pages(document, form)
        assert set_pages.typography.size >= 7.5
        rules_of_index = {each for each in set_pages.sections if each.startswith("rule-")}
        assert set_pages.sections.keys() - rules_of_index == {section.id for _, section in document.walk()}
        for column in set_pages.columns:
            assert column.depth <= form.height(column.number) + 1e-6
            assert not is_heading(column.items[-1])


def test_odds_on_a_sheet_say_first_what_they_leave_out(folder: Folder) -> None:
    """Text that is left to the players, and what a warband carries; each once a table."""
    fighter = "{mind: 2, body: 3, spirit: 2, wounds: 4, movement: 12}"
    folder.write(
        "cards/all.yaml",
        f"""\
cards:
  - {{kind: relic, name: Bell, effects: [{{bearer: {{body: +1}}}}]}}
  - kind: character
    name: Ash
    stats: {fighter}
    weapons: [{{Rifle: RW R20 D1}}, {{Club: CW R1 D1}}]
    abilities: [{{name: Trick, text: Wolves like her.}}]
  - {{kind: minion, name: Brute, stats: {fighter}, weapons: [{{Axe: CW R1 D1}}]}}
  - {{kind: warband, name: Bare, members: [{{character: Ash}}]}}
  - {{kind: warband, name: Rich, members: [{{character: Ash, relic: Bell}}]}}
""",
    )
    for of, note in (("Bare", "ash: ‘trick’ has only text."), ("Rich", "ash: ‘trick’ has only text; relics.")):
        told = texts(sheet("warband", of=of))
        odds = [each for each in told if "not adjudicated" in each]
        assert len(odds) == 2
        for each in odds:
            assert each.count("not adjudicated") == 1
            assert each.index(f"not adjudicated: {note}") < each.index("%")


def test_odds_of_the_booklet_leave_out_nothing(folder: Folder) -> None:
    assert not any("not adjudicated" in each for name in ("booklet", "last-stand") for each in texts(untouched()[name]))


# Words of English sentences that no German sheet has; names of cards are in the language of the cards.
ENGLISH = {"the", "and", "when", "with", "damage", "wounds", "turn", "action", "ruling", "adjudicated", "Relics"}


def test_sheets_in_german_are_complete_and_have_no_english_sentences(folder: Folder) -> None:
    original = {document.title: document for document in sheet_documents(SheetRequest(sheets=SHEETS))}
    folder.write("cardgen.yaml", "language: de\n")
    assert [name for name, _, _ in list_sheets("warniris")] == list(SHEETS)
    german = sheet_documents(SheetRequest(sheets=SHEETS))
    assert len(german) == len(original)
    for document in german:
        assert document.language == "de"
        said = " ".join(text for section in document.sections for text in words(section.blocks)) + document.credit
        said = said.replace("Lamp of the Abbey", "")
        found = {word for word in re.findall(r"[^\W\d_]+", said) if word in ENGLISH}
        assert not found, (document.title, found)
    made = make_sheets(SheetRequest(sheets=("play-reference",)))
    assert [path.name for path in made.files] == ["warniris-play-reference-a4.pdf"]


def test_the_german_booklet_has_german_pages_numbers_and_links(folder: Folder) -> None:
    folder.write("cardgen.yaml", "language: de\n")
    make_sheets(SheetRequest(sheets=("booklet",), formats=("pdf", "html")))
    page = folder.output("warniris-booklet.html").decode()
    assert "im Schnitt verliert er 0,56 Wunden" in page
    assert 'aria-label="Abschnitte"' in page
    assert "Skip to" not in page
    index = pages_of(folder.output("warniris-booklet-a5.pdf"))[-1]
    assert re.search(r"8\.10, S\.\s6", index)


def test_a_sheet_with_a_dot_in_its_name_is_no_translation(folder: Folder) -> None:
    text = "title: House\nsections: [{section: A, content: [B]}]\n"
    for name in ("house", "house.v2", "house.de", "other.de"):
        folder.write(f"sheets/{name}.yaml", text)
    names = [name for name, _, _ in list_sheets("warniris")]
    assert {"house", "house.v2", "other.de"} <= {*names}
    assert "house.de" not in names
