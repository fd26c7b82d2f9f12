"""A question -> the sentences that answer it, or nothing: understood, searched, ranked, and how sure that is."""
