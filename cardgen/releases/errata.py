"""Errata as files: sheets and stickers for cards that changed since a release."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.deck.deck import project_icons
from cardgen.export.artwork.cairo import ArtworkCache
from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.print.face_pictures import FaceShape, Renderer, Resolution, rasterize
from cardgen.print.options import BuildRequest, paper_name
from cardgen.print.output_formats import Batch, Contents, finished_contents
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.project import Project
from cardgen.quantity import quantity
from cardgen.releases.changes import CardKey
from cardgen.releases.errata_sheet import Block, SheetHead, errata_blocks, errata_pages
from cardgen.releases.face_changes import PrintedChange, printed_changes
from cardgen.releases.selection import Selection, card_key, file_name_part
from cardgen.releases.stickers import (
    DPI,
    PlacedSticker,
    Sticker,
    list_blocks,
    place_stickers,
    sticker_pages,
    stickers_of,
)
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.leaf import Leaf, duplex_mode, pages_of, paper_leaves
from cardgen.sheet.page import SheetPage
from cardgen.text.galley import Compositor
from cardgen.validation.suggestion import slugify

SHEET, STICKERS = "sheet", "stickers"
CHOICES = (SHEET, STICKERS)


class Errata(NamedTuple):
    """The documents of errata, the number of stickers, and the cards that these update, which stay unprinted."""

    batches: tuple[Batch, ...] = ()
    stickers: int = 0
    updated: tuple[RenderedCard, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrataWriter:
    """Writer of the errata of a build; `sheet` has the paper and the printer's correction."""

    request: BuildRequest
    project: Project
    selection: Selection
    renderer: CardRenderer
    sheet: SheetSettings
    cache: ArtworkCache | None

    def write(self, rendered: Sequence[RenderedCard]) -> Errata:
        """Return the documents that the request names."""
        printed = printed_changes(self.selection, rendered, self.renderer, self.request.qty)
        stickers = self._stickers(printed) if STICKERS in self.request.errata else {}
        updated = tuple(each.card for each in printed if each.card and stickers.get(each.change.card.key) is not None)
        batches = []
        if SHEET in self.request.errata and (printed or self.selection.gone):
            batches.append(self._sheet(printed, {card_key(each) for each in updated}))
        placed = place_stickers((sticker for each in stickers.values() for sticker in each or ()), self.sheet.paper)
        if placed:
            batches.append(self._sticker_sheets(placed))
        return Errata(tuple(batches), len(placed), updated)

    @property
    def _title(self) -> str:
        changes = self.selection.changes
        return f"Errata {changes.old} → {changes.new}"

    def _sheet(self, printed: Sequence[PrintedChange], updated: Collection[CardKey]) -> Batch:
        selection = self.selection
        counts = f"{quantity(len(printed), 'card')} new or changed"
        head = SheetHead(
            self._title, f"{counts}, {len(selection.gone)} gone. Old words are struck, new ones underlined."
        )
        blocks = errata_blocks(selection.changes, printed, selection.gone, updated)
        return self._batch("errata", self._title, paper_leaves(self._pages(head, blocks)))

    def _sticker_sheets(self, placed: Sequence[PlacedSticker]) -> Batch:
        title = f"{self._title}: stickers"
        stickers = sticker_pages(placed, title, self.sheet.paper, self.sheet.front_correction)
        checklist = self._pages(SheetHead(title, "Tick off each sticker when it is glued."), list_blocks(placed))
        leaves = [Leaf(page, None, page.name) for page in stickers]
        leaves += [Leaf(page, None, page.name, is_plain=True) for page in checklist]
        return self._batch("stickers", title, leaves)

    def _pages(self, head: SheetHead, blocks: Iterable[Block]) -> list[SheetPage[Face]]:
        selection = self.selection
        game = next(each.card.game for each in (*selection.printed, *selection.gone))
        compositor = Compositor(self.renderer.fonts, project_icons(self.project, game))
        return errata_pages(head, blocks, self.sheet.paper, compositor)

    def _stickers(self, printed: Sequence[PrintedChange]) -> dict[CardKey, tuple[Sticker, ...] | None]:
        """Return the stickers of each card by game, kind, and id; None for one that is printed whole."""
        faces = [face for each in printed for side in each.sides for face in (side.old, side.new)]
        picture = self._pictures(faces) if faces else _no_picture
        return {each.change.card.key: stickers_of(each, picture) for each in printed}

    def _pictures(self, faces: Sequence[Face]) -> Callable[[Face], bytes]:
        renderer = Renderer(self.renderer.fonts, self._title, self.cache, self.request.processes)
        return rasterize(map(FaceShape, faces), Resolution(DPI), renderer)

    def _batch(self, what: str, title: str, leaves: Sequence[Leaf[Face]]) -> Batch:
        request = self.request
        owner = f"{slugify(request.warband)}-" if request.warband else ""
        part = "-selection" if request.only or request.paths else ""
        since = file_name_part(request.changed_since or "")
        path = request.output / f"{owner}{what}{part}-since-{since}-{paper_name(self.sheet.paper)}.pdf"

        pages, about = pages_of(leaves), writer.DocumentInfo(title, duplex=duplex_mode(leaves))

        def make(_: object) -> Contents:
            document = writer.write_file(pages, self.renderer.fonts, about, self.cache)
            return finished_contents(path, document)

        return Batch({path: (pages, about)}, make, len(leaves))


def _no_picture(_: Face) -> bytes:
    raise AssertionError("no card has an earlier face")
