"""The page of a collection: all cards with both sides, safe, and the same for the same cards."""

from __future__ import annotations

import base64
import hashlib
import re
from io import BytesIO

import pytest
from PIL import Image

from cardgen.diagnostic import CardgenError
from cardgen.releases.write import write_release
from tests.cli.commands import process
from tests.projects import Folder
from tests.target.exports import small_project
from tests.target.web.pages import BOATS, GAME, HOSTILE, Page, harbor, write_page


def test_the_page_has_every_card_with_both_sides_and_needs_nothing_else(folder: Folder) -> None:
    page, result = write_page(harbor(folder))
    assert (result.cards, folder.files("out")) == (3, ["index.html"])
    links = [each["href"] for each in page.all("a") if each.get("class") == "card"]
    assert links == [
        "#boat.elan",
        "#boat.script-img-src-x-onerror-alert-1-amp",
        "#boat." + str(links[2]).rpartition(".")[2],
    ]
    assert {f"#{each['id']}" for each in page.all("li") if "id" in each} == set(links)
    sources = [str(each["src"]) for each in page.all("img")]
    shared = {
        name for each in page.all("span") for name in str(each.get("class")).split() if re.fullmatch("p[0-9a-f]+", name)
    }
    assert len(sources) == len(links), "each front is a picture"
    assert len(shared) == 1, "all cards have the same back, which is there once"
    found = [*sources, *re.findall(r"url\((data:[^)]*)\)", page.text)]
    pictures = [Image.open(BytesIO(base64.b64decode(each.partition(",")[2]))) for each in found]
    assert [(each.format, each.size) for each in pictures] == [("WEBP", (47, 63))] * 4
    assert not re.search(r"(src|href)=\"(?!data:|#)|url\((?!data:)|https?://", page.text.replace("http-equiv", ""))


def test_what_cards_say_is_never_markup(folder: Folder) -> None:
    page, _ = write_page(harbor(folder))
    tags = {tag for tag, _ in page.tags}
    assert page.text.count("<script") == page.text.count("</script>") == 2
    assert not any(name.startswith("on") or name == "style" for _, attributes in page.tags for name in attributes)
    assert tags.isdisjoint({"iframe", "object", "embed", "link", "base"})
    assert "onerror" not in [name for each in page.all("img") for name in each]
    assert HOSTILE not in page.text
    assert page.text.count("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#34;&#39;&amp;amp;") >= 2, "it is shown"


def test_the_policy_allows_only_its_own_style_and_script(folder: Folder) -> None:
    page, _ = write_page(harbor(folder))
    (policy,) = [each["content"] for each in page.all("meta") if each.get("http-equiv")]
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", page.text, re.DOTALL)
    ]
    assert len(hashes) == 2
    assert policy == (
        f"default-src 'none'; img-src data:; script-src 'sha256-{hashes[1]}'; style-src 'sha256-{hashes[0]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_what_is_printed_is_there_as_text_and_notes_of_authors_are_not(folder: Folder) -> None:
    page, _ = write_page(harbor(folder))
    assert "a secret" not in page.text
    assert '<p class="printed" dir="auto">10</p>' in page.text
    assert 'dir="auto">سفينة</span>' in page.text
    assert '<dt>Price</dt><dd dir="auto">12</dd>' in page.text


def test_texts_are_separate_and_read_without_icons(folder: Folder) -> None:
    text = "**Swift**, {anchor} Rum\\n\\nIt sails."
    folder = harbor(folder)
    boats = (folder.root / "cards" / "boats.yaml").read_text(encoding="utf-8")
    folder.write("cards/boats.yaml", boats.replace("crew: smugglers,", f'crew: smugglers, lore: "{text}",'))
    page, _ = write_page(folder)
    assert '<p class="printed" dir="auto">10, Swift, Rum It sails.</p>' in page.text


def test_pictures_of_large_pieces_are_small_enough_for_telephones(folder: Folder) -> None:
    folder.write("services/web.yaml", "target: web\ntitle: Small\nlongest_side: 64\n")
    page, _ = write_page(harbor(folder), {"dpi": 300})
    picture = Image.open(BytesIO(base64.b64decode(str(page.all("img")[0]["src"]).partition(",")[2])))
    assert picture.size == (48, 64)


def test_a_large_page_becomes_a_folder(folder: Folder) -> None:
    harbor(folder)
    page, result = write_page(folder, {"folder": True})
    names = [path.relative_to(folder.root / "out").as_posix() for path in result.files if path.name != "index.html"]
    sources = [str(each["src"]) for each in page.all("img")]
    assert len(sources) == 6, "fronts and backs"
    assert set(sources) == set(names)
    assert "data:" not in page.text
    assert "img-src 'self' file:;" in page.text
    folder.write("services/web.yaml", "target: web\ntitle: Small\nmost_bytes: 100\nlanguage: de-AT\n")
    again, _ = write_page(folder)
    assert again.text == page.text.replace('tabindex="-1">\n\n<li', 'tabindex="-1" lang="de-AT">\n\n<li')
    folder.write("services/web.yaml", "target: web\ntitle: Wrong\nlanguage: '\"x'\n")
    with pytest.raises(CardgenError, match="language"):
        write_page(folder)


def test_sizes_are_true_on_paper(folder: Folder) -> None:
    page, _ = write_page(small_project(folder, 1))
    assert "@media print{.s63x88 .side{width:63mm;height:88mm}}" in page.text
    assert "@media print{.s25x25-round .side{width:25mm;height:25mm}}" in page.text
    assert [each["class"] for each in page.all("li") if "id" in each] == ["s63x88", "s25x25-round"]


def test_cards_of_several_games_have_addresses_of_their_own(folder: Folder) -> None:
    harbor(folder)
    folder.plain().write(
        "cards/minions.yaml", "game: warniris\nkind: minion\nname: Élan\nstats: {M: 2, B: 2, S: 2, W: 1, Mo: 9}\n"
    )
    page, _ = write_page(folder)
    assert {"harbor-boat.elan", "warniris-minion.elan"} <= {each.get("id") for each in page.all("li")}
    assert page.fields["game"][:2] == ("Game", ["Harbor", "Warniris, 2nd edition"])


def test_changes_since_a_release_are_marked(folder: Folder) -> None:
    harbor(folder)
    write_release("v1")
    boats = (folder.root / "cards" / "boats.yaml").read_text(encoding="utf-8")
    changed = boats.replace("points: 10", "points: 11").replace("سفينة", "Nova").replace("points: 12", "points: 13")
    folder.write("cards/boats.yaml", changed)
    page, _ = write_page(folder, {"new_since": "v1"})
    assert page.fields["since"] == ("Since v1", ["New", "Rules changed", "Unchanged"], [[1], [2], [0]])
    badges = re.findall(r'<span class="badge" lang="en">(.*?)</span>', page.text)
    assert badges == ["Rules changed", "New"]
    assert '<dt>Price</dt><dd dir="auto"><del>10</del> → <ins>11</ins></dd>' in page.text
    assert "Gone since v1" in page.text
    with pytest.raises(CardgenError, match="unknown release 'v2'"):
        write_page(folder, {"new_since": "v2"})


def test_the_page_has_the_same_bytes_each_time(folder: Folder) -> None:
    harbor(folder)
    write_release("v1")
    contents = []
    for seed, jobs in (("1", "1"), ("2", "2")):
        arguments = ("export", "web", "--dpi", "40", "-q", "--no-cache", "--new-since", "v1", "-j", jobs)
        outcome = process(*arguments, PYTHONHASHSEED=seed)
        assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
        contents.append((folder.root / "output" / "web" / "index.html").read_bytes())
    assert contents[0] == contents[1]


def test_a_warband_has_a_page_of_its_own(folder: Folder) -> None:
    small_project(folder, 3)
    page, _ = write_page(folder, only=("minion-a",))
    assert len([each for each in page.all("a") if each.get("class") == "card"]) == 1
    assert page.data["fields"] == []
    assert Page.of(folder.root / "out" / "index.html") == page


_ENGLISH = re.compile(
    r"(?<![\w-])(Cards?|Search|Sort|Print|Filters|Clear|From|To|Kind|Price|Yes|No|Numbers|Least|Mean|Close)(?![\w-])"
)


def test_the_page_speaks_the_language_of_its_cards(folder: Folder) -> None:
    harbor(folder).write("cardgen.yaml", "game: harbor\nlanguages: [de]\n")
    folder.write("cards/boats.de.yaml", "translations:\n  elan: {name: Schwung}\n")
    folder.write("captions/de.txt", "Price = Preis\nboat = Boot\n")
    folder.write(
        "cards/boats.yaml", BOATS.replace("points: 12", "points: 12.5").replace("hull: 9", "hull: 9, swift: true")
    )
    game = GAME.replace("points: {type: integer", "points: {type: number")
    folder.write("games/harbor/game.yaml", game)
    english, _ = write_page(folder)
    assert _ENGLISH.search(_spoken(english))
    write_page(folder, language=("de",))
    page = Page.of(folder.root / "out/de/index.html")
    assert page.all("html") == [{"lang": "de"}]
    assert _ENGLISH.search(_spoken(page)) is None
    assert ">Schwung<" in page.text
    assert '<span lang="de">Boot</span>' in page.text
    assert ">14,17<" in page.text  # the mean of the prices
    assert page.fields["points"][0] == "Preis"
    assert page.data["words"]["all"] == "3 Karten"
    assert page.data["words"]["some"] == "{one} von {other} Karten"
    # Without captions in the language, the page is in English, and its cards are not.
    folder.write("cardgen.yaml", "game: harbor\nlanguages: [de, it]\n")
    write_page(folder, language=("it",))
    page = Page.of(folder.root / "out/it/index.html")
    assert page.all("html") == [{"lang": "en"}]
    assert _ENGLISH.search(_spoken(page))


def _spoken(page: Page) -> str:
    """The words of the page, without those of its cards and of its style sheet."""
    body = page.text.partition("<body>")[2].partition("<script>")[0]
    body = re.sub(r"</?(?:a|span|p|h\d|dd)[^>]*dir=\"auto\"[^>]*>[^<]*|<script.*", "", body, flags=re.DOTALL)
    labels = re.findall(r'(?:aria-label|placeholder)="([^"]*)"', body)
    return "\n".join((re.sub(r"<[^>]*>", "\n", body), *labels, *map(str, page.data["words"].values())))
