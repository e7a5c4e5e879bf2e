from __future__ import annotations

import subprocess
import sys

from cardgen.runtime.installed_games import games, locations


def test_games_have_locations_and_are_sorted() -> None:
    assert list(games()) == sorted(locations())
    assert all(location.endswith(":RULESET") for location in locations().values())


def test_discovery_loads_no_game() -> None:
    program = (
        "import sys; from cardgen.runtime.installed_games import games; assert games();"
        "sys.exit(any(name.startswith('cardgen.rulesets') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
