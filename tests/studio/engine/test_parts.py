"""The parts of the engine: each is loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from cardgen.studio.engine.engine import Engine
from cardgen.studio.engine.parts import PARTS, RELOADED


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_loaded_once(tmp_path: Path, name: str) -> None:
    engine = Engine(str(tmp_path))
    assert name not in vars(engine)
    module, class_name = PARTS[name]
    assert type(getattr(engine, name)) is getattr(import_module(module), class_name)
    assert getattr(engine, name) is getattr(engine, name)


def test_an_unknown_part_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = Engine(str(tmp_path)).nonsense


def test_a_change_outside_reaches_the_parts_with_sessions_of_their_own(tmp_path: Path) -> None:
    engine = Engine(str(tmp_path))
    calls = []
    for name in RELOADED:
        getattr(engine, name).reload = lambda name=name: calls.append(name)
    engine.forget(("cards/a.yaml",))
    assert calls == [*RELOADED]
