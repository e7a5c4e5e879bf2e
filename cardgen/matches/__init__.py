"""Trials, odds, and matches at the table: what is asked, answered, and saved."""
