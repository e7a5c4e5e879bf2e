"""The leaves of all samples, in all layouts: both sides of each belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from PIL import Image

from cardgen.builds.builder import build
from cardgen.cli.reference import command as reference
from cardgen.deck.deck import load_deck, rules_of
from cardgen.face.face import Face
from cardgen.model.card import Entry
from cardgen.print.documents import derive_pieces
from cardgen.print.render import CardRenderer, RenderedCard, format_of, lay_out, room_problem
from cardgen.print.request import BuildRequest, PrintSetup
from cardgen.rulesets.ruleset import Kind
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, DuplexMode, Leaf, Printing, Side, back_slot, duplex_mode, pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import PAPER_SIZES, Box, Size
from tests.projects import Folder

ROOT = Path(__file__).parents[2]
FONTS = Fonts()
SAMPLES = sorted(path for name in ("cards", "examples") for path in (ROOT / name).iterdir() if path.is_dir())


@cache
def sample(folder: Path) -> tuple[RenderedCard, ...]:
    """Return the cards and pieces of a sample with empty faces, each an object of its own."""
    is_project = (folder / "cardgen.yaml").is_file()
    project, deck = load_deck(() if is_project else [folder], folder=folder if is_project else None)
    renderer = CardRenderer(project)
    pieces = (each for each in derive_pieces(deck.cards) if isinstance(each, Entry))
    return tuple(_blank_card(renderer, entry) for entry in (*deck.cards, *pieces) if _kind(entry).is_printed)


def _kind(entry: Entry) -> Kind:
    return rules_of(entry).kinds[entry.kind]


def _blank_card(renderer: CardRenderer, entry: Entry) -> RenderedCard:
    kind, faces = _kind(entry), renderer.face_renderer(entry)
    size = renderer.card_size(entry)
    source = faces.back_source(entry)
    name = source.template or entry.card.template or entry.kind
    has_back = source.picture or any(faces.templates.has(f"{entry.game}/{each}.back") for each in (name, kind.generic))
    back = Face(size, 0.0, ()) if has_back else None
    piece = PrintPiece(
        Face(size, 0.0, ()), back, kind.shape, kind.can_rotate, kind.can_tile, entry.card.name, entry.kind
    )
    return RenderedCard(entry, piece)


def documents(cards: tuple[RenderedCard, ...], setup: PrintSetup) -> Iterator[list[Leaf[Face]]]:
    """Yield the leaves of each kind, or of some cards of all kinds that share sheets, as far as they fit."""
    fitting = [card for card in cards if not room_problem(card.entry, format_of(card), setup)]
    kinds = {card.entry.kind: [each for each in fitting if each.entry.kind == card.entry.kind] for card in fitting}
    groups = [fitting[::9]] if setup.mixes_kinds else [*kinds.values()]
    yield from (lay_out(each, 2, setup, "T", FONTS) for each in groups)


def assert_sides_belong_together(leaf: Leaf[Face], backs_of: dict[int, Face | None], backs: Backs) -> None:
    fronts: dict[int, list[Box]] = {id(placed.face): [] for placed in leaf.front.placements}
    for placed in leaf.front.placements:
        fronts[id(placed.face)].append(placed.slot.trim)
    on_back = [*(leaf.back.placements if leaf.back else ())]
    if leaf.front.side is Side.BOTH:
        on_back = [placed for placed in leaf.front.placements if id(placed.face) not in backs_of]
    owners = {id(back): front for front, back in backs_of.items() if back is not None}
    for placed in on_back:
        behind = back_slot(placed.slot, leaf.front.paper, backs).trim
        trims = fronts[owners[id(placed.face)]]
        assert any(abs(behind.x - trim.x) < 1e-6 and abs(behind.y - trim.y) < 1e-6 for trim in trims)
    with_backs = [placed for placed in leaf.front.placements if backs_of.get(id(placed.face)) is not None]
    assert len(on_back) == (len(with_backs) if backs is not Backs.NONE else 0)


@pytest.mark.parametrize(
    ("backs", "paper"),
    [
        (Backs.LONG_EDGE, PAPER_SIZES["a4"]),
        (Backs.SHORT_EDGE, PAPER_SIZES["a4"].swap_sides()),
        (Backs.GUTTERFOLD, PAPER_SIZES["letter"]),
        (Backs.NONE, PAPER_SIZES["a5"]),
    ],
)
@pytest.mark.parametrize("layout", ["grid", "packed", "single"])
@pytest.mark.parametrize("folder", SAMPLES, ids=lambda path: path.name)
def test_no_leaf_has_two_sides_that_do_not_belong_together(
    folder: Path, layout: str, backs: Backs, paper: Size
) -> None:
    setup = PrintSetup(layout, SheetSettings(paper, backs=backs), punches=(25.0,))
    cards = sample(folder)
    backs_of = {id(card.piece.front): card.piece.back for card in cards}
    count = 0
    for leaves in documents(cards, setup):
        count += len(leaves)
        pages = pages_of(leaves)
        two_sided = any(leaf.back for leaf in leaves)
        assert (duplex_mode(leaves) == DuplexMode.SIMPLEX) == (not two_sided)
        assert len({page.name for page in pages}) == len(pages)
        plain = [leaf.printing is Printing.PLAIN_PAPER for leaf in leaves]
        assert all(one <= other for one, other in pairwise(plain))
        for leaf in leaves:
            if leaf.printing is not Printing.PLAIN_PAPER and layout != "single":
                assert_sides_belong_together(leaf, backs_of, backs)
        if two_sided:
            assert all(
                (front.side, back.side) == (Side.FRONT, Side.BACK)
                and front.name.removesuffix("front") == back.name.removesuffix("back")
                for front, back in zip(pages[::2], pages[1::2], strict=True)
            )
    assert count


def test_documents_say_how_they_are_printed(folder: Folder) -> None:
    folder.plain().write(
        "cards/all.yaml",
        "cards:\n  - {kind: minion, name: Sentinel, qty: 12, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 10}}\n"
        "  - {kind: token, name: Wound, qty: 60, back: wound.png}\n"
        "  - {kind: token, name: Mark, diameter: 40, qty: 9}\n"
        "  - {kind: mat, name: Ford, width: 60, height: 40}\n  - {kind: ruler, name: Rule, length: 20}\n"
        "  - {kind: box, name: Box, holds: 30}\n  - {kind: dial, name: Dial, most: 9}\n",
    )
    found = {}
    Image.new("RGB", (200, 200), "#884400").save(folder.root / "cards" / "wound.png")
    for path in build(BuildRequest()).files:
        with pikepdf.open(BytesIO(path.read_bytes())) as document:
            labels = [str(each["/P"]) for each in list(document.Root.PageLabels.Nums)[1::2]]
            found[path.stem] = (str(document.Root.ViewerPreferences.Duplex), labels)
            assert len(set(labels)) == len(document.pages)
    assert {stem: mode for stem, (mode, _) in found.items()} == {
        "warniris-minion-a4": "/DuplexFlipLongEdge",
        "warniris-token-a4": "/DuplexFlipLongEdge",
        "warniris-mat-a4": "/Simplex",
        "warniris-ruler-a4": "/Simplex",
        "warniris-box-a4": "/Simplex",
        "warniris-dial-a4": "/Simplex",
    }
    assert found["warniris-token-a4"][1][-2:] == ["how to cut front", "how to cut back"]
    assert found["warniris-minion-a4"][1] == ["1 front", "1 back", "2 front", "2 back"]


@pytest.mark.parametrize("options", [(), ("--fold",), ("--impose", "2")], ids=" ".join)
def test_the_sides_of_texts_are_consecutive_pages(options: tuple[str, ...], tmp_path: Path) -> None:
    """The foot of each page of a reference sheet has its number."""
    sheets = ("booklet", "rules-summary")
    result = CliRunner().invoke(reference, [*sheets, "--paper", "a5", "-o", str(tmp_path), *options])
    assert result.exit_code == 0, result.output
    for path in sorted(tmp_path.iterdir()):
        with pypdfium2.PdfDocument(path) as document:
            sides = [numbers_on(page) for page in document]
        assert any(sides)
        for front, back in zip(sides[::2], sides[1::2], strict=False):
            behind = list(reversed(back)) if options else back
            for one, other in zip(front, behind, strict=False):
                if one and other:
                    assert other == (one + 1 if options != ("--fold",) or one % 2 else one - 1)


def numbers_on(page: pypdfium2.PdfPage) -> list[int]:
    """Return the page numbers of the parts of a side from left to right; 0 for a part without one."""
    width, _ = page.get_size()
    parts = max(1, round(width / 420))
    text = page.get_textpage()
    found = []
    for part in range(parts):
        words = text.get_text_bounded(part * width / parts, 0, (part + 1) * width / parts, 60)
        match = re.search(r"(\d+) / \d+", words)
        found.append(int(match[1]) if match else 0)
    return found
