"""The compiler of templates: what they depend on, their code, and its files."""

from __future__ import annotations

import hashlib
import os
import sys
from cmath import isfinite
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.util import MAGIC_NUMBER, cache_from_source
from marshal import dumps, loads
from math import copysign
from pathlib import Path
from types import CodeType, NoneType
from typing import Any, NamedTuple

from jinja2 import compiler as jinja_compiler
from jinja2 import meta, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE
from markupsafe import Markup

from cardgen.diagnostic import CardgenError
from cardgen.runtime.fingerprint import WATCHED, stamp
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal

# What the output of a template depends on, recorded while it is compiled.


# Part of a FAST PATH: these dependencies tell the sandbox which macros it can cache (see there).
class TemplateDependencies(NamedTuple):
    """Dependencies of a template.

    `names` are the names that it looks up in its context. `referenced_templates` are the templates it refers to, None
    for a name that is computed at render time. `pure_macros` are the macros that depend only on their arguments and on
    other pure macros. `only_macros` is true if it has nothing but macros and constants, and refers to no template.
    `assigned` are the names that it assigns to anything but a macro.
    """

    names: frozenset[str] = frozenset()
    referenced_templates: tuple[str | None, ...] = ()
    pure_macros: frozenset[str] = frozenset()
    only_macros: bool = False
    assigned: frozenset[str] = frozenset()


@dataclass(slots=True)
class DependencyRecorder:
    """Recorder of a template's dependencies while it is compiled.

    `macros` has the outer names that each macro uses. A macro whose output depends on anything else uses '', which
    cannot be the name of anything.
    """

    names: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    macros: dict[str, set[str]] = field(default_factory=dict)
    dynamic: bool = False
    _defined: Counter[str] = field(default_factory=Counter)
    # The outer names used by the macros being compiled, outermost first.
    _open: list[set[str]] = field(default_factory=list)

    def record_outer_name(self, name: str) -> None:
        """Record a name from outside the macros being compiled."""
        for names in self._open:
            names.add(name)

    def mark_dynamic(self) -> None:
        """Record that the output here depends on more than names."""
        self.dynamic = True
        self.record_outer_name("")

    @contextmanager
    def macro(self, name: str) -> Iterator[None]:
        """Record the outer names that a macro uses in the block."""
        self._defined[name] += 1
        self._open.append(self.macros.setdefault(name, set()))
        try:
            yield
        finally:
            self._open.pop()

    def pure_macros(self, top_level: Iterable[str], constants: Set[str]) -> frozenset[str]:
        """Return the top-level macros that depend only on their arguments.

        They can use other pure macros, and `constants`: names with the same meaning in every template.
        """
        pure = {name for name in top_level if self._defined[name] == 1 and name not in self.assigned}
        while impure := {name for name in pure if not self.macros[name] - constants <= pure}:
            pure -= impure
        return frozenset(pure)


# Jinja2 code generator that adds size limits and records dependencies.

# Methods of the sandbox that compiled code calls most often, by their names there.
_HOT_CALLS = {
    "write_value": "write_value", "call": "call", "attribute": "getattr", "add": "add", "subtract": "subtract",
    "multiply": "multiply",
}  # fmt: skip
_MAX_PIECES = 500
_MAX_PIECE = 20_000
# Nodes that add to the output buffer of a macro.
_BUFFERED_NODES = (nodes.Output, nodes.CallBlock, nodes.FilterBlock, nodes.Include)
# Prefix of Jinja2's names for the top-level variables of a template.
_TOP_LEVEL_PREFIX = "l_0_"
# Arguments of a macro that it does not declare.
_IMPLICIT_ARGUMENTS = frozenset({"caller", "kwargs", "varargs"})
# Nodes whose output depends on more than names. Those that change autoescaping affect other nodes too.
_DYNAMIC_NODES = frozenset({
    nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport, nodes.Block, nodes.ContextReference,
    nodes.DerivedContextReference, nodes.EvalContextModifier, nodes.ScopedEvalContextModifier,
})  # fmt: skip


class BoundedCodeGenerator(CodeGenerator):
    """Compiler for templates with limits on the size of values.

    After compiling a template, it passes the dependencies to the sandbox.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._recorder = DependencyRecorder()
        self._loops = 0

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - Jinja2's name
        """Pass the dependencies of the template to the sandbox."""
        self.writeline(f"{', '.join(_HOT_CALLS)} = {', '.join(f'environment.{name}' for name in _HOT_CALLS.values())}")
        super().visit_Template(node, frame)
        if self.filename is not None:
            self.environment.record(self.filename, self._dependencies(node))  # type: ignore[attr-defined]

    def _dependencies(self, tree: nodes.Template) -> TemplateDependencies:
        recorder = self._recorder
        top_level = [node.name for node in tree.body if isinstance(node, nodes.Macro)]
        return TemplateDependencies(
            names=frozenset(recorder.names),
            referenced_templates=tuple(meta.find_referenced_templates(tree)) if recorder.dynamic else (),
            pure_macros=recorder.pure_macros(top_level, self.environment.globals.keys()),
            only_macros=not recorder.dynamic and all(map(_renders_nothing, tree.body)),
            assigned=frozenset(recorder.assigned),
        )

    def enter_frame(self, frame: Frame) -> None:
        """Record lookups in the context and outer names."""
        super().enter_frame(frame)
        for action, name in frame.symbols.loads.values():
            if action == VAR_LOAD_RESOLVE and name is not None:
                self._recorder.names.add(name)
                self._recorder.record_outer_name(name)
            elif action == VAR_LOAD_ALIAS and name is not None:
                self._record_outer(name)

    def _record_outer(self, variable: str) -> None:
        if variable.startswith(_TOP_LEVEL_PREFIX):
            self._recorder.record_outer_name(variable.removeprefix(_TOP_LEVEL_PREFIX))

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the outer names that the macro uses."""
        if node.name in self.environment.globals:
            # It hides a global such as `range`, here and wherever this template's context is used.
            self._recorder.assigned.add(node.name)
        with self._recorder.macro(node.name):
            super().visit_Macro(node, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        """Record the names of the arguments of a macro or call block."""
        self._recorder.assigned.update(argument.name for argument in node.args)
        return super().macro_body(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record an assigned name, or an outer one."""
        if node.ctx != "load":
            self._recorder.assigned.add(node.name)
        if node.name in _IMPLICIT_ARGUMENTS:
            self._recorder.record_outer_name("")
        self._record_outer(frame.symbols.ref(node.name))
        super().visit_Name(node, frame)

    def visit_NSRef(self, node: nodes.NSRef, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the namespace whose attribute is set."""
        self._record_outer(frame.symbols.ref(node.name))
        super().visit_NSRef(node, frame)

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the name of the import."""
        self._recorder.assigned.add(node.target)
        super().visit_Import(node, frame)

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Record the names of the imports."""
        self._recorder.assigned.update(name if isinstance(name, str) else name[1] for name in node.names)
        super().visit_FromImport(node, frame)

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Record dynamic nodes, and check the size of macro output in loops."""
        if type(node) in _DYNAMIC_NODES:
            self._recorder.mark_dynamic()
        result = super().visit(node, *args, **kwargs)
        if self._loops and type(node) in _BUFFERED_NODES:
            self._measure_buffer(*args)
        return result

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Refuse an infinite number, whose repr `inf` would be an unknown name."""
        if isinstance(node.value, float | complex) and not isfinite(node.value):
            self.fail("a number is too large", node.lineno)
        super().visit_Const(node, frame)

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_List, node, frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: nodes.Tuple, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Limit the size of the items."""
        self._visit_bounded(super().visit_Tuple, node, frame)

    def _visit_bounded(self, visit: Callable[[Any, Frame], None], node: nodes.Expr, frame: Frame) -> None:
        """Limit the size of a value, except for a constant.

        A constant is no larger than its template.
        """
        if getattr(node, "ctx", "load") != "load" or _is_constant(node):
            visit(node, frame)
            return
        self.write("environment.require_light(")
        visit(node, frame)
        self.write(")")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Count nested loops."""
        self._loops += 1
        super().visit_For(node, frame)
        self._loops -= 1

    def _measure_buffer(self, frame: Frame) -> None:
        """Join the buffered output, which checks its size."""
        if frame.buffer is not None:
            pieces = frame.buffer
            self.writeline(f"if {pieces} and (len({pieces}) > {_MAX_PIECES} or len({pieces}[-1]) > {_MAX_PIECE}):")
            self.writeline(f"    {pieces}[:] = [concat({pieces})]")

    def visit_Call(  # noqa: N802 - Jinja2's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """Compile a call as a call of the sandbox; no function needs the variables of the loops around it."""
        self.write("call(context, ")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile an attribute as a call of the sandbox."""
        self.write("attribute(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `~` as a call of the sandbox."""
        self.write("environment.concatenate(")
        self._operands(node.nodes, frame)
        self.write(")")

    def visit_Add(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `+` as a call of the sandbox."""
        self.write("add")
        self._operands((node.left, node.right), frame)

    def visit_Sub(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `-` as a call of the sandbox."""
        self.write("subtract")
        self._operands((node.left, node.right), frame)

    def visit_Mul(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        """Compile `*` as a call of the sandbox."""
        self.write("multiply")
        self._operands((node.left, node.right), frame)

    def _operands(self, operands: Iterable[nodes.Expr], frame: Frame) -> None:
        self.write("(")
        for operand in operands:
            self.visit(operand, frame)
            self.write(", ")
        self.write(")")

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        """Return the text of a constant; anything else is computed and checked at run time."""
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if self._escapes(frame):
            self.write("write_value(")
        else:
            super()._output_child_pre(node, frame, finalize)
            self.write("environment.require_printable(")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write(")")
        if not self._escapes(frame):
            super()._output_child_post(node, frame, finalize)

    @staticmethod
    def _escapes(frame: Frame) -> bool:
        return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        """Compile an import with context as a call of the sandbox.

        The sandbox reuses a module whose dependencies have not changed.
        """
        if not node.with_context:
            super()._import_common(node, frame)
            return
        self.write("environment.import_with_context(")
        self.visit(node.template, frame)
        self.write(f", {self.name!r}, context, {self.dump_local_context(frame)})")


def _is_constant(node: nodes.Node) -> bool:
    """Return whether a value consists of constants only."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return all(map(_is_constant, node.items))
    return isinstance(node, nodes.Const)


def _renders_nothing(node: nodes.Node) -> bool:
    """Return whether importing a node has no output, as with macros, constants, and text that no importer sees."""
    if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
        return _is_constant(node.node)
    return all(isinstance(each, nodes.TemplateData | nodes.Macro) for each in getattr(node, "nodes", [node]))


# Compiled templates of the program, kept in `__pycache__` as Python keeps compiled modules.

_SUFFIX = ".jinja"
# Files in the user's cache: enough for a few games, in a few versions.
_MOST_SEALED = 200

# Source, name, and file of a template.
TemplateKey = tuple[str, str, str]
CompiledTemplate = tuple[CodeType, TemplateDependencies]


class CompiledFiles:
    """Files of compiled templates, for templates below some folders; without `can_write`, they are only read.

    They are beside the templates: whoever can write them can also change the program, so only folders of the program
    may be given. Where nothing can be written, they are sealed, in the user's cache.
    """

    def __init__(self, folders: Sequence[Path] = (), *, can_write: bool = False) -> None:
        self._folders, self._can_write = tuple(folders), can_write

    def load(self, key: TemplateKey) -> CompiledTemplate | None:
        """Return a template that was compiled from the same source by the same program, or None."""
        path = self._path(key)
        if path is None:
            return None
        digest = _digest(key)
        for read in (path.read_bytes, partial(_read_sealed, digest)):
            with suppress(OSError, EOFError, ValueError, TypeError):
                content = read()
                if content.startswith(digest):
                    code, *dependencies = loads(content[len(digest) :])
                    return code, TemplateDependencies(*dependencies)
        return None

    def store(self, key: TemplateKey, compiled: CompiledTemplate) -> None:
        """Write a compiled template, if that is possible."""
        path = self._path(key)
        if path is None or not self._can_write or sys.dont_write_bytecode:
            return
        code, needs = compiled
        parts = (code, needs.names, needs.referenced_templates, needs.pure_macros, needs.only_macros, needs.assigned)
        digest, unfinished = _digest(key), path.with_suffix(f".{os.getpid()}")
        content = digest + dumps(parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(content)
            unfinished.replace(path)
        except OSError:
            _store_sealed(digest, content)

    def _path(self, key: TemplateKey) -> Path | None:
        file = Path(key[2])
        if not any(file.is_relative_to(folder) for folder in self._folders):
            return None
        try:
            return Path(cache_from_source(str(file))).with_suffix(_SUFFIX)
        except NotImplementedError:  # this Python keeps no compiled modules
            return None


def _sealed_file(digest: bytes) -> Path:
    return cache_folder() / "templates" / f"{digest.hex()}{_SUFFIX}"


def _read_sealed(digest: bytes) -> bytes:
    file = _sealed_file(digest)
    return unseal(file.name, file.read_bytes()) or b""


def _store_sealed(digest: bytes, content: bytes) -> None:
    """Store a compiled template in the user's cache; failing to do so is not an error."""
    from cardgen.runtime import atomic_write  # Most runs have nothing to store here.

    file = _sealed_file(digest)
    with suppress(CardgenError, OSError):
        entry = seal(file.name, content)
        if entry is not None:
            atomic_write.write(file, entry, durable=False, confined=False)
        prune_oldest(file.parent, _MOST_SEALED, _SUFFIX)


def _digest(key: TemplateKey) -> bytes:
    return hashlib.sha256(repr((key, _compiler())).encode("utf-8", "surrogatepass")).digest()


@cache
def _compiler() -> tuple[object, ...]:
    """Return what the code of a template depends on besides its source: Python, Jinja2, and the sandbox."""
    files = (Path(jinja_compiler.__file__), *sorted(Path(__file__).parent.glob("*.py")))
    return (MAGIC_NUMBER, *(stamp(file, WATCHED) for file in files))


# Cache of the output of template macros (part of the sandbox's fast path).

_HASHABLE_TYPES = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that, the cache is emptied.
_MAX_CACHED_CHARACTERS = 1 << 21
_MAX_DICTIONARIES = 256
# Memory of an entry besides its text and arguments, in characters.
_ENTRY_OVERHEAD = 50


# Output by arguments of the same types.
_Texts = dict[tuple[object, ...], str]
# Where the output is, and the arguments.
CallKey = tuple[_Texts, tuple[object, ...]]


class _Kind(NamedTuple):
    """Calls of a macro with arguments of the same types."""

    texts: _Texts
    has_floats: bool
    has_dictionaries: bool


class MacroCache:
    """Output of macros, by macro and arguments."""

    def __init__(self) -> None:
        # Keyed by macro and types, because 1, 1.0, and True are equal but are written differently; None for types that
        # cannot be cached.
        self._kinds: dict[tuple[object, ...], _Kind | None] = {}
        self._characters = 0
        # Dictionaries of texts, which templates cannot change, by identity, which is unique while they are stored here.
        self._dictionaries: dict[int, dict[Any, Any]] = {}

    def key(self, macro: tuple[object, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallKey | None:
        """Return the key of a call; None for complex arguments.

        Arguments can be plain values, and dictionaries of texts.
        """
        if kwargs:
            macro, args = (*macro, len(args), *kwargs), (*args, *kwargs.values())
        types = (macro, *map(type, args))
        try:
            kind = self._kinds[types]
        except KeyError:
            self._reserve(_ENTRY_OVERHEAD + len(types))
            is_cached = all(each is dict or each in _HASHABLE_TYPES for each in types[1:])
            kind = self._kinds[types] = _Kind({}, float in types, dict in types) if is_cached else None
        if kind is None:
            return None
        texts, has_floats, has_dictionaries = kind
        if has_dictionaries:
            if not all(self._is_of_texts(each) for each in args if type(each) is dict):
                return None
            args = tuple([id(each) if type(each) is dict else each for each in args])
        if has_floats and 0.0 in args:  # -0.0 is equal but written differently
            args = (*args, *(copysign(1, each) for each in args if type(each) is float))
        return texts, args

    def _is_of_texts(self, values: dict[Any, Any]) -> bool:
        if id(values) in self._dictionaries:
            return True
        if any(type(each) is not str for pair in values.items() for each in pair):
            return False
        if len(self._dictionaries) >= _MAX_DICTIONARIES:
            self._clear()
        self._dictionaries[id(values)] = values
        return True

    def store(self, key: CallKey, text: str) -> None:
        """Store the output of a call, emptying a full cache first."""
        texts, arguments = key
        self._reserve(len(text) + _ENTRY_OVERHEAD + sum(len(each) for each in arguments if isinstance(each, str)))
        texts[arguments] = text

    def _reserve(self, characters: int) -> None:
        self._characters += characters
        if self._characters > _MAX_CACHED_CHARACTERS:
            self._clear()
            self._characters = characters

    def _clear(self) -> None:
        for kind in filter(None, self._kinds.values()):
            kind.texts.clear()
        self._kinds.clear()
        self._dictionaries.clear()
        self._characters = 0
