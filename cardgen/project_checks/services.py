"""What checks can use of a project: the checks of its games, templates of cards, pictures, and the limits of print."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from cardgen.checking.check import (
    CheckScope,
    Glossary,
    ProjectServices,
    ReleasedId,
    TranslatedPair,
    TranslationsOf,
    UnreadField,
    UnreadFile,
    UnwrittenClause,
)
from cardgen.checking.registry import GENERAL_CHECKS, CheckSource, Registry, load_registry
from cardgen.deck.art import art_files, back_pictures, find_art, settings_back
from cardgen.deck.deck import (
    card_size,
    generated_parts,
    kind_of,
    libraries,
    load_game_module,
    own_game,
    project_icons,
    read_project_deck,
    require_game,
    rules_of,
)
from cardgen.diagnostic import (
    MAX_SUGGESTIONS,
    VERY_CLOSE_CUTOFF,
    CardgenError,
    Code,
    Diagnostic,
    Place,
    closest,
    join_words,
    stop_on_errors,
)
from cardgen.model.card import Card, Entry
from cardgen.model.deck import missing_links
from cardgen.project.files import (
    CARD_SUFFIXES,
    CARDS_FOLDER,
    RELEASES_FOLDER,
    TEMPLATE_SUFFIX,
    TEMPLATE_SUFFIXES,
    built_in_folder,
    game_folders,
    is_own,
    projects_below,
    read_template,
    skipped_files,
    template_stem,
    template_text,
)
from cardgen.project.project import Project, is_picture
from cardgen.rulesets.ruleset import Ruleset, kinds_made_from
from cardgen.runtime.fingerprint import SETTINGS_FILE, TABLE_SUFFIXES, WORKBOOK_SUFFIXES, has_settings
from cardgen.runtime.regular_file import is_file
from cardgen.runtime.workspace import Workspace, game_locations
from cardgen.source import Data, read_document
from cardgen.text.dictionary import Spelling
from cardgen.units import CARD_SIZES, Size, parse_size, quantity

if TYPE_CHECKING:
    from cardgen.deck.translated import State, TranslatedText
    from cardgen.print.request import PrintSetup
    from cardgen.text.fonts import Fonts
    from cardgen.text.shaped_row import Icons


_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)", re.DOTALL)
# A tag that loads another template, and the name of that template if it is constant.
_LOADER = re.compile(r"\{%-?\s*(?:include|import|from|extends)\s+([^%]*)")
_CONSTANT = re.compile(r"""(["'])([^"']+)\1(?!\s*~)""")


class TemplateSources:
    """Sources of templates by game and name, each read once."""

    def __init__(self, project: Project) -> None:
        self._root, self._workspace = project.root, project.workspace
        self._folders = project.template_folders()
        self._joined: dict[tuple[str, str, str], str] = {}
        self._find = cache(self._look_up)  # Each look at the disk costs more than a check of a card.

    def find(self, game: str, name: str) -> Path | None:
        """Return the file of a template, such as 'minion.back', or None."""
        return self._find(f"{game}/{name}{TEMPLATE_SUFFIX}")

    def of_card(self, entry: Entry) -> str:
        """Return the sources of all templates that can print a card.

        This includes the templates of pieces made from it. It is '' for a card that is not printed, and if not all
        templates are certain: one is missing, its name is computed, or it is a drawing with mistakes.
        """
        name = entry.card.template or entry.kind
        return self.of_names(entry.kind, entry.game, name, entry.card.back or name)

    def of_sides(self, entry: Entry) -> str:
        """Return the sources of the templates that draw the sides of a card, or '' as `of_card` does."""
        name = entry.card.template or entry.kind
        return self._join(entry.kind, entry.game, name, entry.card.back or name, pieces=False)

    def of_kind(self, game: str, kind: str) -> str:
        """Return the sources of all templates that print cards of a kind, or '' as `of_card` does."""
        return self.of_names(kind, game, kind, kind)

    def of_names(self, kind: str, game: str, front: str, back: str) -> str:
        """Return the sources of the templates of these names for a kind, or '' as `of_card` does."""
        key = (game, front, back)
        if key not in self._joined:
            self._joined[key] = self._join(kind, *key)
        return self._joined[key]

    def of_game(self, game: str) -> str:
        """Return the sources of all templates of a game, except links out of the project."""
        folders = game_folders(self._folders, game)
        paths = (path for folder in folders for path in sorted(folder.glob("*")))
        own = (path for path in paths if path.name.endswith(TEMPLATE_SUFFIXES) and self._is_own(path))
        return "\n".join(map(self._source, own))

    def _source(self, path: Path) -> str:
        """Return the source of a template without its comments; with mistakes, its text in lower case."""
        text = template_text(path, self._workspace.unsaved)
        source = self._converted(path, text)
        return text.lower() if source is None else _COMMENT.sub("", source)

    def _converted(self, path: Path, text: str) -> str | None:
        """Return the source of the template that a layout or a drawing is, or None if it has mistakes."""
        if path.name.endswith(TEMPLATE_SUFFIX):
            return text
        # Loaded here because few projects have layouts or drawings.
        from cardgen.face.inkscape_texts import DrawingError
        from cardgen.face.template.engine import source_of

        def read_frame(file: str) -> str:
            frame = path.with_name(file)
            if not self._is_own(frame):
                raise LookupError(file)
            return source_of(frame, template_text(frame, self._workspace.unsaved), read_frame)

        try:
            return source_of(path, text, read_frame)
        except (DrawingError, LookupError):
            return None

    def _join(self, kind_name: str, game: str, front: str, back: str, *, pieces: bool = True) -> str:
        kinds = require_game(game, self._workspace).kinds
        if not kinds[kind_name].is_printed or self.find(game, front) is None:
            return ""
        made = kinds_made_from(kinds, kind_name) if pieces else ()
        names = [front, f"{front}.long", f"{back}.back", *made]
        try:
            return "\n".join(
                self._closure([f"{game}/{name}{TEMPLATE_SUFFIX}" for name in names if self.find(game, name)])
            )
        except (LookupError, OSError, ValueError):
            return ""

    def _closure(self, files: list[str]) -> Iterator[str]:
        """Yield the source of each file and of all that it loads.

        Raises LookupError if one of them is unknown.
        """
        seen = set[str]()
        while files:
            file = files.pop()
            if file not in seen:
                seen.add(file)
                source = self._read(file)
                yield source
                files += map(_constant_name, _LOADER.findall(source))

    def _read(self, file: str) -> str:
        path = self._find(file)
        if path is None or not self._is_own(path):
            raise LookupError(file)
        text = read_template(path, self._workspace.unsaved).decode()
        source = self._converted(path, text)
        if source is None:
            raise LookupError(file)
        return _COMMENT.sub("", source)

    def _is_own(self, path: Path) -> bool:
        return is_own(self._root, path) and path.is_file()

    def _look_up(self, file: str) -> Path | None:
        return next((path for folder in self._folders if (path := folder.find(file))), None)


def has_own_templates(project: Project) -> bool:
    """Return whether a project, or a game in it, has templates or fonts besides those of the program.

    A wheel contains a folder of fonts, and a checkout does not.
    """
    own = (*project.folders("fonts"), *(folder.path for folder in project.template_folders()))
    return not {built_in_folder("fonts"), built_in_folder("templates")}.issuperset(own)


def _constant_name(expression: str) -> str:
    name = _CONSTANT.match(expression.strip())
    if name is None:
        raise LookupError(expression)
    return name[2]


def unread_fields(
    project: Project, sources: TemplateSources, names: Callable[[], Iterable[Sequence[str]]]
) -> Iterator[UnreadField]:
    """Yield the free fields that the templates of their kind do not read.

    `names` returns the game and kind of each card, and the names of the templates of its sides.
    """
    if not project.settings.kinds or project.document is None:
        return
    game, cards = own_game(project), {*map(tuple, names())}
    for kind, block in project.settings.kinds.items():
        of_cards = (sources.of_names(kind, game, *sides) for its_game, its_kind, *sides in cards
                    if (its_game, its_kind) == (game, kind))  # fmt: skip
        texts = {sources.of_kind(game, kind), *of_cards}
        fields = block.get("fields") if isinstance(block, Mapping) else None
        if "" in texts or not isinstance(fields, Mapping):
            continue
        for field in fields:
            if not any(_reads(text, field) for text in texts):
                place = project.document.place(("kinds", kind, "fields", field), key=True)
                yield UnreadField(kind, field, place)


def _reads(source: str, field: str) -> bool:
    """Return whether a template mentions a field, as `card.field`, as a text, or as the field of a box."""
    name = re.escape(field)
    return re.search(rf"\.\s*{name}\b|[\"']{name}[\"'/]", source) is not None


def all_checks(workspace: Workspace | None = None) -> Registry:
    """Return the checks of all games, by default of the installed ones."""
    own = workspace or Workspace()
    return checks_of(frozenset(own.game_ids), own)


def checks_of(games: frozenset[str], workspace: Workspace) -> Registry:
    """Return the general checks and those of some games."""
    sources = ((game, require_game(game, workspace).checks) for game in games)
    return registry_of(frozenset((source, game) for game, every in sources for source in _sources(every)))


def find_refusal(word: str, workspace: Workspace, games: Iterable[str] = (), *, to_ignore: bool = False) -> str:
    """Return why a word cannot select (or ignore) checks, or ''.

    The checks of other games than these are loaded only if no check of these matches the word.
    """
    if not checks_of(frozenset(games), workspace).refusal(word, to_ignore=to_ignore):
        return ""
    return all_checks(workspace).refusal(word, to_ignore=to_ignore)


def _sources(checks: CheckSource | tuple[CheckSource, ...]) -> Iterator[CheckSource]:
    return (source for source in (checks if isinstance(checks, tuple) else (checks,)) if source)


@lru_cache(maxsize=64)
def registry_of(sources: frozenset[tuple[CheckSource, str]]) -> Registry:
    """Return the general checks and those of some sources, each with its game.

    Raises CardgenError if a game that is a file has codes of another game.
    """
    for source, game in sources:
        if isinstance(source, str):
            load_game_module(source, game)
    registry = load_registry({GENERAL_CHECKS: "", **dict(sources)})
    stop_on_errors(_shared_codes(registry, {game for source, game in sources if callable(source)}))
    return registry


def _shared_codes(registry: Registry, files: Container[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for the first code that each game of `files` shares with another game."""
    owners: dict[str, set[str]] = {}
    for check in registry.checks:
        owners.setdefault(check.code, set()).add(check.game)
    reported = set[str]()
    for code, games in owners.items():
        for game in sorted(games if len(games) > 1 else ()):
            if game in files and game not in reported:
                reported.add(game)
                others = join_words([f"'{other}'" for other in sorted(games - {game})], "and")
                message = f"the game '{game}' has the code {code}, which belongs to {others}"
                yield Diagnostic(Code.UNFINISHED_GAME, message, Place(game), "choose another 'prefix' in its game.yaml")


def glossary_of(game: Ruleset) -> Glossary:
    """Return the spellings of a game's terms."""
    everyday = (form for term in game.terms for form in term.everyday)
    return Glossary(frozenset(form for term in game.terms for form in term.forms), frozenset(everyday))


def art_faults(path: Path) -> tuple[Diagnostic, ...]:
    """Return what an SVG file has that cannot be drawn, at its lines; nothing for other pictures."""
    if path.suffix.lower() != ".svg":
        return ()
    # loaded here because few checks need it
    from cardgen.face.face import fault_diagnostics, open_vector_art
    from cardgen.svg.scene import VectorArtError

    try:
        open_vector_art(path)
    except VectorArtError as error:
        return fault_diagnostics(error, path)
    return ()


def latest_release(project: Project) -> tuple[Sequence[ReleasedId], Sequence[Diagnostic]]:
    """Return the cards of the latest release file of a project, and what keeps it from being read."""
    if not os.path.lexists(project.root / RELEASES_FOLDER):
        return (), ()
    # loaded here because few projects have releases
    from cardgen.deck.release_file import place_of, read_release, release_files

    try:
        files = release_files(project.root)
        name = next(reversed(files), "")
        cards = read_release(files[name], name).cards if name else ()
    except CardgenError as error:
        return (), error.diagnostics
    retired = frozenset(project.settings.retired)
    return [
        ReleasedId(
            name,
            card.game,
            each,
            {**card.values, **card.texts, "name": card.name},
            partial(place_of, files[name], card.id),
        )
        for card in cards
        for each in (card.id, *card.formerly)
        if each not in retired
    ], ()


def project_services(
    project: Project, read_files: Collection[Path] | None = None, released: Sequence[ReleasedId] = ()
) -> ProjectServices:
    """Return the resources of a project that checks can use.

    `read_files` are all its card files; None if only some of them are checked. `released` are the cards of its latest
    release.
    """
    sources = TemplateSources(project)

    def has_template(entry: Entry, name: str) -> bool:
        return sources.find(entry.game, name) is not None

    def unread_files() -> dict[str, UnreadFile]:
        skipped = () if read_files is None else skipped_files(project.root, read_files, project.settings.languages)
        named = (project.root / name for name in project.settings.tables)
        lost = [table.name for table in named if not table.exists()]  # An error in the settings says what is meant.
        beside = {file.parent for file in read_files or ()} - {project.root}
        may_hold = (file for file in skipped if _may_hold_cards(project, file, beside))
        unread = [_unread(project, file) for file in may_hold if not closest(file.name, lost, VERY_CLOSE_CUTOFF)]
        if read_files is not None:
            unread += [*_misplaced_looks(project), *_homeless(project, read_files)]
        return {project.display_path(each.path): each for each in unread}

    @cache
    def prints(character: str) -> bool:
        return character in EVERYWHERE or fonts().has_glyph(character)

    @cache
    def fonts() -> Fonts:
        from cardgen.text import fonts as font_files  # loaded here because most texts have common characters only

        return font_files.Fonts(project.folders("fonts"))

    @cache
    def spans(game: str) -> Collection[str]:
        from cardgen.face.theme import span_names  # loaded here because few texts have spans

        return span_names(project.template_folders(), game, require_game(game, project.workspace).base_theme)

    @cache
    def every_card() -> Sequence[Entry]:
        return whole_deck(project, read_files or ())

    icons = cache(partial(project_icons, project))
    return ProjectServices(
        partial(find_art, project),
        has_template,
        sources.of_card,
        icons,
        cache(partial(art_files, project)),
        partial(settings_back, project),
        partial(back_pictures, project),
        art_faults,
        partial(unread_fields, project, sources),
        unread_files,
        lambda: released,
        prints,
        spans,
        partial(card_size, project),
        cache(lambda: () if read_files is None else all_translations(project, read_files, every_card)),
        cache(partial(_spelling, project)),
        lambda: () if read_files is None else _unwritten(project, every_card),
    )


def _unwritten(project: Project, cards: Callable[[], Sequence[Entry]]) -> Iterator[UnwrittenClause]:
    """Yield the clauses that games cannot write in the languages of the project, and of its cards if it has some."""
    own = [each for each in (*project.settings.languages, project.settings.language) if each]
    for entry in cards() if own else ():
        if missing := rules_of(entry).missing_clauses:
            for path, part in generated_parts(entry):
                for language in dict.fromkeys(filter(None, (*own, entry.card.language))):
                    for clause in missing(part, language) or ():
                        yield UnwrittenClause(language, clause, entry.place(path))


def _spelling(project: Project, language: str, game: str) -> Spelling:
    """Return the words of a language; the cards of the built-in games are English if nothing says otherwise."""
    usual = "en" if game in game_locations() else ""
    own = {word.lower() for words in project.settings.spelling for word in words.split()}
    return Spelling(language or project.language or usual, frozenset(own))


def look(entry: Entry, scope: CheckScope) -> list[Any] | None:
    """Return what decides which templates draw a card, and whether it can be drawn; None if its size is wrong."""
    if not kind_of(entry).is_printed:
        return []
    card, back = entry.card, scope.services.settings_back(entry)
    try:
        scope.services.size_of(entry)
    except CardgenError:
        return None
    names = [card.template, card.back, card.theme, back]
    return [entry.game, entry.kind, type(card).__qualname__, *names, can_be_drawn(scope, entry)]


def can_be_drawn(scope: CheckScope, entry: Entry) -> bool:
    """Return whether a card is printed, what it references is there, and its pictures exist and can be drawn."""
    card, names = entry.card, []
    if not kind_of(entry).is_printed or missing_links(entry):
        return False
    if card.art:
        names.append(card.art.file)
    if card.back and is_picture(card.back):
        names.append(card.back)
    try:
        return not any(scope.services.art_faults(scope.services.find_art(entry, name)) for name in names)
    except ValueError:
        return False


def _pairs(texts: Iterable[TranslatedText], state: State) -> Iterator[TranslatedPair]:
    for each in texts:
        if each.translation and each.state is state:
            found, card = each.translation, each.entry.card
            yield TranslatedPair(each.source, found.text, found.place, card.id, card.name, each.field, found.source)


def whole_deck(project: Project, files: Collection[Path]) -> Sequence[Entry]:
    """Return the cards in the files of a project that can be read."""
    return read_project_deck(project, files, libraries(project, files)).cards


def all_translations(
    project: Project, files: Collection[Path], cards: Callable[[], Sequence[Entry]]
) -> tuple[TranslationsOf, ...]:
    """Return the translations of a project into each of its languages; `cards` returns those of its files."""
    if not project.settings.languages:
        return ()
    # loaded here because few projects have translations
    from cardgen.deck.translated import State, text_states, texts_by_language
    from cardgen.model.translation import Translator

    entries, found = cards(), []
    for number, of in enumerate(texts_by_language(project, entries, files)):
        nearest = Translator(project, of.language, files)
        counts = Counter(text.state for each in entries for text in text_states(each, nearest.found(each), of.language))
        found.append(
            TranslationsOf(
                of.language,
                project.place(("languages", number)),
                counts[State.MISSING],
                [*_pairs(of.texts, State.TRANSLATED)],
                [*_pairs(of.texts, State.STALE)],
                (*of.problems, *of.loose),
                project.settings.glossary.get(of.language, {}),
            )
        )
    return tuple(found)


# Endings of files that may hold cards, in the folder of the cards; also others behind that of a card file.
_OF_CARDS: frozenset[str] = frozenset((*CARD_SUFFIXES, ".txt", *TABLE_SUFFIXES))


def _misplaced_looks(project: Project) -> Iterator[UnreadFile]:
    """Yield the themes, and the templates of kinds, that are in no folder of a game."""
    folder = next((each.path for each in project.template_folders() if each.path == project.root / "templates"), None)
    files = sorted(path for path in folder.glob("*") if is_file(path, folder)) if folder else []
    if not files:
        return
    game = own_game(project)
    try:
        kinds = require_game(game, project.workspace).kinds
    except CardgenError:  # an unknown game, which is reported at the settings
        return
    for path in files:
        kind = template_stem(path.name).removesuffix(".back").removesuffix(".long")
        is_template = kind in kinds and path.name.endswith(TEMPLATE_SUFFIXES)
        if is_template or fnmatchcase(path.name, "theme.yaml") or fnmatchcase(path.name, "theme.*.yaml"):
            what = "template" if is_template else "theme"
            yield UnreadFile(path, f"a {what} that is not read", f"move it to templates/{game}/{path.name}")


def _homeless(project: Project, files: Iterable[Path]) -> Iterator[UnreadFile]:
    """Yield the card files beside projects, in a folder that is not one itself.

    A folder with as many files of cards as projects, or more, is a collection that needs no settings.
    """
    files = list(files)
    below = () if has_settings(project.root) else projects_below(project.root)
    below = below if len(files) < len(below) else ()
    games = {folder: _game_of(project, folder / SETTINGS_FILE) for folder in below}
    for file in files if below else ():
        game = _game_of(project, file)
        likely = [each for each in below if games[each] == game] or below
        folders = [f"'{project.display_path(each / CARDS_FOLDER)}'" for each in likely[:MAX_SUGGESTIONS]]
        advice = f"move it to {join_words(folders)}, or add a cardgen.yaml here for a project of its own"
        yield UnreadFile(file, "the file belongs to no project", advice)


def _game_of(project: Project, file: Path) -> Data:
    is_read = file.suffix.lower() not in TABLE_SUFFIXES and is_own(project.root, file)
    data = read_document(file, "").data if is_read else None
    return data.get("game") if isinstance(data, dict) else None


def _unread(project: Project, file: Path) -> UnreadFile:
    """Return a file with what to do if it is a table."""
    if file.suffix.lower() not in (".csv", ".tsv", *WORKBOOK_SUFFIXES):  # JSON can be anything.
        return UnreadFile(file)
    name = file.relative_to(project.root).as_posix()
    advice = f"add '{name}: {{kind: …}}' below 'tables' in cardgen.yaml, or move it out of '{file.parent.name}'"
    return UnreadFile(file, "a table that is not read", advice)


def _may_hold_cards(project: Project, file: Path, beside: Collection[Path]) -> bool:
    """Return whether cards in a file that is not read would be missed.

    `beside` are the folders of files that were read. A name with '~$' is the lock of a workbook.
    """
    if file.is_symlink() or file.name.startswith("~$"):
        return False
    suffixes = [each.lower() for each in file.suffixes]
    is_among_cards = file.is_relative_to(project.root / CARDS_FOLDER) or file.parent in beside
    return file.suffix.lower() in CARD_SUFFIXES or (is_among_cards and not _OF_CARDS.isdisjoint(suffixes))


# Characters that a font of every installation has, and those that need none. Source: Source Sans 3.
EVERYWHERE = frozenset((
    *map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180))), *" \t\n\r\u00ad\u2011\u2028\u202f\ufe0e\ufe0f",
    *"–—‘’‚“”„†‡•…‰‹›€−→≤≥",
))  # fmt: skip


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


def unknown_icons(entries: Iterable[Entry], icons_of: Callable[[str], Icons]) -> Iterator[Diagnostic]:
    """Yield an error for each token whose icon, and each card whose charge, does not exist.

    `icons_of` returns the icons of a game.
    """
    for entry in entries:
        if entry.card.blazon:
            yield from _unknown_charge(entry, entry.card.blazon, icons_of(entry.game))
        name = getattr(entry.card, "icon", None)
        if not name or not _is_token(entry.card):
            continue
        icons = icons_of(entry.game)
        if not icons.is_project_icon(name) and icons.find(name) is None:
            message = f"'icon' of '{entry.card.name}' contains the unknown icon '{name}'"
            meant = closest(name, icons.names())
            advice = f"did you mean {{{meant}}}?" if meant else ""
            yield Diagnostic(Code.UNKNOWN_ICON, message, entry.place(("icon",)), advice)


def _unknown_charge(entry: Entry, name: str, icons: Icons) -> Iterator[Diagnostic]:
    # Whether a file can be drawn does not depend on the card; the check of icon files says so.
    if icons.charges.path(name) or icons.is_project_icon(name) or icons.find(name):
        return
    message = f"unknown charge '{name}' in 'blazon' of '{entry.card.name}'"
    meant = closest(name, icons.charges.names()) or closest(name, icons.names())
    advice = f"did you mean '{meant}'?" if meant else f"put {name}.svg into the folder 'charges', or use an icon"
    yield Diagnostic(Code.UNKNOWN_ICON, message, entry.place(("blazon",)), advice)


def _is_token(card: Card) -> bool:
    from cardgen.rulesets.pieces import Token  # loaded here because most cards have no icon

    return isinstance(card, Token)


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
        from cardgen.print.output_formats import too_large  # loaded here because few pieces are so large
        from cardgen.print.render import piece_format, room_problem

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
            from cardgen.print.render import LAYOUTS  # loaded here because few checks need sheets
            from cardgen.print.request import BuildRequest, print_setup, require_known

            settings = self._project.settings.model_copy(update={"printer": "none"})
            setup = print_setup(replace(self._project, settings=settings), BuildRequest())
            require_known(setup.layout, LAYOUTS, "layout", self._project.place(("layout",)))
            self._setup = setup
        return self._setup
