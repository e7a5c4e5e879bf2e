"""`cardgen translate`: the state of translations, and files for translators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli._group import SuggestingGroup, complete_names, name_variables, shared_options
from cardgen.cli._options import workspace
from cardgen.cli._output import json_option, print_json, print_line

if TYPE_CHECKING:
    from cardgen.translate.catalog import Catalog
    from cardgen.translate.exchange import ImportResult


@click.group("translate", cls=SuggestingGroup)
def command() -> None:
    """See what is translated, and exchange files with translators.

    The languages of a project are 'languages' in cardgen.yaml; its translations are beside the cards.
    """


@command.command("status")
@click.argument("languages", nargs=-1, metavar="[LANGUAGE]...")
@click.option("--fit", is_flag=True, help="Draw the cards, and list the ten fullest boxes of each language instead.")
@json_option
def status(languages: tuple[str, ...], fit: bool, as_json: bool) -> None:
    """Count the texts that are translated, stale, and missing.

    LANGUAGE is one of the project's; each stale or missing text of it is listed. The default is a table of all. With
    --fit, it can also be en-XA, in which all texts have accents and are 40 percent longer, names 60 percent.
    """
    if fit:
        _print_fits(languages, as_json=as_json)
        return
    catalogs = _catalogs(languages)
    if as_json:
        print_json("translate", {"languages": [_as_data(each) for each in catalogs]})
        return
    names = (*(catalogs[0].counts() if catalogs else ()),)
    print_line(f"{'LANGUAGE':<10}{''.join(f'{name.upper():>12}' for name in names)}")
    for each in catalogs:
        print_line(f"{each.language:<10}{''.join(f'{count:>12}' for count in each.counts().values())}")
    for each in catalogs:
        for gap in each.gaps() if languages else ():
            print_line(f"{gap.text.place}: {gap.text.state}: {gap.context}")
        for problem in each.problems:
            print_line(str(problem), err=True)


def _print_fits(languages: tuple[str, ...], *, as_json: bool) -> None:
    from cardgen.print.request import named_languages
    from cardgen.translate.catalog import fullest_boxes

    boxes = fullest_boxes(workspace(), named_languages(languages, lambda: ()))
    if as_json:
        keys = ("language", "full", "size", "card", "text")
        print_json("translate", {"boxes": [dict(zip(keys, box, strict=True)) for box in boxes]})
        return
    print_line(f"{'LANGUAGE':<10}{'FULL':>6}{'SIZE':>9}  TEXT")
    for language, fill, size, card, text in boxes:
        print_line(f"{language:<10}{fill:>6.0%}{f'{size:g} pt':>9}  {card}/{text}")


def _as_data(catalog: Catalog) -> dict[str, object]:
    gaps = [
        {
            "text": each.context,
            "state": each.text.state.value,
            "place": str(each.text.place),
            "source": each.text.source,
        }
        for each in catalog.gaps()
    ]
    return {"language": catalog.language, "counts": catalog.counts(), "gaps": gaps}


@command.command("export")
@click.argument("language")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write: .po, .csv, or .xlsx.  [default: output/LANGUAGE.po]",
)
@click.option("--gaps", is_flag=True, help="Write only texts that are stale or missing.")
@json_option
def export(language: str, output: Path | None, gaps: bool, as_json: bool) -> None:
    """Write all texts for a translator, with their translations, their cards, and the room that they have.

    LANGUAGE is one of the project's. PO is for Weblate, Poedit, and others; CSV and XLSX for spreadsheets.
    """
    from cardgen.translate.exchange import export_catalog  # loaded here to keep 'cardgen --help' fast

    path = output or Path("output") / f"{language}.po"
    count = export_catalog(_catalogs((language,))[0], path, only_gaps=gaps)
    if as_json:
        print_json("translate", {"files": [path], "texts": count})
        return
    print_line(path.as_posix())
    print_line(f"next: read it back with 'cardgen translate import {path.as_posix()}'", err=True)


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--language", help="Language of the file, if the file does not specify one.")
@json_option
def import_(file: Path, language: str | None, as_json: bool) -> None:
    """Read a translator's file into the translations beside the cards.

    FILE is a .po, .csv, or .xlsx file as 'export' writes it, or a .json file with the rows of a JSON table in another
    language. If anything in it is not understood, nothing is written. Texts without a translation stay as they are.
    """
    from cardgen.translate.exchange import import_file  # loaded here to keep 'cardgen --help' fast

    _print(import_file(file, workspace(), language or ""), as_json=as_json)


@command.command("accept")
@click.argument("language")
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@json_option
def accept(language: str, texts: tuple[str, ...], as_json: bool) -> None:
    """Record which texts the translations that you wrote by hand were made from.

    TEXT is a text such as ash/name, whose translation is right although it is stale. By default, the present texts are
    recorded for all translations of LANGUAGE for which none are.
    """
    from cardgen.translate.exchange import accept as record  # loaded here to keep 'cardgen --help' fast

    _print(record(_catalogs((language,))[0], texts), as_json=as_json)


def _catalogs(languages: tuple[str, ...]) -> list[Catalog]:
    from cardgen.print.request import named_languages  # loaded here to keep 'cardgen --help' fast
    from cardgen.translate.catalog import read_catalogs

    return read_catalogs(workspace(), named_languages(languages, lambda: ()))


def _print(result: ImportResult, *, as_json: bool) -> None:
    from cardgen.project.files import display_path

    if as_json:
        print_json("translate", {**result._asdict(), "files": [display_path(path) for path in result.files]})
        return
    for path in result.files:
        print_line(display_path(path))
    print_line(f"{result.new} new, {result.changed} changed, {result.empty} without a translation")


for _each in command.commands.values():
    _each.params += shared_options(f"cardgen translate {_each.name}", hidden=True)
    name_variables(f"cardgen translate {_each.name}", complete_names(_each.params))
