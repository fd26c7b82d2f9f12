"""Development data -> the weights that the program reads. Not a part of what is installed."""
