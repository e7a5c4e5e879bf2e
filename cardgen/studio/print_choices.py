"""The options with which cards were last printed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.referee import transcript
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.user_folders import state_folder
from cardgen.studio.engine.answers import PrintForm
from cardgen.studio.page_words import read_values

_MOST_CHOICES, _MOST_BYTES = 200, 1 << 20

Options = Mapping[str, Any]


class PrintChoices:
    """The options with which the cards of a project were last printed, by what was selected."""

    def __init__(self, root: Path) -> None:
        """Read the options that were kept; what cannot be read is ignored."""
        digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        self._path = state_folder() / "print" / f"{digest}.json"
        self._choices: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            data = transcript.parse_strictly(regular_file.read(self._path, _MOST_BYTES).decode())
            if isinstance(data, dict):
                self._choices = {key: value for key, value in data.items() if isinstance(value, dict)}

    def options(self, form: PrintForm, selection: Options) -> dict[str, Any]:
        """Return the options that were last used for a selection of cards, with the selection."""
        kept = self._choices.get(_key(form, selection), {})
        return {**read_values((*form.paper, *form.rare), kept), **_selected(form, selection)}

    def keep(self, form: PrintForm, options: Options) -> None:
        """Keep the options for their selection, on the disk if possible."""
        key = _key(form, options)
        self._choices.pop(key, None)
        self._choices[key] = read_values((*form.paper, *form.rare), options)
        self._choices = dict([*self._choices.items()][-_MOST_CHOICES:])
        with suppress(OSError, CardgenError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            atomic_write.write(self._path, json.dumps(self._choices).encode(), is_private=True)


def _selected(form: PrintForm, options: Options) -> dict[str, Any]:
    return read_values(form.cards, options)


def _key(form: PrintForm, options: Options) -> str:
    """Return the name of a selection, whatever the order in which it was made."""
    selected = _selected(form, options)
    return json.dumps({name: sorted(value) if isinstance(value, tuple) else value for name, value in selected.items()})
