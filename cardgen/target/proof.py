"""Proof of a finished PDF: it is read within limits, and nothing else is but its cut list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity
from cardgen.export.page_objects import UnreadableFileError
from cardgen.export.preflight import Finding
from cardgen.export.proof import SIDES, ProofPiece, Prover, SheetProof, Side, compare
from cardgen.print.request import ProgressCallback, no_progress
from cardgen.project.files import display_path, require_inside, require_named_inside
from cardgen.runtime import atomic_write
from cardgen.runtime.workspace import Link, Workspace
from cardgen.sheet.leaf import Backs
from cardgen.target.job import ExportRequest, ExportResult, export
from cardgen.target.preflight import OF_PIECES, Measurement, findings_as_data, read_file
from cardgen.text.captions import CAPTIONS_FOLDER
from cardgen.units import Shape, Size, quantity


@dataclass(slots=True)
class Proof:
    """What a proof has measured and found.

    `uncut` are the pages that nothing says how to cut, and `left_out` the number of sheets that were not looked at.
    """

    pieces: list[ProofPiece] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    uncut: list[int] = field(default_factory=list)
    pictures: list[Path] = field(default_factory=list)
    left_out: int = 0

    @property
    def errors(self) -> int:
        """The number of findings that spoil pieces."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


def prove(
    file: Path,
    cut_list: Path | None = None,
    backs: Backs | None = None,
    pictures: Path | None = None,
    workspace: Workspace | None = None,
    most: int | None = None,
) -> Proof:
    """Return the proof of a PDF, cut along its own cut list or another one, a PDF or SVG.

    `backs` says how it is printed, if it does not; `pictures` is a folder for a PNG file of each piece; `most` is how
    many sheets are looked at. Raises CardgenError for files that cannot be read or written, and if nothing says where
    to cut.
    """
    root = (workspace or Workspace()).root
    named = [each for each in (file, cut_list) if each]
    for each in named:
        require_named_inside(root, each, display_path(each))
    name, proof = display_path(file), Proof()
    own = require_inside(root, root / CAPTIONS_FOLDER, CAPTIONS_FOLDER)
    opening = partial(_opened, file, cut_list, backs, [own] if own.is_dir() else [])
    with Measurement(partial(_prove_sheet, [], opening, pictures is not None)) as measurement:
        index, count = 0, 1
        while index < count:
            try:
                count, sheet = measurement.measure(index)
            except UnreadableFileError as error:
                raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, str(error), Place(name))) from None
            index += 1
            if sheet is None:
                break
            proof.left_out = count - index if index == most else 0
            count = index if proof.left_out else count
            proof.findings += [finding._replace(file=name) for finding in sheet.findings]
            proof.pieces += sheet.pieces
            if not sheet.source:
                proof.uncut += sheet.pages
                continue
            proof.sources[sheet.source] += 1
            for piece, picture in zip(sheet.pieces, sheet.pictures, strict=False):
                assert pictures
                path = pictures / f"page-{piece.front.page:03}-piece-{piece.number:02}.png"
                atomic_write.write(path, picture)
                proof.pictures.append(path)
    if not proof.pieces:
        message, advice = "nothing says where to cut", "pass a cut list: there are neither cut marks nor a TrimBox"
        if proof.sources:
            message, advice = "nothing is printed where it is cut", "pass another cut list, or another file"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(name), advice))
    proof.findings += [finding._replace(file=name) for finding in compare(proof.pieces)]
    return proof


# Sheets of each file of an export that are proved: those of some 300 cards, which takes a few seconds.
_MOST_SHEETS = 40


def export_proved(
    request: ExportRequest, on_progress: ProgressCallback = no_progress, cluster: Link | None = None
) -> ExportResult:
    """Export cards as `export` does, and add to the notes what proofs of the PDF files find."""
    result = export(request, on_progress, cluster)
    workspace = request.build._replace(language=()).workspace(cluster)  # The files can be in several languages.
    notes = (*result.outcome.notes, *_notes_of(result.files, workspace))
    return replace(result, outcome=result.outcome._replace(notes=notes))


def _notes_of(files: Collection[Path], workspace: Workspace) -> Iterator[str]:
    """Yield what proofs find that spoils pieces; files that nothing says how to cut are left out."""
    for file in sorted(each for each in files if each.suffix == ".pdf"):
        cut_list = next((each for suffix in (".dxf", ".svg") if (each := file.with_suffix(suffix)) in files), None)
        try:
            proof = prove(file, cut_list, workspace=workspace, most=_MOST_SHEETS)
        except CardgenError:
            continue
        for finding in (each for each in proof.findings if each.check in OF_PIECES):
            yield f"proof of '{file.name}', page {finding.page}: {finding.message}"
        if proof.left_out:
            rest = quantity(proof.left_out, "sheet")
            yield f"proof of '{file.name}': without the last {rest}; 'cardgen proof' looks at all"


def _opened(file: Path, cut_list: Path | None, backs: Backs | None, folders: Sequence[Path]) -> Prover:
    return Prover(read_file(file), read_file(cut_list) if cut_list else None, backs, folders)


def _prove_sheet(
    opened: list[Prover], opening: Callable[[], Prover], pictures: bool, index: int
) -> tuple[int, SheetProof | None]:
    """Return the number of sheets, and the proof of one. The files are `opened` with the first."""
    if not opened:
        opened.append(opening())
    (prover,) = opened
    return prover.count, prover.sheet(index, pictures=pictures) if index < prover.count else None


def as_data(proof: Proof) -> dict[str, object]:
    """Return a proof as plain data for JSON."""
    pieces = [
        {
            "sheet": piece.sheet,
            "number": piece.number,
            "shape": piece.shape.value,
            "front": _side_data(piece.front),
            "back": _side_data(piece.back) if piece.back else None,
            "shift": list(piece.shift) if piece.shift else None,
        }
        for piece in proof.pieces
    ]
    pictures = [path.as_posix() for path in proof.pictures]
    found = {"errors": proof.errors, "findings": findings_as_data(proof.findings)}
    return {"pieces": pieces, "cut_by": dict(proof.sources), "uncut": proof.uncut, "pictures": pictures, **found}


def _side_data(side: Side) -> dict[str, object]:
    data = {key: value for key, value in side._asdict().items() if key not in ("art", "small", "words")}
    bleed = dict(zip(SIDES, side.bleed, strict=True))
    return {**data, "trim": side.trim._asdict(), "offset": list(side.offset) if side.offset else None, "bleed": bleed}


def summaries(proof: Proof) -> Iterator[str]:
    """Yield a line for each format, such as '12 pieces of 63 x 88 mm: bleed 3.00 mm, type from 7.50 pt'."""
    formats: dict[str, list[ProofPiece]] = {}
    for piece in proof.pieces:
        size = Size(*sorted(round(side, 2) for side in piece.size))
        formats.setdefault(f"{size}, round" if piece.shape is Shape.ROUND else str(size), []).append(piece)
    for name, pieces in formats.items():
        sides = [side for piece in pieces for side in (piece.front, piece.back) if side]
        figures = {
            "bleed {:.2f} mm": min(
                (bleed for side in sides for bleed in side.bleed if bleed is not None), default=None
            ),
            "backs within {:.2f} mm": max((max(map(abs, each.shift)) for each in pieces if each.shift), default=None),
            "type from {:.2f} pt": min((side.type for side in sides if side.type is not None), default=None),
            "pictures from {:.0f} dpi": min((side.dpi for side in sides if side.dpi is not None), default=None),
        }
        told = ", ".join(words.format(value) for words, value in figures.items() if value is not None)
        yield f"{quantity(len(pieces), 'piece')} of {name}{': ' if told else ''}{told}"
