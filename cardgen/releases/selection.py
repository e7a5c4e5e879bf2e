"""Cards to print again because they changed since a release, their versions, and old copies to throw away."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import kind_of, load_deck
from cardgen.deck.release_file import CardKey, Release, release_date, release_files
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words
from cardgen.language import tag_and_fallbacks
from cardgen.model.card import Entry
from cardgen.print.build_manifest import DiscardedCard, UnprintedCard
from cardgen.print.documents import PrintDocument
from cardgen.print.render import RenderedCard
from cardgen.print.request import BuildRequest
from cardgen.print.version_mark import Versions
from cardgen.project.project import Project
from cardgen.releases.changes import Change, ChangedCard, Changes, compare
from cardgen.releases.run import WORKING_TREE, load_release
from cardgen.releases.snapshot import release_of

_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


class Selection(NamedTuple):
    """The documents with only the cards to print, and all changes since the release.

    `printed` are the changes of the cards in the documents, and `gone` the cards that are gone. `reason` says why there
    are no documents. `unprinted` are the cards of the documents that changed in other classes than printed.
    """

    documents: list[PrintDocument]
    changes: Changes
    printed: tuple[ChangedCard, ...]
    gone: tuple[ChangedCard, ...]
    reason: str = ""
    unprinted: tuple[UnprintedCard, ...] = ()

    @property
    def discarded(self) -> tuple[DiscardedCard, ...]:
        """The old cards to throw away: those that new ones replace, and those that are gone."""
        return tuple(
            DiscardedCard(each.old.game, each.old.kind, each.old.id, each.old.name, each.old.qty)
            for each in (*self.printed, *self.gone)
            if each.old
        )

    def without(self, cards: Iterable[RenderedCard]) -> Selection:
        """Return the selection without cards that stay in use, with stickers."""
        keys = set(map(card_key, cards))
        return self._replace(printed=tuple(each for each in self.printed if each.card.key not in keys))


def select_changed(request: BuildRequest, project: Project, documents: Collection[PrintDocument]) -> Selection:
    """Return the cards of documents that are new or changed since the release that the request names.

    Pieces made from cards are selected with their cards. Raises CardgenError if there is no such release.
    """
    classes = {Change.NEW, Change.RULES, *map(Change, request.changes)}
    now = whole_release(project)
    now = _named(now, project.root) if request.errata else now
    changes = changes_since(project, request.changed_since or "", "--changed-since", now)
    printed = [each for each in changes.cards if each.new and classes & {*each.changes}]
    ids = {(each.card.game, each.card.kind, each.card.id) for each in printed}
    chosen = [_only(document, lambda entry: _is_chosen(entry, ids)) for document in documents]
    used = {(entry.game, entry.card.id) for document in chosen for _, entry in document.cards}
    shown = tuple(each for each in printed if (each.card.game, each.card.id) in used)
    is_whole = not (request.paths or request.only or request.warband)
    gone = changes.of(Change.GONE) if is_whole else ()
    all_ids = {(entry.game, entry.card.id) for document in documents for _, entry in document.cards}
    unprinted = [
        each for each in changes.cards if each.new and each not in printed and (each.card.game, each.card.id) in all_ids
    ]
    named = [_since(document, changes.old) for document in chosen if document.cards]
    reason = "" if named else _reason(request)
    return Selection(named, changes, shown, gone, reason, tuple(map(_unprinted, unprinted)))


def _unprinted(each: ChangedCard) -> UnprintedCard:
    card = each.card
    return UnprintedCard(card.game, card.kind, card.id, card.name, tuple(change.value for change in each.changes))


def card_key(card: RenderedCard) -> CardKey:
    """Return the game, kind, and id of a card."""
    return card.entry.game, card.entry.kind, card.entry.card.id


def _named(now: Release, root: Path) -> Release:
    """Return the cards as they are now, under the name of the latest release if that has the same ones."""
    latest = next(reversed(release_files(root)), None)
    if latest is None or compare(load_release(root, latest), now).cards:
        return now
    return now._replace(name=latest)


def _reason(request: BuildRequest) -> str:
    classes = (Change.RULES, *request.changes)
    what = join_words(classes)
    return f"none is new or changed its {what} since {request.changed_since}"


def file_name_part(release: str) -> str:
    """Return the name of a release, or of a Git revision, as part of a file name."""
    return _UNSAFE.sub("-", release)


def _since(document: PrintDocument, release: str) -> PrintDocument:
    """Return a document with names of its own, so that the complete one stays as it is."""
    suffix, label = f"-since-{file_name_part(release)}", f" (changes since {release})"
    series = document.series._replace(stem=document.series.stem + suffix, title=document.series.title + label)
    return document._replace(stem=document.stem + suffix, title=document.title + label, series=series)


def changes_since(project: Project, name: str, argument: str, now: Release) -> Changes:
    """Return the changes from a release to now, in the language that is built, or else in that of the cards.

    Raises CardgenError, located at the `argument`, if there is no such release, or none in this language.
    """
    old, language = load_release(project.root, name, argument), project.workspace.language
    if not old.languages.intersection(tags := tag_and_fallbacks(language)) and now.languages.intersection(tags):
        message = f"the release '{name}' has no texts in the language '{language}'"
        advice = "build all cards, or compare with a later release"
        raise CardgenError(Diagnostic(Code.NO_RELEASE, message, Place(argument), advice))
    return compare(old.in_language(language), now.in_language(language), project.workspace)


def whole_release(project: Project) -> Release:
    """Return all cards of a project as they are now, with their translations."""
    own_project, deck = load_deck((), may_be_empty=True, workspace=project.workspace)
    return release_of(WORKING_TREE, own_project, deck)


def _only(document: PrintDocument, is_chosen: Callable[[Entry], bool]) -> PrintDocument:
    return document._replace(cards=tuple((number, entry) for number, entry in document.cards if is_chosen(entry)))


def _is_chosen(entry: Entry, ids: Collection[tuple[str, str, str]]) -> bool:
    """Return whether a card, or the card that a piece is made from, has one of the ids."""
    kinds = (entry.kind, *kind_of(entry).made_from)
    return any((entry.game, kind, entry.card.id) in ids for kind in kinds)


_COUNTED = frozenset({Change.NEW, Change.RULES, Change.RENAMED, Change.WORDS})


def card_versions(project: Project) -> Versions:
    """Return the version of each card: the earliest release since which its rules and words are the same.

    The version of a card that changed after the latest release says so, without a date.
    """
    files = release_files(project.root)
    language = project.workspace.language
    now = whole_release(project).in_language(language)
    latest = next(reversed(files), None)
    versions = {card.key: (f"after {latest}", "") for card in now.cards} if latest else {}
    same = set(versions)
    for name, path in reversed(files.items()):
        changes = compare(load_release(project.root, name).in_language(language), now)
        same -= {each.new.key for each in changes.cards if each.new and _COUNTED & {*each.changes}}
        if not same:
            break
        date = release_date(path)
        versions.update((key, (name, date)) for key in same)
    return Versions(versions)
