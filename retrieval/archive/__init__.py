"""Readings in, hits out."""
