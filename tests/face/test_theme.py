from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.theme import load_theme, theme_names
from cardgen.project.project import Project
from cardgen.project_checks.looks import contrast
from cardgen.text.fonts import Fonts

BUILT_IN = Project(Path("/")).folders("templates")
GROUNDS = {"light": ["plaque"], "gilt": ["back"], "wax": ["seal"]}


def write(folder: Path, name: str, text: str) -> None:
    (folder / "game").mkdir(parents=True, exist_ok=True)
    (folder / "game" / name).write_text(text, encoding="utf-8")


def test_a_named_theme_says_only_what_it_does_differently(tmp_path: Path) -> None:
    write(tmp_path, "theme.yaml", "colours: {ink: '#000000', line: '#111111'}\nfonts: {text: Lato}\n")
    write(tmp_path, "theme.pale.yaml", "colours: {line: '#999999'}\n")
    theme = load_theme([tmp_path], "game", "pale")
    assert theme.colours == {"ink": "#000000", "line": "#999999"}
    assert theme.families == {"text": "Lato"}
    assert theme_names([tmp_path], "game") == ("default", "pale")


def test_a_theme_names_families_for_other_scripts(tmp_path: Path) -> None:
    write(
        tmp_path,
        "theme.yaml",
        "colours: {ink: '#000000'}\nfonts: {text: Lato}\nstyles: {body: {font: text, size: 9}}\n",
    )
    write(tmp_path, "theme.wide.yaml", "fonts: {text: {Jpan: Noto Sans JP, Arab: Noto}}\n")
    assert load_theme([tmp_path], "game", "default").style("body")[0].families == ()
    style, _ = load_theme([tmp_path], "game", "wide").style("body")
    assert (style.family, style.families) == ("Lato", (("Arab", "Noto"), ("Jpan", "Noto Sans JP")))
    with pytest.raises(CardgenError, match=r"theme\.wide\.yaml:1:42: .*unknown font family 'Noto'") as caught:
        load_theme([tmp_path], "game", "wide", family_problem=Fonts().family_problem)
    assert caught.value.diagnostics[0].help == "add its file to fonts/, or choose an installed font"
    write(tmp_path, "theme.wide.yaml", "fonts: {text: {jpan: Lato}}\n")
    with pytest.raises(CardgenError, match="unknown key 'jpan'; did you mean 'Jpan'"):
        load_theme([tmp_path], "game", "wide")


def test_a_projects_theme_goes_over_the_built_in_one(tmp_path: Path) -> None:
    write(tmp_path / "built-in", "theme.yaml", "colours: {ink: '#000000', line: '#111111'}\n")
    write(tmp_path / "mine", "theme.yaml", "colours: {ink: '#222222'}\n")
    theme = load_theme([tmp_path / "mine", tmp_path / "built-in"], "game", "default")
    assert theme.colours == {"ink": "#222222", "line": "#111111"}


def test_an_unknown_theme_is_named_with_what_there_is(tmp_path: Path) -> None:
    write(tmp_path, "theme.pale.yaml", "{}")
    with pytest.raises(CardgenError) as caught:
        load_theme([tmp_path], "game", "pail")
    assert "did you mean 'pale'" in caught.value.diagnostics[0].message


def test_a_theme_that_is_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", "theme.yaml", "{}")
    (tmp_path / "mine" / "game").mkdir(parents=True)
    (tmp_path / "mine" / "game" / "theme.yaml").symlink_to(tmp_path / "elsewhere" / "game" / "theme.yaml")
    with pytest.raises(CardgenError, match="the link points outside the project"):
        load_theme([tmp_path / "mine"], "game", "default")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("colours:\n  ink: black\n", 2, "black"),
        ("styles:\n  body: {font: text}\n", 2, "size"),
        ("colour: {}\n", 1, "unknown key 'colour'"),
        ("styles:\n  body: {font: text, size: 300}\n", 2, "size"),
    ],
)
def test_faults_in_a_theme_have_their_place(tmp_path: Path, text: str, line: int, message: str) -> None:
    write(tmp_path, "theme.yaml", text)
    with pytest.raises(CardgenError) as caught:
        load_theme([tmp_path], "game", "default")
    (found,) = caught.value.diagnostics
    assert found.place.span is not None
    assert found.place.span.line == line
    assert message in found.message


def test_a_style_has_a_family_a_color_and_a_smallest_size(tmp_path: Path) -> None:
    write(tmp_path, "theme.yaml", "fonts: {text: Lato}\nstyles: {a: {font: text, size: 9, colour: '#123456'}}\n")
    theme = load_theme([tmp_path], "game", "default")
    style, smallest = theme.style("a")
    assert (style.family, style.size, style.colour, smallest) == ("Lato", 9, "#123456", 7)
    with pytest.raises(KeyError, match="unknown style 'd'"):
        theme.style("d")
    with pytest.raises(KeyError, match="unknown color 'red'"):
        theme.colour("red")


@pytest.mark.parametrize("name", ["default", "low-ink"])
def test_built_in_styles_are_large_enough_and_stand_out_from_their_ground(name: str) -> None:
    theme = load_theme(BUILT_IN, "warniris", name)
    assert len(theme.styles) > 10
    for style_name in theme.styles:
        style, smallest = theme.style(style_name)
        assert smallest >= 7, style_name
        colour = theme.styles[style_name].colour
        for ground in GROUNDS.get(colour, ["paper", "glow", "edge", "panel"]):
            assert contrast(style.colour, theme.colour(ground)) >= 4.5, (style_name, ground)


@pytest.mark.parametrize("name", ["default", "low-ink"])
def test_metals_stand_out_from_colours(name: str) -> None:
    theme = load_theme(BUILT_IN, "warniris", name)
    for metal, colour in product(("or", "argent"), ("gules", "azure", "vert", "purpure", "sable")):
        assert contrast(theme.colours[metal], theme.colours[colour]) >= 3, (metal, colour)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("fonts: {text: Latto}", "unknown font family 'Latto'; did you mean 'Lato'?", (1, 15)),
        ("styles: {body: {font: txt, size: 9}}\nfonts: {text: Lato}", "unknown font 'txt' in the theme", (1, 23)),
        (
            "colours: {ink: '#000000'}\nfonts: {text: Lato}\nstyles: {body: {font: text, size: 9, colour: inc}}",
            "unknown color 'inc' in the theme (one of ink)",
            (3, 46),
        ),
        (
            "colours: {ink: '#000000'}\nfonts: {text: Lato}\nstyles: {body: {font: text, size: 9, emphasis: inc}}",
            "unknown color 'inc' in the theme (one of ink)",
            (3, 48),
        ),
        ("spans: {hot: {colour: rde}}", "unknown color 'rde' in the theme", (1, 23)),
        ("spans: {hot: {colour: '#f00\"/><script/>'}}", "unknown color '#f00\"/><script/>' in the theme", (1, 23)),
        (
            "fonts: {text: Lato}\nstyles: {body: {font: text, size: 9, colour: '#f00;background:url(//x)'}}",
            "unknown color '#f00;background:url(//x)' in the theme",
            (2, 46),
        ),
        (
            "fonts: {text: Lato}\nstyles: {body: {font: text, size: 9, emphasis: '#f00'}}",
            "unknown color '#f00' in the theme",
            (2, 48),
        ),
        ("spans: {center: {bold: true}}", "'center' cannot be the name of a span", (1, 9)),
        (
            "fonts: {text: Lato}\nstyles: {body: {font: text, size: 9, min_size: 10}}",
            "'min_size' must be at most 'size', 9, not 10",
            (2, 48),
        ),
        ("colours: {ink: #000000\n}", "the color is missing", (2, 1)),
        ("colours: {ink: darkgreen}", "'darkgreen' is not a valid color", (1, 16)),
    ],
)
def test_a_wrong_value_is_reported_where_it_is_written(
    tmp_path: Path, text: str, message: str, place: tuple[int, int]
) -> None:
    write(tmp_path, "theme.yaml", text)
    with pytest.raises(CardgenError) as caught:
        load_theme([tmp_path], "game", "default", family_problem=Fonts().family_problem)
    (problem,) = caught.value.diagnostics
    assert problem.message.startswith(message)
    assert problem.place.file.endswith("theme.yaml")
    assert problem.place.span is not None
    assert (problem.place.span.line, problem.place.span.column) == place


def test_a_name_that_a_later_file_makes_wrong_is_reported_there(tmp_path: Path) -> None:
    write(
        tmp_path / "built-in",
        "theme.yaml",
        "colours: {ink: '#000000'}\nfonts: {text: Lato}\nstyles: {body: {font: text, size: 9}}\n",
    )
    write(tmp_path / "mine", "theme.yaml", "styles: {body: {font: serif}}\n")
    with pytest.raises(CardgenError) as caught:
        load_theme([tmp_path / "mine", tmp_path / "built-in"], "game", "default")
    assert "mine" in caught.value.diagnostics[0].place.file
