"""PDFs whose faces are drawn while other cards are rendered."""

from __future__ import annotations

import pikepdf
import pytest

from cardgen.builds.builder import Builder, build
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export.pdf.writer import OpenDocument
from cardgen.face.face import Face
from cardgen.print.request import BuildRequest
from tests.export.pdf.inspection import opened
from tests.projects import STATS, Folder

OUTPUT = "warniris-minion-a4.pdf"
NAMES = ("Anna", "Bert", "Carl", "Dora", "Emil")


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> list[Face]:
    """Return the faces that are drawn before any page, as they are drawn."""
    drawn: list[Face] = []
    draw, page = OpenDocument.draw, OpenDocument.page

    def record(self: OpenDocument, face: Face) -> None:
        if face.items:  # a face that is drawn has none
            drawn.append(face)
        draw(self, face)

    def stop(self: OpenDocument, *given: object) -> None:
        drawn.append(None)  # type: ignore[arg-type]
        page(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(OpenDocument, "draw", record)
    monkeypatch.setattr(OpenDocument, "page", stop)
    return drawn


def test_each_face_is_drawn_once_and_printed(folder: Folder, early: list[Face]) -> None:
    folder.plain().minions(*NAMES)
    build(BuildRequest())
    assert len(set(early[: early.index(None)])) == len(NAMES) + 1  # type: ignore[arg-type]
    document = opened(folder.output(OUTPUT))
    forms = [each for each in document.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
    used = {each.objgen for page in document.pages for each in page.resources.XObject.values()}
    assert len(used) == len(NAMES) + 1
    assert {each.objgen for each in forms} == used


def test_cards_that_do_not_fit_are_not_in_the_file(folder: Folder) -> None:
    folder.plain().minions("Anna", "W" * 79, "Carl")
    build(BuildRequest(keep_going="skip", backs="none"))
    printed = folder.output(OUTPUT)
    folder.minions("Anna", "Carl")
    build(BuildRequest(backs="none"))
    assert folder.output(OUTPUT) == printed


@pytest.mark.parametrize("layout", ["grid", "packed", "single"])
def test_a_document_has_the_same_bytes_however_its_faces_are_drawn(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, layout: str
) -> None:
    folder.plain().minions(*NAMES)
    build(BuildRequest(layout=layout))
    (path,) = folder.root.glob("output/*.pdf")
    first = path.read_bytes()
    monkeypatch.setattr("cardgen.builds.builder.OpenDocuments.of", lambda *_: None)
    path.unlink()
    Builder(BuildRequest(layout=layout)).build()
    assert path.read_bytes() == first


def test_what_cannot_be_drawn_is_reported_after_mistakes_of_cards(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise CardgenError(Diagnostic("CG999", "cannot be drawn", Place("art.svg")))

    monkeypatch.setattr(OpenDocument, "draw", fail)
    for names, code in ((("Anna", "W" * 79, "Carl"), "CG501"), (("Anna", "Carl"), "CG999")):
        folder.plain().minions(*names)
        with pytest.raises(CardgenError) as caught:
            build(BuildRequest(backs="none"))
        assert [each.code for each in caught.value.diagnostics] == [code]


def test_an_error_is_reported_even_if_drawing_again_would_succeed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, errors = OpenDocument.draw, [CardgenError(Diagnostic("CG999", "cannot be drawn", Place("art.svg")))]

    def fail_once(self: OpenDocument, face: Face) -> None:
        if errors:
            raise errors.pop()
        draw(self, face)

    monkeypatch.setattr(OpenDocument, "draw", fail_once)
    folder.plain().minions("Anna", "Carl")
    with pytest.raises(CardgenError, match="cannot be drawn"):
        build(BuildRequest())
    assert not folder.files()


def test_kinds_with_equal_faces_have_them_in_each_document(folder: Folder) -> None:
    """Cards of a kind share a face that is drawn, and those of others draw it again."""
    folder.plain()
    for side in ("svg", "back.svg"):
        front = (folder.root / f"templates/warniris/minion.{side}.j2").read_bytes()
        folder.write(f"templates/warniris/relic.{side}.j2", front)
    size, effects = "size: 63mm x 88mm", "effects: [{when: activation_start, bearer: {heal: 2}}]"
    for kind, keys in (("minion", f"stats: {STATS}"), ("relic", effects)):
        cards = "".join(f"  - {{name: Anna, id: {kind}-{number}, {size}, {keys}}}\n" for number in range(3))
        folder.write(f"cards/{kind}s.yaml", f"kind: {kind}\ncards:\n{cards}")
    Builder(BuildRequest(output=folder.root / "kept")).build()
    build(BuildRequest(output=folder.root / "freed"))
    assert folder.files("freed") == ["warniris-minion-a4.pdf", "warniris-relic-a4.pdf"]
    for name in folder.files("freed"):
        assert (folder.root / "freed" / name).read_bytes() == (folder.root / "kept" / name).read_bytes()


def test_a_builder_starts_a_new_document_each_time(folder: Folder) -> None:
    folder.plain().minions(*NAMES)
    builder = Builder(BuildRequest(cache=False))
    builder.build()
    first = folder.output(OUTPUT)
    folder.minions(*NAMES, "Fritz")
    builder.build()
    folder.minions(*NAMES)
    builder.build()
    assert folder.output(OUTPUT) == first
