from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont

from cardgen.diagnostic import CardgenError
from cardgen.reference_sheets.make_sheets import SheetRequest, list_sheets, make_sheets, render_sheets
from cardgen.rulesets import ruleset
from cardgen.text.fonts import Fonts
from tests.products import Products
from tests.projects import Folder

SHEET = """\
title: House rules
columns: 2
pages: 1
body: [7.5, 12]
sections:
  - section: Odds
    content:
      - {show: odds-of-success, with: {penetration: 2}}
  - section: Minions
    content:
      - "See <see odds>."
      - {show: stats, with: {kind: minion}}
"""


def text_of(path: Path) -> str:
    pages = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_range() for page in pages).replace("\r\n", "\n")


def sheet(folder: Folder, text: str = SHEET, **more: object) -> str:
    """The text of one sheet as PDF."""
    folder.write("sheets/house.yaml", text)
    made = make_sheets(SheetRequest(sheets=("house",), **more))  # type: ignore[arg-type]
    return text_of(made.files[0])


def messages(folder: Folder, text: str, **more: object) -> list[str]:
    with pytest.raises(CardgenError) as caught:
        sheet(folder, text, **more)
    assert not list(folder.root.glob("output/*"))
    return [str(problem) for problem in caught.value.diagnostics]


def test_an_empty_folder_has_the_sheets_of_the_game(folder: Folder) -> None:
    made = make_sheets(SheetRequest(sheets=("rules-summary",)))
    assert [path.name for path in made.files] == ["warniris-rules-summary-a4.pdf"]
    assert made.pages == 2
    assert "SETUP" in text_of(made.files[0])


def test_the_sheets_are_listed_with_the_projects_own(folder: Folder) -> None:
    folder.write("sheets/house.yaml", SHEET)
    assert ("house", "House rules", "") in list_sheets()
    assert ("rules-summary", "Rules summary", "the whole game on two sides") in list_sheets()


def test_a_sheet_can_be_named_by_its_file(folder: Folder) -> None:
    folder.write("cards/guard.yaml", "kind: minion\nname: Toll Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n")
    folder.write("drafts/mine.yaml", SHEET)
    assert [path.name for path in make_sheets(SheetRequest(sheets=("drafts/mine.yaml",))).files] == [
        "warniris-mine-a4.pdf"
    ]


def test_the_same_input_gives_the_same_bytes(folder: Folder) -> None:
    wish = SheetRequest(sheets=("rules-summary",), formats=("pdf", "html"))
    assert render_sheets(wish) == render_sheets(wish)


def test_the_document_says_what_it_is(folder: Folder) -> None:
    folder.write("sheets/house.yaml", SHEET)
    (path,) = make_sheets(SheetRequest(sheets=("house",))).files
    with pikepdf.open(path) as document:
        assert str(document.docinfo["/Title"]) == "House rules"
        assert str(document.Root.Lang) == "en-GB"
        with document.open_outline() as outline:
            assert [item.title for item in outline.root] == ["Odds", "Minions"]
        links = [note for page in document.pages for note in page.get("/Annots", [])]
        assert len(links) == 1
        fonts = {str(font.BaseFont) for page in document.pages for font in page.Resources.Font.values()}
        assert fonts
        assert all(re.match(r"/[A-Z]{6}\+", font) for font in fonts)


def test_it_is_read_from_the_title_through_the_columns_to_the_foot(folder: Folder) -> None:
    text = sheet(folder, SHEET.replace("pages: 1", "pages: 1\ncredit: Made at home."))
    places = [text.index(words) for words in ("HOUSE RULES", "ODDS", "MINIONS", "Sorcerer", "Made at home.")]
    assert places == sorted(places)


def test_changing_a_minion_changes_the_sheet(folder: Folder) -> None:
    minion = "kind: minion\nname: Toll Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n"
    folder.write("cards/guard.yaml", minion)
    assert "Toll Guard 2 3 2 1 10" in sheet(folder)
    folder.write("cards/guard.yaml", minion.replace("B: 3", "B: 4"))
    assert "Toll Guard 2 4 2 1 10" in sheet(folder)


def test_overturning_a_ruling_changes_the_sheet(folder: Folder) -> None:
    assert "5 5 4 3" in sheet(folder)
    assert "1 1 1 1" in sheet(folder)
    folder.write("cardgen.yaml", "rulings: {clamp-order: before}\n")
    assert "1 1 0 0" in sheet(folder)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_papers(folder: Folder, paper: str) -> None:
    folder.write("sheets/house.yaml", SHEET)
    (path,) = make_sheets(SheetRequest(sheets=("house",), paper=paper)).files
    assert path.name == f"warniris-house-{paper}.pdf"


def test_what_does_not_fit_says_by_how_much_and_what_is_longest(folder: Folder) -> None:
    long = SHEET + "  - section: Litany\n    content:\n" + f"      - {'Say it again. ' * 30}\n" * 40
    (message,) = messages(folder, long)
    assert re.fullmatch(
        r"sheets/house.yaml:3:8: error\[CG610\]: sheet does not fit on 1 page of 210 x 297 mm even at 7.5 pt: "
        r"\d+ mm for 2 columns of \d+ mm in total, \d+ mm too long",
        message,
    )
    with pytest.raises(CardgenError) as caught:
        make_sheets(SheetRequest(sheets=("house",)))
    ((place, words),) = caught.value.diagnostics[0].related
    assert str(place) == "sheets/house.yaml:13:14"
    assert re.fullmatch(r"longest section: \d+ mm", words)


def test_a_word_wider_than_its_column_is_an_error(folder: Folder) -> None:
    (message,) = messages(folder, SHEET + f"      - {'w' * 80}\n", columns=4)
    assert message == f"sheets/house.yaml:13:9: error[CG610]: a word is wider than its column: {'w' * 60}…"


def test_a_character_without_a_glyph_is_an_error(folder: Folder) -> None:
    (message,) = messages(folder, SHEET + "      - Say 𓀀.\n")
    assert message == ("sheets/house.yaml:13:9: error[CG611]: 'Say 𓀀.' contains '𓀀' (U+13000), which no font has")


def test_a_title_without_a_glyph_is_an_error_too(folder: Folder) -> None:
    (message,) = messages(folder, SHEET.replace("House rules", "𓀀"))
    assert message == "sheets/house.yaml:3:8: error[CG611]: '𓀀' contains '𓀀' (U+13000), which no font has"


def test_a_long_title_is_made_smaller(folder: Folder) -> None:
    title = "The quite unreasonably long title of a sheet of sixty letters"[:60]
    folder.write("sheets/house.yaml", SHEET.replace("House rules", title).replace("columns: 2", f"subtitle: {title}"))
    (path,) = make_sheets(SheetRequest(sheets=("house",), paper="a5")).files
    page = pypdfium2.PdfDocument(path)[0].get_textpage()
    boxes = [page.get_charbox(number) for number in range(page.count_chars())]
    assert max(right for _, _, right, _ in boxes) <= 148 / 25.4 * 72


def test_a_table_of_too_many_columns_is_an_error(folder: Folder) -> None:
    cells = ", ".join(["word"] * 60)
    wide = SHEET + f"      - table: {{head: [{cells}], rows: [[{cells}]]}}\n"
    assert all("a word is wider than its column: word" in message for message in messages(folder, wide))


def test_a_sheet_of_another_game_is_left_out(folder: Folder) -> None:
    folder.write("sheets/house.yaml", f"game: chess\n{SHEET}")
    assert "house" not in {name for name, _, _ in list_sheets()}
    with pytest.raises(CardgenError) as caught:
        make_sheets(SheetRequest(sheets=("house",)))
    (problem,) = caught.value.diagnostics
    assert str(problem) == "sheets/house.yaml:1:7: error[CG608]: this sheet is for the game 'chess', not for 'warniris'"


def test_cards_that_are_named_come_in_place_of_the_projects(folder: Folder) -> None:
    minion = "kind: minion\nname: Toll Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n"
    folder.write("cards/guard.yaml", minion)
    other = folder.write("more/keeper.yaml", minion.replace("Toll Guard", "Toll Keeper"))
    text = sheet(folder, paths=(other,))
    assert "Toll Keeper" in text
    assert "Toll Guard" not in text


def test_a_sheet_may_name_cards_of_the_sample_kit(folder: Folder) -> None:
    folder.write("cards/guard.yaml", "kind: minion\nname: Toll Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n")
    assert "It has 3." in sheet(folder, SHEET + "      - It has <stat brute B>.\n")
    with pytest.raises(CardgenError, match="unknown fighter 'bruet'"):
        sheet(folder, SHEET + "      - It has <stat bruet B>.\n")


def test_a_warband_may_bear_relics_of_the_sample_kit(folder: Folder) -> None:
    folder.write("cards/sun.yaml", "kind: relic\nname: Sun Stone\neffects: [{when: damaged, bearer: {ignore: 1}}]\n")
    folder.write(
        "cards/us.yaml", "kind: warband\nname: Us\nmembers:\n  - {character: halvane-doru, relic: Iron Halo}\n"
    )
    (path,) = make_sheets(SheetRequest(sheets=("warband",), of="us")).files
    assert "Iron Halo" in text_of(path)
    assert "Sun Stone" not in text_of(path)


def test_what_is_no_language(folder: Folder) -> None:
    (message,) = messages(folder, SHEET.replace("pages: 1", "language: German"))
    assert message.startswith("sheets/house.yaml:3:11: error[CG107]: 'German' is not a language tag; did you mean 'de'")


def test_a_theme_with_a_font_that_is_not_there(folder: Folder) -> None:
    folder.write("templates/warniris/theme.plain.yaml", "fonts: {text: Comic Sans}\n")
    (message,) = messages(folder, SHEET, theme="plain")
    place = "templates/warniris/theme.plain.yaml:1:15"
    assert message.startswith(f"{place}: error[CG514]: unknown font family 'Comic Sans'")


def test_an_icon_that_is_none(folder: Folder) -> None:
    folder.write("icons/odd.svg", "<svg/>")
    (message,) = messages(folder, SHEET + "      - An {odd} icon.\n")
    assert message.startswith("icons/odd.svg:1:1: error[CG504]: <svg> needs a viewBox")


def test_unknown_sheets_formats_and_themes(folder: Folder) -> None:
    for wish, message in (
        (SheetRequest(sheets=("rule-summary",)), "SHEET: error[CG608]: unknown sheet 'rule-summary'; did you mean "
                                         "'rules-summary'?"),
        (SheetRequest(formats=("pfd",)), "--format: error[CG520]: unknown format 'pfd'"),
        (SheetRequest(theme="low-ikn"), "--theme: error[CG520]: unknown theme 'low-ikn'; did you mean 'low-ink'?"),
        (SheetRequest(paper="a44", sheets=("rules-summary",)), None),
        (SheetRequest(sheets=("rules-summary",), of="The Ashen Oath"), None),
    ):  # fmt: skip
        with pytest.raises(CardgenError) as caught:
            make_sheets(wish)
        assert message is None or [str(each) for each in caught.value.diagnostics] == [message]


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("game", ruleset.games())
def test_no_page_of_a_sheet_is_half_empty(game: str, paper: str, products: Products) -> None:
    files = products.sheets(game, paper).glob("*.pdf")
    filled = {(path.stem, number): share for path in files for number, share in enumerate(filled_shares(path))}
    assert filled
    assert {page: share for page, share in filled.items() if share < 0.7} == {}


def filled_shares(path: Path) -> Iterator[float]:
    """Yield how far down the text of each page reaches, without its footer."""
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            text, height = page.get_textpage(), page.get_height()
            feet = [text.get_rect(index)[1] / height for index in range(text.count_rects())]
            yield 1 - min(foot for foot in feet if foot > 0.07)


def test_rulings_are_marked_with_a_character_that_the_fonts_of_the_theme_have(folder: Folder) -> None:
    """Many fonts, such as the Latin subsets that web services offer, have no dagger."""
    (folder.root / "fonts").mkdir()
    for style in ("Regular", "Bold", "Italic", "BoldItalic"):
        font = TTFont(Fonts().font("Lato", "Bold" in style, "Italic" in style).path)
        subsetter = Subsetter()
        subsetter.populate(unicodes=range(0x20, 0x7F))
        subsetter.subset(font)
        for record in font["name"].names:
            if record.nameID in (1, 16):
                record.string = "Latin"
        font.save(folder.root / f"fonts/Latin-{style}.ttf")
    folder.write("templates/warniris/theme.yaml", "fonts: {text: Latin, display: Latin}\n")
    rules = "title: House rules\npages: 1\nsections: [{section: Order, content: ['<ruling clamp-order>']}]\n"
    text = sheet(folder, rules)
    assert "\N{DAGGER}" not in text
    assert "* A ruling on a question that the rulebook leaves open." in text


def test_a_folded_sheet_has_no_trim_marks_at_its_spine_unless_you_want_them(folder: Folder) -> None:
    def page(text: str, **more: object) -> bytes:
        folder.write("sheets/house.yaml", text)
        (path,) = make_sheets(SheetRequest(sheets=("house",), fold=True, **more)).files  # type: ignore[arg-type]
        picture: bytes = pypdfium2.PdfDocument(path)[0].render().to_pil().tobytes()
        return picture

    text = "title: House rules\nsections: [{section: A, content: [First.]}]\n"
    assert page(text) == page(text + "trim: true\n") != page(text, trim=True)


@pytest.mark.parametrize(
    ("paper", "size", "name"),
    [("a4", (841, 595), "a5"), ("letter", (792, 612), "letter"), ("210mm x 300mm", (850, 595), "210x300mm")],
)
def test_leaves_of_a_booklet_are_the_projects_paper(
    folder: Folder, paper: str, size: tuple[int, int], name: str
) -> None:
    folder.write("cardgen.yaml", f"game: warniris\npaper: {paper}\n")
    folder.write("sheets/house.yaml", SHEET + "\npaper: a5\n" if "paper:" not in SHEET else SHEET)
    (path,) = make_sheets(SheetRequest(sheets=("house",), fold=True)).files
    assert path.name.endswith(f"-{name}-folded.pdf")
    with pikepdf.open(path) as document:
        assert [float(side) for side in document.pages[0].mediabox[2:]] == pytest.approx(size, abs=3)


@pytest.mark.parametrize(
    ("paper", "pages", "mode"),
    [("a4", 1, "Simplex"), ("a4", 2, "DuplexFlipLongEdge"), ("297mm x 210mm", 2, "DuplexFlipShortEdge")],
)
def test_a_sheet_is_flipped_like_the_page_of_a_book(folder: Folder, paper: str, pages: int, mode: str) -> None:
    more = '      - "Guards stand where the road bends, and none may pass."\n' * (400 if pages > 1 else 0)
    folder.write("sheets/house.yaml", f"{SHEET.replace('pages: 1', 'pages: 9')}{more}")
    (path,) = make_sheets(SheetRequest(sheets=("house",), paper=paper)).files
    with pikepdf.open(path) as document:
        assert len(document.pages) >= pages
        assert str(document.Root.ViewerPreferences.Duplex) == f"/{mode}"
