"""Plugins of pydantic, which the program does not search for."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from cardgen.cli import _group

LOADER = "pydantic.plugin._loader"


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if pydantic had not looked for plugins yet."""
    monkeypatch.delenv("PYDANTIC_DISABLE_PLUGINS", raising=False)
    monkeypatch.setitem(sys.modules, LOADER, None)  # So that the module of now comes back afterwards.
    del sys.modules[LOADER]


@pytest.mark.usefixtures("untouched")
def test_nothing_is_searched_for() -> None:
    _group.skip_plugin_search()
    assert tuple(import_module(LOADER).get_plugins()) == ()
    assert not hasattr(import_module(LOADER), "__file__")


@pytest.mark.usefixtures("untouched")
def test_what_else_that_module_has_is_still_there() -> None:
    _group.skip_plugin_search()
    assert import_module(LOADER).PYDANTIC_ENTRY_POINT_GROUP == "pydantic"
    with pytest.raises(AttributeError):
        assert import_module(LOADER).nothing_of_that_name


@pytest.mark.usefixtures("untouched")
def test_who_wants_plugins_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "logfire-plugin")
    _group.skip_plugin_search()
    assert import_module(LOADER).__file__
