"""Faults that a designer sees in a layout are found, each in a template of one's own, and not in its mended twin."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from PIL import Image

from cardgen.cli import run
from cardgen.diagnostic import Diagnostic
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import Folder

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{}\n</svg>'
# What fills a face, so that no part of it is empty.
DASHES = "".join(f"M2 {y}" + "h1m2 0" * 12 for y in range(2, 62, 3))
FULL = f'<path d="{DASHES}" stroke="#e0e0e0" stroke-width="0.5"/>'
CARD = "kind: relic\nname: Swallow the Red Coal\ntext: A text.\n"


def words(places: Iterable[tuple[float, float]], *texts: str, size: float = 8) -> str:
    names = texts or ("Range", "Strength", "Damage", "Hands", "Weight", "Price")
    return "".join(
        f'<text x="{x:g}" y="{y:g}" style="body" size="{size:g}pt" fill="#000000">{text}</text>'
        for (x, y), text in zip(places, names, strict=False)
    )


def column(*ys: float, at: int = -1, off: float = 0.0) -> str:
    return words((10 + off * (number == at), y) for number, y in enumerate(ys))


def row(*xs: float, at: int = -1, off: float = 0.0) -> str:
    return words(((x, 20 + off * (number == at)) for number, x in enumerate(xs)), *"345678")


def boxed(x: float, y: float) -> str:
    return (
        f'<rect x="9" y="12" width="26" height="8" fill="none" stroke="#000000" stroke-width="0.2"/>{words([(x, y)])}'
    )


def ruled(y: float) -> str:
    return f'{words([(10, 20)], "Strong pages")}<path d="M6 {y:g}h30" stroke="#000000" stroke-width="0.2"/>'


def between_rules(y: float) -> str:
    rules = '<path d="M6 20h9M27 20h9" stroke="#000000" stroke-width="0.25"/>'
    return rules + words([(16.8, y)], "Strong", size=8.5)


def footed(y: float) -> str:
    """Return a column of text above a footer."""
    lines = f'<cg:text x="6" y="12" width="28" height="16" style="body" size="8pt">{"many good words " * 5}</cg:text>'
    return lines + words([(6, y)], "Printed by")


def titled(last: str) -> str:
    """Return a title whose lines a template breaks itself."""
    lines = 'Swallow the{{ "\\n\\n" }}' + last
    return f'<cg:text x="5" y="8" width="32" height="14" style="body" size="14pt" fill="#000000">{lines}</cg:text>'


def piled(height: float) -> str:
    lines = (f'<path d="M3 {y}h35" stroke="#808080" stroke-width="0.3"/>' for y in range(7, int(height), 2))
    return f"{''.join(lines)}{words([(10, 3.9)], 'Ground')}"


def ringed(radius: float) -> str:
    """Return a text in a circle, as on a disk."""
    ring = f'<circle cx="21" cy="20" r="{radius:g}" fill="none" stroke="#000000" stroke-width="0.2"/>'
    name = '<text x="21" y="21" style="body" size="8pt" fill="#000000" text-anchor="middle">Strong pages</text>'
    return ring + name


def bent(radius: float) -> str:
    """Return a text on an arc of 12 mm, with a circle inside it."""
    ring = f'<circle cx="21" cy="30" r="{radius:g}" fill="none" stroke="#000000" stroke-width="0.2"/>'
    return f'{ring}<cg:text path="arc" cx="21" cy="30" r="12" size="10pt" fill="#000000">Strong pages</cg:text>'


def turned(x: float) -> str:
    """Return a text that reads upward, beside a wave."""
    wave = f'<path d="M{x:g} 8c2 8-2 16 0 24" fill="none" stroke="#000000" stroke-width="0.2"/>'
    return f'{wave}<g transform="translate(15 28) rotate(-90)">{words([(0, 0)], "Strong pages")}</g>'


def slanted(half: float) -> str:
    """Return a text on a plate with slanted ends."""
    plate = f'<path d="M{21 - half:g} 15h{2 * half:g}l-2.5 7h-{2 * half:g}z" fill="#e8c040"/>'
    return (
        f'{plate}<text x="20" y="19.4" style="body" size="8pt" fill="#000000" text-anchor="middle">Strong pages</text>'
    )


def crossed(y: float) -> str:
    """Return a text, and a slanted line from one edge of the card to another."""
    return f'<path d="M4 8L38 {y:g}" stroke="#000000" stroke-width="0.2"/>{words([(10, 20)], "Strong pages")}'


def upward(x: float) -> str:
    """Return a text, and one that reads upward through it or beside it."""
    return f'{words([(10, 30)], "Strong pages")}<g transform="translate({x:g} 36) rotate(-90)">{words([(0, 0)])}</g>'


def arched(radius: float) -> str:
    """Return a text, and one on an arc."""
    arc = f'<cg:text path="arc" cx="21" cy="40" r="{radius:g}" size="10pt" fill="#000000">Along the rim</cg:text>'
    return words([(14, 27.5)], "Strong pages") + arc


def charged(x: float) -> str:
    """Return an icon, and a text."""
    icon = '<text x="10" y="20" style="body" size="16pt" fill="#a02020">{heart}</text>'
    return icon + words([(x, 18.5)], "Strong pages")


def pictured(y: float) -> str:
    """Return a text, and a picture that ends there."""
    return f'<cg:art x="4" y="4" width="34" height="{y - 4:g}" file="sand.png"/>{words([(8, 25)], "Strong pages")}'


def ticked(down: float = 0.0, right: float = 0.0) -> str:
    """Return a row of boxes to tick, one of which is a little off."""
    box = '<rect x="{:g}" y="{:g}" width="4" height="4" fill="none" stroke="#000000" stroke-width="0.3"/>'
    row = (box.format(6 + 6 * at + right * (at == 2), 20 + down * (at == 2)) for at in range(5))
    return words([(6, 12)]) + "".join(row)


def iconed(off: float) -> str:
    """Return a row of icons."""
    icon = '<text x="{}" y="{:g}" style="body" size="12pt" fill="#a02020">{{heart}}</text>'
    return "".join(icon.format(6 + 7 * at, 20 + off * (at == 1)) for at in range(4))


FAULTS = {
    "a row of a table is indented by half a millimeter": (
        column(15, 19, 23, 27, at=2, off=0.5), column(15, 19, 23, 27), "CG565", "'Damage' is 0.50 mm off the edge",
    ),
    "a number of a row is lower than the others": (
        row(10, 17, 24, 31, at=1, off=0.4), row(10, 17, 24, 31), "CG565", "'4' is 0.40 mm off the baseline",
    ),
    "two rows of a list are closer": (
        column(12, 17.5, 23, 25.6, 31.1), column(12, 17.5, 23, 28.5, 34), "CG566", "'Hands' is 2.6 mm from 'Damage'",
    ),
    "two words of a row nearly meet": (
        row(10, 14, 18, 20.2, 24.2), row(10, 14, 18, 22, 26), "CG566", "'6' is",
    ),
    "text stands on a rule": (ruled(20.3), ruled(21.5), "CG564", "'Strong pages' is 0.2 mm from a line"),
    "a rule runs through text": (ruled(19), ruled(23), "CG564", "'Strong pages' is on a line"),
    "the corners of a text touch the circle around it": (ringed(7.8), ringed(11), "CG564", "'Strong pages' is"),
    "a circle crosses the tails of a bent text": (bent(11.6), bent(10.5), "CG564", "'Strong pages' is"),
    "a curve runs beside an upward text": (turned(15.3), turned(18), "CG564", "'Strong pages' is"),
    "text touches the slanted end of its plate": (slanted(7), slanted(10), "CG564", "'Strong pages' is"),
    "a slanted line runs through text": (crossed(30), crossed(12), "CG564", "'Strong pages' is on a line"),
    "text touches the left edge of its box": (boxed(9.2, 17), boxed(11, 17), "CG564", "'Range' is"),
    "text touches the top of its box": (boxed(11, 14.1), boxed(11, 17), "CG564", "'Range' is"),
    "the tails of a text reach the text below": (
        words([(10, 20), (10, 22.5)], "Strong pages", "Other words"),
        words([(10, 20), (10, 24)], "Strong pages", "Other words"), "CG564", "'Other words' is",
    ),
    "a label runs into its value": (
        words([(10, 20), (23.4, 20)], "Strength of", "Arms"), words([(10, 20), (30, 20)], "Strength of", "Arms"),
        "CG564", "'Arms' is",
    ),
    "a column ends in the footer": (footed(29.4), footed(34), "CG564", "'Printed by' is"),
    "a title ends on a short word": (titled("Oak"), titled("Oaken Cup"), "CG567", "has only 'Oak'"),
    "an upward text crosses another one": (upward(18), upward(8), "CG563", "'Range' is printed over 'Strong pages'"),
    "a bent text crosses another one": (arched(13), arched(20), "CG563", "is printed over 'Strong pages'"),
    "a text begins on an icon": (charged(13), charged(17), "CG563", "'Strong pages' is printed over '{heart}'"),
    "a picture ends in a text": (pictured(24.2), pictured(32), "CG564", "'Strong pages' is on a line"),
    "a box of a row is lower than the others": (ticked(0.6), ticked(), "CG565", "a shape is 0.60 mm off the baseline"),
    "a box of a row is nearer to its neighbor": (
        ticked(0, 1.5), ticked(), "CG566", "a shape is 4.5 mm from the next one, while the others are 6.0 mm apart",
    ),
    "an icon of a row is lower than the others": (iconed(0.5), iconed(0), "CG565", "'{heart}' is 0.50 mm off the"),
    "a value is lower than its label": (
        words([(6, 20), (24, 20.5)], "Strength", "4"), words([(6, 20), (24, 20)], "Strength", "4"),
        "CG565", "'4' is 0.50 mm off the baseline",
    ),
    "a label is lower than values of one line": (
        words([(6, 20.5), (24, 20), (30, 20)], "Strength", "4", "5"),
        words([(6, 20), (24, 20), (30, 20)], "Strength", "4", "5"), "CG565", "'Strength' is 0.50 mm off the baseline",
    ),
    "the values of a table are lower than its labels": (
        column(14, 19, 24) + words([(30, y + 0.4) for y in (14, 19, 24)], *"345"),
        column(14, 19, 24) + words([(30, y) for y in (14, 19, 24)], *"345"),
        "CG565", "is 0.40 mm off the baseline",
    ),
    "a heading is higher than the rules on both sides of it": (
        between_rules(20.5), between_rules(21.05), "CG565", "mm off the rules beside it",
    ),
    "an icon stands on a line": (
        f'{iconed(0)}<path d="M4 18h34" stroke="#000000" stroke-width="0.3"/>', iconed(0), "CG564",
        "'{heart}' is on a line",
    ),
    "half of the face is empty": (piled(32), piled(60), "CG568", " of the front is empty"),
}  # fmt: skip


def found_in(folder: Folder, body: str, filling: str = FULL) -> list[Diagnostic]:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("templates/warniris/relic.svg.j2", SVG.format(f"{filling}\n{body}"))
    folder.write("cards/coal.yaml", CARD)
    Image.new("RGB", (600, 600), "#c8b890").save(folder.root / "sand.png")
    found = check_project(CheckRequest(fit=True, select=("CG50", "CG51", "CG56"))).findings
    return [each.diagnostic for each in found if each.diagnostic.place.file.startswith("templates")]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_at_its_line_and_its_mended_twin_has_none(folder: Folder, fault: str) -> None:
    planted, mended, code, words = FAULTS[fault]
    filling = "" if code == "CG568" else FULL
    (found,) = {each.code: each for each in found_in(folder, planted, filling)}.values()
    assert found.code == code
    assert words in found.message
    assert found.place.file == "templates/warniris/relic.svg.j2"
    assert found.place.span
    assert found.help
    assert found_in(folder, mended, filling) == []


def test_a_mat_may_stay_empty(folder: Folder) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("templates/warniris/mat.svg.j2", SVG.format(words([(10, 20)], "Ground")))
    folder.write("cards/mat.yaml", "kind: mat\nname: Yard\nwidth: 10\nheight: 10\n")
    found = check_project(CheckRequest(fit=True, select=("CG568",))).findings
    assert [str(each.diagnostic) for each in found] == []


def test_a_picture_shows_the_empty_area(folder: Folder) -> None:
    found_in(folder, piled(32), "")
    assert run(["check", "--pictures", "seen", "--select", "CG568"]) in (0, 1)
    (file,) = Path("seen").iterdir()
    with Image.open(file) as image:
        red = {
            y * 25.4 / 150
            for x in range(image.width)
            for y in range(image.height)
            if image.getpixel((x, y)) == (227, 0, 27)
        }
    assert 29 < min(red) < 34
    assert max(red) > 60
