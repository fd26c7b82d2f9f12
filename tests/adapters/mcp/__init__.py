"""Tests of what assistants are served."""
