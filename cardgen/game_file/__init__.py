"""Games as data: a `game.yaml` read into the same Ruleset as a game in Python gives."""
