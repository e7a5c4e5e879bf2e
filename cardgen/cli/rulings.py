"""`cardgen rulings`: questions that the rules leave open, with their answers."""

from __future__ import annotations

from collections.abc import Iterable

import click

from cardgen.cli._output import json_option, print_json, print_line


@click.command("rulings")
@click.option("--game", help="Game (default: the game of the project).")
@json_option
def command(game: str | None, as_json: bool) -> None:
    """List the rulings: questions that the rules leave open, with their answers.

    A star marks the current setting. To change it, use --ruling NAME=SETTING for a single run, or 'rulings' in
    cardgen.yaml.
    """
    from cardgen.matches import trials  # loaded here to keep 'cardgen --help' fast

    rows = trials.list_rulings(game)
    if as_json:
        print_json("rulings", {"rulings": _as_data(rows)})
        return
    last_name = ""
    for name, question, holds, default, setting, words in rows:
        if name != last_name:
            print_line(f"{name}: {question}")
            last_name = name
        print_line(f"  {'*' if holds else ' '} {setting}{' (default)' if default and not holds else ''}: {words}")


def _as_data(rows: Iterable[tuple[str, str, bool, bool, str, str]]) -> list[dict[str, object]]:
    """Return each ruling with its current and default setting, and the meaning of each setting."""
    rulings: dict[str, dict[str, object]] = {}
    meanings: dict[str, dict[str, str]] = {}
    for name, question, is_current, is_default, setting, words in rows:
        ruling = rulings.setdefault(name, {"id": name, "question": question})
        meanings.setdefault(name, {})[setting] = words
        ruling |= {"current": setting} if is_current else {}
        ruling |= {"default": setting} if is_default else {}
    return [{**ruling, "settings": meanings[name]} for name, ruling in rulings.items()]
