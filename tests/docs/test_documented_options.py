"""Every option that a page names belongs to the command beside it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import click

from cardgen.cli import commands as program
from cardgen.cli._options import GAME_KEY
from cardgen.diagnostic import CardgenError
from tests.cases import each_case

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
GAMES = ("warniris", "warcry", "skirmish", "diskwars")
NOTED = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def _options(words: list[str], game: str) -> set[str]:
    """Return the options of a command in a game, or of all commands of a group; none for an unknown command."""
    command: click.Command = program
    context = click.Context(program, info_name="cardgen", **program.context_settings)
    for word in words:
        if not isinstance(command, click.Group):
            break
        context.meta[GAME_KEY] = game
        found = command.get_command(context, word)
        if found is None:
            return set()
        command, context = found, click.Context(found, parent=context, info_name=word)
    context.meta[GAME_KEY] = game
    try:
        params = command.get_params(context)
    except CardgenError:  # the game has no such trial
        return set()
    inner = command.list_commands(context) if isinstance(command, click.Group) and words else []
    own = {name for each in params for name in (*each.opts, *each.secondary_opts)}
    return own.union(*(_options([*words, each], game) for each in inner))


def _mentions(page: Path) -> Iterator[tuple[int, list[list[str]], set[str]]]:
    """Yield commands with options: the number of the line, the words of the commands, and the options.

    In a row of a table, all options belong to the commands in its first column; elsewhere, to the command before them.
    """
    is_code = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        is_code ^= line.lstrip().startswith("```")
        if line.startswith("| `cardgen ") and not is_code:
            first, spans = NOTED.findall(line.split("|")[1]), NOTED.findall(line)
            commands = [_words(span.removeprefix("cardgen ")) for span in first]
            commands = [
                words if len(words) > 1 or n == 0 else [*commands[0][:-1], *words] for n, words in enumerate(commands)
            ]
            yield number, commands, {option for span in spans for option in OPTION.findall(span)}
        else:
            for span in [line] if is_code else NOTED.findall(line):
                for call in re.findall(r"(?:^|[\s/])cardgen ([^|#;&]*)", span):
                    yield number, [_words(call)], set(OPTION.findall(call))


def _words(call: str) -> list[str]:
    """Return the names of the command and its group at the start of a call."""
    return list(itertools.takewhile(re.compile(r"[a-z-]+$").match, call.split()))


@each_case("page", PAGES, ids=lambda page: page.stem)
def test_options_exist(page: Path) -> None:
    unknown = []
    for number, commands, options in _mentions(page):
        games = [page.stem] if page.stem in GAMES else GAMES
        known = [_options(words, game) for words in commands for game in games]
        own = set().union(*known)
        if own and commands[0]:
            unknown += [f"{page.name}:{number}: {' '.join(commands[0])} has no {each}" for each in options - own]
    assert not unknown


def test_the_test_finds_options() -> None:
    assert sum(len(options) for page in PAGES for _, _, options in _mentions(page)) > 100
