"""Proof of a finished PDF: it is read within limits, and nothing else is but its cut list."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Severity
from cardgen.export.page_objects import UnreadableFileError
from cardgen.export.preflight import Finding
from cardgen.export.proof import ProofPiece, Prover, SheetProof, Side, compare
from cardgen.project.files import display_path, require_named_inside
from cardgen.runtime import atomic_write
from cardgen.runtime.workspace import Workspace
from cardgen.sheet.leaf import Backs
from cardgen.target.preflight import Measurement, findings_as_data, read_file
from cardgen.units import Size


@dataclass(slots=True)
class Proof:
    """What a proof has measured and found. `uncut` are the pages that nothing says how to cut."""

    pieces: list[ProofPiece] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    uncut: list[int] = field(default_factory=list)
    pictures: list[Path] = field(default_factory=list)

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
) -> Proof:
    """Return the proof of a PDF, cut along its own cut list or another one, a PDF, SVG, or DXF.

    `backs` says how it is printed, if it does not; `pictures` is a folder for a PNG file of each piece. Raises
    CardgenError for files that cannot be read or written, and if nothing says where to cut.
    """
    root = (workspace or Workspace()).root
    named = [each for each in (file, cut_list) if each]
    for each in named:
        require_named_inside(root, each, display_path(each))
    name, proof = display_path(file), Proof()
    with Measurement(partial(_prove_sheet, [], file, cut_list, backs, pictures is not None)) as measurement:
        index, count = 0, 1
        while index < count:
            try:
                count, sheet = measurement.measure(index)
            except UnreadableFileError as error:
                raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, str(error), Place(name))) from None
            index += 1
            if sheet is None:
                break
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
        message, advice = "nothing says where to cut", "name a cut list: there are neither cut marks nor a TrimBox"
        if proof.sources:
            message, advice = "nothing is printed where it is cut", "name another cut list, or another file"
        raise CardgenError(Diagnostic(Code.BAD_PREFLIGHT, message, Place(name), advice))
    proof.findings += [finding._replace(file=name) for finding in compare(proof.pieces)]
    return proof


def _prove_sheet(
    opened: list[Prover], file: Path, cut_list: Path | None, backs: Backs | None, pictures: bool, index: int
) -> tuple[int, SheetProof | None]:
    """Return the number of sheets, and the proof of one. The files are `opened` with the first."""
    if not opened:
        opened.append(Prover(read_file(file), read_file(cut_list) if cut_list else None, backs))
    (prover,) = opened
    return prover.count, prover.sheet(index, pictures=pictures) if index < prover.count else None


def as_data(proof: Proof) -> dict[str, object]:
    """Return a proof as plain data for JSON."""
    return {
        "pieces": [
            {
                "sheet": piece.sheet,
                "number": piece.number,
                "shape": piece.shape.value,
                "front": _side_data(piece.front),
                "back": _side_data(piece.back) if piece.back else None,
                "shift": list(piece.shift) if piece.shift else None,
            }
            for piece in proof.pieces
        ],
        "cut_by": dict(proof.sources),
        "uncut": proof.uncut,
        "pictures": [path.as_posix() for path in proof.pictures],
        "errors": proof.errors,
        "findings": findings_as_data(proof.findings),
    }


def _side_data(side: Side) -> dict[str, object]:
    return {
        "page": side.page,
        "trim": side.trim._asdict(),
        "blank": side.is_blank,
        "offset": list(side.offset) if side.offset else None,
        "up": side.up,
        "bleed": dict(zip(("left", "top", "right", "bottom"), side.bleed, strict=True)),
        "type": side.points,
        "dpi": side.dpi,
    }


@dataclass(frozen=True, slots=True)
class FormatSummary:
    """All pieces of one format: how many, the least bleed, the largest shift of a back, smallest type, and dpi."""

    size: Size
    shape: str
    count: int
    bleed: float | None
    shift: float | None
    points: float | None
    dpi: float | None


def summaries(proof: Proof) -> list[FormatSummary]:
    """Return what is true of the pieces of each format, in the order of first pieces."""
    formats: dict[tuple[Size, str], list[ProofPiece]] = {}
    for piece in proof.pieces:
        size = Size(*sorted(round(side, 2) for side in piece.size))
        formats.setdefault((size, piece.shape), []).append(piece)
    found = []
    for (size, shape), pieces in formats.items():
        sides = [side for piece in pieces for side in (piece.front, piece.back) if side]
        found.append(
            FormatSummary(
                size,
                shape,
                len(pieces),
                min((bleed for side in sides for bleed in side.bleed if bleed is not None), default=None),
                max((max(map(abs, piece.shift)) for piece in pieces if piece.shift), default=None),
                min((side.points for side in sides if side.points is not None), default=None),
                min((side.dpi for side in sides if side.dpi is not None), default=None),
            )
        )
    return found
