"""What was worked out once -> files from which the next start takes it; whatever is wrong with one, it is made anew."""
