"""Readings in, hits out, in the indexes of an OpenSearch cluster, for what one machine does not hold."""
