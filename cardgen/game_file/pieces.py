"""Pieces of a game: tokens, proxies, blanks, rulers, and accessories."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field, create_model
from pydantic.fields import FieldInfo

from cardgen.diagnostic import did_you_mean, join_words
from cardgen.game_file.expressions import GameContext
from cardgen.game_file.fields import length_within
from cardgen.game_file.kinds import class_name, text_bases
from cardgen.game_file.spec import PieceSpec, title_of
from cardgen.model.card import Card
from cardgen.rulesets import pieces
from cardgen.rulesets.pieces import Box, Dial, Mat
from cardgen.rulesets.ruleset import DEFAULT_HEIGHT, Height, Kind
from cardgen.source import KeyPath
from cardgen.units import CARD_SIZES, MM_PER_INCH, Shape, Size, with_article
from cardgen.validation.base import Number, Text

# In mm: the bases of most makers, and the bounds of the keys of pieces.
BASES: tuple[float, ...] = (20, 25, 28.5, 30, 32, 35, 40, 50, 60)
DIAMETERS, HEIGHTS, BASE_BOUNDS = (15, 60), (20, 90), (15, 100)
TEMPLATES: Mapping[str, str] = {
    name: f"shared/plain-{name}" for name in ("token", "cylinder", "standee", "blank", "box", "mat")
}
NUMBER_TYPES = frozenset({"integer", "number", "length"})


class Form(NamedTuple):
    """Labels of the boxes on a blank: numbers, and everything else."""

    numbers: tuple[str, ...]
    words: tuple[str, ...]


class FilledInBlank(pieces.Blank):
    """A card to fill in on paper or on screen, with the form of each kind."""

    FORMS: ClassVar[Mapping[str, Form]]


# The keys of each piece, besides `piece` and `help`.
_KEYS: Mapping[str, frozenset[str]] = {
    "token": frozenset({"made_from", "text", "icon", "diameter"}),
    "cylinder": frozenset({"made_from", "height", "bases"}),
    "standee": frozenset({"made_from", "height", "bases"}),
    "blank": frozenset({"of"}),
    "ruler": frozenset(),
    "box": frozenset(),
    "mat": frozenset({"width", "height"}),
    "dial": frozenset({"made_from", "most", "label"}),
}
_SPELLINGS = {"made_from": "from"}


def compile_pieces(context: GameContext) -> Iterable[Kind]:
    """Return the kinds of pieces of a game.

    Report mistakes in them.
    """
    return [_piece(name, spec, context) for name, spec in context.spec.pieces.items() if _is_valid(name, spec, context)]


def pack_pieces(context: GameContext, model: type[Card]) -> tuple[str, ...]:
    """Return the kinds of pieces of a model that are made from cards."""
    return tuple([name for name, kind in context.kinds.items() if issubclass(kind.model, model) and kind.made_from])


def kind_names(names: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return names as a tuple, also for a single one."""
    return (names,) if isinstance(names, str) else names


def _is_valid(name: str, spec: PieceSpec, context: GameContext) -> bool:
    """Report keys that the piece does not have, and unknown kinds."""
    foreign = sorted(spec.model_fields_set - _KEYS[spec.piece] - {"piece", "title", "help"})
    for key in foreign:
        written = _SPELLINGS.get(key, key)
        owners = [piece for piece, keys in _KEYS.items() if key in keys]
        message = f"{with_article(spec.piece)} has no '{written}'"
        context.report(("pieces", name, written), message, f"only {join_words(owners, 'and')} pieces have it", key=True)
    for key, names in (("from", spec.made_from), ("of", spec.of)):
        for number, kind in enumerate(kind_names(names)):
            if kind not in context.spec.kinds:
                steps: KeyPath = (number,) if isinstance(names, tuple) else ()
                message = f"unknown kind '{kind}'{did_you_mean(kind, context.spec.kinds)}"
                help_text = f"available: {', '.join(context.spec.kinds)}"
                context.report(("pieces", name, key, *steps), message, help_text)
                return False
    return not foreign and is_valid_dial(name, spec, context)


def _piece(name: str, spec: PieceSpec, context: GameContext) -> Kind:
    makers: Mapping[str, Callable[[str, PieceSpec, GameContext], tuple[type[Card], str]]] = {
        "token": _token,
        "cylinder": _proxy,
        "standee": _proxy,
        "blank": _blank,
        "ruler": _ruler,
        "box": box,
        "mat": mat,
        "dial": dial,
    }
    model, example = makers[spec.piece](name, spec, context)
    model.KIND = name
    model.__doc__ = spec.help or model.__doc__
    return Kind(
        model,
        pieces.trim_size,
        example,
        Shape.ROUND if spec.piece == "token" else Shape.RECTANGLE,
        can_rotate=spec.piece != "blank",
        made_from=kind_names(spec.made_from),
        generic=TEMPLATES.get(spec.piece, f"shared/{spec.piece}"),
        values=dial_values(spec) if spec.piece == "dial" else None,
        in_kit=spec.piece != "dial",
        can_tile=spec.piece == "mat",
        title=spec.title or "",
    )


def _model(name: str, base: type[Card], /, **fields: Any) -> Any:
    return create_model(class_name(name), __base__=base, **fields)


def _token(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return a token.

    One that is made from cards has their keys, which its text can name.
    """
    path: KeyPath = ("pieces", name, "diameter")
    diameter = length_within(spec.diameter, path, DIAMETERS, context) if spec.diameter else pieces.PUNCH_DIAMETER
    fields: dict[str, Any] = {
        "icon": (Text | None, Field(default=spec.icon, description="the icon in the middle, such as bolt")),
        "diameter": (pieces.Diameter, Field(default=diameter, description="diameter of the punch in mm")),
    }
    for kind in kind_names(spec.made_from):
        card = context.kinds[kind].model
        fields |= {
            key: _optional(info) for key, info in card.model_fields.items() if key not in pieces.Token.model_fields
        }
    model: Any = create_model(class_name(name), __base__=text_bases(pieces.Token, spec.text), **fields)
    owner, phrase = f"the value of {with_article(name)}", f"is between 1 and {pieces.MAX_COUNT}"
    model.COUNT_RULE = context.limits.rule("", owner, phrase)
    return model, "value: 1\nflip: 3\nqty: 12\n"


def _optional(info: FieldInfo) -> tuple[Any, Any]:
    """Return the annotation and field of a key, which a piece can leave out."""
    annotation: Any = info.annotation
    if not info.is_required():
        return annotation, info
    return annotation | None, Field(default=None, description=info.description)


def _proxy(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    base: type[Card] = pieces.Cylinder if spec.piece == "cylinder" else pieces.Standee
    height = length_within(spec.height, ("pieces", name, "height"), HEIGHTS, context) if spec.height else DEFAULT_HEIGHT
    bases = tuple(
        length_within(each, ("pieces", name, "bases", number), BASE_BOUNDS, context)
        for number, each in enumerate(spec.bases)
    )
    known = bases or BASES
    fields = {
        "base": (
            Number,
            Field(default=32 if 32 in known else known[0], description="diameter of the base in mm"),
        ),
        "height": (Height, Field(default=height, description="height of the miniature in mm")),
    }
    model = _model(name, base, **fields)
    model.BASES = known
    sizes = ", ".join(f"{each:g}" for each in known)
    model.BASE_RULE = context.limits.rule("", f"the base of {with_article(name)}", f"is one of {sizes} mm")
    return model, f"base: {model.model_fields['base'].default:g}\n"


def _blank(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    sizes = dict(_blank_sizes(context))
    names = kind_names(spec.of) or tuple(sizes)
    of: Any = Literal[names]
    model = _model(name, FilledInBlank, of=(of, Field(description="the kind of card to fill in")))
    model.SIZES, model.FORMS = sizes, {kind: _form(kind, context) for kind in names}
    return model, f"of: {names[0]}\nqty: 4\n"


def _form(kind: str, context: GameContext) -> Form:
    fields = context.spec.kinds[kind].fields.items()
    labels = [(field.type in NUMBER_TYPES, field.label or title_of(name)) for name, field in fields]
    numbers, words = ([label for is_number, label in labels if is_number is wanted] for wanted in (True, False))
    return Form(tuple(numbers), (*words, "Text"))


def _blank_sizes(context: GameContext) -> Iterator[tuple[str, Size]]:
    """Yield the kinds of cards with a fixed size."""
    for name in context.spec.kinds:
        size = context.kinds[name].default_size if name in context.kinds else None
        yield name, size or CARD_SIZES["poker"]


def _ruler(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    unit = unit_of(context)
    model = _model(
        name,
        pieces.Ruler,
        unit=(Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")], unit),
    )
    return model, "length: 15\nmarks: [5, 10, 15]\n" if unit == "cm" else "length: 6\nmarks: [2, 4, 6]\n"


MAT_SIDES = (Mat.SHORTEST, Mat.LONGEST)


def unit_of(context: GameContext) -> str:
    """Return the unit of rulers and mats: that of the game, or else centimeters."""
    return context.spec.unit if context.spec.unit in ("cm", "in") else "cm"


def box(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a tuck box, and its example."""
    return create_model(class_name(name), __base__=Box), "holds: 40\ncard_size: poker\n"


def mat(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a mat, with the sides that the game gives, and its example."""
    unit = unit_of(context)
    fields: dict[str, Any] = {
        "unit": (
            Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")],
            unit,
        )
    }
    for key, side in (("width", spec.width), ("height", spec.height)):
        if side is not None:
            length = length_within(side, ("pieces", name, key), MAT_SIDES, context)
            default = round(length / (MM_PER_INCH if unit == "in" else 10), 3)
            fields[key] = (Number, Field(gt=0, default=default, description=f"its {key} in units"))
    required = "".join(f"{key}: {side}\n" for key, side in (("width", 60), ("height", 40)) if key not in fields)
    return create_model(class_name(name), __base__=Mat, **fields), required + "grid: 10\n"


def dial(name: str, spec: PieceSpec, context: GameContext) -> tuple[type[Card], str]:
    """Return the model of a dial, and its example."""
    label = spec.label or _label_of_most(spec, context) or "Wounds"
    field = (Text, Field(default=label, description="what it counts"))
    return create_model(class_name(name), __base__=Dial, label=field), "most: 12\n"


def dial_values(spec: PieceSpec) -> Callable[[Any], Mapping[str, object] | None]:
    """Return a function that returns the highest number for a card; None for a card without one."""

    def values(card: Any) -> Mapping[str, object] | None:
        most = getattr(card, spec.most or "", None)
        return {"most": most} if most else None

    return values


def is_valid_dial(name: str, spec: PieceSpec, context: GameContext) -> bool:
    """Report a dial that is made from cards without a field for its highest number."""
    if spec.piece != "dial" or (not spec.made_from and spec.most is None):
        return True
    if spec.most is None or not spec.made_from:
        message = "a dial that is made from cards needs both 'from' and 'most'"
        key = "from" if spec.made_from else "most"
        context.report(("pieces", name, key), message, "'most' is the field with the highest number")
        return False
    for kind in _kinds(spec):
        fields = context.spec.kinds[kind].fields
        if spec.most not in fields or fields[spec.most].type != "integer":
            numbers = [each for each, field in fields.items() if field.type == "integer"]
            message = f"'{spec.most}' is not an integer field of '{kind}'"
            context.report(("pieces", name, "most"), message, f"available: {', '.join(numbers) or 'none'}")
            return False
    return True


def _kinds(spec: PieceSpec) -> tuple[str, ...]:
    return (spec.made_from,) if isinstance(spec.made_from, str) else spec.made_from


def _label_of_most(spec: PieceSpec, context: GameContext) -> str | None:
    """Return the label of the field with the highest number."""
    for kind in _kinds(spec):
        field = context.spec.kinds[kind].fields.get(spec.most or "")
        if field is not None:
            return field.label or (spec.most or "").replace("_", " ").capitalize()
    return None
