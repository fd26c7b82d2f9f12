"""The page: articles as they were read, and replies, drawn for a browser."""
