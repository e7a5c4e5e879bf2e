"""`python -m cardgen` is `cardgen`."""

from cardgen.cli import main

main()
