"""The games: each is a package below this one, or an entry point of the group 'cardgen.rulesets', with a `RULESET`."""

from cardgen.rulesets.registry import default_game, games, ruleset

__all__ = ["default_game", "games", "ruleset"]
