"""The syntax of templates: mistakes that need no types, a lenient run that records them, and where tags and calls are.

For the editor only, a tracing run marks what its output comes from; what is drawn for print has no marks.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.environment import Template
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Macro, Undefined
from markupsafe import Markup
from pydantic import BaseModel

from cardgen.diagnostic import closest
from cardgen.face.template.engine import MISTAKES
from cardgen.face.template.expressions import guarded_paths
from cardgen.face.template.wording import (
    arguments_fault,
    call_fault,
    error_message,
    macro_parameters,
    undefined_message,
    unknown_field,
    visible_fields,
)
from cardgen.sandbox.compiler import CompiledTemplate, TemplateKey
from cardgen.sandbox.environment import Sandbox
from cardgen.sandbox.scope import TAG_WORDS, syntax_message

# More are of no use to anyone.
MOST_MISTAKES = 50
# A value or a tag, up to the next one if it is not closed.
_TAG = re.compile(
    r"\{\{(?:(?!\{\{|\{%).)*?(?:\}\}|(?=\{\{|\{%|\Z))|\{%(?:(?!\{\{|\{%).)*?(?:%\}|(?=\{\{|\{%|\Z))", re.DOTALL
)
# An end is always found, because looking for one from each beginning would take for ever.
_COMMENT = re.compile(r"\{#.*?(?:#\}|\Z)|\{%-?\s*raw\s*-?%\}.*?(?:\{%-?\s*endraw\s*-?%\}|\Z)", re.DOTALL)
_KEYWORD = re.compile(r"\{%[-+]?\s*(\w*)")
# What completes an opening tag, so that it can be parsed by itself.
_CLOSERS = {"if": "endif", "for": "endfor", "macro": "endmacro", "call": "endcall", "filter": "endfilter",
            "with": "endwith", "autoescape": "endautoescape"}  # fmt: skip
_ALONE = ("include", "import", "from")


class Mistake(NamedTuple):
    """A mistake at a line of a template.

    `word` is the part of the line that is wrong.
    """

    line: int
    message: str
    word: str = ""


class ParsedTemplate(NamedTuple):
    """A template with its syntax mistakes.

    The tree lacks the tags that have them.
    """

    tree: nodes.Template | None
    mistakes: tuple[Mistake, ...]


def parse(environment: Environment, source: str) -> ParsedTemplate:
    """Parse a template, and find all its syntax mistakes.

    Raises RecursionError if it is nested too deeply.
    """
    try:
        return ParsedTemplate(environment.parse(source), ())
    except TemplateSyntaxError as error:
        first = Mistake(error.lineno, syntax_message(error.message or ""))
    mistakes, parts, end = [], [], 0
    for match, mistake in _faulty_tags(environment, source):
        mistakes.append(mistake)
        parts += [source[end : match.start()], _placeholder(match[0])]
        end = match.end()
    try:
        return ParsedTemplate(environment.parse("".join((*parts, source[end:]))), tuple(mistakes))
    except TemplateSyntaxError as error:
        # Tags that are right, but do not match each other.
        structure = Mistake(error.lineno, syntax_message(error.message or ""))
        return ParsedTemplate(None, (*mistakes, structure) if mistakes else (_better(first, structure),))


def _better(first: Mistake, second: Mistake) -> Mistake:
    return first if first.line == second.line else second


def _faulty_tags(environment: Environment, source: str) -> Iterator[tuple[re.Match[str], Mistake]]:
    hidden = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    found = 0
    for match in _TAG.finditer(hidden):
        try:
            environment.parse(_standalone(match[0]))
        except TemplateSyntaxError as error:
            line = source.count("\n", 0, match.start()) + error.lineno
            message = syntax_message(error.message or "")
            yield match, Mistake(line, message, match[0].split("\n")[0] if error.lineno == 1 else "")
            found += 1
            if found >= MOST_MISTAKES:
                return


def _standalone(tag: str) -> str:
    """Return a tag with what it needs to be a template of its own."""
    keyword = match[1] if (match := _KEYWORD.match(tag)) else ""
    if keyword in _CLOSERS:
        return f"{tag}{{% {_CLOSERS[keyword]} %}}"
    if keyword == "set":
        return tag if "=" in tag else f"{tag}{{% endset %}}"
    if keyword == "elif":
        return f"{{% if x %}}{tag}{{% endif %}}"
    if keyword == "block":
        return f"{tag}{{% endblock %}}"
    return "" if keyword == "else" or (keyword.startswith("end") and keyword in TAG_WORDS) else tag


def _placeholder(tag: str) -> str:
    """Return a tag without content, with the same line breaks, that keeps the structure."""
    keyword = match[1] if (match := _KEYWORD.match(tag)) else ""
    breaks = "\n" * tag.count("\n")
    stand_in = {"if": "{% if true %}", "elif": "{% elif true %}", "for": "{% for _ in () %}",
                "macro": "{% macro _() %}",
                "with": "{% with %}", "call": "{% call _() %}", "filter": "{% filter trim %}"}  # fmt: skip
    return stand_in.get(keyword, "") + breaks


@dataclass(frozen=True)
class ParsedSource:
    """A template with its syntax mistakes; its tree is None if they leave none."""

    tree: nodes.Template | None
    mistakes: tuple[Mistake, ...]

    @cached_property
    def assigned_names(self) -> frozenset[str]:
        """All names that the template assigns anywhere."""
        if self.tree is None:
            return frozenset()
        names = {node.name for node in self.tree.find_all(nodes.Name) if node.ctx != "load"}
        return frozenset({*names, *(node.name for node in self.tree.find_all(nodes.Macro))})

    @cached_property
    def guarded_paths(self) -> frozenset[str]:
        """The paths of values that the template tests before it uses them."""
        return guarded_paths(self.tree) if self.tree is not None else frozenset()


# A field of the card to which errors point, as in field="weapons/0"; the name is constant.
_FIELD = re.compile(r"""<(?:cg:text|cg:room|text)\b[^<>]*?\sfield=(["'])([a-z_][a-z0-9_]*)(?:/[^"']*)?\1""")


def field_mistakes(text: str, models: Iterable[type[BaseModel]]) -> Iterator[Mistake]:
    """Yield the names that almost are a field of the card; others can belong to a part of it."""
    kinds = tuple(models)
    known = {key for model in kinds for key in _keys(model)}
    for match in _FIELD.finditer(text):
        name = match[2]
        if name not in known and closest(name, known):
            yield Mistake(text.count("\n", 0, match.start(2)) + 1, unknown_field(name, kinds), name)


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """Yield the names of fields, and the keys that card files write for them."""
    yield from visible_fields(model)
    synonyms = getattr(model, "SYNONYMS", {})
    for field, info in model.model_fields.items():
        yield from (info.alias or field, *synonyms.get(info.alias or field, ()))


# A line of a template in its output: the number of its file, and that of the line.
_MARK = re.compile("\ue5f0(\\d{1,4}):(\\d{1,7})\ue5f1")


def _number(value: RecordedUndefined, *_: Any) -> Any:
    value.record(value)
    return 0


def _false(value: RecordedUndefined, *_: Any) -> bool:
    value.record(value)
    return False


def _true(value: RecordedUndefined, *_: Any) -> bool:
    value.record(value)
    return True


def _empty_text(value: RecordedUndefined) -> str:
    value.record(value)
    return ""


def _no_items(value: RecordedUndefined) -> Iterator[Any]:
    value.record(value)
    return iter(())


def _nothing(value: RecordedUndefined, *_: Any, **__: Any) -> Any:
    value.record(value)
    return Silent()


def _part(value: RecordedUndefined, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return _nothing(value)


# What an undefined value does instead of failing.
_BEHAVIOR: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("__str__", "__html__"), _empty_text),
    **dict.fromkeys(("__len__", "__int__"), _number),
    "__float__": lambda value: float(_number(value)),
    **dict.fromkeys(("__bool__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__"), _false),
    "__ne__": _true,
    "__iter__": _no_items,
    "__hash__": id,
    "__getattr__": _part,
    **dict.fromkeys(
        (
            "__call__", "__getitem__", "__neg__", "__pos__", "_fail_with_undefined_error",
            *(f"__{side}{name}__" for side in ("", "r") for name in (
                "add", "sub", "mul", "truediv", "floordiv", "mod", "pow",
            )),
        ),
        _nothing,
    ),
}  # fmt: skip


class RecordedUndefined(StrictUndefined):
    """Value that does not exist; using it is recorded, and gives nothing."""

    record: Callable[[Undefined], None] = staticmethod(lambda _: None)


for _name, _method in _BEHAVIOR.items():
    setattr(RecordedUndefined, _name, _method)


class Silent(RecordedUndefined):
    """Result of what was recorded already."""


class _LineMarks(Extension):
    """Marks of the lines in the text of templates."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        number = self.environment.file_number(stream.filename or stream.name or "")  # type: ignore[attr-defined]
        for token in stream:
            if token.type != "data":
                yield token
                continue
            lines = token.value.split("\n")
            marked = (f"\ue5f0{number}:{token.lineno + each}\ue5f1{line}" for each, line in enumerate(lines))
            yield Token(token.lineno, token.type, "\n".join(marked))


class LenientSandbox(Sandbox):
    """Sandbox that records mistakes in `mistakes`, as template file, line, and message.

    With `marked`, its output contains marks for `strip_marks`.
    """

    compiled = None

    def __init__(
        self,
        loader: BaseLoader,
        suffixes: tuple[str, ...],
        fields: Iterable[str],
        names: Iterable[str],
        *,
        marked: bool,
    ) -> None:
        super().__init__(loader)
        self.mistakes: dict[tuple[str, int, str], None] = {}
        self.files: list[str] = []
        self._suffixes, self._fields, self._names = suffixes, tuple(fields), tuple(names)
        self.undefined = type("Recorded", (RecordedUndefined,), {"record": staticmethod(self._record_undefined)})
        self.filters = {name: self._guarded(name, function) for name, function in self.filters.items()}
        if marked:
            self.add_extension(_LineMarks)

    def file_number(self, file: str) -> int:
        """Return the number of a template file in the marks."""
        if file not in self.files:
            self.files.append(file)
        return self.files.index(file)

    def _record_undefined(self, value: Undefined) -> None:
        self._record(undefined_message(value, self._names, self._fields))

    def _record(self, message: str) -> None:
        file, line = _current_line(self._suffixes)
        if len(self.mistakes) < MOST_MISTAKES:
            self.mistakes[file, line, message] = None

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)  # copies the attributes by which Jinja2 passes the environment
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(each, Undefined) for each in args) and name not in ("default", "d"):
                for each in args:
                    if isinstance(each, RecordedUndefined):
                        each.record(each)
                return Silent()
            try:
                return function(*args, **kwargs)
            except MISTAKES as error:
                self._record(f"filter '{name}': {error_message(error)}")
                return Silent()

        return guarded

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call an object; failures are recorded."""
        if isinstance(__obj, Undefined):
            return __obj(*args)
        try:
            return super().call(__context, __obj, *args, **kwargs)
        except MISTAKES as error:
            keywords = [name for name in kwargs if name != "caller"]
            __self._record(_failed_call(__obj, len(args), keywords) or error_message(error))
            return Silent()

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Compute an operator; failures are recorded."""
        return self._computed(lambda: super(LenientSandbox, self).call_binop(context, operator, left, right))

    def add(self, left: Any, right: Any) -> Any:
        """Return the sum; failures are recorded."""
        return self._computed(lambda: Sandbox.add(left, right))

    def subtract(self, left: Any, right: Any) -> Any:
        """Return the difference; failures are recorded."""
        return self._computed(lambda: Sandbox.subtract(left, right))

    def multiply(self, left: Any, right: Any) -> Any:
        """Return the product; failures are recorded."""
        return self._computed(lambda: Sandbox.multiply(left, right))

    def _computed(self, compute: Callable[[], Any]) -> Any:
        try:
            return compute()
        except MISTAKES as error:
            self._record(error_message(error))
            return Silent()

    def _is_mark(self, match: re.Match[str]) -> bool:
        """Return whether this is a mark rather than text that resembles one."""
        return int(match[1]) < len(self.files)

    def strip_marks(self, text: str) -> tuple[str, list[tuple[int, str, int]]]:
        """Return a text without its marks, and the marks.

        Each mark has its offset in the text, the file, and the line.
        """
        parts, marks, size, end = [], [], 0, 0
        for match in filter(self._is_mark, _MARK.finditer(text)):
            part = text[end : match.start()]
            parts.append(part)
            size, end = size + len(part.encode("utf-8", "surrogatepass")), match.end()
            marks.append((size, self.files[int(match[1])], int(match[2])))
        return "".join((*parts, text[end:])), marks


def _failed_call(function: Any, given: int, keywords: list[str]) -> str:
    """Return why something could not take its arguments, or ''."""
    if isinstance(function, Macro):
        return arguments_fault(f"macro '{function.name}'", macro_parameters(function), given, tuple(keywords))
    name = getattr(function, "__name__", "")
    return f"function {fault}" if name.isidentifier() and (fault := call_fault(name, function, given, keywords)) else ""


def _current_line(suffixes: tuple[str, ...]) -> tuple[str, int]:
    """Return the file and line of the template that is running."""
    frame = inspect.currentframe()
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and frame.f_code.co_filename.endswith(suffixes):
            return template.filename or "", template.get_corresponding_lineno(frame.f_lineno)
        frame = frame.f_back
    return "", 1


# The source of a template: its start tags, printed values, and macros.

PLAIN = Environment()
_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<(?P<name>[A-Za-z][\w:.-]*)(?P<rest>(?:"[^"]*"|'[^']*'|[^<>"'])*)>""",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_SPACE = ("whitespace", "comment_begin", "comment", "comment_end")


class Tag(NamedTuple):
    """A start tag, which begins at `start`; its attributes have the ranges of their values."""

    name: str
    start: int
    attributes: Mapping[str, tuple[int, int]]


class Argument(NamedTuple):
    """An argument of a call, and its range in the expression."""

    name: str
    start: int
    end: int


class Call(NamedTuple):
    """A call, such as `parts.seal(x, y)`."""

    name: str
    arguments: tuple[Argument, ...]


class TemplateSource:
    """The source of a template."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tags: dict[int, Tag] = {}
        # The ends of printed values that are outside of tags and call something, by their starts.
        self.values: dict[int, int] = {}
        self._macros: list[tuple[str, int, int]] = []
        masked, values = self._masked()
        covered = []
        for match in _MARKUP.finditer(masked):
            covered.append(match.span())
            if match["name"]:
                attributes: dict[str, tuple[int, int]] = {}
                for each in _ATTRIBUTE.finditer(masked, match.start("rest"), match.end("rest")):
                    # Of two values for one name, it is unknown which one counts.
                    attributes[each[1]] = (
                        (-1, -1) if each[1] in attributes else each.span(2 if each[2] is not None else 3)
                    )
                self.tags[match.start()] = Tag(match["name"], match.start(), attributes)
        inside = iter([*covered, (len(text) + 1, len(text) + 1)])
        start, end = next(inside)
        for at, close in values:
            while end <= at:
                start, end = next(inside)
            if at < start and "(" in text[at:close]:
                self.values[at] = close

    def _masked(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the text with everything that Jinja2 reads blotted out, and the printed values."""
        parts, values, at, opened = [], list[tuple[int, int]](), 0, 0
        words: list[tuple[str, int]] = []
        names, starts = list[str](), list[int]()
        for _, kind, value in PLAIN.lexer.tokeniter(self.text, None):
            start = self.text.index(value, at)
            parts.append("\0" * (start - at) + (value if kind == "data" else "\0" * len(value)))
            at = start + len(value)
            if kind == "variable_begin":
                opened = at
            elif kind == "variable_end":
                values.append((opened, start))
            elif kind == "block_begin":
                words = []
            elif kind == "name":
                words.append((value, start))
                if len(words) == 2 and words[0][0] == "macro":
                    names.append(value)
                    starts.append(start)
                elif len(words) == 1 and value == "endmacro" and names:
                    self._macros.append((names.pop(), starts.pop(), start))
        return "".join(parts), values

    @cached_property
    def _needs(self) -> dict[str, dict[str, set[str]]]:
        """The names that each name of a macro is computed from."""
        found: dict[str, dict[str, set[str]]] = {}
        for macro in PLAIN.parse(self.text).find_all(nodes.Macro):
            needs = found[macro.name] = {}
            assigned = [(node.target, node.node) for node in macro.find_all(nodes.Assign)]
            for target, value in (*assigned, *((node.target, node.iter) for node in macro.find_all(nodes.For))):
                for name in (target, *target.find_all((nodes.Name, nodes.NSRef))):
                    if isinstance(name, nodes.Name | nodes.NSRef):
                        needs.setdefault(name.name, set()).update(_names(value))
        return found

    def macro_at(self, offset: int) -> str:
        """Return the innermost macro around a place, or ''."""
        around = [each for each in self._macros if each[1] <= offset < each[2]]
        return max(around, key=lambda each: each[1])[0] if around else ""

    def sources_of(self, names: Iterable[str], macro: str) -> list[str]:
        """Return names with those that they are computed from in a macro, in the order of their distance."""
        found, pending = list[str](), [*names]
        while pending:
            name = pending.pop(0)
            if name not in found:
                found.append(name)
                pending += sorted(self._needs.get(macro, {}).get(name, ()))
        return found

    def line(self, offset: int) -> int:
        """Return the line of a place."""
        return self.text.count("\n", 0, offset) + 1


@lru_cache(maxsize=64)
def read_source(text: str) -> TemplateSource:
    """Return the source of a template; one with mistakes has no tags."""
    try:
        return TemplateSource(text)
    except (TemplateSyntaxError, ValueError):
        return TemplateSource("")


def _names(node: nodes.Node) -> list[str]:
    own = [node.name] if isinstance(node, nodes.Name) else []
    return [*own, *(each.name for each in node.find_all(nodes.Name))]


def names_in(text: str) -> list[str]:
    """Return the names in the values that an attribute prints."""
    try:
        return list(dict.fromkeys(_names(PLAIN.parse(text))))
    except TemplateSyntaxError:
        return []


class ExpressionToken(NamedTuple):
    """A token of an expression, with its place in it."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The place after it."""
        return self.start + len(self.text)


def tokens_of(expression: str) -> list[ExpressionToken]:
    """Return the tokens of an expression, with their places in it."""
    tokens, at = [], -2
    for _, kind, value in PLAIN.lexer.tokeniter(f"{{{{{expression}}}}}", None):
        if kind not in (*_SPACE, "variable_begin", "variable_end"):
            tokens.append(ExpressionToken(kind, value, at))
        at += len(value)
    return tokens


@lru_cache(maxsize=4_096)
def call_in(expression: str) -> Call | None:
    """Return the call that an expression consists of, apart from filters."""
    try:
        tokens = tokens_of(expression)
    except TemplateSyntaxError:
        return None
    at = 0
    while at + 1 < len(tokens) and tokens[at].kind == "name" and tokens[at + 1].text == ".":
        at += 2
    if at + 2 >= len(tokens) or tokens[at].kind != "name" or tokens[at + 1].text != "(":
        return None
    name = "".join(each.text for each in tokens[: at + 1])
    arguments, depth, first = list[Argument](), 0, at + 2
    for place in range(at + 1, len(tokens)):
        text = tokens[place].text
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if (depth == 1 and text == ",") or (depth == 0 and text == ")"):
            part = tokens[first:place]
            keyword = part[0].text if len(part) > 2 and part[1].text == "=" else ""
            part = part[2:] if keyword else part
            if part:
                arguments.append(Argument(keyword, part[0].start, part[-1].end))
            first = place + 1
        if depth == 0:
            rest = tokens[place + 1 :]
            return Call(name, tuple(arguments)) if not rest or rest[0].text == "|" else None
    return None


# The marks, and the sandbox that puts them into the output.

MARK = "data-cg-at"
_MARKED = re.compile(rf' {MARK}="([^"]*)"')
_START_TAG = re.compile(r"<[A-Za-z][\w:.-]*")
_TRACE = "trace_"


class _TagMarks(Extension):
    """Marks of the start tags, and of the values that call something."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        file = quote(filename or name or "", safe="/")
        read = read_source(source)
        marks = [(tag.start + 1 + len(tag.name), f' {MARK}="{file}:{tag.start}"') for tag in read.tags.values()]
        for start, end in read.values.items():
            call = call_in(read.text[start:end])
            marks += [(start, f' {_TRACE}("{file}:{start}:{call.name if call else ""}", ('), (end, ")) ")]
        parts, at = [], 0
        for place, mark in sorted(marks):
            parts += [source[at:place], mark]
            at = place
        return "".join((*parts, source[at:]))


class TracingSandbox(Sandbox):
    """Sandbox whose output has marks."""

    compiled: dict[TemplateKey, CompiledTemplate] = {}  # noqa: RUF012 - shared by all of them

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(loader)
        self._parameters: tuple[str, ...] = ()
        self._trace = self._traced
        self.globals[_TRACE] = self._trace
        self.add_extension(_TagMarks)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """Call an object, and remember what arguments it takes."""
        result = super().call(__context, __obj, *args, **kwargs)
        if __obj is not __self._trace:
            __self._parameters = _parameters_of(__obj)
        return result

    def _traced(self, place: str, value: Any) -> Any:
        """Return a printed value with the place that printed it in the marks of its elements."""
        if not isinstance(value, Markup) or "<" not in value:
            return value
        mark, text = f"{place}:{','.join(self._parameters)}", str(value)
        if _MARKED.search(text):
            return Markup(_MARKED.sub(rf' {MARK}="\1 {mark}"', text))
        first = iter("^")
        tag = _START_TAG.sub(lambda match: f'{match[0]} {MARK}="{next(first, "+")} {mark}"', text)
        return Markup(tag)


@lru_cache(maxsize=1_024)
def _signature(function: Any) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def _parameters_of(function: Any) -> tuple[str, ...]:
    if isinstance(function, Macro):
        return tuple(function.arguments)
    try:
        return _signature(function)
    except TypeError:  # it cannot be hashed
        return ()


def without_marks(svg: str) -> str:
    """Return a traced drawing as it is printed."""
    return _MARKED.sub("", svg)
