"""Decks of strangers take little time and memory, and nothing in them is code or the name of a device."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.face.layout import read_layout
from cardgen.scaffold import decks
from cardgen.scaffold.decks.foreign import ForeignTable, markup
from tests.cases import each_case
from tests.scaffold.decks.foreign_decks import archive, dexie, layout, made, png, shown, table, write
from tests.scaffold.decks.test_squib import deck as squib

_SECONDS = 10.0
_TEXT = "text str: data['Name'], layout: "


def _squib_of(root: Path, body: str = "", layout: str = "title: {x: 1}\n", head: str = "", **files: str) -> Path:
    head = head or "data = Squib.csv file: 'data/karten.csv'\n"
    script = f"{head}Squib::Deck.new(cards: 2, layout: 'layout.yml') do\n{_TEXT}:title\n{body}\nend\n"
    return write(squib(root, script, layout), **files)


def _cider_of(root: Path, html: str = "<p>{{card.Name}}</p>", css: str = "", cards: str = "", **files: str) -> Path:
    content = cards or "Name,Front Template\nUte,t\n"
    return write(root, decks__d__cards_csv=content, decks__d__t_html=html, decks__d__t_css=css, **files)


def _set_of(root: Path, text: str, **files: str) -> Path:
    root.mkdir()
    return archive(root / "x.mse-set", {"set": text, **files})


_CARD = "card:\n\tname: A\n\timage: "
_LONG: dict[str, object] = {
    "an open text of escapes": lambda root: _squib_of(root, "text str: '" + "\\a" * 40),
    "blank lines": lambda root: _squib_of(root, "\n" * 240_000),
    "a long word": lambda root: _squib_of(root, "a" * 240_000),
    "spaces": lambda root: _squib_of(root, head="data = Squib.csv file: 'data/karten.csv'" + " " * 200_000 + "x\n"),
    "the size of a font": lambda root: _squib_of(root, f"{_TEXT}:title, font: 'Arial {'1' * 100_000}x'"),
    "a long number": lambda root: _squib_of(root, layout=f"title: {{x: {'9' * 200_000}x}}\n"),
    "layouts of layouts": lambda root: _squib_of(
        root, f"{_TEXT}:t0", "".join(f"t{n}: {{extends: [{', '.join([f't{n + 1}'] * 4)}]}}\n" for n in range(25))
    ),
    "a layout of itself": lambda root: _squib_of(root, layout="title: {extends: [title, title, title]}\n"),
    "a name with many parts": lambda root: _squib_of(
        root, f'{_TEXT}"{"#{q}x" * 30}z"', f"{'x' * 300}y: {{x: 1}}\ntitle: {{x: 1}}\n"
    ),
    "the same layout": lambda root: _squib_of(
        root,
        "use_layout file: 'layout.yml'\n" * 3_000,
        "title: {x: 1}\n" + "".join(f"t{n}: {{x: 1}}\n" for n in range(2_000)),
    ),
    "a condition": lambda root: _squib_of(root, f"text str: data['Name'].map {{ |x| x{' ' * 200_000}y }}"),
    "an open placeholder": lambda root: _cider_of(root, "{{" + " " * 100_000),
    "deep boxes": lambda root: _cider_of(root, "<div>" * 38 + "<div></div>" * 1_900),
    "blank lines of a style sheet": lambda root: _cider_of(root, css="\n" * 199_000),
    "open conditions": lambda root: _cider_of(root, css="<cg-if>" * 28_000),
    "many selectors": lambda root: _cider_of(root, "<p></p>" * 1_900, "p{color:red}\n" * 15_000),
    "many losses": lambda root: _cider_of(root, css="".join(f"@r{n};" for n in range(30_000))),
    "marks in marks": lambda root: _set_of(root, f"{_CARD}\n\ttext: {'<b>' * 100_000}{'</i>' * 100_000}\n"),
    "an image": lambda root: _set_of(root, f"{_CARD}{'image' * 60_000}!\n"),
    "files of files": lambda root: _set_of(
        root, f"{_CARD}x\ninclude file: f0\n", **{f"f{n}": f"include file: f{n + 1}\n" for n in range(3_000)}
    ),
}


@each_case("source", _LONG.values(), ids=_LONG)
def test_what_others_take_hours_for_takes_seconds(folder: Path, source: object) -> None:
    assert callable(source)
    started = time.process_time()
    with suppress(CardgenError):
        decks._read(source(Path(mkdtemp(dir=folder.parent)) / "source"))
    assert time.process_time() - started < _SECONDS


@each_case("text", ["<a " * 6_000, "<!--" * 5_000, "<b>" * 3_000 + "</i>" * 3_000, "<u>a" * 5_000, "&" * 19_000])
def test_markup_takes_time_in_proportion(text: str) -> None:
    started = time.process_time()
    for _ in range(20):
        markup(text)
    assert time.process_time() - started < _SECONDS / 2


@pytest.mark.parametrize(
    "source",
    [
        lambda root: _squib_of(root, f"{_TEXT}:title, font: 'Arial 1.2.3'"),
        lambda root: _squib_of(root, config_yml="dpi: abc\n"),
        lambda root: _squib_of(root, config_yml="dpi: nan\n"),
        lambda root: _squib_of(root, head=f"data = Squib.csv file: 'data/karten.csv', sheet: {'9' * 5_000}\n"),
        lambda root: _squib_of(root, layout="b: {x: 3}\ntitle: {extends: b, x: /= 0}\n"),
        lambda root: _squib_of(root, layout="b: {x: 3}\ntitle: {extends: b, x: '*= abc'}\n"),
        lambda root: _squib_of(root, data__karten_csv="Name\n<![a\n<b>&#" + "9" * 5_000 + ";\n"),
        lambda root: _cider_of(root, "<![a"),
        lambda root: _cider_of(root, f"<p>&#{'9' * 5_000};</p>"),
        lambda root: _cider_of(
            root, "<div><p style='flex:'>x</p><p style='flex: 1.2.3'>x</p></div>", "div{display:flex}"
        ),
        lambda root: _cider_of(root, "<p style='border: 1.2.3px solid red; line-height: ...'>x</p>"),
        lambda root: _cider_of(root, "<p style='background: url(&#xe000;99&#xe001;)'>x&#xe000;7&#xe001;</p>"),
        lambda root: _cider_of(root, "<p>x&amp;#xe000;9&amp;#xe001;y &#xe000;" + "9" * 5_000 + "&#xe001;</p>"),
        lambda root: _cider_of(root, css="p{width:" + "(" * 30_000 + "}"),
        lambda root: _cider_of(root, css=":is(" * 3_000 + "p" + ")" * 3_000 + "{width:1px}"),
        lambda root: _cider_of(root, css=":has(){width:1px} [*|a]{width:1px} :lang(){width:1px}"),
        lambda root: _cider_of(root, "<a href='http://[x'>x</a>", ":local-link{width:1px}"),
        lambda root: dexie(
            root.parent / "x.json",
            {},
            decks=[{"id": 1, "name": "\ud800"}],
            cards=[{"deckId": 1, "name": "\ud800", "": 1}],
        ),
    ],
)
def test_what_makes_no_sense_does_no_harm(folder: Path, source: object) -> None:
    assert callable(source)
    made(folder, source(folder.parent / "source"))


def test_headings_and_placeholders_are_no_code(folder: Path) -> None:
    html = "<p>{{card.kraft-7-7-card-name}}</p><p>{{card.Name}}</p>{{foo\nkinds: 1}}{{#if bar\u2028qq: 2}}{{/if}}"
    cards = 'Name,Front Template," kraft }}{{ 7*7 }}{{ card.name"\nUte,t,3\nOla,t,4\n'
    made(folder, _cider_of(folder.parent / "source", html, cards=cards))
    assert shown(layout(folder, "d"), "field") == ["name"]
    game = (folder / "games" / "sumpf" / "game.yaml").read_text(encoding="utf-8")
    assert not [line for line in game.splitlines() if line.startswith("qq") or line == "kinds: 1"]


@pytest.mark.parametrize("html", ["<p>&#xe000;9&#xe001;</p>", "<p>a\x00b\x7f</p>", "<p>&nbsp;</p>", "<p><b> </b>x</p>"])
def test_layouts_that_are_made_can_be_read(folder: Path, html: str) -> None:
    made(folder, _cider_of(folder.parent / "source", f"<div>{html}</div>"))
    path = folder / "games" / "sumpf" / "templates" / "d.layout.yaml"
    assert read_layout(path.read_text(encoding="utf-8"), path.name).layout.size


def test_names_of_devices_are_avoided(folder: Path) -> None:
    files = {"decks/d/con.html": b"<p>{{card.Name}}</p>", "assets/nul.png": png()}
    root = _cider_of(
        folder.parent / "source", "<img src='{{assets.nul}}'>", cards="Name,Front Template\nA,t\nB,con\nC,t\n"
    )
    for name, content in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(content)
    new = made(folder, root)
    assert not {path.name.partition(".")[0] for path in new.files} & {"con", "nul"}
    assert "con-card" in table(folder, "d")


def test_ten_thousand_cards_are_written_in_seconds() -> None:
    deck = ForeignTable("d", [{"Name": f"A{number}", "Text": "x"} for number in range(10_000)])
    started = time.process_time()
    assert deck.csv().count(b"\n") == 10_001
    assert time.process_time() - started < _SECONDS


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (",".join(f"h{n}" for n in range(600)) + "\nA\n", "more than 500 columns"),
        ("Name\n" + "A\n" * 10_001, "more than 10,000 cards"),
    ],
)
def test_what_is_too_large_is_an_error(folder: Path, cards: str, message: str) -> None:
    with pytest.raises(CardgenError, match=message):
        made(folder, _cider_of(folder.parent / "source", cards=cards))


def test_a_set_with_too_many_lines_or_keys_is_an_error(folder: Path) -> None:
    many = "".join(f"card:\n\tname: A{n}\n\tk{n}: v\n" for n in range(3_000))
    with pytest.raises(CardgenError, match="more than 500 columns"):
        made(folder, _set_of(folder.parent / "keys", many))
    files = {f"f{n}": "ab\n" * 300_000 for n in range(2)}
    with pytest.raises(CardgenError, match="more than 500,000 lines"):
        made(folder, _set_of(folder.parent / "lines", f"{_CARD}x\ninclude file: f0\ninclude file: f1\n", **files))
