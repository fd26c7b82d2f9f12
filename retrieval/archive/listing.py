"""Which articles hold some words, or have one of some facets, for an archive that keeps no list of that."""

from __future__ import annotations

from collections.abc import Collection

from retrieval.search import Archive, Listed, Scope


def listed(archive: Archive, terms: Collection[str], facets: Collection[str], scope: Scope) -> tuple[Listed, ...]:
    """Return what ``Archive.listed`` does: every sentence with a term is looked at, and every synopsis for a facet."""
    having = [{article_id for article_id, _ in archive.holding((term,), scope)} for term in terms]
    if facets:
        having.append({found.article_id for found in archive.synopses((), facets, scope)})
    return tuple(
        Listed(article.id, article.digest, article.source, article.published)
        for article in archive.articles(scope)
        if all(article.id in there for there in having)
    )
