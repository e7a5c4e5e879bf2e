"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import hypothesis
import pytest

from cardgen.runtime import fingerprint
from tests.free_memory import give_back_memory, keep_freed_memory
from tests.products import Products, shared_folder
from tests.projects import Folder
from tests.random_cases import MORE

# A busy machine is no fault of the program's, and one bug at a time is enough: hypothesis can look for the second one
# for ever. Every run draws the same examples, so that it gives the same result; 'make fuzz' draws others, and more.
hypothesis.settings.register_profile(
    "calm",
    deadline=None,
    max_examples=100 if MORE in os.environ else 50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    report_multiple_bugs=False,
    derandomize=MORE not in os.environ,
    print_blob=True,
)
hypothesis.settings.load_profile("calm")

# Half of the time for collecting the tests goes into their assertions, unless pytest may keep what it has compiled.
sys.dont_write_bytecode = False
# Collected tests and loaded modules are no garbage; to look through them so often takes up to a sixth of the time.
gc.set_threshold(20_000)

# A shell starts background jobs with Ctrl-C ignored, also for all processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    taken = [*_of_today(items)] if config.option.markexpr == "" else items
    if len(taken) < len(items):
        config.hook.pytest_deselected(items=[*set(items).difference(taken)])
        items[:] = taken


def _of_today(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests of a run: of those that are marked with a share, one of so many parts of their cases.

    Which part it is depends on the day and the test. A test that is named on the command line takes all of its cases,
    as with `make fuzz`.
    """
    counts: Counter[str] = Counter()
    are_few = len({item.path for item in items}) == 1
    for item in items:
        marker = item.get_closest_marker("share")
        if marker is None or are_few or MORE in os.environ:
            yield item
            continue
        name = item.nodeid.partition("[")[0]
        counts[name] += 1
        if (counts[name] + date.today().toordinal() + crc32(name.encode())) % marker.args[0] == 0:
            yield item


@pytest.fixture(autouse=True, scope="session")
def stamps_of_the_program() -> Iterator[None]:
    """Look at the program's files once: every command would do so, and at the files of a thousand modules of tests."""
    walk_statuses, program = fingerprint.walk_statuses, [*map(str, fingerprint.PROGRAM_FOLDERS)]
    statuses_of = cache(lambda path: [*walk_statuses(path)])

    def kept_statuses(path: str, *arguments: Any, **options: Any) -> Iterator[tuple[str, os.stat_result]]:
        if path in program and not (arguments or options):
            return iter(statuses_of(path))
        return walk_statuses(path, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fingerprint, "walk_statuses", kept_statuses)
        patch.setattr(fingerprint, "INSTALLED", (*fingerprint.INSTALLED, str(Path(__file__).parent)))
        yield


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Isolate tests from the user's caches and configuration."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        # An installed program is compiled; without this, each of the many processes would compile it anew.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


# Tests where templates of projects run in a fork of this process, as for users of Linux. A fork takes 45 ms, so that
# elsewhere they run in this process, as for users of other systems.
FORKED = (
    "builds/", "examples/", "face/test_renderer", "fuzz/", "hostile/test_game_files", "hostile/test_kills",
    "hostile/test_output", "hostile/test_reads", "hostile/test_template_limits", "hostile/test_templates", "runtime/",
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def templates_without_forks(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not request.path.relative_to(Path(__file__).parent).as_posix().startswith(FORKED):
            patch.setattr("cardgen.face.renderer.can_fork", lambda: False)
        yield


@pytest.fixture(autouse=True, scope="module")
def freed_memory() -> Iterator[None]:
    keep_freed_memory()
    yield
    give_back_memory()


@pytest.fixture(scope="session")
def products(tmp_path_factory: pytest.TempPathFactory) -> Products:
    return Products(shared_folder(tmp_path_factory.getbasetemp()) / "products")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Return an empty folder, which is the current folder."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Folder(root)


SNAPSHOTS = "--update-snapshots"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(SNAPSHOTS, action="store_true", help="write the snapshots anew instead of comparing with them")


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that compares a text with a file in `snapshots/`."""
    folder = request.path.parent / "snapshots"

    def compare(name: str, text: str) -> None:
        path = folder / name
        if request.config.getoption(SNAPSHOTS):
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"there is no snapshot {name}; write it with: pytest {SNAPSHOTS}"
        expected = path.read_text(encoding="utf-8")
        assert text == expected, f"{name} has changed; if that is right, write it anew with: pytest {SNAPSHOTS}"

    return compare
