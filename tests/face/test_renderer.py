from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.face.face import Artwork, Picture, Text
from cardgen.face.renderer import Isolation
from cardgen.face.template.engine import RenderedTemplate, slow_message
from cardgen.model.card import Entry
from cardgen.text.lines import Fit
from tests.face.rendering import SIZE, Desk, svg

ROOK = "kind: pawn\nname: Rook\nlines: [Hold the line.]\n"
BOX = '<cg:text x="2" y="2" width="36" height="8" field="lines/0">{{ card.lines[0] }}</cg:text>'


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def front(desk: Desk, body: str, card: str = ROOK) -> tuple[Diagnostic, ...]:
    desk.template("pawn.svg.j2", svg(body))
    return desk.studio().front(desk.entry(card), SIZE).diagnostics


def refused(desk: Desk, body: str, card: str = ROOK) -> Diagnostic:
    with pytest.raises(CardgenError) as caught:
        front(desk, body, card)
    (found,) = caught.value.diagnostics
    return found


def at(found: Diagnostic) -> tuple[int, int]:
    assert found.place.span is not None
    return found.place.span.line, found.place.span.column


def test_items_keep_the_order_in_which_they_are_painted(desk: Desk) -> None:
    (desk.root / "a.png").write_bytes(b"")
    desk.template(
        "pawn.svg.j2", svg('<rect/><text x="1" y="2">a</text><cg:art x="0" y="0" width="9" height="9"/><path/>')
    )
    face = desk.studio().front(desk.entry("kind: pawn\nname: Rook\nart: a.png\n"), SIZE).face
    assert [type(item) for item in face.items] == [Artwork, Text, Picture, Artwork]
    assert face.size == SIZE
    assert face.bleed == 3


def test_artwork_covers_trim_and_bleed_and_equal_chunks_are_one(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg('<rect width="9"/><circle r="{{ card.lines|length }}"/>'))
    studio = desk.studio()
    one = studio.front(desk.entry("kind: pawn\nname: Rook\n"), SIZE).face
    other = studio.front(desk.entry("kind: pawn\nname: Knight\nlines: [a]\n"), SIZE).face
    assert one.items[0] is other.items[0]
    assert one.items[1] != other.items[1]
    assert isinstance(one.items[0], Artwork)
    assert b'width="46mm" height="66mm" viewBox="-3 -3 46 66"' in one.items[0].svg


def test_equal_faces_are_drawn_once(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg("<rect/>"))
    desk.template("pawn.back.svg.j2", svg('<text x="20" y="30" text-anchor="middle">Pawn</text>'))
    studio = desk.studio()
    backs = [studio.back(desk.entry(f"kind: pawn\nname: {name}\n"), SIZE) for name in ("Rook", "Knight")]
    assert backs[0] is not None
    assert backs[0] is backs[1]


def test_a_kind_without_a_back_has_none(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg("<rect/>"))
    assert desk.studio().back(desk.entry("kind: pawn\nname: Rook\n"), SIZE) is None


def test_text_that_does_not_fit_is_said_with_its_place_and_by_how_much(desk: Desk) -> None:
    words = "the long dark road " * 20
    (found,) = front(desk, BOX, f"kind: pawn\nname: Rook\nlines:\n  - {words}\n")
    assert found.code == "CG501"
    assert at(found) == (4, 5)
    assert "'lines.0' of 'Rook' is " in found.message
    assert " % full at 7 pt: " in found.message
    assert " characters too many" in found.message


def test_a_glyph_that_no_font_has_is_said_with_its_place(desk: Desk) -> None:
    (found,) = front(desk, BOX, 'kind: pawn\nname: Rook\nlines: ["Hold 𓀀 the line"]\n')
    assert found.code == "CG502"
    assert at(found) == (3, 9)
    assert "'𓀀' (U+13000), which no font has" in found.message


def test_an_unknown_icon_is_said_with_what_was_meant(desk: Desk) -> None:
    (found,) = front(desk, BOX, 'kind: pawn\nname: Rook\nlines: ["Lose a {hart}"]\n')
    assert found.code == "CG503"
    assert found.help == "did you mean {heart}?"


def test_a_long_layout_is_taken_where_the_usual_one_is_too_small(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg(BOX))
    desk.template("pawn.long.svg.j2", svg(BOX.replace('height="8"', 'height="50"')))
    studio = desk.studio()
    short = studio.front(desk.entry("kind: pawn\nname: Rook\nlines: [Hold.]\n"), SIZE)
    long = studio.front(desk.entry(f"kind: pawn\nname: Rook\nlines: [{'the long dark road ' * 12}]\n"), SIZE)
    assert not short.diagnostics
    assert not long.diagnostics
    assert short.face.fits[0].ok
    assert long.face.fits[0].ok
    assert short.face.items != long.face.items


def test_a_missing_character_does_not_lead_to_the_long_layout(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg(BOX))
    desk.template("pawn.long.svg.j2", svg(BOX.replace('height="8"', 'height="50"')))
    studio = desk.studio()
    short, lacking = (
        studio.front(desk.entry(f"kind: pawn\nname: Rook\nlines: [{text}]\n"), SIZE) for text in ("Hold.", "Hold 𓀀.")
    )
    (found,) = lacking.diagnostics
    assert "no font has" in found.message
    fits = (*short.face.fits, *lacking.face.fits)
    assert [fit.box.height for fit in fits if isinstance(fit, Fit) and fit.box] == [8, 8]


def test_a_text_that_fits_the_long_layout_is_not_looked_up_in_its_file(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.template("pawn.svg.j2", svg(BOX))
    desk.template("pawn.long.svg.j2", svg(BOX.replace('height="8"', 'height="50"')))
    entry = desk.entry(f"kind: pawn\nname: Rook\nlines: [{'the long dark road ' * 12}]\n")
    monkeypatch.setattr(Entry, "place", None)
    assert not desk.studio().front(entry, SIZE).diagnostics


def test_faults_in_svg_are_found_in_the_template(desk: Desk) -> None:
    found = refused(desk, "\n<rect/>\n  <img href='a.png'/>")
    assert found.place.file.endswith("pawn.svg.j2")
    assert at(found) == (3, 3)
    assert "did you mean 'image'?" in found.message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<cg:text x="1" y="1" width="9">a</cg:text>', "<cg:text> needs the attribute 'height'"),
        ('<cg:text x="1" y="1" width="9" height="0">a</cg:text>', "must have a width and height greater than 0"),
        ('<cg:text x="a" y="1" width="9" height="9">a</cg:text>', 'x="a" is not a valid number'),
        ('<text x="1" y="1" style="bodi">a</text>', "unknown style 'bodi' in the theme"),
        ('<text x="1" y="1" fill="rust">a</text>', "unknown color 'rust' in the theme"),
        ('<text x="1" y="1" text-anchor="left">a</text>', "unknown text-anchor 'left' (one of start, middle, end)"),
        ('<text x="1" y="1" size="large">a</text>', "is not a valid length"),
        ('<cg:art x="1" y="1" width="9" height="9"/>', "<cg:art> has no picture"),
        ('<cg:art x="1" y="1" width="9" height="9" file="a.png" focus="0.5"/>', "takes two numbers"),
        ('<cg:art x="1" y="1" width="9" height="9" file="a.png" scale="0"/>', "scale must be between 0.1 and 10"),
        ('<cg:art x="1" y="1" width="9" height="9" file="a.png" rotate="45"/>', "unknown rotate '45'"),
        ('<cg:art x="1" y="1" width="9" height="9" file="a.png" mirror="yes"/>', "unknown mirror 'yes'"),
        ('<cg:art x="1" y="1" width="9" height="9" file="a.png" mask="M1 1L9 9"/>', "a path that ends with Z"),
    ],
)
def test_boxes_that_make_no_sense_are_refused(desk: Desk, body: str, message: str) -> None:
    assert message in refused(desk, body).message


def test_art_outside_the_project_is_refused_at_its_place_in_the_card(desk: Desk) -> None:
    card = "kind: pawn\nname: Rook\nart: ../../secret.png\n"
    found = refused(desk, '<cg:art x="1" y="1" width="9" height="9"/>', card)
    assert found.code == "CG504"
    assert at(found) == (3, 6)
    assert "points outside the project" in found.message


def test_a_template_that_a_card_names_must_exist(desk: Desk) -> None:
    desk.template("knight.svg.j2", svg("<rect/>"))
    with pytest.raises(CardgenError) as caught:
        desk.studio().front(desk.entry("kind: pawn\nname: Rook\ntemplate: knigt\n"), SIZE)
    (found,) = caught.value.diagnostics
    assert at(found) == (3, 11)
    assert "did you mean 'chess/knight'" in found.message


def test_icons_and_emblems_are_drawn_and_unknown_ones_refused(desk: Desk) -> None:
    assert not front(desk, '{{ icon("heart", 5, 5, 4) }}{{ emblem(card.id, 5, 5, 20) }}')
    assert "did you mean 'heart'" in refused(desk, '{{ icon("hart", 5, 5, 4) }}').message
    assert "unknown color 'rust'" in refused(desk, '{{ icon("heart", 5, 5, 4, "rust") }}').message


@pytest.mark.parametrize(
    ("share", "colour"), [(-1, "#000000"), (0, "#000000"), (0.5, "#804020"), (1, "#ff8040"), (2, "#ff8040")]
)
def test_colours_are_mixed(desk: Desk, share: float, colour: str) -> None:
    desk.template("pawn.svg.j2", svg(f'<rect fill="{{{{ mix("#000000", "#ff8040", {share}) }}}}"/>'))
    (artwork,) = desk.studio().front(desk.entry(ROOK), SIZE).face.items
    assert isinstance(artwork, Artwork)
    assert f'fill="{colour}"'.encode() in artwork.svg


def test_only_colours_are_mixed(desk: Desk) -> None:
    assert "'#12' is not a color" in refused(desk, '{{ mix("#12", "#000000", 0.5) }}').message
    assert "'ink' is not a color" in refused(desk, '{{ mix("#000000", "ink", 0.5) }}').message


def test_room_that_a_template_adds_up_is_checked_too(desk: Desk) -> None:
    body = '<cg:room field="lines" used="{{ card.lines|length * 6 }}" available="12"/>'
    assert not front(desk, body, "kind: pawn\nname: Rook\nlines: [a, b]\n")
    (found,) = front(desk, body, "kind: pawn\nname: Rook\nlines:\n  - a\n  - b\n  - c\n")
    assert found.code == "CG501"
    assert found.message == "'lines' of 'Rook' needs 18.0 mm, but has only 12.0 mm"
    assert found.place.span is not None
    assert found.place.span.line == 4


def test_an_empty_text_is_no_item(desk: Desk) -> None:
    desk.template("pawn.svg.j2", svg('<text x="1" y="1">{{ card.motto }}</text><rect/>'))
    face = desk.studio().front(desk.entry("kind: pawn\nname: Rook\n"), SIZE).face
    assert [type(item) for item in face.items] == [Artwork]


def test_a_template_that_takes_too_long_is_not_tried_again_for_every_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.face.renderer.can_fork", lambda: False)
    isolation, tries, entry = Isolation(), list[str](), Desk(tmp_path).entry(ROOK)

    def render(name: str, *_: object) -> RenderedTemplate:
        tries.append(name)
        raise CardgenError(Diagnostic("CG511", slow_message(), Place("pawn.svg.j2")))

    for name in ("pawn", "pawn", "rook", "pawn"):
        with pytest.raises(CardgenError, match="took longer"):
            isolation.render(render, tmp_path, name, entry, SIZE, "front", "")
    assert tries == ["pawn", "rook"]
