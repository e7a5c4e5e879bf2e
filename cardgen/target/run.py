"""Exports: load, render, hand over to the target, and write."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.builds.preview import marked_cards, plan
from cardgen.codes import Code
from cardgen.deck.deck import load_deck, require_game
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.model.deck import Deck
from cardgen.model.entry import Entry
from cardgen.print.build_manifest import DiscardedCard, UnprintedCard
from cardgen.print.documents import PrintDocument, find_pack_owner
from cardgen.print.options import BuildRequest, ProgressCallback, ProgressCounter, no_progress
from cardgen.print.render import CardRenderer
from cardgen.project import Project
from cardgen.runtime.gc_tuning import rarer_gc
from cardgen.sheet.leaf import Backs
from cardgen.target import profile
from cardgen.target.job import CardGroup, ExportJob, Outcome, faces_of
from cardgen.target.output import ExportRecord
from cardgen.target.registry import TARGETS
from cardgen.validation.suggestion import did_you_mean, join_words, slugify


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Options of an export.

    `name` is that of a profile, `build` selects and renders cards, and `options` are those of the target; 'dpi' is one.
    Options that are missing have their defaults.
    """

    name: str
    build: BuildRequest
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportResult:
    """Files of an export with their sizes in bytes, and what the target reports.

    `removed` are files of the last such export that no longer belong to it. `discarded` are old cards to throw away, if
    only changes since a release were exported.
    """

    name: str
    files: Mapping[Path, int]
    cards: int
    copies: int
    outcome: Outcome
    seconds: float
    removed: tuple[Path, ...] = ()
    discarded: tuple[DiscardedCard, ...] = ()
    unprinted: tuple[UnprintedCard, ...] = ()


@rarer_gc()
def export(request: ExportRequest, on_progress: ProgressCallback = no_progress) -> ExportResult:
    """Export cards to a target, all files or none.

    Raises CardgenError with all problems of the cards, templates, and the profile.
    """
    started = time.monotonic()
    job, target = prepare(request, on_progress)
    selection = job.selection
    if selection and selection.reason:
        outcome = Outcome({}, (f"no cards to export: {selection.reason}",))
    else:
        outcome = profile.target_module(target).export(job)
    files = job.output.write(request.build.output)
    removed = ExportRecord(request.name, request.build).update(files) if request.build.cache else ()
    skipped = {id(card) for card in outcome.skipped}
    cards = [card for card in job.cards if id(card) not in skipped]
    copies = sum(map(job.copies, cards))
    discarded = selection.discarded if selection else ()
    return ExportResult(
        request.name,
        files,
        len(cards),
        copies,
        outcome,
        time.monotonic() - started,
        removed,
        discarded,
        selection.unprinted if selection else (),
    )


def prepare(request: ExportRequest, on_progress: ProgressCallback = no_progress) -> tuple[ExportJob[Any], str]:
    """Return the job of an export with its cards rendered, and the name of its target.

    Raises CardgenError as `export` does.
    """
    build = request.build
    needs_cards = build.warband is None or bool(build.paths)
    found_project, deck = load_deck(build.paths, folder=build.folder, may_be_empty=not needs_cards)
    path = _profile_path(request.name, found_project)
    service = profile.load_profile(path)
    if service.bleed is not None:
        build = build._replace(bleed=f"{service.bleed}mm")
    project = build.apply_to(found_project)
    print_documents, selection = plan(build, project, deck)
    progress = ProgressCounter(on_progress)
    renderer = CardRenderer(project, build.theme or "")
    cache = ArtworkCache() if build.cache else None
    groups = _render(print_documents, renderer, project, build, progress, cache)
    title = _title(build, project, deck, groups)
    job = ExportJob(
        request.name,
        title,
        slugify(title),
        service,
        TARGETS[service.target].with_defaults(request.options),
        groups,
        build,
        project,
        renderer.fonts,
        progress,
        cache,
        selection=selection,
    )
    return job, service.target


def _render(
    print_documents: Sequence[PrintDocument],
    renderer: CardRenderer,
    project: Project,
    build: BuildRequest,
    progress: ProgressCounter,
    cache: ArtworkCache | None,
) -> tuple[CardGroup, ...]:
    """Render the cards of all documents, and expect one more step for each picture."""
    entries = [entry for document in print_documents for _, entry in document.cards]
    progress.total = 3 * len(entries)
    backs = Backs(project.settings.backs) is not Backs.NONE
    rendered = renderer.render_all(entries, progress, backs=backs, jobs=build.processes)
    rendered = marked_cards(rendered, project, build, renderer.fonts, cache)
    progress.total = progress.done + len({id(each.face) for each in faces_of(rendered)})
    remaining = iter(rendered)
    return tuple(
        CardGroup(document.stem, document.title, tuple(next(remaining) for _ in document.cards))
        for document in print_documents
    )


def _profile_path(name: str, project: Project) -> Path:
    paths = profile.profile_files(project)
    if name not in paths:
        message = f"unknown target '{name}'{did_you_mean(name, paths)}"
        raise CardgenError(Diagnostic(Code.BAD_SERVICE, message, Place("TARGET"), f"use {join_words(paths)}"))
    return paths[name]


def _title(build: BuildRequest, project: Project, deck: Deck, groups: Sequence[CardGroup]) -> str:
    """Return the name of the warband, or else of the games; with only changes, also that of the release."""
    since = f" since {build.changed_since}" if build.changed_since is not None else ""
    if build.warband is not None:
        owner: Entry = find_pack_owner(build.warband, project, deck)[0]
        return f"{owner.card.name}{since}"
    games = dict.fromkeys(card.entry.game for group in groups for card in group.cards)
    return " and ".join(require_game(game).name for game in games) + since
