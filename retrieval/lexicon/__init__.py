"""Words as data: classes of English words in TOML, each word once in its part, and the module that reads them."""
