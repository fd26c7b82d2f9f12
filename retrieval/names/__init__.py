"""Sentences -> the people, bodies, places, groups and events they name; over all articles, entities."""
