"""What reaches paper is words: no identifiers, and no plurals by rule of thumb, in all that the sample kits print."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pypdfium2
import pytest

from cardgen.cli import run
from cardgen.deck.deck import require_game
from tests.hostile.transcripts import screens
from tests.products import Products
from tests.rulesets.skirmish.referee.battle.players import Player, battle, played
from tests.rulesets.skirmish.referee.battle.players import texts as texts_of

ROOT = Path(__file__).parents[2]
GAMES = ("diskwars", "skirmish", "warcry", "warniris")
RULINGS = {ruling.id for game in GAMES for ruling in require_game(game).rulings}
IDENTIFIER = re.compile(r"\b[a-z]+_[a-z_]+\b|\b(?:WN|WC|WS|DW|CG)\d{3}\b|\b[a-z]+(?:-[a-z0-9]+)+\b|\bNone\b")
WRONG_PLURAL = re.compile(
    r"(?<![\w.,/–−+-])1 (turns|rounds|points|models|wounds|hits|dice|cards|copies|flips|tokens|actions|pages)\b",
    re.IGNORECASE,
)


def texts(folder: Path) -> dict[str, str]:
    """Return the text of each PDF in a folder."""
    found = {}
    for path in sorted(folder.rglob("*.pdf")):
        with pypdfium2.PdfDocument(path) as document:
            pages = [page.get_textpage().get_text_range() for page in document]
        found[path.name] = "\n".join(pages)
    return found


def unwanted(text: str) -> list[str]:
    """Return identifiers and wrong plurals in a text."""
    plain = text.replace("￾", "-").replace("­", "")
    words = [
        each for each in IDENTIFIER.findall(plain) if each in RULINGS or "_" in each or re.search(r"\d|None", each)
    ]
    return words + [match[0] for match in WRONG_PLURAL.finditer(plain)]


def test_what_is_unwanted_is_found() -> None:
    assert unwanted("(ruling mission-14-type)") == ["mission-14-type"]
    assert unwanted("max_copies of 2, see WN301") == ["max_copies", "WN301"]
    assert unwanted("It lasts 1 turns, or 11 turns, after 1 turn.") == ["1 turns"]


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
def test_cards_and_pieces(game: str, products: Products) -> None:
    printed = texts(products.kit(game))
    assert len(printed) >= 5
    assert {name: found for name, text in printed.items() if (found := unwanted(text))} == {}


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
def test_sheets_and_booklets(game: str, products: Products) -> None:
    printed = texts(products.sheets(game))
    assert printed
    assert {name: found for name, text in printed.items() if (found := unwanted(text))} == {}


# What changes in a release of each game: a card file of the kit, and an edit of it.
EDITS = {
    "diskwars": ("disks.yaml", "toughness: 3", "toughness: 4"),
    "skirmish": ("armory.yaml", "hands: 2", "hands: 1"),
    "warcry": ("ember-choir.yaml", "W: 20", "W: 22"),
    "warniris": ("relics.yaml", "heal: 2", "heal: 1"),
}


@pytest.mark.share(2)
@pytest.mark.parametrize("game", GAMES)
def test_errata_and_notes(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
    name, old, new = EDITS[game]
    text = (ROOT / "cards" / game / name).read_text(encoding="utf-8")
    assert old in text
    ruling = next(each for each in require_game(game).rulings if len(each.settings) > 1)
    other = next(each for each in ruling.settings if each != ruling.default)
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / name).write_text(text, encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text(f"game: {game}\n", encoding="utf-8")
    assert run(["release", "v1"]) == 0
    (tmp_path / "cards" / name).write_text(text.replace(old, new).replace("motto: ", "motto: Now "), encoding="utf-8")
    (tmp_path / "cardgen.yaml").write_text(f"game: {game}\nrulings: {{{ruling.id}: {other}}}\n", encoding="utf-8")
    capsys.readouterr()
    assert run(["build", "--changed-since", "v1", "--errata", "sheet,stickers", "--no-backs", "-q"]) == 0
    printed = texts(tmp_path / "output")
    assert any("errata" in each for each in printed)
    assert run(["release", "v2"]) == 0
    capsys.readouterr()
    for form in ("text", "markdown", "html"):
        assert run(["diff", "v1", "v2", "--format", form]) == 0
        pages = [each.read_text(encoding="utf-8") for each in tmp_path.rglob("*.html")] if form == "html" else []
        report = "\n".join((capsys.readouterr().out, *pages))
        assert ruling.question in unescape(report)
        assert f" {ruling.id}:" not in report
        printed[f"diff as {form}"] = without_markup(report.replace(">None<", "><"))  # how pictures are compared
    notes = next(tmp_path.rglob("v2*.md"))
    printed["notes"] = without_markup(notes.read_text(encoding="utf-8"))
    assert ruling.question in printed["notes"]
    assert {name: found for name, text in printed.items() if (found := unwanted(text))} == {}


def without_markup(text: str) -> str:
    """Return a page as it is read: without its code, comments, pictures, and escapes."""
    shown = re.sub(r"(?s)<style.*?</style>|<script.*?</script>|<!--.*?-->|<[^>]+>", " ", text)
    return unescape(re.sub(r"\\([^\w\s])", r"\1", shown))


@pytest.mark.share(2)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", GAMES)
def test_what_the_tracker_shows(game: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = screens(game, answers=250, seed=seed)
    assert len(shown) > 250
    assert [(line, found) for line in shown if (found := unwanted(line))] == []


@pytest.mark.parametrize("seed", range(3))
def test_the_log_of_a_battle(seed: int) -> None:
    prepared = battle()
    end, log = played(prepared, Player(seed))
    assert unwanted("\n".join([*texts_of(log), *prepared.outcome_lines(end)])) == []
