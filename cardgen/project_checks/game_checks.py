"""Checks of a game file itself: its examples, icons, templates, themes, fields, and terms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from cardgen.checking.check import Check, CheckContext, CheckScope, Finding, FreeText, OtherCards
from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult, sort_findings
from cardgen.deck.art import find_art
from cardgen.deck.deck import drawing_folders
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, did_you_mean, join_words
from cardgen.face.theme import Theme, load_theme, place_in, theme_documents
from cardgen.game_file.checks import Samples, example_data, example_name, member_kind_of
from cardgen.game_file.example_run import run_examples
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.loader import compile_game as compile_context
from cardgen.game_file.loader import load_game, read_game, read_valid_part
from cardgen.game_file.spec import MEMBERS, FieldSpec, KindSpec, ListSpec
from cardgen.model.card import Entry, read_cards
from cardgen.model.deck import build_index, missing_links, resolve_links
from cardgen.project.files import (
    LAYOUT_SUFFIX,
    TEMPLATE_SUFFIXES,
    built_in_folder,
    game_folders,
    is_own,
    require_named_inside,
    template_stem,
    template_text,
)
from cardgen.project.project import Project
from cardgen.project_checks.services import TemplateSources, checks_of, glossary_of, project_services
from cardgen.rulesets.ruleset import Ruleset, card_models
from cardgen.runtime.workspace import GAME_FILE, ProjectGame
from cardgen.source import KeyPath, decode_document, parse_document
from cardgen.source.document import Document
from cardgen.text.fonts import Fonts, unread_files
from cardgen.units import with_article
from cardgen.validation.base import Model


def unknown_icons(context: GameContext, game: str, project: Project) -> Iterator[Diagnostic]:
    """Yield a problem for each icon that does not exist."""
    from cardgen.face.face import icon_outline, read_icon  # loaded here because it imports HarfBuzz
    from cardgen.text.icon_sets import IconSets
    from cardgen.text.shaped_row import Drawings, Icons

    folders = drawing_folders(project, game, "icons")
    icons = Icons(Drawings(folders, read_icon), sets=IconSets(folders, icon_outline, named=lambda: project.icon_sets))
    for path, name in _icons(context):
        if not icons.is_project_icon(name) and icons.find(name) is None:
            message = f"unknown icon '{name}'{did_you_mean(name, icons.names())}"
            help_text = "use an icon of Font Awesome's free solid set, or add an SVG file to the folder 'icons'"
            yield Diagnostic(Code.INVALID_GAME, message, context.place(path), help_text)


def _icons(context: GameContext) -> Iterator[tuple[KeyPath, str]]:
    """Yield each icon with its key path."""
    spec = context.spec
    for section, owners in (("kinds", spec.kinds), ("types", spec.types), ("lists", spec.lists)):
        for owner, each in owners.items():
            for field, field_spec in each.fields.items():
                if field_spec.icon:
                    yield (section, owner, "fields", field, "icon"), field_spec.icon
    for name, piece in spec.pieces.items():
        if piece.icon:
            yield ("pieces", name, "icon"), piece.icon


_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOADED = re.compile(r"""\{%-?\s*(?:include|import|from|extends)\s+["']([^"']+)["']""")
# A tag that loads a template whose name is computed.
_COMPUTED = re.compile(r"\{%-?\s*(?:include|import|from|extends)\s++(?:[^\"'\s]|[^%]*~)")
# A file that a template shows as a picture, or a layout as a picture or behind its boxes.
_FILE = re.compile(r"""\b(?:file=["']|(?:frame|picture):\s*["']?)([^"'\s,}]+)""")
# Functions of templates that read all fields of a card.
_READ_ALL = frozenset({"numbers", "details", "parts", "model_dump"})
# Functions of templates that print all of one field.
_PRINTED_WHOLE = frozenset({"field_text", "field_items", "field_lines"})


def unread_game_fields(context: GameContext, rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield the fields that no template, text, check, or trial reads."""
    words = _Words(context, rules, TemplateSources(project))
    for kind, spec in context.spec.kinds.items():
        known = words.of_kind(kind)
        for field in spec.fields:
            if not known & {field, *_READ_ALL}:
                yield _unread(("kinds", kind, "fields", field), kind, context)
    for name, part in context.spec.types.items():
        users = [kind for kind, spec in context.spec.kinds.items() if _uses(spec.fields, name)]
        known = set[str]().union(*map(words.of_kind, users))
        fields = (each for kind in users for each in context.spec.kinds[kind].fields.items())
        # Layouts and drawings print all of a part.
        if known & _PRINTED_WHOLE and known & {field for field, spec in fields if _uses({field: spec}, name)}:
            continue
        for field in part.fields:
            if known and not known & {field, "line", *_READ_ALL}:
                yield _unread(("types", name, "fields", field), name, context)


def _uses(fields: Mapping[str, FieldSpec], type_name: str) -> bool:
    """Return whether a field is of a type, also in lists and maps."""
    every: list[FieldSpec | None] = [*fields.values()]
    while every:
        field = every.pop()
        if field and field.type == type_name:
            return True
        every += [field.items] if field and field.items else []
    return False


def _unread(path: tuple[str, ...], owner: str, context: GameContext) -> Diagnostic:
    message = f"nothing reads the field '{path[-1]}' of {with_article(owner)}"
    help_text = "use it in a template, a text, a check, or a trial, or remove it"
    return Diagnostic(Code.LOOSE_END, message, context.place(path, key=True), help_text, Severity.WARNING)


class _Words:
    """The words of everything that can read a field."""

    def __init__(self, context: GameContext, rules: Ruleset, sources: TemplateSources) -> None:
        self._context, self._rules, self._sources = context, rules, sources

    def of_kind(self, kind: str) -> set[str]:
        """Return the words of a kind's templates and text, and of all checks and trials."""
        if self._sources.find(self._rules.id, kind) is None and self._rules.kinds[kind].generic:
            return set(_READ_ALL)  # the generic template prints every field
        spec = self._context.spec.kinds[kind]
        own = " ".join((spec.text or "", *map(str, spec.boxes.values()), str(spec.size), self._templates_of(kind)))
        return {*_WORD.findall(own), *self._common}

    def _templates_of(self, kind: str) -> str:
        """Return the sources of a kind's templates; without a certain closure, of all templates of the game."""
        return self._sources.of_kind(self._rules.id, kind) or self._sources.of_game(self._rules.id)

    @cached_property
    def _common(self) -> set[str]:
        spec = self._context.spec
        texts = [*_strings(spec.checks), *_strings(spec.trials), *_strings(spec.pieces), *spec.lists]
        limits = [field for each in spec.lists.values() for field in each.limits]
        return {*limits, *_WORD.findall(" ".join(texts))}


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in a part of the game file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Model):
        for each in value.__dict__.values():
            yield from _strings(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _strings(each)


def unused_templates(context: GameContext, rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield the templates in the game's folders that belong to no kind, and that no other template loads."""
    files = _template_files(project, rules.id)
    texts = (path for path in files if path.suffix in (".j2", ".yaml") and is_own(project.root, path))
    written = [template_text(path, project.workspace.unsaved) for path in texts]
    if any(map(_COMPUTED.search, written)):
        return
    named = {name.rpartition("/")[2] for text in written for name in (*_LOADED.findall(text), *_FILE.findall(text))}
    every = dict.fromkeys(path.name for path in files)
    for name in every:
        if problem := _unused(name, {*every}, named, rules):
            place = context.place(("kinds",), key=True)
            yield Diagnostic(Code.LOOSE_END, problem[0], place, problem[1], Severity.WARNING)


def _unused(name: str, every: set[str], named: set[str], rules: Ruleset) -> tuple[str, str] | None:
    """Return why a template prints nothing, and what to do; None if it does."""
    stem = template_stem(name)
    if name in named:
        return None
    of_kind = stem.removesuffix(".back").removesuffix(".long")
    if of_kind not in rules.kinds and stem + TEMPLATE_SUFFIXES[0] not in named:
        hint = did_you_mean(of_kind, (*rules.kinds,))
        return f"the template '{name}' belongs to no kind{hint}", "rename it, or load it in another template"
    first = next(stem + suffix for suffix in TEMPLATE_SUFFIXES if stem + suffix in every)
    if name != first:
        what = "layout" if name.endswith(LAYOUT_SUFFIX) else "drawing"
        return f"the {what} '{name}' is not used, since '{first}' has priority", "remove one of them"
    return None


def _template_files(project: Project, game: str) -> list[Path]:
    """Return the templates in the game's own folder and in that of the project, layouts and drawings included."""
    folders = [folder for folder in project.template_folders() if folder.path != built_in_folder("templates")]
    found = [path for folder in game_folders(folders, game) for path in sorted(folder.glob("*"))]
    return [path for path in found if path.name.endswith(TEMPLATE_SUFFIXES)]


def theme_hints(rules: Ruleset, project: Project) -> Iterator[Diagnostic]:
    """Yield warnings about the fonts and the theme of a game; errors in them are reported when cards are rendered."""
    yield from _other_formats(project)
    selection = (project.template_folders(), rules.id, project.settings.theme, rules.base_theme)
    fonts = Fonts(project.folders("fonts"))
    try:
        if any(fonts.unusable_files()):
            return
        theme, documents = load_theme(*selection, fonts.family_problem), theme_documents(*selection)
    except CardgenError:
        return
    yield from _missing_faces(theme, documents, fonts)
    yield from _unread_names(theme, documents, TemplateSources(project).of_game(rules.id))


def _warning(message: str, place: Place, advice: str) -> Diagnostic:
    return Diagnostic(Code.LOOSE_END, message, place, advice, Severity.WARNING)


def _other_formats(project: Project) -> Iterator[Diagnostic]:
    for folder in project.folders("fonts"):
        for path in unread_files(folder):
            message = f"fonts in the format {path.suffix.lower()} are not read"
            yield _warning(message, Place(project.display_path(path)), "add the font as a .ttf or .otf file")


def _missing_faces(theme: Theme, documents: Sequence[Document], fonts: Fonts) -> Iterator[Diagnostic]:
    """Yield a warning for each family without the bold or italic face that styles use."""
    for font, family in theme.families.items():
        styles = {name: style for name, style in theme.styles.items() if style.font == font}
        for face in ("bold", "italic"):
            users = sorted(f"'{name}'" for name, style in styles.items() if getattr(style, face))
            if users and not fonts.has_face(family, bold=face == "bold", italic=face == "italic"):
                message = f"the family '{family}' has no {face} face, which the styles {join_words(users, 'and')} use"
                advice = "add the file of that face to fonts/, or choose another family"
                yield _warning(message, place_in(documents, ("fonts", font)), advice)


def _unread_names(theme: Theme, documents: Sequence[Document], templates: str) -> Iterator[Diagnostic]:
    """Yield a warning for each new color or font that nothing reads, and whose name is almost that of another one."""
    words = _words_of_styles(theme)
    for number, document in enumerate(documents):
        for section in ("colours", "fonts"):
            others = {name for each in documents[:number] for name in _names(each, section)}
            own = _names(document, section)
            for name in own:
                hint = did_you_mean(name, sorted(others - {*own}))
                if hint and name not in {*others, *words} and name not in templates:
                    message = f"nothing reads the {section.removesuffix('s').replace('colour', 'color')} '{name}'{hint}"
                    yield _warning(message, document.place((section, name), key=True), "correct the name, or remove it")


def _words_of_styles(theme: Theme) -> Collection[str | None]:
    styles = theme.styles.values()
    words = {word for style in styles for word in (style.font, style.colour, style.emphasis)}
    return words | {span.colour for span in theme.spans.values()}


def _names(document: Document, section: str) -> Mapping[str, Any]:
    content = document.data if isinstance(document.data, dict) else {}
    names = content.get(section)
    return names if isinstance(names, dict) else {}


# Checks of wording, which also look at the texts of a game file.
WORDING = ("CG203", "CG204")
SAMPLE_PICTURE = Path(__file__).with_name("sample.svg")
_GAME_CODES = ("CG033", "CG035", *WORDING)


def add_games(paths: Iterable[Path], project: Project, result: CheckResult) -> CheckResult:
    """Return a result with the findings of game files."""
    files = {path: path if path.is_file() else path / GAME_FILE for path in paths}
    problems = [problem for file in files.values() for problem in check_game(file, project)]
    general = checks_of(frozenset(), project.workspace)
    located = [
        LocatedFinding(each, general.find(each.code) or Check(each.code, each.code.lower(), ""))
        for each in dict.fromkeys(problems)
    ]
    return result._replace(
        findings=sort_findings([*result.findings, *located]),
        files=(*result.files, *map(project.display_path, files.values())),
        checks=result.checks or tuple(check for check in general.checks if check.code.startswith(_GAME_CODES)),
    )


def check_game(file: Path, project: Project) -> list[Diagnostic]:
    """Return the problems of a game file and of what belongs to it."""
    try:
        require_named_inside(project.root, file, project.display_path(file))
    except CardgenError as error:
        return list(error.diagnostics)
    known = {each.path.resolve(): (game, each) for game, each in project.workspace.games.items()}.get(file.resolve())
    game, source = known or (
        file.parent.name,
        ProjectGame(file, project.display_path(file), unsaved=project.workspace.unsaved),
    )
    try:
        rules = load_game(source, game)
    except CardgenError as error:
        return [*error.diagnostics, *_mistakes_in_rest(source, file.parent, game, project)]
    context = read_game(decode_document(source.content, source.name), file.parent)
    compile_context(context)
    run_examples(context)
    problems = [*context.problems]
    if known is None:
        return problems
    examples = _Examples(context, rules, project)
    problems += [*unread_game_fields(context, rules, project), *unused_templates(context, rules, project)]
    problems += [*unknown_icons(context, rules.id, project), *theme_hints(rules, project)]
    own = [*examples.problems()]
    caused = tuple(each.message.partition(":")[0] for each in own if each.code == Code.INVALID_GAME)
    problems = [each for each in problems if not (caused and each.message.startswith(caused))]
    return [*problems, *own, *_wrong_terms(context, rules, examples)]


def _mistakes_in_rest(source: ProjectGame, folder: Path, game: str, project: Project) -> list[Diagnostic]:
    """Return the mistakes in examples and icons that do not follow from the mistakes of a game."""
    try:
        context, _ = read_valid_part(decode_document(source.content, source.name), folder)
    except OSError:
        return []
    if context is None:
        return []
    before = len(context.problems)
    run_examples(context)
    return [*context.problems[before:], *unknown_icons(context, game, project)]


@dataclass
class _Examples:
    """One card of each kind, made from its example, or else from sample values."""

    context: GameContext
    rules: Ruleset
    project: Project

    @cached_property
    def _read(self) -> tuple[dict[str, Entry], dict[str, Diagnostic]]:
        entries: dict[str, Entry] = {}
        problems: dict[str, Diagnostic] = {}
        models = {self.rules.id: card_models(self.rules)}
        for kind in self._kinds():
            text = yaml.safe_dump({"game": self.rules.id, "kind": kind, **self._data(kind)}, sort_keys=False)
            document = parse_document(text, self.context.source_map.document.file)
            for outcome in read_cards(document, models, self.rules.id, self.project.workspace):
                if isinstance(outcome, Entry):
                    entries[kind] = outcome
                elif isinstance(outcome, Diagnostic):
                    problems.setdefault(kind, outcome)
        index = build_index(entries.values())
        return dict(zip(entries, resolve_links(entries.values(), index), strict=True)), problems

    def _kinds(self) -> Iterator[str]:
        """Yield the kinds of cards, and the lists."""
        yield from self.context.spec.kinds
        yield from (name for name in self.context.spec.lists if name in self.context.kinds)

    def _data(self, kind: str) -> Mapping[str, Any]:
        spec = self._spec(kind)
        samples = {} if spec.example else Samples(self.context, str(SAMPLE_PICTURE)).of_fields(spec.fields)
        data = {**example_data(kind, samples, self.context), "name": example_name(kind)}
        member = member_kind_of(kind, self.context)
        if member:
            data[MEMBERS] = [{example_name(member): max(1, self.context.spec.lists[kind].members.min)}]
        return data

    def _spec(self, kind: str) -> KindSpec | ListSpec:
        return self.context.spec.kinds.get(kind) or self.context.spec.lists[kind]

    @property
    def entries(self) -> Mapping[str, Entry]:
        """The examples that are valid, by kind."""
        return self._read[0]

    def problems(self) -> Iterator[Diagnostic]:
        """Yield a problem for each example that is not valid, and those of templates that cannot print one."""
        for kind, problem in self._read[1].items():
            if self._spec(kind).example:  # sample values are a guess
                message = f"the example is not a valid {kind}: {problem.message}"
                yield Diagnostic(Code.INVALID_GAME, message, self._place(kind), problem.help)
        yield from self._template_problems()

    def _place(self, kind: str) -> Place:
        section = "kinds" if kind in self.context.spec.kinds else "lists"
        return self.context.place((section, kind, *(("example",) if self._spec(kind).example else ())))

    def _template_problems(self) -> Iterator[Diagnostic]:
        from cardgen.print.render import CardRenderer  # loaded here because it imports the template engine

        renderer = CardRenderer(self.project, find_art=_find_art)
        renderer.expect(self.entries.values())
        own_file = self.context.source_map.document.file
        for kind, entry in self.entries.items():
            if not self.rules.kinds[kind].is_printed or missing_links(entry):
                continue
            try:
                yield from renderer.source_mistakes(entry)
                _, misfits = renderer.render_piece(entry, backs=True)
            except CardgenError as error:
                misfits = error.diagnostics
            for each in misfits:
                # The example is not a file, so its own places mean nothing.
                yield each._replace(place=self._place(kind)) if each.place.file == own_file else each


def _find_art(project: Project, entry: Entry, name: str) -> Path:
    """Return a picture of an example, or the one that stands for any."""
    return SAMPLE_PICTURE if name == str(SAMPLE_PICTURE) else find_art(project, entry, name)


def _wrong_terms(context: GameContext, rules: Ruleset, examples: _Examples) -> Iterator[Diagnostic]:
    """Yield the terms that texts of the game file do not spell as the glossary does."""
    scope = CheckScope(
        cards=tuple(examples.entries.values()),
        documents=(),
        other_cards=OtherCards(),
        services=project_services(examples.project),
        glossaries={rules.id: glossary_of(rules)},
    )
    for entry, text, place in _texts(context, rules, examples):
        free_text = FreeText(text, "text")
        for code in WORDING:
            check = checks_of(frozenset(), examples.project.workspace).find(code)
            assert check
            assert check.find
            for finding in check.find(free_text, CheckContext(scope, entry)):
                yield _at(finding, code, check.severity, place)


def _texts(context: GameContext, rules: Ruleset, examples: _Examples) -> Iterator[tuple[Entry, str, Place]]:
    for kind, entry in examples.entries.items():
        spec = context.spec.kinds.get(kind)
        if spec and spec.text:
            yield entry, rules.describe(entry.card), context.place(("kinds", kind, "text"))
    for entry in [*examples.entries.values()][:1]:
        for name, term in context.spec.glossary.items():
            yield entry, term.means, context.place(("glossary", name, "means"))


def _at(finding: Finding, code: str, severity: Severity, place: Place) -> Diagnostic:
    return Diagnostic(code, finding.message, place, finding.help, severity)
