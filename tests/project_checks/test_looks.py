"""What readers see badly on a drawn card is found, at the element of the template that prints it."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image

from cardgen.cli import run
from cardgen.diagnostic import Diagnostic, Severity
from cardgen.project_checks import arrangement
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.units import MM_PER_INCH, Box
from tests.projects import Folder

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{}\n</svg>'
RELIC = "kind: relic\nname: Ash\ntext: A text.\n"
LABEL = '<text x="10" y="20" style="body" size="9pt" fill="{}">Points</text>'
RIBBON = (
    '<path d="{}" fill="#7d2620"/>'
    '<text x="21" y="20" style="body" size="9pt" fill="#ffffff" text-anchor="middle">Once in every battle</text>'
)


def write(folder: Folder, body: str, back: str = "") -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("templates/warniris/relic.svg.j2", SVG.format(body))
    folder.write("templates/warniris/relic.back.svg.j2", SVG.format(back))
    folder.write("cards/ash.yaml", RELIC)


def flaws(folder: Folder, body: str, back: str = "") -> list[Diagnostic]:
    write(folder, body, back)
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    assert {each.code for each in found if each.severity is Severity.ERROR} == set(), found
    # The faces of these tests have little on them.
    return [each for each in found if each.code.startswith("CG56") and each.code != "CG568"]


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (LABEL.format("#999999"), "CG560", "the label 'Points' is printed with a contrast of 2.8:1, below 4.5:1"),
        (
            f'<rect x="0" y="0" width="63" height="40" fill="#223344"/>{LABEL.format("#111111")}',
            "CG560",
            "the label 'Points' is printed with a contrast of 1.4:1, below 4.5:1",
        ),
        (
            '<text x="10" y="30" style="body" size="20pt" fill="#aaaaaa" field="name">{{ card.name }}</text>',
            "CG560",
            "'name' is printed with a contrast of 2.3:1, below 3:1",
        ),
        (
            '<cg:text path="arc" cx="30" cy="40" r="20" size="10pt" fill="#cccccc">Points</cg:text>',
            "CG560",
            "the label 'Points' is printed with a contrast of 1.6:1, below 4.5:1",
        ),
        (
            f'{LABEL.format("#000000")}<rect x="5" y="10" width="50" height="30" fill="#eeeeee"/>',
            "CG561",
            "the label 'Points' is hidden",
        ),
        # A ribbon that is too short for its words, such as those of another language.
        (
            RIBBON.format("M8 16h26l-1.5 3l1.5 3h-26l1.5 -3z"),
            "CG560",
            "the label 'Once in every battle' is printed in part with a contrast of 1.1:1, below 4.5:1",
        ),
        # What lies over it is half transparent.
        (
            f'{LABEL.format("#000000")}<rect x="5" y="10" width="30" height="15" fill="#ffffff" fill-opacity="0.65"/>',
            "CG560",
            "the label 'Points' is printed with a contrast of 1.",
        ),
        # A gradient becomes lighter behind its last letters, and a panel ends in its middle.
        (
            '<linearGradient id="g"><stop offset="0" stop-color="#000000"/><stop offset="1" stop-color="#ffffff"/>'
            '</linearGradient><rect x="4" y="14" width="24" height="9" fill="url(#g)"/>' + LABEL.format("#ffffff"),
            "CG560",
            "the label 'Points' is printed",
        ),
        (
            f'<rect x="14" y="12" width="20" height="12" fill="#303030"/>{LABEL.format("#000000")}',
            "CG560",
            "the label 'Points' is printed with a contrast of 1.",
        ),
        (
            f'<cg:fold x1="14" y1="0" x2="14" y2="63"/>{LABEL.format("#000000")}',
            "CG562",
            "the label 'Points' is on a fold",
        ),
        (
            '<text x="0.5" y="20" style="body" size="9pt" fill="#000000">Points</text>',
            "CG562",
            "the label 'Points' ends 0.5 mm from the cut",
        ),
        (
            '<text x="-2" y="20" style="body" size="9pt" fill="#000000">Points</text>',
            "CG562",
            "the label 'Points' goes over the cut",
        ),
        (
            f'{LABEL.format("#000000")}<cg:fold x1="0" y1="19" x2="63" y2="19"/>',
            "CG562",
            "the label 'Points' is on a fold",
        ),
        (
            f'{LABEL.format("#000000")}<text x="12" y="20.5" size="9pt" fill="#000000" field="text">{{{{ card.text }}}}'
            "</text>",
            "CG563",
            "'text' is printed over 'Points'",
        ),
    ],
)
def test_each_flaw_is_found_at_its_line_of_the_template(folder: Folder, body: str, code: str, message: str) -> None:
    (found,) = flaws(folder, body)
    assert found.code == code
    assert found.message.startswith(message)
    assert found.place.file == "templates/warniris/relic.svg.j2"
    assert found.place.span is not None
    assert found.place.span.line == 2
    assert found.help


@pytest.mark.parametrize(
    "body",
    [
        LABEL.format("#666666"),
        '<text x="10" y="30" style="body" size="16pt" fill="#888888">Points</text>',
        # A thin line behind a text does no harm.
        f'<path d="M0 12L63 30" stroke="#333333" stroke-width="0.2"/>{LABEL.format("#222222")}',
        # Nor does the hatching of a tab.
        f'<path d="{"".join(f"M{x} 14l12 12" for x in range(0, 27, 3))}" stroke="#e0e0e0"/>{LABEL.format("#000000")}',
        # Nor does a slanted stripe that ends behind the plate of a text.
        '<path d="M0 12L63 26" stroke="#333333" stroke-width="0.4"/>'
        '<rect x="8" y="14" width="18" height="9" fill="#ffffff"/>' + LABEL.format("#000000"),
        # A frame that is painted later, beside the text, hides nothing.
        f'{LABEL.format("#000000")}<rect x="5" y="10" width="50" height="30" fill="none" stroke="#000000"/>',
        f'{LABEL.format("#000000")}<cg:fold x1="0" y1="25" x2="63" y2="25"/>',
        f'{LABEL.format("#000000")}<text x="10" y="24" style="body" size="9pt" fill="#000000">More</text>',
    ],
)
def test_what_can_be_read_is_not_blamed(folder: Folder, body: str) -> None:
    assert flaws(folder, body) == []


def test_of_thousands_of_texts_so_many_pairs_are_compared(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, shared = list[Box | None](), arrangement._shared

    def spy(one: Box | None, other: Box | None) -> float:
        compared.append(one)
        return shared(one, other)

    monkeypatch.setattr(arrangement, "_shared", spy)
    monkeypatch.setattr(arrangement, "MOST_PAIRS", 500)
    monkeypatch.setattr(arrangement, "_MOST_ROWS", 0)
    labels = (f'<text x="{10 + 5 * (at % 8)}" y="{10 + 5 * (at // 8)}" style="body">i</text>' for at in range(60))
    assert [each for each in flaws(folder, "".join(labels)) if each.code == "CG563"] == []
    assert len(compared) == 500
    over = [each for each in flaws(folder, LABEL.format("#000000") * 2) if each.code == "CG563"]
    assert len(over) == 1


def test_a_flaw_of_all_cards_is_one_finding_and_the_back_is_looked_at(folder: Folder) -> None:
    folder.write("cards/coal.yaml", RELIC.replace("Ash", "Coal"))
    (found,) = flaws(folder, "", back=LABEL.format("#bbbbbb"))
    assert found.place.file == "templates/warniris/relic.back.svg.j2"


def test_pictures_show_the_spots_of_what_is_found(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what the findings are about is drawn, also text that does not fit, and nothing of a finding left out."""
    long = '<cg:text x="9" y="50" width="30" height="9" style="body" field="text">{{ card.text * 40 }}</cg:text>'
    write(folder, f"{LABEL.format('#999999')}{long}")
    assert run(["check", "--pictures", "seen", "--format", "json"]) == 1
    assert "1 picture in seen" in capsys.readouterr().err
    (file,) = (folder.root / "seen").iterdir()
    assert file.name == "warniris-relic-ash-front.png"
    with Image.open(file) as image:
        red = [at for at in product(range(image.width), range(image.height)) if image.getpixel(at) == (227, 0, 27)]
    tops = {y * MM_PER_INCH / 150 for _, y in red}
    assert any(abs(top - 49.5) < 0.3 for top in tops), "the frame around the long text"
    assert any(16 < top < 18 for top in tops), "the frame around the label"
    run(["check", "--pictures", "other", "--select", "CG562"])
    # What does not fit is always an error.
    assert "1 picture in other" in capsys.readouterr().err


def test_a_pale_color_of_a_theme_is_found_once_where_the_theme_sets_it(folder: Folder) -> None:
    folder.write("templates/warniris/theme.yaml", "colours:\n  line: '#777777'\n  ink: '#d8c9a0'\n")
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/ash.yaml", RELIC)
    folder.write("cards/coal.yaml", RELIC.replace("Ash", "Coal"))
    (found,) = [
        each.diagnostic for each in check_project(CheckRequest(fit=True)).findings if each.diagnostic.code == "CG560"
    ]
    assert str(found.place) == "templates/warniris/theme.yaml:3:8"
    assert found.message.startswith("the color 'ink' is printed with a contrast of 1.")


THEME = "templates/warniris/theme.yaml"


@pytest.mark.parametrize(
    ("theme", "place", "message"),
    [
        (
            "colours:\n  light: '#ffffff'\n  plaque: '#F1E2C8'\n",
            f"{THEME}:3:11",
            "the color 'plaque' is behind text with a contrast of ",
        ),
        ("colours: {plaque: '#8a3324', light: '#8a4434'}\n", f"{THEME}:1:37", "the color 'light' is printed "),
        # Neither of them is the program's, and nobody knows which one is meant.
        (
            "colours: {pale: '#eeeeee', plaque: '#8a3324'}\n",
            "templates/warniris/relic.svg.j2:3:57",
            "the label 'Points' ",
        ),
    ],
)
def test_a_color_of_a_theme_that_makes_texts_faint_is_found_once_also_behind_them(
    folder: Folder, theme: str, place: str, message: str
) -> None:
    fill = "pale" if "pale" in theme else "light"
    ground = "" if "pale" in theme else '<rect x="0" y="0" width="63" height="40" fill="{{ theme.colours.plaque }}"/>'
    write(folder, f"{ground}\n{LABEL.format(fill)}")
    folder.write(THEME, theme)
    folder.write("cards/coal.yaml", RELIC.replace("Ash", "Coal"))
    (found,) = [
        each.diagnostic for each in check_project(CheckRequest(fit=True)).findings if each.check.code == "CG560"
    ]
    assert str(found.place) == place
    assert found.message.startswith(message)


@pytest.mark.parametrize("theme", ["", "theme: low-ink\n"])
def test_a_color_that_a_theme_of_the_program_replaces_is_not_blamed(folder: Folder, theme: str) -> None:
    folder.write(THEME, "colours: {plaque: '#f1e2c8'}\n")
    folder.write("cardgen.yaml", f"game: warniris\n{theme}")
    folder.write("cards/ash.yaml", RELIC)
    found = [each.diagnostic.place.file for each in check_project(CheckRequest(fit=True)).findings]
    assert found == ([] if theme else [THEME])


def test_looks_that_follow_from_an_error_are_not_found_beside_it(folder: Folder) -> None:
    label = LABEL.format("{{ '#999999' if card.motto else '#000000' }}")
    write(folder, label)
    folder.write("cards/ash.yaml", f"{RELIC}motto: Oh.\nicno: x\n")
    codes = {each.diagnostic.code for each in check_project(CheckRequest(fit=True)).findings}
    assert not any(code.startswith("CG56") for code in codes)


DARK = '<rect x="-3" y="-3" width="70" height="94" fill="{}"/>'
SMALL_AND_BLACK = '<rect x="4" y="4" width="20" height="10" fill="#000000"/>'


def inked(folder: Folder, ground: str, theme: str = "low-ink", more: str = "") -> list[Diagnostic]:
    write(folder, f"{SMALL_AND_BLACK}\n{ground}\n{more}")
    folder.write("cardgen.yaml", f"game: warniris\ntheme: {theme}\n")
    folder.write("cards/coal.yaml", RELIC.replace("Ash", "Coal"))
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    return [each for each in found if each.code == "CG570"]


def test_the_element_that_takes_most_ink_is_found_once_in_a_theme_that_saves_it(folder: Folder) -> None:
    (found,) = inked(folder, DARK.format("#334455"))
    assert (found.place.file, found.place.span and found.place.span.line) == ("templates/warniris/relic.svg.j2", 3)
    assert found.message == (
        "the front takes 73% ink, more than the 25% of its theme ('max_ink'); most of it, 65%, is in <rect>"
    )
    assert found.help
    assert run(["check", "--pictures", "seen", "--select", "CG570"]) in (0, 1)
    assert {file.name for file in (folder.root / "seen").iterdir()} == {"warniris-relic-ash-front.png"}
    assert inked(folder, DARK.format("#334455"), "default") == []
    assert inked(folder, DARK.format("#d0d0d0")) == []


def test_a_dark_color_of_an_own_theme_and_no_picture_takes_too_much_ink(folder: Folder) -> None:
    Image.new("RGB", (60, 60), "#000000").save(folder.root / "night.png")
    picture = '<cg:art x="0" y="0" width="42" height="63" file="night.png"/>'
    folder.write("templates/warniris/theme.thrifty.yaml", "colours: {night: '#101010'}\nmax_ink: 0.5\n")
    (found,) = inked(folder, DARK.format("{{ theme.colours.night }}"), "thrifty")
    assert found.message.startswith("the front takes 9")
    assert inked(folder, "", "thrifty", picture) == []
    (folder.root / "templates/warniris/relic.svg.j2").unlink()
    (folder.root / "templates/warniris/relic.back.svg.j2").unlink()
    folder.write("templates/warniris/theme.thrifty.yaml", "colours: {back: '#000000'}\nmax_ink: 0.6\n")
    backs = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    (at_colour,) = [each for each in backs if each.code == "CG570"]
    assert str(at_colour.place) == "templates/warniris/theme.thrifty.yaml:1:17"


@pytest.mark.parametrize("language", ["de", "es", "fr", "ja", "pl"])
def test_labels_of_built_in_templates_fit_in_each_language(folder: Folder, language: str) -> None:
    folder.write("cardgen.yaml", f"game: warniris\nlanguage: {language}\n")
    folder.write(
        "cards/own.yaml",
        """format: 1
cards:
  - {kind: minion, name: Oaf, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}, weapons: [{Axe: CW R1 P2 D1}]}
  - kind: relic
    name: Module
    motto: The air itself argues.
    once: true
    effects:
      - {when: activation_start, for: turn, while: attacked, attacker: {mind: -1, spirit: -1}}
""",
    )
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True, select=("CG501", "CG56"))).findings]
    assert [(each.code, each.message) for each in found if each.code != "CG568"] == []
