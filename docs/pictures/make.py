"""Makes the pictures of the README from the sample kit: `make pictures`."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pypdfium2
from PIL import Image, ImageDraw

from cardgen.builds.builder import build
from cardgen.print.request import BuildRequest
from cardgen.reference_sheets.make_sheets import SheetRequest, make_sheets
from cardgen.releases.write import write_release
from cardgen.target.job import ExportRequest, export

HERE = Path(__file__).parent
KITS = HERE.parent.parent / "cards"
CARDS = KITS / "warniris"
DPI = 120
GAP = 20
DARK = "#3a3431"
WARBANDS = ("The Ashen Oath", "The Drowned Court", "The Grey Levy")
# Pieces that lie on the table beside the cards, by the folder of their kind and their id.
PIECES = (
    ("cylinder", "queen-ysolve", "front"),
    ("standee", "queen-ysolve", "front"),
    ("token", "activated", "front"),
    ("token", "reacted", "front"),
    ("token", "wounds", "front"),
    ("token", "wounds", "back"),
)
SHEETS = ("character-1-fronts", "relic-1-fronts", "relic-back", "token-activated-front", "token-wounds-front")
KIT = ("isolde-quill", "the-cartographer", "sorcerer", "tactical-dominance", "sacred-chalice")
WARCRY = ("captain-odile-marsh", "the-clinker", "aspire-to-glory", "onslaught", "might", "the-flooded-toll")
SKIRMISH = (
    "ottilie-vane-ferrymistress",
    "lock-crossbow",
    "the-drowned-margrave",
    "great-weapon",
    "injuries",
    "the-winter-grain",
)
ACCESSORIES = """\
game: warniris
cards:
  - {kind: box, name: The Ashen Oath, motto: Every candle is a door., holds: 40, card_size: tarot, emblem: halvane-doru}
  - {kind: dial, name: Halvane Doru, most: 12}
  - {kind: mat, name: The Lower Ossuary, grid: 10}
"""
ORDERED = ("sentinel", "brute", "sorcerer")
# The bleed of MakePlayingCards in mm, which is also the margin of its safe zone, and the colors of both lines.
MPC_BLEED = 3.175
CUT, SAFE = "#d6006c", "#0090b8"
# The date of the update in the picture, in seconds since 1970, and what it changes, by file.
RELEASED = str(1_780_000_000)
UPDATE = {
    "minions.yaml": {
        "Rifle: RW R15 P1 D1": "Rifle: RW R15 P1 D2",
        "Talks with the heavy end.": "Talks only with the heavy end.",
    },
    "relics.yaml": {"range_over: 12": "range_over: 10", "name: Iron Halo": "name: Iron Corona"},
    "characters.yaml": {
        "if: {wounds_at_most: 3, roll: [1, 2]}": "if: {wounds_at_most: 4, roll: [1, 2]}",
        "M: 5, B: 2, S: 3, W: 4, Mo: 12": "M: 4, B: 2, S: 3, W: 4, Mo: 12",
    },
}
LOW_INK = ("queen-ysolve", "brute", "shield-wall", "warp-channeler")


def main() -> None:
    """Write every picture anew."""
    with tempfile.TemporaryDirectory() as name:
        _row(_cards(Path(name), "default", KIT), HERE / "kit.png", DARK)
        _row(_cards(Path(name), "default", WARCRY, KITS / "warcry"), HERE / "warcry.png", "#8d8a84")
        _row(_cards(Path(name), "default", SKIRMISH, KITS / "skirmish"), HERE / "skirmish.png", "#8d8a84")
        _row(_cards(Path(name), "low-ink", LOW_INK), HERE / "low-ink.png", "#b9b3a9")
        _tutorial(Path(name) / "tutorial", HERE / "toll-guard.png")
        _sheets(Path(name), HERE / "sheets.png")
        _reference(Path(name), "rules-summary", HERE / "summary.png")
        _reference(Path(name), "warband", HERE / "warband.png", "The Drowned Court")
        _row(_pieces(Path(name) / "pieces"), HERE / "pieces.png", DARK)
        _accessories(Path(name) / "accessories", HERE / "accessories.png")
        _blank(Path(name) / "blank", HERE / "blank.png")
        _inkscape(Path(name) / "inkscape", HERE / "inkscape.png")
        _row(_table(Path(name) / "table"), HERE / "table.png", DARK)
        _room(Path(name) / "room", HERE / "room.png")
        _order(Path(name) / "order", HERE / "order.png")
        _cutter(Path(name) / "cutter", HERE / "cutter.png")
        _release(Path(name) / "release", HERE / "errata.png")
        for paper in ("a4", "letter"):
            _packs(Path(name) / paper, paper, HERE / f"packs-{paper}.png")
        _print_and_play(Path(name) / "pnp", HERE / "print-and-play.png", HERE / "cuts.png")


def _tutorial(folder: Path, path: Path) -> None:
    """The card of the tutorial without its mistakes, with the effect and with the text of a weapon."""
    page = (HERE.parent / "tutorial.md").read_text(encoding="utf-8")
    card = page.partition("```yaml cards/toll-guard.yaml\n")[2].partition("```")[0]
    card = card.replace("movment", "movement").replace("or or", "or")
    own = page.partition("```yaml\n")[2].partition("```")[0]
    pictures = []
    for name, text in (("effect", card), ("text", card.partition("  - name: Halberd")[0] + own)):
        cards = folder / name / "cards"
        cards.mkdir(parents=True)
        (cards / "toll-guard.yaml").write_text(f"game: warniris\n{text}", encoding="utf-8")
        pictures += _cards(folder / name, "default", ("toll-guard",), cards)
    _row(pictures, path, DARK)


def _cards(folder: Path, theme: str, names: Sequence[str], kit: Path = CARDS) -> list[Image.Image]:
    build(BuildRequest((kit,), folder / theme, theme=theme, formats=("png",), dpi=DPI, backs="none"))
    paths = (next((folder / theme).glob(f"**/*-{name}-front.png")) for name in names)
    return [Image.open(path).convert("RGB") for path in paths]


def _inkscape(folder: Path, path: Path) -> None:
    """The drawing of the tutorial as Inkscape shows it, and a card made from it."""
    import cairosvg

    source = HERE.parent / "inkscape"
    for name in ("cards", "cards/art", "templates", "templates/warniris"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    shutil.copy(source / "minion.svg", folder / "templates/warniris")
    shutil.copy(source / "ember-guard.yaml", folder / "cards")
    _ember(folder / "cards/art/ember.png")
    cairosvg.svg2png(url=str(source / "minion.svg"), write_to=str(folder / "drawing.png"), dpi=DPI)
    result = build(BuildRequest(folder=folder, output=folder, formats=("png",), dpi=DPI, backs="none"))
    _row([Image.open(each).convert("RGB") for each in (folder / "drawing.png", *result.files)], path, DARK)


def _ember(path: Path) -> None:
    """Draw a glowing coal."""
    picture = Image.new("RGB", (720, 424), "#2b1c17")
    draw = ImageDraw.Draw(picture)
    for step in range(24):
        share = step / 24
        size = round(300 * (1 - share))
        color = (round(60 + 190 * share), round(25 + 140 * share**2), round(20 + 60 * share**4))
        draw.ellipse((360 - size, 300 - size // 2, 360 + size, 300 + size // 2), fill=color)
    picture.save(path)


def _sheets(folder: Path, path: Path) -> None:
    """The first sheet of relics, front and back."""
    (document,) = build(BuildRequest((CARDS,), folder, only=("relic",))).files
    pages = pypdfium2.PdfDocument(document)
    _row([pages[side].render(scale=0.9).to_pil().convert("RGB") for side in (0, 1)], path, "#b9b3a9")


def _reference(folder: Path, sheet: str, path: Path, of: str | None = None) -> None:
    """The first two pages of a reference sheet."""
    (document,) = make_sheets(SheetRequest((sheet,), folder, of=of, paths=(CARDS,))).files
    pages = list(pypdfium2.PdfDocument(document))[:2]
    # Small spots of colour must not be lost in so much black and white.
    shown = [page.render(scale=1.1).to_pil().convert("RGB") for page in pages]
    _row(shown, path, "#b9b3a9", Image.Quantize.MAXCOVERAGE)


def _pieces(folder: Path) -> list[Image.Image]:
    kinds = tuple(dict.fromkeys(kind for kind, *_ in PIECES))
    build(BuildRequest((CARDS,), folder, only=kinds, formats=("png",), dpi=DPI))
    paths = {next(folder.glob(f"*-{kind}/*-{name}-{side}.png")): kind for kind, name, side in PIECES}
    return [_punched(Image.open(path).convert("RGB"), kind == "token") for path, kind in paths.items()]


def _punched(picture: Image.Image, round_: bool) -> Image.Image:
    """A token as it comes out of the punch, on the ground of the row."""
    if not round_:
        return picture
    mask = Image.new("L", (4 * picture.width, 4 * picture.height))
    ImageDraw.Draw(mask).ellipse((0, 0, *mask.size), fill=255)
    ground = Image.new("RGB", picture.size, DARK)
    return Image.composite(picture, ground, mask.resize(picture.size))


def _blank(folder: Path, path: Path) -> None:
    """A sheet of blank characters, and a roster."""
    files = build(BuildRequest((CARDS,), folder, only=("Blank Character", "The Drowned Court"))).files
    _row([pypdfium2.PdfDocument(file)[0].render(scale=0.9).to_pil().convert("RGB") for file in files], path, "#b9b3a9")


def _accessories(folder: Path, path: Path) -> None:
    """A box and a dial as they are printed, and the sheets of a mat in their places."""
    folder.mkdir()
    (folder / "accessories.yaml").write_text(ACCESSORIES, encoding="utf-8")
    request = BuildRequest((folder / "accessories.yaml",), folder / "pictures", formats=("png",), dpi=DPI // 2)
    paths = build(request._replace(only=("box", "dial"))).files
    (document,) = build(request._replace(output=folder / "mat", only=("mat",), formats=("pdf",))).files
    sheets = [page.render(scale=0.4).to_pil().convert("RGB") for page in pypdfium2.PdfDocument(document)]
    width, height = sheets[0].size
    table = Image.new("RGB", (4 * width + 3 * GAP // 2, 2 * height + GAP // 2), DARK)
    for index, sheet in enumerate(sheets):
        table.paste(sheet, (index % 4 * (width + GAP // 2), index // 4 * (height + GAP // 2)))
    _row([*(Image.open(each).convert("RGB") for each in paths), table], path, DARK)


def _table(folder: Path) -> list[Image.Image]:
    """What Tabletop Simulator gets: two sheets of cards with their back, and two tokens."""
    options = {"dpi": DPI // 2, "asset_base_url": None}
    files = export(ExportRequest("tts", BuildRequest((CARDS,), folder), options)).files
    paths = [next(path for path in files if path.name.startswith(name)) for name in SHEETS]
    return [_punched(Image.open(path).convert("RGB"), path.name.startswith("token")) for path in paths]


def _room(folder: Path, path: Path) -> None:
    """The room of a warband on playingcards.io: its piles, each with its topmost card."""
    request = BuildRequest((CARDS,), folder, warband=WARBANDS[0])
    (file,) = export(ExportRequest("pcio", request, {"dpi": DPI, "old_schema": False})).files
    with ZipFile(file) as archive:
        widgets = json.loads(archive.read("widgets.json"))
        decks = {each["id"]: each for each in widgets if each["type"] == "cardDeck"}
        piles = [each for each in widgets if each["type"] == "holder"]
        right, bottom = (max(each[at] + each[side] for each in piles) for at, side in (("x", "width"), ("y", "height")))
        room = Image.new("RGB", (right + GAP, bottom + GAP), "#e7e4df")
        draw = ImageDraw.Draw(room)
        for each in piles:
            draw.rounded_rectangle(
                (each["x"], each["y"], each["x"] + each["width"], each["y"] + each["height"]), 6, "#d5d0c8"
            )
            draw.text((each["x"], each["y"] - 16), each["label"], DARK, font_size=13)
        for card in (each for each in widgets if each["type"] == "card"):
            deck = decks[card["deck"]]
            name = deck["cardTypes"][card["cardType"]]["image" if card["faceup"] else "back"]
            picture = Image.open(archive.open(name.removeprefix("package://"))).convert("RGBA")
            small = picture.resize((deck["cardWidth"], deck["cardHeight"]))
            room.paste(small, (card["x"], card["y"]), small)
    room.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)


def _order(folder: Path, path: Path) -> None:
    """What a print service gets: fronts and a back with bleed, with the cut and the safe zone drawn on them."""
    request = BuildRequest((CARDS,), folder, only=ORDERED)
    files = export(ExportRequest("mpc", request, {"dpi": DPI})).files
    pictures = [Image.open(file).convert("RGB") for file in files if file.suffix == ".png"]
    for picture in pictures:
        bleed, safe = (round(side / 25.4 * DPI) for side in (MPC_BLEED, 2 * MPC_BLEED))
        width, height = (side - 1 for side in picture.size)
        draw = ImageDraw.Draw(picture)
        draw.rectangle((bleed, bleed, width - bleed, height - bleed), outline=CUT, width=2)
        draw.rectangle((safe, safe, width - safe, height - safe), outline=SAFE, width=2)
    _row(pictures, path, "#b9b3a9")


def _cutter(folder: Path, path: Path) -> None:
    """A sheet for a Silhouette as it is printed, and the cut lines that belong to it."""
    import cairosvg

    request = BuildRequest((CARDS,), folder, only=ORDERED, qty=2)
    files = {file.suffix: file for file in export(ExportRequest("silhouette", request, {})).files}
    sheet = pypdfium2.PdfDocument(files[".pdf"])[0].render(scale=1).to_pil().convert("RGB")
    cairosvg.svg2png(url=str(files[".svg"]), write_to=str(folder / "cut.png"), output_width=sheet.width)
    lines = Image.open(folder / "cut.png").convert("RGBA").getchannel("A").point(lambda level: min(255, 3 * level))
    cut = Image.new("RGB", sheet.size, "white")
    cut.paste(Image.new("RGB", lines.size, CUT), (0, 0), lines)
    _row([sheet, cut], path, "#b9b3a9")


def _release(folder: Path, path: Path) -> None:
    """The errata sheet of a small update of the kit, and the stickers for its old cards."""
    shutil.copytree(CARDS, folder / "cards")
    (folder / "cardgen.yaml").write_text("game: warniris\nversion_mark: true\n", encoding="utf-8")
    os.environ.setdefault("SOURCE_DATE_EPOCH", RELEASED)
    write_release("v1.0", folder=folder)
    for name, edits in UPDATE.items():
        file = folder / "cards" / name
        text = file.read_text(encoding="utf-8")
        for old, new in edits.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    write_release("v1.1", folder=folder)
    request = BuildRequest(folder=folder, output=folder / "output", changed_since="v1.0", changes=("words",))
    files = build(request._replace(errata=("sheet", "stickers"))).files
    sheets = {file.name.partition("-")[0]: pypdfium2.PdfDocument(file)[0] for file in files}
    shown = [sheets[name].render(scale=1.2).to_pil().convert("RGB") for name in ("errata", "stickers")]
    _row([page.crop((0, 0, page.width, page.height * 2 // 5)) for page in shown], path, "#b9b3a9")


def _packs(folder: Path, paper: str, path: Path) -> None:
    """Every page of the pack of each warband: a row for each, its files one after the other."""
    rows = []
    for warband in WARBANDS:
        built = build(BuildRequest((CARDS,), folder, warband=warband, paper=paper))
        documents = [pypdfium2.PdfDocument(file) for file in built.files]
        rows.append([page.render(scale=0.36).to_pil().convert("RGB") for document in documents for page in document])
    width = max(sum(page.width + GAP // 2 for page in row) for row in rows) + GAP // 2
    height = rows[0][0].height + GAP // 2
    table = Image.new("RGB", (width, len(rows) * height + GAP // 2), "#b9b3a9")
    for index, row in enumerate(rows):
        x = GAP // 2
        for page in row:
            table.paste(page, (x, GAP // 2 + index * height))
            x += page.width + GAP // 2
    table.quantize(160, dither=Image.Dither.NONE).save(path, optimize=True)


def _print_and_play(folder: Path, path: Path, cuts: Path) -> None:
    """The cover of a file to print and play, a sheet of cards with its back, and one of pieces; its cut list alone."""
    (file,) = build(BuildRequest((CARDS,), folder, pnp=True)).files
    document = pypdfium2.PdfDocument(file)
    first = {entry.get_title(): entry.get_dest().get_index() for entry in document.get_toc() if entry.get_dest()}
    pages = (0, first["Cards"], first["Cards"] + 1, first["Pieces"])
    _row([document[page].render(scale=0.6).to_pil().convert("RGB") for page in pages], path, "#b9b3a9")
    page = document[1].render(scale=1.1).to_pil().convert("RGB")
    _row([page.crop((0, 0, page.width, page.height // 2))], cuts, "#b9b3a9")


def _row(
    pictures: Sequence[Image.Image], path: Path, ground: str, colours: Image.Quantize = Image.Quantize.MEDIANCUT
) -> None:
    """Pictures side by side, their middles on one line; `colours` is how those that are kept are chosen."""
    height = max(picture.height for picture in pictures) + 2 * GAP
    width = sum(picture.width + GAP for picture in pictures) + GAP
    row = Image.new("RGB", (width, height), ground)
    x = GAP
    for picture in pictures:
        row.paste(picture, (x, (height - picture.height) // 2))
        x += picture.width + GAP
    row.quantize(160, colours, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":  # Pictures are drawn by several processes, which load this file too.
    main()
