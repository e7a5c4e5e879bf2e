"""`cardgen check games/NAME`: fonts and names of a theme that are silently not used."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardgen.deck.deck import require_game
from cardgen.project.project import Project
from cardgen.project_checks.game_checks import theme_hints
from cardgen.scaffold.game import new_game
from cardgen.text.fonts import Fonts

THEME = "games/ember/templates/theme.yaml"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_game("Ember")
    return tmp_path


def hints(theme: str = "") -> list[str]:
    if theme:
        Path(THEME).parent.mkdir(exist_ok=True)
        Path(THEME).write_text(theme, encoding="utf-8")
    project = Project.find()
    return [f"{each.place}: {each.message}" for each in theme_hints(require_game("ember", project.workspace), project)]


@pytest.mark.parametrize(
    ("theme", "message"),
    [
        ('colours: {plaqe: "#123456"}\n', "1:11: nothing reads the color 'plaqe'; did you mean 'plaque'?"),
        ("fonts: {dispaly: Lato}\n", "1:9: nothing reads the font 'dispaly'; did you mean 'display'?"),
    ],
)
def test_a_new_name_that_is_almost_one_of_the_defaults(theme: str, message: str) -> None:
    assert hints(theme) == [f"{THEME}:{message}"]


@pytest.mark.parametrize(
    "theme",
    [
        'colours: {plaque: "#123456", plaque2: "#123456"}\n',
        'colours: {moss: "#123456"}\n',
        'colours: {plaqe: "#123456"}\nstyles: {title: {colour: plaqe}}\n',
    ],
)
def test_other_new_names_are_fine(theme: str) -> None:
    assert hints(theme) == []


def test_a_family_without_the_bold_face_of_a_style() -> None:
    Path("fonts").mkdir()
    shutil.copy(Fonts().font("Lato").path, "fonts")
    bold, italic = hints("fonts: {display: Lato}\nstyles: {title: {font: display, bold: true, italic: true}}\n")
    assert bold.startswith(f"{THEME}:1:18: the family 'Lato' has no bold face, which the styles 'back', ")
    assert " has no italic face, " in italic
    shutil.copy(Fonts().font("Lato", bold=True).path, "fonts")
    assert len(hints()) == 1


def test_fonts_in_a_format_of_the_web() -> None:
    Path("fonts").mkdir()
    Path("fonts/Lato.WOFF2").write_bytes(b"wOF2")
    Path("fonts/loop.woff2").symlink_to("loop.woff2")
    assert hints() == ["fonts/Lato.WOFF2: fonts in the format .woff2 are not read"]
