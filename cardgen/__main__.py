"""`python -m cardgen` is `cardgen`.

For `-m`, Python looks for its own modules in the current folder first, before any line of this program. `cardgen` and
`python -P -m cardgen` do not, and are what documentation and hooks use.
"""

from cardgen.runtime.processes import leave_current_folder

leave_current_folder()

from cardgen.cli import main  # noqa: E402 - found where it should be

main()
