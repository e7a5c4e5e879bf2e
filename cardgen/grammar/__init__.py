"""Grammars of card text: one table of clauses that both writes sentences and reads them."""
