"""Proofs of documents that are measured by other means, and of documents with a fault in each."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.cut_plan import CUT_LIST, CUT_MARKS, CUTTER_FILE, TRIM_BOX
from cardgen.export.page_objects import UnreadableFileError
from cardgen.export.pdf import writer
from cardgen.export.preflight import Finding
from cardgen.export.proof import ProofPiece, Prover, Side, compare
from cardgen.face.face import Face, Picture
from cardgen.project.files import built_in_folder
from cardgen.sheet.cut_list import cut_list_leaves
from cardgen.sheet.gang_sheet import Demand, gang_sheets
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings, grid_sheets, sheet_leaves
from cardgen.sheet.leaf import DUPLEX_MODES, Backs, DuplexMode, Layer, Outline, pages_of
from cardgen.target.cutters.pieces import cut_dxf, cut_svg
from cardgen.text.captions import load_captions
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Style
from cardgen.text.shaped_row import Icons
from cardgen.units import PAPER_SIZES, Box, Shape, Size, to_points
from tests.export.pdf.inspection import CARD, FONTS, artwork, colour_box, face, line, picture_of, rectangle
from tests.projects import Folder

A4 = PAPER_SIZES["a4"]
SMALL, TOKEN, DISK = Size(41, 63), Size(25, 25), Size(40, 40)
SETTINGS = SheetSettings(A4, gap=6, bleed=2)
RED, BLUE = (224, 0, 0), (0, 0, 224)
COMPOSITOR = Compositor(FONTS, Icons())
STYLE = Style("Source Sans 3", 9.0)


def card(name: str, size: Size = CARD, *more: Picture, points: float = 9.0) -> Face:
    """Return a face whose trim is blue, and whose bleed is red."""
    around = rectangle(Box(-3, -3, size.width + 6, size.height + 6), "#e00000")
    inside = rectangle(Box(0, 0, *size), "#0000e0")
    place = 4 if size is not TOKEN else 8
    words = line(name, place, size.height / 2, STYLE._replace(size=points, colour="#0000e0"))
    return face(artwork(around + inside, size), words, *more, size=size)


def pieces_of(size: Size, count: int, shape: Shape = Shape.RECTANGLE) -> list[PrintPiece[Face]]:
    back = card(f"reverse of {size.width:g}", size)
    return [PrintPiece(card(f"Card {number} of {size.width:g}", size), back, shape) for number in range(count)]


def packed(
    settings: SheetSettings,
    groups: Sequence[Sequence[PrintPiece[Face]]],
    told: float = 0.0,
    compositor: Compositor = COMPOSITOR,
) -> bytes:
    """Return a packed document with its cut list, which names a first length that is wrong by `told` millimeters."""
    needs = [Demand(each[0].front.size, len(each), each[0].shape) for each in groups]
    found = gang_sheets(needs, A4, margin=5, gap=settings.gap, bleed=settings.bleed, area=settings.area)
    queues = [deque(each) for each in groups]
    sheets = [ImposedSheet(one.sprue, tuple(queues[d].popleft() for d in one.demands), settings.bleed) for one in found]
    first, *others = sheets[0].sprue.cut_steps
    first = first._replace(offsets=(first.offsets[0], first.offsets[1] + told, *first.offsets[2:]))
    listed = [sheets[0]._replace(sprue=sheets[0].sprue._replace(cut_steps=(first, *others))), *sheets[1:]]
    folded = settings.backs is Backs.GUTTERFOLD
    leaves = [*sheet_leaves(sheets, settings, "T"), *cut_list_leaves(listed, "T", compositor, folded=folded)]
    return writer.write(pages_of(leaves), FONTS, writer.DocumentInfo("T", duplex=DUPLEX_MODES.get(settings.backs, "")))


def grid(settings: SheetSettings, pieces: Sequence[PrintPiece[Face]]) -> bytes:
    sheets = grid_sheets(pieces, pieces[0].front.size, settings)
    duplex = DUPLEX_MODES.get(settings.backs, "")
    return writer.write(pages_of(sheet_leaves(sheets, settings, "T")), FONTS, writer.DocumentInfo("T", duplex=duplex))


def proved(
    content: bytes, cut_list: bytes | None = None, backs: Backs | None = None, sheets: int = 99
) -> tuple[list[ProofPiece], list[Finding], set[str]]:
    """Return the pieces, findings, and sources of the first sheets of a document."""
    prover = Prover(content, cut_list, backs)
    proofs = [prover.sheet(index, pictures=False) for index in range(min(sheets, prover.count))]
    pieces = [piece for sheet in proofs for piece in sheet.pieces]
    findings = [finding for sheet in proofs for finding in sheet.findings]
    return pieces, [*findings, *compare(pieces)], {sheet.source for sheet in proofs}


def edited(content: bytes, edit: Callable[[str], str], page: int = 1, part: int = 0) -> bytes:
    """Return a document with other operators on a page: those of its pieces (0), or of its marks (1)."""
    with pikepdf.open(BytesIO(content)) as pdf:
        stream = pdf.pages[page - 1].obj.Contents[part]
        old = stream.read_bytes().decode("latin-1")
        new = edit(old)
        assert new != old
        stream.write(new.encode("latin-1"))
        output = BytesIO()
        pdf.save(output)
    return output.getvalue()


@pytest.fixture(scope="module")
def kit() -> bytes:
    """30 pieces: cards, small ones, and tokens, all with backs."""
    return packed(SETTINGS, [pieces_of(CARD, 8), pieces_of(SMALL, 10), pieces_of(TOKEN, 12, Shape.ROUND)])


def test_thirty_pieces_are_where_their_pixels_are(kit: bytes) -> None:
    """The trim of each face is blue and its bleed red, so that pixels show where both end: 20 are a millimeter."""
    pieces, findings, sources = proved(kit)
    assert (len(pieces), findings, sources) == (30, [], {CUT_LIST})
    assert all(piece.shift and max(map(abs, piece.shift)) <= 0.01 for piece in pieces)
    sides = [side for piece in pieces for side in (piece.front, piece.back) if side]
    assert len(sides) == 60
    for number in {side.page for side in sides}:
        image = picture_of(kit, number - 1, 508)
        for side in sides:
            if side.page == number:
                compare_pixels(image, side)


@pytest.mark.parametrize("language", ["de", "es", "fr", "ja", "pl", "nl"])
def test_a_cut_list_is_followed_in_every_language(folder: Folder, language: str) -> None:
    folder.write(
        "captions/nl.txt", "Sheets = Vellen\nSheet = Vel\nfrom the left = van links\nfrom the top = van boven\n"
    )
    folders = (folder.root / "captions", built_in_folder("captions"))
    compositor = Compositor(FONTS, Icons(), language, load_captions(language, folders))
    for told, count in {0.0: 0, 1.5: 1}.items():
        prover = Prover(packed(SETTINGS, [pieces_of(SMALL, 40)], told, compositor), None, None, folders[:1])
        sheets = [prover.sheet(index, pictures=False) for index in range(prover.count)]
        assert {sheet.source for sheet in sheets} == {CUT_LIST}
        assert sum(len(sheet.pieces) for sheet in sheets) == 40
        assert bool([each for sheet in sheets for each in sheet.findings]) is bool(count)


def compare_pixels(image: Image.Image, side: Side) -> None:
    around = side.trim.expand(2.9)
    left, top = round(around.x * 20), round(around.y * 20)
    crop = image.crop((left, top, round(around.right * 20), round(around.bottom * 20)))
    blue, red = colour_box(crop, BLUE, 508), colour_box(crop, RED, 508)
    measured = (blue.x + left / 20, blue.y + top / 20, blue.width, blue.height)
    assert measured == pytest.approx(tuple(side.trim), abs=0.051)
    bleed = (blue.x - red.x, blue.y - red.y, red.right - blue.right, red.bottom - blue.bottom)
    assert side.bleed == pytest.approx(bleed, abs=0.051)
    assert side.type == pytest.approx(9)


@pytest.mark.parametrize(
    ("backs", "paper"),
    [(Backs.SHORT_EDGE, A4), (Backs.LONG_EDGE, A4.swap_sides()), (Backs.GUTTERFOLD, A4), (Backs.NONE, A4)],
)
def test_sheets_without_a_cut_list_are_cut_along_their_marks(backs: Backs, paper: Size) -> None:
    pieces, findings, sources = proved(grid(SETTINGS._replace(backs=backs, paper=paper), pieces_of(CARD, 5)))
    assert (len(pieces), findings, sources) == (5, [], {CUT_MARKS})
    assert {(round(min(piece.size), 2), round(max(piece.size), 2)) for piece in pieces} == {CARD}
    assert all((piece.shift is None) == (backs is Backs.NONE) for piece in pieces)


def disks(missing: int | None = None) -> bytes:
    """Return a sheet of disks with circles to cut along; the front of one can be missing."""
    pieces = pieces_of(DISK, 5, Shape.ROUND)
    leaves = list(sheet_leaves(grid_sheets(pieces, DISK, SETTINGS), SETTINGS, "T"))
    placements = leaves[0].front.placements
    circles = [Outline(slot.slot.trim, Shape.ROUND, Layer.CUTS) for slot in placements]
    printed = tuple(each for number, each in enumerate(placements) if number != missing)
    front = leaves[0].front._replace(marks=(*circles, *circles), placements=printed)
    info = writer.DocumentInfo("T", duplex=DuplexMode.LONG_EDGE)
    return writer.write(pages_of([leaves[0]._replace(front=front)]), FONTS, info)


def test_disks_are_cut_along_their_circles() -> None:
    proofs, findings, sources = proved(disks())
    assert (len(proofs), findings, sources) == (5, [], {CUT_MARKS})
    assert {piece.shape for piece in proofs} == {Shape.ROUND}


def test_a_disk_that_is_missing_is_found_in_its_circle() -> None:
    _, findings, _ = proved(disks(missing=1))
    assert [each.message for each in findings] == ["the front is blank, but the back is not"]


def test_sheets_to_fold_have_a_cut_list_too() -> None:
    pieces, findings, sources = proved(packed(SETTINGS._replace(backs=Backs.GUTTERFOLD), [pieces_of(CARD, 3)]))
    assert (len(pieces), findings, sources) == (3, [], {CUT_LIST})


PLACED = re.compile(r"q [^W]+ W n [^c]+ cm /\S+ Do Q")
SHIFT = f"1 0 0 1 {to_points(2):.3f} 0 cm\n"


def upside_down(text: str) -> str:
    wide, high = map(to_points, CARD)
    return re.sub(r" cm (/\S+ Do)", rf" cm -1 0 0 -1 {wide:.3f} {high:.3f} cm \1", text, count=1)


def without_bleed(text: str) -> str:
    """Clip the first piece at its trim."""
    bleed = to_points(2)

    def shrink(match: re.Match[str]) -> str:
        x, y, width, height = map(float, match[1].split())
        return f"q {x + bleed:.3f} {y + bleed:.3f} {width - 2 * bleed:.3f} {height - 2 * bleed:.3f} re W n"

    return re.sub(r"q ([\d. ]+) re W n", shrink, text, count=1)


def swapped(text: str) -> str:
    """Exchange what the first two places show."""
    one, two = re.findall(r"/\S+(?= Do)", text)[:2]
    return text.replace(f"{one} Do", "?").replace(f"{two} Do", f"{one} Do").replace("?", f"{two} Do")


def beside(text: str) -> str:
    return re.sub(r"(/\S+ Do)", rf"{SHIFT.strip()} \1", text, count=1)


def over_a_card(text: str) -> str:
    return re.sub(r"[\d.]+ [\d.]+ Td (/F\d+) 6 Tf", r"20 500 Td \1 60 Tf", text)


def moved_mark(text: str) -> str:
    return re.sub(r"n [\d.]+ ([\d.]+) m [\d.]+ ([\d.]+) l S\nEMC", r"n 9 \1 m 9 \2 l S\nEMC", text)


# The page, the part of its operators, what is done to them, the check that finds it, and some of its words.
FAULTS: dict[str, tuple[int, int, Callable[[str], str], str, str]] = {
    "all backs shifted": (
        2,
        0,
        lambda text: SHIFT + text,
        "back",
        "the back is 2.00 mm too far to the left, seen through",
    ),
    "one back shifted": (2, 0, beside, "back", "the back is 2.00 mm too far"),
    "a back upside down": (2, 0, upside_down, "back", "the back is upside down"),
    "no bleed": (1, 0, without_bleed, "bleed", "the bleed is 0.0 mm at the left and top and right and bottom"),
    "a mark": (
        1,
        1,
        lambda text: f"{text}\n/OC /LayerCuts BDC 150 500 m 150 560 l S EMC",
        "mark",
        "a mark is printed on",
    ),
    "a text": (1, 0, over_a_card, "mark", "T · 1/"),
    "a moved mark": (1, 1, moved_mark, "mark", "from the edge of the nearest piece"),
    "no front": (
        1,
        0,
        lambda text: PLACED.sub("", text, count=1),
        "missing",
        "the front is blank, but the back is not",
    ),
    "a scaled page": (1, 0, lambda text: f"0.97 0 0 0.97 0 0 cm\n{text}", "scale", "of 100 mm is 97.00 mm long"),
    "a front beside its trim": (1, 0, beside, "position", "the front is 2.00 mm too far"),
    "a mirror image": (
        1,
        0,
        lambda text: f"-1 0 0 1 {to_points(A4.width):.3f} 0 cm\n{text}",
        "position",
        "the piece is printed as a mirror image",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str, kit: bytes) -> None:
    page, part, edit, check, words = FAULTS[name]
    _, findings, _ = proved(edited(kit, edit, page, part), sheets=1)
    assert [each for each in findings if each.check == check and words in each.message], findings


@pytest.mark.parametrize("page", [1, 2])
def test_a_document_without_one_of_its_pages_is_proved(page: int) -> None:
    content = grid(SETTINGS._replace(backs=Backs.LONG_EDGE), pieces_of(CARD, 20))
    with pikepdf.open(BytesIO(content)) as pdf:
        del pdf.pages[page - 1]
        output = BytesIO()
        pdf.save(output)
    _, findings, _ = proved(output.getvalue())
    assert {each.check for each in findings} & {"back", "missing"}


def test_swapped_backs_are_found_by_equal_fronts_and_by_words() -> None:
    backs = [card("brother of the abbey"), card("daughter of the marsh")]
    fronts = [card(f"{word} is {rest}") for word in ("abbey", "marsh") for rest in ("silent", "open", "near")]
    pieces = [PrintPiece(front, backs[number // 3]) for number, front in enumerate(fronts)]
    settings = SETTINGS._replace(gap=4)
    right = grid(settings, pieces)
    assert proved(right)[1] == []
    exchanged = edited(right, lambda text: swap_first_and_last(text), 2)
    warnings = [each.message for each in proved(exchanged)[1] if each.check == "back"]
    assert len(warnings) == 2
    assert all(message.startswith("the back seems to be that of piece") for message in warnings)
    alike = card("alike")
    copies = grid(settings, [PrintPiece(alike, back) for back in (backs[0], backs[0], backs[0], backs[1])])
    assert [each.message for each in proved(copies)[1]] == ["the back differs from the one of 3 equal fronts"]


def swap_first_and_last(text: str) -> str:
    names = re.findall(r"/\S+(?= Do)", text)
    one, two = names[0], names[-1]
    first, last = text.index(f"{one} Do"), text.rindex(f"{two} Do")
    return f"{text[:first]}{two} Do{text[first + len(one) + 3 : last]}{one} Do{text[last + len(two) + 3 :]}"


def test_coarse_pictures_and_tiny_type_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "art.png"
    Image.new("RGB", (60, 60), "#00c000").save(path)
    picture = card("coarse", CARD, Picture(path, Box(10, 10, 20, 20)))
    pieces, findings, _ = proved(grid(SETTINGS, [PrintPiece(picture), PrintPiece(card("tiny words", points=3.5))]))
    assert {(each.check, each.message) for each in findings} == {
        ("resolution", "a picture has 76 dpi, fewer than 200"),
        ("type-size", "'tiny' is 3.5 pt, smaller than 7 pt"),
    }
    assert [piece.front.type for piece in pieces] == [pytest.approx(9), pytest.approx(3.5)]


def test_a_cut_list_that_would_cut_a_piece_is_found() -> None:
    _, findings, _ = proved(packed(SETTINGS, [pieces_of(CARD, 6), pieces_of(SMALL, 4)], told=9.0))
    assert {each.check for each in findings} == {"cut-list"}
    assert re.fullmatch(r"cut \d goes through a piece, 3.0 mm from its edge", findings[0].message)


def test_an_odd_size_is_found() -> None:
    groups = [pieces_of(CARD, 6), [PrintPiece(card("odd", Size(62.5, 88)))]]
    _, findings, _ = proved(packed(SETTINGS._replace(backs=Backs.NONE), groups))
    (finding,) = [each for each in findings if each.check == "trim"]
    assert finding.message == "the piece is 62.5 x 88 mm, but 6 others are 63 x 88 mm"


def test_a_document_that_flips_about_the_wrong_edge_has_no_back_in_place() -> None:
    content = grid(SETTINGS, pieces_of(CARD, 5))
    assert proved(content)[1] == []
    found = {(each.check, each.message) for each in proved(content, backs=Backs.SHORT_EDGE)[1]}
    assert any(check in ("back", "missing") for check, _ in found)


def test_the_cut_list_of_another_file_and_files_of_cutters_are_followed(kit: bytes) -> None:
    with pikepdf.open(BytesIO(kit)) as pdf, pikepdf.new() as alone, pikepdf.new() as without:
        last = [n for n, page in enumerate(pdf.pages) if b"Do" not in page.obj.Contents[0].read_bytes()]
        alone.pages.append(pdf.pages[last[0]])
        files = []
        for each in (alone, without):
            if each is without:
                for n, page in enumerate(pdf.pages):
                    if n < last[0]:
                        each.pages.append(page)
                each.Root.ViewerPreferences = each.make_indirect(
                    pikepdf.Dictionary(Duplex=pikepdf.Name("/DuplexFlipLongEdge"))
                )
            output = BytesIO()
            each.save(output)
            files.append(output.getvalue())
    pieces, findings, sources = proved(files[1], files[0])
    assert (len(pieces), findings, sources) == (30, [], {CUT_LIST})
    with pytest.raises(UnreadableFileError, match="has no cut list"):
        proved(files[1], files[1])
    sheets = grid_sheets(pieces_of(CARD, 9), CARD, SETTINGS)
    slots = sheets[0].sprue.slots
    content = grid(SETTINGS, pieces_of(CARD, len(slots)))
    for cutter in (cut_svg(slots, A4, 3.0, "T"), cut_dxf(slots, A4, 3.0), cut_dxf(slots, A4, 0.0)):
        pieces, findings, sources = proved(content, cutter)
        assert (len(pieces), findings, sources) == (len(slots), [], {CUTTER_FILE})
        assert [piece.front.trim for piece in pieces] == [pytest.approx(slot.trim, abs=0.001) for slot in slots]
    round_slots = [slot._replace(shape=Shape.ROUND) for slot in slots]
    for cutter in (cut_svg(round_slots, A4, 3.0, "T"), cut_dxf(round_slots, A4, 3.0)):
        assert {piece.shape for piece in proved(content, cutter)[0]} == {Shape.ROUND}
    for wrong in (b"<svg/>", b"0\nSECTION\n", b"garbage", b'<svg xmlns="http://www.w3.org/2000/svg"/>'):
        with pytest.raises(UnreadableFileError, match="cut list"):
            proved(content, wrong)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9mm" viewBox="0 0 9 9"><rect width="{}" height="5"/></svg>'
    for side in ("-5", "0", "6000"):
        with pytest.raises(UnreadableFileError, match="a line encloses nothing, or more than any paper has"):
            proved(content, svg.format(side).encode())
    dxf = cut_dxf(slots, A4, 3.0)
    for old, new, words in (
        (b"$INSUNITS\n70\n4", b"$INSUNITS\n70\n1", "its unit is not the millimeter"),
        (b"$EXTMAX", b"$OTHER", "does not say how large the paper is"),
        (b"66\n1\n70\n1", b"66\n1\n70\n0", "a polyline is not closed"),
        (b"0\nPOLYLINE", b"0\nLINE", "LINE is not supported"),
        (b"10\n", b"10\nx", "is not a plain number"),
    ):
        assert old in dxf
        with pytest.raises(UnreadableFileError, match=words):
            proved(content, dxf.replace(old, new))


def test_a_pattern_that_ends_in_white_everywhere_needs_no_bleed() -> None:
    lines = "".join(
        f'<path d="M-3 {y}H70" stroke="#224466" stroke-width="0.5"/><path d="M{y} -3V95" stroke="#224466"/>'
        for y in range(1, 88, 3)
    )
    cut_off = lines.replace("M-3", "M0").replace("H70", f"H{CARD.width}").replace("-3V95", f"0V{CARD.height}")
    band = f'<rect x="0" y="20" width="{CARD.width}" height="9" fill="#224466"/>'
    found = {}
    for name, source in (("pattern", cut_off), ("band", band)):
        sheets = [PrintPiece(face(artwork(source, CARD), size=CARD), None) for _ in range(9)]
        found[name] = {finding.check for finding in proved(grid(SETTINGS, sheets), backs=Backs.NONE)[1]}
    assert found == {"pattern": set(), "band": {"bleed"}}


def stranger(rotate: int = 0) -> bytes:
    """Return what another program may write: pictures with crop marks, no labels, no layers, in a cropped page."""
    output = BytesIO()
    canvas = Canvas(output, pagesize=(to_points(120), to_points(150)))
    for colour in ("#b06040", "#4060b0"):
        picture = BytesIO()
        Image.new("RGB", (600, 800), colour).save(picture, "PNG")
        picture.seek(0)
        from reportlab.lib.utils import ImageReader

        x, y, wide, high = map(to_points, (27, 27, 66, 91))
        canvas.drawImage(ImageReader(picture), x, y, wide, high)
        for across in map(to_points, (30, 90)):
            canvas.line(across, to_points(15), across, to_points(22))
            canvas.line(across, to_points(125), across, to_points(132))
        for up in map(to_points, (30, 115)):
            canvas.line(to_points(15), up, to_points(22), up)
            canvas.line(to_points(98), up, to_points(105), up)
        canvas.showPage()
    canvas.save()
    with pikepdf.open(BytesIO(output.getvalue())) as pdf:
        for page in pdf.pages:
            page.obj.CropBox = [10, 10, to_points(120), to_points(150)]
            page.obj.Rotate = rotate
        saved = BytesIO()
        pdf.save(saved)
    return saved.getvalue()


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_what_others_made_is_measured_however_the_page_is_turned(rotate: int) -> None:
    pieces, findings, sources = proved(stranger(rotate))
    assert sources == {CUT_MARKS}
    assert findings == []
    assert [piece.back for piece in pieces] == [None, None]
    for piece in pieces:
        size = piece.size.swap_sides() if rotate % 180 else piece.size
        assert size == pytest.approx((60, 85), abs=0.01)
        assert piece.front.bleed == pytest.approx((3, 3, 3, 3), abs=0.05)
    (piece,), _, _ = proved(stranger(rotate), backs=Backs.LONG_EDGE)
    assert piece.back
    assert piece.back.page == 2


def test_a_page_with_a_trim_box_is_one_piece() -> None:
    with pikepdf.open(BytesIO(stranger())) as pdf:
        for page in pdf.pages:
            page.contents_coalesce()
            page.obj.Contents.write(re.sub(rb"n [\d. ]+ m [\d. ]+ l S", b"", page.obj.Contents.read_bytes()))
            page.obj.TrimBox = [to_points(30), to_points(30), to_points(90), to_points(115)]
        saved = BytesIO()
        pdf.save(saved)
    pieces, findings, sources = proved(saved.getvalue())
    assert (len(pieces), findings, sources) == (2, [], {TRIM_BOX})
    assert pieces[0].size == pytest.approx((60, 85), abs=0.01)


def test_a_unit_of_its_own_and_broken_files_are_errors(kit: bytes) -> None:
    with pikepdf.open(BytesIO(kit)) as pdf:
        pdf.pages[0].obj.UserUnit = 2
        output = BytesIO()
        pdf.save(output)
    with pytest.raises(UnreadableFileError, match="page 1 has a unit of its own"):
        proved(output.getvalue())
    random, whole = Random(1), grid(SETTINGS._replace(gap=80), pieces_of(CARD, 1))
    for _ in range(25):
        broken = bytearray(whole)
        for _ in range(random.randrange(1, 12)):
            broken[random.randrange(len(broken))] = random.randrange(256)
        with suppress(UnreadableFileError):
            proved(bytes(broken[: random.choice((len(broken), random.randrange(len(broken))))]))


def test_a_line_of_a_cut_list_that_is_not_understood_is_an_error() -> None:
    """Whatever is not understood could be a cut."""
    content = packed(SETTINGS._replace(backs=Backs.NONE), [pieces_of(CARD, 3)])
    with pikepdf.open(BytesIO(content)) as pdf:
        page = pdf.pages[-1]
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        page.obj.Resources.Font["/Plain"] = font
        page.contents_add(b"BT /Plain 8 Tf 1 0 0 1 240 600 Tm (3: Q, from the right: 12.0) Tj ET")
        output = BytesIO()
        pdf.save(output)
    with pytest.raises(UnreadableFileError, match=r"'3: Q, from the right: 12\.0' in the cut list is not understood"):
        proved(output.getvalue())
