"""A comparison of releases as a web page with pictures of both, and of the pixels that changed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from cardgen.deck.deck import load_deck
from cardgen.deck.release_file import CardKey, ReleasedCard, by_key
from cardgen.diagnostic import CardgenError
from cardgen.export import web_page
from cardgen.export.pictures import to_webp
from cardgen.export.svg import render_face
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.project.project import corner_radius
from cardgen.referee.trial import MOST_LEFT_OUT
from cardgen.releases.changes import Change, ChangedCard, Changes, Meanings, meaning_lines
from cardgen.releases.report import (
    TITLES,
    game_value_text,
    language_lines,
    look_and_copies,
    ruling_text,
    summary,
    value_texts,
)
from cardgen.releases.run import folder_of
from cardgen.releases.snapshot import release_of
from cardgen.runtime.fingerprint import find_project_root

_DPI = 120
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
    return f"data:image/webp;base64,{b64encode(to_webp(png)).decode()}"


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


# Drawing a card takes about a tenth of a second.
MOST_PICTURES = 300
_MAX_TEXT = 4000
_NO_OLD = "no picture of {}: it has neither a Git tag nor a commit with these cards"


def as_html(changes: Changes, meanings: Meanings, old: str, new: str | None) -> bytes:
    """Return the page; `old` and `new` are the names of the releases, for the files of their pictures."""
    shown = changes.cards[:MOST_PICTURES]
    before = _pictures(old, {each.old.key: each.old for each in shown if each.old})
    after = _pictures(new, {each.new.key: each.new for each in shown if each.new})
    notes = [meanings.note] if meanings.note else []
    if len(changes.cards) > MOST_PICTURES:
        notes.append(f"pictures of the first {MOST_PICTURES} cards only")
    data = {
        "summary": summary(changes),
        "old": changes.old,
        "new": changes.new,
        "leftOut": [*meanings.left_out],
        "mostLeftOut": MOST_LEFT_OUT,
        "notes": notes,
        "rules": [
            *map(ruling_text, changes.rulings),
            *map(game_value_text, changes.game_values),
            *language_lines(changes),
        ],
        "classes": [{"id": each.value, "title": TITLES[each], "count": len(changes.of(each))} for each in Change],
        "cards": [_card(each, changes, meanings, before, after) for each in changes.cards],
    }
    return web_page.write(__package__, f"Changed cards: {changes.old} → {changes.new}", data)


def _pictures(name: str | None, cards: dict[CardKey, ReleasedCard]) -> dict[CardKey, CardPicture]:
    """Return pictures of cards in a release.

    There are none if the files of an earlier release have problems now.
    """
    try:
        with folder_of(find_project_root(Path.cwd()), name) as folder:
            return take_pictures(folder, cards) if folder and cards else {}
    except CardgenError:
        return {}


def _card(
    each: ChangedCard,
    changes: Changes,
    meanings: Meanings,
    before: dict[CardKey, CardPicture],
    after: dict[CardKey, CardPicture],
) -> dict[str, object]:
    card, meaning = each.card, meanings.cards.get(each.card.key)
    old, new = before.get(each.old.key) if each.old else None, after.get(each.new.key) if each.new else None
    missing = [
        _NO_OLD.format(name)
        for release, picture, name in ((each.old, old, changes.old), (each.new, new, changes.new))
        if release and not picture
    ]
    return {
        "id": card.id,
        "former": each.old.id if each.old and each.old.id != card.id else "",
        "name": card.name,
        "kind": card.kind,
        "game": card.game,
        "change": each.change.value,
        "also": [change.value for change in each.changes[1:]],
        "values": [list(texts) for texts in value_texts(each, _MAX_TEXT)],
        "lines": [*look_and_copies(each), *(meaning_lines(meaning) if meaning else ())],
        "sides": list(picture_data(old, new)),
        "notes": missing,
    }
