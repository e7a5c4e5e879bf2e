"""Temporary files for content that is too large to keep in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from io import UnsupportedOperation
from typing import TYPE_CHECKING, Any, BinaryIO

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place

if TYPE_CHECKING:

    class _SpooledFile(tempfile.SpooledTemporaryFile[bytes], BinaryIO): ...
else:
    _SpooledFile = tempfile.SpooledTemporaryFile

# Shorter content stays in memory.
_MAX_IN_MEMORY = 1 << 20


class ScratchFile(_SpooledFile):
    """File without a name, which is deleted when it is closed or freed.

    Writing to it raises no error, because pikepdf would abort the program; call `check` afterward.
    """

    def __init__(self, max_in_memory: int = _MAX_IN_MEMORY) -> None:
        super().__init__(max_size=max_in_memory)
        self._error: OSError | None = None

    def __del__(self) -> None:
        """Close the file; its content is no longer needed."""
        self.close()

    def write(self, content: Any) -> int:
        """Write content, and return its length."""
        self._attempt(super().write, content)
        return len(content)

    def flush(self) -> None:
        """Pass written content on to the system."""
        self._attempt(super().flush)

    def fileno(self) -> int:
        """Raise UnsupportedOperation: content that is in memory has no descriptor, and would be moved to get one."""
        raise UnsupportedOperation("fileno")

    def check(self) -> None:
        """Raise CardgenError if there was no room for the content."""
        self.flush()
        if self._error is not None:
            message = f"temporary file cannot be written: {self._error.strerror or self._error}"
            advice = "free space there, or set TMPDIR to another folder"
            raise CardgenError(Diagnostic(Code.UNWRITABLE, message, Place(tempfile.gettempdir()), help=advice))

    def content(self) -> bytes:
        """Return the whole content."""
        self.seek(0)
        return self.read()

    def _attempt(self, action: Callable[..., object], *args: Any) -> None:
        """Do something unless it failed before; after an error, the file is empty."""
        if self._error is not None:
            return
        try:
            action(*args)
        except OSError as error:
            self._error = error
            with suppress(OSError):
                self.close()
            super().__init__()
