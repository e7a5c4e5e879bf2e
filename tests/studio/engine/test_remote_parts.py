"""The parts of the engine: each is loaded when it is first used."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cardgen.studio.engine.remote import PARTS, RELOADED, Engine

ROOT = Path(__file__).parents[3]


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


_LOADED = """
import sys
import cardgen.studio.server, cardgen.studio.server
print(*sys.modules, sep="\\n")
"""


def test_the_server_has_loaded_the_classes_of_all_answers() -> None:
    """The server reads no answer whose class is in a module that it has not loaded."""
    pytest.importorskip("nicegui")
    done = subprocess.run([sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    missing = []
    for module, _ in PARTS.values():
        for name, each in vars(import_module(module)).items():
            is_plain = isinstance(each, type) and (hasattr(each, "_fields") or dataclasses.is_dataclass(each))
            if is_plain and not name.startswith("_") and each.__module__.startswith("cardgen.studio"):
                missing += [f"{each.__module__}.{name}"] if each.__module__ not in loaded else []
    assert missing == []
