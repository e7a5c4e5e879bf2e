"""One card as a picture, the sizes of cards and papers, and which cards a build prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.deck.deck import game_of, kind_of, load_deck
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.svg import render_face
from cardgen.model.deck import Deck, Entry, select_cards
from cardgen.print import documents
from cardgen.print.documents import PrintDocument
from cardgen.print.options import BuildRequest, ProgressCounter, require_known
from cardgen.print.output_formats import Renderer
from cardgen.print.render import CardRenderer, RenderedCard, UnfitCard
from cardgen.project import Project
from cardgen.project.project import corner_radius
from cardgen.rulesets.ruleset import Kind
from cardgen.runtime import atomic_write
from cardgen.runtime.regular_file import DASH
from cardgen.runtime.workspace import Workspace
from cardgen.text.fonts import Fonts
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size

if TYPE_CHECKING:
    from cardgen.releases.selection import Selection


def plan(request: BuildRequest, project: Project, deck: Deck) -> tuple[list[PrintDocument], Selection | None]:
    """Return the documents to build and, with only changes since a release, their selection."""
    print_documents = documents.plan_documents(request, project, deck)
    if request.changed_since is None:
        return print_documents, None
    from cardgen.releases.selection import select_changed  # few builds need it

    selection = select_changed(request, project, print_documents)
    return selection.documents, selection


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
    project_as_found, deck = load_deck((), folder=request.folder)
    project = request.apply_to(project_as_found)
    entry = _require_one(name, _cards_named(deck, name))
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


def _cards_named(deck: Deck, name: str) -> tuple[Entry, ...]:
    try:
        return select_cards(deck, [name]).cards
    except CardgenError as error:
        raise CardgenError(*(each._replace(place=Place("NAME")) for each in error.diagnostics)) from None


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
    for kind, size in _fixed_sizes(project, kinds).items():
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


def _fixed_sizes(project: Project, kinds: Mapping[str, Kind]) -> Mapping[str, Size]:
    """Return the size of each kind with a fixed size."""
    own = project.settings.sizes
    sizes = {name: own.get(name) or kind.default_size for name, kind in kinds.items() if kind.default_size}
    return {name: size for name, size in sizes.items() if isinstance(size, Size)}
