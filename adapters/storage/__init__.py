"""State that outlasts a restart, in SQLite or PostgreSQL: claims, answers, feedback, threads, standing questions."""
