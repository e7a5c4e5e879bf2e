"""playingcards.io and VirtualTabletop: a room as a .pcio file, a ZIP archive with widgets and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.output import zip_archive
from cardgen.target.profile import ServiceProfile
from cardgen.target.tabletops import atlas
from cardgen.target.tabletops.deck_sheets import (
    KindNames,
    Role,
    cards_with_role,
    decks_of,
    pixels_of,
    rounded,
    skipped,
    skipped_note,
    tile_note,
)
from cardgen.units import Shape, Size
from cardgen.validation.base import Int

Widget: TypeAlias = dict[str, Any]

# The present version of the schema, and the last one with the old name of piles.
_SCHEMA, _OLD_SCHEMA = 8, 5
_PILE, _OLD_PILE = "holder", "cardPile"
# A poker card is 103 units wide, as in the program's own decks.
_UNITS_PER_MM = 103 / 63.5
_ROOM_WIDTH, _PILE_MARGIN, _GAP = 1600, 4, 20
# Room for the label above a pile, and for the button below it.
_LABEL, _BUTTON = 40, 40
# Pixels of the longest side of a picture, such as that of a mat.
_LONGEST_SIDE = 4096
_ASSETS = "userassets"
_DATE = "2000-01-01"


class PcioProfile(ServiceProfile):
    """Limits of rooms: the number of widgets, and the bytes of a picture."""

    most_widgets: Annotated[Int, Field(ge=1)] = 1200
    most_bytes: Annotated[Int, Field(ge=1024)] = 2 * 2**20


class _Pile(NamedTuple):
    """Cards of one size in a pile; `corner_radius` is in units of the room."""

    id: str
    title: str
    size: Size
    cards: Sequence[RenderedCard]
    is_round: bool


Profile = PcioProfile


def export(job: ExportJob[PcioProfile]) -> Outcome:
    """Write a room with a pile for each kind and size of cards and pieces.

    Raises CardgenError for a picture that is too large.
    """
    room = _Room(job, KindNames(job), _OLD_PILE if job.options["old_schema"] else _PILE)
    for pile in _piles(job):
        room.add(pile)
    widgets = json.dumps(room.widgets, indent=1, ensure_ascii=False).encode()
    schema = _OLD_SCHEMA if job.options["old_schema"] else _SCHEMA
    texts = {"schemaVersion": str(schema), "variantId": job.stem, "variantDate": _DATE}
    files = {"widgets.json": widgets, **{name: text.encode() for name, text in texts.items()}, **room.assets}
    job.output.add(f"{job.stem}.pcio", zip_archive(files))
    counts = {"piles": room.piles, "widgets": len(room.widgets), "pictures": len(room.assets)}
    notes: list[str] = []
    count = len(room.widgets)
    notes += skipped_note(job.groups)
    notes += tile_note(job.groups)
    if count > job.profile.most_widgets:
        notes.append(
            f"{count} widgets are more than the {job.profile.most_widgets} that a room holds; use --only or --qty"
        )
    notes.append("playingcards.io deletes rooms after two weeks without visitors; keep the file")
    return Outcome(counts, tuple(notes), _NEXT_STEP, skipped(job.groups))


_NEXT_STEP = "import the file into a new room of playingcards.io, or load it as a game in VirtualTabletop"


def _piles(job: ExportJob[PcioProfile]) -> Iterator[_Pile]:
    for deck in decks_of(job):
        yield _Pile(deck.stem, deck.title, deck.size, deck.cards, is_round=False)
    names = KindNames(job)
    for role in (Role.TOKEN, Role.TILE):
        for card in cards_with_role(job.groups, role):
            name = f"{names.of(card)}-{card.entry.card.id}"
            is_round = card.piece.shape is Shape.ROUND
            yield _Pile(name, card.entry.card.name, rounded(card.size), [card], is_round)


@dataclass
class _Room:
    """The widgets and pictures of a room, with piles in rows."""

    job: ExportJob[PcioProfile]
    names: KindNames
    pile_type: str
    widgets: list[Widget] = field(default_factory=list)
    assets: dict[str, bytes] = field(default_factory=dict)
    piles: int = 0
    _x: float = _GAP
    _y: float = _LABEL
    _row_height: float = 0.0

    def add(self, pile: _Pile) -> None:
        """Add a pile with its deck and cards."""
        self.piles += 1
        width, height = (round(side * _UNITS_PER_MM) for side in pile.size)
        x, y = self._place(width + 2 * _PILE_MARGIN, height + 2 * _PILE_MARGIN)
        holder = {"id": f"{pile.id}-pile", "type": self.pile_type, "x": x, "y": y}
        holder |= {"width": width + 2 * _PILE_MARGIN, "height": height + 2 * _PILE_MARGIN, "label": pile.title}
        self.widgets.append({**holder, "hasShuffleButton": len(pile.cards) > 1})
        inner = {"parent": f"{pile.id}-pile", "x": x + _PILE_MARGIN, "y": y + _PILE_MARGIN}
        scale = atlas.fit_scale(pixels_of(pile.cards[0], self.job.dpi), _LONGEST_SIDE)
        picture = self.job.pictures(faces_of(pile.cards), self.job.dpi * scale)
        types = {}
        for card in pile.cards:
            sides = {"image": card.piece.front, "back": card.piece.back or card.piece.front}
            urls = {key: self._asset(card, key, face, picture(face)) for key, face in sides.items()}
            types[card.entry.card.id] = {"label": card.entry.card.name, **urls}
        deck = {"id": pile.id, "type": "cardDeck", **inner, "cardWidth": width, "cardHeight": height}
        faces = {"faceTemplate": _face("image", width, height), "backTemplate": _face("back", width, height)}
        self.widgets.append({**deck, "cardTypes": types, **faces, "enlarge": True})
        for card in pile.cards:
            for copy in range(1, self.job.copies(card) + 1):
                name = f"{pile.id}-{card.entry.card.id}-{copy}"
                owner = {"deck": pile.id, "cardType": card.entry.card.id}
                self.widgets.append({"id": name, "type": "card", **owner, **inner, "faceup": pile.is_round})

    def _asset(self, card: RenderedCard, side: str, face: Face, content: bytes) -> str:
        """Store a picture, and return its address; backs that cards share are stored once.

        Raises CardgenError if it is too large.
        """
        if len(content) > self.job.profile.most_bytes:
            message = f"the picture has {len(content):,} bytes, more than {self.job.profile.most_bytes:,}"
            raise CardgenError(
                Diagnostic(Code.NOT_EXPORTABLE, message, card.entry.place(("name",)), "use a lower --dpi")
            )
        known = next((name for name, each in self.assets.items() if each == content), None)
        name = known or f"{_ASSETS}/{self.names.of(card)}-{card.entry.card.id}-{side}.png"
        self.assets[name] = content
        return f"package://{name}"

    def _place(self, width: float, height: float) -> tuple[float, float]:
        """Return the place for a pile: beside the last one, or in a new row."""
        if self._x > _GAP and self._x + width > _ROOM_WIDTH:
            self._x, self._y, self._row_height = _GAP, self._y + self._row_height + _BUTTON + _LABEL, 0.0
        place = (self._x, self._y)
        self._x += width + _GAP
        self._row_height = max(self._row_height, height)
        return place


def _face(key: str, width: int, height: int) -> Widget:
    """Return a side of cards that shows the picture with a key."""
    image = {"type": "image", "x": 0, "y": 0, "w": width, "h": height}
    return {"includeBorder": False, "objects": [{**image, "valueType": "dynamic", "value": key}]}
