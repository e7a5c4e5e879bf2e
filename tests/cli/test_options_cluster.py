"""`--cluster`: addresses that are refused before any work, and results that do not depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

import pytest

import cardgen as package
from cardgen.checking.runner import CheckResult
from cardgen.project_checks import run
from tests.cli.commands import Program
from tests.projects import Folder


@pytest.mark.parametrize(
    "command", [("balance",), ("build", "--format", "png"), ("export", "tts"), ("check",)], ids=" ".join
)
def test_an_open_port_beyond_this_computer_is_refused(
    folder: Folder, cardgen: Program, command: tuple[str, ...]
) -> None:
    folder.plain().minions("A", "B")
    outcome = cardgen(*command, "--cluster", "tcp://192.0.2.7:8786")
    assert outcome.code == 2
    assert "--cluster: error[CG595]: tcp://192.0.2.7:8786 is neither encrypted nor on this computer only" in outcome.err
    assert folder.files() == []


@pytest.mark.parametrize("call", [partial(package.build, formats="png"), package.check], ids=["build", "check"])
def test_the_python_api_names_the_argument(folder: Folder, call: Callable[..., object]) -> None:
    folder.plain().minions("A")
    with pytest.raises(package.CardgenError) as refusal:
        call(cluster="somewhere")
    assert refusal.value.diagnostics[0].place.file == "cluster"


def test_the_python_api_checks_on_the_cluster(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[object] = []

    @contextmanager
    def connect(address: str, jobs: int, on_note: Callable[[str], None]) -> Iterator[object]:
        used.append(address)
        on_note("the cluster does not answer")
        yield used

    def record(request: run.CheckRequest) -> CheckResult:
        used.append(request.workspace is not None and id(request.workspace.cluster) == id(used))
        return run.NOTHING_CHECKED

    monkeypatch.setattr("cardgen.api.check.open_cluster", connect)
    monkeypatch.setattr(run, "check_project", record)
    folder.plain().minions("A")
    with pytest.warns(RuntimeWarning, match="the cluster does not answer"):
        assert package.check(cluster="local") == []
    assert used == ["local", True]


@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'cluster' is not installed")
def test_pictures_of_a_cluster_are_the_same(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions(*"ABCDEFGHIJ")
    options = ("build", "--format", "png", "--dpi", "36", "--no-cache", "-q")
    assert cardgen(*options, "-o", "one", "-j", "1").code == 0
    assert cardgen(*options, "-o", "two", "-j", "2", "--cluster", "local").code == 0
    first, second = (
        {path.name: path.read_bytes() for path in (folder.root / name).rglob("*.png")} for name in ("one", "two")
    )
    assert first == second
    assert len(first) >= 10


@pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'cluster' is not installed")
def test_checks_on_a_cluster_find_the_same(folder: Folder, cardgen: Program) -> None:
    names = [f"Guard {number}" for number in range(520)]
    folder.plain().minions(*names[:-1], "Guard 0", more=', text: "Gets +1 Strength to the the Penetraton."')
    one = cardgen("check", "--no-cache", "--show-all")
    two = cardgen("check", "--no-cache", "--show-all", "--cluster", "local")
    assert (two.code, two.out, two.err) == (one.code, one.out, one.err)
    assert one.out.count("Penetraton") > 500
