"""Values whose text would differ from run to run cannot be printed."""

from __future__ import annotations

import pytest

from tests.hostile.conftest import Attack

FUNCTIONS = ["describe", "[].index", "range", "''.upper", "self.b", "loop.cycle", "m", "caller"]


@pytest.mark.parametrize(
    "value",
    [
        *FUNCTIONS[:4], "[describe]", "{'a': (1, describe)}", "dict(a=describe)", "['a']|map('upper')",
        "describe|string", "[describe]|join", "['a', 'b']|join(describe)", "'a'|replace('a', describe)",
        "describe|upper",
        "describe ~ ''", "describe|e", "describe|safe", "describe|trim", "describe|urlencode", "describe|title",
        "[describe]|map('string')|first", "describe|truncate(9)", "describe|forceescape", "describe|lower",
        "describe|striptags", "describe|wordcount", "describe|capitalize", "[1]|select", "namespace(a=describe)",
    ],
)  # fmt: skip
def test_functions_and_iterators_are_not_printed(attack: Attack, value: str) -> None:
    attack.front("\n{{ " + value + " }}").fails(r"minion\.svg\.j2:3:\d+: error\[CG511\]: .*cannot be printed")


@pytest.mark.parametrize(
    "body",
    [
        "{% for a in [1] %}{{ loop.cycle }}{% endfor %}", "{% macro m() %}{% endmacro %}{{ m }}",
        "{% block b %}{% endblock %}{{ self.b }}",
        "{% macro m() %}{{ caller }}{% endmacro %}{% call m() %}{% endcall %}",
        "{% autoescape false %}{{ describe }}{% endautoescape %}",
        "{% autoescape false %}{{ ''.upper ~ '' }}{% endautoescape %}",
        "{{ [].index ~ '' }}", "{% if [].index ~ '' %}{% endif %}", "{{ ([].index|string)|length }}",
        "{% set x %}{{ describe }}{% endset %}",
    ],
)  # fmt: skip
def test_what_a_template_defines_is_not_printed_either(attack: Attack, body: str) -> None:
    attack.front("\n" + body).fails(r"minion\.svg\.j2:3:\d+: error\[CG511\]: .*cannot be printed")


@pytest.mark.parametrize("value", ["{'a': 1}.keys() - []", "'x' - 1", "[1] - [1]"])
def test_only_numbers_are_subtracted(attack: Attack, value: str) -> None:
    attack.front("\n{{ (" + value + ")|list }}").fails(r"minion\.svg\.j2:3:\d+: error\[CG511\]: .*only numbers")


@pytest.mark.parametrize("name", ["model_fields_set", "model_extra", "model_computed_fields", "model_fields"])
def test_a_card_shows_only_its_own_properties(attack: Attack, name: str) -> None:
    attack.front("\n{{ card." + name + " }}").fails(
        r"minion\.svg\.j2:3:\d+: error\[CG511\]: .*not allowed in templates"
    )
