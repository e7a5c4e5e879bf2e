"""The games: subpackages with a `RULESET`, and entry points in 'cardgen.rulesets'."""
