"""How processes start: never from the current folder, and with nothing that they do not need."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cardgen.runtime import processes
from cardgen.runtime.request_process import Handler, RequestProcess

posix = pytest.mark.skipif(os.name != "posix", reason="programs are scripts")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module and a program that nobody shall run."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("multiprocessing", "pickle", "sitecustomize", "usercustomize", "encodings", "json"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / name)!r}, 'w')\n", encoding="utf-8")
    for name in ("git", "git.exe", "sh"):
        (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.chdir(folder)
    return folder


def _looks() -> Handler:
    """Answer what a child sees."""

    def look(_: object) -> dict[str, Any]:
        descriptors = []
        for path in Path("/proc/self/fd").iterdir() if sys.platform == "linux" else ():
            with suppress(OSError):  # that of the list
                descriptors.append(str(path.readlink()))
        return {
            "path": sys.path, "safe": sys.flags.safe_path, "environment": dict(os.environ), "descriptors": descriptors,
        }  # fmt: skip

    return look


@pytest.fixture
def child() -> Iterator[RequestProcess]:
    process = RequestProcess(_looks)
    yield process
    process.close()


@pytest.mark.parametrize("variable", ["", ":", ".", ":relative:."])
def test_a_child_finds_no_modules_in_the_current_folder(
    hostile: Path, child: RequestProcess, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", variable.replace(":", os.pathsep))
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".", str(hostile), os.environ["PATH"])))
    for entry in ("", ".", str(hostile)):
        monkeypatch.syspath_prepend(entry)
    seen = child.ask(None, 60)
    assert seen["safe"]
    assert not {"", ".", str(hostile)} & {*seen["path"]}
    assert not {"", ".", str(hostile)} & {*seen["environment"]["PATH"].split(os.pathsep)}
    assert seen["environment"]["PYTHONSAFEPATH"] == "1"
    assert [path.name for path in hostile.parent.iterdir()] == ["hostile"]


def test_a_child_finds_the_modules_of_its_parent(
    tmp_path: Path, child: RequestProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert str(tmp_path) in child.ask(None, 60)["path"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at descriptors in the way of Linux")
def test_a_child_inherits_no_socket(child: RequestProcess) -> None:
    """The studio's engines read strangers' files, and must not answer its browser."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.set_inheritable(True)
        seen = child.ask(None, 60)["descriptors"]
    assert seen
    assert not [link for link in seen if link.startswith("socket:")]


@posix
def test_a_program_is_found_by_its_absolute_path_only(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("", ".", "..", str(hostile), os.pathsep.join(("", ".", str(hostile))), "../hostile"):
        monkeypatch.setenv("PATH", path)
        assert processes.find_program("git") is None, path
    other = hostile.parent / "programs"
    other.mkdir()
    (other / "git").write_text("", encoding="utf-8")
    monkeypatch.setenv("PATH", os.pathsep.join(("", str(hostile), str(other))))
    assert processes.find_program("git") is None, "it cannot be executed"
    (other / "git").chmod(0o755)
    assert processes.find_program("git") == str(other / "git")


def test_windows_programs_are_no_batch_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("git", "git.bat", "git.cmd", "git.py"):
        (tmp_path / name).touch(0o755)
        assert processes.find_program("git") is None
    (tmp_path / "git.exe").touch(0o755)
    assert processes.find_program("git") == str(tmp_path / "git.exe")


def test_an_empty_path_does_not_mean_the_current_folder() -> None:
    for environment in ({}, {"PATH": ""}, {"PATH": os.pathsep}, {"PATH": "."}):
        path = processes.child_environment(environment)["PATH"]
        assert path
        assert all(map(os.path.isabs, path.split(os.pathsep)))


@posix
def test_a_program_starts_in_its_own_folder_with_a_safe_path(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = hostile.parent / "show"
    program.write_text('#!/bin/sh\necho "$PWD $PATH $PYTHONSAFEPATH"\n', encoding="utf-8")
    program.chmod(0o755)
    done = processes.run_program(str(program), [], {"PATH": os.pathsep.join(("", ".", "/usr/bin"))}, 30, 4096)
    assert done == (0, f"{hostile.parent} /usr/bin 1\n".encode())
    program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    with pytest.raises(OSError, match=r"longer than 0\.1 s"):
        processes.run_program(str(program), [], os.environ, 0.1, 4096)
    program.write_text("#!/bin/sh\nexec tr '\\0' x < /dev/zero\n", encoding="utf-8")
    with pytest.raises(OSError, match="prints more than 1 MiB"):
        processes.run_program(str(program), [], os.environ, 60, 2**20)
    assert processes.can_fork() == (sys.platform == "linux"), "no thread is left"


@posix
def test_as_a_module_the_program_leaves_the_current_folder(hostile: Path) -> None:
    """Before its first line, Python has looked there; what the program loads afterwards comes from elsewhere."""
    for name in ("encodings", "json", "pickle", "multiprocessing"):
        (hostile / f"{name}.py").unlink()
    (hostile / "pypdfium2.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    (hostile / "pyphen.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    (hostile / "uharfbuzz.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", "doctor"], env=environment, capture_output=True, text=True, check=False
    )
    assert "uharfbuzz" in done.stdout.lower() or "HarfBuzz" in done.stdout or done.returncode == 0, done.stderr
    assert not (hostile / "ran").exists()


def test_libraries_are_loaded_away_from_the_current_folder(hostile: Path) -> None:
    with processes.away_from_current_folder():
        assert not Path("git").exists()
    assert Path.cwd() == hostile


def test_the_url_opener_is_no_program_of_the_current_folder(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("other systems have one opener, by its path")
    (hostile / "xdg-open").write_text(f"#!/bin/sh\n: > {hostile.parent}/ran\n", encoding="utf-8")
    (hostile / "xdg-open").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".", str(hostile))))
    assert not processes.open_for_user("http://127.0.0.1:1/")
    assert not (hostile.parent / "ran").exists()
