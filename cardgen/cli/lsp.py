"""`cardgen lsp`: the language server for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click

from cardgen.runtime.installation import install_advice


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Use standard input and output, which is also the default.")
def command(stdio: bool) -> None:
    """Answer an editor on standard input and output.

    The server speaks the Language Server Protocol: problems while you type, completion, help, names of cards, and
    fixes. It needs the extra 'lsp'. Editors start it; docs/editors.md says how to set them up.
    """
    if find_spec("pygls") is None:
        raise click.UsageError(f"the language server needs pygls, which is not installed; {install_advice('lsp')}")
    from cardgen.lsp.requests import serve  # loaded here because pygls is optional

    serve()
