"""Lists of a game file: members, copies, limits, and packs."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from cardgen.builds.builder import Builder
from cardgen.deck.deck import card_schema, load_deck
from cardgen.diagnostic import CardgenError
from cardgen.print.documents import pack_contents
from cardgen.print.request import BuildRequest
from tests.game_file.games import BRAVE, HEADER, findings, game_of, write_game

BANDS = """
lists:
  band:
    members: {kind: brave, min: 2, max: 4}
    limits: {heat: {min: 4, max: 15}}
    print: roster
"""
CARDS = """\
game: ember
kind: brave
cards:
  - {name: Ash, heat: 4}
  - {name: Cinder, heat: 6}
"""


def band(members: str) -> str:
    return f"game: ember\nkind: band\nname: The Hearth\nmembers: {members}\n"


def write(root: Path, members: str, text: str = BANDS) -> Path:
    return write_game(root, HEADER + BRAVE + text, braves=CARDS, band=band(members))


@pytest.mark.parametrize("members", ["[Ash, cinder]", "[{Ash: 2}, Cinder]", "[{card: Ash, qty: 2}]"])
def test_members_are_names_or_ids_with_copies(tmp_path: Path, members: str) -> None:
    assert findings(write(tmp_path, members)) == []


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ("[Ash]", "cards/band.yaml:4:10 EM100 must have between 2 and 4 members, not 1"),
        ("[{Ash: 3}, {Cinder: 2}]", "cards/band.yaml:4:21 EM100 must have between 2 and 4 members, not 5"),
        ("[Ash, Cindre]", "cards/band.yaml:4:16 CG107 unknown brave 'Cindre'; did you mean 'Cinder'?"),
        ("[{Ash: 2, relic: Sun}, Cinder]", "cards/band.yaml:4:20 CG101 unknown key 'relic'"),
        ("[{Ash: two}]", "cards/band.yaml:4:11 CG102 must be a whole number, not text"),
        (
            "[{Cinder: 2}, Ash]",
            "cards/band.yaml:4:10 EM190 the heat of the members must add up to between 4 and 15, not 16",
        ),
    ],
)
def test_a_wrong_list_is_located(tmp_path: Path, members: str, found: str) -> None:
    (first,) = findings(write(tmp_path, members))
    code = found.split()[1]
    assert first.split()[0] == found.split()[0]
    assert code in first or code.startswith("CG1")
    assert first.split(maxsplit=2)[2] == found.split(maxsplit=2)[2] or code == "CG102"


def test_a_limit_may_have_a_code_of_its_own(tmp_path: Path) -> None:
    text = BANDS.replace("max: 15}", "max: 9, code: EM120}")
    (found,) = findings(write(tmp_path, "[Ash, Cinder]", text))
    assert "EM120 the heat of the members must add up to between 4 and 9, not 10" in found


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("kind: brave, min", "unknown kind 'brav'; did you mean 'brave'?"),
        ("limits: {heat", "a brave has no number 'haet'; did you mean 'heat'?"),
        ("limits: {heat: {min: 4", "'min' is 40, but 'max' is only 15"),
        ("min: 2", "'min' is 20, but 'max' is only 4"),
    ],
)
def test_a_mistake_in_a_list_is_located(tmp_path: Path, wrong: str, message: str) -> None:
    swaps = {"kind: brave, min": "kind: brav, min", "limits: {heat": "limits: {haet"}
    text = BANDS.replace(wrong, swaps.get(wrong, f"{wrong}0"))
    write(tmp_path, "[Ash, Cinder]", text)
    with pytest.raises(CardgenError) as error:
        game_of(tmp_path)
    (only,) = error.value.diagnostics
    assert only.message == message
    assert only.place.span
    assert only.place.file.endswith("game.yaml")


def test_a_list_without_print_is_not_printed(tmp_path: Path) -> None:
    rules = game_of(write(tmp_path, "[Ash, Cinder]", BANDS.replace("    print: roster\n", "")))
    assert not rules.kinds["band"].is_printed
    assert game_of(write(tmp_path / "other", "[Ash, Cinder]")).kinds["band"].is_printed


def test_a_list_may_have_keys_of_its_own(tmp_path: Path) -> None:
    text = BANDS + "    fields: {hearth: {type: text, optional: true}}\n"
    write(tmp_path, "[Ash, Cinder]\nhearth: Oak", text)
    _, deck = load_deck((), (), tmp_path)
    (card,) = (entry.card for entry in deck.cards if entry.kind == "band")
    assert getattr(card, "hearth", None) == "Oak"


def test_the_schema_allows_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, "[Ash, Cinder]"))
    schema = card_schema("ember")
    member = schema["$defs"]["BandMember"]
    assert [form.get("type") for form in member["anyOf"]] == ["string", "object", "object"]
    assert member["anyOf"][2]["additionalProperties"]["maximum"] == 500


def test_a_pack_has_the_members_and_their_pieces(tmp_path: Path) -> None:
    text = BANDS + "pieces: {figure: {piece: standee, from: brave}, spark: {piece: token, from: brave}}\n"
    write(tmp_path, "[{Ash: 2}, Cinder]", text.replace("max: 15", "max: 20"))
    built = Builder(BuildRequest(folder=tmp_path, warband="The Hearth", output=tmp_path / "out")).build()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "the-hearth-cards-a4.pdf", "the-hearth-proxies-a4.pdf", "the-hearth-roster-a4.pdf",
    }  # fmt: skip
    assert built


def test_a_pack_has_all_copies_and_the_cards_that_the_list_names(tmp_path: Path) -> None:
    chief_kind = "kinds:\n  chief: {fields: {rank: {type: integer, default: 1}}}"
    braves = BRAVE.replace("kinds:", chief_kind)
    text = BANDS.replace("print: roster", "print: roster\n    fields: {leader: {type: card, kind: chief}}")
    text += "pieces: {figure: {piece: standee, from: [brave, chief]}}\n"
    cards = "game: ember\nkind: brave\ncards: [{name: Ash, heat: 1}, {name: Cinder, heat: 2}]\n"
    chief = "game: ember\nkind: chief\nname: Oak\n"
    root = write_game(
        tmp_path, HEADER + braves + text, braves=cards, chief=chief, band=band("[{Ash: 2}, Cinder]\nleader: Oak")
    )
    _, deck = load_deck((), (), root)
    (entry,) = (entry for entry in deck.cards if entry.kind == "band")
    pack = game_of(root).pack
    assert pack
    contents = {(each.kind, each.card.id): each.card.qty for each in pack_contents(entry, pack, deck, ())}
    assert contents == {
        ("band", "the-hearth"): 1,
        ("brave", "ash"): 2,
        ("brave", "cinder"): 1,
        ("chief", "oak"): 1,
        ("figure", "ash"): 2,
        ("figure", "cinder"): 1,
        ("figure", "oak"): 1,
    }
    assert set(pack.documents["cards"]) == {"brave", "chief"}


def test_members_of_a_pack_can_name_cards_themselves(tmp_path: Path) -> None:
    braves = BRAVE.replace("fields:", "fields:\n      rival: {type: card, kind: brave, optional: true}", 1)
    braves = braves.replace("rival:", "friends: {type: list, items: {type: card, kind: brave}}\n      rival:")
    text = BANDS.replace("print: roster", "print: roster\n    fields: {leader: {type: card, kind: brave}}")
    cards = (
        "kind: brave\ncards: [{name: Ash, heat: 3, rival: Cinder, friends: [cinder, Ash]}, {name: Cinder, heat: 2}]\n"
    )
    root = write_game(tmp_path, HEADER + braves + text, braves=cards, band=band("[Ash, Cinder]\nleader: cinder"))
    (root / "games" / "ember" / "templates" / "brave.svg.j2").unlink()
    request = BuildRequest(folder=root, warband="The Hearth", output=root / "out", formats=("svg",))
    result = Builder(request).build()
    faces = {path.name: path.read_text(encoding="utf-8") for path in map(Path, result.files)}
    assert any("Leader" in text for name, text in faces.items() if "the-hearth" in name), list(faces)


def test_the_cards_of_a_pack_have_the_backs_of_rules(tmp_path: Path) -> None:
    colors = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255)}
    root = write(tmp_path, "[Ash, Cinder, Oak]")
    cards = "cards: [{name: Ash, heat: 1, tags: [cold]}, {name: Cinder, heat: 2}, {name: Oak, heat: 3}]"
    (root / "cards" / "braves.yaml").write_text(f"kind: brave\n{cards}\n", encoding="utf-8")
    rules = "[{tag: cold, back: red.svg}, {where: {heat: 2}, back: lime.svg}, {kind: brave, back: blue.svg}]"
    (root / "cardgen.yaml").write_text(f"game: ember\nback: {rules}\n", encoding="utf-8")
    for color in colors:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z" fill="{color}"/></svg>'
        (root / f"{color}.svg").write_text(svg, encoding="utf-8")
    Builder(BuildRequest(folder=root, warband="The Hearth", output=root / "out")).build()
    with pdfium.PdfDocument(root / "out" / "the-hearth-cards-a4.pdf") as document:
        page = document[1].render(scale=0.3).to_pil().convert("RGB")
    assert set(colors.values()) <= {color for _, color in page.getcolors(2**20)}


def test_an_unknown_list_is_named_after_its_kind(tmp_path: Path) -> None:
    write(tmp_path, "[Ash, Cinder]")
    with pytest.raises(CardgenError, match=r"unknown band 'The Heart'; did you mean 'The Hearth'\?"):
        Builder(BuildRequest(folder=tmp_path, warband="The Heart")).build()


@pytest.mark.parametrize("number", [1, 7, 12, 15])
def test_a_roster_of_up_to_15_different_members_fits(tmp_path: Path, number: int) -> None:
    text = BANDS.replace("min: 2, max: 4", "min: 1, max: 60").replace("max: 15", "max: 500").replace("min: 4,", "")
    names = [f"Brave of the Hearth {one}" for one in range(number)]
    cards = "game: ember\nkind: brave\ncards:\n" + "".join(f"  - {{name: {name}, heat: 6}}\n" for name in names)
    root = write_game(tmp_path, HEADER + BRAVE + text, braves=cards, band=band(f"[{', '.join(names)}]"))
    Builder(BuildRequest(folder=root, only=("band",), output=root / "out")).build()
    assert (root / "out" / "ember-band-a4.pdf").is_file()
