"""Tabletop Playground: a package with textures, and templates of cards and tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import Field

from cardgen.print.render import RenderedCard
from cardgen.target.job import ExportJob, Outcome
from cardgen.target.tabletops import atlas
from cardgen.target.tabletops.atlas import Grid
from cardgen.target.tabletops.deck_sheets import (
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
from cardgen.target.tabletops.tts_objects import encode
from cardgen.units import Size
from cardgen.validation.base import Int

Json: TypeAlias = dict[str, Any]

# Where the back is: in a texture of its own, alone or at the index of the front.
_ONE_BACK, _BACK_AT_INDEX = -2, -3
_HIDDEN_AS_BACK = -3
_CARD_CM, _TOKEN_CM = 0.05, 0.2
_MM_PER_CM = 10


class TtpgProfile(SheetProfile):
    """Limits of the textures, which can be larger than those of other programs."""

    longest_side: Annotated[Int, Field(ge=256, le=8192)] = 8192


class _Stack(NamedTuple):
    """A stack of cards or tokens: its template is one file."""

    name: str
    path: str
    size: Size
    cards: Sequence[RenderedCard]
    grid: Grid
    back_index: int
    shape: str
    is_card: bool


Profile = TtpgProfile


def export(job: ExportJob[TtpgProfile]) -> Outcome:
    """Write a package: a folder with a manifest, textures, and templates."""
    package = _Package(job)
    stacks = [*package.decks(), *package.pieces(Role.TOKEN, "Round"), *package.pieces(Role.TILE, "Square")]
    for stack in stacks:
        job.output.add(f"{job.stem}/Templates/{stack.path}.json", encode(package.template(stack)))
    manifest = {"Name": job.title, "Version": "1", "GUID": package.guid("package")}
    job.output.add(f"{job.stem}/Manifest.json", encode(manifest))
    counts = {"templates": len(stacks)}
    notes = (*skipped_note(job.groups), *tile_note(job.groups), "no rules or scripts, only pictures and names")
    next_step = f"copy the folder {job.stem} to the package folder of Tabletop Playground"
    return Outcome(counts, notes, next_step, skipped(job.groups))


@dataclass(frozen=True, slots=True)
class _Package:
    """The textures and stacks of one package."""

    job: ExportJob[TtpgProfile]

    def decks(self) -> Iterator[_Stack]:
        """Write the textures of all decks; yield a stack for each sheet."""
        for deck in decks_of(self.job):
            sheets = list(deck_sheets(self.job, deck, self.job.profile.limits))
            for number, sheet in enumerate(sheets, 1):
                name = deck.title if len(sheets) == 1 else f"{deck.title} {number}"
                path = f"{deck.stem}/{number}"
                self._add_textures(path, sheet.front, sheet.back)
                back = _BACK_AT_INDEX if sheet.has_own_backs else _ONE_BACK
                yield _Stack(name, path, deck.size, sheet.cards, sheet.grid, back, "Rounded", is_card=True)

    def pieces(self, role: Role, shape: str) -> Iterator[_Stack]:
        """Write the textures of all pieces with a role; yield a stack for each."""
        names = KindNames(self.job)
        for card in cards_with_role(self.job.groups, role):
            pictures = piece_pictures(self.job, card, self.job.profile.longest_side)
            path = f"{names.of(card)}/{card.entry.card.id}"
            self._add_textures(path, *(atlas.encode(atlas.opaque(side)) for side in pictures))
            yield _Stack(card.entry.card.name, path, card.size, [card], Grid(1, 1), _ONE_BACK, shape, is_card=False)

    def template(self, stack: _Stack) -> Json:
        """Return the template of a stack, with the keys that the program itself writes."""
        numbered = list(enumerate(stack.cards))
        return {
            "Type": "Card",
            "GUID": self.guid(stack.path),
            "Name": stack.name,
            "Metadata": "",
            **_PHYSICS,
            "FrontTexture": f"{stack.path}-front.png",
            "BackTexture": f"{stack.path}-back.png",
            "HiddenTexture": "",
            "BackIndex": stack.back_index,
            "HiddenIndex": _HIDDEN_AS_BACK,
            "NumHorizontal": stack.grid.columns,
            "NumVertical": stack.grid.rows,
            "Width": round(stack.size.width / _MM_PER_CM, 3),
            "Height": round(stack.size.height / _MM_PER_CM, 3),
            "Thickness": _CARD_CM if stack.is_card else _TOKEN_CM,
            "HiddenInHand": stack.is_card,
            "UsedWithCardHolders": stack.is_card,
            "CanStack": True,
            "UsePrimaryColorForSide": False,
            "FrontTextureOverrideExposed": False,
            "AllowFlippedInStack": not stack.is_card,
            "MirrorBack": True,
            "Model": stack.shape,
            "Indices": [index for index, card in numbered for _ in range(self.job.copies(card))],
            "CardNames": {str(index): card.entry.card.name for index, card in numbered},
            "CardMetadata": {str(index): f"{card.entry.kind}:{card.entry.card.id}" for index, card in numbered},
            "CardTags": {
                str(index): list(dict.fromkeys((card.entry.kind, *card.entry.card.tags))) for index, card in numbered
            },
            "Tags": sorted({card.entry.kind for card in stack.cards}),
        }

    def guid(self, *identity: str) -> str:
        """Return 32 hexadecimal digits, the same for the same names."""
        return hashlib.sha256("\0".join((self.job.stem, *identity)).encode()).hexdigest()[:32].upper()

    def _add_textures(self, path: str, front: bytes, back: bytes) -> None:
        for side, content in (("front", front), ("back", back)):
            self.job.output.add(f"{self.job.stem}/Textures/{path}-{side}.png", content)


# Colors and access in ground mode are left to their defaults: the program writes other values than its schema allows.
_PHYSICS: Json = {
    "CollisionType": "Regular",
    "Friction": 0.7,
    "Restitution": 0,
    "Density": 0.5,
    "SurfaceType": "Cardboard",
    "Roughness": 1,
    "Metallic": 0,
    "Flippable": True,
    "AutoStraighten": False,
    "ShouldSnap": True,
    "ScriptName": "",
    "Blueprint": "",
    "Models": [],
    "Collision": [],
    "SnapPointsGlobal": False,
    "SnapPoints": [],
    "ZoomViewDirection": {"X": 0, "Y": 0, "Z": 0},
}
