"""`cardgen completion`: scripts for completion in shells."""

from __future__ import annotations

import click

from cardgen.cli._output import print_data

_VARIABLE = "_CARDGEN_COMPLETE"
_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName cardgen -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = $commandAst.CommandElements | ForEach-Object { $_.ToString() }
    if ($wordToComplete -eq '') { $words += '' }
    $env:_CARDGEN_COMPLETE = 'bash_complete'
    $env:COMP_WORDS = $words -join ' '
    $env:COMP_CWORD = $words.Count - 1
    try {
        cardgen | ForEach-Object {
            $type, $value = $_ -split ',', 2
            if ($type -eq 'plain') {
                $text = if ($value -match '\\s') { "'$value'" } else { $value }
                [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $value)
            }
        }
    } finally {
        Remove-Item Env:_CARDGEN_COMPLETE, Env:COMP_WORDS, Env:COMP_CWORD
    }
}
"""


@click.command("completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish", "powershell")))
def command(shell: str) -> None:
    """Print a script that completes commands, options, and names of cards.

    Load it when the shell starts. For bash, add this line to ~/.bashrc:

    \b
        eval "$(cardgen completion bash)"

    For zsh, add the same line with zsh to ~/.zshrc, below compinit. For fish:

    \b
        cardgen completion fish > ~/.config/fish/completions/cardgen.fish

    For PowerShell, add this line to $PROFILE:

    \b
        cardgen completion powershell | Out-String | Invoke-Expression
    """  # noqa: D301 - click needs the character
    script = _POWERSHELL if shell == "powershell" else _click_script(shell)
    print_data(script)


def _click_script(shell: str) -> str:
    """Return the script that click has for a shell."""
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root()
    kind = get_completion_class(shell)
    assert kind is not None
    complete = kind(root.command, {}, "cardgen", _VARIABLE)
    return complete.source_template % complete.source_vars() + "\n"
