"""Pictures that are found by the card's id."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.deck.art import find_art
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import MINION, Folder

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#123456"/></svg>'


def messages(folder: Folder, code: str = "CG120") -> list[str]:
    return [each.diagnostic.message for each in check_project(CheckRequest()).findings if each.diagnostic.code == code]


@pytest.mark.parametrize("place", ["cards/art/sentinel.svg", "art/sentinel.svg", "art/Sentinel.SVG"])
def test_a_picture_has_the_id_of_its_card(folder: Folder, place: str) -> None:
    folder.plain()
    folder.write(place, SVG)
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    assert messages(folder) == []
    build(BuildRequest(formats=("svg",)))
    assert b"#123456" in folder.output("warniris-minion/001-sentinel-front.svg")


def test_the_nearest_folder_counts(folder: Folder) -> None:
    folder.plain()
    folder.write("art/sentinel.svg", SVG)
    folder.write("cards/art/sentinel.svg", SVG.replace("123456", "abcdef"))
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    build(BuildRequest(formats=("svg",)))
    assert b"#abcdef" in folder.output("warniris-minion/001-sentinel-front.svg")


def test_a_missing_picture_is_found_with_a_near_name(folder: Folder) -> None:
    folder.plain()
    folder.write("art/sentinels.png", "")
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    assert messages(folder) == ["no picture 'art/sentinel.*'; did you mean 'art/sentinels.png'?"]
    with pytest.raises(CardgenError, match=r"cards/a\.yaml:4:6: .*no picture 'art/sentinel"):
        build(BuildRequest())


def test_a_path_that_is_wrong_suggests_the_picture(folder: Folder) -> None:
    """One in another case, with another suffix, in the folder 'art', or with a similar name."""
    folder.plain()
    folder.write("art/sentinel.png", "")
    near = ("art/Sentinel.PNG", "art/sentinel.svg", "art/sentinal.png", "Sentinel.png", "pictures/sentinel.png")
    for path in (*near, "art/tower.png"):
        folder.write("cards/a.yaml", f"{MINION}art: {path}\n")
        suggestion = "; did you mean 'art/sentinel.png'?" if path in near else ""
        told = f"file '{path}' not found, neither beside the card nor in the project folder{suggestion}"
        assert messages(folder) == [told]


def test_a_name_without_a_folder_is_also_looked_for_in_the_folder_of_pictures(folder: Folder) -> None:
    """As spreadsheets have it. Beside the card and in the project, it comes first."""
    folder.plain()
    folder.write("art/sentinel.svg", SVG)
    folder.write("cards/a.yaml", f"{MINION}art: sentinel.svg\n")
    assert messages(folder) == []
    project, deck = load_deck(())
    assert find_art(project, deck.cards[0], "sentinel.svg") == folder.root / "art/sentinel.svg"
    for place in ("cards/art", "", "cards"):
        folder.write(f"{place}/sentinel.svg".lstrip("/"), SVG)
        found = find_art(project, deck.cards[0], "sentinel.svg")
        assert found == folder.root / place / "sentinel.svg"


GAME = """\
game: ember
name: Ember
prefix: EM
size: standard
kinds:
  brave:
    fields:
      portrait: {type: picture, optional: true}
      marks: {type: list, items: {type: picture}, optional: true}
    example: {}
"""
PORTRAIT = '<svg xmlns="http://www.w3.org/2000/svg"><image width="9" height="9" href="{{ card.portrait }}"/></svg>'


@pytest.mark.parametrize("written", ["portrait: auto", "portrait: {file: auto}", "marks: [auto]"])
def test_each_picture_field_has_a_folder_of_its_own(folder: Folder, written: str) -> None:
    name = written.partition(":")[0]
    folder.write("games/ember/game.yaml", GAME)
    folder.write(
        "templates/ember/brave.svg.j2", PORTRAIT if name == "portrait" else PORTRAIT.replace("portrait", "marks[0]")
    )
    folder.write("cardgen.yaml", "game: ember\n")
    folder.write("cards/a.yaml", f"kind: brave\nname: Ash\n{written}\n")
    assert messages(folder) == [f"no picture 'art/{name}/ash.*' or 'art/ash.*'"]
    folder.write("art/ash.svg", SVG)
    assert messages(folder) == messages(folder, "CG124") == []
    folder.write(f"cards/art/{name}/ash.svg", SVG.replace("123456", "abcdef"))
    folder.write(f"art/{name}/ashe.svg", SVG)
    assert messages(folder) == []
    build(BuildRequest(formats=("svg",)))
    assert b"#abcdef" in folder.output("ember-brave/001-ash-front.svg")
    unused = [
        each.diagnostic.place.file for each in check_project(CheckRequest()).findings if each.diagnostic.code == "CG124"
    ]
    assert unused == ["art/ash.svg", f"art/{name}/ashe.svg"]


def test_several_pictures_are_ambiguous(folder: Folder) -> None:
    folder.plain()
    folder.write("art/sentinel.png", "")
    folder.write("art/sentinel.svg", SVG)
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    assert messages(folder) == ["several pictures for 'sentinel' in art/: sentinel.png, sentinel.svg"]


def test_the_setting_applies_to_cards_that_have_a_picture(folder: Folder) -> None:
    folder.plain()
    folder.write("cardgen.yaml", "art: auto\n")
    folder.minions("Anna", "Bert")
    folder.write("art/anna.svg", SVG)
    build(BuildRequest(formats=("svg",)))
    shown = [b"#123456" in folder.output(f"warniris-minion/{name}-front.svg") for name in ("001-anna", "002-bert")]
    assert shown == [True, False]
    assert messages(folder, "CG124") == []


def test_ambiguous_pictures_are_not_unused(folder: Folder) -> None:
    for name in ("sentinel.png", "sentinel.svg", "black_tea.svg"):
        folder.write(f"art/{name}", "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>")
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    folder.write("cards/b.yaml", "kind: relic\nname: Black Tea\ntext: Brew it.\n")
    found = [each.diagnostic for each in check_project(CheckRequest()).findings]
    helps = {each.help for each in found if each.code in ("CG120", "CG124")}
    assert helps == {
        "keep one of them",
        "for the card 'black-tea', name the picture 'black-tea.svg' and set 'art: auto'",
    }


def test_a_picture_in_another_format_is_found_for_a_card_without_one(folder: Folder) -> None:
    folder.minions("Sentinel", "Ghost")
    folder.write("cards/art/raw.bmp", b"BM")
    folder.write("cards/art/Ghost.BMP", b"BM")
    found = [one.diagnostic for one in check_project(CheckRequest()).findings if one.check.code == "CG124"]
    assert [(each.place.file, each.message, each.help) for each in found] == [
        ("cards/art/Ghost.BMP", "pictures in the format .bmp cannot be used", "save it as ghost.png")
    ]


def test_pictures_are_not_called_unused_if_cards_cannot_be_read(folder: Folder) -> None:
    folder.write("art/moon.svg", "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>")
    folder.write("cards/a.yaml", MINION)
    assert "CG124" in [each.diagnostic.code for each in check_project(CheckRequest()).findings]
    folder.write("cards/b.yaml", "kind: relic\nart: art/moon.svg\n")
    assert "CG124" not in [each.diagnostic.code for each in check_project(CheckRequest()).findings]


def test_the_setting_finds_ambiguous_pictures(folder: Folder) -> None:
    folder.plain()
    folder.write("cardgen.yaml", "art: auto\n")
    folder.write("cards/a.yaml", MINION)
    folder.write("art/sentinel.png", "")
    folder.write("art/sentinel.svg", SVG)
    assert messages(folder) == ["several pictures for 'sentinel' in art/: sentinel.png, sentinel.svg"]


def test_a_folder_outside_the_project_is_not_searched(folder: Folder, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "sentinel.svg").write_text(SVG, encoding="utf-8")
    folder.plain()
    folder.write("cards/a.yaml", f"{MINION}art: auto\n")
    (folder.root / "art").symlink_to(outside)
    (found,) = messages(folder)
    assert "sentinel.svg" not in found


def test_a_picture_with_almost_the_name_of_a_card_is_told(folder: Folder) -> None:
    folder.minions("Sentinel")
    folder.write("cards/art/sentinle.svg", SVG)
    found = [one.diagnostic for one in check_project(CheckRequest()).findings if one.check.code == "CG124"]
    advice = "for the card 'sentinel', name the picture 'sentinel.svg' and set 'art: auto'"
    assert [each.help for each in found] == [advice]


def test_an_image_of_a_template_prints_in_all_formats(folder: Folder) -> None:
    """It covers the card, half transparent, on white."""
    folder.plain()
    folder.write("cards/a.yaml", MINION)
    blue = BytesIO()
    Image.new("RGB", (40, 40), (0, 0, 200)).save(blue, "PNG")
    address = f"data:image/png;base64,{b64encode(blue.getvalue()).decode()}"
    image = f'<image x="-3" y="-3" width="69" height="94" preserveAspectRatio="none" opacity="0.5" href="{address}"/>'
    folder.write("templates/warniris/minion.svg.j2", f'<svg xmlns="http://www.w3.org/2000/svg">{image}</svg>')
    build(BuildRequest(formats=("svg", "png", "pdf")))
    picture = Image.open(BytesIO(folder.output("warniris-minion/001-sentinel-front.png"))).convert("RGB")
    assert picture.getpixel((100, 100)) == pytest.approx((127, 127, 227), abs=2)
    svg = folder.output("warniris-minion/001-sentinel-front.svg")
    assert b'opacity="0.5"' in svg
    assert address.encode() in svg
    assert messages(folder, "CG124") == []
