"""Themes: colors, fonts, text styles, and ornaments of templates.

`theme.yaml` is the default theme; `theme.NAME.yaml` overrides parts of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, stop_on_errors
from cardgen.project.files import AnyTemplateFolder, display_path, game_folders, require_inside, to_template_folder
from cardgen.runtime.regular_file import ALL_SAVED
from cardgen.source import KeyPath, read_document
from cardgen.source.document import Document
from cardgen.text.lines import Style
from cardgen.validation.base import Flag, Model, Number, SourceMap, Text
from cardgen.validation.validate import describe_value, validate


def _require_colour(value: object) -> object:
    """Return a color such as '#23282b'; for anything else, raise an error that says how to write one."""
    if isinstance(value, str) and re.fullmatch("#[0-9a-fA-F]{6}", value):
        return value
    message = "the color is missing" if value is None else f"{describe_value(value)} is not a valid color"
    advice = 'write six hexadecimal digits in quotes, such as "#23282b"; without quotes, # begins a comment'
    raise PydanticCustomError("colour", message, {"code": Code.MALFORMED, "help": advice})


Colour = Annotated[str, BeforeValidator(_require_colour)]
Points = Annotated[Number, Field(ge=4, le=200)]

# Default minimum type size in points.
SMALLEST_TYPE = 7.0


class TextStyle(Model):
    """Text style of a theme.

    `font` names a font of the theme; `colour` and `emphasis` name colors. `size` and `min_size` are in points,
    `leading` is the distance of baselines as a multiple of the size, `tracking` is the space between letters, and
    `paragraph_gap` the space between paragraphs, both as fractions of the size.
    """

    font: Text
    size: Points
    min_size: Points | None = None
    colour: Text = "ink"
    emphasis: Text | None = None
    bold: Flag = False
    italic: Flag = False
    caps: Flag = False
    leading: Annotated[Number, Field(ge=0.8, le=3)] = 1.2
    tracking: Annotated[Number, Field(ge=-0.1, le=1)] = 0.0
    paragraph_gap: Annotated[Number, Field(ge=0, le=3)] = 0.4

    @model_validator(mode="after")
    def _check_sizes(self) -> Self:
        if self.min_size is not None and self.min_size > self.size:
            message = f"'min_size' must be at most 'size', {self.size:g}, not {self.min_size:g}"
            raise PydanticCustomError("min_size", message, {"code": Code.OUT_OF_BOUNDS, "path": ("min_size",)})
        return self


class Theme(Model):
    """Theme, merged from its files.

    Icons with several colors keep their `own`, or take that of the `text`, as those with one do.
    """

    colours: dict[str, Colour] = Field(default_factory=dict)
    fonts: dict[str, Text] = Field(default_factory=dict)
    styles: dict[str, TextStyle] = Field(default_factory=dict)
    ornaments: dict[str, Any] = Field(default_factory=dict)
    icons: Literal["own", "text"] = "own"

    def style(self, name: str) -> tuple[Style, float]:
        """Return the style of that name, and its smallest size in points.

        Raises KeyError with a message for the user if the style, its font, or a color is unknown.
        """
        text_style = _lookup(self.styles, name, "style")
        emphasis = self.colour(text_style.emphasis) if text_style.emphasis else None
        style = Style(
            family=_lookup(self.fonts, text_style.font, "font"),
            size=text_style.size,
            colour=self.colour(text_style.colour),
            bold=text_style.bold,
            italic=text_style.italic,
            leading=text_style.leading,
            tracking=text_style.tracking,
            caps=text_style.caps,
            emphasis=emphasis,
            paragraph_gap=text_style.paragraph_gap,
        )
        return style, text_style.min_size or min(text_style.size, SMALLEST_TYPE)

    def colour(self, name: str) -> str:
        """Return a color of the theme; '#rrggbb' is returned unchanged."""
        return name if name.startswith("#") else _lookup(self.colours, name, "color")


def _lookup(entries: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in entries:
        raise KeyError(unknown(what, name, entries))
    return entries[name]


def load_theme(
    folders: Sequence[AnyTemplateFolder],
    game: str,
    name: str,
    base: str = "",
    family_problem: FamilyProblem | None = None,
) -> Theme:
    """Load a theme of a game, merged onto the default theme.

    `folders` hold templates; earlier ones have priority. The themes of the game extend those of `base`. Raises
    CardgenError with places if a theme file is invalid, if it names a font, color, or font family that does not exist,
    or if no folder has a theme of that name. Font families are checked only with `family_problem`.
    """
    data: Any = {}
    theme: Theme | None = Theme()
    documents = theme_documents(folders, game, name, base)
    for document in documents:
        stop_on_errors(document.diagnostics)
        data = _merge(data, document.data or {})
        theme, diagnostics = validate(Theme, data, SourceMap(document, (Theme,)))
        stop_on_errors(diagnostics)
    assert theme is not None
    stop_on_errors(
        (
            *(unknown_families(theme.fonts, documents, family_problem) if family_problem else ()),
            *unknown_names(theme.styles, theme.fonts, theme.colours, documents),
        )
    )
    return theme


def theme_documents(folders: Sequence[AnyTemplateFolder], game: str, name: str, base: str = "") -> list[Document]:
    """Return the files of a theme, lowest priority first.

    Raises CardgenError if no folder has a theme of that name.
    """
    games = (base, game) if base else (game,)
    files = [file for each in games for file in _theme_files(folders, each, "theme.yaml")]
    if name != "default":
        own = [file for each in games for file in _theme_files(folders, each, f"theme.{name}.yaml")]
        files += own or _unknown_theme(folders, game, name)
    unsaved = next((each.unsaved for each in map(to_template_folder, folders) if each.unsaved), ALL_SAVED)
    return [
        read_document(require_inside(folder, path, display_path(path)), display_path(path), unsaved)
        for folder, path in files
    ]


def theme_names(folders: Sequence[AnyTemplateFolder], game: str, base: str = "") -> tuple[str, ...]:
    """Return the names of all themes of a game and of its `base`, sorted."""
    of_games = (folder for each in (game, base) if each for folder in game_folders(folders, each))
    paths = (path for folder in of_games for path in folder.glob("theme.*.yaml"))
    return tuple(sorted({"default", *(path.name.split(".")[1] for path in paths)}))


def _theme_files(folders: Sequence[AnyTemplateFolder], game: str, name: str) -> list[tuple[Path, Path]]:
    """Return the files of that name with their folders of templates, lowest priority first."""
    every = [(each.path, each.of_game(game)) for each in map(to_template_folder, reversed(folders))]
    return [(folder, own / name) for folder, own in every if own and (own / name).is_file()]


def _unknown_theme(folders: Sequence[AnyTemplateFolder], game: str, name: str) -> NoReturn:
    names = theme_names(folders, game)
    message = f"unknown theme '{name}'{did_you_mean(name, names)}"
    raise CardgenError(
        Diagnostic(Code.THEME, message, Place(f"theme.{name}.yaml"), help=f"available: {', '.join(names)}")
    )


def _merge(base: Any, override: Any) -> Any:
    if isinstance(base, dict) and isinstance(override, dict):
        return {**base, **{key: _merge(base.get(key), value) for key, value in override.items()}}
    return override


# Returns what is wrong with a font family, or an empty text.
FamilyProblem = Callable[[str], str]


def unknown_families(
    fonts: Mapping[str, str], documents: Sequence[Document], family_problem: FamilyProblem
) -> Iterator[Diagnostic]:
    """Yield an error for each font family that does not exist.

    `documents` are the files of the theme, lowest priority first.
    """
    for name, family in fonts.items():
        if message := family_problem(family):
            yield Diagnostic(Code.THEME, message, place_in(documents, ("fonts", name)))


def unknown_names(
    styles: Mapping[str, Model], fonts: Mapping[str, str], colours: Mapping[str, str], documents: Sequence[Document]
) -> Iterator[Diagnostic]:
    """Yield an error for each font or color that a text style names and the theme does not have."""
    named = {"font": ("font", fonts), "colour": ("color", colours), "emphasis": ("color", colours)}
    for name, style in styles.items():
        for key, (what, entries) in named.items():
            reference = getattr(style, key)
            is_written = key in style.model_fields_set and reference
            if is_written and reference not in entries and not reference.startswith("#"):
                yield Diagnostic(
                    Code.THEME, unknown(what, reference, entries), place_in(documents, ("styles", name, key))
                )


def unknown(what: str, name: str, entries: Mapping[str, Any]) -> str:
    """Return the message for a name that a theme does not have."""
    hint = f"one of {', '.join(sorted(entries))}" if entries else "it has none"
    return f"unknown {what} '{name}' in the theme{did_you_mean(name, sorted(entries)) or f' ({hint})'}"


def place_in(documents: Sequence[Document], key_path: KeyPath) -> Place:
    """Return the place of a value in the file of the highest priority that has it."""
    for document in reversed(documents):
        data: Any = document.data
        for step in key_path:
            data = data.get(step) if isinstance(data, dict) else None
        if data is not None:
            return document.place(key_path)
    return documents[-1].place(key_path)
