"""Warhammer: Diskwars: battles of round disks that flip. Its cards, rulings, and most checks are in `game.yaml`."""

from cardgen.game import game_from_file

RULESET = game_from_file(__name__)
