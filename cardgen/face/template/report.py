"""Diagnostics of mistakes in the source and output of a template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, TemplateError, nodes
from pydantic import BaseModel

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span, did_you_mean
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.template import engine, syntax
from cardgen.face.template.engine import RenderedTemplate, Templates, source_lines
from cardgen.face.template.expressions import (
    UNKNOWN,
    ExpressionTypes,
    FunctionType,
    KeysType,
    ListType,
    MapType,
    ModelOfKind,
    ModelType,
    ScalarType,
    ValueType,
    type_of_value,
)
from cardgen.face.template.syntax import MOST_MISTAKES, LenientSandbox, Mistake, ParsedSource, field_mistakes
from cardgen.face.template.wording import make_parameters, unknown_entry, visible_fields
from cardgen.project.files import display_path
from cardgen.runtime.processes import WATCHDOG
from cardgen.runtime.regular_file import UnsavedFiles
from cardgen.svg.chunks import BoxElement, find_faults
from cardgen.svg.tree import SvgError

# By then, a template has shown its mistakes.
_MOST_CARDS = 10
_QUOTED = re.compile(r"'([^']*)'")
# Time limit for one search, in seconds.
_TIME_LIMIT = 2.0


class LocatedOutput(NamedTuple):
    """Output of a template.

    `marks` has the offsets in bytes at which its lines begin, with their files and numbers.
    """

    svg: str
    marks: tuple[tuple[int, str, int], ...]

    def line_at(self, offset: int) -> tuple[str, int] | None:
        """Return the template file and line of a place in the output."""
        before = [mark for mark in self.marks if mark[0] <= offset]
        return before[-1][1:] if before else None


@dataclass(slots=True)
class MistakeFinder:
    """Finder of the mistakes of one game's templates.

    `icon_names` are the icons that they can draw, and `model_of` returns the model of a kind of card, or None.
    """

    templates: Templates
    icon_names: Callable[[], Iterable[str]] = tuple
    model_of: ModelOfKind = lambda kind: None
    _sources: dict[tuple[str, type, str], tuple[Diagnostic, ...]] = field(default_factory=dict)
    _parsed: dict[str, ParsedSource] = field(default_factory=dict)
    _cards: dict[str, int] = field(default_factory=dict)

    def find_all(
        self, file: str, context: Mapping[str, Any], diagnostics: Iterable[Diagnostic]
    ) -> tuple[Diagnostic, ...]:
        """Return all mistakes of a template that cannot print a card.

        Those that are known already are passed in.
        """
        in_source = self.in_source(file, context)
        # A variable with a mistake is reported where it is set, not again wherever it is used.
        subjects = {_subject(each) for each in in_source}
        in_output = (each for each in self.in_output(file, context) if _subject(each) not in subjects)
        mistakes = dict.fromkeys((*in_source, *in_output))
        lines = {_line(each) for each in mistakes}
        return (*mistakes, *(each for each in diagnostics if _line(each) not in lines))

    def in_source(self, file: str, context: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
        """Return the mistakes in the source of a template and its includes.

        They hold for every card of the kind.
        """
        key = (file, type(context.get("card")), str(context.get("side")))
        if key not in self._sources:
            self._sources[key] = tuple(self._analyze(file, context))
        return self._sources[key]

    def _analyze(self, file: str, context: Mapping[str, Any]) -> Iterator[Diagnostic]:
        constants = {name: value for name, value in context.items() if isinstance(value, str)}
        analyzer = Analyzer(self.templates.sandbox, self._find, self.templates.files, constants, parsed=self._parsed)
        try:
            with WATCHDOG.limit(_TIME_LIMIT):
                analyzer.analyze(file, self._types(context))
        except engine.TEMPLATE_ERRORS:
            pass  # What was found until then is enough.
        for path, mistake in analyzer.found:
            yield template_diagnostic(path, mistake.line, mistake.message, self.templates.loader.unsaved, mistake.word)

    def _find(self, name: str) -> Source | None:
        try:
            text, path, _ = self.templates.loader.get_source(self.templates.sandbox, name)
        except (TemplateError, DrawingError):
            return None
        return Source(path, text)

    def _types(self, context: Mapping[str, Any]) -> dict[str, ValueType]:
        types = {name: type_of_value(value, name) for name, value in context.items()}
        if isinstance(context.get("card"), BaseModel):
            types["card"] = ModelType((type(context["card"]),), self.model_of)
        icon = types.get("icon")
        if isinstance(icon, FunctionType):
            types["icon"] = FunctionType("icon", icon.parameters, self.icon_names)
        return types

    def in_output(self, file: str, context: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
        """Return the mistakes that occur when a card is printed.

        Rendering continues after each.
        """
        self._cards[file] = self._cards.get(file, 0) + 1
        if self._cards[file] > _MOST_CARDS:
            return ()
        sandbox = self._lenient(context, marked=False)
        self._render(sandbox, file, context)
        unsaved = self.templates.loader.unsaved
        return tuple(
            template_diagnostic(path, line, message, unsaved) for path, line, message in sandbox.mistakes if path
        )

    def locate(self, file: str, context: Mapping[str, Any]) -> LocatedOutput:
        """Return the output of a template with the lines that it comes from."""
        sandbox = self._lenient(context, marked=True)
        svg, marks = sandbox.strip_marks(self._render(sandbox, file, context))
        return LocatedOutput(svg, tuple(marks))

    def _lenient(self, context: Mapping[str, Any], *, marked: bool) -> LenientSandbox:
        card = context.get("card")
        fields = visible_fields(type(card)) if isinstance(card, BaseModel) else ()
        return LenientSandbox(self.templates.loader, engine.SUFFIXES, fields, context, marked=marked)

    @staticmethod
    def _render(sandbox: LenientSandbox, file: str, context: Mapping[str, Any]) -> str:
        try:
            with WATCHDOG.limit(_TIME_LIMIT):
                return sandbox.get_template(file).render(context)
        except engine.TEMPLATE_ERRORS:
            return ""


def _line(diagnostic: Diagnostic) -> tuple[str, int]:
    return diagnostic.place.file, diagnostic.place.span.line if diagnostic.place.span else 0


def _subject(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Return what is wrong in a file, such as a name, or else the line and the message."""
    quoted = _QUOTED.findall(diagnostic.message)
    if quoted:
        return diagnostic.place.file, quoted[0]
    return (*_line(diagnostic), diagnostic.message.partition(";")[0])


def template_diagnostic(
    path: str, line: int, message: str, unsaved: UnsavedFiles, word: str = "", code: str = Code.TEMPLATE
) -> Diagnostic:
    """Return a diagnostic at a line of a template.

    It points to a word, if the line contains it.
    """
    lines = source_lines(Path(path), unsaved)
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    column = _column(excerpt, word) if word else -1
    end = column + len(word)
    if column < 0:
        column, end = engine.part_of_line(Path(path), excerpt, message)
    span = Span(line, column + 1, line, end + 1)
    return Diagnostic(code, message, Place(display_path(Path(path)), span, excerpt))


def _column(excerpt: str, word: str) -> int:
    """Return the position of a word in a line, or else of its letters; -1 if it is not there."""
    whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", excerpt)
    return whole.start() if whole else excerpt.find(word)


def svg_diagnostic(error: SvgError, path: Path, output: LocatedOutput | None, unsaved: UnsavedFiles) -> Diagnostic:
    """Return the diagnostic of an error in the output of a template."""
    line = output.line_at(error.offset) if output and error.offset >= 0 else None
    if line is None:
        return engine.diagnostic_in_template(path, error.culprit, Code.SVG, str(error), unsaved)
    file, number = line
    return template_diagnostic(file, number, str(error), unsaved, error.culprit, Code.SVG)


# Templates can include each other; more files than this belong to no card.
_MOST_FILES = 100
# Names that have a meaning only in some places; elsewhere, printing the card reports them.
_IMPLICIT = frozenset({"self", "super", "loop", "caller", "varargs", "kwargs"})


class Source(NamedTuple):
    """A template file: the path for messages, and the text."""

    path: str
    text: str


class FileMistake(NamedTuple):
    """A mistake in a template file."""

    path: str
    mistake: Mistake


@dataclass(slots=True)
class Analyzer:
    """Analyzer of a template and of all templates that it loads.

    `find` returns the source of a template by its name, or None, and `names` the names of all templates. `constants`
    are the names whose value is always the same, such as the kind of card. `parsed` keeps the templates by their text,
    because the analyses of different templates load the same ones.
    """

    environment: Environment
    find: Callable[[str], Source | None]
    names: Callable[[], Iterable[str]]
    constants: Mapping[str, str] = field(default_factory=dict)
    found: list[FileMistake] = field(default_factory=list)
    parsed: dict[str, ParsedSource] = field(default_factory=dict)
    _modules: dict[str, Mapping[str, ValueType]] = field(default_factory=dict)

    def analyze(self, name: str, context: Mapping[str, ValueType]) -> Mapping[str, ValueType]:
        """Add the mistakes of a template to `found`.

        Return the macros and names that it sets.

        Each file is analyzed once.
        """
        if name in self._modules or len(self._modules) >= _MOST_FILES:
            return self._modules.get(name, {})
        self._modules[name] = {}
        source = self.find(name)
        if source is None:
            return {}
        if source.text not in self.parsed:
            self.parsed[source.text] = ParsedSource(*syntax.parse(self.environment, source.text))
        parsed = self.parsed[source.text]
        self.report(source, parsed.mistakes)
        card = context.get("card")
        if isinstance(card, ModelType) and source.path.endswith(".j2"):
            self.report(source, field_mistakes(source.text, card.models))
        if parsed.tree is not None:
            scope = _Walker(self, source, context, parsed)
            scope.walk(parsed.tree.body)
            self._modules[name] = scope.scopes[0]
        return self._modules[name]

    def report(self, source: Source, mistakes: Iterable[Mistake]) -> None:
        """Add mistakes of a file."""
        for mistake in mistakes:
            if len(self.found) < MOST_MISTAKES:
                self.found.append(FileMistake(source.path, mistake))


class _Walker:
    """Walk through the statements of one file, with the types of its names."""

    def __init__(
        self, analyzer: Analyzer, source: Source, context: Mapping[str, ValueType], parsed: ParsedSource
    ) -> None:
        self.scopes: list[dict[str, ValueType]] = [{}]
        self._analyzer = analyzer
        self._source = source
        self._context = context
        self._assigned = parsed.assigned_names
        # They hide functions of the same name, also from the macros before them.
        self._macros = {each.name for each in parsed.tree.find_all(nodes.Macro)} if parsed.tree is not None else set()
        self._expressions = ExpressionTypes(
            analyzer.environment, self.lookup, self.known_names, self._report, parsed.guarded_paths
        )

    def lookup(self, name: str) -> ValueType | None:
        """Return the type of a name; None if nothing has it."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name in self._macros:
            return UNKNOWN
        if name in self._context:
            return self._context[name]
        is_known = name in self._assigned or name in _IMPLICIT or name in self._analyzer.environment.globals
        return UNKNOWN if is_known else None

    def known_names(self) -> tuple[Iterable[str], Iterable[str]]:
        """Return all names, and the fields of the card."""
        names = [*self._assigned, *self._context, *self._analyzer.environment.globals]
        card = self._context.get("card")
        fields = (
            [name for model in card.models for name in visible_fields(model)] if isinstance(card, ModelType) else ()
        )
        return names, fields

    def _report(self, line: int, message: str, word: str) -> None:
        self._analyzer.report(self._source, [Mistake(line, message, word)])

    def walk(self, body: Iterable[nodes.Node]) -> None:
        """Walk through statements in order."""
        for node in body:
            visit = getattr(self, "_".join(("", "visit", type(node).__name__.lower())), None)
            if visit is not None:
                visit(node)
            else:
                self._visit_other(node)

    def _visit_other(self, node: nodes.Node) -> None:
        """Check the expressions of any other statement, and walk through those inside it."""
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Expr):
                self._expressions.type_of(child)
            else:
                self.walk([child])

    def _in_scope(self, names: Mapping[str, ValueType], body: Iterable[nodes.Node]) -> None:
        self.scopes.append(dict(names))
        self.walk(body)
        self.scopes.pop()

    def _assign(self, target: nodes.Node, kind: ValueType) -> None:
        if isinstance(target, nodes.Name):
            known = self.scopes[-1].get(target.name)
            self.scopes[-1][target.name] = kind if known is None or known == kind else UNKNOWN
        elif isinstance(target, nodes.Tuple):
            for item in target.items:
                self._assign(item, UNKNOWN)

    def _visit_assign(self, node: nodes.Assign) -> None:
        self._assign(node.target, self._expressions.type_of(node.node))

    def _visit_assignblock(self, node: nodes.AssignBlock) -> None:
        self._in_scope({}, node.body)
        self._assign(node.target, UNKNOWN)

    def _visit_for(self, node: nodes.For) -> None:
        items = self._expressions.type_of(node.iter)
        self.scopes.append({"loop": UNKNOWN})
        self._assign(node.target, self._item_type(node, items))
        if node.test is not None:
            self._expressions.type_of(node.test)
        self.walk(node.body)
        self.scopes.pop()
        self._in_scope({}, node.else_)

    def _item_type(self, node: nodes.For, items: ValueType) -> ValueType:
        if isinstance(items, ScalarType) and items.name != "text":
            self._report(node.lineno, f"{items.name} cannot be looped over", "")
        return items.item if isinstance(items, ListType) else UNKNOWN

    def _visit_if(self, node: nodes.If) -> None:
        self._expressions.type_of(node.test)
        if not self._is_false(node.test):
            self.walk(node.body)
        self.walk(node.elif_)
        self.walk(node.else_)

    def _is_false(self, test: nodes.Node) -> bool:
        """Return whether a test compares a constant name with another value."""
        match test:
            case nodes.Compare(expr=nodes.Name(name=name), ops=[nodes.Operand(op="eq", expr=nodes.Const(value=value))]):
                return bool(self._analyzer.constants.get(name, value) != value)
            case nodes.Compare(expr=nodes.Name(name=name), ops=[nodes.Operand(op="ne", expr=nodes.Const(value=value))]):
                return bool(self._analyzer.constants.get(name) == value)
        return False

    def _visit_macro(self, node: nodes.Macro) -> None:
        self.scopes[-1][node.name] = _macro_type(node)
        for default in node.defaults:
            self._expressions.type_of(default)
        names = {argument.name: UNKNOWN for argument in node.args}
        self._in_scope(
            {**names, "caller": UNKNOWN, "varargs": ListType(UNKNOWN), "kwargs": MapType(UNKNOWN)}, node.body
        )

    def _visit_callblock(self, node: nodes.CallBlock) -> None:
        self._expressions.type_of(node.call)
        self._in_scope({argument.name: UNKNOWN for argument in node.args}, node.body)

    def _visit_filterblock(self, node: nodes.FilterBlock) -> None:
        self._expressions.check_filter(node.filter)
        self._in_scope({}, node.body)

    def _visit_with(self, node: nodes.With) -> None:
        kinds = [self._expressions.type_of(value) for value in node.values]
        self.scopes.append({})
        for target, kind in zip(node.targets, kinds, strict=True):
            self._assign(target, kind)
        self.walk(node.body)
        self.scopes.pop()

    def _visit_block(self, node: nodes.Block) -> None:
        self._in_scope({"self": UNKNOWN, "super": UNKNOWN}, node.body)

    def _visit_include(self, node: nodes.Include) -> None:
        self._expressions.type_of(node.template)
        for name in self._constant_names(node.template, optional=node.ignore_missing):
            self._analyzer.analyze(name, self._all_names() if node.with_context else {})

    def _visit_extends(self, node: nodes.Extends) -> None:
        self._expressions.type_of(node.template)
        for name in self._constant_names(node.template):
            self._analyzer.analyze(name, self._all_names())

    def _visit_import(self, node: nodes.Import) -> None:
        self._expressions.type_of(node.template)
        self.scopes[-1][node.target] = UNKNOWN
        for name, module in self._modules(node):
            self.scopes[-1][node.target] = KeysType(module, "macro") if name else UNKNOWN

    def _visit_fromimport(self, node: nodes.FromImport) -> None:
        self._expressions.type_of(node.template)
        pairs = [each if isinstance(each, tuple) else (each, each) for each in node.names]
        self.scopes[-1].update({alias: UNKNOWN for _, alias in pairs})
        for _, module in self._modules(node):
            for macro, alias in pairs:
                if macro in module:
                    self.scopes[-1][alias] = module[macro]
                elif module:
                    self._report(node.lineno, unknown_entry(macro, module, "macro"), macro)

    def _modules(self, node: nodes.Import | nodes.FromImport) -> Iterator[tuple[str, Mapping[str, ValueType]]]:
        for name in self._constant_names(node.template):
            yield name, self._analyzer.analyze(name, self._all_names() if node.with_context else {})

    def _constant_names(self, node: nodes.Expr, *, optional: bool = False) -> Iterator[str]:
        """Yield the constant name of a loaded template.

        Report one that does not exist.
        """
        if not isinstance(node, nodes.Const) or not isinstance(node.value, str):
            return
        if self._analyzer.find(node.value) is not None:
            yield node.value
        elif not optional:
            message = f"unknown template '{node.value}'{did_you_mean(node.value, self._analyzer.names())}"
            self._report(node.lineno, message, node.value)

    def _all_names(self) -> dict[str, ValueType]:
        names: dict[str, ValueType] = {**dict.fromkeys(self._assigned, UNKNOWN), **self._context}
        for scope in self.scopes:
            names.update(scope)
        return names


def _macro_type(node: nodes.Macro) -> FunctionType:
    """Return the type of a macro.

    It takes more arguments if it uses `varargs` or `kwargs`.
    """
    used = {name.name for name in node.find_all(nodes.Name)}
    names = [argument.name for argument in node.args]
    caller = ["caller"] if "caller" in used and "caller" not in names else []
    parameters = make_parameters([*names, *caller], varargs="varargs" in used, kwargs="kwargs" in used)
    return FunctionType(node.name, parameters, what="macro")


# Mistakes in the SVG that templates write, at the lines of the templates.

CheckBox = Callable[[BoxElement], object]


def all_svg_mistakes(
    error: SvgError, rendered: RenderedTemplate, located: RenderedTemplate, check_box: CheckBox, unsaved: UnsavedFiles
) -> Iterable[Diagnostic]:
    """Return the diagnostics of all faults of a rendered SVG, of which `error` is one.

    `located` is the same output with the lines of its templates.
    """
    faults = find_faults(_as_bytes(rendered.svg), check_box)
    if str(error) not in set(map(str, faults)):
        faults.append(error)
    output = LocatedOutput(located.svg, located.marks) if located.svg == rendered.svg else None
    return dict.fromkeys(svg_diagnostic(each, rendered.path, output, unsaved) for each in faults)


def with_svg_mistakes(
    error: CardgenError,
    locate: Callable[[], RenderedTemplate],
    check_box_of: Callable[[RenderedTemplate], CheckBox],
    unsaved: UnsavedFiles,
) -> CardgenError:
    """Return the mistakes of a template together with those in the rest of its SVG.

    `locate` renders the template without its mistakes. Other errors are returned as they are.
    """
    mistakes = error.diagnostics
    if any(each.code != Code.TEMPLATE or each.place.span is None for each in mistakes):
        return error
    try:
        located = locate()
    except CardgenError:
        return error
    return CardgenError(*mistakes, *_svg_mistakes_besides(mistakes, located, check_box_of(located), unsaved))


def _svg_mistakes_besides(
    mistakes: Iterable[Diagnostic], located: RenderedTemplate, check_box: CheckBox, unsaved: UnsavedFiles
) -> Iterator[Diagnostic]:
    """Yield the faults in the output of a template with mistakes that do not follow from these.

    Such a fault is on another line of the template, which contains the wrong word itself.
    """
    output = LocatedOutput(located.svg, located.marks)
    lines = {(Path(each.place.file).name, each.place.span.line) for each in mistakes if each.place.span}
    for fault in find_faults(_as_bytes(located.svg), check_box):
        file, number = output.line_at(fault.offset) or ("", 0)
        if (
            fault.culprit
            and (Path(file).name, number) not in lines
            and fault.culprit in _line_of(file, number, unsaved)
        ):
            yield svg_diagnostic(fault, located.path, output, unsaved)


def _as_bytes(svg: str) -> bytes:
    return svg.encode("utf-8", "surrogatepass")


def _line_of(file: str, number: int, unsaved: UnsavedFiles) -> str:
    lines = source_lines(Path(file), unsaved) if file else ()
    return lines[number - 1] if 0 < number <= len(lines) else ""
