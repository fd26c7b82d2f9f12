"""What lies on disk for the next start: readings as bytes, and the digest of the program that made them."""
