"""The smallest and largest of numbers are the same as Jinja2's, and other values are compared as by Jinja2."""

from __future__ import annotations

from jinja2 import DictLoader, Environment

from cardgen.sandbox.environment import Sandbox
from tests.cases import each_case

VALUES = (
    "[3, 1.5, 2]", "[1, 1.0]", "[1.0, 1]", "[-0.0, 0.0]", "[true, 0, 1]", "['b', 'A']", "(2, 1)", "'ba'",
    "[[2], [1]]", "range(3)", "{'b': 1, 'a': 2}", "[nan, 1]", "[1, nan]",
)  # fmt: skip


@each_case("name", ["min", "max"])
@each_case("values", VALUES)
def test_extremes_are_those_of_jinja(name: str, values: str) -> None:
    template = f"{{{{ ({values})|{name} }}}}"
    loader = DictLoader({"t": template})
    ours, theirs = Sandbox(loader), Environment(loader=loader, autoescape=True)
    assert ours.get_template("t").render(nan=float("nan")) == theirs.get_template("t").render(nan=float("nan"))


def test_extremes_take_the_options_of_jinja() -> None:
    template = "{{ ['b', 'A']|min(case_sensitive=true) }} {{ [{'n': 2}, {'n': 1}]|min(attribute='n') }}"
    assert Sandbox(DictLoader({"t": template})).get_template("t").render() == "A {&#39;n&#39;: 1}"
