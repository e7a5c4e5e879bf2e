"""What one game adds to the program, its packs, and the games that are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from importlib import import_module
from itertools import islice
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol, TypeAlias, TypeVar

from pydantic import Field

from cardgen.diagnostic import MAX_SUGGESTIONS, UnknownName, join_words
from cardgen.language import beside
from cardgen.model.card import Card, Entry
from cardgen.referee.parameters import Ruling
from cardgen.rulesets.game_settings import GameSettings
from cardgen.runtime import workspace as workspaces
from cardgen.runtime.workspace import Workspace
from cardgen.source import KeyPath
from cardgen.units import CARD_SIZES, Shape, Size, parse_size
from cardgen.validation.base import Model, Number

if TYPE_CHECKING:
    from cardgen.checking.check import Check, CheckScope


class Kind(NamedTuple):
    """A kind of card or printed piece: model and default size.

    `size` is a name in `units.CARD_SIZES`, a width and height, a function that computes the size from the keys of the
    card, or '' for a kind that is not printed.
    `shape` is the shape of the trim. With `can_rotate`, sheets may contain pieces rotated by 90 degrees; forms that are
    filled in on screen should not be rotated.
    Pieces can be made from cards of the kinds `made_from`; they take over the keys that both kinds have, and the
    `values` of the card, if that is a function. None are made from cards for which it returns None. With `in_kit`
    False, they are made only if their kind is selected.
    With `can_tile`, a piece that is larger than the paper is tiled over several sheets.
    `example` is the text below the name of a new card, as YAML with comments, or the path of a file with that text;
    <KIND> in it is replaced with a card of that kind. By default, the example has the required keys.
    Cards of a kind without a template are drawn by the template `generic`, if there is one.
    `title` is how people read the name of the kind, if not as it is: 'Gebäude' for 'gebaude'.
    """

    model: type[Card]
    size: str | Callable[[Any], Size]
    example: str | Path = ""
    shape: Shape = Shape.RECTANGLE
    can_rotate: bool = True
    made_from: tuple[str, ...] = ()
    generic: str = ""
    values: Callable[[Any], Mapping[str, object] | None] | None = None
    in_kit: bool = True
    can_tile: bool = False
    title: str = ""

    @property
    def is_printed(self) -> bool:
        """True if cards of this kind are printed."""
        return bool(self.size)

    @property
    def example_text(self) -> str:
        """The text of the example, or ''."""
        return self.example.read_text(encoding="utf-8") if isinstance(self.example, Path) else self.example

    @property
    def default_size(self) -> Size | None:
        """The size of cards that set none.

        None if it is computed or nothing is printed.
        """
        return parse_size(self.size, CARD_SIZES) if isinstance(self.size, str) and self.size else None

    def size_of(self, card: Card, own: Size | Mapping[str, Size] | None = None) -> Size:
        """Return the size of a card that sets no size itself; `own` is the project's for this kind."""
        if isinstance(own, Size):
            return own
        size = self.size.with_sizes(own) if own and isinstance(self.size, SizeByField) else self.size
        return size(card) if callable(size) else parse_size(size, CARD_SIZES)


class PackItem(NamedTuple):
    """Copies of a card in a pack, by kind and name.

    With the name '', the pack has copies of each card of the kind. With `where`, it has copies of each card of the kind
    for which that is true, including cards from other files.
    """

    kind: str
    name: str = ""
    qty: int = 1
    where: Callable[[Card], bool] | None = None


class Pack(NamedTuple):
    """Everything to print for a card list, such as a warband.

    `kinds` are the kinds of lists. `documents` are the files by name, each with its kinds of pieces; pieces for the
    same paper share a file. `items` returns the items of a list.
    """

    kinds: tuple[str, ...]
    documents: Mapping[str, tuple[str, ...]]
    items: Callable[[Entry], Iterable[PackItem]]


class GlossaryTerm(NamedTuple):
    """A term of a game.

    `forms` are its forms in sentences, including the name. With `bold`, cards print it in bold. `everyday` are the
    forms that are also ordinary words, and need no capital.
    """

    name: str
    definition: str
    forms: tuple[str, ...]
    bold: bool = False
    everyday: tuple[str, ...] = ()


@cache
def read_glossary(path: Path) -> tuple[GlossaryTerm, ...]:
    """Return the terms in a text file.

    Each line is a term: `NAME, FORM: DEFINITION`. Bold terms are written as `**NAME, FORM**`. A form that begins with a
    lowercase letter is also an everyday word. Raises ValueError for a line without a definition.
    """
    return tuple([_parse_term(head, definition) for head, definition in read_keyed_lines(path)])


def _parse_term(head: str, definition: str) -> GlossaryTerm:
    words = head.strip("*").split(", ")
    forms = tuple([word[0].upper() + word[1:] for word in words])
    everyday = tuple([form for form, word in zip(forms, words, strict=True) if form != word])
    return GlossaryTerm(forms[0], definition, forms, head.startswith("**"), everyday)


def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """Return the rulings in a text file.

    A ruling is a line `ID: QUESTION`, followed by an indented line `SETTING: ANSWER` for each setting. Raises
    ValueError for a line without a colon.
    """
    questions: dict[str, str] = {}
    settings: dict[str, dict[str, str]] = {}
    for name, text in read_keyed_lines(path):
        if name.startswith(" "):
            settings[list(questions)[-1]][name.strip()] = text
        else:
            questions[name], settings[name] = text, {}
    return tuple([Ruling(name, text, MappingProxyType(settings[name])) for name, text in questions.items()])


def read_keyed_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield key and text of each line `KEY: TEXT` in a file.

    Keys keep their indentation, and lines that begin with '#' are comments. Raises ValueError for any other line.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        key, colon, text = line.partition(": ")
        if colon and not line.startswith("#"):
            yield key, text
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"{path}:{number}: write 'NAME: TEXT'")


# The name of a module, or a function that returns an object with the same names.
ModuleSource: TypeAlias = str | Callable[[], Any]


# The faces of dice by name: one list of faces for each candidate.
FacesByDie: TypeAlias = Mapping[str, tuple[tuple[int | str, ...], ...]]


class Ruleset(NamedTuple):
    """A game: its kinds of cards, glossary, rulings, and card texts.

    `describe` takes a card or a part of one (an ability, a weapon), and returns its marked-up text or ''.
    `once_label` takes the same, and returns how often it can be used ('Once a battle') or ''.
    `abbreviation` returns a letter of the game as cards print it, for templates: that of 'type CW'.
    `missing_clauses` returns the clauses of a thing's sentences that have no words in a language, or None if the game
    has none in it. If there is such a function, the three others also take the tag of a language.
    `glossary` can be the path of a text file, which is read at its first use; see `read_glossary`.
    `checks` is the package with the game's own checks, `trials` the module with the `TRIALS` of the referee, and
    `reference` the module with the `REFERENCE` content of reference sheets; each can be ''. A game that is a file gives
    functions instead: one that returns its checks, and ones that return an object with `TRIALS` or `REFERENCE`. Each
    can also be a tuple of these; later trials and content replace earlier ones of the same name.
    `template_functions` are available to its templates, besides `describe`, `once_label`, and `meaning`. Its themes
    extend those of `base_theme`, a folder of templates, if it is not ''. `dice` are the faces of its dice by name, as
    one list for each candidate.
    `rule_values` returns the game's own rules as plain values by key path, if the game belongs to a project, so that
    releases can compare them: meanings of terms, bounds of fields, checks.
    `reader` is the module with the `READER` of card texts, or ''; see `grammar.text_reader`. In a game without one,
    `text_effects` are the fields with texts of rules, each with the field of the effects that a battle plays instead,
    or ''. `claims_of` returns what a text of a part of a card says, as `Claims` that its checks compare with the card.
    `pack` is the pack of the game's card lists, or None. `settings` is the model of the game's block in cardgen.yaml.
    """

    id: str
    name: str
    kinds: Mapping[str, Kind]
    describe: Callable[[Model], str]
    once_label: Callable[[Model], str]
    glossary: tuple[GlossaryTerm, ...] | Path
    rulings: tuple[Ruling, ...]
    checks: str | Callable[[], Iterable[Check]] | tuple[str | Callable[[], Iterable[Check]], ...] = ""
    trials: ModuleSource | tuple[ModuleSource, ...] = ""
    reference: ModuleSource | tuple[ModuleSource, ...] = ""
    reader: ModuleSource = ""
    text_effects: Mapping[str, str] = MappingProxyType({})
    claims_of: Callable[[Model, str], Any] | None = None
    pack: Pack | None = None
    settings: type[GameSettings] | None = None
    template_functions: Mapping[str, Callable[..., object]] = MappingProxyType({})
    base_theme: str = ""
    dice: FacesByDie = MappingProxyType({})
    rule_values: Callable[[], Iterable[tuple[KeyPath, str | float]]] | None = None
    abbreviation: Callable[[str], str] = lambda name: name.rpartition(" ")[2]
    missing_clauses: Callable[[Model, str], Sequence[str] | None] | None = None

    @property
    def terms(self) -> tuple[GlossaryTerm, ...]:
        """The terms of the glossary."""
        return read_glossary(self.glossary) if isinstance(self.glossary, Path) else self.glossary

    def in_language(self, tag: str) -> Ruleset:
        """Return the game with its words in a language, as far as it has any; what has none is in English.

        Glossary and rulings are in files beside the English ones: `glossary.de.txt` and `rulings.de.txt`. A ruling
        with other settings stays as it is.
        """
        if not tag or not isinstance(self.glossary, Path):
            return self
        glossary = beside(self.glossary, tag)
        english = self.glossary.with_name("rulings.txt")
        file = beside(english, tag)
        found = {each.id: each for each in (read_rulings(file) if file != english else ())}
        rulings = tuple(
            [
                other if (other := found.get(each.id)) and [*other.settings] == [*each.settings] else each
                for each in self.rulings
            ]
        )
        game = self._replace(glossary=glossary, rulings=rulings)
        if self.missing_clauses is None:
            return game
        say: Any = self
        return game._replace(
            describe=lambda thing: say.describe(thing, tag),
            once_label=lambda thing: say.once_label(thing, tag),
            abbreviation=lambda name: say.abbreviation(name, tag),
        )

    def writes(self, thing: Model, tag: str) -> bool:
        """Return whether the game writes all sentences of a thing in a language."""
        return bool(tag) and self.missing_clauses is not None and self.missing_clauses(thing, tag) == ()


def late(module: str, function: str) -> Callable[..., Any]:
    """Return a function that loads a module when it is first called, such as the `describe` of a game."""
    load = cache(lambda: getattr(import_module(module), function))
    return lambda *values: load()(*values)


# The game of projects that do not name one: the oldest.
FALLBACK_GAME = "warniris"


def games(workspace: Workspace | None = None) -> tuple[str, ...]:
    """Return the ids of all games in alphabetical order, without loading them: installed ones, and the project's."""
    return (workspace or Workspace()).game_ids


def default_game() -> str:
    """Return the id of the default game.

    It applies to projects that do not name a game. It is the oldest game if that is installed, and otherwise the first
    in alphabetical order.
    """
    return FALLBACK_GAME if FALLBACK_GAME in workspaces.game_locations() else next(iter(games()), FALLBACK_GAME)


# The loader of games that are files; it is bound late, because it is far above this module.
GAME_FILE_LOADER = "cardgen.game_file.loader"


# The module that adds the free fields of a project, for the same reason.
FREE_FIELDS_LOADER = "cardgen.game_file.free_fields"


def ruleset(game: str, workspace: Workspace | None = None) -> Ruleset | UnknownName:
    """Return the game with an id, or the failed lookup; its kinds have the free fields of the workspace's project.

    Without a workspace, only installed games are known.

    The game is loaded at its first use. Raises TypeError if a location does not contain a Ruleset, and CardgenError for
    mistakes in a game file or in free fields.
    """
    workspace = workspace or Workspace()
    rules, fields = _plain_ruleset(game, workspace), workspace.fields
    if fields is None or not isinstance(rules, Ruleset) or game != (fields.game or default_game()):
        return rules
    extended: Ruleset = import_module(FREE_FIELDS_LOADER).extend(rules, fields)
    return extended


def _plain_ruleset(game: str, workspace: Workspace) -> Ruleset | UnknownName:
    location = workspaces.game_locations().get(game)
    if location is not None:
        return installed_ruleset(location)
    file = workspace.game_files.get(game)
    if file is None:
        return UnknownName("game", game, workspace.game_ids)
    loaded: Ruleset = import_module(GAME_FILE_LOADER).load_game(file, game)
    return loaded


@cache
def installed_ruleset(location: str) -> Ruleset:
    """Return the game at a location 'module:name'. Raises TypeError if that is not a Ruleset."""
    module, _, name = location.partition(":")
    loaded = reduce(getattr, name.split("."), import_module(module))
    if not isinstance(loaded, Ruleset):
        raise TypeError(f"{location} is not a Ruleset")
    return loaded


def kinds_by_name(kinds: Iterable[Kind]) -> Mapping[str, Kind]:
    """Return kinds of cards by name, in order."""
    return MappingProxyType({kind.model.KIND: kind for kind in kinds})


class LateKinds(Mapping[str, Kind]):
    """The kinds of several modules by name; each module is loaded when one of its kinds is needed.

    `modules` are the names of the kinds by module; each module has its `KINDS`. A model of one module never derives
    from the model of a kind of another one. `pieces` are the kinds of pieces that are made from cards, by the kind of
    these cards, as their `made_from` says.
    """

    def __init__(self, modules: Mapping[str, Iterable[str]], pieces: Mapping[str, tuple[str, ...]]) -> None:
        self.pieces = pieces
        self._modules = {name: module for module, names in modules.items() for name in names}
        self._loaded: dict[str, Mapping[str, Kind]] = {}

    def __getitem__(self, name: str) -> Kind:
        module = self._modules[name]
        if module not in self._loaded:
            self._loaded[module] = import_module(module).KINDS
        return self._loaded[module][name]

    def __contains__(self, name: object) -> bool:
        return name in self._modules  # without loading it

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def beside(self, models: Iterable[type[Card]]) -> Iterable[str]:
        """Return the kinds of the modules that contain models; all kinds if one is a base of several kinds."""
        homes = [self._home(model) for model in models]
        return self if None in homes else [name for name, module in self._modules.items() if module in homes]

    def _home(self, model: type[Card]) -> str | None:
        """Return the module of the kind with a model; None if it is not the model of a kind."""
        module = self._modules.get(model.KIND)
        return module if module in self._loaded and self[model.KIND].model is model else None


def kinds_made_from(kinds: Mapping[str, Kind], name: str) -> Iterable[str]:
    """Return the kinds of pieces that are made from cards of a kind."""
    if isinstance(kinds, LateKinds):
        return kinds.pieces.get(name, ())
    return [each for each, kind in kinds.items() if name in kind.made_from]


def kinds_below(kinds: Mapping[str, Kind], models: tuple[type[Card], ...]) -> Iterator[str]:
    """Yield the kinds whose models derive from one of some models, and load no others if possible."""
    names = kinds.beside(models) if isinstance(kinds, LateKinds) else kinds
    return (name for name in names if issubclass(kinds[name].model, models))


class _Models(Mapping[str, type[Card]]):
    """The model of each kind of card; a kind is loaded when a card of it is read."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds

    def __getitem__(self, name: str) -> type[Card]:
        return self._kinds[name].model

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def card_models(game: Ruleset) -> Mapping[str, type[Card]]:
    """Return the model of each kind of card."""
    return _Models(game.kinds)


@dataclass(frozen=True)
class SizeByField:
    """The size of a card, by the value of one of its fields."""

    field: str
    sizes: Mapping[str, Size]

    def __call__(self, card: Card) -> Size:
        """Return the size of a card; without a value, the first."""
        value = getattr(card, self.field, None)
        return self.sizes.get(_word(value)) or next(iter(self.sizes.values()))

    def with_sizes(self, sizes: Mapping[str, Size]) -> SizeByField:
        """Return the same with other sizes for some values."""
        return replace(self, sizes={**self.sizes, **sizes})


def _word(value: object) -> str:
    """Return a value as a key of `size`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# About the largest size that fits on both A4 and Letter; one per page.
ROSTER_SIZE = "190mm x 250mm"
# The kinds of pieces in packs.
TOKEN, CYLINDER, STANDEE = "token", "cylinder", "standee"
# The kinds of pieces that are made from cards of miniatures.
MINIATURE_PIECES = (CYLINDER, STANDEE, "dial")

# The usual height of a miniature in mm.
DEFAULT_HEIGHT = 35.0
Height = Annotated[Number, Field(ge=20, le=90)]


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a card list printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a card list.

    Its files are the cards with tokens, the proxies, and the roster.
    """
    documents = {
        "cards": (*cards, TOKEN),
        "proxies": (CYLINDER, STANDEE),
        "roster": (kind,),
    }
    return Pack((kind,), MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield `qty` copies of a card and of its two proxies."""
    for kind in (card.KIND, CYLINDER, STANDEE):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens can show every number from 0 to `most`.

    Each token has 1 on the front and `flip` on the back.
    """
    return max((count // flip + count % flip for count in range(most + 1)), default=0)


CardType = TypeVar("CardType", bound=Card)


class CardFinder(Protocol):
    """Finds a card of a model by id or name.

    None for no name or an unknown one.
    """

    def __call__(self, model: type[CardType], name: str | None) -> CardType | None:
        """Return the card, or None."""


def finder_in_scope(scope: CheckScope) -> CardFinder:
    """Return a finder for the cards in the scope of a check."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        return scope.find_card(name or "", model)

    return find


def finder_of_links(entry: Entry) -> CardFinder:
    """Return a finder for the cards that a card links to."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        link = entry.links.get((model.KIND, name or ""))
        return link.card if link and isinstance(link.card, model) else None

    return find


def cheapest_way_back(members: Iterable[tuple[str, float, int]], surplus: float) -> str:
    """Return advice for members that cost too much: the one that costs least of those without which it is enough.

    Each has a name, a cost of one copy, and a number of copies.
    """
    ways = []
    for name, cost, copies in members:
        count = ceil(surplus / cost) if cost > 0 else copies + 1
        if count <= copies:
            number = f"{count} of " if copies > 1 else ""
            ways.append((count * cost, count, f"{number}'{name}' ({count * cost:g})"))
    return f"take out {min(ways)[2]}" if ways else f"take out members that cost {surplus:g} in all"


def such_as(cards: Iterable[Card]) -> str:
    """Return the end of advice that lists the first few cards: ", such as 'Ash'", or '' without cards."""
    names = [f"'{name}'" for name in islice(dict.fromkeys(card.name for card in cards), MAX_SUGGESTIONS)]
    return f", such as {join_words(names)}" if names else ""
