"""The order in which similar rows of a matrix are neighbors, by hierarchical clustering.

Average linkage, found by chains of nearest neighbors; of two clusters, the one with the higher mean comes first. The
distance of two rows is that of their values in some columns, which are chosen so that they differ most.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import dist, fsum, inf

# Columns that represent all others.
LANDMARKS = 48


def cluster_order(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return the places of the rows, similar ones next to each other. The matrix must be square."""
    if not rows:
        return []
    means = [fsum(row) / len(row) for row in rows]
    columns = _landmarks(rows)
    sketches = [[row[column] for column in columns] for row in rows]
    distances = [array("d", [dist(one, other) for other in sketches]) for one in sketches]
    for place, row in enumerate(distances):
        row[place] = inf
    return _Clusters(distances, means).order()


def _landmarks(rows: Sequence[Sequence[float]]) -> list[int]:
    """Return columns that are far from each other, the first of which is farthest from the mean of all."""
    columns = rows if len(rows) <= LANDMARKS else [*zip(*rows, strict=True)]
    if len(rows) <= LANDMARKS:
        return [*range(len(rows))]
    chosen = [0]
    nearest = [dist(columns[0], column) for column in columns]
    while len(chosen) < LANDMARKS and max(nearest) > 0:
        chosen.append(nearest.index(max(nearest)))
        last = columns[chosen[-1]]
        nearest = [min(old, dist(last, column)) for old, column in zip(nearest, columns, strict=True)]
    return chosen


class _Clusters:
    """Clusters of rows, merged until there is one; a merged cluster takes the place of one of its parts."""

    def __init__(self, distances: list[array[float]], means: Sequence[float]) -> None:
        self._distances, self._means = distances, [*means]
        self._members: dict[int, list[int]] = {place: [place] for place in range(len(distances))}

    def order(self) -> list[int]:
        """Merge all clusters, and return the order of their members."""
        chain: list[int] = []
        while len(self._members) > 1:
            if not chain:
                chain.append(next(iter(self._members)))
            row = self._distances[chain[-1]]
            nearest = row.index(min(row))
            if len(chain) > 1 and row[chain[-2]] == row[nearest]:
                self._merge(chain.pop(), chain.pop())
            else:
                chain.append(nearest)
        (members,) = self._members.values()
        return members

    def _merge(self, one: int, other: int) -> None:
        """Merge two clusters into the first."""
        mine, its = self._members[one], self._members.pop(other)
        is_first = (-self._means[one], mine) <= (-self._means[other], its)
        first, second = (mine, its) if is_first else (its, mine)
        share = len(mine) / (len(mine) + len(its))
        self._means[one] = share * self._means[one] + (1 - share) * self._means[other]
        self._members[one] = first + second
        distances, its_row = self._distances, self._distances[other]
        row = array("d", [share * a + (1 - share) * b for a, b in zip(distances[one], its_row, strict=True)])
        row[one] = row[other] = inf
        distances[one] = row
        for place in self._members:
            distances[place][one], distances[place][other] = row[place], inf
        row[one] = inf
