"""Output that cannot be written, builds that are broken off, and builds that meet in one folder."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from tests.cli.commands import process
from tests.hostile.conftest import EARLIER, OUTPUT, Attack
from tests.projects import Folder

PATIENCE = 120


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cardgen", "build", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk(attack: Attack, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    real = os.fdopen

    def fdopen(*arguments: Any) -> Any:
        file = real(*arguments)

        class Full(io.BufferedIOBase):
            def write(self, content: Any) -> int:
                file.write(content[: len(content) // 2])
                raise OSError(number, os.strerror(number))

            def close(self) -> None:
                file.close()

        return Full()

    monkeypatch.setattr("cardgen.runtime.atomic_write.os.fdopen", fdopen)
    said = attack.card().fails(
        rf"output/{OUTPUT}: error\[CG592\]: file cannot be written: {os.strerror(number)}", "--no-cache"
    )
    assert ("help: free space on this disk, or choose another folder" in said) == (number != errno.EIO)
    assert attack.folder.files() == [OUTPUT]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(attack: Attack) -> None:
    output = attack.folder.root / "output"
    output.chmod(0o555)
    try:
        attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: file cannot be written: Permission denied")
    finally:
        output.chmod(0o755)


def test_a_read_only_disk(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("cardgen.runtime.atomic_write.tempfile.mkstemp", refuse)
    attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: file cannot be written: Read-only file system")


def test_an_output_that_is_open_elsewhere(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where a file that a viewer has open cannot be replaced."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    monkeypatch.setattr(Path, "replace", refuse)
    said = attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: file cannot be written: The process cannot access")
    assert "close the file in other programs" in said
    assert attack.folder.files() == [OUTPUT]


def test_an_output_that_is_a_link_is_replaced_and_not_followed(attack: Attack, outside: Path) -> None:
    path = attack.folder.root / "output" / OUTPUT
    path.unlink()
    path.symlink_to(outside / "secret.png")
    assert attack.card().cardgen("build", "-q").code == 0
    assert (outside / "secret.png").read_bytes() == b"\x89PNG"
    assert not path.is_symlink()


def test_a_folder_in_the_place_of_the_output(attack: Attack) -> None:
    (attack.folder.root / "output" / OUTPUT).unlink()
    attack.folder.write(f"output/{OUTPUT}/file", "")
    attack.card().fails(r"error\[CG592\]: file cannot be written")


def test_a_cache_that_cannot_be_used_stops_nothing(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    attack.folder.write("taken", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(attack.folder.root / "taken"))
    assert attack.card().cardgen("build", "-q").code == 0
    attack.folder.write("cache/cardgen/artwork.sqlite", "no data base")
    monkeypatch.setenv("XDG_CACHE_HOME", str(attack.folder.root / "cache"))
    assert attack.card().cardgen("build", "-q").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_in_the_middle(attack: Attack) -> None:
    """The template loops, so that the build is in its middle for 5 seconds."""
    attack.front("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
    building = started("-v")
    assert building.stderr
    while "minion.svg.j2" not in (line := building.stderr.readline()):
        assert line, "it ended before it read the template"
    building.send_signal(signal.SIGINT)
    _, err = building.communicate(timeout=PATIENCE)
    # Python ends by the signal itself when that came while it ran code made from text, as imports do: 130 for a shell.
    interrupted = building.returncode in (130, -signal.SIGINT)
    assert interrupted or building.returncode == 1, err
    assert ("interrupted" in err, "Traceback" in err) == (interrupted, False)
    assert attack.folder.output(OUTPUT) == EARLIER
    assert attack.folder.files() == [OUTPUT]


def test_builds_at_once_into_one_folder(folder: Folder) -> None:
    folder.plain().minions(*(f"Minion {number}" for number in range(80)))
    for building in [started("--no-cache", "-j", str(jobs)) for jobs in (1, 2, 2)]:
        _, err = building.communicate(timeout=PATIENCE)
        assert (building.returncode, err) == (0, "")
    assert folder.files() == [OUTPUT]
    with pikepdf.open(folder.root / "output" / OUTPUT) as whole:
        assert len(whole.pages) == 18


def test_builds_at_once_that_share_a_cache(folder: Folder) -> None:
    """Afterwards nothing is taken for built that is not: the same again gives the same, with a cache or without."""
    folder.plain().minions(*(f"Minion {number}" for number in range(30)))
    time.sleep(0.2)
    for building in [started() for _ in range(3)]:
        _, err = building.communicate(timeout=PATIENCE)
        assert (building.returncode, err) == (0, "")
    assert process("build").code == 0
    assert "unchanged since the last build" in process("build").out
    kept = folder.output(OUTPUT)
    assert process("build", "--no-cache").code == 0
    assert folder.output(OUTPUT) == kept
    assert folder.files() == [OUTPUT]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups like these")
def test_ctrl_c_while_several_processes_work(folder: Folder) -> None:
    """A terminal sends Ctrl-C to all of them; only one speaks, and all end."""
    folder.plain().minions(*(f"Minion {number}" for number in range(200)))
    command = [sys.executable, "-m", "cardgen", "build", "--no-cache", "--format", "png", "--dpi", "600", "-j", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
    ) as building:
        for _ in range(PATIENCE * 10):
            if (folder.root / "output").exists() and len(folder.files()) > 4:
                break
            time.sleep(0.1)
        os.killpg(building.pid, signal.SIGINT)
        out, err = building.communicate(timeout=PATIENCE)
    assert (building.returncode, out) == (130, "")
    assert err.strip() == "interrupted; existing files are unchanged"
    written = [name for name in folder.files() if not Path(name).name.startswith(".")]
    assert len(written) < 201
    assert written == folder.files()
    for name in written:
        assert folder.output(name).endswith(b"IEND\xaeB\x60\x82"), name


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no files")
def test_a_disk_that_takes_no_more(attack: Attack) -> None:
    """A limit on the size of files is as near to a full disk as can be had without one."""
    attack.card()
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))"
    limited = f"{limit}\nfrom cardgen.cli import run\nsys.exit(run(['build']))"
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"output/{OUTPUT}: error[CG592]: file cannot be written: File too large" in done.stderr
    assert "help: raise the limit on the size of files, or choose another folder with -o on another disk" in done.stderr
    assert "Traceback" not in done.stderr
    assert attack.folder.files() == [OUTPUT]
    assert attack.folder.output(OUTPUT) == EARLIER


def test_a_file_that_is_open_elsewhere_is_not_removed(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: then it stays, and nothing is said of it."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    attack.folder.minions("Anna", "Bert")
    assert attack.cardgen("build", "--format", "svg").code == 0
    attack.folder.minions("Anna")
    monkeypatch.setattr(Path, "unlink", refuse)
    outcome = attack.cardgen("build", "--format", "svg")
    assert (outcome.code, outcome.err, "removed" in outcome.out) == (0, "", False)
    assert "warniris-minion/002-bert-front.svg" in attack.folder.files()


@pytest.mark.parametrize("command", [("build", "-q"), ("check",)])
def test_users_without_a_home(attack: Attack, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    """As in a container that runs under a number which nobody has."""

    def nowhere(*_: object) -> None:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_cache_dir", nowhere)
    monkeypatch.setattr("platformdirs.user_config_dir", nowhere)
    outcome = attack.card().cardgen(*command)
    assert (outcome.code, outcome.err) == (0, "")


def test_wrong_usage(attack: Attack) -> None:
    outcome = process("build", "--dpi", "nonsense")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
    assert attack.folder.output(OUTPUT) == EARLIER


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no files")
def test_a_disk_that_takes_no_temporary_files(attack: Attack) -> None:
    attack.card()
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))"
    spool = "from cardgen.runtime import atomic_write; atomic_write.ScratchFile.__init__.__defaults__ = (100,)"
    limited = f"{limit}\n{spool}\nfrom cardgen.cli import run\nsys.exit(run(['build']))"
    done = subprocess.run([sys.executable, "-c", limited], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error[CG592]: temporary file cannot be written: File too large\n  help: free space there" in done.stderr
    assert "Traceback" not in done.stderr
    assert attack.folder.output(OUTPUT) == EARLIER
