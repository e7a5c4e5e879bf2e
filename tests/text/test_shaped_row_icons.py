from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.face.face import read_icon
from cardgen.project.files import built_in_folder
from cardgen.text.lines import Outline
from cardgen.text.shaped_row import Drawings, Icons, built_in_icons

SQUARE = '<path d="M10 20h30v40h-30z"/>'


def svg(body: str, attributes: str = 'viewBox="10 20 60 40"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'


def icon(folder: Path, content: str) -> Outline | None:
    (folder / "mine.svg").write_text(content, encoding="utf-8")
    return Icons(Drawings([folder], read_icon)).find("mine")


def extent(outline: Outline) -> tuple[float, float, float, float]:
    """Left, bottom, right and top, of the control points too."""
    numbers = [stroke[1:] for path in outline.paths for stroke in path]
    xs, ys = [x for row in numbers for x in row[::2]], [y for row in numbers for y in row[1::2]]
    return min(xs), min(ys), max(xs), max(ys)


@pytest.mark.parametrize(
    "name",
    ["brain", "hand-fist", "ghost", "heart", "person-running", "crosshairs", "wand-magic", "dice-one", "dice-six"],
)
def test_font_awesome_s_icons_stand_on_a_square(name: str) -> None:
    outline = built_in_icons().find(name)
    assert outline is not None
    left, bottom, right, top = extent(outline)
    assert 0.7 < outline.width < 1.2
    assert -0.05 < left < right < outline.width + 0.05
    assert -0.1 < bottom < top < 1.1


def test_unknown_names() -> None:
    assert built_in_icons().find("crossed-swords-of-doom") is None
    assert built_in_icons().find(".notdef") is None
    names = built_in_icons().names()
    assert len(names) > 1000
    assert "heart" in names
    assert ".notdef" not in names
    assert list(names) == sorted(names)


def test_a_project_s_icon_is_flipped_and_scaled_to_its_height(tmp_path: Path) -> None:
    outline = icon(tmp_path, svg(f"<title>a square</title><!-- so --><metadata><x/></metadata>{SQUARE}"))
    assert outline is not None
    assert outline.width == 1.5
    assert outline.paths == ((("M", 0, 1), ("L", 0.75, 1), ("L", 0.75, 0), ("L", 0, 0), ("Z",)),)
    assert not outline.evenodd


def test_a_small_view_box(tmp_path: Path) -> None:
    outline = icon(tmp_path, svg('<path d="M0 0v.5"/>', 'viewBox="0 0 .25 .5"'))
    assert outline is not None
    assert (outline.width, outline.paths) == (0.5, ((("M", 0, 1), ("L", 0, 0)),))


def test_a_project_s_icon_comes_first(tmp_path: Path) -> None:
    (tmp_path / "heart.svg").write_text(svg(SQUARE), encoding="utf-8")
    icons = Icons(Drawings([tmp_path / "missing", tmp_path], read_icon))
    assert icons.find("heart") != built_in_icons().find("heart")
    assert icons.find("ghost") == built_in_icons().find("ghost")
    assert icons.names() == built_in_icons().names()
    assert (tmp_path / "heart.svg").exists()


def test_the_rule_of_filling_is_kept(tmp_path: Path) -> None:
    outline = icon(tmp_path, svg(SQUARE, 'viewBox="0 0 9 9" fill-rule="evenodd" fill="#123456"'))
    assert outline is not None
    assert outline.evenodd


def test_built_in_files_are_read_only_when_they_are_used() -> None:
    """In a checkout of the program, they are within the project, too."""
    folder = built_in_folder("templates") / "shared" / "charges"
    read: list[Path] = []

    def fail(path: Path) -> Outline:
        read.append(path)
        raise CardgenError(Diagnostic(Code.ART, "bad", Place(str(path))))

    assert list(Drawings([folder], fail).unusable_files(folder.parents[2])) == []
    assert read == []


def test_a_file_that_cannot_be_used_is_read_once(tmp_path: Path) -> None:
    read = list[Path]()

    def refuse(path: Path) -> Outline:
        read.append(path)
        raise CardgenError(Diagnostic(Code.ART, "too slow", Place(path.name)))

    (tmp_path / "slow.svg").touch()
    drawings = Drawings([tmp_path], refuse)
    for _ in range(3):
        with pytest.raises(CardgenError, match="too slow"):
            drawings.find("slow")
    assert len(read) == 1


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("hart", "did you mean {heart}?"),
        ("qqqqqqq", "put qqqqqqq.svg into the folder icons"),
        (
            "game-icons:broadsword",
            "put the icon set 'game-icons', such as the file game-icons.json, into the folder icons",
        ),
    ],
)
def test_an_unknown_icon_is_advised(name: str, advice: str) -> None:
    assert Icons().advice(name).startswith(advice)
