"""One card to look at, and the sizes that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import files, pdf, svg
from cardgen.export.png import Rasters
from cardgen.export.shelf import Shelf
from cardgen.face.face import Face
from cardgen.model.deck import Deck, Entry
from cardgen.model.selection import select
from cardgen.pipeline.drawing import Drawer
from cardgen.pipeline.loading import game_called, load_deck
from cardgen.pipeline.request import PRINT_DPI, Request, Tally, known
from cardgen.project import Project
from cardgen.rulesets.ruleset import Ruleset
from cardgen.sheet.imposition import Piece
from cardgen.sheet.single import single
from cardgen.text.fonts import Fonts
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size

NOT_ONE, NO_BACK = "CG524", "CG527"
_SUFFIXES = ("png", "svg", "pdf")


def show(name: str, output: Path | None = None, *, back: bool = False, theme: str | None = None) -> Path:
    """Write one side of a card to a file, by default output/ID-front.png, and return its path.

    The file's suffix says of which format it is. Raises CardgenError when no card, or more than one, has that name,
    and with all that is wrong with the card.
    """
    request = Request(theme=theme)
    found, deck = load_deck(())
    project = request.settle(found)
    entry = _only(name, _named(deck, name))
    side = "back" if back else "front"
    path = output or request.output / f"{entry.card.id}-{side}.png"
    suffix = known(path.suffix.lower().removeprefix("."), _SUFFIXES, "picture format", Place(str(path)))
    drawer = Drawer(project, theme or "")
    (made,) = drawer.draw([entry], Tally(), backs=back)
    face = made.piece.back if back else made.piece.front
    if face is None:
        raise CardgenError(Diagnostic(NO_BACK, f"'{entry.card.name}' has no back", entry.place(("name",))))
    files.write(path, _content(face, suffix, drawer.fonts, f"{entry.card.name} · {side}"))
    return path


def _named(deck: Deck, name: str) -> tuple[Entry, ...]:
    try:
        return select(deck, [name]).cards
    except CardgenError as error:
        raise CardgenError(*(each._replace(place=Place("NAME")) for each in error.diagnostics)) from None


def _only(name: str, cards: tuple[Entry, ...]) -> Entry:
    printed = [entry for entry in cards if game_called(entry.game).kinds[entry.kind].printed]
    if len(printed) == 1:
        return printed[0]
    if not printed:
        raise CardgenError(Diagnostic(NOT_ONE, f"'{name}' is not printed as a card", Place("NAME")))
    related = tuple((entry.place(("name",)), f"'{entry.card.name}', {entry.card.id}") for entry in printed)
    message = f"'{name}' names {len(printed)} cards; write the id of one of them"
    raise CardgenError(Diagnostic(NOT_ONE, message, Place("NAME"), related=related))


def _content(face: Face, suffix: str, fonts: Fonts, title: str) -> bytes:
    if suffix == "svg":
        return svg.write(face, fonts, title)
    document = pdf.write(list(single([Piece(face)], face.size, 0)), fonts, pdf.About(title), Shelf())
    return document if suffix == "pdf" else Rasters(document, PRINT_DPI).page(0)


def sizes() -> Iterator[tuple[str, str, str]]:
    """The sizes of cards and papers: name, millimetres, and what uses it in the project at hand."""
    project = Project.find()
    users: dict[Size, list[str]] = {}
    for kind, size in _kinds(project).items():
        users.setdefault(size, []).append(kind)
    named = {**CARD_SIZES, **{str(size): size for size in users if size not in CARD_SIZES.values()}}
    for name, size in named.items():
        yield name, str(size), ", ".join(users.get(size, ()))
    varying = [name for name, kind in _game(project).kinds.items() if kind.printed and kind.usual_size is None]
    if varying:
        yield "", "follows from its keys", ", ".join(varying)
    papers = {**PAPER_SIZES}
    if project.settings.paper not in papers.values():
        papers[str(project.settings.paper)] = project.settings.paper
    for name, size in papers.items():
        yield name, str(size), "paper" if size == project.settings.paper else ""


def _kinds(project: Project) -> Mapping[str, Size]:
    """The size of each kind whose cards all have the same, as the project has it."""
    own = project.settings.sizes
    return {name: own.get(name) or kind.usual_size for name, kind in _game(project).kinds.items() if kind.usual_size}


def _game(project: Project) -> Ruleset:
    return game_called(project.settings.game or rulesets.default_game())
