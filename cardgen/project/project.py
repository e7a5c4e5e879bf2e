"""A card project: settings, root folder, and resource folders."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    Tag,
    TypeAdapter,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity, join_words
from cardgen.language import is_pseudo
from cardgen.options import OPTIONS
from cardgen.project import files
from cardgen.project.files import TemplateFolder, require_inside, resolve_inside
from cardgen.runtime.fingerprint import (
    PICTURE_SUFFIXES,
    SETTINGS_FILE,
    TABLE_SUFFIXES,
    has_settings,
)
from cardgen.runtime.workspace import FreeFields, Workspace, package_folders
from cardgen.source import Document, KeyPath, read_document
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size, parse_length, parse_size
from cardgen.validation.base import Flag, Language, Model, SourceMap, Text
from cardgen.validation.validate import KeyContext, validate


class BackRule(Model):
    """Back of all cards of a kind, with a tag, and with these values of their keys; each condition is optional.

    `back` is the path of a picture or the name of a back template.
    """

    back: Annotated[Text, Field(description="path of a picture, or name of a back template")]
    kind: Annotated[Text | None, Field(description="kind of the cards")] = None
    tag: Annotated[Text | None, Field(description="tag of the cards")] = None
    where: Annotated[Mapping[str, str | int | bool], Field(description="keys of the cards, with their values")] = Field(
        default_factory=dict
    )

    def applies_to(self, kind: str, tags: tuple[str, ...], card: object) -> bool:
        """Return whether a card meets all conditions.

        Tokens, boxes, and other pieces without rules are not cards: their outer side would show the back of a deck.
        Only a rule for their kind applies to them.
        """
        if self.kind is None and not getattr(card, "HAS_RULES", True):
            return False
        if self.kind not in (None, kind) or (self.tag is not None and self.tag not in tags):
            return False
        return all(_matches(getattr(card, key, None), value) for key, value in self.where.items())


def _matches(actual: object, wanted: str | int | bool) -> bool:
    """Return whether a value of a card is the wanted one, or contains it."""
    if isinstance(actual, tuple):
        return any(_matches(each, wanted) for each in actual)
    return actual is not None and str(actual) == str(wanted)


def _read_rules(value: object) -> object:
    """Return the long form: a list of rules, also for one back or for backs by kind."""
    if isinstance(value, str):
        return ({"back": value},)
    if isinstance(value, dict) and "back" not in value:
        return tuple({"kind": kind, "back": back} for kind, back in value.items())
    return (value,) if isinstance(value, dict) else value


class _RulesSchema:
    """The JSON Schema of rules, built when it is needed, as annotation metadata."""

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        text, rule = TypeAdapter(Text).json_schema(), BackRule.model_json_schema()
        # A map with the key 'back' is a rule.
        kinds = {**text, "not": {"const": "back"}}
        by_kind = {"type": "object", "propertyNames": kinds, "additionalProperties": text}
        return {"anyOf": [text, {"type": "array", "items": rule}, rule, by_kind]}


BackRules = Annotated[tuple[BackRule, ...], BeforeValidator(_read_rules), _RulesSchema()]


def is_picture(back: str) -> bool:
    """Return whether a back is the path of a picture; others are names of templates."""
    return back.lower().endswith(PICTURE_SUFFIXES)


# Free text, an expression of the templates' language.
ExpressionText = Annotated[Text, Field(max_length=4_000)]


class TableSettings(Model):
    """How the rows of a table become cards.

    `kind` is the kind of all cards without a kind of their own, and `game` their game, if not the project's. `sheet`
    selects one sheet of a workbook. `rows` is an expression that selects rows, and `columns` gives the key of a column,
    or None to ignore it. `id` is an expression for the words from which the ids of cards are made, by default their
    names. `values` translates words of the authors in a column. `each` is an expression that gives the rows, for JSON
    files in which they are not the whole array. `map` gives the keys of a card, as expressions over `row`, maps, or
    lists.
    """

    kind: Annotated[Text | None, Field(description="kind of the cards that set none")] = None
    game: Annotated[Text | None, Field(description="game of the cards, if not the project's")] = None
    sheet: Annotated[Text | None, Field(description="sheet of a workbook")] = None
    rows: Annotated[ExpressionText | None, Field(description="expression that selects rows")] = None
    columns: Annotated[Mapping[str, Text | None], Field(description="keys by column; null ignores a column")] = Field(
        default_factory=dict
    )
    id: Annotated[
        ExpressionText | None, Field(description="expression that ids are made from; the name by default")
    ] = None
    values: Annotated[
        Mapping[str, Mapping[str, str | int | float | bool | None]],
        Field(description="values that replace your words, by column and word"),
    ] = Field(default_factory=dict)
    each: Annotated[ExpressionText | None, Field(description="expression that gives the rows of a JSON file")] = None
    map: Annotated[Mapping[str, Any], Field(description="keys of a card, as expressions over row")] = Field(
        default_factory=dict
    )

    @model_validator(mode="after")
    def _require_one_mapping(self) -> Self:
        for name, value in (("columns", self.columns), ("id", self.id)):
            if value and self.map:
                raise PydanticCustomError(
                    f"{name}_and_map",
                    f"'{name}' and 'map' cannot be combined",
                    {"code": Code.INVALID, "path": (name,), "at_key": True, "help": "write all keys in 'map'"},
                )
        return self


def _sort_of_settings(data: Any) -> str:
    """Return whether settings are those of a table, or of each sheet of a workbook: all values are maps then."""
    is_map = isinstance(data, Mapping) and data.keys() - KEYS_WITH_MAPS
    return _SHEETS if is_map and all(isinstance(each, Mapping) for each in data.values()) else _TABLE


_TABLE, _SHEETS = "[table]", "[sheets]"
# Keys of the settings of a table whose values are maps, as the settings of sheets are.
KEYS_WITH_MAPS = frozenset({"columns", "values", "map"})
AnyTableSettings: TypeAlias = Annotated[
    Annotated[TableSettings, Tag(_TABLE)] | Annotated[Mapping[Text, TableSettings], Tag(_SHEETS)],
    Discriminator(_sort_of_settings),
]

_ONE_ENTRY = "write one entry; for several sheets of a workbook, {Places: {kind: place}, Heroes: {kind: hero}}"


def _identity(path: Path) -> object:
    """Return what two paths of one file have in common, also on file systems that ignore case, and with links."""
    try:
        status = path.stat()
    except OSError:
        return os.path.normcase(path)
    return status.st_dev, status.st_ino


def resolve_tables(root: Path, names: Iterable[str], place: Callable[[str], Place]) -> dict[Path, str]:
    """Return the absolute paths of the tables in the settings of a project, which need not exist, and their names.

    Raises CardgenError, at the `place` of the name, for each that is not a table, is outside the folder `root`, or is
    the same file as an earlier one.
    """
    tables: dict[Path, str] = {}
    files: dict[object, str] = {}
    problems: list[Diagnostic] = []
    for name in names:
        try:
            if not name.lower().endswith(TABLE_SUFFIXES):
                raise ValueError(f"the name of a table must end in {join_words(TABLE_SUFFIXES)}")
            resolve_inside(root, name, root)
        except ValueError as error:
            problems.append(Diagnostic(Code.NOT_A_CARD_FILE, str(error), place(name)))
        else:
            path = Path(os.path.normpath(root / name))
            earlier = files.setdefault(_identity(path), name)
            if earlier == name:
                tables[path] = name
            else:
                message = f"'{name}' is the same file as '{earlier}', and a file can have one entry"
                problems.append(Diagnostic(Code.INVALID, message, place(name), _ONE_ENTRY))
    if problems:
        raise CardgenError(*problems)
    return tables


_LENGTH_PATTERN = r"^\s*([0-9]+(\.[0-9]+)?|\.[0-9]+)\s*(mm|cm|inch|in|\"|pt)?\s*$"

_LENGTH_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": _LENGTH_PATTERN}]
}


def _read_length(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("a length must be a number with a unit, such as 3mm, 0.125in, or 8pt")  # noqa: TRY004 - for pydantic
    return parse_length(value)


def _size_validator(names: Mapping[str, Size]) -> PlainValidator:
    def read(value: object) -> Size:
        if not isinstance(value, str):
            raise ValueError(f"a size must be one of {', '.join(names)}, or a custom size such as 70mm x 120mm")  # noqa: TRY004
        return parse_size(value, dict(names))

    return PlainValidator(read)


Length: TypeAlias = Annotated[
    float,
    PlainValidator(_read_length),
    WithJsonSchema(_LENGTH_SCHEMA),
]


def _read_corners(value: object) -> dict[str, float]:
    """Return radii by kind; that of all other kinds has the name ''."""
    if isinstance(value, dict):
        return {str(kind): _read_length(radius) for kind, radius in value.items()}
    return {"": _read_length(value)}


Corners: TypeAlias = Annotated[
    Mapping[str, float],
    PlainValidator(_read_corners),
    WithJsonSchema({"anyOf": [*_LENGTH_SCHEMA["anyOf"], {"type": "object", "additionalProperties": _LENGTH_SCHEMA}]}),
]
Lengths: TypeAlias = Annotated[tuple[Length, ...], Field(max_length=50)]
PaperSize: TypeAlias = Annotated[Size, _size_validator(PAPER_SIZES), WithJsonSchema({"type": "string", "minLength": 2})]
CardSize: TypeAlias = Annotated[Size, _size_validator(CARD_SIZES), WithJsonSchema({"type": "string", "minLength": 2})]


def _read_side(value: object) -> Size:
    """Return a size, or the square around a disk with this diameter."""
    try:
        return parse_size(str(value), CARD_SIZES)
    except ValueError:
        if not isinstance(value, str) or "x" in value or not value[:1].isdigit():
            raise
    return parse_size(f"{parse_length(value):g}mm x {parse_length(value):g}mm", CARD_SIZES)


def _read_kind_sizes(value: object) -> Size | dict[str, Size]:
    if isinstance(value, dict):
        return {str(word): _read_side(size) for word, size in value.items()}
    return _read_side(value)


KindSizes: TypeAlias = Annotated[
    Size | Mapping[str, Size],
    PlainValidator(_read_kind_sizes),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "minLength": 2},
                {"type": "object", "additionalProperties": {"type": "string", "minLength": 2}},
            ]
        }
    ),
]


def _read_terms(value: object) -> object:
    return (value,) if isinstance(value, str) else value


# The words for a term in another language, or one of them.
Terms: TypeAlias = Annotated[
    tuple[Text, ...],
    BeforeValidator(_read_terms),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class CheckSettings(Model):
    """Checks to ignore, and the lowest severity that fails a run."""

    ignore: Annotated[tuple[Text, ...], Field(description="checks to ignore, by code or name")] = ()
    fail_level: Annotated[Severity, Field(description="lowest severity that fails a run")] = Severity.WARNING


class Settings(Model):
    """Settings of a project; lengths are in millimeters.

    `game` is None for the default game, `language` is that of the cards that name none, `languages` are those that they
    are translated into, and `glossary` has the words for terms of the cards in these. `corners` has the radius of the
    corners of pictures by kind; '' is for all others. `sizes` maps kinds of card to sizes, or to a size for each value
    of the field that decides their size. With `art: auto`, cards without a picture have the one in `art/` that is named
    after their id. `icons` are icon sets that are in no folder `icons`. `back` says which cards have which back; the
    first rule that applies counts. `rulings` overrides house rules. `tables` are spreadsheets and JSON files with
    cards, by path. `kinds` adds fields to kinds of the game, which only that can read. `retired` are ids of released
    cards that were removed for good.
    """

    game: Annotated[Text | None, Field(description="game of the cards")] = None
    # Those that options override: `make docs` writes them from the table in `cardgen.options`, which explains them.
    layout: Text = "grid"
    sprue: Text | None = None
    paper: PaperSize = PAPER_SIZES["a4"]
    printer: Text = "default"
    theme: Text = "default"
    bleed: Length = 3.0
    back_bleed: Length = 0.0
    backs: Literal["long-edge", "short-edge", "gutterfold", "none"] = "long-edge"
    gap: Length = 0.0
    margin: Length = 5.0
    corners: Corners = Field(default_factory=dict)
    punches: Lengths = (25.0,)
    cut_list: Flag = True
    version_mark: Flag = False
    # The end of the settings of the table.
    language: Annotated[Language | None, Field(description="language of the cards, such as de")] = None
    languages: Annotated[
        tuple[Language, ...],
        Field(max_length=50, description="languages that the cards are translated into, such as [de, fr]"),
    ] = ()
    glossary: Annotated[
        Mapping[Language, Mapping[Text, Terms]],
        Field(description="words for terms in the languages, such as {de: {wound: Wunde}}"),
    ] = Field(default_factory=dict)
    sizes: Annotated[
        Mapping[str, KindSizes],
        Field(
            description="sizes by kind, such as {minion: poker}; for all, run 'cardgen list --sizes'",
        ),
    ] = Field(default_factory=dict)
    art: Annotated[Literal["auto"] | None, Field(description="auto: cards without art use art/<id>.*")] = None
    icons: Annotated[
        tuple[Text, ...],
        Field(max_length=50, description="icon sets outside the folder icons, such as [sets/game-icons.json]"),
    ] = ()
    back: Annotated[BackRules, Field(description="backs by kind, tag, or key, such as {relic: art/relic.png}")] = ()
    rulings: Annotated[Mapping[str, Text], Field(description="rulings whose answer is not the default")] = Field(
        default_factory=dict
    )
    kinds: Annotated[Mapping[str, Any], Field(description="fields that you add to kinds of the game")] = Field(
        default_factory=dict
    )
    check: Annotated[CheckSettings, Field(description="checks to ignore, and the severity that fails a run")] = (
        CheckSettings.model_construct()
    )
    spelling: Annotated[tuple[Text, ...], Field(description="correct words that no dictionary has")] = ()
    retired: Annotated[tuple[Text, ...], Field(description="ids of released cards that were removed for good")] = ()
    tables: Annotated[
        Mapping[Text, AnyTableSettings],
        Field(
            description="spreadsheets and JSON files with cards, such as {cards.csv: {kind: minion}}",
        ),
    ] = Field(default_factory=dict)


for _name in OPTIONS.keys() & Settings.model_fields.keys():
    if OPTIONS[_name].setting:
        Settings.model_fields[_name].description = OPTIONS[_name].about_setting


def corner_radius(settings: Settings, kind: str) -> float:
    """Return the radius of the corners of a kind's pictures, in millimeters."""
    return settings.corners.get(kind, settings.corners.get("", 0.0))


def _split_off_games(data: Any, games: Iterable[str]) -> tuple[Any, dict[str, Any]]:
    """Return the settings without the blocks of games, and these blocks by game."""
    if not isinstance(data, dict) or data.keys() <= Settings.model_fields.keys():
        return data, {}
    blocks = {game: data[game] for game in games if game in data}
    return {key: value for key, value in data.items() if key not in blocks}, blocks


def _key_context(games: tuple[str, ...]) -> KeyContext:
    return KeyContext(extra_keys=games, extra_keys_help=", and the id of a game that has settings of its own")


@dataclass(frozen=True, slots=True)
class Project:
    """Project with its absolute `root` folder and its settings.

    `document` is its cardgen.yaml, if it has one, and `game_blocks` has the settings of games in it, which only the
    games can read. Paths in messages start from `cwd`, the current folder at the time when the project was read.
    """

    root: Path
    settings: Settings = field(default_factory=Settings.model_construct)
    document: Document | None = field(default=None, repr=False, compare=False)
    workspace: Workspace = field(default_factory=Workspace, repr=False, compare=False)
    game_blocks: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    cwd: Path = field(default_factory=Path.cwd, repr=False, compare=False)

    @classmethod
    def find(cls, start: Path | None = None) -> Self:
        """Find the project of the folder `start`, by default the current folder, as `open` does."""
        return cls.open(Workspace(start))

    @classmethod
    def open(cls, workspace: Workspace | None) -> Self:
        """Open the project of a workspace, by default that of the current folder, with its games and free fields.

        The root is the nearest folder, going up, that has a cardgen.yaml. Without one, the folder itself is the
        project, with default settings. Raises CardgenError if the settings are invalid.
        """
        plain = workspace or Workspace()
        root = plain.root
        own = replace(plain, start=root, games=files.find_games(root, plain.unsaved), game_settings=None)
        if not has_settings(root):
            project = cls(root, workspace=own)
            project.require_language()
            return project
        path = root / SETTINGS_FILE
        require_inside(root, path, files.display_path(path))
        document = read_document(path, files.display_path(path), own.unsaved)
        source_map = SourceMap(document, (Settings,))
        data, blocks = _split_off_games({} if document.data is None else document.data, own.game_ids)
        settings, problems = validate(Settings, data, source_map, lambda: _key_context(own.game_ids))
        if document.diagnostics or settings is None:
            raise CardgenError(*document.diagnostics, *problems)
        if own.language == settings.language:  # that of the cards
            own = replace(own, language="")
        kinds = settings.kinds
        key = f"{files.display_path(root)}: {kinds!r}"
        fields = FreeFields(settings.game or "", key, kinds, document) if kinds else None
        project = cls(root, settings, document, replace(own, fields=fields), blocks)
        project.require_language()
        return project

    def require_language(self) -> None:
        """Raise CardgenError if the language of the workspace is not one of the project."""
        tag, known = self.workspace.language, self.settings.languages
        if not tag or tag in known or is_pseudo(tag):
            return
        help_text = f"use {join_words([*known, 'all'])}" if known else f"add 'languages: [{tag}]' to {SETTINGS_FILE}"
        message = f"the project has no translations into '{tag}'"
        raise CardgenError(Diagnostic(Code.BAD_OPTION, message, Place("--language"), help_text))

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of a setting, such as ('sizes', 'minion'), or of its key.

        Without a cardgen.yaml, it is the root folder.
        """
        if self.document is None:
            return Place(files.display_path(self.root))
        return SourceMap(self.document, (Settings,)).place(key_path, key=key)

    @property
    def icon_sets(self) -> tuple[Path, ...]:
        """The absolute paths of the icon sets that the settings name. Raises CardgenError for one that is not there."""
        found: list[Path] = []
        for number, name in enumerate(self.settings.icons):
            try:
                path = self.resolve_inside(name)
                path = self.resolve_inside(f"{name}/icons.json") if path.is_dir() else path
            except (ValueError, OSError) as error:
                raise CardgenError(Diagnostic(Code.BAD_SETTINGS, str(error), self.place(("icons", number)))) from None
            if not path.is_file():
                message, advice = f"no icon set '{name}'", "write the path of a JSON file in the format of Iconify"
                raise CardgenError(Diagnostic(Code.BAD_SETTINGS, message, self.place(("icons", number)), advice))
            found.append(path)
        return tuple(found)

    def folders(self, name: str) -> tuple[Path, ...]:
        """Return the existing folders called `name`, such as 'templates'.

        The project's own folder comes before the built-in one. Raises CardgenError if it is a link that points outside
        the project.
        """
        own, built_in = self.root / name, files.built_in_folder(name)
        return tuple(folder for folder in dict.fromkeys((self.require_inside(own), built_in)) if folder.is_dir())

    def template_folders(self) -> tuple[TemplateFolder, ...]:
        """Return the existing folders of templates; earlier ones have priority.

        First the project's own folder, then those of games that are files or packages, and then the built-in one.
        Raises CardgenError for a link that points outside the project.
        """
        unsaved = self.workspace.unsaved
        own, built_in = self.root / "templates", TemplateFolder(files.built_in_folder("templates"))
        homes = {**package_folders(), **{game: file.path.parent for game, file in self.workspace.game_files.items()}}
        of_games = [TemplateFolder(home / "templates", game, unsaved) for game, home in homes.items()]
        folders = (TemplateFolder(own, unsaved=unsaved), *of_games, *(() if built_in.path == own else (built_in,)))
        for name in (*self.workspace.game_ids, "shared"):
            self.require_inside(own / name)
        return tuple(folder for folder in folders if self._has_no_way_out(folder.path) and folder.path.is_dir())

    def _has_no_way_out(self, path: Path) -> bool:
        return not path.is_relative_to(self.root) or bool(self.require_inside(path))

    def require_inside(self, path: Path) -> Path:
        """Return a path of the project. Raises CardgenError if a link leads from it out of the project."""
        return require_inside(self.root, path, files.display_path(path))

    def resolve_inside(self, text: str, base: Path | None = None) -> Path:
        """Resolve a path relative to `base`; it need not exist.

        `base` is the root by default. Raises ValueError with a message for the user if it is not a relative path, or
        points outside the project.
        """
        return resolve_inside(self.root, text, base or self.root)

    def display_path(self, path: Path) -> str:
        """Return a path as the user would type it.

        It is relative if inside the current folder, and has forward slashes.
        """
        return files.display_path(path)

    @property
    def language(self) -> str:
        """The tag of the language in which cards are printed that name none; '' if nobody has named it."""
        return self.workspace.language or self.settings.language or ""

    @property
    def tables(self) -> Mapping[Path, str]:
        """The absolute paths of the project's tables, and their names in the settings.

        Raises CardgenError, located at the setting, for paths that are not tables in the project.
        """
        return resolve_tables(self.root, self.settings.tables, lambda name: self.place(("tables", name), key=True))

    def find_card_files(
        self, targets: Iterable[Path] = (), outside: list[Diagnostic] | None = None
    ) -> tuple[Path, ...]:
        """Return the card files in `targets`, or else all of the project.

        The order is the same on every machine. Raises CardgenError for paths that are missing, are not card files, or
        contain none, and for links that lead out of the project, unless `outside` collects those in folders.
        """
        new = [path for path in map(Path, self.workspace.unsaved) if not path.exists()]
        return files.find_card_files(self.root, targets, self.tables, outside, self.settings.languages, new)
