"""The texts of a project in one language: their states, and what is known of the room that they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.deck.deck import load_whole_deck, source_texts
from cardgen.deck.translated import State, TranslatedText, texts_by_language
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, stop_on_errors
from cardgen.language import is_pseudo
from cardgen.model.card import Entry
from cardgen.print.render import CardRenderer
from cardgen.project.project import Project
from cardgen.runtime.workspace import Workspace
from cardgen.text.lines import Fit


class Unit(NamedTuple):
    """A text in a file for translators; `context` tells it apart from all others."""

    context: str
    text: TranslatedText

    @property
    def is_recorded(self) -> bool:
        """Whether the source of its translation is known."""
        return self.text.translation is None or self.text.translation.source is not None


class Catalog(NamedTuple):
    """The texts of a project in a language by their contexts; `files` has the card file of each by its shown name."""

    project: Project
    language: str
    units: Mapping[str, Unit]
    files: Mapping[str, Path]
    problems: tuple[Diagnostic, ...]

    def counts(self) -> dict[str, int]:
        """Return the number of texts in each state, and of those without a recorded source."""
        states = Counter(each.text.state.value for each in self.units.values())
        unrecorded = sum(not each.is_recorded for each in self.units.values())
        return {**{state.value: states[state.value] for state in State}, "unrecorded": unrecorded}

    def gaps(self) -> list[Unit]:
        """Return the texts that are stale or missing."""
        return [each for each in self.units.values() if each.text.state is not State.TRANSLATED]


def read_catalogs(workspace: Workspace, languages: Iterable[str] = ()) -> list[Catalog]:
    """Return the texts of a project in some of its languages, by default all.

    Raises CardgenError for mistakes in the cards, in translations, and for languages that the project does not have.
    """
    project, deck = load_whole_deck((), (), workspace=workspace)
    for language in languages:
        if is_pseudo(language):
            message = f"the texts in '{language}' are made by cardgen, and not translated"
            raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--language"), "choose another language"))
        replace(project, workspace=replace(project.workspace, language=language)).require_language()
    return catalogs_of(project, deck.cards, project.find_card_files(), languages)


def catalogs_of(
    project: Project, cards: Sequence[Entry], files: Sequence[Path], languages: Iterable[str] = ()
) -> list[Catalog]:
    """Return the texts of the cards in some files of a project. Raises CardgenError for mistakes in translations."""
    counts = Counter(each.card.id for each in cards)
    catalogs = []
    for of in texts_by_language(project, cards, files, languages):
        units: dict[str, Unit] = {}
        for text in of.texts:
            card = text.entry.card
            name = f"{card.id if counts[card.id] == 1 else f'{text.entry.game}:{card.id}'}/{text.field}"
            units[name] = Unit(name, text)
        stop_on_errors(of.problems)
        warnings = tuple(each._replace(severity=Severity.WARNING) for each in (*of.problems, *of.loose))
        catalogs.append(
            Catalog(project, of.language, units, {project.display_path(file): file for file in files}, warnings)
        )
    return catalogs


class Rooms:
    """What translators need to know of the texts of some cards: the card, its picture, and the room in its box."""

    def __init__(self, project: Project, entries: Iterable[Entry]) -> None:
        self._renderer = CardRenderer(project)
        self._renderer.expect(entries)
        self._fits: dict[int, Mapping[str, Fit]] = {}

    def notes(self, text: TranslatedText) -> Iterator[str]:
        """Yield notes on a text."""
        card = text.entry.card
        yield f"{card.name} ({text.entry.kind}), {text.field}"
        fit = self._fits_of(text.entry).get(text.field)
        if fit and fit.fill > 0:
            size = f" of {fit.box.width:.0f} x {fit.box.height:.0f} mm" if fit.box else ""
            yield f"room for about {len(text.source) / fit.fill:.0f} characters in a box{size}, at {fit.size:g} pt"
        if card.art:
            yield f"picture: {card.art.file}"

    def tightest(self, entries: Iterable[Entry], most: int) -> list[tuple[float, float, str, str]]:
        """Return the fullest boxes of cards: how full each is, its size in points, its card, and its text."""
        boxes = [
            (fit.fill, fit.size, entry.card.id, field)
            for entry in entries
            for texts in [source_texts(entry.source or entry)]
            for field, fit in self._fits_of(entry).items()
            if fit.fill > 0 and field in texts
        ]
        return sorted(boxes, key=lambda box: (-box[0], box[1]))[:most]

    def _fits_of(self, entry: Entry) -> Mapping[str, Fit]:
        if id(entry) not in self._fits:
            fits: dict[str, Fit] = {}
            with suppress(CardgenError):  # Its mistakes are those of a build.
                sides = self._renderer.render_faces(entry, backs=False)
                fits = {each.field: each for each in sides.front.face.fits if isinstance(each, Fit)}
            self._fits[id(entry)] = fits
        return self._fits[id(entry)]


_FULLEST = 10


def fullest_boxes(workspace: Workspace, languages: Iterable[str] = ()) -> list[tuple[str, float, float, str, str]]:
    """Return the fullest boxes in some languages, by default all of the project and its own.

    Each has its language, how full it is, its size in points, the id of its card, and its text.
    """
    found = []
    for language in languages or ("", *Project.open(workspace).settings.languages):
        project, deck = load_whole_deck((), (), workspace=replace(workspace, language=language))
        entries = [each for each in deck.cards if not language or each.translations]
        boxes = Rooms(project, entries).tightest(entries, _FULLEST)
        found += [(project.language or "source", *box) for box in boxes]
    return found
