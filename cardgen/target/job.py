"""Exports: what a target gets and reports, and the run that loads, renders, hands over to it, and writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from cardgen.builds.builder import marked_outcomes, naming_left_out, plan, skipped_cards, with_placeholders
from cardgen.deck.deck import load_whole_deck, rules_of
from cardgen.deck.translated import language_notes
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, join_words, slugify
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.face.face import Face
from cardgen.model.card import Entry
from cardgen.model.deck import Deck
from cardgen.model.left_out import StandIn
from cardgen.options import PLACEHOLDER
from cardgen.print.build_manifest import DiscardedCard, SkippedCard, UnprintedCard
from cardgen.print.documents import PrintDocument, find_pack_owner
from cardgen.print.output_formats import FaceShape, Renderer, Resolution, rasterize
from cardgen.print.render import CardRenderer, RenderedCard, UnfitCard
from cardgen.print.request import BuildRequest, ProgressCallback, ProgressCounter, by_language, no_progress
from cardgen.project.project import Project
from cardgen.rulesets.pieces import Blank, Box, Dial, Mat, Proxy, Ruler
from cardgen.runtime.processes import rarer_gc
from cardgen.runtime.workspace import Link
from cardgen.sheet.leaf import Backs
from cardgen.target import profile
from cardgen.target.output import ExportRecord, OutputFiles
from cardgen.target.profile import ServiceProfile
from cardgen.target.registry import TARGETS
from cardgen.text.captions import Captions, captions_of
from cardgen.text.fonts import Fonts
from cardgen.units import Shape, Size

if TYPE_CHECKING:
    from cardgen.releases.selection import Selection


ProfileT = TypeVar("ProfileT", bound=ServiceProfile)


class CardGroup(NamedTuple):
    """The rendered cards of one kind, or of one document of a pack.

    `stem` is a name for files, the game and the kind, and `title` one for people.
    """

    stem: str
    title: str
    cards: tuple[RenderedCard, ...]


class Outcome(NamedTuple):
    """What an export has made: counts by plural noun, and notes.

    `notes` say what the target cannot hold, each in one clause, and `next_step` what to do with the files. `skipped`
    are the cards that are not in them.
    """

    counts: Mapping[str, int]
    notes: tuple[str, ...] = ()
    next_step: str = ""
    skipped: tuple[RenderedCard, ...] = ()


@dataclass(frozen=True)
class ExportJob(Generic[ProfileT]):
    """Rendered cards with everything that a target needs.

    `name` is that of the profile, `title` that of the cards, such as the name of a game or a warband, and `stem` the
    same for files. `options` are those of the target, by name. `project` has the request's options as its settings.
    Files go to `output`. `selection` are the changes since a release, if only these are exported.
    """

    name: str
    title: str
    stem: str
    profile: ProfileT
    options: Mapping[str, Any]
    groups: tuple[CardGroup, ...]
    request: BuildRequest
    project: Project
    fonts: Fonts
    progress: ProgressCounter
    artwork_cache: ArtworkCache | None = None
    output: OutputFiles = field(default_factory=OutputFiles)
    selection: Selection | None = None
    left_out: tuple[SkippedCard, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def captions(self) -> Captions:
        """What files say besides the texts of cards, in the language of these."""
        return captions_of(self.project)

    @property
    def cards(self) -> Iterator[RenderedCard]:
        """All cards, each once."""
        return (card for group in self.groups for card in group.cards)

    @property
    def dpi(self) -> int:
        """The resolution that the request or else the profile names."""
        return self.options.get("dpi") or self.profile.dpi

    def copies(self, card: RenderedCard) -> int:
        """Return how many copies of a card to export."""
        return self.request.qty or card.entry.card.qty

    def expand(self, cards: Iterable[RenderedCard]) -> Iterator[RenderedCard]:
        """Yield each card as often as it has copies."""
        return (card for card in cards for _ in range(self.copies(card)))

    def pictures(self, faces: Iterable[FaceShape], dpi: float, bleed: float = 0.0) -> Callable[[Face], bytes]:
        """Return a function that returns a face as PNG; each call counts as a step of the export.

        `bleed` is the bleed to keep, in millimeters.
        """
        renderer = Renderer(
            self.fonts, self.title, self.artwork_cache, self.request.processes, self.project.workspace.cluster
        )
        picture = rasterize(faces, Resolution(dpi, bleed), renderer)

        def step(face: Face) -> bytes:
            content = picture(face)
            self.progress.step("pictures")
            return content

        return step


def is_roster(card: RenderedCard) -> bool:
    """Return whether a card is a list of cards, such as a warband."""
    pack = rules_of(card.entry).pack
    return pack is not None and card.entry.kind in pack.kinds


def is_paper_piece(card: RenderedCard) -> bool:
    """Return whether a card is to fold or to fill in: a paper figure, a form, a box, or a dial."""
    return isinstance(card.entry.card, Proxy | Blank | Box | Dial)


def is_accessory(card: RenderedCard) -> bool:
    """Return whether a card is a box, a dial, or a mat, which are cut by hand."""
    return isinstance(card.entry.card, Box | Dial | Mat)


class CutFormat(NamedTuple):
    """What pieces have that are cut alike: size, shape, and square corners instead of rounded ones."""

    size: Size
    shape: Shape
    is_square: bool

    @classmethod
    def of(cls, card: RenderedCard) -> CutFormat:
        """Return the format of a piece; cards have rounded corners, and rosters, rulers, and proxies square ones."""
        size = Size(*(round(side, 3) for side in card.size))
        sheet = is_roster(card) or is_accessory(card) or isinstance(card.entry.card, Proxy | Ruler)
        return cls(size, card.piece.shape, sheet and card.piece.shape is Shape.RECTANGLE)

    @property
    def suffix(self) -> str:
        """The part of file names that distinguishes it from the usual format of its size."""
        return "-round" if self.shape is Shape.ROUND else "-square" if self.is_square else ""

    def radius(self, rounded: float) -> float:
        """Return the radius of its corners, which is `rounded` if they are rounded."""
        return 0.0 if self.is_square else rounded


def faces_of(cards: Iterable[RenderedCard]) -> Iterator[FaceShape]:
    """Yield the front of each card, followed by its back if it has one."""
    for card in cards:
        for face in (card.piece.front, card.piece.back):
            if face is not None:
                yield FaceShape(face, card.piece.shape)


# Exports: load, render, hand over to the target, and write.


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
    only changes since a release were exported, and `skipped` are cards with mistakes.
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
    skipped: tuple[SkippedCard, ...] = ()


@rarer_gc()
def export(
    request: ExportRequest, on_progress: ProgressCallback = no_progress, cluster: Link | None = None
) -> ExportResult:
    """Export cards to a target, all files or none, with pictures drawn on a `cluster` if there is one.

    Raises CardgenError with all problems of the cards, templates, and the profile.
    """
    builds = by_language(request.build)
    results = [_export(replace(request, build=each), on_progress, cluster) for each in builds]
    return results[0] if len(results) == 1 else _joined(results)


def _joined(results: Sequence[ExportResult]) -> ExportResult:
    """Return the results of the same export in several languages as one."""
    outcomes = [each.outcome for each in results]
    counts = {name: sum(each.counts.get(name, 0) for each in outcomes) for name in outcomes[0].counts}
    notes = tuple(dict.fromkeys(note for each in outcomes for note in each.notes))
    return replace(
        results[0],
        files={path: size for each in results for path, size in each.files.items()},
        cards=sum(each.cards for each in results),
        copies=sum(each.copies for each in results),
        outcome=Outcome(
            counts, notes, outcomes[0].next_step, tuple(card for each in outcomes for card in each.skipped)
        ),
        seconds=sum(each.seconds for each in results),
        removed=tuple(path for each in results for path in each.removed),
        skipped=tuple(dict.fromkeys(card for each in results for card in each.skipped)),
    )


def _export(request: ExportRequest, on_progress: ProgressCallback, cluster: Link | None) -> ExportResult:
    started = time.monotonic()
    job, target = prepare(request, on_progress, cluster)
    selection = job.selection
    if selection and selection.reason:
        outcome = Outcome({}, (f"no cards to export: {selection.reason}",))
    else:
        outcome = profile.target_module(target).export(job)
    outcome = outcome._replace(notes=(*job.notes, *outcome.notes))
    files = job.output.write(request.build.output)
    removed = ExportRecord(request.name, request.build).update(files) if request.build.cache else ()
    skipped = {id(card) for card in outcome.skipped}
    cards = [card for card in job.cards if id(card) not in skipped and not isinstance(card.entry.card, StandIn)]
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
        job.left_out,
    )


def prepare(
    request: ExportRequest, on_progress: ProgressCallback = no_progress, cluster: Link | None = None
) -> tuple[ExportJob[Any], str]:
    """Return the job of an export with its cards rendered, and the name of its target.

    Raises CardgenError as `export` does.
    """
    build = request.build
    needs_cards = build.warband is None or bool(build.paths)
    workspace = build.workspace(cluster)
    only = build.only if build.warband is None else ()
    found_project, deck = load_whole_deck(
        build.paths, only, build.keep_going, workspace=workspace, may_be_empty=not needs_cards
    )
    path = _profile_path(request.name, found_project)
    service = profile.load_profile(path)
    if service.bleed is not None:
        build = build._replace(bleed=f"{service.bleed}mm")
    project = build.apply_to(found_project)
    with naming_left_out(deck):
        print_documents, selection = plan(build, project, deck)
    selected = {id(entry): entry for document in print_documents for _, entry in document.cards}.values()
    notes = language_notes(selected, workspace.language, is_strict=build.strict_language)
    progress = ProgressCounter(on_progress)
    renderer = CardRenderer(project, build.theme or "")
    cache = ArtworkCache() if build.cache else None
    outcomes = _render(print_documents, renderer, project, build, progress, cache)
    unfit = [each for each in outcomes if isinstance(each, UnfitCard)]
    if unfit and build.keep_going == PLACEHOLDER:
        outcomes = list(with_placeholders(outcomes, renderer, len(deck.left_out)))
    groups = _groups(print_documents, outcomes)
    progress.total = progress.done + len({id(each.face) for group in groups for each in faces_of(group.cards)})
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
        left_out=skipped_cards(deck.left_out, unfit),
        notes=notes,
    )
    return job, service.target


def _render(
    print_documents: Sequence[PrintDocument],
    renderer: CardRenderer,
    project: Project,
    build: BuildRequest,
    progress: ProgressCounter,
    cache: ArtworkCache | None,
) -> list[RenderedCard | UnfitCard]:
    """Render the cards of all documents, and expect one more step for each picture."""
    entries = [entry for document in print_documents for _, entry in document.cards]
    progress.total = 3 * len(entries)
    backs = Backs(project.settings.backs) is not Backs.NONE
    render = renderer.render_right if build.keep_going else renderer.render_all
    outcomes = [*render(entries, progress, backs=backs, jobs=build.processes)]
    return marked_outcomes(outcomes, project, build, renderer.fonts, cache)


def _groups(
    print_documents: Sequence[PrintDocument], outcomes: Sequence[RenderedCard | UnfitCard]
) -> tuple[CardGroup, ...]:
    """Return the rendered cards of each document; the outcomes are in the same order as the cards of the documents."""
    remaining = iter(outcomes)
    groups = []
    for document in print_documents:
        own = [next(remaining) for _ in document.cards]
        cards = tuple(each for each in own if isinstance(each, RenderedCard))
        groups += [CardGroup(document.stem, document.title, cards)] if cards else []
    return tuple(groups)


def _profile_path(name: str, project: Project) -> Path:
    paths = profile.profile_files(project)
    if name not in paths:
        message = f"unknown target '{name}'{did_you_mean(name, paths)}"
        raise CardgenError(Diagnostic(Code.BAD_SERVICE, message, Place("TARGET"), f"use {join_words(paths)}"))
    return paths[name]


def _title(build: BuildRequest, project: Project, deck: Deck, groups: Sequence[CardGroup]) -> str:
    """Return the name of the warband, or else of the games; with only changes, also that of the release."""
    captions = captions_of(project)
    if build.warband is not None:
        owner: Entry = find_pack_owner(build.warband, project, deck)[0]
        title = owner.card.name
    else:
        names = dict.fromkeys(rules_of(card.entry).name for group in groups for card in group.cards)
        title = f" {captions.translate('and')} ".join(names)
    return captions.page_word(f"{title} since {build.changed_since}") if build.changed_since is not None else title
