"""A comparison of releases as a web page with pictures of both."""

from __future__ import annotations

from contextvars import copy_context
from functools import partial
from pathlib import Path

from cardgen.diagnostic import CardgenError
from cardgen.export import web_page
from cardgen.pipeline.release.changes import Change, ChangedCard, Changes
from cardgen.pipeline.release.content.released_card import CardKey, ReleasedCard
from cardgen.pipeline.release.odds.consequences import Meanings, meaning_lines
from cardgen.pipeline.release.page.pictures import CardPicture, picture_data, take_pictures
from cardgen.pipeline.release.report import TITLES, game_value_text, look_and_copies, ruling_text, summary, value_texts
from cardgen.pipeline.release.run import folder_of
from cardgen.referee.trial import MOST_LEFT_OUT
from cardgen.runtime.fingerprint import find_project_root

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
        "rules": [*map(ruling_text, changes.rulings), *map(game_value_text, changes.game_values)],
        "classes": [{"id": each.value, "title": TITLES[each], "count": len(changes.of(each))} for each in Change],
        "cards": [_card(each, changes, meanings, before, after) for each in changes.cards],
    }
    return web_page.write("cardgen.export.diff", f"Changed cards: {changes.old} → {changes.new}", data)


def _pictures(name: str | None, cards: dict[CardKey, ReleasedCard]) -> dict[CardKey, CardPicture]:
    """Return pictures of cards in a release; the games of its files are in force only meanwhile.

    There are none if the files of an earlier release have problems now.
    """
    try:
        with folder_of(find_project_root(Path.cwd()), name) as folder:
            return copy_context().run(partial(take_pictures, folder, cards)) if folder and cards else {}
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
