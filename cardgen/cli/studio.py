"""`cardgen studio`: a local web application to write cards and see them."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli._options import WholeNumber
from cardgen.cli._output import print_line
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.runtime.installation import install_advice


@click.command("studio")
@click.argument("folder", default=".", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--port", type=WholeNumber(0, 65535), default=0, help="Port to listen on.  [default: a free one]")
@click.option("--lan", is_flag=True, help="Let players on the local network join the battles of Play.")
@click.option("--browser/--no-browser", default=True, help="Open the studio in the browser.")
def command(folder: Path, port: int, lan: bool, browser: bool) -> None:
    """Write cards in the browser and see them while you type.

    FOLDER is a project, or a folder for a new one; the default is the current folder. The studio answers on this
    computer only, and prints its URL on the first line. Press Ctrl-C to stop it. With --lan, the pages of players also
    answer the local network: whoever has the code of the battle can join, and everybody can watch. The second line is
    their URL.
    """
    from cardgen.project.project import Project
    from cardgen.runtime import processes

    try:
        from cardgen.studio.server import serve  # loaded here to keep 'cardgen --help' fast
    except ModuleNotFoundError as error:
        message = f"the studio needs {error.name}, which is not installed"
        raise CardgenError(Diagnostic(Code.NO_STUDIO, message, Place("studio"), install_advice("studio"))) from None

    def ready(url: str, players_url: str, url_once: str) -> None:
        print_line(url)
        if players_url:
            print_line(f"players: {players_url}")
        if browser:
            processes.open_for_user(url_once)  # other users see the arguments of the browser

    serve(Project.find(folder).root.resolve(), port, ready, opens_network=lan)
