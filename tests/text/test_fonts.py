from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from cardgen.sheet.leaf import LABEL_STYLE
from cardgen.text import fonts as fonts_module
from cardgen.text.fonts import Fonts
from tests.text.typesetting import FONTS


def packaged(name: str) -> Path:
    return FONTS.path(name)


@pytest.mark.parametrize("family", ["EB Garamond", "Source Sans 3", "Gentium Book Plus", "Noto Sans", "Lato"])
def test_the_four_faces_of_a_family(family: str) -> None:
    keys = {FONTS.font(family, bold, italic).key for bold in (False, True) for italic in (False, True)}
    stem = family.replace(" ", "")
    assert keys == {f"{stem}-{style}" for style in ("Regular", "Bold", "Italic", "BoldItalic")}


def test_every_family_opens_and_has_sound_metrics() -> None:
    assert len(FONTS.families) >= 10
    for family in set(FONTS.families) - {"Font Awesome 7"}:  # it has icons only
        font = FONTS.font(family)
        assert 0.35 < font.x_height < font.cap_height <= font.ascent < 0.85, font
        assert 0.1 < font.descent < 0.35, font
        assert FONTS.path(font.key) == font.path


def test_case_and_spaces_of_a_name_play_no_part() -> None:
    assert FONTS.font("ebgaramond") is FONTS.font("EB Garamond")


def test_a_family_without_italics_stands_upright() -> None:
    assert FONTS.font("Mukta", italic=True).key == "Mukta-Regular"
    assert FONTS.font("Mukta", bold=True, italic=True).key == "Mukta-Bold"


def test_an_unknown_family_is_answered_with_a_near_one() -> None:
    with pytest.raises(ValueError, match="unknown font family 'Latto'; did you mean 'Lato'"):
        FONTS.font("Latto")
    for name in ("Qqqq", "Bramble Hand"):
        with pytest.raises(ValueError, match=rf"'{name}' \(one of EB Garamond, "):
            FONTS.font(name)


def test_postscript_outlines_are_available() -> None:
    assert "Fontin" in FONTS.families
    assert FONTS.font("Fontin").path.name == "Fontin-Regular.otf"


def test_a_project_s_fonts_come_first_and_keep_keys_unique(tmp_path: Path) -> None:
    shutil.copy(packaged("Lato-Regular"), tmp_path / "my own.ttf")
    shutil.copy(packaged("Lato-Bold"), tmp_path / "Lato-Bold.ttf")
    fonts = Fonts([tmp_path, tmp_path / "missing"])
    assert fonts.font("Lato").path == tmp_path / "my own.ttf"
    assert fonts.font("Lato").key == "myown"
    assert fonts.font("Lato", bold=True, italic=True).path == tmp_path / "Lato-Bold.ttf"
    assert fonts.font("Roboto").key == "Roboto-Regular"


def test_two_files_of_one_name_have_two_keys(tmp_path: Path) -> None:
    for folder, name in (("a", "Lato-Regular"), ("b", "Roboto-Regular")):
        (tmp_path / folder).mkdir()
        shutil.copy(packaged(name), tmp_path / folder / "text.ttf")
    fonts = Fonts([tmp_path])
    assert (fonts.font("Lato").key, fonts.font("Roboto").key) == ("text", "text-2")


def test_the_truetype_file_of_a_face_is_taken(tmp_path: Path) -> None:
    shutil.copy(packaged("Lato-Regular"), tmp_path / "z.ttf")
    shutil.copy(packaged("Lato-Regular"), tmp_path / "a.otf")
    assert Fonts([tmp_path]).font("Lato").key == "z"


@pytest.mark.parametrize("content", [b"", b"no font at all"])
def test_a_file_that_is_no_font_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.ttf").write_bytes(content)
    with pytest.raises(ValueError, match=r"broken\.ttf is not a valid font"):
        Fonts([tmp_path]).font("Lato")


def test_fonts_are_opened_late(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []

    def face(path: Path) -> object:
        opened.append(path)
        raise ValueError(path)

    monkeypatch.setattr("cardgen.text.fonts.FontFace", face)
    fonts = Fonts()
    assert fonts.families
    assert opened == []
    with pytest.raises(ValueError, match="Lato"):
        fonts.font("Lato")
    assert [path.name for path in opened] == ["Lato-Regular.ttf"]


def test_a_font_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "fonts"
    inside.mkdir()
    shutil.copy(FONTS.font("Lato").path, tmp_path / "away.ttf")
    (inside / "here.ttf").symlink_to(tmp_path / "away.ttf")
    with pytest.raises(ValueError, match=r"the font here\.ttf is a link that points outside its folder"):
        Fonts([inside]).font("Lato")


def test_the_built_in_fonts_come_before_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Lato").mkdir()
    for style in ("Regular", "Bold"):
        shutil.copy(packaged(f"Lato-{style}"), tmp_path / "Lato")
    monkeypatch.setattr(fonts_module, "_BUILT_IN", tmp_path)
    both = Fonts()
    assert both.font("Lato", bold=True).path == tmp_path / "Lato" / "Lato-Bold.ttf"
    assert both.font("Lato", italic=True).key == "Lato-Regular"
    assert both.font("EB Garamond").key == "EBGaramond-Regular"


def test_an_unknown_family_names_the_files_that_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "Roboto.woff2").write_bytes(b"wOF2")
    (tmp_path / "loop.woff").symlink_to("loop.woff")
    with pytest.raises(ValueError, match=r"family 'Nowhere' .*; \S*Roboto\.woff2 is not read, because only \.ttf and"):
        Fonts([tmp_path]).font("Nowhere")


def test_without_the_package_only_the_built_in_families_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Lato").mkdir()
    shutil.copy(packaged("Lato-Regular"), tmp_path / "Lato")
    monkeypatch.setattr(fonts_module, "_BUILT_IN", tmp_path)
    monkeypatch.setattr(fonts_module, "find_spec", lambda _: None)
    assert Fonts().families == ("Lato",)
    message = r"unknown font family 'Roboto' \(one of Lato\); more families come with the extra 'fonts'"
    with pytest.raises(ValueError, match=message):
        Fonts().font("Roboto")
    advices = [fonts_module.extra_advice(each) for each in ("س", "ท", "漢", "ש", "𓀀")]
    assert [advice.partition("'")[2].partition("'")[0] for advice in advices] == [
        "scripts",
        "scripts",
        "fonts",
        "fonts",
        "",
    ]


def test_the_wheel_has_the_families_of_all_themes() -> None:
    root = Path(__file__).parents[2]
    hook = (root / "hatch_build.py").read_text(encoding="utf-8")
    bundled = re.findall(r'^    "([^"]+)": "\*"', hook, re.MULTILINE)
    themes = sorted((root / "templates").rglob("theme.yaml"))
    assert themes
    read = (yaml.safe_load(theme.read_text(encoding="utf-8")) for theme in themes)
    used = {family for theme in read for family in theme.get("fonts", {}).values()}
    assert {*bundled} == {*used, LABEL_STYLE.family}
