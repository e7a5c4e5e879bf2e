"""Tabletop Simulator: saved objects with decks, cards, tokens, tiles, and bags."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, Outcome
from cardgen.target.tabletops import atlas
from cardgen.target.tabletops.deck_sheets import (
    CardDeck,
    DeckSheet,
    KindNames,
    Role,
    SheetProfile,
    cards_with_role,
    deck_sheets,
    decks_of,
    piece_pictures,
    skipped,
    skipped_note,
    tile_note,
)
from cardgen.target.tabletops.tts_objects import (
    Json,
    common_keys,
    custom_deck,
    custom_tile,
    encode,
    saved_object,
    transform,
)
from cardgen.units import CARD_SIZES, MM_PER_INCH
from cardgen.validation.base import Int

# A round tile, and a rectangular one.
_CIRCLE, _BOX = 2, 0
# The distance of objects on the table, in its units, which are inches.
_SPACING = 4.0
# The width of a tile at scale 1.
_TILE_INCHES = 2.0
_THUMBNAIL = 256
_ID_STEP = 100


class TtsProfile(SheetProfile):
    """Limits of the sheets of cards: no more columns and rows than the game reads."""

    columns: Annotated[Int, Field(ge=1, le=10)] = 10
    rows: Annotated[Int, Field(ge=1, le=7)] = 7


Profile = TtsProfile


def export(job: ExportJob[TtsProfile]) -> Outcome:
    """Write a saved object with its sheets and its thumbnail."""
    table = _Table(job, KindNames(job))
    decks = list(decks_of(job))
    objects = [each for deck in decks for each in table.deck(deck)]
    tokens = table.pieces(cards_with_role(job.groups, Role.TOKEN), _CIRCLE)
    tiles = table.pieces(cards_with_role(job.groups, Role.TILE), _BOX)
    if job.request.warband is not None:
        placed = [table.bag(job.title, [*objects, *tokens, *tiles])]
    else:
        placed = [*objects, *([table.bag("Tokens", tokens)] if tokens else []), *tiles]
    for number, each in enumerate(placed):
        each["Transform"]["posX"] = number * _SPACING
    job.output.add(f"{job.stem}.json", encode(saved_object(placed)))
    if table.thumbnail:
        job.output.add(f"{job.stem}.png", table.thumbnail)
    counts = {"decks": len(decks), "sheets": table.sheets, "tokens": len(tokens), "tiles": len(tiles)}
    notes = [*skipped_note(job.groups), *tile_note(job.groups)]
    if not job.options["asset_base_url"]:
        notes.append("pictures are named by their paths on this computer, which other players cannot see")
    notes.append("no rules or scripts, only pictures and names")
    return Outcome(counts, tuple(notes), _next_step(job), skipped(job.groups))


def _next_step(job: ExportJob[TtsProfile]) -> str:
    copy = f"copy {job.stem}.json and {job.stem}.png to the folder 'Saves/Saved Objects' of Tabletop Simulator"
    url = job.options["asset_base_url"]
    return f"upload the files in images to {url}, and {copy}" if url else f"{copy}; keep the folder images where it is"


@dataclass
class _Table:
    """Objects of one saved object, and the pictures that they use."""

    job: ExportJob[TtsProfile]
    names: KindNames
    sheets: int = 0
    thumbnail: bytes = b""
    _next_key: int = 1
    _urls: dict[bytes, str] = field(default_factory=dict)
    _guids: set[str] = field(default_factory=set)

    def deck(self, deck: CardDeck) -> list[Json]:
        """Return a deck, or a card if there is only one; cards with a second side of their own are single cards."""
        custom_decks: dict[int, Json] = {}
        card_ids: dict[int, int] = {}
        for number, sheet in enumerate(deck_sheets(self.job, deck, self.job.profile.limits), 1):
            key = self._new_key()
            custom_decks[key] = self._sheet(deck, number, sheet)
            card_ids |= {id(card): _ID_STEP * key + cell for cell, card in enumerate(sheet.cards)}
        stacked: list[Json] = []
        single: list[Json] = []
        for card in deck.cards:
            copies = range(self.job.copies(card))
            made = [self._card(card, copy, card_ids[id(card)], custom_decks) for copy in copies]
            for each in made:
                each["Transform"] = transform(_card_scale(deck))
            if deck.is_double_sided(card):
                single += map(self._with_second_side, made)
            else:
                stacked += made
        return [*(stacked if len(stacked) < 2 else [self._stack(deck, stacked)]), *single]

    def _stack(self, deck: CardDeck, cards: list[Json]) -> Json:
        """Return a deck of cards, with the sheets that they use."""
        return {
            **common_keys("Deck", self._guid("deck", deck.stem), deck.title, gray=True),
            "Transform": transform(_card_scale(deck)),
            "HideWhenFaceDown": True,
            "SidewaysCard": False,
            "DeckIDs": [each["CardID"] for each in cards],
            "CustomDeck": {key: sheet for each in cards for key, sheet in each["CustomDeck"].items()},
            "ContainedObjects": cards,
        }

    def pieces(self, cards: Sequence[RenderedCard], kind: int) -> list[Json]:
        """Return a tile for each copy of each card. Those with two different sides have the other one as a state."""
        tiles = []
        for card in cards:
            pictures = piece_pictures(self.job, card, self.job.profile.longest_side)
            stem = f"{self.names.of(card)}-{card.entry.card.id}"
            urls = [self._url(f"{stem}-{side}", picture) for side, picture in pictures._asdict().items()]
            tiles += [self._tile(card, copy, urls, kind) for copy in range(self.job.copies(card))]
        return tiles

    def bag(self, title: str, contents: Iterable[Json]) -> Json:
        """Return a bag with objects."""
        return {
            **common_keys("Bag", self._guid("bag", title), title),
            "MaterialIndex": -1,
            "MeshIndex": -1,
            "Bag": {"Order": 0},
            "ContainedObjects": list(contents),
        }

    def _sheet(self, deck: CardDeck, number: int, sheet: DeckSheet) -> Json:
        """Write a sheet of cards, and return its description."""
        stem = f"{deck.stem}-{number}"
        self.thumbnail = self.thumbnail or atlas.thumbnail(atlas.cell(sheet.front, sheet.grid, 0), _THUMBNAIL)
        self.sheets += 1 + sheet.has_own_backs
        face_url = self._url(f"{stem}-fronts", sheet.front)
        back_url = self._url(f"{stem}-backs" if sheet.has_own_backs else f"{deck.stem}-back", sheet.back)
        return custom_deck(face_url, back_url, sheet.grid, unique_back=sheet.has_own_backs)

    def _card(self, card: RenderedCard, copy: int, card_id: int, custom_decks: Mapping[int, Json]) -> Json:
        key = card_id // _ID_STEP
        return {
            **self._card_object("Card", card, copy, gray=True),
            "HideWhenFaceDown": True,
            "Hands": True,
            "CardID": card_id,
            "SidewaysCard": False,
            "CustomDeck": {str(key): custom_decks[key]},
        }

    def _with_second_side(self, card: Json) -> Json:
        """Return a card that has its back as a state."""
        (faces,), new_key = card["CustomDeck"].values(), self._new_key()
        turned = {**faces, "FaceURL": faces["BackURL"], "BackURL": faces["FaceURL"]}
        state = {**card, "GUID": self._guid(card["GUID"], "state"), "CustomDeck": {str(new_key): turned}}
        state["CardID"] = card["CardID"] % _ID_STEP + _ID_STEP * new_key
        return {**card, "States": {"2": state}}

    def _tile(self, card: RenderedCard, copy: int, urls: Sequence[str], kind: int) -> Json:
        front, back = urls
        tile = {
            **self._card_object("Custom_Tile", card, copy),
            "Transform": transform(round(card.size.height / MM_PER_INCH / _TILE_INCHES, 3)),
            "CustomImage": custom_tile(front, back, kind),
        }
        if front == back or card.piece.back is None:
            return tile
        turned = {**tile, "GUID": self._guid(tile["GUID"], "state"), "CustomImage": custom_tile(back, front, kind)}
        return {**tile, "States": {"2": turned}}

    def _card_object(self, name: str, card: RenderedCard, copy: int, *, gray: bool = False) -> Json:
        entry = card.entry
        guid = self._guid(entry.game, entry.kind, entry.card.id, str(copy))
        made = common_keys(name, guid, entry.card.name, gray=gray)
        return {**made, "Tags": list(dict.fromkeys((entry.kind, *entry.card.tags)))}

    def _guid(self, *identity: str) -> str:
        """Return six hexadecimal digits that no other object has; the same for the same cards."""
        for salt in range(16**6):
            digest = hashlib.sha256("\0".join((self.job.stem, *identity, str(salt))).encode()).hexdigest()[:6]
            if digest not in self._guids:
                self._guids.add(digest)
                return digest
        raise OverflowError("too many objects")

    def _new_key(self) -> int:
        key = self._next_key
        self._next_key += 1
        return key

    def _url(self, stem: str, content: bytes) -> str:
        """Write a picture, and return its address.

        Its name depends on its content, because Tabletop Simulator keeps the picture of an address forever.
        """
        if content not in self._urls:
            name = f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}.png"
            self.job.output.add(f"images/{name}", content)
            base = self.job.options["asset_base_url"]
            local = Path.cwd() / self.job.request.output / "images" / name
            self._urls[content] = f"{base.rstrip('/')}/{name}" if base else str(local)
        return self._urls[content]


def _card_scale(deck: CardDeck) -> float:
    """Return the scale of cards, in steps of 0.05; poker cards have 1."""
    return round(max(deck.size) / CARD_SIZES["poker"].height * 20) / 20
