"""What people with a color-vision deficiency cannot tell apart is found, and how they see colors is as published."""

from __future__ import annotations

import pytest
from PIL import Image, ImageColor

from cardgen.checking.check import Vision
from cardgen.cli import run
from cardgen.diagnostic import Diagnostic, Severity
from cardgen.project_checks.colour_vision import confusion, difference, simulated
from cardgen.project_checks.run import CheckRequest, check_project
from tests.cases import each_case
from tests.projects import Folder

VISIONS: tuple[Vision, ...] = ("protanopia", "deuteranopia", "tritanopia")
# By ColorAide 8.13: two colors, how they differ in Oklab, and how each is seen with the three deficiencies, by its
# filters of the method of Machado, and how these differ.
PUBLISHED = {
    ("#cc0000", "#008800"): (0.337, "#564a00 #8b7a00 0.171", "#827200 #7f711a 0.012", "#e20009 #008473 0.326"),
    ("#24466b", "#7a2a1c"): (0.179, "#36486d #403a1a 0.128", "#2c416a #544b19 0.147", "#004f53 #871627 0.213"),
    ("#1f77b4", "#9467bd"): (0.142, "#5a79b7 #5279c0 0.017", "#456cb3 #5d7bbb 0.054", "#00868d #8e7589 0.131"),
    ("#c0a000", "#80c000"): (0.116, "#b39d00 #cab100 0.066", "#bba718 #c1ac27 0.019", "#d19288 #84b7a3 0.133"),
    ("#ff7f0e", "#2ca02c"): (0.286, "#a59100 #a39119 0.007", "#c4ae05 #968838 0.135", "#ff616d #009b89 0.311"),
    ("#0072b2", "#d55e00"): (0.312, "#5375b5 #817100 0.219", "#3b67b1 #9e8c00 0.282", "#008289 #eb4050 0.309"),
    ("#ffcc00", "#ffffff"): (0.222, "#e6ca00 #ffffff 0.239", "#f2d820 #ffffff 0.216", "#ffb9ae #ffffff 0.174"),
}


@each_case("pair", PUBLISHED)
def test_colors_are_seen_as_another_program_says(pair: tuple[str, str]) -> None:
    apart, *seen = PUBLISHED[pair]
    assert difference(*pair) == pytest.approx(apart, abs=0.0006)
    for vision, words in zip(VISIONS, seen, strict=True):
        *colours, figure = words.split()
        assert difference(*pair, vision) == pytest.approx(
            float(figure), abs=0.0025
        )  # its figure is not of rounded colors
        for colour, expected in zip(pair, colours, strict=True):
            pixel = simulated(Image.new("RGB", (1, 1), colour), vision).getpixel((0, 0))
            assert isinstance(pixel, tuple)
            # The table of a picture has steps of eight levels, between which dark channels are not straight.
            assert all(abs(a - b) <= 8 for a, b in zip(pixel, ImageColor.getrgb(expected), strict=True)), (
                colour,
                pixel,
            )


@each_case("level", range(0, 256, 15))
def test_gray_is_gray_for_everybody(level: int) -> None:
    gray = f"#{level:02x}{level:02x}{level:02x}"
    for vision in VISIONS:
        pixel = simulated(Image.new("RGB", (1, 1), gray), vision).getpixel((0, 0))
        assert isinstance(pixel, tuple)
        assert all(abs(channel - level) <= 1 for channel in pixel)


def test_of_several_colors_one_that_is_seen_is_enough() -> None:
    found = confusion([("#cc0000", "#008800")])
    assert found
    assert (found.vision, found.colours) == ("deuteranopia", ("#cc0000", "#008800"))
    assert confusion([("#cc0000", "#008800"), ("#000000", "#ffffff")]) is None
    assert confusion([("#cc0000", "#cc0300")]) is None, "nobody sees that"
    assert confusion([]) is None


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="https://cardgen.dev/svg">\n{}\n</svg>'
SETTINGS = "game: warniris\nkinds:\n  relic:\n    fields:\n      side: {type: choice, choices: [order, chaos, none]}\n"
NAME = '<text x="6" y="30" style="body" size="9pt" fill="#000000" field="name">{{ card.name }}</text>'
RED, GREEN, BLUE = 'fill="#cc0000"', 'fill="#008800"', 'fill="#0072b2"'


def banner(one: str, other: str, is_one: str = "card.side == 'order'") -> str:
    paint = f"{{% if {is_one} %}}{one}{{% else %}}{other}{{% endif %}}"
    return f'<rect x="4" y="4" width="30" height="8" {paint}/>{NAME}'


def found_in(folder: Folder, body: str, theme: str = "") -> list[Diagnostic]:
    folder.write("cardgen.yaml", SETTINGS)
    folder.write("templates/warniris/relic.svg.j2", SVG.format(body))
    folder.write("templates/warniris/relic.back.svg.j2", SVG.format('<rect width="1" height="1" fill="#000000"/>'))
    for name, side in (("Ash", "order"), ("Coal", "chaos")):
        folder.write(f"cards/{name}.yaml", f"kind: relic\nname: {name}\nside: {side}\ntext: A text.\n")
    if theme:
        folder.write("templates/warniris/theme.yaml", theme)
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    assert [each for each in found if each.severity is Severity.ERROR] == []
    return [each for each in found if each.code == "CG569"]


def test_values_that_differ_in_confusable_colors_alone_are_found_in_the_template(folder: Folder) -> None:
    (found,) = found_in(folder, banner(RED, GREEN))
    assert found.severity is Severity.NOTE
    assert found.message == (
        "'side' shows in colors alone: #cc0000 for 'order' and #008800 for 'chaos', which look alike to people with "
        "deuteranopia (they differ by 0.01, less than 0.06)"
    )
    assert found.help
    assert str(found.place).startswith("templates/warniris/relic.svg.j2:2:")


@pytest.mark.parametrize(
    "body",
    [
        banner(RED, BLUE),
        # A word, another form, and another place tell them apart, too.
        banner(RED, GREEN) + '<text x="6" y="40" style="body" size="9pt">{{ card.side }}</text>',
        banner(RED, f'{GREEN} rx="2"'),
        banner(RED, f'{GREEN} transform="translate(1 0)"'),
        # Each card has its own color for its name, which is printed.
        banner(RED, GREEN, "card.name == 'Ash'"),
    ],
)
def test_values_that_everybody_can_tell_apart_are_not_found(folder: Folder, body: str) -> None:
    assert found_in(folder, body) == []


@pytest.mark.parametrize(
    ("one", "other"), [('fill="red"', 'fill="#a08000"'), ('style="fill:#cc0000"', 'style="fill:green"')]
)
def test_colors_are_compared_however_they_are_written(folder: Folder, one: str, other: str) -> None:
    assert len(found_in(folder, banner(one, other))) == 1


def test_confusable_colors_of_an_own_theme_are_found_there(folder: Folder) -> None:
    banner = '<rect x="4" y="4" width="30" height="8" fill="{{ theme.colours[card.side] }}"/>'
    theme = "colours:\n  order: '#CC0000'\n  chaos: '#008800'\n"
    (found,) = found_in(folder, banner + NAME, theme)
    assert str(found.place) == "templates/warniris/theme.yaml:2:10"


SIGNS = "".join(
    f'<text x="{x}" y="40" style="body" size="12pt" fill="{colour}">%s</text>'
    for x, colour in ((6, "#cc0000"), (16, "#008800"))
)


@pytest.mark.parametrize("sign", ["●", "{star}"])
def test_a_sign_in_two_confusable_colors_is_found(folder: Folder, sign: str) -> None:
    (found,) = found_in(folder, NAME + SIGNS % (sign, sign))
    assert found.message.startswith(
        f"the label '{sign}' has {sign} in #cc0000 and in #008800, which look alike to people with deuteranopia"
    )
    assert found_in(folder, NAME + (SIGNS % (sign, sign)).replace("#008800", "#0072b2")) == []
    assert found_in(folder, NAME + SIGNS % (sign, "■")) == []


def test_a_number_that_shows_in_confusable_colors_alone_is_found(folder: Folder) -> None:
    settings = SETTINGS.replace("{type: choice, choices: [order, chaos, none]}", "{type: integer}")
    folder.write("cardgen.yaml", settings)
    folder.write("templates/warniris/relic.svg.j2", SVG.format(banner(RED, GREEN, "card.side > 2")))
    for name, side in (("Ash", 1), ("Coal", 3)):
        folder.write(f"cards/{name}.yaml", f"kind: relic\nname: {name}\nside: {side}\ntext: A text.\n")
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    (alike,) = [each for each in found if each.code == "CG569"]
    assert alike.message.startswith("'side' shows in colors alone: #008800 for '1' and #cc0000 for '3'")


def test_names_that_share_a_color_say_something_in_colors_alone(folder: Folder) -> None:
    folder.write("cards/Elm.yaml", "kind: relic\nname: Elm\nside: chaos\ntext: A text.\n")
    by_name = "{{ {'Ash': '#cc0000'}.get(card.name, '%s') }}"
    body = f'<rect x="4" y="4" width="30" height="8" fill="{by_name}"/>{NAME}'
    (found,) = found_in(folder, body % "#008800")
    assert found.message.startswith("'name' shows in colors alone: #cc0000 for 'Ash' and #008800 for 'Coal'")
    assert found_in(folder, body % "#0072b2") == []
    assert found_in(folder, (body % "#008800") + "{% if card.name == 'Ash' %}<path d='M6 40h4v4z'/>{% endif %}") == []


def test_lists_that_show_in_confusable_colors_alone_are_found(folder: Folder) -> None:
    settings = SETTINGS.replace("{type: choice, choices: [order, chaos, none]}", "{type: list, items: {type: text}}")
    folder.write("cardgen.yaml", settings)
    folder.write("templates/warniris/relic.svg.j2", SVG.format(banner(RED, GREEN, "'order' in card.side")))
    for name, side in (("Ash", "[order, law]"), ("Coal", "[]")):
        folder.write(f"cards/{name}.yaml", f"kind: relic\nname: {name}\nside: {side}\ntext: A text.\n")
    found = [each.diagnostic for each in check_project(CheckRequest(fit=True)).findings]
    (alike,) = [each for each in found if each.code == "CG569"]
    assert alike.message.startswith("'side' shows in colors alone: #cc0000 for 'order, law' and #008800 for 'none'")


@pytest.mark.parametrize(
    "shape", ['<circle cx="{}" cy="40" r="2" {}/>', '<rect x="{}" y="40" width="3" height="3" {}/>']
)
def test_pips_in_two_confusable_colors_are_found(folder: Folder, shape: str) -> None:
    pips = "".join(shape.format(6 + 6 * at, RED if at < 2 else GREEN) for at in range(4))
    (found,) = found_in(folder, NAME + pips)
    assert found.message.startswith("a shape has shapes like it in #cc0000 and in #008800, which look alike to people")
    assert found.place.file == "templates/warniris/relic.svg.j2"
    assert found_in(folder, NAME + pips.replace("#008800", "#0072b2")) == []


def test_a_picture_shows_what_these_people_see(folder: Folder) -> None:
    found_in(folder, banner(RED, GREEN))
    assert run(["check", "--pictures", "seen", "--select", "CG569"]) in (0, 1)
    (file,) = (folder.root / "seen").iterdir()
    assert file.name == "warniris-relic-ash-front-deuteranopia.png"
    with Image.open(file) as image:
        middle = round(8 * 150 / 25.4)
        left, right = (image.getpixel((x, middle)) for x in (middle, (image.width + 8) // 2 + middle))
    assert left == (204, 0, 0)
    assert isinstance(right, tuple)
    assert all(abs(a - b) <= 5 for a, b in zip(right, (130, 114, 0), strict=True))
