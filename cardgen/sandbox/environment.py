"""Jinja2 sandbox for untrusted templates; caches pure macro calls (fast path)."""

# FAST PATH (MacroCache, Sandbox.import_with_context). Reason: frames, stat tables and icons are macros that most cards
# call with the same arguments. Gain: building 900 cards takes 3.0 s of processor time instead of 4.6 s; a kit of 49
# cards takes 2.5 s instead of 2.6 s. Slow twin: Jinja2's own call. TemplateDependencies say which macros depend only on
# their arguments.
#
# FAST PATH (Sandbox.compile). Reason: every build makes a sandbox of its own, and compiling templates takes half of its
# time. Gain: a kit of 49 cards that is built again in the same process, as with --watch and in notebooks, takes 0.6 s
# of processor time instead of 1.2 s. Templates of the program are also compiled only once for all processes, which
# saves 0.09 s of each build of characters. Slow twin: Jinja2's own compile.

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, MutableMapping
from operator import is_
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, NoneType
from typing import Any

from jinja2 import BaseLoader, StrictUndefined, TemplateRuntimeError
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, missing
from markupsafe import escape
from pydantic import BaseModel

from cardgen.runtime.installation import FAST
from cardgen.sandbox import limits
from cardgen.sandbox.compiler import (
    BoundedCodeGenerator,
    CompiledFiles,
    CompiledTemplate,
    MacroCache,
    TemplateDependencies,
    TemplateKey,
)
from cardgen.sandbox.expression import keep_paragraphs
from cardgen.sandbox.limits import PRINTERS, TEXT_FILTERS, checked_filter, require_printable
from cardgen.sandbox.values import LinkedName

# Filters that could build long texts or many items in one call, or that cards do not need.
_REMOVED_FILTERS = (
    "batch", "center", "filesizeformat", "format", "indent", "pprint", "random", "slice", "tojson", "urlize",
    "wordwrap", "xmlattr",
)  # fmt: skip
_REMOVED_GLOBALS = ("lipsum", "cycler", "joiner")
# The only methods of plain values that can be called; numbers and bytes have none.
_ALLOWED_METHODS = frozenset({
    "capitalize", "count", "endswith", "find", "get", "index", "isalpha", "isdigit", "islower", "isupper", "items",
    "keys", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rpartition", "rsplit", "rstrip",
    "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "values",
})  # fmt: skip
_PLAIN_TYPES = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range)
_DICT_METHODS = frozenset(dir(dict))
# Types for which the type alone decides which attributes are safe, unless a value is a method, such as one of a text.
_UNIFORM_TYPES = (BaseModel, LoopContext, Namespace, TemplateModule)
_METHOD_TYPES = frozenset({MethodType, BuiltinMethodType})
_COLOUR = re.compile("#[0-9a-fA-F]{6}")
# More templates than a game has. There can be any number of included drawings, but a larger cache would be slower,
# because every lookup searches it.
_CACHED_TEMPLATES = 64
# Templates that this process has compiled, by source, name, and file: enough for a few games. Longer sources are
# compiled anew, so that the cache stays below 100 MiB.
_MAX_COMPILED, _MAX_CACHED_SOURCE = 128, 50_000
_COMPILED: dict[TemplateKey, CompiledTemplate] = {}


# Output functions for the most common types.
_WRITERS: dict[type, Callable[[Any], str]] = {**PRINTERS, NoneType: lambda _: ""}


def _is_plain(function: Any) -> bool:
    """Return whether a function has no attributes, by which Jinja2 marks what is unsafe or takes its context."""
    if type(function) is MethodType:
        function = function.__func__
    return (type(function) is FunctionType and not function.__dict__) or function is Namespace


class Sandbox(ImmutableSandboxedEnvironment):
    """Strict, autoescaping, bounded environment for templates.

    Cards expose only fields and properties.
    """

    code_generator_class = BoundedCodeGenerator
    # Where the templates are kept that sandboxes of this class have compiled; None for nowhere.
    compiled: dict[TemplateKey, CompiledTemplate] | None = _COMPILED
    intercepted_binops = frozenset(limits.OPERATORS)
    concat = staticmethod(limits.join_output)
    concatenate = staticmethod(limits.concatenate)
    require_light = staticmethod(limits.require_light)
    require_printable = staticmethod(require_printable)
    add = staticmethod(limits.add)
    subtract = staticmethod(limits.subtract)
    multiply = staticmethod(limits.multiply)

    def __init__(self, loader: BaseLoader, compiled_files: CompiledFiles | None = None) -> None:
        super().__init__(
            loader=loader,
            auto_reload=False,
            cache_size=_CACHED_TEMPLATES,
            autoescape=True,
            optimized=False,  # The optimizer would compute texts without our checks.
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: "" if value is None else value,
        )
        for name in _REMOVED_FILTERS:
            self.filters.pop(name, None)
        for name in _REMOVED_GLOBALS:
            self.globals.pop(name, None)
        self.filters.update(limits.BOUNDED_FILTERS)
        self.filters.update({name: checked_filter(self.filters[name]) for name in TEXT_FILTERS})
        self.globals.update(dict=limits.make_dict, mix=_mix)
        self._compiled_files = compiled_files or CompiledFiles()
        # Keyed by file.
        self._dependencies: dict[str | None, TemplateDependencies] = {}
        self._macro_cache = MacroCache()
        # The files and names of macros, None if their output cannot be cached, keyed by the identity of their code,
        # which is stored to live on.
        self._places: dict[int, tuple[tuple[str, str] | None, CodeType]] = {}
        self._globals_hidden = False
        self._imports: dict[str, tuple[tuple[Any, ...], TemplateModule]] = {}
        self._safe_attributes: defaultdict[type, set[str]] = defaultdict(set)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as a plain dictionary, which each rendering copies."""
        return {**self.globals, **(d or {})}

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Return the source as Jinja2 reads it."""
        return keep_paragraphs(super().preprocess(source, name, filename))

    def compile(  # type: ignore[override]
        self, source: str, name: str | None = None, filename: str | None = None, **options: Any
    ) -> Any:
        """Return the code of a template; that of a file is cached for all sandboxes of the process, or on disk.

        Raises Jinja2's error if it cannot be compiled.
        """
        kept = self.compiled
        if not FAST or kept is None or not name or not filename or options:
            return super().compile(source, name, filename, **options)
        key = (source, name, filename)
        compiled = kept.get(key)
        if compiled is None:
            compiled = self._compiled_files.load(key)
            if compiled is None:
                compiled = super().compile(source, name, filename), self._dependencies[filename]
                self._compiled_files.store(key, compiled)
            # Cache a compiled template, in place of the oldest one if there are too many.
            if len(key[0]) <= _MAX_CACHED_SOURCE:
                while len(kept) >= _MAX_COMPILED:
                    kept.pop(next(iter(kept), key), None)
                kept[key] = compiled
        self.record(filename, compiled[1])
        return compiled[0]

    def record(self, file: str, dependencies: TemplateDependencies) -> None:
        """Store the dependencies of a template."""
        self._dependencies[file] = dependencies
        self._places.clear()
        # Macros can use globals such as `range`; if a template assigns such a name, no macro can be cached.
        self._globals_hidden = self._globals_hidden or not dependencies.assigned.isdisjoint(self.globals)

    def dependencies(self, name: str) -> TemplateDependencies:
        """Return the dependencies of a template.

        Raises Jinja2's error if it cannot be compiled.
        """
        return self._dependencies.get(self.get_template(name).filename, TemplateDependencies())

    def import_with_context(
        self, name: str, parent: str, context: Context, local_names: Mapping[str, Any]
    ) -> TemplateModule:
        """Return a template's module, imported with context.

        `local_names` have priority over the context. A module that contains only macros is reused while all names that
        it uses have the same values.
        """
        template = self.get_template(name, parent)
        file = template.filename or ""
        dependencies = self._dependencies.get(file, TemplateDependencies())
        if not FAST or not dependencies.only_macros:
            return template.make_module(context.get_all(), True, local_names)
        values = tuple(
            context.resolve_or_missing(each) if (value := local_names.get(each, missing)) is missing else value
            for each in dependencies.names
        )
        cached = self._imports.get(file)
        if cached is None or not all(map(is_, cached[0], values)):
            cached = self._imports[file] = values, template.make_module(context.get_all(), True, local_names)
        return cached[1]

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call an object; the output of a pure macro is cached."""
        if type(__obj) is Macro:
            return __self._call_macro(__obj, __context.eval_ctx, args, kwargs)
        if _is_plain(__obj):
            try:
                return __obj(*args, **kwargs)
            except StopIteration:
                pass
        return super().call(__context, __obj, *args, **kwargs)

    def _call_macro(self, macro: Macro, eval_ctx: EvalContext, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Do what Jinja2 does for a macro, which is always safe to call."""
        place, _ = self._places.get(id(macro._func.__code__)) or self._add_place(macro)
        key = self._macro_cache.key(place, args, kwargs) if place and eval_ctx.autoescape else None
        if key is None:
            if macro.catch_varargs or macro.catch_kwargs:
                # they can be combined again in `varargs` and `kwargs`
                limits.require_light((args, kwargs))
            return macro(eval_ctx, *args, **kwargs)
        texts, arguments = key
        text = texts.get(arguments)
        if text is None:
            text = macro(eval_ctx, *args, **kwargs)
            self._macro_cache.store(key, text)
        return text

    def _add_place(self, macro: Macro) -> tuple[tuple[str, str] | None, CodeType]:
        """Find out whether the output of a macro can be cached."""
        code = macro._func.__code__
        place = (code.co_filename, macro.name) if FAST and self._is_pure(macro) else None
        self._places[id(code)] = place, code
        return place, code

    def _is_pure(self, macro: Macro) -> bool:
        dependencies = self._dependencies.get(macro._func.__code__.co_filename)
        return dependencies is not None and macro.name in dependencies.pure_macros and not self._globals_hidden

    @staticmethod
    def write_value(value: Any) -> str:
        """Return a value as escaped text."""
        writer = _WRITERS.get(type(value))
        return escape(require_printable(value)) if writer is None else writer(value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an attribute, or else an item.

        Which attributes of a type are safe is cached.
        """
        kind = type(obj)
        if kind is dict and attribute in obj and attribute not in _DICT_METHODS:
            return obj[attribute]
        if attribute in self._safe_attributes[kind]:
            value = getattr(obj, attribute, missing)
            if value is not missing and type(value) not in _METHOD_TYPES:
                return value
        if kind is LinkedName and obj.card is not None and attribute not in _ALLOWED_METHODS:
            return self.getattr(obj.card, attribute)
        if isinstance(obj, BaseModel) and attribute not in kind.model_fields and hasattr(BaseModel, attribute):
            return self.unsafe_undefined(obj, attribute)
        value = super().getattr(obj, attribute)
        if issubclass(kind, _UNIFORM_TYPES) and self.is_safe_attribute(obj, attribute, value):
            self._safe_attributes[kind].add(attribute)
        return value

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item, or else an attribute; models have no items."""
        is_model = isinstance(obj, BaseModel) and not hasattr(type(obj), "__getitem__")
        if type(argument) is str and (is_model or type(obj) is LinkedName):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)

    def wrap_str_format(self, value: Any) -> None:
        """Disable `format`, which can build texts of any width."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Refuse methods of models, and unsafe methods of plain values."""
        if isinstance(obj, BaseModel):
            own = attr in type(obj).model_fields or isinstance(getattr(type(obj), attr, None), property)
            return own or (attr in (obj.model_extra or ()) and not hasattr(type(obj), attr))
        if isinstance(obj, _PLAIN_TYPES) and callable(value) and attr not in _ALLOWED_METHODS:
            return False
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute an operator, unless the result would be too large."""
        return limits.OPERATORS[operator](left, right)


def _mix(first: str, second: str, share: float) -> str:
    """Return a mix of two '#rrggbb' colors.

    A share of 0 is the first, of 1 the second.
    """
    share = min(1.0, max(0.0, share))
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> list[int]:
    if not _COLOUR.fullmatch(colour):
        raise TemplateRuntimeError(f"'{colour[:40]}' is not a color such as #rrggbb")
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
