"""Games as data: a `game.yaml` compiled to a Ruleset."""
