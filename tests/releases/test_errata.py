"""Errata of a small project: the sheet, and stickers that equal the same part of the card."""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from cardgen.builds.builder import build
from cardgen.print.build_manifest import BuildResult
from cardgen.print.request import BuildRequest
from cardgen.releases.write import write_release
from cardgen.scaffold.game import new_game
from tests.projects import STATS, Folder, pages_of

FRONT = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">
<rect x="-3" y="-3" width="{{ width + 6 }}" height="{{ height + 6 }}" fill="#fc8"/>
{% for step in range(30) %}<circle cx="{{ step * 3 }}" cy="{{ step * 3 }}" r="9" fill="#8{{ step % 10 }}f"/>{% endfor %}
<cg:text x="5" y="5" width="{{ width - 10 }}" height="12" style="body" field="name">{{ card.name }}</cg:text>
<cg:text x="5" y="20" width="40" height="20" style="body" field="motto">{{ card.motto }}</cg:text>
<text x="10" y="70" style="body">W {{ card.stats.wounds }}</text>
</svg>
"""
CARDS = f"""\
kind: minion
cards:
  - {{name: Ash, qty: 2, stats: {STATS}, motto: Still and cold as ever}}
  - {{name: Ember, stats: {STATS}, motto: Glows}}
  - {{name: Soot, qty: 3, stats: {STATS}}}
"""
# 10 pixels per millimeter
DPI = 254
# The largest difference of a channel, of 255, that rounded coordinates make at the edges of curves.
_ROUNDING = 4


@pytest.fixture
def project(folder: Folder) -> Folder:
    """Return a project with a release, and changes since then of all kinds."""
    folder.write("templates/warniris/minion.svg.j2", FRONT)
    folder.write("cards/a.yaml", CARDS)
    write_release("v1")
    changed = CARDS.replace("W: 1, Mo: 10}, motto: Still and cold", "W: 2, Mo: 10}, motto: Still and warm")
    changed = changed.replace("Soot, qty: 3", "Grime, qty: 4").replace(
        "motto: Glows", "motto: Glows, art: {file: a.png}"
    )
    picture = io.BytesIO()
    Image.new("RGB", (40, 40), "#123").save(picture, "PNG")
    folder.write("cards/a.png", picture.getvalue())
    folder.write("cards/a.yaml", changed + f"  - {{name: Flint, stats: {STATS.replace('W: 1', 'W: 5')}}}\n")
    return folder


def built(errata: tuple[str, ...], **options: object) -> BuildResult:
    changes = ("words", "looks", "copies")
    return build(BuildRequest(changed_since="v1", changes=changes, errata=errata, jobs=1, **options))  # type: ignore[arg-type]


def document(result: BuildResult, name: str) -> Path:
    return next(path for path in result.files if path.name.startswith(name))


def test_the_sheet_lists_changes_and_old_copies(project: Folder) -> None:
    result = built(("sheet",))
    (text,) = pages_of(document(result, "errata").read_bytes())
    words = " ".join(text.split())
    assert "Throw away 2 × Ash (minion): replaced" in words
    assert "3 × Soot (minion, now Grime): replaced" in words
    assert "New cards 1 × Flint (minion)" in words
    assert "Still and cold warm as ever" in words
    assert "stats wounds 1 2" in words
    assert "copies 3 4" in words
    assert "It looks different, because of its picture" in words
    assert [card.id for card in result.discarded] == ["ash", "soot", "ember"]
    assert result.cards == 4


def test_a_sheet_names_the_release_that_the_cards_are(project: Folder) -> None:
    assert "Errata v1 → working tree" in pages_of(document(built(("sheet",)), "errata").read_bytes())[0]
    project.write("cardgen.yaml", "language: de\n")
    assert "Errata v1 → Arbeitsstand" in pages_of(document(built(("sheet",)), "errata").read_bytes())[0]
    project.write("cardgen.yaml", "language: en\n")
    write_release("v2")
    assert "Errata v1 → v2" in pages_of(document(built(("sheet",)), "errata").read_bytes())[0]


@pytest.mark.parametrize(("language", "label"), [("en", "text"), ("pl", "tekst"), ("fr", "texte")])
def test_labels_are_in_the_language_of_the_cards(project: Folder, language: str, label: str) -> None:
    project.write("cardgen.yaml", f"language: {language}\n")
    project.write("cards/a.yaml", CARDS.replace("motto: Glows", "motto: Glows, text: Burns."))
    words = pages_of(document(built(("sheet",)), "errata").read_bytes())[0].split()
    assert label in words
    assert ("text" in words) is (language == "en")


def test_gone_cards_alone_make_a_sheet(project: Folder) -> None:
    project.write("cards/a.yaml", CARDS[: CARDS.index("  - {name: Soot")])
    result = built(("sheet", "stickers"))
    assert "3 × Soot (minion): gone" in pages_of(document(result, "errata").read_bytes())[0]
    assert result.summary.startswith("1 file, 0 cards, 0 copies, 1 sheet in ")


def test_a_sticker_equals_its_part_of_the_card(project: Folder) -> None:
    result = built(("stickers",), paper="letter")  # whose sides are whole pixels
    _, listed = pages_of(document(result, "stickers").read_bytes())
    assert result.stickers == 2 * 2 + 4  # Ash's motto and number, and Grime's name
    assert result.cards == 2  # Ember's look changed, and Flint is new.
    assert [card.id for card in result.discarded] == ["ember"]
    assert "Ash (minion)" in listed
    assert "motto" in listed
    card = picture_of("ash")
    page = pypdfium2.PdfDocument(document(result, "stickers"))[0].render(scale=DPI / 72).to_pil().convert("RGB")
    assert same(card, page, (4, 19, 42, 22), (10, 22))
    assert not same(card, page, (4, 19, 42, 22), (11, 22))


def picture_of(name: str) -> Image.Image:
    """Return the front of a card as a complete build draws it."""
    files = build(BuildRequest(formats=("png",), dpi=DPI, only=(name,), backs="none", jobs=1)).files
    return Image.open(files[0]).convert("RGB")


def same(card: Image.Image, page: Image.Image, box: tuple[int, int, int, int], corner: tuple[int, int]) -> bool:
    """Return whether a part of a card equals a sticker on a sheet, up to its cut line; all in millimeters."""
    x, y, width, height = (10 * side for side in box)
    left, top = (10 * side for side in corner)
    inner = (3, 3, width - 3, height - 3)
    parts = [card.crop((x, y, x + width, y + height)).crop(inner)]
    parts.append(page.crop((left, top, left + width, top + height)).crop(inner))
    assert len(parts[0].getcolors(100_000) or ()) > 100  # art behind a text
    channels = ImageChops.difference(*parts).split()
    return all(channel.point(lambda value: 255 * (value > _ROUNDING)).getbbox() is None for channel in channels)


def test_the_list_of_stickers_has_no_marks_and_no_label_twice(folder: Folder) -> None:
    rows = "Name,Pearls,Wins\nNew Moon,{},{}\nFull Moon,2,high\nOld Moon,3,low\nHalf Moon,3,high\n"
    folder.write("moons.csv", rows.format("", "low"))
    new_game("Tide", table=Path("moons.csv"))
    write_release("v1")
    folder.write("moons.csv", rows.format(4, "high"))
    listed = pages_of(
        document(build(BuildRequest(changed_since="v1", errata=("stickers",), jobs=1)), "st").read_bytes()
    )
    lines = listed[-1].splitlines()
    assert "sheet 1, A1: front, Pearls “4”" in lines
    assert "sheet 1, A2: front, text “Wins High”" in lines
