"""Card Game Simulator: a custom game with sets, backs, and decks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cardgen.deck.card_lookup import APPEARANCE_KEYS
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.profile import ServiceProfile
from cardgen.target.tabletops.deck_sheets import KindNames, Role, role_of, rounded, skipped, skipped_note
from cardgen.units import MM_PER_INCH

_KIND = "kind"
_NOT_PROPERTIES = APPEARANCE_KEYS | {"id", "name", _KIND, "set", "backs"}


class CgsProfile(ServiceProfile):
    """The keys that every profile has."""


Profile = CgsProfile


def export(job: ExportJob[CgsProfile]) -> Outcome:
    """Write the folder of a game: descriptions, pictures, and decks."""
    cards = [card for card in job.cards if role_of(card) in (Role.CARD, Role.TOKEN)]
    names = KindNames(job)
    game = _Game(job, _folder_url(job), names)
    backs = game.write_pictures(cards)
    listed = [game.card(card, backs) for card in cards]
    kinds = {names.of(card): names.title(card) for card in cards}
    decks = {kind: [card for card in cards if names.of(card) == kind] for kind in kinds}
    if job.request.warband is not None:
        decks[job.stem] = cards
    description = game.description(cards, listed, backs, decks)
    for name in ("cgs", job.stem):
        game.add(f"{name}.json", _encode(description))
    game.add("AllCards.json", _encode(listed))
    game.add("AllSets.json", _encode([{"code": kind, "name": title} for kind, title in kinds.items()]))
    for name, content in decks.items():
        game.add(f"decks/{name}.txt", "".join(game.deck_lines(name, content)).encode())
    counts = {"sets": len(kinds), "decks": len(decks), "backs": len(set(backs.values()))}
    return Outcome(counts, tuple(_notes(job, cards)), _next_step(job), skipped(job.groups, Role.SKIPPED, Role.TILE))


def _notes(job: ExportJob[CgsProfile], cards: Iterable[RenderedCard]) -> Iterator[str]:
    yield from skipped_note(job.groups)
    tiles = dict.fromkeys(card.entry.kind for card in job.cards if role_of(card) is Role.TILE)
    if tiles:
        yield f"skipped {', '.join(tiles)}: the program has only cards"
    sizes = Counter(rounded(card.size) for card in cards)
    if len(sizes) > 1:
        yield f"all cards are shown as {sizes.most_common(1)[0][0]}: a game has one size of card"
    yield "no rules or scripts, only pictures and values"


def _next_step(job: ExportJob[CgsProfile]) -> str:
    url = job.options["asset_base_url"]
    if url:
        return f"upload the files in {job.stem} to {url}, and add the game by the address {_folder_url(job)}/cgs.json"
    return f"copy the folder {job.stem} to the folder 'games' of Card Game Simulator"


def _folder_url(job: ExportJob[CgsProfile]) -> str:
    url = job.options["asset_base_url"]
    return str(url).rstrip("/") if url else (Path.cwd() / job.request.output / job.stem).as_uri()


@dataclass(frozen=True, slots=True)
class _Game:
    """The files of one game, below an address."""

    job: ExportJob[CgsProfile]
    url: str
    names: KindNames

    def id(self, card: RenderedCard) -> str:
        """Return the id of a card, unique within the game."""
        return f"{self.names.of(card)}-{card.entry.card.id}"

    def add(self, path: str, content: bytes) -> None:
        """Add a file to the folder of the game."""
        self.job.output.add(f"{self.job.stem}/{path}", content)

    def write_pictures(self, cards: list[RenderedCard]) -> dict[int, str]:
        """Write the pictures of cards, and return the names of backs by identity."""
        picture = self.job.pictures(faces_of(cards), self.job.dpi)
        backs: dict[int, str] = {}
        contents: dict[bytes, str] = {}
        for card in cards:
            self.add(f"sets/{self.names.of(card)}/{self.id(card)}.png", picture(card.piece.front))
            back = card.piece.back
            if back is not None and id(back) not in backs:
                content = picture(back)
                if content not in contents:
                    contents[content] = self.id(card)
                    self.add(f"backs/{contents[content]}.png", content)
                backs[id(back)] = contents[content]
        if backs:
            self.add("CardBack.png", picture(_usual_back(cards)))
        return backs

    def card(self, card: RenderedCard, backs: Mapping[int, str]) -> dict[str, Any]:
        """Return a card with its values."""
        entry = card.entry
        values = {"id": self.id(card), "name": entry.card.name, "set": self.names.of(card), _KIND: entry.kind}
        own = {"backs": [backs[id(card.piece.back)]]} if card.piece.back is not None else {}
        # The numbers and words of a card, without lists and maps.
        data = card.entry.card.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=_NOT_PROPERTIES)
        properties = {key: value for key, value in data.items() if isinstance(value, str | int | float | bool)}
        return {**values, **own, **properties}

    def description(
        self,
        cards: list[RenderedCard],
        listed: Iterable[Mapping[str, Any]],
        backs: Mapping[int, str],
        decks: Iterable[str],
    ) -> dict[str, Any]:
        """Return the description of the game."""
        size = Counter(rounded(card.size) for card in cards).most_common(1)[0][0]
        hosted = self.job.options["asset_base_url"]
        return {
            "name": self.job.title,
            "allCardsUrl": f"{self.url}/AllCards.json",
            "allSetsUrl": f"{self.url}/AllSets.json",
            "autoUpdate": 30 if hosted else -1,
            **({"autoUpdateUrl": f"{self.url}/cgs.json"} if hosted else {}),
            "cardImageUrl": f"{self.url}/sets/{{cardSet}}/{{cardId}}.{{cardImageFileType}}",
            **({"cardBackImageUrl": f"{self.url}/CardBack.png"} if backs else {}),
            "cardBackFaceImageUrls": [
                {"id": name, "url": f"{self.url}/backs/{name}.png"} for name in dict.fromkeys(backs.values())
            ],
            "cardNameIsUnique": False,
            "deckFileTxtId": "id",
            "cardPrimaryProperty": _KIND,
            "cardProperties": _property_types(listed),
            "cardSize": {axis: round(side / MM_PER_INCH, 3) for axis, side in zip("xy", size, strict=True)},
            "deckUrls": [{"name": name, "url": f"{self.url}/decks/{quote(name)}.txt"} for name in decks],
        }

    def deck_lines(self, name: str, cards: Iterable[RenderedCard]) -> Iterator[str]:
        """Yield the lines of a deck: copies, id, name, and set."""
        yield f"### {name}\n"
        for card in cards:
            yield f"{self.job.copies(card)} [{self.id(card)}] {card.entry.card.name} ({self.names.of(card)})\n"


def _usual_back(cards: Iterable[RenderedCard]) -> Face:
    """Return the back that most cards have; at least one must have a back."""
    backs = [card.piece.back for card in cards if card.piece.back is not None]
    usual, _ = Counter(map(id, backs)).most_common(1)[0]
    return next(back for back in backs if id(back) == usual)


def _property_types(listed: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the properties of all cards; one with several types is a text."""
    types: dict[str, set[str]] = {}
    for card in listed:
        for key, value in card.items():
            if key not in ("id", "name", "set", "backs"):
                types.setdefault(key, set()).add(_type_name(value))
    return [
        {
            "name": key,
            "display": key.replace("_", " ").capitalize(),
            "type": kinds.pop() if len(kinds) == 1 else "string",
        }
        for key, kinds in types.items()
    ]


def _type_name(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "string"


def _encode(content: object) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
