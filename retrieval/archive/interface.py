"""An archive, wherever it is: in a file, in memory or in a cluster. ``WritableArchive`` says what its methods do."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from retrieval.archive import retirement
    from retrieval.archive.archive import WritableArchive
    from retrieval.archive.opensearch.archive import ClusterArchive
    from retrieval.archive.opensearch.changes import ClusterArrivals, ClusterRetirements

# strings, so that nobody who names one loads a cluster's client
Archive: TypeAlias = "WritableArchive | ClusterArchive"
Retirements: TypeAlias = "retirement.Retirements | ClusterRetirements"
Arrivals: TypeAlias = "retirement.Arrivals | ClusterArrivals"
