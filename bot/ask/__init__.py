"""A question -> the sentences that answer it, or nothing: analysed, searched, ranked, with a confidence."""
