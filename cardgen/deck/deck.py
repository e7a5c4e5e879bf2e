"""Deck, games, and pictures of a project, and its settings, in which games have blocks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from importlib import import_module
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cardgen.deck.art import add_automatic_art, wrong_back_rules
from cardgen.deck.card_index import CardSource, IndexedCard, library_of
from cardgen.diagnostic import (
    CardgenError,
    Code,
    Diagnostic,
    Place,
    UnknownName,
    escape_controls,
    join_words,
    stop_on_errors,
)
from cardgen.model.card import Card, Entry
from cardgen.model.card_values import pointer, texts_of
from cardgen.model.deck import (
    CardLibrary,
    Deck,
    Unread,
    folded_word,
    read_deck,
    read_files,
    select_cards,
)
from cardgen.model.schema import card_file_schema
from cardgen.options import PLACEHOLDER
from cardgen.project.files import CARDS_FOLDER, built_in_folder, require_inside
from cardgen.project.project import Project
from cardgen.referee.parameters import settings_in_force, switch_help
from cardgen.rulesets import ruleset
from cardgen.rulesets.game_settings import GameSettings
from cardgen.rulesets.ruleset import Kind, ModuleSource, Ruleset, SizeByField, card_models
from cardgen.runtime.processes import without_gc
from cardgen.runtime.workspace import FileMemory, Workspace
from cardgen.source import KeyPath
from cardgen.units import CARD_SIZES, Size, parse_size, shorten, with_article
from cardgen.validation.base import Model, SourceMap
from cardgen.validation.validate import KeyContext, validate

if TYPE_CHECKING:
    from cardgen.grammar.reading import TextReader
    from cardgen.model.translation import Translator
    from cardgen.referee.trial import GameTrials
    from cardgen.rulesets.reference import ReferenceContent
    from cardgen.text.shaped_row import Icons


def read_game_settings(project: Project) -> Workspace:
    """Return the project's workspace with its blocks of games, which are read at the first call.

    Raises CardgenError with all problems in them.
    """
    workspace = project.workspace
    if workspace.game_settings is not None:
        return workspace
    blocks = [_read_block(project, game) for game in project.game_blocks]
    problems = [problem for _, problems in blocks for problem in problems]
    if problems:
        raise CardgenError(*problems)
    workspace.game_settings = {type(block): block for block, _ in blocks if block}
    return workspace


def _read_block(project: Project, game: str) -> tuple[GameSettings | None, tuple[Diagnostic, ...]]:
    rules = ruleset.ruleset(game, project.workspace)
    assert isinstance(rules, Ruleset), "only installed games have a block"
    assert project.document is not None, "a block is in a file"
    if rules.settings is None:
        message = f"the game '{game}' has no settings of its own"
        return None, (Diagnostic(Code.BAD_SETTINGS, message, project.place((game,)), "remove this key"),)
    source_map = SourceMap(project.document, (rules.settings,), ((game,),))
    data = project.game_blocks[game]
    context = KeyContext(own_location=f"in '{game}'", owner_suffix=f" in '{game}'")
    return validate(rules.settings, {} if data is None else data, source_map, lambda: context)


def load_game_module(name: ModuleSource, game: str) -> Any:
    """Import a module that the ruleset of a game names, or call its function, which returns the same names.

    Raises CardgenError if there is no such module.
    """
    if callable(name):
        return name()
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):  # another module that this one imports
            raise
        message = f"the module '{name}' of the game '{game}' does not exist"
        advice = "create it, or remove it from the RULESET"
        raise CardgenError(Diagnostic(Code.UNFINISHED_GAME, message, Place(game), advice)) from None


def load_trials(rules: Ruleset) -> GameTrials:
    """Return the trials of a game. Raises CardgenError for a module that does not exist."""
    every: Iterator[GameTrials] = (module.TRIALS for module in _modules(rules.trials, rules.id))
    return reduce(lambda earlier, later: earlier.extended(later), every)


def load_content(rules: Ruleset) -> ReferenceContent:
    """Return the content that a game adds to sheets. Raises CardgenError for a module that does not exist."""
    every: Iterator[ReferenceContent] = (module.REFERENCE for module in _modules(rules.reference, rules.id))
    return reduce(lambda earlier, later: earlier.extended(later), every)


def load_reader(rules: Ruleset) -> TextReader | None:
    """Return the reader of a game's card texts, or None. Raises CardgenError for a module that does not exist."""
    reader: TextReader | None = load_game_module(rules.reader, rules.id).READER if rules.reader else None
    return reader


def _modules(sources: ModuleSource | tuple[ModuleSource, ...], game: str) -> Iterator[Any]:
    return (load_game_module(source, game) for source in (sources if isinstance(sources, tuple) else (sources,)))


def missing_page(diagnostic: Diagnostic) -> Diagnostic:
    """Return the diagnostic for a fixed limit without a manual page."""
    message = f"the fixed limit {diagnostic.code} has no manual page"
    return Diagnostic(
        Code.UNFINISHED_GAME, message, diagnostic.place, "add its page to limits.txt in the game's package of checks"
    )


def unknown_settings(project: Project) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown kind and ruling in the settings."""
    settings = project.settings
    if not any((settings.game, settings.kinds, settings.sizes, settings.corners, settings.back, settings.rulings)):
        return  # The default game need not be that of any card, so it is not loaded.
    game = ruleset.ruleset(own_game(project), project.workspace)
    if not isinstance(game, Ruleset):
        return
    kinds = tuple(name for name, kind in game.kinds.items() if kind.default_size)
    # A diagnostic for each size of a kind that is unknown or has no fixed size.
    for name, size in project.settings.sizes.items():
        if name in game.kinds and isinstance(size, Mapping):
            yield from _unknown_values(name, size, game.kinds[name], project)
        elif name in game.kinds and name not in kinds:
            message = f"the size of {with_article(name)} is determined by its other keys"
            yield Diagnostic(Code.BAD_SETTINGS, message, project.place(("sizes", name)), "remove this setting")
        elif name not in kinds:
            yield _diagnostic_at(UnknownName("kind", name, kinds, (name,)), "sizes", project)
    for name in project.settings.corners:
        if name and name not in kinds:
            yield _diagnostic_at(UnknownName("kind", name, kinds, (name,)), "corners", project)
    yield from wrong_back_rules(project, game)
    for problem in rulings_of(project, game)[1]:
        policies = load_trials(game).policies if game.trials else ()
        yield _diagnostic_at(problem, "rulings", project)._replace(help=switch_help(problem, policies))


def own_game(project: Project) -> str:
    """Return the id of the game that a project's settings are about."""
    return project.settings.game or ruleset.default_game()


def rulings_of(project: Project, rules: Ruleset) -> tuple[dict[str, str], tuple[UnknownName, ...]]:
    """Return the settings of a game's rulings in a project, and unknown names, as `settings_in_force` does.

    The settings of the project apply to its own game only.
    """
    return settings_in_force(rules.rulings, project.settings.rulings if rules.id == own_game(project) else {})


def _unknown_values(name: str, sizes: Mapping[str, object], kind: Kind, project: Project) -> Iterator[Diagnostic]:
    """Yield a diagnostic for sizes by value, if the kind has none of these values."""
    if not isinstance(kind.size, SizeByField):
        message = f"no field decides the size of {with_article(name)}"
        yield Diagnostic(
            Code.BAD_SETTINGS, message, project.place(("sizes", name)), "write one size, such as 70mm x 120mm"
        )
        return
    known = tuple(kind.size.sizes)
    for word in sizes:
        if word not in known:
            problem = UnknownName(kind.size.field, word, known)
            yield Diagnostic(Code.BAD_SETTINGS, str(problem), project.place(("sizes", name, word)), problem.help)


def _diagnostic_at(problem: UnknownName, setting: str, project: Project) -> Diagnostic:
    return Diagnostic(Code.BAD_SETTINGS, str(problem), project.place((setting, *problem.path[:1])), problem.help)


def drawing_folders(project: Project, game: str, name: Literal["icons", "charges"]) -> tuple[Path, ...]:
    """Return the folders with the icons or charges of a game.

    First those of the project, then those beside the templates of the game and of all games.
    """
    beside = (
        (folder.path, own / name)
        for folder in project.template_folders()
        for owner in (game, "shared")
        if (own := folder.of_game(owner))
    )
    return (
        *project.folders(name),
        *(own for folder, own in beside if require_inside(folder, own, project.display_path(own)).is_dir()),
    )


def project_icons(project: Project, game: str, *, own_colours: bool = True) -> Icons:
    """Return the icons of a game, with its charges: files, those generated for the project's settings, built-in ones.

    Icons with several colors keep their `own_colours`, or take the color of the text.
    """
    from cardgen.face.face import icon_outline, read_icon  # loaded here because checks need them only for icons
    from cardgen.text.icon_sets import IconSets
    from cardgen.text.shaped_row import Drawings, Icons

    settings, workspace = require_game(game, project.workspace).settings, read_game_settings(project)
    generated = settings.of(workspace).generated_icons if settings else ()
    read, folders = partial(read_icon, unsaved=workspace.unsaved), drawing_folders(project, game, "icons")
    return Icons(
        Drawings(folders, partial(read, own_colours=own_colours)),
        generated,
        Drawings(drawing_folders(project, game, "charges"), read),
        IconSets(folders, partial(icon_outline, own_colours=own_colours), workspace.unsaved, lambda: project.icon_sets),
    )


_GAME_OPTION = Place("--game")


def load_deck(
    paths: Sequence[Path],
    only: Sequence[str] = (),
    folder: Path | None = None,
    *,
    may_be_empty: bool = False,
    workspace: Workspace | None = None,
    use_index: bool = True,
) -> tuple[Project, Deck]:
    """Return a project and its cards, selected by `only` from `paths`.

    `only` has kinds, ids, names, tags, and values such as 'suit=shells'. `folder` is a folder of the project, by
    default the current folder; a `workspace` takes its place. Raises CardgenError with all problems in the files that
    concern the selected cards; a project without card files is one, unless it `may_be_empty`. Unless `use_index` is
    false, only these cards are read if the index of the project shows no errors.
    """
    workspace = workspace or Workspace(folder)
    if only and use_index and (selected := load_selected(paths, only, workspace)):
        return selected
    project, deck = load_whole_deck(paths, only, workspace=workspace, may_be_empty=may_be_empty)
    return project, select_cards(deck, only)


def load_whole_deck(
    paths: Sequence[Path],
    only: Sequence[str],
    keep_going: str | None = None,
    *,
    workspace: Workspace,
    may_be_empty: bool = False,
) -> tuple[Project, Deck]:
    """Return a project and all of its cards, in a deck from which `only` will be selected.

    Cards with mistakes that do not concern the selection are not in the deck. With `keep_going`, none with mistakes
    are, but stand-ins for 'placeholder', and the deck says which of the selection were left out. Raises CardgenError
    as `load_deck` does.
    """
    project = Project.open(workspace)
    files = card_files(project, paths) if may_be_empty else project.find_card_files(paths)
    with without_gc():
        deck = read_project_deck(project, files, libraries(project, files), compact=True)
    wrong_settings = tuple(unknown_settings(project))
    if not deck.diagnostics or not (only or keep_going):
        stop_on_errors((*wrong_settings, *deck.diagnostics))
        return project, deck
    from cardgen.model import left_out  # loaded here because most decks have no mistakes

    mistaken, general = left_out.find_left_out(deck)
    selected = tuple(each for each in mistaken if each.matches(only))
    concerning = () if keep_going else (problem for each in selected for problem in each.problems)
    stop_on_errors(dict.fromkeys((*wrong_settings, *general, *concerning)))
    stand_ins = [
        left_out.make_stand_in(each, number) for number, each in enumerate(selected, 1) if keep_going == PLACEHOLDER
    ]
    printable = [each for each in stand_ins if each and kind_of(each).is_printed and kind_of(each).default_size]
    right = left_out.without(deck, mistaken, selected if keep_going else (), printable)
    if not keep_going:
        try:
            select_cards(right, only)
        except CardgenError:
            # An unknown name may be that of a card that cannot be read.
            stop_on_errors(deck.diagnostics)
            raise
    return project, right


@without_gc()
def load_selected(
    paths: Sequence[Path], only: Sequence[str], workspace: Workspace, *, for_pieces: bool = False
) -> tuple[Project, Deck] | None:
    """Return a project and the cards that `only` selects from `paths`, and read no others.

    None if the index does not settle which they are, or does not show that the project has no errors. So it is for
    words that are kinds, if the cards are `for_pieces`, which can be made from cards of other kinds.
    """
    project = Project.open(workspace)
    files = card_files(project, paths)
    sources = faultless_sources(project, files)
    own = sources[0]("") if sources else None
    chosen = own.selected(only) if own else None
    if own is None or chosen is None:
        return None
    some = own.deck(dict.fromkeys(file for file, _ in chosen), [library_of(each) for each in sources])
    counters: dict[tuple[str, str], Iterator[int]] = {}
    every = [card for known in own.index.values() for card in known.cards]
    if for_pieces and any(
        folded_word(word) in require_game(game, project.workspace).kinds
        for game in {card.game for card in every}
        for word in only
    ):
        return None
    numbers = {(each.game, each.id): next(counters.setdefault((each.game, each.kind), count(1))) for each in every}
    ids = {(card.game, card.id) for card in (own.index[file].cards[number] for file, number in chosen)}
    kinds = frozenset([(each.game, each.kind) for each in every if not each.draft and (each.game, each.id) not in ids])
    stop_on_errors((*unknown_settings(project), *some.diagnostics))
    return project, replace(select_cards(some, only), unread=Unread(numbers, kinds))


def faultless_sources(project: Project, files: tuple[Path, ...]) -> Sequence[Callable[[str], CardSource]]:
    """Return the sources of cards if the index knows that reading all files would find no errors; none otherwise."""
    sources = indexed_sources(project, files) if files and can_be_indexed(project) else ()
    return sources if sources and sources[0]("").is_faultless(sources[1:]) else ()


def can_be_indexed(project: Project) -> bool:
    """Return whether what is wrong with the cards of a project, and their pictures, are told by their files alone."""
    game = own_game(project)
    return not project.settings.art and game in project.workspace.game_ids


def read_project_deck(
    project: Project, files: Iterable[Path], card_libraries: Iterable[CardLibrary] = (), *, compact: bool = False
) -> Deck:
    """Read the cards of files into a deck, as `read_deck` does, under the project's settings of games, in its language.

    Raises CardgenError if these settings are invalid.
    """
    games, own = KindsByGame(read_game_settings(project)), tuple(files)
    deck = read_deck(project, own, games, ruleset.default_game(), card_libraries, compact=compact)
    add_automatic_art(project, deck.cards)
    if not project.workspace.language:
        return deck
    from cardgen.model.translation import translated_deck  # loaded here because few runs need it

    return translated_deck(deck, translator_of(project, own))


def translator_of(project: Project, files: Iterable[Path]) -> Translator:
    """Return what puts the cards of files into the language of the project's workspace."""
    from cardgen.model.translation import Translator  # loaded here because few runs need it

    language = project.workspace.language
    return Translator(project, language, files, source_texts, partial(_speaks, language))


def _speaks(language: str, entry: Entry) -> bool:
    """Return whether the game of a card has words in a language."""
    missing = rules_of(entry).missing_clauses
    return missing is not None and missing(entry.card, language) is not None


def source_texts(entry: Entry, language: str = "") -> dict[str, str]:
    """Return the texts of a card that can be translated, by pointer; also those that its game writes.

    Those that it writes in the `language` need no translation.
    """
    return {
        **texts_of(entry.card),
        **{
            pointer((*path, "text")): rules_of(entry).describe(part)
            for path, part in generated_parts(entry)
            if not rules_of(entry).writes(part, language)
        },
    }


def generated_parts(entry: Entry) -> Iterator[tuple[KeyPath, Model]]:
    """Yield the card, and the parts of it, whose texts its game writes."""
    return _generated(entry.card, (), entry)


def _generated(value: object, path: KeyPath, entry: Entry) -> Iterator[tuple[KeyPath, Model]]:
    if isinstance(value, Model):
        fields = type(value).model_fields
        if "text" in fields and not getattr(value, "text", None) and rules_of(entry).describe(value):
            yield path, value
        for attribute, info in fields.items():
            yield from _generated(getattr(value, attribute), (*path, info.alias or attribute), entry)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _generated(item, (*path, str(key)), entry)
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _generated(item, (*path, index), entry)


def card_files(project: Project, paths: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Return the named card files, or all of the project, if any."""
    try:
        return project.find_card_files(paths)
    except CardgenError as error:
        if paths or any(each.code != Code.NO_CARDS for each in error.diagnostics):
            raise
        return ()


def libraries(project: Project, files: Collection[Path]) -> tuple[CardLibrary, ...]:
    """Return the libraries that cards in some files can refer to.

    First the other files of the project, then the built-in cards.
    """
    return tuple(map(library_of, indexed_sources(project, files)[1:]))


def other_files(project: Project, files: Collection[Path]) -> tuple[Path, ...]:
    """Return the other card files of the project, which can have none."""
    named = frozenset(files)
    try:
        return tuple(file for file in project.find_card_files(outside=[]) if file not in named)
    except CardgenError:
        return ()


def built_in_files(game: str) -> tuple[Path, ...]:
    """Return the files with the built-in cards of a game."""
    folder = built_in_folder(CARDS_FOLDER) / game
    return Project(folder).find_card_files() if folder.is_dir() else ()


def built_in_cards(project: Project, game: str, files: Iterable[Path] | None = None) -> tuple[Entry, ...]:
    """Return the built-in cards of a game, by default those of all its files.

    Paths are displayed relative to `project`.
    """
    return built_in_source(project, game).deck(built_in_files(game) if files is None else files).cards


def built_in_source(project: Project, game: str) -> CardSource:
    """Return the source of the built-in cards of a game, with paths as `built_in_cards` does."""
    workspace = read_game_settings(project).with_optional_fields()
    games = {game: card_models(require_game(game, workspace))}
    plain = Project(project.root, document=project.document, workspace=workspace)
    return CardSource(
        plain,
        built_in_files(game),
        lambda file: next(read_files(plain, (file,), games, game)),
        lambda files, card_libraries: read_deck(plain, files, games, game, card_libraries),
        game,
    )


# Files of which the cards are in memory while an index is made.
_MOST_REMEMBERED = 500


def indexed_sources(project: Project, files: Collection[Path]) -> Sequence[Callable[[str], CardSource]]:
    """Return the sources of a game's cards: some files, the other files of the project, and the built-in cards.

    A file is read when one of its cards is needed.
    """
    workspace = read_game_settings(project)
    if workspace.memory is None:  # A file can be needed for several questions.
        project = replace(project, workspace=replace(workspace, memory=FileMemory(_MOST_REMEMBERED)))
    games, game = KindsByGame(project.workspace), own_game(project)

    def source(read: Iterable[Path]) -> CardSource:
        return CardSource(
            project,
            tuple(read),
            lambda file: next(read_files(project, (file,), games, game)),
            lambda few, card_libraries: read_project_deck(project, few, card_libraries),
        )

    own = source(files)
    others = cache(lambda _: source(other_files(project, files)))
    return lambda _: own, others, cache(partial(built_in_source, project))


class ListedCard(NamedTuple):
    """A card in a list of cards; `place` is that of its name, and `qty` the number of copies.

    `is_own_game` is true if its game is a file of the project. `fields` are the values of the fields that the project
    adds to the kind.
    """

    game: str
    kind: str
    id: str
    qty: int
    name: str
    place: str
    is_own_game: bool = False
    fields: Mapping[str, object] = MappingProxyType({})

    def as_data(self) -> dict[str, object]:
        """Return what a list in JSON has of the card."""
        data = {key: value for key, value in self._asdict().items() if key != "is_own_game"}
        return {**data, "fields": dict(self.fields)}


def list_cards(paths: Sequence[Path], only: Sequence[str] = (), workspace: Workspace | None = None) -> list[ListedCard]:
    """Return a list of the cards, selected by `only` from `paths`."""
    project = Project.open(workspace)
    files = project.find_card_files(paths)
    with without_gc():
        sources = () if project.workspace.language else faultless_sources(project, files)
        own = sources[0]("") if sources else None
        chosen = own.selected(only) if own else None
    if own is None or chosen is None:
        entries = load_deck(paths, only, workspace=workspace, use_index=False)[1].cards
        # The place of a name that is translated would be in another file.
        places = [entry.source_map.place(("name",)) for entry in entries]
        read = (IndexedCard.of(entry, project, place) for entry, place in zip(entries, places, strict=True))
        return [_listed_card(card, entry.document.file, project) for card, entry in zip(read, entries, strict=True)]
    stop_on_errors(unknown_settings(project))
    return [_listed_card(own.index[file].cards[number], project.display_path(file), project) for file, number in chosen]


def list_credits(workspace: Workspace | None = None) -> list[tuple[str, str, str]]:
    """Return whom to credit, the license, and what for: pictures of the project's cards, and its icon sets.

    Raises CardgenError for cards and icon sets that cannot be read.
    """
    project, deck = load_deck((), workspace=workspace, use_index=False)
    names: dict[str, list[str]] = {}
    for entry in deck.cards:
        card = entry.card
        if credit := (card.art and card.art.credit) or card.credit:
            names.setdefault(credit, []).append(card.name)
    pictures = [(credit, "", shorten(", ".join(dict.fromkeys(cards)))) for credit, cards in names.items()]
    games = dict.fromkeys([own_game(project), *(entry.game for entry in deck.cards)])
    sets = {each.path: each for game in games for each in project_icons(project, game).sets.sets()}
    return pictures + [(each.credit, each.license, project.display_path(each.path)) for each in sets.values()]


def _listed_card(card: IndexedCard, file: str, project: Project) -> ListedCard:
    is_own, place = card.game in project.workspace.games, f"{escape_controls(file)}{card.at}"
    return ListedCard(card.game, card.kind, card.id, card.qty, card.name, place, is_own, card.fields)


def card_schema(game: str | None = None, workspace: Workspace | None = None) -> Mapping[str, Any]:
    """Return the JSON Schema of a game's card files.

    The default is the project's game.
    """
    project = Project.open(workspace)
    rules = game_of(project, game)
    return card_file_schema(rules.id, card_models(rules), read_game_settings(project))


class KindsByGame(Mapping[str, Mapping[str, type[Card]]]):
    """The kinds of every game of a workspace by its id.

    A game is loaded when a card of it is read, and one with mistakes only once.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._wrong: dict[str, CardgenError] = {}

    def __getitem__(self, game: str) -> Mapping[str, type[Card]]:
        if game in self._wrong:
            raise CardgenError(*self._wrong[game].diagnostics)
        try:
            rules = ruleset.ruleset(game, self._workspace)
        except CardgenError as error:
            self._wrong[game] = error
            raise
        if isinstance(rules, UnknownName):
            raise KeyError(game)
        return card_models(rules)

    def __contains__(self, game: object) -> bool:
        return game in self._workspace.game_ids  # without loading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._workspace.game_ids)

    def __len__(self) -> int:
        return len(self._workspace.game_ids)


def game_of(project: Project, option: str | None = None, paths: Sequence[Path] = ()) -> Ruleset:
    """Return the game of an option, or else of the cards in named files, or else of the project.

    Raises CardgenError, located at the option or the setting, if it is unknown, and for cards of several games.
    """
    if option:
        return require_game(option, project.workspace)
    game = own_game(project)
    named = indexed_sources(project, card_files(project, paths))[0](game).games if paths else []
    if project.settings.game in named:
        named = [game]
    if len(named) > 1:
        message = f"the cards are of several games: {join_words(named, 'and')}"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, _GAME_OPTION, "choose one with --game"))
    if named:
        return require_game(named[0], project.workspace)
    return require_game(game, project.workspace, project.place(("game",)))


def require_game(game: str, workspace: Workspace | None = None, place: Place = _GAME_OPTION) -> Ruleset:
    """Return the game of that id, an installed one or one of the project of the workspace, with what that adds.

    Raises CardgenError, located at `place`, if it is unknown.
    """
    rules = ruleset.ruleset(game, workspace)
    if isinstance(rules, Ruleset):
        return rules
    raise CardgenError(Diagnostic(Code.NO_SUCH_GAME, str(rules), place, rules.help))


def rules_of(entry: Entry) -> Ruleset:
    """Return the game of a card."""
    return require_game(entry.game, entry.workspace)


def kind_of(entry: Entry) -> Kind:
    """Return the kind of a card."""
    return rules_of(entry).kinds[entry.kind]


def kind_title(entry: Entry) -> str:
    """Return the name of a card's kind as people read it."""
    return kind_of(entry).title or entry.kind.replace("-", " ")


def language_of(project: Project, entry: Entry) -> str:
    """Return the tag of the language of a card's texts; '' if neither the card nor the project names it."""
    return entry.card.language or project.language


def card_size(project: Project, entry: Entry) -> Size:
    """Return the size of a card, or the default for its kind.

    The project's default has priority over the game's. Raises CardgenError for an invalid size, and for one that is
    determined by the card's other keys.
    """
    kind = kind_of(entry)
    if entry.card.size is None:
        return kind.size_of(entry.card, project.settings.sizes.get(entry.kind))
    if kind.default_size is None:
        message = f"the size of {with_article(entry.kind)} is determined by its other keys"
        raise CardgenError(Diagnostic(Code.BAD_SIZE, message, entry.place(("size",)), "remove 'size'"))
    try:
        return parse_size(entry.card.size, CARD_SIZES)
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_SIZE, str(error), entry.place(("size",)))) from None
