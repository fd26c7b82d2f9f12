"""Files and folders in, articles out."""
