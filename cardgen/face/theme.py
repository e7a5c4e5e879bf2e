"""Themes: colors, fonts, text styles, and ornaments of templates; and functions of templates that draw with them.

`theme.yaml` is the default theme; `theme.NAME.yaml` overrides parts of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, Self, get_args, get_origin

from jinja2 import TemplateRuntimeError
from markupsafe import Markup
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, closest, did_you_mean, join_words, stop_on_errors
from cardgen.face.template.wording import unknown_field, visible_fields
from cardgen.language import number_text
from cardgen.model.card import Art, Card
from cardgen.model.deck import references_of
from cardgen.project.files import AnyTemplateFolder, display_path, game_folders, has_file, to_template_folder
from cardgen.runtime.escapes import quoteattr
from cardgen.runtime.regular_file import ALL_SAVED
from cardgen.sandbox.values import card_of
from cardgen.source import KeyPath, read_document
from cardgen.source.document import Document
from cardgen.text.lines import ALIGNMENTS, KNOWN_SPANS, SPAN_NAME, SpanLook, Style, choice_label
from cardgen.validation.base import Flag, Model, Number, SourceMap, Text
from cardgen.validation.validate import describe_value, validate

_HEX = re.compile("#[0-9a-fA-F]{6}")


def _require_colour(value: object) -> object:
    """Return a color such as '#23282b'; for anything else, raise an error that says how to write one."""
    if isinstance(value, str) and _HEX.fullmatch(value):
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

    font: Annotated[Text, Field(description="name of a font of the theme")]
    size: Annotated[Points, Field(description="size in points")]
    min_size: Annotated[Points | None, Field(description="smallest size in points to which text may shrink")] = None
    colour: Annotated[Text, Field(description="name of a color")] = "ink"
    emphasis: Annotated[Text | None, Field(description="name of the color of bold text")] = None
    bold: Annotated[Flag, Field(description="bold type")] = False
    italic: Annotated[Flag, Field(description="italic type")] = False
    caps: Annotated[Flag, Field(description="capital letters")] = False
    leading: Annotated[Number, Field(ge=0.8, le=3, description="line spacing, in ems")] = 1.2
    tracking: Annotated[Number, Field(ge=-0.1, le=1, description="space between letters, in ems")] = 0.0
    paragraph_gap: Annotated[Number, Field(ge=0, le=3, description="space between paragraphs, in ems")] = 0.4

    @model_validator(mode="after")
    def _check_sizes(self) -> Self:
        if self.min_size is not None and self.min_size > self.size:
            message = f"'min_size' must be at most 'size', {self.size:g}, not {self.min_size:g}"
            raise PydanticCustomError("min_size", message, {"code": Code.OUT_OF_BOUNDS, "path": ("min_size",)})
        return self


ScriptFamily = Annotated[Text | None, Field(description="font family for a script")]


class FontFamilies(Model):
    """A font family, and families for other scripts, by ISO 15924 code."""

    family: Annotated[Text, Field(description="name of an installed font family")]
    Arab: ScriptFamily = None
    Armn: ScriptFamily = None
    Beng: ScriptFamily = None
    Cyrl: ScriptFamily = None
    Deva: ScriptFamily = None
    Ethi: ScriptFamily = None
    Geor: ScriptFamily = None
    Grek: ScriptFamily = None
    Gujr: ScriptFamily = None
    Guru: ScriptFamily = None
    Hans: ScriptFamily = None
    Hant: ScriptFamily = None
    Hebr: ScriptFamily = None
    Jpan: ScriptFamily = None
    Khmr: ScriptFamily = None
    Knda: ScriptFamily = None
    Kore: ScriptFamily = None
    Laoo: ScriptFamily = None
    Latn: ScriptFamily = None
    Mlym: ScriptFamily = None
    Mymr: ScriptFamily = None
    Orya: ScriptFamily = None
    Sinh: ScriptFamily = None
    Taml: ScriptFamily = None
    Telu: ScriptFamily = None
    Thai: ScriptFamily = None

    @model_validator(mode="before")
    @classmethod
    def _accept_name(cls, data: Any) -> Any:
        return {"family": data} if isinstance(data, str) else data

    @property
    def by_script(self) -> tuple[tuple[str, str], ...]:
        """The families that the theme names for scripts."""
        names = ((script, getattr(self, script)) for script in type(self).model_fields if script != "family")
        return tuple((script, family) for script, family in names if family)


class SpanStyle(Model):
    """Look of a span, '[text]{.name}': what differs from the text around it. `colour` sets its color."""

    colour: Annotated[Text | None, Field(description="name of a color")] = None
    bold: Annotated[Flag, Field(description="bold type")] = False
    italic: Annotated[Flag, Field(description="italic type")] = False
    underline: Annotated[Flag, Field(description="a line below")] = False
    strike: Annotated[Flag, Field(description="a line through")] = False
    small_caps: Annotated[Flag, Field(description="small capitals")] = False


def _require_span_name(name: str) -> str:
    """Return the name of a span as texts can write it, or raise an error."""
    if not re.fullmatch(SPAN_NAME, name) or name in ALIGNMENTS:
        message = f"'{name}' cannot be the name of a span"
        advice = f"use up to 40 letters, digits, _ and -, and not {join_words(ALIGNMENTS, 'or')}, which align text"
        raise PydanticCustomError("span", message, {"code": Code.MALFORMED, "help": advice})
    return name


class Theme(Model):
    """Theme, merged from its files.

    Icons with several colors keep their `own`, or take that of the `text`, as those with one do. `max_ink` is the mean
    coverage of a face with cyan, magenta, and yellow, from 0 to 1, that a theme which saves ink allows.
    """

    colours: Annotated[dict[str, Colour], Field(description="colors by name")] = Field(default_factory=dict)
    fonts: Annotated[dict[str, FontFamilies], Field(description="font families by name")] = Field(default_factory=dict)
    styles: Annotated[dict[str, TextStyle], Field(description="looks of text boxes by name")] = Field(
        default_factory=dict
    )
    spans: Annotated[
        dict[Annotated[str, AfterValidator(_require_span_name)], SpanStyle],
        Field(description="looks of marked words, as in [words]{.name}"),
    ] = Field(default_factory=dict)
    ornaments: Annotated[dict[str, Any], Field(description="values for templates")] = Field(default_factory=dict)
    icons: Annotated[Literal["own", "text"], Field(description="color of icons with several colors")] = "own"
    max_ink: Annotated[
        Number | None, Field(gt=0, le=1, description="maximum ink on a face, without pictures; 1 is solid black")
    ] = None

    def style(self, name: str) -> tuple[Style, float]:
        """Return the style of that name, and its smallest size in points.

        Raises KeyError with a message for the user if the style, its font, or a color is unknown.
        """
        text_style = _lookup(self.styles, name, "style")
        fonts: FontFamilies = _lookup(self.fonts, text_style.font, "font")
        emphasis = self.colour(text_style.emphasis) if text_style.emphasis else None
        style = Style(
            family=fonts.family,
            size=text_style.size,
            colour=self.colour(text_style.colour),
            bold=text_style.bold,
            italic=text_style.italic,
            leading=text_style.leading,
            tracking=text_style.tracking,
            caps=text_style.caps,
            emphasis=emphasis,
            paragraph_gap=text_style.paragraph_gap,
            spans=self.span_looks,
            families=fonts.by_script,
        )
        return style, text_style.min_size or min(text_style.size, SMALLEST_TYPE)

    @property
    def families(self) -> Mapping[str, str]:
        """The family of each font."""
        return {name: fonts.family for name, fonts in self.fonts.items()}

    @cached_property
    def span_looks(self) -> tuple[tuple[str, SpanLook], ...]:
        """The looks of the theme's spans with their names. Raises KeyError as `style` does."""
        return tuple(
            (name, SpanLook(**{**span.model_dump(), "colour": self.colour(span.colour) if span.colour else ""}))
            for name, span in self.spans.items()
        )

    @property
    def known_spans(self) -> frozenset[str]:
        """The names of all spans that texts in this theme can have."""
        return KNOWN_SPANS.union(self.spans)

    def colour(self, name: str) -> str:
        """Return a color of the theme; '#rrggbb' is returned unchanged. Raises KeyError for others."""
        return name if _HEX.fullmatch(name) else _lookup(self.colours, name, "color")


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
        data = _merge(data, _with_families(document.data or {}))
        theme, diagnostics = validate(Theme, data, SourceMap(document, (Theme,)))
        stop_on_errors(diagnostics)
    assert theme is not None
    stop_on_errors(
        (
            *(unknown_families(theme, documents, family_problem) if family_problem else ()),
            *unknown_names(theme, documents),
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
    return [read_document(path, display_path(path), unsaved) for path in files]


def theme_names(folders: Sequence[AnyTemplateFolder], game: str, base: str = "") -> tuple[str, ...]:
    """Return the names of all themes of a game and of its `base`, sorted."""
    of_games = (folder for each in (game, base) if each for folder in game_folders(folders, each))
    paths = (path for folder in of_games for path in folder.glob("theme.*.yaml"))
    return tuple(sorted({"default", *(path.name.split(".")[1] for path in paths)}))


def _theme_files(folders: Sequence[AnyTemplateFolder], game: str, name: str) -> list[Path]:
    """Return the files of that name, lowest priority first."""
    every = [(each.path, each.of_game(game)) for each in map(to_template_folder, reversed(folders))]
    return [own / name for folder, own in every if own and has_file(folder, own / name)]


def _unknown_theme(folders: Sequence[AnyTemplateFolder], game: str, name: str) -> NoReturn:
    names = theme_names(folders, game)
    message = f"unknown theme '{name}'{did_you_mean(name, names)}"
    raise CardgenError(
        Diagnostic(Code.THEME, message, Place(f"theme.{name}.yaml"), help=f"available: {', '.join(names)}")
    )


def _with_families(data: Any) -> Any:
    """Return the data of a theme in which fonts are maps, to which other themes can add families of scripts."""
    if not isinstance(data, dict) or not isinstance(data.get("fonts"), dict):
        return data
    fonts = {name: {"family": each} if isinstance(each, str) else each for name, each in data["fonts"].items()}
    return {**data, "fonts": fonts}


def _merge(base: Any, override: Any) -> Any:
    if isinstance(base, dict) and isinstance(override, dict):
        return {**base, **{key: _merge(base.get(key), value) for key, value in override.items()}}
    return override


# Returns what is wrong with a font family, or an empty text.
FamilyProblem = Callable[[str], str]


def unknown_families(
    theme: Theme, documents: Sequence[Document], family_problem: FamilyProblem
) -> Iterator[Diagnostic]:
    """Yield an error for each font family that does not exist.

    `documents` are the files of the theme, lowest priority first.
    """
    advice = "add its file to fonts/, or choose an installed font"
    for name, fonts in theme.fonts.items():
        if message := family_problem(fonts.family):
            yield Diagnostic(Code.THEME, message, place_in(documents, ("fonts", name)), advice)
        for script, family in fonts.by_script:
            if message := family_problem(family):
                yield Diagnostic(Code.THEME, message, place_in(documents, ("fonts", name, script)), advice)


def unknown_names(theme: Theme, documents: Sequence[Document]) -> Iterator[Diagnostic]:
    """Yield an error for each font or color that a text style or a span names and the theme does not have."""
    named = {"font": ("font", theme.families), "colour": ("color", theme.colours), "emphasis": ("color", theme.colours)}
    looks: tuple[tuple[str, Mapping[str, Model]], ...] = (("styles", theme.styles), ("spans", theme.spans))
    for path in ((section, name, key) for section, owners in looks for name in owners for key in named):
        section, name, key = path
        look, (what, entries) = dict(looks)[section][name], named[key]
        reference = getattr(look, key) if key in look.model_fields_set else None
        if reference and reference not in entries and not (what == "color" and _HEX.fullmatch(reference)):
            yield Diagnostic(Code.THEME, unknown(what, reference, entries), place_in(documents, path))


def span_names(folders: Sequence[AnyTemplateFolder], game: str, base: str = "") -> set[str]:
    """Return the names of the spans that texts of a game can have in any of its themes."""
    names = set(KNOWN_SPANS)
    with suppress(CardgenError):  # a theme that cannot be read, which is reported elsewhere
        for theme in theme_names(folders, game, base):
            for document in theme_documents(folders, game, theme, base):
                spans = document.data.get("spans") if isinstance(document.data, dict) else None
                names |= {str(name) for name in spans} if isinstance(spans, dict) else set()
    return names


def unknown(what: str, name: str, entries: Mapping[str, Any]) -> str:
    """Return the message for a name that a theme does not have."""
    hint = f"one of {', '.join(sorted(entries))}" if entries else "it has none"
    return f"unknown {what} '{name}' in the theme{did_you_mean(name, sorted(entries)) or f' ({hint})'}"


class OwnColour(NamedTuple):
    """A color that a theme of a project sets, and what it was `before`, in the themes of the program, or ''."""

    name: str
    value: str
    before: str
    place: Place


def own_colours(documents: Sequence[Document], is_own: Callable[[Document], bool]) -> tuple[OwnColour, ...]:
    """Return the colors that a theme has from files of the project's own; `documents` are lowest priority first."""
    before: dict[str, str] = {}
    own: dict[str, OwnColour] = {}
    for document in documents:
        colours = document.data.get("colours") if isinstance(document.data, dict) else None
        for name, value in colours.items() if isinstance(colours, dict) else ():
            if is_own(document):
                own[name] = OwnColour(name, str(value), before.get(name, ""), document.place(("colours", name)))
            else:
                before[name] = str(value)
                own.pop(name, None)
    return tuple(own.values())


def place_in(documents: Sequence[Document], key_path: KeyPath) -> Place:
    """Return the place of a value in the file of the highest priority that has it."""
    for document in reversed(documents):
        data: Any = document.data
        for step in key_path:
            data = data.get(step) if isinstance(data, dict) else None
        if data is not None:
            return document.place(key_path)
    return documents[-1].place(key_path)


_BODY = "body"
# A page can be off by rounding, in mm.
_TOLERANCE = 0.3
_MOST_ITEMS = 200
_SHAPE_NAMES = {"ellipse": "an ellipse", "use": "a clone"}


def field_kind(card: BaseModel, path: str, named: bool) -> str:
    """Return 'text' or 'picture' for a field of the card, such as 'stats.mind', and '' for anything else.

    A label that its author chose (`named`) and that almost is a field is a mistake.
    """
    annotation: Any = None
    value: Any = card
    for name in path.split("."):
        value = card_of(value) or value
        if not isinstance(value, BaseModel):
            return ""
        model = type(value)
        if name not in visible_fields(model):
            if named and closest(name, visible_fields(model)):
                raise TemplateRuntimeError(unknown_field(name, [model]))
            return ""
        annotation = model.model_fields[name].annotation if name in model.model_fields else None
        value = getattr(value, name)
    return "picture" if isinstance(value, Art) or _mentions_art(annotation) else "text"


def field_count(card: BaseModel, path: str) -> int:
    """Return the whole number that a field has, 0 without a value."""
    require_field(card, path)
    value = _value(card, path)
    if value is None or (type(value) in (int, float) and value % 1 == 0):
        return int(value or 0)
    raise TemplateRuntimeError(f"'{path}' is '{value}' on this card; the number of icons must be a whole number")


def require_field(card: BaseModel, path: str) -> str:
    """Refuse a field that cards of this kind do not have; return ''."""
    value: Any = card
    for name in path.split("."):
        value = card_of(value) or value
        if isinstance(value, BaseModel):
            if name not in visible_fields(type(value)):
                raise TemplateRuntimeError(unknown_field(name, [type(value)]))
            value = getattr(value, name)
    return ""


def refuse_field(card: BaseModel, path: str, identity: str, tag: str) -> str:
    """Refuse the label of a field on an object that cannot become one; return ''."""
    if field_kind(card, path, named=False):
        name = f"'{path}' ({identity})" if identity not in ("", path) else f"'{path}'"
        shape = _SHAPE_NAMES.get(tag, f"a {tag}")
        other = f", or contain a placeholder such as {{{{ card.{path} }}}}" if tag == "text" else f", not {shape}"
        raise TemplateRuntimeError(f"{name} must be a rectangle to become a field{other}")
    return ""


def _mentions_art(annotation: Any) -> bool:
    return annotation is Art or any(map(_mentions_art, getattr(annotation, "__args__", ())))


def _value(card: BaseModel, path: str) -> Any:
    """Return the value of a field, or None; a path of '' is that of the card itself."""
    value: Any = card
    for name in filter(None, path.split(".")):
        value = card_of(value) or value
        value = getattr(value, name) if isinstance(value, BaseModel) and name in visible_fields(type(value)) else None
    return value


def _language(card: BaseModel) -> str:
    return getattr(card, "language", None) or ""


def _choice_labels(card: BaseModel, path: str) -> dict[str, str]:
    """Return how the words that a field can be are printed, by word; no words if it can be anything."""
    owner, _, field = path.rpartition(".")
    part = _value(card, owner)
    part = card_of(part) or part
    info = type(part).model_fields.get(field) if isinstance(part, BaseModel) else None
    return {word: choice_label(word) for word in _choices(info.annotation)} if info else {}


def _choices(annotation: Any) -> Iterator[str]:
    """Yield the words that a type allows, also for items of a list."""
    arguments = get_args(annotation)
    if get_origin(annotation) is Literal:
        yield from (word for word in arguments if isinstance(word, str))
        return
    for argument in arguments:
        yield from _choices(argument)


def field_picture(card: BaseModel, path: str, settings: Iterable[str] = ()) -> Markup:
    """Return the attributes of an art box for a picture field, or ''; `settings` are those that the drawing has."""
    art = _value(card, path)
    if not isinstance(art, Art):
        return Markup("")
    values = {"file": art.file, "fit": art.fit, "focus": " ".join(f"{share:g}" for share in art.focus)}
    values |= {"scale": f"{art.scale:g}", "rotate": str(art.rotate), "mirror": str(art.mirror).lower()}
    values |= {"of": link} if (link := _link(card, path)) else {}
    own = set(settings)
    return Markup(" ".join(f"{name}={quoteattr(value)}" for name, value in values.items() if name not in own))


def _link(card: BaseModel, path: str) -> str:
    """Return the kind and name of the card that has a field of a path, or '' if that is the card itself."""
    value, links = card, list[str]()
    for name in path.split(".")[:-1]:
        owner, value = value, getattr(value, name)
        if (linked := card_of(value)) is not None and isinstance(owner, Model):
            links.append(f"{references_of(type(owner))[name].kind}/{value}")
            value = linked
    if len(links) > 1:
        message = f"'{path}' is a picture of a card that this card refers to only through another"
        raise TemplateRuntimeError(message)
    return "".join(links)


def page_origin(wide: float, high: float, width: float, height: float, bleed: float) -> tuple[float, float]:
    """Return the corner of a page relative to the trim; the page is as large as the trim, or as trim and bleed."""
    for border in (0.0, bleed):
        if abs(wide - width - 2 * border) <= _TOLERANCE and abs(high - height - 2 * border) <= _TOLERANCE:
            return -border, -border
    message = f"the page is {wide:g} x {high:g} mm, but the card is {width:g} x {height:g} mm"
    raise TemplateRuntimeError(f"{message}; set the page size in File > Document Properties, or the card's size")


def require_size(wide: float, high: float, width: float, height: float) -> str:
    """Refuse a card of another size than that of its layout; return ''."""
    if abs(wide - width) > _TOLERANCE or abs(high - height) > _TOLERANCE:
        message = f"the layout is for {wide:g} x {high:g} mm, but the card is {width:g} x {height:g} mm"
        advice = "remove the layout and let 'cardgen new template' write one of this size, or change the card's size"
        raise TemplateRuntimeError(f"{message}; change 'size' here and move the boxes, {advice}")
    return ""


# Fields of every card that are printed without a label.
_TEXTS = ("name", "text", "motto")


def field_label(card: BaseModel, name: str) -> str:
    """Return the label of a field: its name in words; the name of a card has that of its field."""
    return choice_label(name.removesuffix(".name").rpartition(".")[2]).capitalize()


def require_bleed(reaches: Mapping[str, float], page: tuple[float, float], bleed: float) -> str:
    """Refuse a background that extends beyond the page, but not to the edge of the bleed; return ''."""
    short = {side: reach - page[0] for side, reach in reaches.items() if reach - page[0] < bleed - _TOLERANCE}
    if short:
        sides = join_words(short, "and")
        message = f"the background extends {min(short.values()):.3g} mm beyond the trim at the {sides}"
        raise TemplateRuntimeError(f"{message}, but the bleed is {bleed:g} mm; enlarge it")
    return ""


def _plain_fields(value: BaseModel) -> Iterator[str]:
    """Yield the texts and numbers of a part of a card with their names."""
    for field, info in type(value).model_fields.items():
        each = getattr(value, field)
        is_plain = isinstance(each, str | int | float) and not isinstance(each, bool)
        if field not in ("name", "id") and is_plain and each not in ("", info.default):
            yield f"{field.replace('_', ' ')} {each}"


# What SVG calls fonts without naming one.
_GENERIC_FAMILIES = frozenset({"", "sans-serif", "sans", "serif", "monospace", "cursive", "fantasy", "system-ui"})
# A weight in the name of a family, as Inkscape writes that of a file for one weight.
_WEIGHT = re.compile(
    r"(?<!\s)\s++(?:thin|light|regular|book|medium|(?P<bold>(?:semi|demi|extra)-?bold|bold|black|heavy))$"
)


class DrawingFunctions:
    """Functions that depend on the theme, the available fonts, and how the game describes parts of cards.

    `families` returns all families of fonts.
    """

    def __init__(
        self,
        theme: Theme,
        describe: Callable[[Any], str],
        families: Callable[[], Iterable[str]],
    ) -> None:
        self._theme = theme
        self._describe = describe
        self._families = families

    @property
    def functions(self) -> Mapping[str, Callable[..., object]]:
        """The functions by the names that templates use."""
        return {
            "field_kind": field_kind,
            "refuse_field": refuse_field,
            "require_field": require_field,
            "field_count": field_count,
            "field_text": self.field_text,
            "field_picture": field_picture,
            "field_style": self.field_style,
            "font_look": self.font_look,
            "page_origin": page_origin,
            "require_bleed": require_bleed,
            "require_size": require_size,
            "label": field_label,
            "field_items": self.field_items,
            "field_lines": self.field_lines,
            "field_colour": self.field_colour,
        }

    def field_style(self, path: str) -> str:
        """Return the text style of a field: the one with its name, or that of the body."""
        name = path.rpartition(".")[2]
        if name in self._theme.styles:
            return name
        return "title" if name == "name" and "title" in self._theme.styles else _BODY

    def field_text(self, card: BaseModel, path: str) -> str:
        """Return the text of a field; the items of a list are paragraphs, and cards have their names."""
        value, owner = _value(card, path), _value(card, path.rpartition(".")[0])
        if isinstance(card_of(owner) or owner, Card) and path.rpartition(".")[2] == "text":
            value = self._describe(card_of(owner) or owner) or value
        return self._text(value, _choice_labels(card, path), _language(card))

    def field_items(self, card: BaseModel, path: str) -> list[str]:
        """Return the texts of the items of a field with a list or a map."""
        value, labels = _value(card, path), _choice_labels(card, path)
        items = [{key: item} for key, item in value.items()] if isinstance(value, Mapping) else value
        every = items if isinstance(items, list | tuple) else () if items is None else (items,)
        return [text for item in every[:_MOST_ITEMS] if (text := self._text(item, labels, _language(card)))]

    def field_lines(self, card: BaseModel, paths: Sequence[str], labels: Sequence[str] = ()) -> str:
        """Return the texts of several fields as paragraphs, without those that the card does not have.

        With `labels`, fields that are words or numbers share a paragraph; the texts of the card have no label.
        """
        paragraphs: list[str] = []
        is_open = False
        for index, path in enumerate(paths):
            value = _value(card, path)
            is_list = isinstance(value, list | tuple) and all(isinstance(each, str | int | float) for each in value)
            text = ", ".join(self.field_items(card, path)) if is_list else self.field_text(card, path)
            if not text:
                continue
            is_word = bool(labels) and path not in _TEXTS
            if is_word:
                space = "\N{NO-BREAK SPACE}" if isinstance(value, int | float) else " "
                text = f"**{labels[index]}**" if value is True else f"**{labels[index]}**{space}{text}"
            is_short = is_word and isinstance(value, str | int | float) and "\n" not in text
            if is_open and is_short:
                paragraphs[-1] += f"\N{NO-BREAK SPACE}· {text}"
            else:
                paragraphs.append(text)
            is_open = is_short
        return "\n\n".join(paragraphs)

    def field_colour(self, card: BaseModel, path: str, default: str) -> str:
        """Return the color that a field names, of the theme or of CSS; the default for a card without a value."""
        require_field(card, path)
        value = _value(card, path)
        return default if value is None or value == "" else self._theme.colours.get(str(value), str(value))

    def _text(self, value: Any, labels: Mapping[str, str], language: str) -> str:
        if value is None or value is False:
            return ""
        if (card := card_of(value)) is not None:
            return str(getattr(card, "name", value))
        if isinstance(value, list | tuple):
            return "\n\n".join(filter(None, (self._text(item, labels, language) for item in value[:_MOST_ITEMS])))
        if isinstance(value, Mapping):
            pairs = list(value.items())[:_MOST_ITEMS]
            return "\n\n".join(f"**{key}** {self._text(item, labels, language)}" for key, item in pairs)
        if isinstance(value, BaseModel):
            return self._part(value)
        if isinstance(value, float):
            return number_text(value, language)
        return "✓" if value is True else labels.get(str(value), str(value))

    def _part(self, value: BaseModel) -> str:
        """Return a part of a card: its name in bold, its line if it has one, and its text."""
        name, line = getattr(value, "name", None), getattr(value, "line", "")
        text = self._describe(value)
        parts = (f"**{name}**" if name else "", line, text or ("" if line else ", ".join(_plain_fields(value))))
        return " ".join(filter(None, parts))

    def font_look(self, family: str, bold: bool, italic: bool) -> dict[str, str]:
        """Return the style of the theme with a font, and the marks that make its text bold or italic.

        If only bold or italic styles have the font, `family` is the attribute that selects it. Fonts that are not
        available are replaced by that of the body.
        """
        weight = _WEIGHT.search(family.lower())
        if weight and not self._is_available(family):
            family, bold = family[: weight.start()], bold or bool(weight["bold"])
        fonts, styles = self._theme.families, self._theme.styles
        names = sorted(styles, key=lambda name: (styles[name].caps, abs(styles[name].tracking), name != _BODY))
        same = [name for name in names if _same_family(fonts.get(styles[name].font, ""), family)]
        exact = [name for name in same if (styles[name].bold, styles[name].italic) == (bold, italic)]
        plain = [name for name in same if not (styles[name].bold or styles[name].italic)]
        chosen = next((name for name in (*exact, *plain) if not styles[name].caps), "")
        own = f"family={quoteattr(family)}" if not chosen and self._is_available(family) else ""
        style = styles.get(chosen or _BODY)
        mark = "**" * (bold and not (style and style.bold)) + "*" * (italic and not (style and style.italic))
        return {"style": chosen or _BODY, "family": Markup(own), "begin": mark, "end": mark[::-1]}

    def _is_available(self, family: str) -> bool:
        if family.lower() in _GENERIC_FAMILIES:
            return False
        known = (*self._theme.families.values(), *self._families())
        return any(_same_family(each, family) for each in known)


def _same_family(one: str, other: str) -> bool:
    return one.casefold().replace(" ", "") == other.casefold().replace(" ", "")
