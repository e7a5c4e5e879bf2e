"""Icons may contain all that art may: those of one color take that of their text, others keep theirs."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.face.face import read_icon
from tests.cli.commands import Program
from tests.projects import FRONT, MINION, Folder

GRADIENT = (
    '<defs><linearGradient id="g"><stop stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/></linearGradient>'
    '</defs><rect width="24" height="24" fill="url(#g)"/>'
)


def svg(body: str, attributes: str = 'viewBox="0 0 24 24"') -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def file(folder: Path, content: str) -> Path:
    path = folder / "mine.svg"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("body", [
    '<circle cx="12" cy="12" r="9"/>',
    '<rect width="9" height="9" rx="2"/><ellipse cx="9" cy="9" rx="3" ry="2"/>',
    '<g transform="rotate(9)" fill="#c00"><polygon points="0,0 9,0 9,9"/></g>',
    '<path fill="currentColor" d="M0 0H9V9Z"/><path d="M9 9h1v1z" fill="currentColor"/>',
    '<style>.a{fill:#123456}</style><path class="a" d="M0 0H9V9Z"/>',
    '<defs><path id="p" d="M0 0H9V9Z"/></defs><use href="#p"/><use href="#p" x="9"/>',
])  # fmt: skip
def test_filled_shapes_of_one_color_are_an_outline(tmp_path: Path, body: str) -> None:
    outline = read_icon(file(tmp_path, svg(body)))
    assert outline.paths
    assert outline.art is None


@pytest.mark.share(3)
@pytest.mark.parametrize(("body", "kept", "taken"), [
    ('<path d="M0 0L9 9" stroke="#c00" fill="none"/>', [], 1),  # strokes of one color
    ('<circle r="9" opacity=".5"/>', [], 1),
    ('<circle r="9" fill="#c00"/><circle r="5" fill="#ff0"/>', ["#cc0000", "#ffff00"], 0),
    ('<circle r="9" fill="#c00"/><circle r="5" fill="currentColor"/>', ["#cc0000"], 1),
    ('<g color="#c00"><circle r="9" fill="currentColor"/></g><circle r="5"/>', ["#cc0000", "#000000"], 0),
    ('<circle r="9" fill="#010fe1"/><circle r="5" fill="currentColor"/>', ["#010fe1"], 1),
    (GRADIENT, ["#ff0000", "#0000ff"], 0),
])  # fmt: skip
def test_other_icons_keep_their_colors(tmp_path: Path, body: str, kept: list[str], taken: int) -> None:
    outline = read_icon(file(tmp_path, svg(body)))
    assert (outline.paths, outline.width) == ((), 1)
    assert outline.art is not None
    drawn = outline.art.drawn("#7d2620")
    assert [colour for colour in kept if colour not in drawn] == []
    assert drawn.count("#7d2620") == taken


@pytest.mark.parametrize(("content", "line", "message"), [
    (svg("\n<text>x</text>"), 2, "'text' is not supported"),
    (svg("<g>\n\n<image href='a.png'/></g>"), 3, "<image>.* is not supported"),
    (svg("<path d='M0 0H9V9Z'/>", ""), 1, "needs a viewBox"),
    (svg("<path d='M0 0H9V9Z'/>", 'viewBox="0 0 0 9"'), 1, "must be greater than 0"),
    (svg("<path d='M0 0 X'/>"), 1, "unknown command 'X' in a path"),
    ("<svg", 1, "not well-formed"),
    (svg("<title>nothing</title>"), None, "the icon draws nothing"),
    (svg(f"<!--{'x' * 300_000}-->"), None, "larger than 256 KiB"),
])  # fmt: skip
def test_check_and_build_name_the_line_of_an_icon_that_cannot_be_drawn(
    folder: Folder, cardgen: Program, content: str, line: int | None, message: str
) -> None:
    folder.plain().write("cards/a.yaml", MINION + "text: A {mine}.\n")
    folder.write("icons/mine.svg", content)
    with pytest.raises(CardgenError, match=message):
        read_icon(folder.root / "icons/mine.svg")
    place = f"icons/mine.svg:{line}:1: error[CG504]" if line else "icons/mine.svg: error[CG504]"
    check, fit = cardgen("check"), cardgen("check", "--fit")
    build, sheet = cardgen("build"), cardgen("reference")
    assert [each.code for each in (check, fit, build, sheet)] == [1] * 4
    for text in (check.out, fit.out, build.err, sheet.err):
        assert place in text
        assert text.count("error[") == 1, text


@pytest.mark.parametrize(
    ("setting", "disk"), [("icons: own\n", (0, 255, 0)), ("icons: text\n", None), ("", (0, 255, 0))]
)
def test_a_theme_says_whether_icons_keep_their_colors(
    folder: Folder, cardgen: Program, setting: str, disk: tuple[int, int, int] | None
) -> None:
    square, circle = '<rect width="24" height="24" fill="#ff0000"/>', '<circle cx="12" cy="12" r="6" fill="#00ff00"/>'
    folder.write("icons/mine.svg", svg(square + circle))
    folder.write("icons/shade.svg", svg(GRADIENT))
    icons = "{{ icon('mine', 20, 60, 20, '#123456') }}{{ icon('shade', 45, 60, 20, '#123456') }}</svg>"
    folder.plain().write("templates/warniris/minion.svg.j2", FRONT.replace("</svg>", icons))
    folder.write("templates/warniris/theme.yaml", f"{setting}colours: {{ink: '#000000'}}\n")
    folder.write("cards/a.yaml", MINION + "text: A {mine} and {shade}.\n")
    for form in ("png", "pdf"):
        outcome = cardgen("build", "--no-cache", "--no-backs", "--format", form, "--layout", "single", "--dpi", "100")
        assert outcome.code == 0, outcome.err
    (picture,) = (folder.root / "output").rglob("*.png")
    image = Image.open(BytesIO(picture.read_bytes())).convert("RGB")
    at = [image.getpixel((round(x / 25.4 * 100), round(60 / 25.4 * 100))) for x in (12, 20, 38, 54)]
    if disk:
        assert at[:2] == [(255, 0, 0), disk]
        assert at[2] != at[3]
    else:
        assert at == [(0x12, 0x34, 0x56)] * 4
        shades: list[Any] = [colour for _, colour in image.getcolors(1 << 24) or ()]
        assert not [colour for colour in shades if colour[0] > 150 and max(colour[1:]) < 60]


def test_an_icon_has_the_same_colors_everywhere(folder: Folder, cardgen: Program) -> None:
    """In text, on an arc, and in a template; as PDF, PNG, and SVG."""
    square, disk = '<rect width="24" height="24" fill="#ff0000"/>', '<circle cx="12" cy="12" r="6" fill="#00ff00"/>'
    folder.write("icons/mine.svg", svg(square + disk))
    folder.write("icons/shade.svg", svg(GRADIENT))
    more = (
        "{{ icon('mine', 20, 60, 20) }}{{ icon('shade', 45, 60, 20) }}"
        '<cg:text path="arc" cx="30" cy="60" r="20">{mine}</cg:text></svg>'
    )
    folder.plain().write("templates/warniris/minion.svg.j2", FRONT.replace("</svg>", more))
    folder.write("cards/a.yaml", MINION + "text: A {mine} and {shade}.\n")
    outcome = cardgen("build", "--no-cache", "--no-backs", "--format", "pdf,png,svg", "--dpi", "100")
    assert outcome.code == 0, outcome.err
    (picture,) = (folder.root / "output").rglob("*.png")
    image = Image.open(BytesIO(picture.read_bytes())).convert("RGB")
    at: list[Any] = [image.getpixel((round(x / 25.4 * 100), round(60 / 25.4 * 100))) for x in (12, 20, 36, 54)]
    assert at[:2] == [(255, 0, 0), (0, 255, 0)]
    (red, _, blue), (last_red, _, last_blue) = at[2:]
    assert red > 200 > 100 > blue
    assert last_blue > 200 > 100 > last_red
