from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from tests.cli.commands import process
from tests.export.pdf.inspection import opened
from tests.projects import MINION, STATS, Folder, pages_of


def test_each_format_writes_its_files(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    built = build(BuildRequest(formats=("pdf", "png", "svg")))
    faces = [f"{number}-{side}" for number in ("001-anna", "002-bert") for side in ("back", "front")]
    assert folder.files() == [
        "warniris-minion-a4.pdf",
        *sorted(f"warniris-minion/{face}.{suffix}" for face in faces for suffix in ("png", "svg")),
    ]
    assert sorted(path.relative_to("output").as_posix() for path in built.files) == folder.files()
    assert (built.cards, built.copies, built.sheets) == (2, 2, 1)


def test_a_face_has_the_same_name_when_it_is_built_alone(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert", "Carl")
    build(BuildRequest(formats=("svg",), only=("carl",), backs="none"))
    assert folder.files("output/warniris-minion") == ["003-carl-front.svg"]


def test_the_pdf_of_some_cards_does_not_replace_that_of_all(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert", "Carl")
    build(BuildRequest())
    whole = folder.output("warniris-minion-a4.pdf")
    build(BuildRequest(only=("carl", "Anna"), backs="none"))
    assert folder.files() == ["warniris-minion-a4.pdf", "warniris-minion-selection-a4.pdf"]
    assert folder.output("warniris-minion-a4.pdf") == whole
    (page,) = pages_of(folder.output("warniris-minion-selection-a4.pdf"))
    assert "minion (selection)" in page


def test_the_pdf_of_some_files_does_not_replace_that_of_all(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    folder.write("cards/more.yaml", f"kind: minion\nname: Carl\nstats: {STATS}\n")
    folder.write("cards/relic.yaml", "kind: relic\nname: Lantern\ntext: Take a Test.\n")
    more = folder.root / "cards" / "more.yaml"
    for paths, name in (
        ((Path("cards/more.yaml"),), "warniris-minion-selection-a4.pdf"),
        ((more,), "warniris-minion-selection-a4.pdf"),
        ((more, Path("cards/minions.yaml")), "warniris-minion-a4.pdf"),
        ((Path("cards"),), "warniris-minion-a4.pdf"),
        ((Path("cards/relic.yaml"),), "warniris-relic-a4.pdf"),
    ):
        assert name in {path.name for path in build(BuildRequest(paths, backs="none")).files}, paths


def test_a_face_has_the_same_name_when_only_its_file_is_built(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    folder.write("cards/more.yaml", f"kind: minion\nname: Carl\nstats: {STATS}\n")
    folder.write("cards/wrong.yaml", "kind: minion\nname: Dora\n")
    build(BuildRequest((Path("cards/more.yaml"),), formats=("svg",), backs="none"))
    assert folder.files("output/warniris-minion") == ["003-carl-front.svg"]


def test_pieces_of_some_files_are_a_selection(folder: Folder) -> None:
    folder.plain().minions("Anna")
    folder.write("cards/more.yaml", f"kind: minion\nname: Carl\nstats: {STATS}\n")
    request = BuildRequest((Path("cards/more.yaml"),), only=("cylinder",), formats=("svg",), backs="none")
    build(request)
    assert folder.files("output/warniris-cylinder") == ["002-carl-front.svg"]
    (path,) = build(request._replace(formats=("pdf",))).files
    assert path.name == "warniris-cylinder-selection-a4.pdf"


def test_the_pdf_of_a_whole_kind_has_its_name(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert")
    folder.write("cards/relic.yaml", "kind: relic\nname: Lantern\ntext: Take a Test.\n")
    for only in (("minion",), ("Anna", "Bert")):
        (path,) = build(BuildRequest(only=only)).files
        assert path.name == "warniris-minion-a4.pdf"


def test_the_pdf_of_some_kinds_on_shared_sheets_is_a_selection(folder: Folder) -> None:
    folder.plain().minions("Anna")
    folder.write("cards/relic.yaml", "kind: relic\nname: Lantern\ntext: Take a Test.\n")
    for only, name in (((), "warniris-kit-a4.pdf"), (("minion", "cylinder"), "warniris-kit-selection-a4.pdf")):
        (path,) = build(BuildRequest(only=only, kit=True, layout="packed")).files
        assert path.name == name


def test_an_unknown_format_is_an_error_and_nothing_is_written(folder: Folder) -> None:
    folder.plain().minions("Anna")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(formats=("pdf", "pgn")))
    (problem,) = caught.value.diagnostics
    assert (problem.place.file, problem.message) == ("--format", "unknown format 'pgn'")
    assert problem.help == "use pdf, png, or svg"
    assert folder.files() == []


def test_pictures_show_the_card_at_the_asked_resolution(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(formats=("png",), dpi=100))
    front = Image.open(io.BytesIO(folder.output("warniris-minion/001-anna-front.png")))
    back = Image.open(io.BytesIO(folder.output("warniris-minion/001-anna-back.png")))
    assert front.size == back.size == (248, 346)
    assert (front.getpixel((3, 3)), back.getpixel((3, 3))) == ((0xEE, 0xEE, 0xEE), (0x33, 0x44, 0x55))


def test_bleed_is_kept_where_it_is_asked_for(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(formats=("png", "svg"), dpi=254, keep_bleed=True, bleed="0.2in"))
    image = Image.open(io.BytesIO(folder.output("warniris-minion/001-anna-front.png")))
    assert image.size == (732, 982)
    assert [image.getpixel(corner) for corner in ((0, 0), (731, 981))] == [(0xEE, 0xEE, 0xEE)] * 2
    assert b'viewBox="-5.08 -5.08 73.16 98.16"' in folder.output("warniris-minion/001-anna-front.svg")


def test_the_bleed_is_the_projects_or_what_was_asked_for(folder: Folder) -> None:
    folder.plain().minions("Anna")
    folder.write("cardgen.yaml", "bleed: 1mm\n")
    for asked, expected in ((None, 1.0), ("2.5mm", 2.5), ("0", 0.0)):
        build(BuildRequest(layout="single", bleed=asked))
        page = _pages(folder.root / "output/warniris-minion-single.pdf")[0]
        assert float(page.TrimBox[0]) == pytest.approx(expected * 72 / 25.4, abs=0.001)


def test_a_single_layout_has_one_card_a_page_with_its_bleed_and_no_marks(folder: Folder) -> None:
    folder.plain().minions("Anna", "Bert", more=", qty: 2")
    built = build(BuildRequest(layout="single"))
    assert [path.name for path in built.files] == ["warniris-minion-single.pdf"]
    texts = pages_of(folder.output("warniris-minion-single.pdf"))
    assert [text.strip() for text in texts] == ["Anna", "", "Anna", "", "Bert", "", "Bert", ""]
    for page in _pages(folder.root / "output/warniris-minion-single.pdf"):
        boxes = [[round(float(edge) * 25.4 / 72, 3) for edge in box] for box in (page.MediaBox, page.BleedBox)]
        assert boxes == [[0, 0, 69, 94]] * 2
        assert [round(float(edge) * 25.4 / 72, 3) for edge in page.TrimBox] == [3, 3, 66, 91]


def test_single_cards_are_turned_about_their_upright_axis(folder: Folder) -> None:
    folder.plain().minions("Anna", more=", size: 88mm x 63mm")
    folder.minions("Bert")
    build(BuildRequest(layout="single"))
    with pikepdf.open("output/warniris-minion-single.pdf") as document:
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
    folder.minions("Anna", more=", size: 88mm x 63mm")
    build(BuildRequest(layout="single"))
    with pikepdf.open("output/warniris-minion-single.pdf") as document:
        assert document.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


def test_a_single_layout_without_backs_has_none(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(layout="single", backs="none"))
    assert len(pages_of(folder.output("warniris-minion-single.pdf"))) == 1


@pytest.mark.parametrize("option", [True, False])
def test_an_unknown_layout_is_an_error_where_it_stands(folder: Folder, option: bool) -> None:
    folder.plain().minions("Anna")
    if not option:
        folder.write("cardgen.yaml", "bleed: 2mm\nlayout: singel\n")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(layout="singel" if option else None))
    (problem,) = caught.value.diagnostics
    assert problem.message == "unknown layout 'singel'; did you mean 'single'?"
    assert str(problem.place) == ("--layout" if option else "cardgen.yaml:2:9")


def test_wrong_options_are_said_together(folder: Folder) -> None:
    folder.plain().minions("Anna")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(paper="papyrus", bleed="much"))
    assert [problem.place.file for problem in caught.value.diagnostics] == ["--bleed", "--paper"]


def test_a_theme_that_is_asked_for_goes_over_all_others(folder: Folder) -> None:
    folder.plain()
    folder.write("templates/warniris/theme.night.yaml", "colours: {paper: '#000011'}\n")
    folder.write("templates/warniris/theme.dawn.yaml", "colours: {paper: '#ffccaa'}\n")
    folder.write(
        "templates/warniris/minion.svg.j2",
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="99" height="99" fill="{{ theme.colours.paper }}"/></svg>',
    )
    folder.write("cards/a.yaml", MINION + "theme: dawn\n")
    folder.write("cards/b.yaml", MINION.replace("Sentinel", "Brute"))
    for settings, asked, expected in (
        ("", None, ["#ffccaa", "#f5ecd7"]),
        ("theme: night", None, ["#ffccaa", "#000011"]),
        ("theme: night", "dawn", ["#ffccaa", "#ffccaa"]),
        ("", "night", ["#000011", "#000011"]),
    ):
        folder.write("cardgen.yaml", settings)
        build(BuildRequest(formats=("svg",), theme=asked, backs="none"))
        names = ("001-sentinel-front.svg", "002-brute-front.svg")
        found = [folder.output(f"warniris-minion/{name}").decode() for name in names]
        assert [colour in text for colour, text in zip(expected, found, strict=True)] == [True, True], (settings, asked)


@pytest.mark.parametrize(
    ("asked", "settings", "card", "place"),
    [
        ("low-inc", "", "", "--theme"),
        (None, "bleed: 1mm\ntheme: low-inc\n", "", "cardgen.yaml:2:8"),
        (None, "theme: default\n", "theme: low-inc\n", "cards/a.yaml:4:8"),
    ],
)
def test_an_unknown_theme_is_an_error_where_it_stands(
    folder: Folder, asked: str | None, settings: str, card: str, place: str
) -> None:
    folder.plain()
    folder.write("cardgen.yaml", settings)
    folder.write("cards/a.yaml", MINION + card)
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest(theme=asked))
    (problem,) = caught.value.diagnostics
    assert str(problem.place) == place
    assert problem.message == "unknown theme 'low-inc'; did you mean 'low-ink'?"
    assert "default" in problem.help


def test_a_picture_that_cannot_be_read_is_an_error_at_the_cards_art(folder: Folder) -> None:
    folder.plain()
    folder.write("cards/hero.png", b"no picture at all")
    folder.write("cards/a.yaml", MINION + "art: hero.png\n")
    with pytest.raises(CardgenError) as caught:
        build(BuildRequest())
    (problem,) = caught.value.diagnostics
    assert str(problem.place) == "cards/a.yaml:4:6"
    assert "hero.png' is not a picture that can be printed" in problem.message


def test_cards_of_other_sizes_have_sheets_of_their_own(folder: Folder) -> None:
    folder.plain()
    folder.write("cards/a.yaml", MINION)
    folder.write("cards/b.yaml", MINION.replace("Sentinel", "Brute") + "size: tarot\n")
    built = build(BuildRequest(backs="none"))
    assert (len(built.files), built.sheets) == (1, 2)
    texts = pages_of(folder.output("warniris-minion-a4.pdf"))
    assert [name in text for name, text in zip(("Sentinel", "Brute"), texts, strict=True)] == [True, True]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures_of_plain_cards_load_no_pikepdf(folder: Folder, suffix: str) -> None:
    folder.plain().minions("Anna")
    outcome = process("build", "--format", suffix, "-j", "1", PYTHONPROFILEIMPORTTIME="1")
    loaded = {line.rpartition("|")[2].strip() for line in outcome.err.splitlines()}
    assert "reportlab" in loaded
    assert not loaded & {"pikepdf", "multiprocessing"}


def _pages(path: Path) -> list[pikepdf.Page]:
    return list(opened(path.read_bytes()).pages)


def corner_alphas(folder: Folder) -> list[object]:
    """The opacity at the corner, and at two places on the way to the middle."""
    image = Image.open(io.BytesIO(folder.output("warniris-minion/001-anna-front.png"))).convert("RGBA")
    return [image.getchannel("A").getpixel(place) for place in ((0, 0), (6, 6), (24, 24))]


def test_corners_are_round_and_clear(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(formats=("png", "svg"), dpi=254, corners="5mm"))
    image = Image.open(io.BytesIO(folder.output("warniris-minion/001-anna-front.png")))
    alpha = image.getchannel("A")
    assert (alpha.getpixel((0, 0)), alpha.getpixel((50, 0)), alpha.getpixel((25, 25))) == (0, 255, 255)
    # The corner leaves out (1 - pi / 4) of its square; edges are smooth.
    clear = sum(255 - value for value in alpha.crop((0, 0, 50, 50)).tobytes()) / 255
    assert clear == pytest.approx((1 - 3.14159 / 4) * 50 * 50, rel=0.02)
    assert len(set(alpha.crop((0, 0, 50, 50)).tobytes())) > 10
    assert b'rx="5"' in folder.output("warniris-minion/001-anna-front.svg")


def test_corners_are_a_setting_by_kind(folder: Folder) -> None:
    folder.plain().minions("Anna")
    for setting, corner in (("5mm", 0), ("{minion: 5mm}", 0), ("{relic: 5mm}", 255), ("0mm", 255)):
        folder.write("cardgen.yaml", f"corners: {setting}\n")
        build(BuildRequest(formats=("png",), dpi=72, cache=False))
        assert corner_alphas(folder)[0] == corner, setting


def test_a_radius_is_at_most_half_of_the_card(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(formats=("png",), dpi=72, corners="500mm"))
    assert corner_alphas(folder) == [0, 0, 0]


def test_bleed_keeps_its_corners(folder: Folder) -> None:
    folder.plain().minions("Anna")
    build(BuildRequest(formats=("png",), dpi=72, corners="5mm", keep_bleed=True))
    assert corner_alphas(folder) == [255, 255, 255]


def test_invalid_corners_are_an_error(folder: Folder) -> None:
    folder.plain().minions("Anna")
    with pytest.raises(CardgenError, match=r"--corners: .*length"):
        build(BuildRequest(formats=("png",), corners="round"))
