"""The Jinja2 environment for templates that strangers wrote: no way out to Python, and nothing gigantic."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import is_
from types import BuiltinMethodType, MethodType, NoneType
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, TemplateRuntimeError
from jinja2.environment import TemplateModule
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing
from markupsafe import Markup, escape
from pydantic import BaseModel

from cardgen.face import bounds
from cardgen.face.compiling import BoundedCode
from cardgen.face.notes import Notes
from cardgen.face.repeating import Key, Results

# What could build long texts or many items in one call, and what a card has no use for.
_FILTERS_LEFT_OUT = (
    "batch", "center", "filesizeformat", "format", "indent", "pprint", "random", "slice", "tojson", "urlize",
    "wordwrap", "xmlattr",
)  # fmt: skip
_GLOBALS_LEFT_OUT = ("lipsum", "cycler", "joiner")
# All that may be called on a plain value; of everything else, numbers and bytes among them, there are no methods.
_METHODS = frozenset({
    "capitalize", "count", "endswith", "find", "get", "index", "isalpha", "isdigit", "islower", "isupper", "items",
    "keys", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit", "rstrip",
    "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "values",
})  # fmt: skip
_PLAIN = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range)
_OF_DICTIONARIES = frozenset(dir(dict))
# Of these the kind alone says what may be seen, whatever it holds; but what it holds may be a method of a text.
_SHOWN_ALIKE = (BaseModel, LoopContext, TemplateModule)
_BOUND = frozenset({MethodType, BuiltinMethodType})
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_SPECIAL = re.compile("""[&<>"']""")
# More than a game has; of drawings that are included there may be any number, and each look into a cache goes
# through what was asked for before.
_TEMPLATES_KEPT = 64
# What Jinja2 tells a function that wants the context that it is called in; a macro has its own.
_OF_THE_CALLER = ("_loop_vars", "_block_vars")


def _in_print(text: str) -> str:
    return escape(text) if _SPECIAL.search(text) else text


# How the values are written that templates mostly write.
_WRITTEN: dict[type, Callable[[Any], str]] = {
    str: _in_print, Markup: lambda text: text, int: str, float: str, NoneType: lambda _: "",
}  # fmt: skip


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict, autoescaping, and bounded: of a card it shows fields and properties only."""

    code_generator_class = BoundedCode
    intercepted_binops = frozenset(bounds.OPERATORS)
    concat = staticmethod(bounds.put_together)
    joined = staticmethod(bounds.joined)
    gathered = staticmethod(bounds.light)
    added = staticmethod(bounds.added)
    multiplied = staticmethod(bounds.multiplied)

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            auto_reload=False,
            cache_size=_TEMPLATES_KEPT,
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: "" if value is None else value,
        )
        for name in _FILTERS_LEFT_OUT:
            self.filters.pop(name, None)
        for name in _GLOBALS_LEFT_OUT:
            self.globals.pop(name, None)
        self.filters.update(bounds.BOUNDED_FILTERS)
        self.globals.update(dict=bounds.dictionary, mix=_mixed)
        # By their file.
        self._notes: dict[str | None, Notes] = {}
        self._results = Results()
        self._names_hidden = False
        self._lent: dict[str, tuple[tuple[Any, ...], TemplateModule]] = {}
        self._shown: set[tuple[type, str]] = set()

    def note(self, file: str, notes: Notes) -> None:
        """Remember what a template looks at."""
        self._notes[file] = notes
        # Macros may look at `range` and its like: where a template gives such a name to something else, none is safe.
        self._names_hidden = self._names_hidden or not notes.stored.isdisjoint(self.globals)

    def notes_on(self, name: str) -> Notes:
        """What the template of that name looks at. Raises what Jinja2 raises for one that cannot be compiled."""
        return self._notes.get(self.get_template(name).filename, Notes())

    def lent(self, name: str, parent: str, context: Context, inner: Mapping[str, Any]) -> TemplateModule:
        """What a template imports from another one together with its context, in which `inner` names go first.

        Macros that were made before are taken again, as long as all that they look at in there is the same.
        """
        template = self.get_template(name, parent)
        file = template.filename or ""
        notes = self._notes.get(file, Notes())
        if not notes.lends_macros:
            return template.make_module(context.get_all(), True, inner)
        seen = tuple(
            context.resolve_or_missing(each) if (value := inner.get(each, missing)) is missing else value
            for each in notes.names
        )
        known = self._lent.get(file)
        if known is None or not all(map(is_, known[0], seen)):
            known = self._lent[file] = seen, template.make_module(context.get_all(), True, inner)
        return known[1]

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call something; a macro that looks at its arguments only is worked out once for the same ones."""
        if type(__obj) is not Macro:
            return super().call(__context, __obj, *args, **kwargs)
        if kwargs:
            for name in _OF_THE_CALLER:
                kwargs.pop(name, None)
        key = __self._key(__context, __obj, args, kwargs)
        if key is None:
            # They may come together again in `varargs` and `kwargs`.
            bounds.light((args, kwargs))
        text = None if key is None else __self._results.find(key)
        if text is None:
            text = super().call(__context, __obj, *args, **kwargs)
            if key is not None:
                __self._results.keep(key, text)
        return text

    def _key(self, context: Any, macro: Macro, args: Any, kwargs: dict[str, Any]) -> Key | None:
        file = macro._func.__code__.co_filename
        notes = self._notes.get(file)
        if notes is None or macro.name not in notes.contained or self._names_hidden:
            return None
        return self._results.key((file, macro.name, context.eval_ctx.autoescape), args, kwargs)

    @staticmethod
    def written(value: Any) -> str:
        """A value as it is written into the text, with its special characters escaped."""
        return _WRITTEN.get(type(value), escape)(value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look at an attribute, else at an item; what may be seen of a kind of objects is worked out once."""
        kind = type(obj)
        if kind is dict and attribute in obj and attribute not in _OF_DICTIONARIES:
            return obj[attribute]
        if (kind, attribute) in self._shown:
            value = getattr(obj, attribute, missing)
            if value is not missing and type(value) not in _BOUND:
                return value
        value = super().getattr(obj, attribute)
        if issubclass(kind, _SHOWN_ALIKE) and self.is_safe_attribute(obj, attribute, value):
            self._shown.add((kind, attribute))
        return value

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Look at an item, else at an attribute; models have no items."""
        if type(argument) is str and isinstance(obj, BaseModel) and not hasattr(type(obj), "__getitem__"):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)

    def wrap_str_format(self, value: Any) -> None:
        """No `format`: it makes texts of any width."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse methods of models, and those methods of plain values that build long ones."""
        if isinstance(obj, BaseModel):
            return attr in type(obj).model_fields or isinstance(getattr(type(obj), attr, None), property)
        if isinstance(obj, _PLAIN) and callable(value) and attr not in _METHODS:
            return False
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse what would grow without bound before it is computed."""
        return bounds.OPERATORS[operator](left, right)


def _mixed(first: str, second: str, share: float) -> str:
    """The colour on the way from one '#rrggbb' to another: a share of 0 is the first, of 1 the second."""
    share = min(1.0, max(0.0, share))
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> list[int]:
    if not _COLOUR.fullmatch(colour):
        raise TemplateRuntimeError(f"'{colour[:40]}' is no colour; write it as #rrggbb")
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
