"""The glossary of Warniris, and its rulings where the rules are silent."""

from pathlib import Path

from cardgen.game import read_glossary, read_rulings

GLOSSARY = read_glossary(Path(__file__).with_name("glossary.txt"))
RULINGS = read_rulings(Path(__file__).with_name("rulings.txt"))
