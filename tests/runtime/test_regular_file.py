from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest

from cardgen.runtime import regular_file

LIMIT = 1 << 26


def test_memory_is_reserved_for_the_file_not_for_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"a" * 1000)
    tracemalloc.start()
    try:
        assert regular_file.read(path, LIMIT) == b"a" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_grows_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "log", os.read
    path.write_bytes(b"a")

    def read(file: int, length: int) -> bytes:
        content = real(file, length)
        if path.stat().st_size == 1:
            path.write_bytes(b"a" * 500_000)
        return content

    monkeypatch.setattr(os, "read", read)
    assert regular_file.read(path, LIMIT) == b"a" * 500_000
    path.write_bytes(b"a")
    with pytest.raises(regular_file.FileTooLargeError):
        regular_file.read(path, 400_000)
