"""How Warniris is played: procedures over states, written once, for every reading of `cardgen.referee`."""
