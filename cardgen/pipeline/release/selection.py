"""Cards to print again because they changed since a release, and old copies to throw away."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import NamedTuple

from cardgen.model.entry import Entry
from cardgen.pipeline.build.documents import PrintDocument
from cardgen.pipeline.cache.build_manifest import DiscardedCard
from cardgen.pipeline.load.deck import load_deck, require_game
from cardgen.pipeline.options import BuildRequest
from cardgen.pipeline.release.changes import Change, compare
from cardgen.pipeline.release.run import WORKING_TREE, in_own_context, load_release
from cardgen.pipeline.release.snapshot import Release, ReleasedCard, release_of
from cardgen.project import Project


class Selection(NamedTuple):
    """The documents with only the cards to print, and the old cards that these replace or that are gone."""

    documents: list[PrintDocument]
    discarded: tuple[DiscardedCard, ...]


def select_changed(request: BuildRequest, project: Project, documents: Collection[PrintDocument]) -> Selection:
    """Return the cards of documents that are new or changed since the release that the request names.

    Pieces made from cards are selected with their cards. Raises CardgenError if there is no such release.
    """
    old = load_release(project.root, request.changed_since or "")
    classes = {Change.NEW, Change.RULES, *map(Change, request.changes)}
    changes = compare(old, in_own_context(lambda: _whole_release(project)))
    printed = [each for each in changes.cards if each.new and classes & {*each.changes}]
    ids = {(each.card.game, each.card.kind, each.card.id) for each in printed}
    chosen = [_only(document, lambda entry: _is_chosen(entry, ids)) for document in documents]
    used = {(entry.game, entry.card.id) for document in chosen for _, entry in document.cards}
    replaced = [each.old for each in printed if each.old and (each.card.game, each.card.id) in used]
    is_whole = not (request.paths or request.only or request.warband)
    gone = [each.old for each in changes.of(Change.GONE) if each.old] if is_whole else []
    return Selection([each for each in chosen if each.cards], tuple(map(_discarded, (*replaced, *gone))))


def _whole_release(project: Project) -> Release:
    own_project, deck = load_deck((), folder=project.root, may_be_empty=True)
    return release_of(WORKING_TREE, own_project, deck)


def _only(document: PrintDocument, is_chosen: Callable[[Entry], bool]) -> PrintDocument:
    return replace(document, cards=tuple((number, entry) for number, entry in document.cards if is_chosen(entry)))


def _is_chosen(entry: Entry, ids: Collection[tuple[str, str, str]]) -> bool:
    """Return whether a card, or the card that a piece is made from, has one of the ids."""
    kinds = (entry.kind, *require_game(entry.game).kinds[entry.kind].made_from)
    return any((entry.game, kind, entry.card.id) in ids for kind in kinds)


def _discarded(card: ReleasedCard) -> DiscardedCard:
    return DiscardedCard(card.game, card.kind, card.id, card.name, card.qty)
