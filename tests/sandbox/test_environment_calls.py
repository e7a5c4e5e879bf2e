"""Calls of functions do the same as Jinja2's own calls."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from jinja2 import DictLoader, pass_context
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.runtime import Context
from jinja2.sandbox import unsafe

from cardgen.sandbox.environment import Sandbox


def shown(template: str, **functions: Callable[..., object]) -> str:
    return Sandbox(DictLoader({"t": template})).get_template("t").render(functions, word="w")


def total(*numbers: int, more: int = 0) -> int:
    return sum(numbers) + more


@pass_context
def word_of(context: Context) -> object:
    return context["word"]


@unsafe
def erase() -> str:
    return "erased"


def test_a_function_gets_the_arguments_of_the_template_alone() -> None:
    assert shown("{% for n in [1, 2] %}{{ total(n, 2, more=3) }} {% endfor %}", total=total) == "6 7 "


def test_a_function_that_wants_the_context_gets_it() -> None:
    assert shown("{% for n in [1] %}{{ word_of() }}{% endfor %}", word_of=word_of) == "w"


def test_an_unsafe_function_is_not_called() -> None:
    with pytest.raises(SecurityError, match="not safely callable"):
        shown("{{ erase() }}", erase=erase)


class Thing:
    def word(self) -> str:
        return "said"

    @unsafe
    def erase(self) -> str:
        return "erased"

    @pass_context
    def word_of(self, context: Context) -> object:
        return context["word"]


def test_methods_are_called_like_functions() -> None:
    thing = Thing()
    assert shown("{{ say() }} {{ word_of() }}", say=thing.word, word_of=thing.word_of) == "said w"
    with pytest.raises(SecurityError, match="not safely callable"):
        shown("{{ erase() }}", erase=thing.erase)


def test_a_function_that_finds_no_next_item_returns_an_undefined_value() -> None:
    with pytest.raises(UndefinedError, match="StopIteration"):
        shown("{{ first() }}", first=lambda: next(iter(())))


def test_the_arguments_of_a_function_must_fit() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        shown("{{ total(other=1) }}", total=total)
