"""Layouts, sprues and printers of a project: what is built, and what is refused."""

from __future__ import annotations

import pikepdf
import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.print.calibrate import calibration_target, parse_readings, store_profile
from cardgen.print.request import BuildRequest
from cardgen.project import printers
from tests.projects import SPRUES, Folder, pages_of

TWO_KINDS = """\
cards:
  - {kind: minion, name: Sentinel, qty: 2, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}}
  - {kind: relic, name: Chalice, text: Drink., qty: 3}
"""


@pytest.fixture
def kit(folder: Folder) -> Folder:
    folder.plain()
    for name in ("relic.svg.j2", "relic.back.svg.j2"):
        plain = folder.root / "templates/warniris" / name.replace("relic", "minion")
        folder.write(f"templates/warniris/{name}", plain.read_text(encoding="utf-8"))
    folder.write("cards/kit.yaml", TWO_KINDS)
    return folder


def refused(request: BuildRequest) -> Diagnostic:
    with pytest.raises(CardgenError) as caught:
        build(request)
    return caught.value.diagnostics[0]


def test_a_packed_build_has_all_kinds_on_the_same_sheets_and_says_how_to_cut(kit: Folder) -> None:
    built = build(BuildRequest(layout="packed"))
    assert kit.files() == ["warniris-kit-a4.pdf"]
    assert (built.copies, built.sheets) == (5, 1)
    front, _, cuts, behind = pages_of(kit.output("warniris-kit-a4.pdf"))
    assert (front.count("Sentinel"), front.count("Chalice")) == (2, 3)
    assert "how to cut" in cuts
    assert "from the top" in cuts
    assert not behind.strip()


def test_the_cut_list_can_be_left_out(kit: Folder) -> None:
    kit.write("cardgen.yaml", "layout: packed\ncut_list: false\n")
    build(BuildRequest())
    assert len(pages_of(kit.output("warniris-kit-a4.pdf"))) == 2


def test_one_kind_alone_keeps_its_name_and_pictures_stay_by_kind(kit: Folder) -> None:
    build(BuildRequest(layout="packed", only=("relic",)))
    build(BuildRequest(layout="packed", formats=("png",), dpi=36))
    assert kit.files() == [
        "warniris-minion/001-sentinel-back.png",
        "warniris-minion/001-sentinel-front.png",
        "warniris-relic-a4.pdf",
        "warniris-relic/001-chalice-back.png",
        "warniris-relic/001-chalice-front.png",
    ]


@pytest.mark.parametrize("backs", ["long-edge", "short-edge", "gutterfold", "none"])
@pytest.mark.parametrize("paper", ["a4", "letter", "297mm x 210mm"])
def test_packed_sheets_on_any_paper_with_any_backs(kit: Folder, paper: str, backs: str) -> None:
    kit.write("cardgen.yaml", f"layout: packed\npaper: {paper}\nbacks: {backs}\nback_bleed: 1mm\n")
    (file,) = build(BuildRequest()).files
    with pikepdf.open(file) as document:
        preferences = document.Root.ViewerPreferences
        assert str(preferences.PrintScaling) == "/None"
        assert str(preferences.get("/Duplex")) == {
            "long-edge": "/DuplexFlipLongEdge",
            "short-edge": "/DuplexFlipShortEdge",
        }.get(backs, "/Simplex")
        assert len(document.pages) == (4 if backs.endswith("edge") else 2)


def test_cards_are_laid_into_the_slots_of_a_sprue(kit: Folder) -> None:
    build(BuildRequest(sprue="letter-mini-usa", only=("relic",)))
    assert kit.files() == ["warniris-relic-letter-mini-usa.pdf"]


def test_a_projects_own_sprue_comes_before_the_built_in_one(kit: Folder) -> None:
    slots = "  - {size: mini-usa, x: 10mm, y: 10mm}\n  - {size: standard, x: 60mm, y: 10mm, columns: 2}\n"
    kit.write("sprues/a4-poker.yaml", f"paper: a5\nlegend: foot\nslots:\n{slots.replace('60mm', '55mm')}")
    kit.write("cardgen.yaml", "sprue: a4-poker\npaper: letter\n")
    problem = refused(BuildRequest())
    assert "extends beyond the paper" in problem.message
    kit.write("sprues/a4-poker.yaml", f"paper: a4\nslots:\n{slots}")
    built = build(BuildRequest())
    assert kit.files() == ["warniris-kit-a4-poker.pdf"]
    assert built.sheets == 3  # One relic a sheet, and there are three.


def test_a_layout_that_is_asked_for_goes_over_the_projects_sprue(kit: Folder) -> None:
    kit.write("cardgen.yaml", "sprue: a4-poker\n")
    build(BuildRequest(layout="packed"))
    assert kit.files() == ["warniris-kit-a4.pdf"]


def test_a_sprue_without_a_slot_for_a_card_is_refused(kit: Folder) -> None:
    problem = refused(BuildRequest(sprue="a4-poker"))
    assert problem.code == "CG528"
    assert problem.place.file == "cards/kit.yaml"
    assert "has no slots of" in problem.message
    assert "use another sprue, or select cards with --only" in problem.message
    assert kit.files() == []


@pytest.mark.parametrize(
    ("settings", "request_", "place", "message"),
    [
        (
            "sprue: a4-pokr\n",
            BuildRequest(),
            "cardgen.yaml:1:8",
            "unknown sprue 'a4-pokr'; did you mean 'a4-poker'?",
        ),
        ("", BuildRequest(sprue="nope"), "--sprue", "unknown sprue 'nope'"),
        ("", BuildRequest(sprue="../a"), "--sprue", "unknown sprue '../a'"),
        (
            "",
            BuildRequest(sprue="a4-poker", paper="letter"),
            "--paper",
            "the sprue 'a4-poker' is for a4, not for letter",
        ),
        ("", BuildRequest(paper="a9"), "--paper", "unknown size 'a9'"),
        ("backs: gutterfold\nsprue: a4-poker\n", BuildRequest(), "cardgen.yaml:2:8", "cannot be folded"),
        ("printer: office\n", BuildRequest(), "cardgen.yaml:1:10", "unknown printer 'office'"),
        ("", BuildRequest(printer="office"), "--printer", "unknown printer 'office'"),
        ("", BuildRequest(printer="../x"), "--printer", "is not a valid name of a printer"),
        ("layout: packed\npaper: 60mm x 80mm\n", BuildRequest(), "cards/kit.yaml", "does not fit on paper"),
    ],
)
def test_what_cannot_be_printed_is_located_and_nothing_is_written(
    kit: Folder, settings: str, request_: BuildRequest, place: str, message: str
) -> None:
    kit.write("cardgen.yaml", settings)
    problem = refused(request_)
    assert message in problem.message
    assert str(problem.place).startswith(place)
    assert kit.files() == []


@pytest.fixture
def measured(kit: Folder, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A kit, and an office printer that was measured with A4."""
    monkeypatch.setattr(printers, "profile_folder", lambda: kit.root / "config")
    store_profile(
        calibration_target("office", "a4", None), parse_readings("top=1 bottom=1 left=-0.5 right=-0.5 across=99")
    )
    return kit


def test_a_profile_moves_the_back_and_scales_both_sides(measured: Folder) -> None:
    build(BuildRequest(only=("relic",)))
    plain = measured.output("warniris-relic-a4.pdf")
    build(BuildRequest(only=("relic",), printer="office"))
    adjusted = measured.output("warniris-relic-a4.pdf")
    assert plain != adjusted
    build(BuildRequest(only=("relic",), printer="none"))
    assert measured.output("warniris-relic-a4.pdf") == plain


def test_a_profile_made_for_another_paper_is_refused(measured: Folder) -> None:
    measured.write("cardgen.yaml", "paper: letter\nprinter: office\n")
    problem = refused(BuildRequest())
    assert (str(problem.place), problem.code) == ("cardgen.yaml:2:10", "CG529")
    assert problem.message == "profile 'office' is for a4, not for letter"
    assert measured.files() == []


def test_one_card_a_page_is_for_print_shops_and_needs_no_profile(measured: Folder) -> None:
    build(BuildRequest(layout="single", paper="letter", printer="office"))
    assert len(measured.files()) == 2


def test_readings_are_kept_beside_those_of_other_trays_and_papers(measured: Folder) -> None:
    store_profile(calibration_target("office/manual", "letter", "short-edge"), parse_readings("left=0.25"))
    store_profile(calibration_target("office", "a4", None), parse_readings("across=100.5"))
    trays = printers.load_printer(printers.profile_path("office")).trays
    assert {tray: list(papers) for tray, papers in trays.items()} == {"default": ["a4"], "manual": ["letter"]}
    assert trays["default"]["a4"].scale_x == 1.005
    assert trays["manual"]["letter"].dy == 0.125


@pytest.mark.parametrize("text", ["top", "top=x", "top=99", "across=50", "tpo=1", "along=nan", "", "top=inf"])
def test_readings_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(CardgenError, match="--read"):
        parse_readings(text)


def test_a_broken_file_of_profiles_is_not_written_over(measured: Folder) -> None:
    path = printers.profile_path("office")
    path.write_text("trays: 5\n", encoding="utf-8")
    with pytest.raises(CardgenError, match="trays"):
        store_profile(calibration_target("office", "a4", None), parse_readings("top=1"))
    assert path.read_text(encoding="utf-8") == "trays: 5\n"


def test_there_are_sprues_to_choose_from() -> None:
    assert len(SPRUES) > 30
