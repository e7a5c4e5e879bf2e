"""Templates, themes, games, and settings while they are being written, with a card drawn with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader

from cardgen.deck.art import ART_FOLDER
from cardgen.deck.deck import kind_of, require_game, unknown_settings
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span
from cardgen.editor.form.edits import EditError
from cardgen.editor.layout_edit import Change, change_layout
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.template_help import layout_names, theme_colours
from cardgen.editor.translations import in_language
from cardgen.face.layout import PlacedBox, change_fault, placed_boxes
from cardgen.face.template.engine import part_of_line
from cardgen.face.template.syntax import parse
from cardgen.face.template.trace import PlacementError, TemplateEditor, Trace
from cardgen.model.card import Entry
from cardgen.project.files import (
    LAYOUT_SUFFIX,
    TEMPLATE_SUFFIX,
    built_in_folder,
    resolve_inside,
    template_stem,
    template_text,
)
from cardgen.project.project import Project
from cardgen.project_checks.run import CheckRequest, check_project
from cardgen.project_checks.services import TemplateSources
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import PICTURE_SUFFIXES, SETTINGS_FILE
from cardgen.runtime.workspace import GAME_FILE, GAMES_FOLDER
from cardgen.sandbox.environment import Sandbox
from cardgen.scaffold.cards import write_new
from cardgen.scaffold.template import new_template, svg_text
from cardgen.studio.engine.answers import (
    ChangedLayout,
    DrawnFace,
    FaceDrawer,
    LayoutNames,
    ProblemRow,
    SourceList,
    SourceView,
    card_key,
    card_version,
    diagnostic_rows,
)
from cardgen.studio.page_words import SOURCE_SUFFIXES, TextError, source_path
from cardgen.units import quantity

_TEMPLATES = "templates"
# Marks the text of the file that is edited in the sources of templates.
_MARK = "cardgen-studio-edits-this"
_MAX_BYTES = 1 << 20
# Cards with which an edit of a layout is proved.
_MOST_PROOFS = 3


@dataclass(frozen=True, slots=True)
class _Look:
    """What to draw: a side of a card with marks, in a language, or without a key a card that a file is for."""

    file: str
    key: str
    marks: tuple[str, ...] = ()
    back: bool = False
    language: str = ""


class SourceFiles:
    """The part of the engine for templates, themes, games, and settings."""

    def __init__(self, root: Path) -> None:
        self._session = Session(root)
        self._drawer: FaceDrawer | None = None
        self._editor: tuple[LoadedProject, _Look, TemplateEditor] | None = None

    def reload(self) -> None:
        """Read everything again, because files have changed on the disk."""
        self._session.reload()

    def files(self) -> SourceList:
        """Return the files of the project, and the built-in templates that it does not replace yet."""
        root = self._session.root
        own = tuple(sorted(_own_files(root)))
        games = self._session.ask(lambda loaded: dict.fromkeys((loaded.game, *(e.game for e in loaded.deck.cards))))
        originals = (name for game in games for name in sorted(_built_in_names(game)))
        layouts = self._session.ask(lambda loaded: tuple(_new_layouts(loaded)))
        return SourceList(own, (*layouts, *(name for name in originals if f"{_TEMPLATES}/{name}" not in own)))

    def copy(self, name: str) -> str:
        """Copy a built-in template into the project, and return its file. Raises CardgenError if there is one.

        The name of a layout, such as 'ember/hero.layout.yaml', stands for a new one.
        """
        if name in self.files().originals and name.endswith(LAYOUT_SUFFIX):
            game, _, kind = template_stem(name).partition("/")
            path = self._session.ask(lambda loaded: new_template(kind, game, loaded.project.workspace))
            return path.relative_to(self._session.root).as_posix()
        folder = built_in_folder(_TEMPLATES)
        if name not in set(_built_in_names(name.partition("/")[0])):
            raise TextError(f"there is no built-in template '{name}'")
        file = f"{_TEMPLATES}/{name}"
        path = resolve_inside(self._session.root, file, self._session.root)
        write_new({path: regular_file.read(folder / name, _MAX_BYTES)})
        return file

    def as_svg(self, file: str, text: str) -> str:
        """Write the template of a layout's text as SVG beside it, once, and return the file.

        Raises CardgenError if there is one already, and for mistakes in the layout.
        """
        path = source_path(self._session.root, file)
        steps = file.split("/")
        kind = template_stem(path.name).partition(".")[0]

        def text_of(loaded: LoadedProject) -> str:
            found = require_game(steps[1], loaded.project.workspace).kinds.get(kind)
            if found is None or not file.endswith(LAYOUT_SUFFIX):
                raise TextError(f"'{file}' is not the layout of a kind of card")
            return svg_text(path, text, loaded.project, found.model)

        target = path.with_name(f"{template_stem(path.name)}{TEMPLATE_SUFFIX}")
        write_new({target: self._session.ask(text_of).encode()})
        return target.relative_to(self._session.root.resolve()).as_posix()

    def draw(
        self, file: str, text: str, key: str, marks: tuple[str, ...] = (), *, back: bool = False, language: str = ""
    ) -> SourceView:
        """Draw a card with the text of a file that is being written; without a key, one that the file is for."""
        look = _Look(file, key, marks, back, language)
        path = source_path(self._session.root, file)
        problems: tuple[ProblemRow, ...] = ()
        if _decides_cards(file):
            self._session.set_text(path, text)
            problems = self._problems_of_rules(file, path)
            view = self._view(lambda loaded: self._draw(loaded, look))
        else:
            self._session.replace_texts({})
            view = self._view(lambda loaded: self._draw_with(path, text, loaded, look))
        return replace(view, problems=tuple(dict.fromkeys((*problems, *view.problems))))

    def names(self, file: str) -> LayoutNames:
        """Return what boxes of a layout can show and look like."""
        path = source_path(self._session.root, file)

        def names_of(loaded: LoadedProject) -> LayoutNames:
            keys = ("field", "count", "icons", "style")
            fields, numbers, icons, styles = (
                tuple(name for name, _ in layout_names(loaded, path, key)) for key in keys
            )
            pictures = tuple(_pictures(loaded.project.root))
            return LayoutNames(fields, numbers, pictures, icons, styles, theme_colours(loaded, path))

        return self._session.ask(names_of)

    def boxes(self, file: str, text: str, key: str, *, back: bool = False) -> tuple[PlacedBox, ...]:
        """Return what a template or a drawing draws on a card, as boxes that can be moved. Raises CardgenError."""
        editor = self._session.ask(lambda loaded: self._template_editor(loaded, _Look(file, key, back=back)))
        trace = editor.draws[0](text) if editor.draws else None
        boxes = editor.placed_boxes(text, trace) if trace else ()
        return boxes if any(each.line for each in boxes) else ()

    def change(
        self, file: str, text: str, key: str, gesture: Mapping[str, Any], *, back: bool = False
    ) -> ChangedLayout:
        """Return the text of a file after a gesture: `places`, or another one of a layout (see `change_layout`).

        Cards of the kind are drawn with it: unless only its boxes have changed, as they should, nothing is changed.
        """
        path, note = source_path(self._session.root, file), ""
        try:
            if not file.endswith(LAYOUT_SUFFIX):
                editor = self._session.ask(lambda loaded: self._template_editor(loaded, _Look(file, key, back=back)))
                for index, at in gesture["places"]:
                    text, trace, note = editor.place(text, index, at, confirmed="confirmed" in gesture)
                return ChangedLayout(text, editor.placed_boxes(text, trace), note=note)
            change = change_layout(text, gesture)
            shown = self._session.ask(lambda loaded: self._require_only(loaded, file, key, path, text, change, back))
        except PlacementError as error:
            count = self._session.ask(lambda loaded: _count_users(loaded, path, text)) if error.is_question else 0
            fault = f"{error}; {quantity(count, 'card')} would change" if count else str(error)
            return ChangedLayout(text, fault=fault, line=error.line, asks=error.is_question)
        except EditError as error:
            return ChangedLayout(text, fault=str(error), line=_line_of(gesture, placed_boxes(text)))
        except CardgenError as error:
            return ChangedLayout(text, fault=f"the card cannot be drawn so: {error.diagnostics[0].message}")
        return ChangedLayout(change.text, placed_boxes(change.text, shown))

    def _require_only(
        self, loaded: LoadedProject, file: str, key: str, path: Path, text: str, change: Change, back: bool
    ) -> str:
        """Return the drawing of a card. Raises EditError if a gesture changes more than its boxes on some cards."""
        fonts = self._drawer.fonts if self._drawer else None
        before, after = (FaceDrawer(with_text(loaded, path, text).project, fonts) for text in (text, change.text))
        drawings = [""]
        for entry in _proofs(loaded, file, key):
            if _draws(TemplateSources(loaded.project), entry, path):
                drawings.append(after.svg_of(entry, back=back))
                if fault := change_fault(before.svg_of(entry, back=back), drawings[-1], *change[1:]):
                    raise EditError(fault)
                after.draw_strictly(entry, card_version(entry), back=back)
        return drawings[1 % len(drawings)]

    def _template_editor(self, loaded: LoadedProject, look: _Look) -> TemplateEditor:
        """Return what moves the boxes of a template; the last one is kept, because it knows what it has drawn."""
        if self._editor and self._editor[0] is loaded and self._editor[1] == look:
            return self._editor[2]
        path, entries = source_path(self._session.root, look.file), _proofs(loaded, look.file, look.key)
        drawer = FaceDrawer(loaded.project, self._drawer.fonts if self._drawer else None)

        @lru_cache(_MOST_PROOFS)
        def tracer(text: str) -> Callable[[Entry], Trace | None]:
            return drawer.tracer(with_text(loaded, path, text).project, entries, back=look.back)

        @lru_cache(_MOST_PROOFS**2)
        def trace(index: int, text: str) -> Trace | None:
            try:
                return tracer(text)(entries[index])
            except CardgenError:
                return None

        draws = [partial(trace, index) for index in range(len(entries))]
        self._editor = loaded, look, TemplateEditor(path, self._session.root, draws)
        return self._editor[2]

    def _view(self, question: Callable[[LoadedProject], SourceView]) -> SourceView:
        try:
            return self._session.ask(question, strict=True)
        except CardgenError as error:
            rows = diagnostic_rows(error.diagnostics, self._session)
            return SourceView(DrawnFace(b"", problem=error.diagnostics[0].message), problems=rows)

    def _draw_with(self, path: Path, text: str, loaded: LoadedProject, look: _Look) -> SourceView:
        """Draw a card with a text in place of a file that cards do not depend on, if possible one that it is for."""
        marked = with_text(loaded, path, f"{text}\n{_MARK}")
        users = tuple(_users(marked if path.suffix == ".j2" else loaded, look.file, path))
        entry = entry_for(loaded, look.file, look.key)
        if users and not look.key and entry not in users:
            look = replace(look, key=card_key(users[0]))
            entry = users[0]
        view = self._draw(with_text(loaded, path, text), look, text)
        if entry is None or entry in users:
            return view
        mistakes = diagnostic_rows(_syntax_mistakes(path, text), self._session)
        others = "choose another one" if users else "no card of the project is"
        fault = f"'{entry.card.name}' is not drawn with this file; {others}"
        return replace(view, problems=(*mistakes, *view.problems), fault=fault)

    def _draw(self, loaded: LoadedProject, look: _Look, text: str = "") -> SourceView:
        entry = entry_for(loaded, look.file, look.key)
        if entry is None:
            fault = "the project has no card to draw"
            return SourceView(DrawnFace(b"", problem=fault), fault="" if _decides_cards(look.file) else fault)
        # The drawer of the last text knows its templates, and a stranger's in a fork of then; only fonts are kept.
        project, shown = in_language(loaded, entry, look.language)
        self._drawer = FaceDrawer(project, self._drawer.fonts if self._drawer else None)
        face = self._drawer.draw_strictly(shown, card_version(shown), look.marks, back=look.back)
        is_layout = look.file.endswith(LAYOUT_SUFFIX)
        boxes = placed_boxes(text, self._drawer.svg_of(shown, back=look.back)) if is_layout else ()
        return SourceView(face, card_key(entry), boxes=boxes)

    def _problems_of_rules(self, file: str, path: Path) -> tuple[ProblemRow, ...]:
        """Return the problems of settings or a game."""
        workspace = self._session.workspace
        try:
            if file == SETTINGS_FILE:
                found = tuple(unknown_settings(Project.open(workspace)))
            else:
                findings = check_project(CheckRequest((path,), workspace=workspace)).findings
                found = tuple(each.diagnostic for each in findings)
        except CardgenError as error:
            found = error.diagnostics
        return diagnostic_rows(found, self._session)


def _proofs(loaded: LoadedProject, file: str, key: str) -> list[Entry]:
    """Return the cards with which an edit by hand is proved: the one that is seen, and others of its kind."""
    chosen = entry_for(loaded, file, key)
    alike = (each for each in loaded.deck.cards if chosen and (each.game, each.kind) == (chosen.game, chosen.kind))
    return [*{id(each): each for each in (chosen, *alike) if each}.values()][:_MOST_PROOFS]


def with_text(loaded: LoadedProject, path: Path, text: str) -> LoadedProject:
    """Return the project with a text in place of a file that cards do not depend on."""
    workspace = replace(loaded.project.workspace, unsaved={str(path): text.encode("utf-8", "replace")})
    return loaded._replace(project=replace(loaded.project, workspace=workspace))


def _pictures(root: Path) -> Iterator[str]:
    """Yield the pictures of a project that a layout can show, except for links out of it."""
    for path in regular_file.glob_inside(root, f"{ART_FOLDER}/*"):
        if path.name.lower().endswith(PICTURE_SUFFIXES):
            yield path.relative_to(root).as_posix()


def _line_of(gesture: Mapping[str, Any], boxes: Sequence[PlacedBox]) -> int:
    """Return the line of the box of a gesture, 0 if there is none."""
    (data,) = gesture.values()
    while isinstance(data, list | tuple) and data:
        data = data[0]
    return boxes[data].line if isinstance(data, int) and 0 <= data < len(boxes) else 0


def _new_layouts(loaded: LoadedProject) -> Iterator[str]:
    """Yield the names of layouts that kinds of the project's own games could have: those without a template."""
    sources = TemplateSources(loaded.project)
    root = loaded.project.root
    for entry in {(each.game, each.kind): each for each in loaded.deck.cards}.values():
        if (root / GAMES_FOLDER / entry.game).is_dir() and kind_of(entry).is_printed:
            for name in (entry.kind, f"{entry.kind}.back"):
                if sources.find(entry.game, name) is None:
                    yield f"{entry.game}/{name}{LAYOUT_SUFFIX}"


def _draws(sources: TemplateSources, entry: Entry, path: Path) -> bool:
    """Return whether a layout or a drawing draws a side of a card, or is behind a layout that does."""
    name = entry.card.template or entry.kind
    names = (name, f"{name}.long", f"{entry.card.back or name}.back")
    files = {found.resolve() for each in names if (found := sources.find(entry.game, each))}
    return path in files or any(
        each.name.endswith(LAYOUT_SUFFIX) and each.parent == path.parent and path.name in template_text(each)
        for each in files
    )


def _users(loaded: LoadedProject, file: str, path: Path) -> Iterator[Entry]:
    """Yield a card of each kind and template that a file is for; the text of a template has a mark."""
    sources, seen = TemplateSources(loaded.project), set[tuple[str, str, str | None, str | None]]()
    name = file.rpartition("/")[2]
    for entry in loaded.deck.cards:
        key = (entry.game, entry.kind, entry.card.template, entry.card.back)
        if key in seen or not kind_of(entry).is_printed:
            continue
        seen.add(key)
        if name.startswith("theme."):
            theme = loaded.project.settings.theme
            is_user = name == "theme.yaml" or name == f"theme.{theme}.yaml"
        else:
            # A mark would break layouts and drawings, which no other template includes.
            is_user = _MARK in sources.of_sides(entry) if name.endswith(".j2") else _draws(sources, entry, path)
        if is_user:
            yield entry


def _count_users(loaded: LoadedProject, path: Path, text: str) -> int:
    """Return how many cards are drawn with the text of a template."""
    sources = TemplateSources(with_text(loaded, path, f"{text}\n{_MARK}").project)
    return sum(kind_of(each).is_printed and _MARK in sources.of_sides(each) for each in loaded.deck.cards)


def _syntax_mistakes(path: Path, text: str) -> Iterator[Diagnostic]:
    """Yield the mistakes that a template has whatever card it draws."""
    if path.suffix == ".j2":
        lines = text.split("\n")
        for line, message, _ in parse(Sandbox(BaseLoader()), text).mistakes:
            excerpt = lines[line - 1] if line <= len(lines) else ""
            start, end = part_of_line(path, excerpt, message)
            yield Diagnostic(Code.TEMPLATE, message, Place(str(path), Span(line, start + 1, line, end + 1)))


def _own_files(root: Path) -> Iterator[str]:
    """Yield the files of the project that `source_path` allows, except for links out of it."""
    patterns = (SETTINGS_FILE, f"{_TEMPLATES}/*/*", f"{GAMES_FOLDER}/*/*", f"{GAMES_FOLDER}/*/{_TEMPLATES}/*")
    for pattern in patterns:
        for path in regular_file.glob_inside(root, pattern):
            file = path.relative_to(root).as_posix()
            try:
                allowed = path.is_file() and source_path(root, file) == path.resolve()
            except TextError:
                continue
            if allowed:
                yield file


def _built_in_names(game: str) -> Iterator[str]:
    """Yield the built-in templates of a game and of all games."""
    folder = built_in_folder(_TEMPLATES)
    for name in (game, "shared"):
        for path in (folder / name).glob("*"):
            if path.is_file() and path.name.endswith(SOURCE_SUFFIXES):
                yield f"{name}/{path.name}"


def _decides_cards(file: str) -> bool:
    """Return whether a file decides how cards are read."""
    return file == SETTINGS_FILE or file.endswith(f"/{GAME_FILE}")


def entry_for(loaded: LoadedProject, file: str, key: str) -> Entry | None:
    """Return the card of a key, or else the first one that a file is for, or else any."""
    printed = [entry for entry in loaded.deck.cards if kind_of(entry).is_printed]
    given = (entry for entry in printed if card_key(entry) == key)
    parts = file.split("/")
    game, kind = parts[1] if len(parts) > 1 else "", parts[-1].partition(".")[0]
    of_kind = (entry for entry in printed if (entry.game, entry.kind) == (game, kind))
    of_game = (entry for entry in printed if entry.game == game)
    return next((entry for group in (given, of_kind, of_game, printed) for entry in group), None)
