"""Every kind of every game in every built-in theme, measured in pixels: texts stand out, and `low-ink` saves ink."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageStat

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
from cardgen.rulesets.ruleset import games
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import pages_of
from cardgen.text.fonts import Fonts
from cardgen.text.lines import IconGlyph, Run
from cardgen.units import MM_PER_INCH, MM_PER_POINT, apply
from tests.face.test_theme import contrast

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILT_IN = Project(Path("/")).folders("templates")
EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())
GAMES = [*games()]
SOURCES = [*GAMES, *EXAMPLES]
THRIFTY = {"low-ink"}
FONTS = Fonts()
# Kinds without a card in the kits, and texts longer than those there.
MORE = {
    "diskwars": ("diskwars.yaml",),
    "skirmish": ("skirmish.yaml",),
    "warcry": ("warcry.yaml", "warcry-pieces.yaml"),
    "warniris": ("extremes.yaml", "pieces.yaml"),
}
# The most that a theme that saves ink may use of the ink of the default theme, on average and on dark faces.
THIRD, DARK = 1 / 3, 0.5
LARGE = 14.0
# Icons of this size and more are ornaments.
ORNAMENT = 40.0


class Sides(NamedTuple):
    """One side of a card in a theme: its texts, and what of it is printed with and without them."""

    name: str
    face: Face
    whole: Image.Image
    bare: Image.Image


class Sample(NamedTuple):
    """What was measured of one side: the mean coverage, from 0 for paper to 1 for black, and the texts."""

    name: str
    ink: float
    texts: int
    weak: tuple[str, ...]


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
    """Return the card with the most words of each kind, and of each color of the theme that a card can have."""
    project, entries = deck_of(source)
    renderer = CardRenderer(project)
    longest: dict[tuple[object, ...], Entry] = {}
    for entry in sorted(entries, key=lambda each: words(each.card)):
        if not require_game(entry.game, entry.workspace).kinds[entry.kind].is_printed:
            continue
        colours = renderer.face_renderer(entry).typesetter.theme.colours
        values = (value for _, value in sorted(entry.card) if isinstance(value, str))
        longest[entry.kind, *(value for value in values if value in colours)] = entry
    return list(longest.values())


def samples(source: str, theme: str) -> list[Sample]:
    renderer = CardRenderer(deck_of(source)[0], theme=theme)
    found: list[Sample] = []
    entries = chosen(source)
    renderer.expect(entries)
    for entry in entries:
        sides = zip(("front", "back"), renderer.render_faces(entry, backs=True), strict=True)
        printed = [drawn(f"{entry.kind} {entry.card.name} {name}", side.face) for name, side in sides if side]
        assert printed
        found += map(measured, printed)
    return found


def drawn(name: str, face: Face) -> Sides:
    bare = face._replace(items=tuple(item for item in face.items if not isinstance(item, Text)))
    pieces = [PrintPiece(each._replace(fields=())) for each in (face, bare)]
    leaves = impose_single(pieces, face.size, 0)
    content = writer.write(pages_of(leaves), FONTS, writer.DocumentInfo(name), ArtworkCache())
    dpi = min(100, 900 * MM_PER_INCH / max(face.size))
    pages = Rasterizer(content, dpi)
    whole, without = (Image.open(io.BytesIO(pages.page(number))).convert("RGB") for number in (0, 1))
    return Sides(name, face, whole, without)


def measured(side: Sides) -> Sample:
    texts = sum(isinstance(item, Text) for item in side.face.items)
    return Sample(side.name, 1 - mean(ImageStat.Stat(side.whole).mean) / 255, texts, tuple(weak_texts(side)))


def themes(source: str) -> list[str]:
    return list(theme_names(BUILT_IN, source)) if source not in EXAMPLES else ["default", "low-ink"]


def test_every_game_has_every_theme_and_every_kind_a_sample() -> None:
    for game in GAMES:
        assert themes(game) == ["default", "low-ink"]
        printed = {name for name, kind in require_game(game).kinds.items() if kind.is_printed}
        assert printed - {entry.kind for entry in chosen(game)} == set(), game


def weak_texts(sample: Sides) -> Iterator[str]:
    """Yield the texts with too little contrast to what lies behind them, by the formula of WCAG 2."""
    across = sample.whole.width / sample.face.size.width
    for item in (each for each in sample.face.items if isinstance(each, Text)):
        for piece in (each for line in item.lines for each in line.pieces):
            if not (piece.text.strip() if isinstance(piece, Run) else piece.size < ORNAMENT and not piece.outline.art):
                continue
            em = piece.size * MM_PER_POINT
            # An icon stands on its lower edge; of letters, the height of capitals is looked at.
            grid = product((0.1, 0.3, 0.5, 0.7, 0.9), (0.1, 0.35, 0.6))
            at = [apply(item.matrix, piece.x + x * piece.width, piece.y - y * em) for x, y in grid]
            pixels = [(int(x * across), int(y * across)) for x, y in at]
            seen = [each for each in pixels if 0 <= each[0] < sample.bare.width and 0 <= each[1] < sample.bare.height]
            a, b, c, d, *_ = item.matrix
            size = piece.size * math.sqrt(abs(a * d - b * c))
            least = 3.0 if size >= LARGE or isinstance(piece, IconGlyph) else 4.5
            behind = [sample.bare.getpixel(each) for each in seen]
            ratios = sorted(contrast(piece.colour, "#{:02x}{:02x}{:02x}".format(*each)) for each in behind)  # type: ignore[misc]
            # Lines behind a text may be weak, but not what most of it stands on.
            found = ratios[len(ratios) // 5] if ratios else 0.0
            what = piece.text if isinstance(piece, Run) else f"{{{piece.name}}}"
            if found < least:
                yield f"{sample.name}: {what!r}, {piece.colour}, {size:.1f} pt: {found:.1f}:1, not {least}:1"
            elif is_hidden(sample, pixels):
                yield f"{sample.name}: {what!r} is hidden"


def is_hidden(sample: Sides, pixels: list[tuple[int, int]]) -> bool:
    """Return whether a text makes no difference to what is printed."""
    xs, ys = zip(*pixels, strict=True)
    box = (max(0, min(xs)), max(0, min(ys)), max(xs) + 2, max(ys) + 2)
    difference = ImageChops.difference(sample.whole.crop(box), sample.bare.crop(box))
    return all(high < 40 for _, high in difference.getextrema())  # type: ignore[misc]  # three channels


@pytest.mark.parametrize("source", SOURCES)
def test_texts_stand_out_from_what_is_behind_them_and_a_theme_that_saves_ink_uses_a_third_of_it(source: str) -> None:
    found = {theme: samples(source, theme) for theme in themes(source)}
    for theme, sides in found.items():
        assert any(side.texts for side in sides)
        assert [weak for side in sides for weak in side.weak] == [], theme
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
