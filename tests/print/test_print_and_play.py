"""One file to print and play: its parts, its cover, and what it says about printing and cutting."""

from __future__ import annotations

import io

import pikepdf
import pypdf
import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print import print_and_play
from cardgen.print.request import BuildRequest
from cardgen.project.files import built_in_folder
from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets
from cardgen.text.captions import CAPTIONS_FOLDER, load_captions
from tests.projects import STATS, Folder, pages_of


def test_all_parts_are_in_one_file_and_begin_on_a_leaf(folder: Folder) -> None:
    folder.plain()
    names = "".join(f"  - {{name: Minion {letter}, stats: {STATS}}}\n" for letter in "ABCDEFGHIJ")
    folder.write("cards/minions.yaml", f"kind: minion\ncards:\n{names}")
    built = build(BuildRequest(pnp=True, paper="a4,letter"))
    build(BuildRequest(pnp=True, theme="low-ink", sides="fronts"))
    assert folder.files() == [
        "warniris-pnp-a4.pdf", "warniris-pnp-letter.pdf", "warniris-pnp-low-ink-a4-fronts.pdf",
    ]  # fmt: skip
    with pikepdf.open(folder.root / "output/warniris-pnp-a4.pdf") as document, document.open_outline() as outline:
        titles = [item.title for item in outline.root]
        labels = {str(label["/P"]) for label in document.Root.PageLabels.Nums[1::2]}
        assert document.Root.PageMode == "/UseOutlines"
    assert {"Cards", "Pieces"} <= set(titles)
    assert {"cover", "1 front", "1 back", "2 front"} <= labels
    pages = pages_of(folder.output("warniris-pnp-a4.pdf"))
    cover = " ".join(pages[0].split())
    assert "Warniris, 2nd edition" in cover
    assert "100 mm long" in cover
    at = next(number for number, text in enumerate(pages) if "Minion A" in text and "100 mm" in text)
    assert at % 2 == 0
    assert f"Cards {at + 1}" in cover
    assert built.sheets == len(pages) // 2 + len(pages_of(folder.output("warniris-pnp-letter.pdf"))) // 2
    assert len(pages_of(folder.output("warniris-pnp-low-ink-a4-fronts.pdf"))) * 2 == len(pages)


@pytest.mark.parametrize(
    ("sides", "cover", "cards", "mats"), [(None, "1–2", "21–22", "25, 27"), ("fronts", "1", "11", "13–14")]
)
def test_the_pages_of_the_cover_need_no_leaf_for_a_blank_page(
    folder: Folder, sides: str | None, cover: str, cards: str, mats: str
) -> None:
    folder.plain().minions("Ash")
    folder.write(
        "cards/mats.yaml", "kind: mat\ndefaults: {width: 15, height: 15}\ncards: [{name: Moor}, {name: Fen}]\n"
    )
    build(BuildRequest(pnp=True, sides=sides))
    said = " ".join(pages_of(folder.output(folder.files()[0]))[0].split())
    assert f"Cover and cut list {cover} plain" in said
    assert f"Cards {cards} 1 card" in said
    assert f"mats, and dials {mats} 3–4 card" in said


@pytest.mark.parametrize("sides", ["backs", "backs-reversed"])
def test_a_file_of_backs_lacks_the_pages_of_headings(folder: Folder, sides: str) -> None:
    folder.plain().minions("Ash")
    build(BuildRequest(pnp=True, sides=sides))
    (name,) = folder.files()
    with pikepdf.open(folder.root / "output" / name) as document:
        assert len(document.pages) > 3


def test_pages_for_one_card_each_are_not_sheets(folder: Folder) -> None:
    folder.plain().minions("Ash")
    with pytest.raises(CardgenError, match="use --layout grid or packed"):
        build(BuildRequest(pnp=True, layout="single"))
    with pytest.raises(CardgenError, match="add --format pdf"):
        build(BuildRequest(pnp=True, formats=("png",)))


def test_the_cover_and_sheets_say_whom_to_credit(folder: Folder) -> None:
    folder.plain()
    folder.write("cards/a.yaml", f"kind: minion\nname: Ash\nstats: {STATS}\ncredit: Ann Painter\n")
    build(BuildRequest(pnp=True))
    assert "Credits Ann Painter" in " ".join(pages_of(folder.output("warniris-pnp-a4.pdf"))[0].split())
    sheet = "title: Thanks\npages: 1\nsections: [{section: Credits, content: [{show: credits}]}]\n"
    folder.write("sheets/thanks.yaml", sheet)
    (sheet_file,) = make_sheets(SheetRequest(sheets=("thanks",))).files
    (text,) = pages_of(sheet_file.read_bytes())
    assert "Ann Painter" in text
    assert "Ash" in text


def test_the_cover_is_as_large_as_its_page_allows(folder: Folder) -> None:
    folder.plain().minions("Ash")
    build(BuildRequest(pnp=True))
    large = _letters_of_the_cover(folder)
    painters = "".join(f"  - {{name: Minion {n}, stats: {STATS}, credit: Painter {n}}}\n" for n in range(22))
    folder.write("cards/many.yaml", f"kind: minion\ncards:\n{painters}")
    build(BuildRequest(pnp=True))
    small = _letters_of_the_cover(folder)
    assert max(small) < max(large)
    assert "Painter 21" in " ".join(pages_of(folder.output("warniris-pnp-a4.pdf"))[0].split())


def _letters_of_the_cover(folder: Folder) -> list[float]:
    """Return the sizes of the cover's type, in points."""
    sizes: list[float] = []
    page = pypdf.PdfReader(io.BytesIO(folder.output("warniris-pnp-a4.pdf"))).pages[0]
    page.extract_text(visitor_text=lambda text, _, __, ___, size: sizes.append(size) if text.strip() else None)
    return sizes


@pytest.mark.parametrize(("pages", "words"), [("2", "as page 2 says"), ("2–3", "as pages 2–3 say")])
def test_the_cover_names_one_page_of_cuts_or_several(pages: str, words: str) -> None:
    (order,) = print_and_play._cutting_order((), pages, has_pieces=False)
    assert words in order
    assert load_captions("de", [built_in_folder(CAPTIONS_FOLDER)]).translate(order) != order
