"""Names of new projects, games, and cards."""

from __future__ import annotations

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place


def require_name(name: str, what: str) -> None:
    """Raise CardgenError for a name without letters and digits of any script; `what` is 'card', 'game', or another."""
    if not any(map(str.isalnum, name)):
        message = f"'{name}' cannot be the name of a {what}"
        raise CardgenError(
            Diagnostic(Code.BAD_OPTION, message, Place("NAME"), "use letters or digits, such as 'Ember'")
        )
