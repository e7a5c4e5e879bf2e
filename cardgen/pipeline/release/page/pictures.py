"""Pictures of cards of a release, and of the pixels that changed between two of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from cardgen.diagnostic import CardgenError
from cardgen.export.svg import render_face
from cardgen.model.entry import Entry
from cardgen.pipeline.build.render import CardRenderer
from cardgen.pipeline.load.deck import load_deck
from cardgen.pipeline.release.content.released_card import CardKey, ReleasedCard, by_key
from cardgen.pipeline.release.snapshot import release_of
from cardgen.project.project import corner_radius

_DPI, _QUALITY = 120, 82
# Differences of a channel below this come from the compression of pictures and the edges of letters.
_THRESHOLD, _MARK = 24, (255, 0, 110, 170)
SIDES = ("front", "back")


class CardPicture(NamedTuple):
    """The sides of a card as they are printed: PNG files, the second of which can be missing."""

    front: bytes
    back: bytes | None


def take_pictures(folder: Path, cards: Mapping[CardKey, ReleasedCard]) -> dict[CardKey, CardPicture]:
    """Return pictures of cards in the files of a project, those that are there as they were released.

    Cards that cannot be drawn have none. Strangers' templates have their limits.
    """
    project, deck = load_deck((), folder=folder, may_be_empty=True)
    actual = by_key(release_of("", project, deck).cards)
    same = {key for key, card in cards.items() if key in actual and _is_same(actual[key], card)}
    entries = {key: entry for entry in deck.cards if (key := (entry.game, entry.kind, entry.card.id)) in same}
    renderer = CardRenderer(project)
    renderer.expect(entries.values())
    pictures = {}
    for key, entry in entries.items():
        try:
            radius = corner_radius(project.settings, entry.kind)
            pictures[key] = _picture(renderer, entry, radius)
        except CardgenError:  # a check or a build reports it
            continue
    return pictures


def _is_same(one: ReleasedCard, other: ReleasedCard) -> bool:
    return (one.rules, one.words, one.look) == (other.rules, other.words, other.look)


def _picture(renderer: CardRenderer, entry: Entry, radius: float) -> CardPicture:
    piece, _ = renderer.render_piece(entry, backs=True)
    sides = [
        face and render_face(face, "png", renderer.fonts, "", _DPI, shape=piece.shape, radius=radius)
        for face in (piece.front, piece.back)
    ]
    assert sides[0], "each card has a front"
    return CardPicture(sides[0], sides[1])


def picture_data(old: CardPicture | None, new: CardPicture | None) -> Iterator[dict[str, object]]:
    """Yield the sides of a card for the page, with a mask of the changed pixels; equal backs are left out."""
    for number, side in enumerate(SIDES):
        one, two = (each[number] if each else None for each in (old, new))
        if (one is None and two is None) or (number and one == two) or (number and (old is None or new is None)):
            continue
        mask, share = _changed_pixels(one, two) if one and two else (None, None)
        sources = {"old": one and _source(one), "new": two and _source(two), "mask": mask}
        yield {"side": side, **sources, "share": share}


def _source(png: bytes) -> str:
    """Return a picture as the address of an image, in a smaller format."""
    with Image.open(BytesIO(png)) as picture:
        content = BytesIO()
        picture.save(content, "WEBP", quality=_QUALITY, method=4)
    return f"data:image/webp;base64,{b64encode(content.getvalue()).decode()}"


def _changed_pixels(old: bytes, new: bytes) -> tuple[str | None, float | None]:
    """Return a transparent picture with the changed pixels marked, and their share; None for another size."""
    with Image.open(BytesIO(old)) as one, Image.open(BytesIO(new)) as two:
        if one.size != two.size:
            return None, None
        difference = ImageChops.difference(one.convert("RGB"), two.convert("RGB"))
        channels = [channel.point(_is_changed) for channel in difference.split()]
    changed = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    share = changed.histogram()[255] / (changed.width * changed.height)
    mask = Image.new("RGBA", changed.size, (0, 0, 0, 0))
    mask.paste(_MARK, mask=changed.filter(ImageFilter.MaxFilter(3)))
    content = BytesIO()
    mask.quantize(4).save(content, "PNG", optimize=True)
    return f"data:image/png;base64,{b64encode(content.getvalue()).decode()}", share


def _is_changed(value: int) -> int:
    return 255 if value >= _THRESHOLD else 0
