"""Builds: load, render, impose, export, write, repeatedly under --watch; and one card as a picture."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.builds.pnp import print_and_play_batch, print_and_play_request
from cardgen.deck.deck import game_of, kind_of, load_deck, load_selected, load_whole_deck, rules_of
from cardgen.deck.translated import language_notes
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, log_activity
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.pdf.writer import OpenDocument
from cardgen.export.svg import render_face
from cardgen.model.card import Entry
from cardgen.model.deck import Deck, LeftOut
from cardgen.model.left_out import StandIn, leave_out, make_stand_in
from cardgen.options import PLACEHOLDER, content_of
from cardgen.print import documents
from cardgen.print.build_manifest import BuildManifest, BuildResult, SkippedCard, joined_results
from cardgen.print.documents import PrintDocument, find_pack_owner
from cardgen.print.output_formats import (
    FORMATS,
    Batch,
    Content,
    OutputJob,
    Renderer,
    finished_contents,
    make_batches,
    packing_advice,
    picture_paths,
    split_large_pieces,
)
from cardgen.print.render import LAYOUTS, CardRenderer, RenderedCard, UnfitCard, format_of, room_problem
from cardgen.print.request import (
    PACKED,
    BuildRequest,
    PrintSetup,
    ProgressCallback,
    ProgressCounter,
    by_language,
    by_paper,
    no_progress,
    paper_name,
    print_setup,
    require_known,
    require_one_language,
)
from cardgen.project.project import Project, Settings, corner_radius
from cardgen.rulesets.ruleset import Kind
from cardgen.runtime import atomic_write
from cardgen.runtime.fingerprint import (
    WRITTEN,
    Snapshot,
    Stamp,
    poll_changes,
    snapshot,
    stamp,
    stamp_of,
)
from cardgen.runtime.processes import rarer_gc
from cardgen.runtime.regular_file import DASH
from cardgen.runtime.workspace import GAMES_FOLDER, Link, Workspace
from cardgen.sheet.leaf import Backs
from cardgen.text.captions import CAPTIONS_FOLDER
from cardgen.text.fonts import Fonts
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size

if TYPE_CHECKING:
    from cardgen.releases.errata import Errata
    from cardgen.releases.selection import Selection


def plan(request: BuildRequest, project: Project, deck: Deck) -> tuple[list[PrintDocument], Selection | None]:
    """Return the documents to build and, with only changes since a release, their selection."""
    print_documents = documents.plan_documents(request, project, deck)
    if request.changed_since is None:
        return print_documents, None
    from cardgen.releases.selection import select_changed  # few builds need it

    selection = select_changed(request, project, print_documents)
    return selection.documents, selection


@contextmanager
def naming_left_out(deck: Deck) -> Iterator[None]:
    """Add the mistakes of the cards that a deck left out to errors: a card that is missing may be one of those."""
    try:
        yield
    except CardgenError as error:
        missed = tuple(problem for each in deck.left_out for problem in each.problems)
        found = (each for each in error.diagnostics if not missed or each.code != Code.NOTHING_TO_PRINT)
        raise CardgenError(*dict.fromkeys((*found, *missed))) from None


def marked_cards(
    cards: list[RenderedCard], project: Project, request: BuildRequest, fonts: Fonts, cache: ArtworkCache | None
) -> list[RenderedCard]:
    """Return cards with their versions on them, if the project wants that."""
    if not project.settings.version_mark:
        return cards
    from cardgen.print.version_mark import mark_versions  # few builds need it
    from cardgen.releases.selection import card_versions

    renderer = Renderer(fonts, "versions", cache, request.processes, project.workspace.cluster)
    return mark_versions(cards, card_versions(project), renderer)


def marked_outcomes(
    outcomes: Sequence[RenderedCard | UnfitCard],
    project: Project,
    request: BuildRequest,
    fonts: Fonts,
    cache: ArtworkCache | None,
) -> list[RenderedCard | UnfitCard]:
    """Return outcomes whose rendered cards have their versions on them, if the project wants that."""
    cards = [each for each in outcomes if isinstance(each, RenderedCard)]
    marked = iter(marked_cards(cards, project, request, fonts, cache))
    return [next(marked) if isinstance(each, RenderedCard) else each for each in outcomes]


_SUFFIXES = ("png", "svg", "pdf")


def write_preview(name: str, request: BuildRequest, output: Path | None = None, *, back: bool = False) -> Path:
    """Write one side of a card, drawn as a build would, and return the file's path.

    The default path is output/ID-front.png; its suffix selects the format, and '-' is a PNG on standard output. Raises
    CardgenError if no card or several have that name, and with all problems of the card.
    """
    require_one_language(request.language)
    (request,) = by_language(request)
    try:
        project_as_found, deck = load_deck((), [name], workspace=request.workspace(), use_index=request.cache)
    except CardgenError as error:
        unknown = [each.code == Code.UNKNOWN_SELECTION for each in error.diagnostics]
        found = zip(error.diagnostics, unknown, strict=True)
        raise CardgenError(*(each._replace(place=Place("NAME")) if is_it else each for each, is_it in found)) from None
    project = request.apply_to(project_as_found)
    entry = _require_one(name, deck.cards)
    side = "back" if back else "front"
    path = output or request.output / f"{entry.card.id}-{side}.png"
    suffix = (
        "png"
        if path == DASH
        else require_known(path.suffix.lower().removeprefix("."), _SUFFIXES, "picture format", Place("--output"))
    )
    renderer = CardRenderer(project, request.theme or "")
    cards = list(renderer.render_all([entry], ProgressCounter(), backs=back))
    (rendered,) = marked_cards(cards, project, request, renderer.fonts, None)
    face = rendered.piece.back if back else rendered.piece.front
    if face is None:
        raise CardgenError(Diagnostic(Code.NO_BACK, f"'{entry.card.name}' has no back", entry.place(("name",))))
    title, radius = f"{entry.card.name} · {side}", corner_radius(project.settings, entry.kind)
    content = render_face(face, suffix, renderer.fonts, title, shape=rendered.piece.shape, radius=radius)
    atomic_write.write(path, content)
    return path


def _require_one(name: str, cards: tuple[Entry, ...]) -> Entry:
    printed = [entry for entry in cards if kind_of(entry).is_printed]
    if len(printed) == 1:
        return printed[0]
    if not printed:
        raise CardgenError(Diagnostic(Code.NOT_ONE_CARD, f"'{name}' is not printed as a card", Place("NAME")))
    related = tuple((entry.place(("name",)), f"'{entry.card.name}', {entry.card.id}") for entry in printed)
    message = f"ambiguous name '{name}': {len(printed)} cards match; use an id"
    raise CardgenError(Diagnostic(Code.NOT_ONE_CARD, message, Place("NAME"), related=related))


def list_sizes(workspace: Workspace | None = None) -> Iterator[tuple[str, str, str]]:
    """Yield name, size in millimeters, and use of all formats.

    These are the sizes of cards and papers; the use is that in the project.
    """
    project = Project.open(workspace)
    users: dict[Size, list[str]] = {}
    kinds, mistakes = _kinds(project)
    own = project.settings.sizes
    sizes = {name: own.get(name) or kind.default_size for name, kind in kinds.items() if kind.default_size}
    for kind, size in sizes.items():
        if isinstance(size, Size):
            users.setdefault(size, []).append(kind)
    named = {**CARD_SIZES, **{str(size): size for size in users if size not in CARD_SIZES.values()}}
    for name, size in named.items():
        yield name, str(size), ", ".join(users.get(size, ()))
    if mistakes:
        yield "", mistakes, str(project.settings.game)
    varying = [name for name, kind in kinds.items() if kind.is_printed and kind.default_size is None]
    if varying:
        yield "", "determined by its keys", ", ".join(varying)
    papers = {**PAPER_SIZES}
    if project.settings.paper not in papers.values():
        papers[str(project.settings.paper)] = project.settings.paper
    for name, size in papers.items():
        yield name, str(size), "paper" if size == project.settings.paper else ""


def _kinds(project: Project) -> tuple[Mapping[str, Kind], str]:
    """Return the kinds of the project's game; if its file has mistakes, none and a text that says so.

    Authors look up a size while they write the file.
    """
    try:
        return game_of(project).kinds, ""
    except CardgenError:
        if project.settings.game not in project.workspace.games:
            raise
        return {}, "unknown: its game.yaml has mistakes"


# If faces are needed later, more cards are drawn when all are rendered: by then the data of cards need no memory.
_MOST_CARDS = 4000


class OpenDocuments:
    """The open PDFs of documents; `draw` is called for their cards in order.

    There are some only if all cards that are rendered will be printed as they are, and each document has its own file.
    With `frees_faces`, what is drawn is freed, unless another format needs it.
    """

    def __init__(
        self,
        documents: Sequence[PrintDocument],
        request: BuildRequest,
        settings: Settings,
        setup: PrintSetup,
        fonts: Fonts,
        *,
        frees_faces: bool = False,
    ) -> None:
        self._fonts, self._setup = fonts, setup
        self._frees_faces = frees_faces and {*request.formats} == {"pdf"}
        self._in_one = request.pnp
        self._stems = [self._file_of(document) for document in documents for _ in document.cards]
        self._open: dict[str, OpenDocument] = {}
        self._errors: dict[str, CardgenError] = {}
        is_certain = request.changed_since is None and not settings.version_mark and not request.sides
        is_certain &= "pdf" in request.formats
        mixes = setup.mixes_kinds and not self._in_one
        self._closed = {self._file_of(document) for document in documents if not is_certain or mixes}

    def _file_of(self, document: PrintDocument) -> str:
        """Return the stem of the file that has a document; '' if all are in one."""
        return "" if self._in_one else document.stem

    def draw(self, number: int, card: RenderedCard) -> RenderedCard:
        """Draw a card, and return what is left of it; `number` counts the cards of all documents from 0."""
        stem = self._stems[number]
        if stem in self._closed or (number >= _MOST_CARDS and not self._frees_faces):
            return card
        if room_problem(card.entry, format_of(card), self._setup):  # It is left out, or is an error.
            return card
        try:
            if stem not in self._open:
                self._open[stem] = OpenDocument(self._fonts)
            document = self._open[stem]
            for face in card.piece.faces:
                document.draw(face)
        except CardgenError as error:  # Reported by `of`, unless cards have errors, too.
            self._errors[stem] = error
            self._closed.add(stem)
            return card
        return card.with_faces(document.release).without_data() if self._frees_faces else card

    def of(self, document: PrintDocument) -> OpenDocument | None:
        """Return the PDF of a document, if it was opened. Raises CardgenError if a card could not be drawn."""
        stem = self._file_of(document)
        if stem in self._errors:
            raise self._errors[stem]
        return self._open.get(stem)


def reference_batches(request: BuildRequest, settings: Settings, entry: Entry) -> Iterator[Batch]:
    """Yield one PDF for each reference sheet of a pack.

    None if the request selects cards with `only`. Raises CardgenError with all problems of the sheets, such as content
    that does not fit the paper.
    """
    if request.only or not rules_of(entry).reference:
        return
    from cardgen.reference_sheets.make_sheets import SheetRequest, render_sheets

    paper = paper_name(settings.paper)
    sheet_request = SheetRequest(
        output=request.output,
        paper=paper,
        theme=request.theme,
        of=entry.card.id,
        game=entry.game,
        paths=request.paths,
        workspace=entry.workspace,
    )
    for number, (content, pages) in zip(count(1), render_sheets(sheet_request).values(), strict=False):
        name = "reference" if number == 1 else f"reference-{number}"
        path = request.output / f"{entry.card.id}-{name}-{paper}.pdf"
        yield _finished_batch(path, content, pages)


def _finished_batch(path: Path, content: bytes, pages: int) -> Batch:
    return Batch({path: content}, lambda _: finished_contents(path, content), pages)


_RENDER_FOLDERS = ("templates", "icons", "charges", "fonts", CAPTIONS_FOLDER)


def build(
    request: BuildRequest,
    on_progress: ProgressCallback = no_progress,
    manifest: BuildManifest | None = None,
    cluster: Link | None = None,
) -> BuildResult:
    """Build the requested files, all or none, with pictures drawn on a `cluster` if there is one.

    Inputs and outputs are recorded in the `manifest`, or for languages and papers, each in one of its own. Raises
    CardgenError with all problems of the cards and templates, such as texts that do not fit.
    """
    requests = [each for language in by_language(request) for each in by_paper(language)]
    if not request.language and len(requests) == 1:
        return Builder(request, manifest, is_reused=False, cluster=cluster).build(on_progress)
    results = []
    for each in requests:
        own = BuildManifest(content_of(each), each.paths, each.output, each.folder) if manifest else None
        if own:
            own.names_outdated = each is requests[-1]  # The others are still to be built.
        unchanged = own.unchanged_result() if own and each.changed_since is None else None
        results.append(unchanged or Builder(each, own, is_reused=False, cluster=cluster).build(on_progress))
    return joined_results(results)


def watch_and_build(
    request: BuildRequest, manifest: BuildManifest | None = None, cluster: Link | None = None
) -> Iterator[BuildResult | CardgenError]:
    """Build after every change, and yield each outcome; never ends.

    Watches cards, templates, pictures, and settings.
    """
    require_one_language(request.language)
    (request,) = by_language(request)
    if len(by_paper(request)) > 1:
        raise CardgenError(
            Diagnostic(Code.BAD_OPTION, "choose one paper size", Place("--paper"), "run the command for each")
        )
    builder = Builder(request, manifest, cluster=cluster)
    for _ in poll_changes(lambda: snapshot(_watched_paths(request), request.output)):
        try:
            yield builder.build()
        except CardgenError as error:
            yield error


def _watched_paths(request: BuildRequest) -> Iterator[Path]:
    """Yield the paths that a build may read.

    This works even while the settings are invalid.
    """
    root = Workspace(request.folder).root
    yield root
    yield from (*request.paths, *_profile_paths(request))
    for name in _RENDER_FOLDERS:
        yield from Project(root).folders(name)


def _profile_paths(request: BuildRequest) -> tuple[Path, ...]:
    return (Path(request.profile),) if request.profile else ()


class _RendererInputs(NamedTuple):
    """The inputs of a renderer, other than cards."""

    root: Path
    settings: Settings
    snapshots: Mapping[str, Snapshot]


class _PreparedBuild(NamedTuple):
    """What a build writes, its result but for what was written, and the paths that it reads besides cards."""

    batches: Sequence[Batch]
    result: BuildResult
    other_inputs: Mapping[Path, None]


class Builder:
    """Builder of one request, repeatedly if it `is_reused`.

    It renders and writes only what has changed.
    """

    def __init__(
        self,
        request: BuildRequest,
        manifest: BuildManifest | None = None,
        *,
        is_reused: bool = True,
        cluster: Link | None = None,
    ) -> None:
        self._workspace = request.workspace(cluster)
        if request.pnp:
            request = print_and_play_request(request)
        self._request, self._is_reused = request, is_reused
        self._manifest = manifest
        self._artwork_cache = ArtworkCache() if request.cache else None
        self._last_renderer: tuple[_RendererInputs, CardRenderer] | None = None
        self._written: dict[Path, tuple[Hashable, Stamp]] = {}

    @rarer_gc()
    def build(self, on_progress: ProgressCallback = no_progress) -> BuildResult:
        """Build the request from the files as they are now.

        Raises CardgenError with all problems; the files of earlier builds then stay as they are.
        """
        self._workspace.budget.renew()
        started = time.monotonic()
        if self._manifest:
            self._manifest.start()
        progress = ProgressCounter(on_progress, total=0)
        prepared = self._prepare(progress)
        written_paths = self._write_stale(prepared.batches, progress)
        result = replace(prepared.result, written=written_paths, seconds=time.monotonic() - started)
        if not self._manifest:
            return result
        return self._manifest.finish(
            result, {path: last for path, (_, last) in self._written.items()}, prepared.other_inputs
        )

    def _prepare(self, progress: ProgressCounter) -> _PreparedBuild:
        """Load and render the cards, and return what to write; all else, which takes many megabytes, is freed."""
        request, has_list = self._request, self._request.warband is not None
        needs_all = request.paths or request.kit or has_list or request.changed_since is not None or not request.cache
        only = () if needs_all else request.only
        project, deck = (only and load_selected((), only, self._workspace, for_pieces=True)) or load_whole_deck(
            request.paths,
            () if has_list else request.only,
            request.keep_going,
            workspace=self._workspace,
            may_be_empty=has_list and not request.paths,
        )
        log_activity(f"cards loaded: {len(deck.cards)}")
        formats, project_as_built = self._requested_formats(), self._apply_request(project)
        setup = print_setup(project_as_built, request)
        unreadable = deck.left_out
        with naming_left_out(deck):
            print_documents, selection = plan(request, project, deck)
            owner = find_pack_owner(request.warband or "", project, deck)[0] if has_list else None
        del deck
        selected = {id(entry): entry for document in print_documents for _, entry in document.cards}.values()
        notes = language_notes(selected, self._workspace.language, is_strict=request.strict_language)
        del selected
        renderer = self._renderer(project_as_built)
        frees, settings = not self._is_reused, project_as_built.settings
        opened = OpenDocuments(print_documents, request, settings, setup, renderer.fonts, frees_faces=frees)
        numbers = [tuple(number for number, _ in document.cards) for document in print_documents]
        entries = iter([entry for document in print_documents for _, entry in document.cards])
        # Nothing else refers to the cards now, so that each can be freed when it is drawn.
        print_documents = [document._replace(cards=()) for document in print_documents]
        progress.total = 2 * sum(map(len, numbers))
        outcomes = self._render(renderer, entries, project_as_built, progress, opened)
        unfit = [each for each in outcomes if isinstance(each, UnfitCard)]
        if unfit and request.keep_going == PLACEHOLDER:
            outcomes = list(with_placeholders(outcomes, renderer, len(unreadable)))
        errata = self._errata(selection, project_as_built, outcomes, setup) if selection and request.errata else None
        left_out = {id(each) for each in errata.updated} if errata else set()
        to_print = [None if id(each) in left_out else each for each in outcomes]
        numbered = zip(print_documents, numbers, strict=True)
        jobs = list(self._jobs(numbered, to_print, project_as_built.settings, setup, renderer.fonts, opened))
        sheet_jobs, large = split_large_pieces(jobs) if "pdf" in formats else (jobs, ())
        left_out |= {id(card) for card, _ in large if set(formats) == {"pdf"}}
        advice = tuple(packing_advice(sheet_jobs)) if "pdf" in formats and not request.pnp else ()
        if request.pnp and sheet_jobs:
            in_one, more_notes = print_and_play_batch(sheet_jobs, request, project_as_built, owner)
            batches, notes = [in_one], (*notes, *more_notes)
            formats = [name for name in formats if name != "pdf"]
        else:
            batches = []
        batches += (batch for name in formats for batch in make_batches(name, sheet_jobs if name == "pdf" else jobs))
        batches += errata.batches if errata else ()
        if owner is not None and "pdf" in formats and not request.pnp and request.changed_since is None:
            batches += reference_batches(request, project_as_built.settings, owner)
        printed = [each for each in outcomes if isinstance(each, RenderedCard) and id(each) not in left_out]
        mistaken = skipped_cards(unreadable, unfit)
        result = BuildResult(
            files=tuple(path for batch in batches for path in batch.files),
            variety={path: batch.variety for batch in batches for path in batch.files},
            written=(),
            cards=sum(not isinstance(each.entry.card, StandIn) for each in printed),
            copies=request.sets * sum(request.qty or each.entry.card.qty for each in printed),
            sheets=sum(batch.sheets for batch in batches),
            seconds=0,
            skipped=(*mistaken, *(_skipped_card(card.entry, (warning,)) for card, warning in large)),
            discarded=selection.without(errata.updated if errata else ()).discarded if selection else (),
            reason=selection.reason if selection else "",
            unprinted=selection.unprinted if selection else (),
            stickers=errata.stickers if errata else 0,
            incomplete=bool(mistaken),
            notes=notes,
            advice=advice,
        )
        if "pdf" in request.formats and request.sides and not any(batch.sheets for batch in batches):
            raise CardgenError(
                Diagnostic(Code.NOTHING_TO_PRINT, "no backs to print", Place("--sides"), "print the fronts only")
            )
        others = (*picture_paths(printed), *_profile_paths(request), *project.tables)
        return _PreparedBuild(batches, result, dict.fromkeys(others))

    def _render(
        self,
        renderer: CardRenderer,
        entries: Iterator[Entry],
        project: Project,
        progress: ProgressCounter,
        opened: OpenDocuments,
    ) -> list[RenderedCard | UnfitCard]:
        """Render cards in their order, with version marks if the project wants them."""
        request, backs = self._request, Backs(project.settings.backs) is not Backs.NONE
        render = renderer.render_right if request.keep_going else renderer.render_all
        outcomes = [*render(entries, progress, opened.draw, backs=backs, jobs=request.processes)]
        log_activity(f"cards rendered: {sum(isinstance(each, RenderedCard) for each in outcomes)}")
        return marked_outcomes(outcomes, project, request, renderer.fonts, self._artwork_cache)

    def _errata(
        self,
        selection: Selection,
        project: Project,
        outcomes: Iterable[RenderedCard | UnfitCard],
        setup: PrintSetup,
    ) -> Errata:
        """Return the errata of the cards to print."""
        from cardgen.releases.errata import ErrataWriter  # few builds need it

        renderer = self._renderer(project)
        writer = ErrataWriter(self._request, project, selection, renderer, setup.sheet, self._artwork_cache)
        return writer.write([each for each in outcomes if isinstance(each, RenderedCard)])

    def _jobs(
        self,
        print_documents: Iterable[tuple[PrintDocument, tuple[int, ...]]],
        outcomes: Iterable[RenderedCard | UnfitCard | None],
        settings: Settings,
        setup: PrintSetup,
        fonts: Fonts,
        opened: OpenDocuments,
    ) -> Iterator[OutputJob]:
        """Yield one job per document with its rendered cards, if it has any; each document comes with their numbers.

        The outcomes are in the same order as the cards of the documents.
        """
        remaining = iter(outcomes)
        for document, numbers in print_documents:
            cards = tuple((number, card) for number in numbers if isinstance(card := next(remaining), RenderedCard))
            if cards:
                names, cache = (
                    (document.stem, document.title, document.series, document.is_partial),
                    self._artwork_cache,
                )
                pdf, cluster = opened.of(document), self._workspace.cluster
                yield OutputJob(*names, cards, self._request, settings, setup, fonts, cache, pdf, cluster)

    def _requested_formats(self) -> Sequence[str]:
        return [
            require_known(name, FORMATS, "format", Place("--format")) for name in dict.fromkeys(self._request.formats)
        ]

    def _apply_request(self, project: Project) -> Project:
        request = self._request
        if request.warband is not None and request.layout is None and request.sprue is None:
            request = request._replace(layout=PACKED)
        project_as_built = request.apply_to(project)
        if request.pnp and project_as_built.settings.layout == "single":
            project_as_built = request._replace(layout="grid").apply_to(project)
        place = Place("--layout") if self._request.layout is not None else project.place(("layout",))
        require_known(project_as_built.settings.layout, LAYOUTS, "layout", place)
        return project_as_built

    def _renderer(self, project: Project) -> CardRenderer:
        """Return the renderer, or the last one if its inputs are unchanged.

        Inputs are templates, themes, icons, fonts, and settings.
        """
        snapshots = {name: snapshot(project.folders(name)) for name in (*_RENDER_FOLDERS, GAMES_FOLDER)}
        inputs = _RendererInputs(project.root, project.settings, snapshots)
        if self._last_renderer is None or self._last_renderer[0] != inputs:
            same_fonts = (
                self._last_renderer is not None and self._last_renderer[0].snapshots["fonts"] == snapshots["fonts"]
            )
            fonts = self._last_renderer[1].fonts if self._last_renderer and same_fonts else None
            self._last_renderer = (inputs, CardRenderer(project, self._request.theme or "", fonts))
        return self._last_renderer[1]

    def _write_stale(self, batches: Sequence[Batch], progress: ProgressCounter) -> tuple[Path, ...]:
        """Write all outdated files, or none if one cannot be created."""
        contents: dict[Path, Callable[[], Content]] = {}
        for batch in batches:
            stale = [
                path
                for path, dependencies in batch.files.items()
                if self._written.get(path) != (dependencies, stamp(path, WRITTEN, follow_links=False))
            ]
            if stale:
                contents.update(batch.make(stale))
        progress.total = progress.done + len(contents)
        dependencies_of = {path: dependencies for batch in batches for path, dependencies in batch.files.items()}
        for path, content in contents.items():
            status = atomic_write.write(path, content(), output=self._request.output)
            self._written[path] = (dependencies_of[path], stamp_of(status, WRITTEN))
            progress.step(path.name)
        return tuple(contents)


def skipped_cards(unreadable: Iterable[LeftOut], unfit: Iterable[UnfitCard]) -> tuple[SkippedCard, ...]:
    """Return the cards with mistakes: those that cannot be read, and those that cannot be drawn."""
    own = (each for each in unfit if not isinstance(each.entry.card, StandIn))
    return (*map(_skipped_unread, unreadable), *(_skipped_card(*each) for each in own))


def with_placeholders(
    outcomes: Iterable[RenderedCard | UnfitCard], renderer: CardRenderer, before: int
) -> Iterator[RenderedCard | UnfitCard]:
    """Yield outcomes with placeholders for the cards that cannot be printed, numbered after those `before`."""
    numbers = count(before + 1)
    for each in outcomes:
        entry = each.entry
        if isinstance(each, UnfitCard) and not isinstance(entry.card, StandIn) and kind_of(entry).default_size:
            stand_in = make_stand_in(leave_out(*each), next(numbers))
            with suppress(CardgenError):  # Not even its name fits.
                yield from renderer.render_all([stand_in] if stand_in else [], ProgressCounter(), backs=False)
                continue
        yield each


def _skipped_unread(card: LeftOut) -> SkippedCard:
    game, kind = (card.card.game, card.card.kind) if card.card else ("", "")
    return SkippedCard(game, kind, card.id, card.name, str(card.place), _as_warnings(card.problems))


def _skipped_card(entry: Entry, diagnostics: Iterable[Diagnostic]) -> SkippedCard:
    card, place = entry.card, str(entry.place(("name",)))
    return SkippedCard(entry.game, entry.kind, card.id, card.name, place, _as_warnings(diagnostics))


def _as_warnings(diagnostics: Iterable[Diagnostic]) -> tuple[str, ...]:
    return tuple(str(each._replace(severity=Severity.WARNING)) for each in diagnostics)
