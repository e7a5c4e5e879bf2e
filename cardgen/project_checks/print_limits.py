"""What a build cannot print, found without drawing anything: pieces larger than the paper, and endless texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import BaseModel

from cardgen.deck.deck import card_size, kind_of, rules_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic
from cardgen.model.card import Entry
from cardgen.project import Project
from cardgen.units import CARD_SIZES, Size, parse_size, quantity

if TYPE_CHECKING:
    from cardgen.print.options import PrintSetup

# Longer texts are not typeset at all, because that could take minutes.
MOST_CHARACTERS = 20_000
# More than the marks around a piece take, in mm: what is smaller than the paper by this fits for certain.
_MARKS = 12.0
_NOT_PRINTED = frozenset({"note", "story"})


def print_problems(project: Project, entries: Sequence[Entry], *, every_piece: bool) -> Iterator[Diagnostic]:
    """Yield what stops a build of cards, or leaves a piece of it out.

    Pieces that `--kit` makes from lists, such as boxes, are looked at, too; with `every_piece`, those made from other
    cards as well. Drafts are not printed.
    """
    printed = [each for each in entries if not each.card.draft and kind_of(each).is_printed and _has_known_size(each)]
    yield from _Room(project).problems(printed, kit_pieces(entries, every_piece=every_piece))


def long_texts(entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield an error for each text that is too long to be typeset."""
    for entry in entries:
        if 0 < len(entry.document.line_index.text) <= MOST_CHARACTERS:
            continue  # No text is longer than the file that contains it; tables have no text of their own.
        for path, length in _lengths({key: value for key, value in entry.card if key not in _NOT_PRINTED}, ()):
            if length > MOST_CHARACTERS and kind_of(entry).is_printed:
                name = ".".join(map(str, path))
                excess = quantity(length - MOST_CHARACTERS, "character")
                message = (
                    f"'{name}' of '{entry.card.name}' has {length:,} characters: {excess} more than can be printed"
                )
                yield Diagnostic(Code.OVERFLOW, message, entry.place(path), "shorten it")


def _lengths(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield the lengths of the texts in a value, and where they are."""
    if isinstance(value, str):
        yield path, len(value.strip())
    elif isinstance(value, Mapping | BaseModel):
        for key, each in value.items() if isinstance(value, Mapping) else value:
            yield from _lengths(each, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _lengths(each, (*path, index))


def _has_known_size(entry: Entry) -> bool:
    """Return whether a card's own size exists, if it has one; the check `unknown-size` reports any other."""
    try:
        return entry.card.size is None or bool(parse_size(entry.card.size, CARD_SIZES))
    except ValueError:
        return False


def kit_pieces(entries: Iterable[Entry], *, every_piece: bool) -> Iterator[Entry | Diagnostic]:
    """Yield the pieces that `--kit` makes from lists of cards, or from `every_piece`, and problems with making them."""
    for entry in entries:
        pack = rules_of(entry).pack
        if every_piece or (pack and entry.kind in pack.kinds):
            from cardgen.print.documents import derive_pieces, derived_kinds

            yield from derive_pieces((entry,), derived_kinds(rules_of(entry), for_kit=True))


class _Room:
    """The sheets of a project, and the pieces that do not fit on them.

    As in a build, a piece that is too large is a warning if there is anything else to print. Cards do not depend on the
    printer of this computer.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        settings = project.settings
        around = 2 * (settings.margin + settings.bleed + _MARKS)
        halves = 2 if settings.backs == "gutterfold" else 1
        wide, high = settings.paper.width - around, settings.paper.height / halves - around
        # On a whole sheet of the project's paper, in a layout that the program has.
        self._certain = Size(wide, high) if settings.sprue is None and settings.layout in ("grid", "packed") else None
        self._setup: PrintSetup | None = None

    def problems(self, printed: Iterable[Entry], derived: Iterable[Entry | Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the errors of the settings and of sizes, and the pieces for which there is no room."""
        errors: list[Diagnostic] = []
        warnings: list[Diagnostic] = []
        anything_fits = False
        try:
            for entry in printed:
                found = self._look_at(entry, errors, warnings)
                anything_fits = anything_fits or not found
            for made in derived:
                if isinstance(made, Diagnostic):
                    yield made
                else:
                    self._look_at(made, [], warnings, of_kit=True)
        except CardgenError as error:
            yield from error.diagnostics
            return
        yield from warnings if anything_fits else errors

    def _look_at(
        self, entry: Entry, errors: list[Diagnostic], warnings: list[Diagnostic], *, of_kit: bool = False
    ) -> bool:
        """Add the problem of a piece that does not fit, if there is one; return whether there is."""
        try:
            size = card_size(self._project, entry)
        except CardgenError as error:
            errors += error.diagnostics
            warnings += error.diagnostics
            return True
        if self._fits_for_certain(size):
            return False
        from cardgen.print.layouts import piece_format, room_problem
        from cardgen.print.output_formats import too_large  # loaded here because few pieces are so large

        kind, setup = kind_of(entry), self._print_setup()
        piece = piece_format(size, kind.shape, kind.can_rotate, can_tile=kind.can_tile)
        problem = room_problem(entry, piece, setup)
        if problem is None:
            return False
        warning = too_large(entry, piece, setup) or problem
        if of_kit:
            warning = warning._replace(
                message=f"the {entry.kind} that --kit makes from '{entry.card.name}': {warning.message}"
            )
        errors.append(problem)
        warnings.append(warning)
        return True

    def _fits_for_certain(self, size: Size) -> bool:
        room = self._certain
        if room is None:
            return False
        upright = size.width <= room.width and size.height <= room.height
        return upright or (size.height <= room.width and size.width <= room.height)

    def _print_setup(self) -> PrintSetup:
        """Return the sheets. Raises CardgenError if the settings are invalid."""
        if self._setup is None:
            from cardgen.print.layouts import LAYOUTS  # loaded here because few checks need sheets
            from cardgen.print.options import BuildRequest, print_setup, require_known

            settings = self._project.settings.model_copy(update={"printer": "none"})
            setup = print_setup(replace(self._project, settings=settings), BuildRequest())
            require_known(setup.layout, LAYOUTS, "layout", self._project.place(("layout",)))
            self._setup = setup
        return self._setup
