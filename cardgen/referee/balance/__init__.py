"""Statistics of the scores of many cards, in floating point; what the referee decides is exact."""
