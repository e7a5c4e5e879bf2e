"""The format of `game.yaml` as strict models, one module for each section."""
