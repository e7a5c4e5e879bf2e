"""Pictures and templates as backs: by card, by rules of the settings, and on sheets."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.request import BuildRequest
from cardgen.project_checks.run import CheckRequest, check_project
from tests.projects import MINION, STATS, Folder, pages_of

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88"><rect width="63" height="88" fill="{}"/></svg>'
RED, LIME, BLUE, BACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (0x33, 0x44, 0x55)


@pytest.fixture
def studio(folder: Folder) -> Folder:
    """A project with three pictures."""
    folder.plain()
    for name in ("red", "lime"):
        folder.write(f"art/{name}.svg", SVG.format(name))
    Image.new("RGB", (63, 88), "blue").save(folder.root / "art/blue.webp", lossless=True)
    return folder


def back_colour(folder: Folder, name: str) -> object:
    """The color in the middle of a back."""
    image = Image.open(io.BytesIO(folder.output(f"warniris-minion/{name}-back.png"))).convert("RGB")
    return image.getpixel((image.width // 2, image.height // 2))


def cards(folder: Folder, *lines: str) -> None:
    rows = "".join(f"- {{stats: {STATS}, {line}}}\n" for line in lines)
    folder.write("cards/a.yaml", f"kind: minion\ncards:\n{rows}")


def build_pictures(folder: Folder) -> None:
    build(BuildRequest(formats=("png",), dpi=72, cache=False))


@pytest.mark.parametrize(("back", "colour"), [("art/red.svg", RED), ("art/blue.webp", BLUE), ("minion", BACK)])
def test_a_card_names_its_back(studio: Folder, back: str, colour: object) -> None:
    studio.write("cards/a.yaml", f"{MINION}back: {back}\n")
    build_pictures(studio)
    assert back_colour(studio, "001-sentinel") == colour


def test_rules_choose_by_kind_tag_and_key(studio: Folder) -> None:
    studio.write(
        "cardgen.yaml",
        "back:\n- {tag: cursed, back: art/red.svg}\n- {where: {credit: Ann, qty: 2}, back: art/lime.svg}\n"
        "- {kind: relic, back: art/nowhere.png}\n- {kind: minion, back: art/blue.webp}\n",
    )
    cards(studio, "name: A, tags: [cursed]", "name: B, credit: Ann, qty: 2", "name: C", "name: D, back: minion")
    build_pictures(studio)
    assert [back_colour(studio, name) for name in ("001-a", "002-b", "003-c", "004-d")] == [RED, LIME, BLUE, BACK]


@pytest.mark.parametrize("setting", ["art/red.svg", "{minion: art/red.svg}", "{back: art/red.svg}"])
def test_short_forms_of_rules(studio: Folder, setting: str) -> None:
    studio.write("cardgen.yaml", f"back: {setting}\n")
    studio.write("cards/a.yaml", MINION)
    build_pictures(studio)
    assert back_colour(studio, "001-sentinel") == RED


@pytest.mark.parametrize(
    ("setting", "has_back"),
    [
        ("art/red.svg", False),
        ("[{tag: cursed, back: art/red.svg}]", False),
        ("{token: art/red.svg}", True),
        ("[{kind: box, back: art/blue.webp}, {back: art/red.svg}]", False),
    ],
)
def test_only_a_rule_for_their_kind_gives_pieces_a_back(studio: Folder, setting: str, has_back: bool) -> None:
    """The picture of a deck has no business on its tuck box, its tokens, and paper figures."""
    studio.write("cardgen.yaml", f"back: {setting}\n")
    template = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="#123"/></svg>'
    for kind in ("token", "token.back", "box", "dial"):
        studio.write(f"templates/warniris/{kind}.svg.j2", template)
    pieces = "{kind: token, name: Mark, tags: [cursed]}", "{kind: box, name: Deck, holds: 30, tags: [cursed]}"
    studio.write(
        "cards/b.yaml", "cards:\n" + "".join(f"- {each}\n" for each in pieces) + "- {kind: dial, name: D, most: 9}\n"
    )
    build_pictures(studio)
    token = Image.open(io.BytesIO(studio.output("warniris-token/001-mark-back.png"))).convert("RGB")
    assert (token.getpixel((token.width // 2, token.height // 2)) == RED) is has_back
    assert ("warniris-box/001-deck-back.png" in studio.files()) is ("box" in setting)
    assert "warniris-dial/001-d-back.png" not in studio.files()


def test_the_back_of_an_own_template_comes_before_rules(studio: Folder) -> None:
    front = (studio.root / "templates/warniris/minion.svg.j2").read_text(encoding="utf-8")
    studio.write("templates/warniris/gold.svg.j2", front)
    studio.write("templates/warniris/gold.back.svg.j2", SVG.format("lime").replace(' viewBox="0 0 63 88"', ""))
    studio.write("cardgen.yaml", "back: art/red.svg\n")
    studio.write("cards/a.yaml", f"{MINION}template: gold\n")
    build_pictures(studio)
    assert back_colour(studio, "001-sentinel") == LIME


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("back: art/nowhere.png", r"cardgen\.yaml:1:7: .*file 'art/nowhere\.png' not found"),
        ("back: ../x.png", r"cardgen\.yaml:1:7: .*points outside the project"),
        ("back: nowhere", r"cardgen\.yaml:1:7: .*unknown template"),
        ("back:\n  relic: art/red.svg\n  minion: nowhere", r"cardgen\.yaml:3:11: .*unknown template"),
        ("back:\n  minion: art/red.svg\n  rleic: art/red.svg", r"cardgen\.yaml:3:3: .*unknown kind 'rleic'"),
        ("back:\n  kind: minion\n  back: art/nowhere.png", r"cardgen\.yaml:3:9: .*file 'art/nowhere\.png' not found"),
        ("back: [{kind: minoin, back: art/red.svg}]", r"cardgen\.yaml:1:15: .*unknown kind 'minoin'"),
        ("back: [{where: {sacle: 1}, back: art/red.svg}]", r"cardgen\.yaml:1:17: .*unknown key 'sacle' of any kind"),
        ("back: [{kind: minion, where: {effects: 1}, back: art/red.svg}]", "unknown key 'effects' of a minion"),
        ("kinds: {minion: {fields: {sort: {type: choice, choices: [tea, spice], default: tea}}}}\n"
         "back: [{where: {sort: tee}, back: art/red.svg}]",
         r"cardgen\.yaml:2:23: .*must be tea or spice, not 'tee'"),
        ("back: [{kind: minion}]", r"cardgen\.yaml:1:8: .*'back'"),
        ("back: 5", r"cardgen\.yaml:1:7: "),
        ("corners: {minoin: 3mm}", r"cardgen\.yaml:1:19: .*unknown kind 'minoin'"),
        ("corners: round", r"cardgen\.yaml:1:10: .*length"),
        ("art: automatic", r"cardgen\.yaml:1:6: .*'automatic'"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used(studio: Folder, setting: str, message: str) -> None:
    studio.write("cardgen.yaml", f"{setting}\n")
    studio.write("cards/a.yaml", MINION)
    with pytest.raises(CardgenError, match=message):
        build_pictures(studio)


@pytest.mark.parametrize("fit", [False, True])
def test_the_missing_picture_of_a_rule_is_reported_once(studio: Folder, fit: bool) -> None:
    studio.write("cardgen.yaml", "back: [{kind: minion, back: art/rde.svg}, {tag: x, back: art/red.svg}]\n")
    studio.write("cards/a.yaml", MINION)
    studio.write("cards/b.yaml", "kind: minion\n")
    found = [each.diagnostic for each in check_project(CheckRequest(fit=fit)).findings]
    messages = [each.message for each in found if each.place.file == "cardgen.yaml"]
    assert messages == [
        "file 'art/rde.svg' not found, neither beside the card nor in the project folder; did you mean 'art/red.svg'?"
    ]


def test_rules_that_no_card_matches_are_reported(studio: Folder) -> None:
    rules = ("{tag: roial, back: art/red.svg}", "{tag: x, back: art/rde.svg}", "{tag: royal, back: art/red.svg}")
    studio.write("cardgen.yaml", f"back: [{', '.join(rules)}, {{where: {{credit: Ann}}, back: art/lime.svg}}]\n")
    studio.write("cards/a.yaml", f"{MINION}tags: [royal]\n")
    found = [
        each.diagnostic
        for each in check_project(CheckRequest()).findings
        if each.diagnostic.place.file == "cardgen.yaml"
    ]
    assert [(each.message, each.severity) for each in found] == [
        ("no card has the tag 'roial'; did you mean 'royal'?", "warning"),
        ("no card matches this rule", "warning"),
        (
            "file 'art/rde.svg' not found, neither beside the card nor in the project folder; "
            "did you mean 'art/red.svg'?",
            "error",
        ),
        ("no card matches this rule", "warning"),
    ]


def test_a_picture_is_checked(studio: Folder) -> None:
    studio.write("cards/a.yaml", f"{MINION}back: art/rde.svg\n")
    found = check_project(CheckRequest()).findings
    assert [each.diagnostic.code for each in found if each.diagnostic.code in ("CG121", "CG128")] == ["CG128"]


def test_pictures_of_backs_are_used(studio: Folder) -> None:
    studio.write("cardgen.yaml", "back: [{tag: x, back: art/red.svg}]\n")
    studio.write("cards/a.yaml", f"{MINION}back: art/lime.svg\n")
    found = check_project(CheckRequest()).findings
    unused = [each.diagnostic.place.file for each in found if each.diagnostic.code == "CG124"]
    assert unused == ["art/blue.webp"]


def test_a_rule_replaces_a_lost_back(studio: Folder) -> None:
    front = (studio.root / "templates/warniris/minion.svg.j2").read_text(encoding="utf-8")
    studio.write("templates/warniris/gold.svg.j2", front)
    studio.write("cards/a.yaml", f"{MINION}template: gold\n")
    assert "CG127" in {each.diagnostic.code for each in check_project(CheckRequest()).findings}
    studio.write("cardgen.yaml", "back: art/red.svg\n")
    assert "CG127" not in {each.diagnostic.code for each in check_project(CheckRequest()).findings}


def test_a_changed_picture_is_drawn_again(studio: Folder) -> None:
    studio.write("cards/a.yaml", f"{MINION}back: art/red.svg\n")
    request = BuildRequest(formats=("png",), dpi=72)
    build(request)
    studio.write("art/red.svg", SVG.format("lime") + "\n")
    build(request)
    assert back_colour(studio, "001-sentinel") == LIME


@pytest.mark.parametrize("backs", ["long-edge", "short-edge", "gutterfold"])
@pytest.mark.parametrize("layout", ["grid", "packed", "single"])
def test_backs_are_printed_in_every_layout(studio: Folder, backs: str, layout: str) -> None:
    studio.write("cardgen.yaml", f"backs: {backs}\nlayout: {layout}\nback: [{{tag: x, back: art/red.svg}}]\n")
    cards(studio, "name: A, tags: [x]", "name: B")
    (file,) = build(BuildRequest()).files
    assert len(pages_of(file.read_bytes())) >= (1 if backs == "gutterfold" else 2)
