"""One PDF of several documents, and what it says about the paper and its sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Dictionary, Name

from cardgen.export.print_file import join
from tests.cases import each_case

A4, LETTER = (595.276, 841.89), (612, 792)
LONG = "both sides, flip on the long edge"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def document(name: str, pages: int, duplex: str = "Simplex", size: tuple[float, float] = A4) -> str:
    with pikepdf.new() as pdf:
        for number in range(pages):
            pdf.add_blank_page(page_size=size)
            pdf.pages[number].Contents = pdf.make_stream(f"% {name} {number}".encode())
        if duplex:
            pdf.Root.ViewerPreferences = Dictionary(Duplex=Name(f"/{duplex}"))
        pdf.save(name)
    return name


def pages_of(path: Path) -> list[str]:
    """Return what is on each page, '' for an empty one."""
    with pikepdf.open(path) as pdf:
        return [page.Contents.read_bytes().decode().strip("% ") if "/Contents" in page else "" for page in pdf.pages]


def joined(*paths: str) -> tuple[tuple[str, str], list[str]]:
    target = Path("all.pdf")
    return join(paths, target), pages_of(target)


def test_a_single_document_stays_as_it_is() -> None:
    path = document("a", 2, "DuplexFlipLongEdge")
    assert join([path], Path("all.pdf")) == ("A4", LONG)
    assert Path("all.pdf").read_bytes() == Path(path).read_bytes()


@each_case(
    ("size", "duplex", "settings"),
    [
        (A4, "", ("A4", "both sides, each sheet over its own edge")),
        (A4, "Simplex", ("A4", "one side (simplex)")),
        (A4[::-1], "DuplexFlipShortEdge", ("A4", "both sides, flip on the short edge")),
        (LETTER, "Simplex", ("Letter", "one side (simplex)")),
        ((400, 500), "Simplex", ("141.1 × 176.4 mm", "one side (simplex)")),
    ],
)
def test_paper_and_sides_are_those_of_the_document(
    size: Sequence[float], duplex: str, settings: tuple[str, str]
) -> None:
    wide, high = size
    assert join([document("a", 1, duplex, (wide, high))], Path("all.pdf")) == settings


def test_sheets_with_and_without_backs_do_not_share_a_sheet_of_paper() -> None:
    two, one = document("two", 2, "DuplexFlipLongEdge"), document("one", 2)
    settings, pages = joined(one, two)
    assert settings == ("A4", LONG)
    assert pages == ["one 0", "", "one 1", "", "two 0", "two 1"]
    with pikepdf.open("all.pdf") as pdf:
        preferences = pdf.Root.ViewerPreferences
        assert [str(preferences[key]) for key in ("/Duplex", "/PrintScaling")] == ["/DuplexFlipLongEdge", "/None"]


def test_documents_of_one_side_are_printed_on_one_side() -> None:
    settings, pages = joined(document("a", 1), document("b", 2, size=LETTER))
    assert settings == ("A4, Letter", "one side (simplex)")
    assert pages == ["a 0", "b 0", "b 1"]
