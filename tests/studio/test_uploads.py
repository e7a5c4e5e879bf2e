"""Files that the browser sends: within limits, and taken once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from cardgen.studio import uploads
from cardgen.studio.uploads import UploadError, Uploads


@pytest.fixture
def kept() -> Iterator[Uploads]:
    every = Uploads()
    yield every
    every.close()


def send(kept: Uploads, *chunks: bytes) -> str:
    async def stream() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return asyncio.run(kept.receive(stream()))


def test_a_file_is_taken_once_by_its_name(kept: Uploads) -> None:
    name = send(kept, b"pict", b"ure")
    path = kept.take(name)
    assert path.read_bytes() == b"picture"
    for other in (name, "", "../uploads", "0" * 32):
        with pytest.raises(UploadError, match="the file is gone"):
            kept.take(other)


def test_a_file_that_is_too_large_is_not_kept(kept: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 10)
    folder = kept.take(send(kept, b"0123456789")).parent
    with pytest.raises(UploadError, match="larger than"):
        send(kept, b"012345", b"67890")
    assert [path.read_bytes() for path in folder.iterdir()] == [b"0123456789"]


def test_a_file_that_cannot_be_written_is_not_kept(kept: Uploads) -> None:
    async def stream() -> AsyncIterator[bytes]:
        yield b"half"
        raise OSError(28, "No space left on device")

    folder = kept.take(send(kept, b"whole")).parent
    with pytest.raises(UploadError, match="No space left on device"):
        asyncio.run(kept.receive(stream()))
    assert [path.read_bytes() for path in folder.iterdir()] == [b"whole"]


def test_files_are_taken_together_with_their_folders(kept: Uploads) -> None:
    names = [send(kept, b"table"), send(kept, b"picture")]
    folder = kept.take_together(zip(names, ("desk/cards.csv", "desk/art/a (1).png"), strict=True))
    assert {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")} == {
        "desk/cards.csv": b"table",
        "desk/art/a (1).png": b"picture",
    }
    kept.close()
    assert not folder.exists()


@pytest.mark.parametrize("path", ["../x.csv", "/tmp/x.csv", ".hidden.csv", "a/../../x.csv", "", "a\0b"])
def test_files_leave_their_folder_by_no_name(kept: Uploads, path: str) -> None:
    own = kept.take(send(kept, b"first")).parent
    with pytest.raises(UploadError):
        kept.take_together([(send(kept, b"second"), path)])
    assert not any(each.is_dir() for each in own.iterdir())
    assert not (own.parent / "x.csv").exists()


def test_few_files_wait_and_none_when_the_studio_ends(kept: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_MOST_WAITING", 4)
    names = [send(kept, bytes([number])) for number in range(9)]
    with pytest.raises(UploadError, match="the file is gone"):
        kept.take(names[0])
    folder = kept.take(names[-1]).parent
    assert len([*folder.iterdir()]) == 4
    kept.close()
    assert not folder.exists()
