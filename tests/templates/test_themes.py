"""Every kind of every game in every built-in theme, measured in pixels: texts stand out, and `low-ink` saves ink."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from PIL import Image, ImageStat

from cardgen.deck.deck import load_deck, require_game
from cardgen.export.pdf import writer
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Face, Text
from cardgen.face.theme import theme_names
from cardgen.model.card import Card, Entry
from cardgen.print.documents import derive_pieces
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.project_checks.colour_vision import alike_values, paints
from cardgen.project_checks.looks import Looks
from cardgen.rulesets.ruleset import games
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import MM_PER_INCH, Shape

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILT_IN = Project(Path("/")).folders("templates")
EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())
GAMES = [*games()]
SOURCES = [*GAMES, *EXAMPLES]
THRIFTY = {"low-ink"}
FONTS, LOOKS = Fonts(), Looks()
# Kinds without a card in the kits, and texts longer than those there.
MORE = {
    "diskwars": ("diskwars.yaml",),
    "skirmish": ("skirmish.yaml",),
    "warcry": ("warcry.yaml", "warcry-pieces.yaml"),
    "warniris": ("extremes.yaml", "pieces.yaml"),
}
# The most that a theme that saves ink may use of the ink of the default theme, on average and on dark faces.
THIRD, DARK = 1 / 3, 0.5


class Sample(NamedTuple):
    """What was measured of one side: the mean coverage, from 0 for paper to 1 for black, the texts, and their flaws."""

    name: str
    ink: float
    texts: int
    flaws: tuple[str, ...]


@cache
def deck_of(source: str) -> tuple[Project, tuple[Entry, ...]]:
    """Return the cards of a kit or of an example, with extreme ones and the pieces made from them."""
    if source in EXAMPLES:
        decks = [load_deck((), folder=ROOT / "examples" / source)]
    else:
        kit = ROOT / "cards" / source
        decks = [load_deck([kit]), *(load_deck([HERE / "cards" / file]) for file in MORE[source])]
    cards = [card for _, deck in decks for card in deck.cards]
    return decks[0][0], (*cards, *(each for each in derive_pieces(cards) if isinstance(each, Entry)))


def words(card: Card) -> int:
    return len(str(card.model_dump(exclude_defaults=True)))


def chosen(source: str) -> list[Entry]:
    """Return the card with the most words of each kind, and of each color of the theme that a card can have.

    The card with the fewest words of each kind precedes them.
    """
    project, entries = deck_of(source)
    renderer = CardRenderer(project)
    shortest: dict[str, Entry] = {}
    longest: dict[tuple[object, ...], Entry] = {}
    for entry in sorted(entries, key=lambda each: words(each.card)):
        if not require_game(entry.game, entry.workspace).kinds[entry.kind].is_printed:
            continue
        colours = renderer.face_renderer(entry).typesetter.theme.colours
        values = (value for _, value in sorted(entry.card) if isinstance(value, str))
        shortest.setdefault(entry.kind, entry)
        longest[entry.kind, *(value for value in values if value in colours)] = entry
    return list({id(entry): entry for entry in (*shortest.values(), *longest.values())}.values())


def samples(source: str, theme: str) -> list[Sample]:
    renderer = CardRenderer(deck_of(source)[0], theme=theme)
    found: list[Sample] = []
    entries = chosen(source)
    renderer.expect(entries)
    for entry in entries:
        piece, _ = renderer.render_piece(entry, backs=True)
        assert piece.faces
        found += [measured(f"{entry.kind} {entry.card.name}", face, piece.shape) for face in piece.faces]
    return found


def confused(source: str, theme: str) -> list[str]:
    """Return the values of all cards that people with a color-vision deficiency cannot tell apart."""
    project, entries = deck_of(source)
    renderer = CardRenderer(project, theme=theme)
    printed = [each for each in entries if require_game(each.game, each.workspace).kinds[each.kind].is_printed]
    renderer.expect(printed)
    cards = [(entry, paints(renderer.render_piece(entry, backs=True)[0])) for entry in printed]
    return [f"{entry.kind} {entry.card.name}: {flaw}" for entry, flaw, _ in alike_values(renderer, cards)]


def measured(name: str, face: Face, shape: Shape) -> Sample:
    leaves = impose_single([PrintPiece(face._replace(fields=()))], face.size, 0)
    content = writer.write(pages_of(leaves), FONTS, writer.DocumentInfo(name), ArtworkCache())
    pages = Rasterizer(content, min(100, 900 * MM_PER_INCH / max(face.size)))
    whole = Image.open(io.BytesIO(pages.page(0))).convert("RGB")
    texts = sum(isinstance(item, Text) for item in face.items)
    found = LOOKS.flaws(face, "front", shape, lambda *_: None, FONTS)
    # A mat is a ground to play on.
    is_open = name.startswith("mat ")
    flaws = (f"{name}: {flaw.subject} {flaw}" for flaw in found if not (is_open and flaw.kind == "empty"))
    return Sample(name, 1 - mean(ImageStat.Stat(whole).mean) / 255, texts, tuple(flaws))


def themes(source: str) -> list[str]:
    return list(theme_names(BUILT_IN, source)) if source not in EXAMPLES else ["default", "low-ink"]


def test_every_game_has_every_theme_and_every_kind_a_sample() -> None:
    for game in GAMES:
        assert themes(game) == ["default", "low-ink"]
        printed = {name for name, kind in require_game(game).kinds.items() if kind.is_printed}
        assert printed - {entry.kind for entry in chosen(game)} == set(), game


@pytest.mark.share(2)
@pytest.mark.parametrize("source", SOURCES)
def test_texts_stand_out_from_what_is_behind_them_and_a_theme_that_saves_ink_uses_a_third_of_it(source: str) -> None:
    found = {theme: samples(source, theme) for theme in themes(source)}
    for theme, sides in found.items():
        assert any(side.texts for side in sides)
        assert [flaw for side in sides for flaw in side.flaws] == [], theme
        assert confused(source, theme) == []
    plain = found["default"]
    for theme in THRIFTY & found.keys():
        thrifty = found[theme]
        assert mean(each.ink for each in thrifty) <= THIRD * mean(each.ink for each in plain)
        pairs = zip(plain, thrifty, strict=True)
        assert [
            f"{one.name}: {one.ink:.0%}, {other.ink:.0%}"
            for one, other in pairs
            if other.ink > one.ink + 0.005 or (one.ink > DARK and other.ink > THIRD * one.ink)
        ] == []
