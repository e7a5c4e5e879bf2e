"""What the engine answers; plain data, because it comes from another process.

The server must have loaded the classes of answers, so those of modules that only the engine needs are here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.diagnostic import Span
from cardgen.editor.text import TextEdit
from cardgen.studio.option_fields import OptionField


class CardRow(NamedTuple):
    """A card in the grid.

    `file` is the path in the project, `line` the first line of the card, and `lists` are the names of the card lists
    that contain it. `version` changes whenever the card or its file does.
    """

    key: str
    id: str
    name: str
    game: str
    kind: str
    file: str
    line: int
    tags: tuple[str, ...]
    lists: tuple[str, ...]
    is_printed: bool
    version: str


class Action(NamedTuple):
    """A quick fix of a problem: its title, and the edits of the file's text."""

    title: str
    edits: tuple[TextEdit, ...]


class ProblemRow(NamedTuple):
    """A problem of a file, with its place and quick fixes; `reason` says why the check exists.

    `file` is its path in the project, or the name of a file that comes with the program, which is not `is_in_project`.
    A problem without a code is one that only the studio reports, such as a reference that saving would break.
    """

    file: str
    span: Span
    code: str
    check: str
    severity: str
    message: str
    help: str
    reason: str = ""
    actions: tuple[Action, ...] = ()
    is_in_project: bool = True


class DrawnFace(NamedTuple):
    """A drawn side of a card.

    `fill` is how full the fullest text box is, from 0; `fits` says it of each text by its place in the card's data. If
    the side cannot be drawn, `svg` is empty and `problem` says why.
    """

    svg: bytes
    fill: float = 0.0
    problem: str = ""
    has_back: bool = False
    fits: Mapping[str, float] = {}


class TextState(NamedTuple):
    """The cards and problems of a file whose text is being written."""

    cards: tuple[CardRow, ...]
    problems: tuple[ProblemRow, ...]


class ProjectState(NamedTuple):
    """All cards of a project; `kinds` are those for which cards can be written.

    `unread` are the cards that cannot be read at the moment, as they last were; a file that was never read stands for
    its cards, with its path as their key. `problems` are the first ones of the files that are the reason.
    """

    title: str
    cards: tuple[CardRow, ...] = ()
    kinds: tuple[str, ...] = ()
    unread: tuple[CardRow, ...] = ()
    problems: tuple[ProblemRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceList:
    """The files of the project that say how cards look and what they mean, and the templates that can be copied.

    Copies replace built-in templates; their names are such as 'chess/pawn.svg.j2'.
    """

    files: tuple[str, ...]
    originals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceView:
    """A card drawn with the text of a file, its key, and the problems of the text.

    `fault` says why drawing the card says nothing about the text.
    """

    face: DrawnFace
    key: str = ""
    problems: tuple[ProblemRow, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """The profile of a printer, in words, and the file that holds it."""

    title: str
    figures: str
    file: str


@dataclass(frozen=True, slots=True)
class ExportForm:
    """A target of exports, or a profile of the project for one, with its own options."""

    name: str
    title: str
    about: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class PrintForm:
    """The options of builds, and the targets of exports.

    `cards` select what to print, `paper` are the options of sheets, and `rare` those that few people need.
    """

    cards: tuple[OptionField, ...]
    paper: tuple[OptionField, ...]
    rare: tuple[OptionField, ...]
    exports: tuple[ExportForm, ...]
