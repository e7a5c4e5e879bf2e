"""The glossary of Warniris, its rulings on open questions and policies for choices, and the examples of its cards."""

from pathlib import Path

from cardgen.game import read_rulings

EXAMPLES = Path(__file__).with_name("examples")
GLOSSARY = Path(__file__).with_name("glossary.txt")
RULINGS = read_rulings(Path(__file__).with_name("rulings.txt"))
POLICIES = read_rulings(Path(__file__).with_name("policies.txt"))
