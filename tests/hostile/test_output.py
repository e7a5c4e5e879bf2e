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
from cli.commands import process
from hostile.conftest import EARLIER, OUTPUT, Attack
from pipeline.projects import Folder

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

    monkeypatch.setattr("cardgen.export.files.os.fdopen", fdopen)
    attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: it cannot be written: {os.strerror(number)}", "--no-cache")
    assert attack.folder.files() == [OUTPUT]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(attack: Attack) -> None:
    output = attack.folder.root / "output"
    output.chmod(0o555)
    try:
        attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: it cannot be written: Permission denied")
    finally:
        output.chmod(0o755)


def test_a_read_only_disk(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("cardgen.export.files.tempfile.mkstemp", refuse)
    attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: it cannot be written: Read-only file system")


def test_an_output_that_is_open_elsewhere(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where a file that a viewer has open cannot be replaced."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    monkeypatch.setattr(Path, "replace", refuse)
    said = attack.card().fails(rf"output/{OUTPUT}: error\[CG592\]: it cannot be written: The process cannot access")
    assert "close the file where it is open" in said
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
    attack.card().fails(r"error\[CG592\]: it cannot be written")


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
    building = started()
    time.sleep(2.5)
    building.send_signal(signal.SIGINT)
    _, err = building.communicate(timeout=PATIENCE)
    assert (building.returncode, "Traceback" in err) in ((130, False), (1, False)), err
    assert ("interrupted" in err) == (building.returncode == 130)
    assert attack.folder.output(OUTPUT) == EARLIER
    assert attack.folder.files() == [OUTPUT]


def test_two_builds_at_once_into_one_folder(folder: Folder) -> None:
    folder.plain().minions(*(f"Minion {number}" for number in range(30)))
    both = [started("--no-cache") for _ in range(3)]
    for building in both:
        _, err = building.communicate(timeout=PATIENCE)
        assert (building.returncode, err) == (0, "")
    assert folder.files() == [OUTPUT]
    with pikepdf.open(folder.root / "output" / OUTPUT) as whole:
        assert len(whole.pages) == 8


def test_wrong_usage(attack: Attack) -> None:
    outcome = process("build", "--dpi", "nonsense")
    assert (outcome.code, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
    assert attack.folder.output(OUTPUT) == EARLIER
