"""What cards and sheets say in other languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.language import plural_form
from cardgen.print.request import BuildRequest
from cardgen.project.files import built_in_folder
from cardgen.releases.write import write_release
from cardgen.text.captions import load_captions, read_captions
from tests.cases import each_case
from tests.projects import STATS, Folder, pages_of

BUILT_IN = built_in_folder("captions")
LANGUAGES = sorted(path.stem for path in BUILT_IN.glob("*.txt"))


def test_every_language_has_all_captions_with_their_plurals() -> None:
    rows = {tag: read_captions(BUILT_IN / f"{tag}.txt") for tag in LANGUAGES}
    assert len({tuple(each) for each in rows.values()}) == 1
    plurals = {tag: len(each["<n> points"]) for tag, each in rows.items()}
    assert plurals == plurals | {"de": 2, "es": 2, "fr": 2, "ja": 1, "pl": 3}


def test_a_semicolon_of_french_ends_no_caption() -> None:
    words = "Cut in this order, always from edge to edge; lengths are millimeters from the edge that is named."
    translated = load_captions("fr", [BUILT_IN]).translate(words)
    assert translated.startswith("Coupez dans cet ordre")
    assert translated.endswith("depuis le bord indiqué.")


def test_captions_with_numbers_have_the_forms_of_their_language() -> None:
    for tag in LANGUAGES:
        most = 1 + max(plural_form(tag, number) for number in range(200))
        assert all(len(forms) in (1, most) for forms in read_captions(BUILT_IN / f"{tag}.txt").values()), tag


def test_captions_are_said_by_templates_or_sheets() -> None:
    folders = (built_in_folder("templates"), Path(build.__code__.co_filename).parents[1])
    sources = " ".join(
        path.read_text() for home in folders for path in home.rglob("*.*") if path.suffix in (".j2", ".py")
    )
    for words in read_captions(BUILT_IN / "de.txt"):
        parts = [part for part in re.split(r"<[nx]>|[^\\w’]+", words) if part]
        assert all(part in sources or part.lower() in sources for part in parts), words


@each_case(
    "tag, forms",
    [
        ("de", {1: 0, 0: 1, 1.5: 1}),
        ("fr", {0: 0, 1: 0, 1.5: 0, 2: 1}),
        ("pl", {1: 0, 2: 1, 22: 1, 5: 2, 12: 2, 0: 2}),
        ("ru", {1: 0, 21: 0, 11: 2, 3: 1, 5: 2}),
        ("cs", {1: 0, 3: 1, 5: 2, 22: 2}),
        ("ja", {1: 0, 5: 0}),
    ],
)
def test_plural_forms(tag: str, forms: dict[float, int]) -> None:
    assert {number: plural_form(tag, number) for number in forms} == forms


@each_case(
    "tag, text, translation",
    [
        ("de-AT", "Weapons", "Waffen"),
        ("de", "Minion · Base 25.5 mm", "Scherge · Ø 25,5 mm"),
        ("pl", "1 points", "1 punkt"),
        ("pl", "3 points", "3 punkty"),
        ("pl", "15 points", "15 punktów"),
        ("fr", "Ash · row 1 of 2, column 3 of 4", "Ash · rangée 1 sur 2, colonne 3 sur 4"),
        ("de", "Ash and Ember", "Ash and Ember"),
    ],
)
def test_a_caption_is_translated_with_its_numbers_and_all_else_is_left(tag: str, text: str, translation: str) -> None:
    assert load_captions(tag, (BUILT_IN,)).translate(text) == translation


def test_cards_say_captions_in_their_language_and_their_own_texts_as_they_are(folder: Folder) -> None:
    folder.write("cards/a.yaml", f"kind: minion\nname: Weapons\nstats: {STATS}\nbase: 25\n")
    request = BuildRequest(cache=False, backs="none")
    build(request)
    assert "MINION · BASE 25 MM" in pages_of(folder.output("warniris-minion-a4.pdf"))[0]
    folder.write("cardgen.yaml", "language: de\n")
    folder.write("captions/de.txt", "# of this project\nMinion · Base <n> mm = Wicht · Basis <n> mm\n")
    build(request)
    page = pages_of(folder.output("warniris-minion-a4.pdf"))[0]
    assert "WICHT · BASIS 25 MM" in page
    assert "WEAPONS" in page


def test_the_cover_cut_list_and_errata_are_in_the_language(folder: Folder) -> None:
    folder.plain().write("cardgen.yaml", "language: de\n")
    folder.minions("Asche", "Glut", more=", motto: Still")
    write_release("v1")
    build(BuildRequest(cache=False, backs="none", pnp=True, layout="packed"))
    cover, cuts = (" ".join(page.split()) for page in pages_of(folder.output("warniris-pnp-a4.pdf"))[:2])
    assert "Deckblatt und Schnittliste 1–2 Normalpapier, einseitig" in cover
    assert "Reihenfolge der Schnitte" in cover and "Letzte Ausgabe: v1, " in cover
    assert "Schnittanleitung" in cuts and "der Bogen, von " in cuts
    folder.minions("Asche", more=", motto: Laut")
    build(BuildRequest(cache=False, backs="none", changed_since="v1", changes=("words",), errata=("sheet",)))
    (page,) = (" ".join(page.split()) for page in pages_of(folder.output("errata-since-v1-a4.pdf")))
    assert "1 Karte neu oder geändert, 1 entfallen." in page
    assert "1 × Asche (Scherge): ersetzt 1 × Glut (Scherge): entfällt" in page
    assert "Motto Still Laut" in page and page.endswith("Seite 1 von 1")


def test_a_line_that_is_no_caption(folder: Folder) -> None:
    folder.write("captions/de.txt", "Hero\nPower = Kraft\nPower = Macht\n<n> cards = <x> Karten\n")
    with pytest.raises(CardgenError) as caught:
        load_captions("de", (folder.root / "captions",))
    assert str(caught.value).splitlines() == [
        "captions/de.txt:1:1: error[CG552]: a caption must be written 'English = translation'",
        "captions/de.txt:3:1: error[CG552]: a second translation of 'Power'",
        "captions/de.txt:4:1: error[CG552]: '<x> Karten' must have the same <n> and <x> as '<n> cards'",
    ]


def test_captions_with_many_slots_take_no_long_time(tmp_path: Path) -> None:
    words = {"<x>" * 25: "<x>" * 25, "<x> " * 9 + "end": "<x> " * 9 + "Ende", "<n>1" * 12 + "x": "<n>1" * 12 + "y"}
    (tmp_path / "de.txt").write_text("".join(f"{one} = {other}\n" for one, other in words.items()), encoding="utf-8")
    captions = load_captions("de", [tmp_path])
    assert captions.translate("a " * 5000) == "a " * 5000
    assert captions.translate("1" * 5000 + "!") == "1" * 5000 + "!"
    assert captions.translate("a b c d e f g h i j end") == "a b c d e f g h i j Ende"
