"""`cardgen new`: a new project, game, template, or card."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._output import json_option, print_json, print_line

_PROJECT, _GAME, _CI, _TEMPLATE = "project", "game", "ci", "template"


@click.command("new")
@click.argument("what", metavar="project|game|template|ci|KIND")
@click.argument("name", required=False)
@click.option("--sample", is_flag=True, help="Include the sample cards of the game (project only).")
@click.option("--game", help="Game of the project or the card (default: the game of the current project).")
@click.option(
    "--host",
    type=click.Choice(("github", "gitlab", "forgejo")),
    default="github",
    help="Host of the repository (ci only).",
)
@click.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="For a game, a spreadsheet whose cards it is made for, or a deck of Cider, Squib, or Magic Set Editor. For ci,"
    " what the jobs install cardgen from: git+https://HOST/PATH@TAG, or the path of a wheel in the repository "
    "(default: this installation's).",
)
@click.option("--size", help="Size of the cards, such as tarot or '70mm x 120mm' (game only; default: poker).")
@click.option("--svg", is_flag=True, help="Continue the layout of the kind as an SVG template (template only).")
@json_option
def command(
    what: str,
    name: str | None,
    sample: bool,
    game: str | None,
    host: str,
    source: str | None,
    size: str | None,
    svg: bool,
    as_json: bool,
) -> None:
    """Create a card project, a game of your own, a template, jobs that check cards, or a card in the current project.

    'cardgen new project [FOLDER]' writes a file cardgen.yaml with all settings, and a folder for cards.

    'cardgen new game NAME' writes a game that is ready to build: games/NAME/game.yaml, its layouts, and first cards.
    With '--from cards.xlsx', the game fits the cards of a spreadsheet: each sheet is a kind, and each column a field.
    Decks of Cider (a folder or database.json), Squib (a folder), and Magic Set Editor (.mse-set) become tables,
    pictures, and layouts that come close; what is lost is listed.

    'cardgen new template KIND' writes a layout for a kind of card, with boxes for its fields that you can move;
    'cardgen new template KIND.back' writes one for its back. With '--svg', a layout goes on as an SVG template.

    'cardgen new ci' writes what a repository needs to check its cards: jobs for its host, one of which commits fixes
    when somebody runs it, a hook, an issue form, labels, .gitattributes, .gitignore, CONTRIBUTING.md, and cardgen.yaml
    if all cards are of one game.

    'cardgen new KIND NAME' writes a card that is ready to build: 'cardgen new minion Sentinel' writes
    cards/sentinel.yaml.

    Existing files are never overwritten.
    """
    if source and what not in (_GAME, _CI):
        raise click.UsageError("--from applies only to games and ci: cardgen new game NAME --from cards.xlsx")
    if size and what != _GAME:
        raise click.UsageError("--size applies only to games: cardgen new game NAME --size tarot")
    if svg and what != _TEMPLATE:
        raise click.UsageError("--svg applies only to templates: cardgen new template KIND --svg")
    if what == _PROJECT:
        _project(Path(name or "."), game, sample=sample, as_json=as_json)
    elif what == _CI:
        _new_ci(host, source, as_json=as_json)
    elif sample:
        raise click.UsageError("--sample applies only to projects: cardgen new project [FOLDER] --sample")
    elif name is None:
        name_of = "KIND" if what == _TEMPLATE else "NAME"
        raise click.UsageError(f"missing the name of the {what}: cardgen new {what} {name_of}")
    elif what == _GAME:
        if game:
            raise click.UsageError("--game does not apply to a new game; run: cardgen new game NAME")
        _new_game(name, source, size, as_json=as_json)
    elif what == _TEMPLATE:
        _template(name, game, svg=svg, as_json=as_json)
    else:
        _card(what, name, game, as_json=as_json)


def _project(folder: Path, game: str | None, *, sample: bool, as_json: bool) -> None:
    from cardgen.scaffold.cards import game_and_others, new_project

    paths = list(new_project(folder, game, sample=sample))
    chosen, others = game_and_others(game)
    if as_json:
        print_json("new", {"files": paths, "game": chosen})
        return
    for path in paths:
        print_line(path.as_posix())
    if not game and others:
        print_line(f"game: {chosen}; to use another game ({', '.join(others)}), use --game", err=True)
    enter = "" if folder == Path() else f"cd {folder.as_posix()}, then "
    print_line(f"next: {enter}{'cardgen build' if sample else 'cardgen new KIND NAME'}", err=True)


def _new_ci(host: str, source: str | None, *, as_json: bool) -> None:
    from cardgen.diagnostic import join_words
    from cardgen.scaffold.ci import has_action, installed_source, new_ci

    source = installed_source() if source is None else source
    files = new_ci(host, source)
    if as_json:
        print_json("new", {"files": files.written, "kept": files.kept})
        return
    for file in files.written:
        print_line(file)
    if files.kept:
        advice = "to replace a file, delete it, and run the command again"
        print_line(f"already exist, left unchanged: {', '.join(files.kept)}; {advice}", err=True)
    if files.other_source:
        message = f"note: {join_words(files.other_source, 'and')} {'does' if len(files.other_source) == 1 else 'do'}"
        print_line(f"{message} not install cardgen from {source}", err=True)
    if not files.written:
        return
    if files.game:
        print_line(f"cardgen.yaml: the game of the project is {files.game}, that of all cards", err=True)
    if host == "github" and not has_action(source):
        advice = "use --from git+https://github.com/OWNER/REPO@TAG for the action, which does"
        print_line(f"note: the job checks pull requests, but does not comment on them; {advice}", err=True)
    print_line("next: read the files, and commit them", err=True)


def _new_game(name: str, source: str | None, size: str | None, *, as_json: bool) -> None:
    from cardgen.diagnostic import join_words
    from cardgen.project.files import display_path
    from cardgen.scaffold.game import DEFAULT_SIZE, new_game
    from cardgen.units import quantity

    made = new_game(name, table=None if source is None else Path(source), size=size or DEFAULT_SIZE)
    files = [display_path(path) for path in made.files]
    if as_json:
        print_json("new", {"files": files, "game": made.game} | ({"notes": made.notes} if source else {}))
        return
    for file in files:
        print_line(file)
    if made.replaced and made.replaced != made.game:
        print_line(f"cardgen.yaml: the game of the project is now {made.game}, not {made.replaced}", err=True)
    elif not (made.replaced or made.is_current):
        advice = f"add '--game {made.game}' to commands, as in 'cardgen new hero NAME --game {made.game}'"
        print_line(f"the project has cards of another game, which remains its own: {advice}", err=True)
    for note in made.notes:
        print_line(note, err=True)
    if made.kinds:
        kinds = join_words(
            [f"{quantity(cards, 'card')} of the kind {kind}" for kind, cards in made.kinds.items()], "and"
        )
        print_line(f"{kinds}; the types of their fields were guessed, see games/{made.game}/game.yaml", err=True)
        print_line("next: cardgen check; then cardgen build", err=True)
        return
    print_line("next: cardgen build; then change the game while 'cardgen build --watch' is running", err=True)


def _template(kind: str, game: str | None, *, svg: bool, as_json: bool) -> None:
    from cardgen.project.files import display_path
    from cardgen.project_checks.projects import require_project
    from cardgen.runtime.fingerprint import find_project_root
    from cardgen.scaffold.template import new_template

    require_project(find_project_root(Path.cwd()))
    file = display_path(new_template(kind, game, svg=svg))
    if as_json:
        print_json("new", {"files": [file]})
        return
    print_line(file)
    if svg:
        print_line("the layout is not used any more; remove it, or this file to go back to it", err=True)
        return
    print_line("next: move its boxes while 'cardgen build --watch' or 'cardgen studio' is running", err=True)


def _card(kind: str, name: str, game: str | None, *, as_json: bool) -> None:
    from cardgen.project.files import display_path
    from cardgen.project_checks.projects import require_project
    from cardgen.runtime.fingerprint import find_project_root
    from cardgen.scaffold.cards import new_card

    require_project(find_project_root(Path.cwd()))
    file = display_path(new_card(kind, name, game))
    if as_json:
        print_json("new", {"files": [file]})
        return
    print_line(file)
    print_line("next: edit the card while 'cardgen build --watch' is running", err=True)
