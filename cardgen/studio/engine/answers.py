"""What the engine answers; plain data, because it comes from another process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardgen.diagnostic import Span
from cardgen.editor.text import TextEdit


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
    """A problem of a file, with its place and quick fixes; `reason` says why the check exists."""

    file: str
    span: Span
    code: str
    check: str
    severity: str
    message: str
    help: str
    reason: str = ""
    actions: tuple[Action, ...] = ()


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
    """All cards and problems of a project; `kinds` are those for which cards can be written."""

    title: str
    cards: tuple[CardRow, ...]
    problems: tuple[ProblemRow, ...]
    kinds: tuple[str, ...]
    error: str = ""
