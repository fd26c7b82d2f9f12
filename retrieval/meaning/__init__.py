"""Sentences and questions -> vectors that are near each other where they mean the same."""
