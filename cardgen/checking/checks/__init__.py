"""The checks that apply to every game, one module each."""
