"""Libraries, loaded without what only slow paths need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import typing
from importlib import import_module

import pytest

from cardgen.cli import _libraries

LOADER = "pydantic.plugin._loader"


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if pydantic had not looked for plugins yet."""
    monkeypatch.delenv("PYDANTIC_DISABLE_PLUGINS", raising=False)
    monkeypatch.setitem(sys.modules, LOADER, None)  # So that the module of now comes back afterwards.
    del sys.modules[LOADER]


@pytest.mark.usefixtures("untouched")
def test_nothing_is_searched_for() -> None:
    _libraries.skip_plugin_search()
    assert tuple(import_module(LOADER).get_plugins()) == ()
    assert not hasattr(import_module(LOADER), "__file__")


@pytest.mark.usefixtures("untouched")
def test_what_else_that_module_has_is_still_there() -> None:
    _libraries.skip_plugin_search()
    assert import_module(LOADER).PYDANTIC_ENTRY_POINT_GROUP == "pydantic"
    with pytest.raises(AttributeError):
        assert import_module(LOADER).nothing_of_that_name


@pytest.mark.usefixtures("untouched")
def test_who_wants_plugins_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")
    _libraries.skip_plugin_search()
    assert import_module(LOADER).__file__


SCRIPT = """
import re, sys, typing
compile_, typed_dict = re.compile, typing.TypedDict
from cardgen.cli import _libraries
_libraries.load_lightly()
_libraries.load_lightly()
assert sys.meta_path.count(_libraries.LightFinder) == 1
import pydantic, yaml
from pydantic_core import core_schema
assert (re.compile, typing.TypedDict) == (compile_, typed_dict)
assert type(core_schema.CoreConfig(title="x")) is dict
class Card(pydantic.BaseModel):
    wounds: int = pydantic.Field(ge=1)
print(Card.model_validate({"wounds": "3"}), sorted(Card.model_json_schema()))
print(yaml.load("{day: 2024-02-03, on: yes, wounds: 0b11, speed: 1.5}", Loader=yaml.SafeLoader))
try:
    yaml.load("\\x00", Loader=yaml.SafeLoader)
except yaml.reader.ReaderError as error:
    print(error.reason)
"""


def test_libraries_that_are_loaded_lightly_do_the_same() -> None:
    """The light ones in a process of their own, which prints the same as usual ones."""
    usual = SCRIPT.replace("_libraries.load_lightly()", "").replace("assert sys.meta_path", "# ")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    light, normal = (
        subprocess.run([sys.executable, "-c", each], env=environment, capture_output=True, text=True, check=True).stdout
        for each in (SCRIPT, usual)
    )
    assert light == normal
    assert "special characters are not allowed" in light


def test_a_pattern_is_compiled_at_its_first_use() -> None:
    pattern: typing.Any = _libraries._LatePattern("a+", re.IGNORECASE)
    assert pattern.fullmatch("AA")
    assert "fullmatch" in vars(pattern)
    assert pattern.pattern == "a+"
    with pytest.raises(AttributeError):
        assert pattern.nothing_of_that_name
