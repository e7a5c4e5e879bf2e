"""From cards to files: drawn, made into files, and written."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.diagnostic import CardgenError, Place
from cardgen.export import files
from cardgen.export.shelf import Shelf
from cardgen.face.face import Picture
from cardgen.pipeline import assembling, packs
from cardgen.pipeline.assembling import Document
from cardgen.pipeline.built import Built
from cardgen.pipeline.collection import rarer_collection
from cardgen.pipeline.drawing import Drawer, Made
from cardgen.pipeline.enclosing import enclosures
from cardgen.pipeline.formats import FORMATS, Batch, Job, made_into
from cardgen.pipeline.laying import LAYOUTS
from cardgen.pipeline.loading import load_deck
from cardgen.pipeline.manifest import Manifest, Stamp, stamp, stamped
from cardgen.pipeline.printing import PACKED, Printing, printing
from cardgen.pipeline.request import Request, Tally, Watcher, known, nobody
from cardgen.pipeline.watching import Snapshot, rounds, snapshot
from cardgen.project import Project, Settings
from cardgen.project.files import SETTINGS_FILE
from cardgen.sheet.duplex import Backs
from cardgen.text.fonts import Fonts

_DRAWN_WITH = ("templates", "icons", "fonts")


def build(request: Request, watcher: Watcher = nobody, manifest: Manifest | None = None) -> Built:
    """Build the files that are asked for, all of them or none; the `manifest` keeps what that took and gave.

    Raises CardgenError with all that is wrong in the cards, in their templates, or in how their texts fit.
    """
    return Builder(request, manifest).build(watcher)


def rebuilt(request: Request, manifest: Manifest | None = None) -> Iterator[Built | CardgenError]:
    """Build, and build again whenever a card, a template, a picture or a setting changes: what came of it each time.

    Never ends.
    """
    builder = Builder(request, manifest)
    for _ in rounds(lambda: snapshot(_watched(request), request.output)):
        try:
            yield builder.build()
        except CardgenError as error:
            yield error


def _watched(request: Request) -> Iterator[Path]:
    """All that a build may read, also while the settings are wrong."""
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / SETTINGS_FILE).is_file()), here)
    yield root
    yield from request.paths
    for name in _DRAWN_WITH:
        yield from Project(root).folders(name)


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a drawer depends on, beside the cards."""

    root: Path
    settings: Settings
    look: Mapping[str, Snapshot]


class Builder:
    """Builds one request, again and again: what did not change is neither drawn nor written a second time."""

    def __init__(self, request: Request, manifest: Manifest | None = None) -> None:
        self._request = request
        self._manifest = manifest
        self._shelf = Shelf() if request.cache else None
        self._last: tuple[_Inputs, Drawer] | None = None
        self._done: dict[Path, tuple[Hashable, Stamp]] = {}

    @rarer_collection()
    def build(self, watcher: Watcher = nobody) -> Built:
        """Build what is asked for, as the files are now.

        Raises CardgenError with all that is wrong; then everything that was written before is as it was.
        """
        started = time.monotonic()
        request = self._request
        if self._manifest:
            self._manifest.begin()
        project, deck = load_deck(request.paths)
        formats, settled = self._formats(), self._settled(project)
        printed = printing(settled, request)
        documents = assembling.documents(request, project, deck)
        cards = [entry for document in documents for _, entry in document.cards]
        tally = Tally(watcher, total=2 * len(cards))
        drawer = self._drawer(settled)
        backs = Backs(settled.settings.backs) is not Backs.NONE
        made = drawer.draw(cards, tally, backs=backs, jobs=request.processes)
        jobs = list(self._jobs(documents, made, settled.settings, printed, drawer.fonts))
        batches = [batch for name in formats for batch in made_into(name, jobs)]
        if request.warband is not None and "pdf" in formats:
            batches += enclosures(request, settled.settings, packs.owner(request.warband, deck)[0])
        written = self._write(batches, tally)
        built = Built(
            files=tuple(path for batch in batches for path in batch.files),
            written=written,
            cards=len(cards),
            copies=sum(request.qty or entry.card.qty for entry in cards),
            sheets=sum(batch.sheets for batch in batches),
            seconds=time.monotonic() - started,
        )
        if not self._manifest:
            return built
        return self._manifest.end(built, {path: stamp for path, (_, stamp) in self._done.items()}, _pictures(made))

    def _jobs(
        self, documents: Iterable[Document], made: Iterable[Made], settings: Settings, printed: Printing, fonts: Fonts
    ) -> Iterator[Job]:
        """One job for each document, with its share of what was made, which comes in the order of their cards."""
        drawn = iter(made)
        for document in documents:
            cards = tuple((number, next(drawn)) for number, _ in document.cards)
            series = document.series
            yield Job(
                document.stem, document.title, series, cards, self._request, settings, printed, fonts, self._shelf
            )

    def _formats(self) -> Sequence[str]:
        return [known(name, FORMATS, "format", Place("--format")) for name in dict.fromkeys(self._request.formats)]

    def _settled(self, project: Project) -> Project:
        request = self._request
        if request.warband is not None and request.layout is None and request.sprue is None:
            request = replace(request, layout=PACKED)
        settled = request.settle(project)
        place = Place("--layout") if self._request.layout is not None else project.place(("layout",))
        known(settled.settings.layout, LAYOUTS, "layout", place)
        return settled

    def _drawer(self, project: Project) -> Drawer:
        """The drawer of the last build, as long as templates, themes, icons, fonts and settings are the same."""
        look = {name: snapshot(project.folders(name)) for name in _DRAWN_WITH}
        inputs = _Inputs(project.root, project.settings, look)
        if self._last is None or self._last[0] != inputs:
            same_fonts = self._last is not None and self._last[0].look["fonts"] == look["fonts"]
            fonts = self._last[1].fonts if self._last and same_fonts else None
            self._last = (inputs, Drawer(project, self._request.theme or "", fonts))
        return self._last[1]

    def _write(self, batches: Sequence[Batch], tally: Tally) -> tuple[Path, ...]:
        """Write the files that are not as they should be; first all of them are made, so that it is all or none."""
        contents: dict[Path, Callable[[], bytes]] = {}
        for batch in batches:
            stale = [path for path, on in batch.files.items() if self._done.get(path) != (on, stamp(path))]
            if stale:
                contents.update(batch.make(stale))
        tally.total = tally.done + len(contents)
        depends = {path: on for batch in batches for path, on in batch.files.items()}
        for path, content in contents.items():
            self._done[path] = (depends[path], stamped(files.write(path, content())))
            tally.step(path.name)
        return tuple(contents)


def _pictures(made: Iterable[Made]) -> Iterator[Path]:
    """The picture files on all faces."""
    faces = (face for each in made for face in (each.piece.front, each.piece.back) if face)
    return (item.path for face in faces for item in face.items if isinstance(item, Picture))
