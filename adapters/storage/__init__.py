"""What outlasts a restart: the store, its tables, and the nouns it keeps."""
