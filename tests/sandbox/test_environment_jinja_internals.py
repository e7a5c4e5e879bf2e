"""What the program uses of Jinja2's internals, and that the installed version has it.

A new version that renames one of them fails here with its name, and not somewhere in a template.
"""

from __future__ import annotations

import pytest
from jinja2 import BaseLoader, Environment, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE, Symbols
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from tests.cases import each_case
from tests.internals import is_member, parameters, uses

COMPILER, SANDBOX, LIMITS = (f"sandbox/{name}.py" for name in ("compiler", "environment", "limits"))
LOADER = "face/template/engine.py"
LENIENT, WORDING = (f"face/template/{name}.py" for name in ("syntax", "wording"))
MODULES = {"jinja2.compiler", "jinja2.idtracking", "jinja2.runtime", "jinja2.utils"}
# Attributes of Jinja2's objects that are not in its manual.
KNOWN = {
    "buffer", "catch_kwargs", "catch_varargs", "eval_ctx", "from_code", "from_module_dict", "get_all", "loads",
    "make_module", "ref", "resolve_or_missing", "symbols", "volatile",
}  # fmt: skip
GENERATOR = {
    "_import_common", "_output_child_post", "_output_child_pre", "_output_child_to_const",
    "dump_local_context", "enter_frame", "environment",
    "fail", "filename", "macro_body", "name", "signature", "visit", "visit_Add", "visit_Call", "visit_Concat",
    "visit_Const", "visit_Dict", "visit_For", "visit_FromImport", "visit_Getattr", "visit_Import", "visit_List",
    "visit_Macro", "visit_Mul", "visit_NSRef", "visit_Name", "visit_Sub", "visit_Template", "visit_Tuple", "write",
    "writeline",
}  # fmt: skip
ENVIRONMENT = {
    "call", "call_binop", "code_generator_class", "compile", "concat", "filters", "get_template", "getattr", "getitem",
    "globals", "intercepted_binops", "is_safe_attribute", "make_globals", "preprocess", "unsafe_undefined",
    "wrap_str_format",
}  # fmt: skip
USES: dict[str, set[str]] = {
    **{f"CodeGenerator.{name}": {COMPILER} for name in GENERATOR},
    **{f"ImmutableSandboxedEnvironment.{name}": {SANDBOX} for name in ENVIRONMENT},
    **{f"BaseLoader.{name}": {LOADER} for name in ("get_source", "load")},
    **{f"jinja2.compiler.{name}": {COMPILER} for name in ("CodeGenerator", "Frame", "MacroRef")},
    **{f"jinja2.idtracking.{name}": {COMPILER} for name in ("VAR_LOAD_ALIAS", "VAR_LOAD_RESOLVE")},
    "jinja2.runtime.LoopContext": {SANDBOX},
    "jinja2.runtime.Macro": {LENIENT, SANDBOX, WORDING},
    "jinja2.runtime.Context": {LIMITS, SANDBOX},
    "jinja2.runtime.Undefined": {LENIENT, LIMITS, WORDING},
    "jinja2.utils.Namespace": {LIMITS, SANDBOX},
    "jinja2.utils.missing": {SANDBOX, WORDING},
    **{f"Extension.{name}": {LENIENT} for name in ("environment", "filter_stream")},
    "Extension.preprocess": {LENIENT},
    "_fail_with_undefined_error": {LENIENT},
    **{name: {WORDING} for name in ("_undefined_exception", "_undefined_name", "_undefined_obj")},
    **{name: {COMPILER} for name in ("buffer", "loads", "ref", "symbols", "volatile")},
    "eval_ctx": {COMPILER, SANDBOX},
    **{name: {LOADER} for name in ("from_code", "from_module_dict")},
    **{name: {SANDBOX} for name in ("_func", "get_all", "make_module")},
    **{name: {SANDBOX, WORDING} for name in ("catch_kwargs", "catch_varargs")},
    "resolve_or_missing": {SANDBOX},
}
SIGNATURES: dict[tuple[type, str], str] = {
    (CodeGenerator, "_import_common"): "self, node, frame",
    (CodeGenerator, "_output_child_post"): "self, node, frame, finalize",
    (CodeGenerator, "_output_child_pre"): "self, node, frame, finalize",
    (CodeGenerator, "_output_child_to_const"): "self, node, frame, finalize",
    (CodeGenerator, "dump_local_context"): "self, frame",
    (CodeGenerator, "enter_frame"): "self, frame",
    (CodeGenerator, "fail"): "self, msg, lineno",
    (CodeGenerator, "macro_body"): "self, node, frame",
    (CodeGenerator, "visit"): "self, node, *args, **kwargs",
    (CodeGenerator, "write"): "self, x",
    (CodeGenerator, "writeline"): "self, x, node, extra",
    **{(CodeGenerator, name): "self, node, frame" for name in GENERATOR if name.startswith("visit_")},
    (CodeGenerator, "visit_Call"): "self, node, frame, forward_caller",
    (CodeGenerator, "signature"): "self, node, frame, extra_kwargs",
    (ImmutableSandboxedEnvironment, "call"): "self, context, obj, *args, **kwargs",
    (ImmutableSandboxedEnvironment, "call_binop"): "self, context, operator, left, right",
    (ImmutableSandboxedEnvironment, "compile"): "self, source, name, filename, raw, defer_init",
    (ImmutableSandboxedEnvironment, "getattr"): "self, obj, attribute",
    (ImmutableSandboxedEnvironment, "getitem"): "self, obj, argument",
    (ImmutableSandboxedEnvironment, "get_template"): "self, name, parent, globals",
    (ImmutableSandboxedEnvironment, "is_safe_attribute"): "self, obj, attr, value",
    (ImmutableSandboxedEnvironment, "make_globals"): "self, d",
    (ImmutableSandboxedEnvironment, "unsafe_undefined"): "self, obj, attribute",
    (ImmutableSandboxedEnvironment, "wrap_str_format"): "self, value",
    (BaseLoader, "get_source"): "self, environment, template",
    (BaseLoader, "load"): "self, environment, name, globals",
    (Template, "from_code"): "environment, code, globals, uptodate",
    (Template, "from_module_dict"): "environment, module_dict, globals",
    (Template, "make_module"): "self, vars, shared, locals",
    (Context, "get_all"): "self",
    (Context, "resolve_or_missing"): "self, key",
    (Symbols, "ref"): "self, name",
}


def test_the_list_is_complete() -> None:
    assert uses("jinja2", MODULES, KNOWN) == USES


@each_case(("owner", "name"), sorted(SIGNATURES, key=str), ids=str)
def test_its_functions_take_what_they_took(owner: type, name: str) -> None:
    given = parameters(getattr(owner, name)).replace("_SandboxedEnvironment__", "")
    assert given == SIGNATURES[owner, name]


def test_its_objects_have_their_attributes() -> None:
    environment = Environment()
    frame = Frame(EvalContext(environment))
    assert all(is_member(CodeGenerator, name) for name in GENERATOR)
    assert all(is_member(ImmutableSandboxedEnvironment, name) for name in ENVIRONMENT)
    assert frame.buffer is None
    assert frame.symbols.loads == {}
    assert (frame.eval_ctx.autoescape, frame.eval_ctx.volatile) == (False, False)
    assert environment.from_string("").new_context().eval_ctx.autoescape is False
    assert {VAR_LOAD_ALIAS, VAR_LOAD_RESOLVE} == {"alias", "resolve"}
    assert repr(missing) == "missing"
    assert MacroRef(nodes.Macro()).node == nodes.Macro()
    assert isinstance(LoopContext, type)


def test_an_undefined_value_tells_what_is_missing() -> None:
    value = StrictUndefined(obj={}, name="x", exc=SecurityError)
    assert (value._undefined_obj, value._undefined_name, value._undefined_exception) == ({}, "x", SecurityError)
    assert StrictUndefined(name="x")._undefined_obj is missing
    with pytest.raises(SecurityError):
        value._fail_with_undefined_error()


def test_a_filter_tells_that_it_takes_the_environment() -> None:
    assert hasattr(FILTERS["sum"], "jinja_pass_arg")
    assert not hasattr(FILTERS["upper"], "jinja_pass_arg")


def test_an_extension_sees_the_lines_of_texts() -> None:
    environment = Environment(trim_blocks=True)
    tokens = [(each.type, each.lineno) for each in environment._tokenize("a\n{{ b }}\nc", "name")]
    assert (tokens[0], tokens[-1]) == (("data", 1), ("data", 2))


def test_a_macro_tells_its_file_and_takes_two_arguments_besides_its_own() -> None:
    environment = Environment()
    template = environment.from_string("{% macro m(a, b=1) %}{{ caller is defined }}{% endmacro %}")
    macro = template.module.m  # type: ignore[attr-defined]
    assert type(macro) is Macro
    assert macro._func.__code__.co_filename == "<template>"
    assert not macro.catch_varargs
    assert not macro.catch_kwargs
    combines = environment.from_string("{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}").module.m  # type: ignore[attr-defined]
    assert combines.catch_varargs
    assert combines.catch_kwargs


def test_compiled_code_calls_its_variables_and_functions_as_we_expect() -> None:
    source = Environment().compile("{% set a = 1 %}{% macro m() %}{{ a }}{% endmacro %}{{ m() }}", raw=True)
    assert "l_0_a" in source
    assert "concat(" in source
